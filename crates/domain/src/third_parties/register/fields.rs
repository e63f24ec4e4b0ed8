//! What a line of the table of fields says, and what follows from it for an arrangement whose rows change.

use super::{
    arrangement_rows::ArrangementRows,
    columns::ColumnId,
    field_table::{FIELDS, STAND_INS},
    row_content::RowContent,
    sheets::SheetRow,
    template::Template,
};
use crate::arrangement::Arrangement;

/// A field of an arrangement, and the cells of the official templates that hold it.
pub(super) struct Field {
    /// Its name in the checks.
    pub(super) name: &'static str,
    pub(super) wins: Wins,
    /// Reads it from the rows.
    pub(super) read: fn(&ArrangementRows<'_, '_>, &mut Arrangement),
    pub(super) cells: &'static [Cell],
    pub(super) is_same: fn(&Arrangement, &Arrangement) -> bool,
    /// Takes its value from the first to the second.
    pub(super) take: fn(&Arrangement, &mut Arrangement),
}

/// Which side counts where the rows and the arrangement differ. What is in no line of the table (sector, technology,
/// region, a better name of the service) is the arrangement's own.
pub(super) enum Wins {
    /// The rows.
    Rows,
    /// The rows. What they are silent about when they are first read stays as the arrangement has it, and differs.
    FilledRows(IsSilent),
    /// The rows. What they are silent about when they are first read stays as the arrangement has it, and agrees.
    SpokenRows(IsSilent),
}

/// Whether the rows say nothing of a field.
type IsSilent = fn(&Arrangement) -> bool;

/// A cell that holds a field, or a part of it.
pub(super) struct Cell {
    pub(super) column: ColumnId,
    pub(super) text: fn(&RowContent<'_>) -> Box<str>,
    pub(super) follows: fn(&CellChange<'_>) -> bool,
}

/// A cell of a row whose arrangement has changed.
pub(super) struct CellChange<'a> {
    pub(super) text: &'a str,
    pub(super) before: &'a Arrangement,
    pub(super) after: &'a RowContent<'a>,
}

impl Field {
    /// Whether an arrangement takes the field from its rows, which said something else before, or were none.
    fn is_taken(&self, before: Option<&Arrangement>, after: &Arrangement) -> bool {
        match (before, &self.wins) {
            (Some(before), _) => !(self.is_same)(before, after),
            (None, Wins::Rows) => true,
            (None, Wins::FilledRows(is_silent) | Wins::SpokenRows(is_silent)) => !is_silent(after),
        }
    }

    fn differs(&self, rows: &Arrangement, kept: &Arrangement) -> bool {
        let agrees = matches!(self.wins, Wins::SpokenRows(is_silent) if is_silent(rows));
        !agrees && !(self.is_same)(rows, kept)
    }
}

/// The kept arrangement with what its rows now say otherwise than before.
pub fn merged(kept: &Arrangement, before: Option<&Arrangement>, after: &Arrangement) -> Arrangement {
    let mut wanted = kept.clone();
    for field in FIELDS.iter().filter(|field| field.is_taken(before, after)) {
        (field.take)(after, &mut wanted);
    }
    wanted
}

/// The names of the fields in which an arrangement differs from what its rows say.
pub fn differing_fields(rows: &Arrangement, kept: &Arrangement) -> Vec<&'static str> {
    FIELDS.iter().filter(|field| field.differs(rows, kept)).map(|field| field.name).collect()
}

/// A new row of a template.
pub(super) fn new_row(template: Template, content: &RowContent<'_>) -> SheetRow {
    let mut row = SheetRow::new("", template);
    let cells = FIELDS.iter().flat_map(|field| field.cells).chain(&STAND_INS);
    for cell in cells.filter(|cell| cell.column.template == template) {
        row.put(cell.column, (cell.text)(content));
    }
    row
}
