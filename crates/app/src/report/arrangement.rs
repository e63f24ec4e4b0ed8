//! The register as a table with the columns of the importable one, so that it can be imported again.

use domain::{
    arrangement::Arrangement,
    page::Reading,
    register::{FLAT_COLUMNS, FlatColumn, Rule},
};

use super::{File, TableFormat, column::TableColumn};
use crate::{
    Reports, Result,
    arrangement::{ArrangementFilter, ArrangementRow},
    authz::Caller,
};

impl Reports {
    /// The arrangements that a page with these filters lists, as they are now or as of the end of a day.
    pub async fn arrangements_file(
        &self,
        caller: &Caller,
        filter: &ArrangementFilter,
        reading: Reading,
        format: TableFormat,
    ) -> Result<File> {
        let columns = FLAT_COLUMNS.map(column_of).into();
        let load = self.records.record_pages_as_of::<Arrangement>(caller, filter, reading);
        let cells = |row: &ArrangementRow| FLAT_COLUMNS.map(|column| (column.write)(&row.record));
        let file = self.table(caller, "ict-arrangements", format, columns, load, cells).await?;
        Ok(file.named_as_of(reading))
    }
}

/// A column with the headings that the import reads, too. Its words are those of the table, which are the same in both
/// languages.
fn column_of(column: FlatColumn) -> TableColumn {
    match column.rule {
        Rule::Amount | Rule::Number => TableColumn::number(column.name, column.label),
        Rule::Date => TableColumn::day(column.name, column.label),
        _ => TableColumn::text(column.name, column.label),
    }
}
