//! Tables: typed columns with a header, and rows of cells.

use super::{Badge, Tone};

/// The alignment of a column's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Start,
    Centre,
    /// For figures, so that the digits are aligned.
    End,
}

/// The width of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnWidth {
    /// Typographic points, for columns whose text has a known length. The line is 471 points wide.
    Points(u16),
    /// A share of the width that the fixed columns leave.
    Share(u16),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub header: String,
    pub width: ColumnWidth,
    pub align: Align,
    /// The cells of this column name their row, for screen readers.
    pub names_row: bool,
}

impl Column {
    pub fn points(header: impl Into<String>, points: u16) -> Self {
        Self::new(header, ColumnWidth::Points(points))
    }

    pub fn share(header: impl Into<String>, share: u16) -> Self {
        Self::new(header, ColumnWidth::Share(share))
    }

    #[must_use]
    pub fn align(mut self, align: Align) -> Self {
        self.align = align;
        self
    }

    #[must_use]
    pub fn row_header(mut self) -> Self {
        self.names_row = true;
        self
    }

    fn new(header: impl Into<String>, width: ColumnWidth) -> Self {
        Self { header: header.into(), width, align: Align::Start, names_row: false }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Text(String),
    Badge(Badge),
}

impl Cell {
    pub fn badge(tone: Tone, text: impl Into<String>) -> Self {
        Self::Badge(Badge::new(tone, text))
    }

    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Badge(badge) => &badge.text,
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Rows under a header that is repeated on every page of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub caption: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// The text of a table without rows; empty for the default text.
    pub empty_text: String,
}

impl Table {
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self {
            caption: String::new(),
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
            empty_text: String::new(),
        }
    }

    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    #[must_use]
    pub fn empty_text(mut self, text: impl Into<String>) -> Self {
        self.empty_text = text.into();
        self
    }

    #[must_use]
    pub fn row<I>(mut self, cells: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<Cell>,
    {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self
    }
}
