//! The differences between two registers, row by row: rows are the same if their key columns are equal.
//!
//! Every row is visited once, and only the requested part is formatted.

use std::{
    collections::{BTreeMap, HashMap},
    convert::Infallible,
};

use crate::{
    register::{
        Template,
        release::ColumnCode,
        sheets::{SheetRow, Sheets},
    },
    vocabulary::vocabulary,
};

vocabulary! {
    /// The kind of difference of a row.
    RowChangeKind {
        Added = "added" ("Added", "Hinzugekommen"),
        Gone = "gone" ("Gone", "Weggefallen"),
        Changed = "changed" ("Changed", "Geändert"),
    }
}

/// A cell before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellDifference {
    pub column: ColumnCode,
    pub before: String,
    pub after: String,
}

/// A row that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowDifference {
    pub template: Template,
    pub kind: RowChangeKind,
    /// The key of the row; empty for a template without key columns.
    pub key: Vec<(ColumnCode, String)>,
    /// The cells that differ.
    pub cells: Vec<CellDifference>,
}

/// How many rows of a template differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DifferenceCounts {
    pub added: u64,
    pub gone: u64,
    pub changed: u64,
}

impl DifferenceCounts {
    fn of(&mut self, kind: RowChangeKind) -> &mut u64 {
        match kind {
            RowChangeKind::Added => &mut self.added,
            RowChangeKind::Gone => &mut self.gone,
            RowChangeKind::Changed => &mut self.changed,
        }
    }
}

/// The requested part of the differences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DifferencePart {
    pub template: Option<Template>,
    pub kind: Option<RowChangeKind>,
    pub offset: u64,
    pub limit: usize,
}

/// The differences of two registers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    pub counts: BTreeMap<Template, DifferenceCounts>,
    /// The part that was asked for.
    pub rows: Vec<RowDifference>,
    /// The number of rows that match the request.
    pub matching: u64,
}

impl Difference {
    pub fn of(before: &Sheets, after: &Sheets, part: DifferencePart) -> Self {
        let mut difference = Self::default();
        let noted = each_pair(before, after, |pair| {
            difference.note(pair, part);
            Ok::<_, Infallible>(())
        });
        match noted {
            Ok(()) => difference,
        }
    }

    fn note(&mut self, pair: Pair<'_>, part: DifferencePart) {
        *self.counts.entry(pair.template).or_default().of(pair.kind) += 1;
        if !part.takes(pair) {
            return;
        }
        self.matching += 1;
        if self.matching > part.offset && self.rows.len() < part.limit {
            self.rows.push(described(pair));
        }
    }
}

impl DifferencePart {
    fn takes(&self, pair: Pair<'_>) -> bool {
        self.template.is_none_or(|wanted| wanted == pair.template)
            && self.kind.is_none_or(|wanted| wanted == pair.kind)
    }
}

/// Calls `each` for every matching difference, so that a long list needs no memory of its own. Offset and limit are
/// ignored.
pub fn each_difference<E>(
    before: &Sheets,
    after: &Sheets,
    part: DifferencePart,
    mut take: impl FnMut(RowDifference) -> Result<(), E>,
) -> Result<(), E> {
    each_pair(before, after, |pair| if part.takes(pair) { take(described(pair)) } else { Ok(()) })
}

/// A row before and after, which differ.
#[derive(Clone, Copy)]
struct Pair<'r> {
    template: Template,
    kind: RowChangeKind,
    before: Option<&'r SheetRow>,
    after: Option<&'r SheetRow>,
}

fn each_pair<E>(
    before: &Sheets,
    after: &Sheets,
    mut take: impl FnMut(Pair<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for template in Template::ALL {
        let mut later: HashMap<_, _> = keyed(template, after.rows(template)).collect();
        for (key, row) in keyed(template, before.rows(template)) {
            let pair = Pair { template, kind: RowChangeKind::Gone, before: Some(row), after: None };
            match later.remove(&key) {
                None => take(pair)?,
                Some(other) if other.cells == row.cells => {}
                Some(other) => take(Pair { kind: RowChangeKind::Changed, after: Some(other), ..pair })?,
            }
        }
        for (key, row) in keyed(template, after.rows(template)) {
            if later.contains_key(&key) {
                take(Pair { template, kind: RowChangeKind::Added, before: None, after: Some(row) })?;
            }
        }
    }
    Ok(())
}

fn described(Pair { template, kind, before, after }: Pair<'_>) -> RowDifference {
    let text = |row: Option<&SheetRow>, position| row.map_or("", |row| row.cell(position)).to_owned();
    let columns = || template.columns().iter().enumerate();
    let key = columns()
        .filter(|(_, column)| column.key)
        .map(|(position, column)| (column.code(), text(after.or(before), position)));
    let cells = columns().map(|(position, column)| CellDifference {
        column: column.code(),
        before: text(before, position),
        after: text(after, position),
    });
    let cells = cells.filter(|cell| cell.before != cell.after);
    RowDifference { template, kind, key: key.collect(), cells: cells.collect() }
}

/// The key cells of a row, and its number among the rows with the same key.
type Key<'r> = (Vec<&'r str>, usize);

