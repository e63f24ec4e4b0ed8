//! The entries in the table of a template: a row for each `id.` field, its cells under the same number.

use std::collections::BTreeMap;

use app::register::{CellChange, RowEdit};
use domain::{
    id::RegisterRowId,
    register::{Template, sheets},
};

use crate::{error::PageError, form::Form};

/// The value in place of the id of a row that is not stored yet.
pub(super) const NEW: &str = "new";

/// One row of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entered {
    /// The number of the row in the form.
    pub(super) number: usize,
    /// The row and the digest of its content; `None` for a new one.
    pub(super) row: Option<(RegisterRowId, String)>,
    /// Texts by the position of their column. Cells that were not sent stay as they are.
    pub(super) cells: BTreeMap<usize, String>,
}

impl Entered {
    /// Whether this is a new row without any value.
    pub(super) fn is_nothing(&self) -> bool {
        self.row.is_none() && self.cells.values().all(String::is_empty)
    }
}

/// The rows of the form in order, without new ones that are empty.
pub(super) fn entered(template: Template, form: &Form) -> Result<Vec<Entered>, PageError> {
    let mut rows: BTreeMap<usize, Entered> = BTreeMap::new();
    for (name, value) in form.pairs() {
        let Some(number) = name.strip_prefix("id.") else { continue };
        let number = number.parse().map_err(|_| PageError::Malformed)?;
        let row = if value == NEW { None } else { Some(stored(value).ok_or(PageError::Malformed)?) };
        rows.insert(number, Entered { number, row, cells: BTreeMap::new() });
    }
    for (name, value) in form.pairs() {
        let Some((number, code)) = name.split_once('.').filter(|(number, _)| *number != "id") else {
            continue;
        };
        let row = number.parse().ok().and_then(|number: usize| rows.get_mut(&number));
        let (Some(row), Some(position)) = (row, template.position(code)) else {
            return Err(PageError::Malformed);
        };
        row.cells.insert(position, value.replace("\r\n", "\n"));
    }
    Ok(rows.into_values().filter(|row| !row.is_nothing()).collect())
}

fn stored(value: &str) -> Option<(RegisterRowId, String)> {
    let (id, mark) = value.split_once(':')?;
    Some((id.parse().ok()?, mark.to_owned()))
}

/// The same as edits; an invalid text is reported under the name of its field.
pub(super) fn edits(
    template: Template,
    form: &mut Form,
    rows: &[Entered],
) -> Result<Vec<RowEdit>, app::Error> {
    let mut edits = Vec::new();
    for row in rows {
        let mut cells: Vec<CellChange> = Vec::new();
        for (position, text) in &row.cells {
            match sheets::cell(text) {
                Ok(text) => cells.push((*position, text)),
                Err(error) => form.complain(&field(template, row.number, *position), error),
            }
        }
        edits.push(RowEdit { row: row.row.clone(), cells });
    }
    form.finish(Some(edits))
}

/// The name of the field of a cell.
pub(super) fn field(template: Template, number: usize, position: usize) -> String {
    let code = template.columns().get(position).map(|column| column.code().to_string());
    format!("{number}.{}", code.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(pairs: &[(&str, &str)]) -> Form {
        Form::filled(pairs.iter().map(|(name, value)| (*name, (*value).to_owned())))
    }

    const ROW: &str = "row_01k9x14js0e00000000000000a:ab12";

    #[test]
    fn cells_belong_to_the_row_of_their_number() {
        let sent = form(&[
            ("id.0", ROW),
            ("0.c0010", "C-1"),
            ("0.c0050", "two\r\nlines"),
            ("id.1", NEW),
            ("1.c0010", ""),
            ("id.2", NEW),
            ("2.c0010", "C-3"),
            ("step", "save"),
        ]);
        let rows = entered(Template::Contracts, &sent).unwrap();
        assert_eq!(rows.len(), 2, "a new row without cells is none");
        assert_eq!(rows[0].row.as_ref().unwrap().1, "ab12");
        assert_eq!(rows[0].cells, [(0, "C-1".to_owned()), (4, "two\nlines".to_owned())].into());
        assert_eq!((rows[1].number, &rows[1].row), (2, &None));
    }

    #[test]
    fn what_no_page_of_ours_sends_is_refused() {
        for wrong in [
            &[("id.x", NEW)][..],
            &[("id.0", "row_x:ab")],
            &[("id.0", NEW), ("0.c9999", "x")],
            &[("0.c0010", "x")],
        ] {
            assert_eq!(entered(Template::Contracts, &form(wrong)), Err(PageError::Malformed), "{wrong:?}");
        }
    }

    #[test]
    fn a_text_no_cell_takes_is_complained_about_at_its_field() {
        let mut sent = form(&[("id.0", NEW), ("0.c0010", "a\u{1}b")]);
        let rows = entered(Template::Contracts, &sent).unwrap();
        assert!(edits(Template::Contracts, &mut sent, &rows).is_err());
        assert_eq!(sent.complaints("0.c0010").len(), 1);
    }
}
