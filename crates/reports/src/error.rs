//! Errors of rendering documents.

use krilla::configure::ConfigurationError;
use krilla::error::KrillaError;

/// Why a report could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A row does not fit the columns it is written under.
    #[error(
        "table {table:?}: row {row} has {cells} cells for {columns} columns; give every row one cell per column"
    )]
    TableRow { table: String, row: usize, cells: usize, columns: usize },
    /// A bar, a threshold or a scale with a value that has no length.
    #[error("chart {chart:?}: the value of {label:?} must be a finite number, 0 or more")]
    ChartValue { chart: String, label: String },
    /// The typeface compiled into the program is damaged.
    #[error("the embedded typeface cannot be read")]
    Typeface,
    /// The PDF writer no longer supports the accessibility standard of the reports.
    #[error("PDF/UA-1 is not available: {0:?}")]
    Standard(ConfigurationError),
    /// The PDF writer refused the file, for instance because a tag was missing.
    #[error("the PDF could not be written")]
    Pdf(#[from] KrillaError),
    /// The caller no longer wants it.
    #[error("the report was stopped")]
    Stopped,
    /// A row with the wrong number of cells, or a writer that failed.
    #[error("the CSV could not be written")]
    Csv(#[from] ::csv::Error),
    /// A text longer than a cell of a workbook, where nothing may be left out.
    #[error("sheet {sheet}, row {row}: a cell of a workbook holds at most {most} characters")]
    LongCell { sheet: String, row: u32, most: usize },
    /// More rows or columns than a workbook can have, or a writer that failed.
    #[error("the workbook could not be written: {0}; a table this long is available as CSV")]
    Xlsx(#[from] rust_xlsxwriter::XlsxError),
}