fn keyed(template: Template, rows: &[SheetRow]) -> impl Iterator<Item = (Key<'_>, &SheetRow)> {
    let mut seen: HashMap<Vec<&str>, usize> = HashMap::new();
    rows.iter().map(move |row| {
        let cells = key_of(template, row);
        let times = seen.entry(cells.clone()).or_insert(0);
        *times += 1;
        ((cells, *times), row)
    })
}

/// The key cells of a row.
pub fn key_of(template: Template, row: &SheetRow) -> Vec<&str> {
    let cells = row.cells.iter().zip(template.columns());
    cells.filter(|(_, column)| column.key).map(|(cell, _)| &**cell).collect()
}

/// The rows of a template by their key; of rows with the same one the first.
pub fn rows_by_key(template: Template, within: &Sheets) -> HashMap<Vec<&str>, &SheetRow> {
    let mut rows = HashMap::new();
    for row in within.rows(template) {
        rows.entry(key_of(template, row)).or_insert(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract(name: &str, cost: &str) -> SheetRow {
        let mut row = SheetRow::new("1", Template::Contracts);
        row.cells[0] = name.into();
        row.cells[4] = cost.into();
        row
    }

    fn register(rows: &[(&str, &str)]) -> Sheets {
        let mut sheets = Sheets::default();
        for (name, cost) in rows {
            sheets.push(Template::Contracts, contract(name, cost));
        }
        sheets
    }

    const ALL: DifferencePart = DifferencePart { template: None, kind: None, offset: 0, limit: 100 };

    #[test]
    fn rows_are_the_same_by_their_key() {
        let before = register(&[("A", "1"), ("B", "2"), ("C", "3")]);
        let after = register(&[("C", "3"), ("A", "9"), ("D", "4")]);
        let difference = Difference::of(&before, &after, ALL);
        let counts = DifferenceCounts { added: 1, gone: 1, changed: 1 };
        assert_eq!(difference.counts, BTreeMap::from([(Template::Contracts, counts)]));
        let kinds: Vec<_> = difference.rows.iter().map(|row| (row.kind, row.key[0].1.as_str())).collect();
        assert_eq!(
            kinds,
            [(RowChangeKind::Changed, "A"), (RowChangeKind::Gone, "B"), (RowChangeKind::Added, "D")]
        );
        let cells = &difference.rows[0].cells;
        assert_eq!((cells.len(), cells[0].before.as_str(), cells[0].after.as_str()), (1, "1", "9"));
        assert_eq!(Difference::of(&before, &before, ALL), Difference::default());
    }

    #[test]
    fn repeated_keys_are_paired_in_their_order() {
        let before = register(&[("A", "1"), ("A", "2")]);
        let after = register(&[("A", "1"), ("A", "2"), ("A", "3")]);
        let difference = Difference::of(&before, &after, ALL);
        assert_eq!(difference.matching, 1);
        assert_eq!(difference.rows[0].kind, RowChangeKind::Added);
    }

    #[test]
    fn only_the_wanted_part_is_put_into_words() {
        let after = register(&[("A", "1"), ("B", "2"), ("C", "3")]);
        let part = DifferencePart { offset: 1, limit: 1, ..ALL };
        let difference = Difference::of(&Sheets::default(), &after, part);
        assert_eq!((difference.matching, difference.rows.len()), (3, 1));
        assert_eq!(difference.rows[0].key[0].1, "B");
        let none = DifferencePart { kind: Some(RowChangeKind::Gone), ..ALL };
        assert_eq!(Difference::of(&Sheets::default(), &after, none).matching, 0);
        let mut names = Vec::new();
        let each = each_difference(&Sheets::default(), &after, part, |row| {
            names.push(row.key[0].1.clone());
            if names.len() == 2 { Err("enough") } else { Ok(()) }
        });
        assert_eq!((each, names.as_slice()), (Err("enough"), &["A".to_owned(), "B".to_owned()][..]));
    }
}
