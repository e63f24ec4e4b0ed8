//! Keys: filled, unique in their template, and present where another template refers to them.

use std::collections::HashSet;

use super::{
    report::{Report, RowCell, Severity},
    sentences::{CheckMessage, CheckRemedy},
};
use crate::register::{
    Quoted, Template,
    columns::{chain, users},
    release::{CellType, Column, Reference, Release},
    sheets::{SheetRow, Sheets},
};

pub(super) fn check(sheets: &Sheets, release: &Release, report: &mut Report) {
    for template in Template::ALL {
        let keys: Vec<_> = (0..).zip(template.columns()).filter(|(_, column)| column.key).collect();
        empty(template, &keys, sheets, release, report);
        if !keys.is_empty() {
            twice(template, &keys.iter().map(|(position, _)| *position).collect::<Vec<_>>(), sheets, report);
        }
    }
    for reference in &release.references {
        targets(reference, sheets, report);
    }
}

fn empty(
    template: Template,
    keys: &[(usize, &Column)],
    sheets: &Sheets,
    release: &Release,
    report: &mut Report,
) {
    for row in sheets.rows(template) {
        report.step(keys.len());
        for (position, column) in keys.iter().filter(|(position, _)| row.cell(*position).is_empty()) {
            report.add("805", Severity::Refused, RowCell::cell(template, row, *position), || {
                let remedy = match stand_in(template, column, release) {
                    Some(word) => CheckRemedy::FillKeyOr { word },
                    // The ITS says to leave the recipient of rank 1 empty, but the column is part of the key.
                    None if chain::RECIPIENT.is(template, column) => CheckRemedy::FillKeyWithOwn,
                    None => CheckRemedy::FillKey,
                };
                (CheckMessage::EmptyKey { title: Quoted(column.label()) }, remedy)
            });
        }
    }
}

/// The value of a key cell that does not apply.
fn stand_in(template: Template, column: &Column, release: &Release) -> Option<String> {
    let conventions = &release.package.conventions;
    match column.cell {
        CellType::Code(list) if list.has(&conventions.no_country) => Some(conventions.no_country.clone()),
        CellType::Text if users::BRANCH.is(template, column) => Some(conventions.no_branch.clone()),
        _ => None,
    }
}

fn twice(template: Template, keys: &[usize], sheets: &Sheets, report: &mut Report) {
    let rows = sheets.rows(template);
    let mut known: HashSet<Vec<&str>> = HashSet::with_capacity(rows.len());
    for row in rows {
        report.step(keys.len());
        let key: Vec<_> = keys.iter().map(|position| row.cell(*position)).collect();
        // An incomplete key was already reported.
        if key.iter().any(|cell| cell.is_empty()) {
            continue;
        }
        let written = || Quoted(key.join(" / "));
        if known.contains(&key) {
            let place = RowCell { template, row, position: keys.first().copied() };
            report.add("806", Severity::Refused, place, || {
                (CheckMessage::KeyTwice { key: written() }, CheckRemedy::RemoveRow)
            });
        } else {
            known.insert(key);
        }
    }
}

/// The cells of a row that form a reference; `None` if one of them is empty.
fn key_of<'r>(row: &'r SheetRow, positions: &[usize]) -> Option<(&'r str, &'r str)> {
    let mut cells = positions.iter().map(|position| row.cell(*position));
    let (first, second) = (cells.next()?, cells.next());
    let filled = !first.is_empty() && second.is_none_or(|second| !second.is_empty());
    filled.then_some((first, second.unwrap_or_default()))
}

fn targets(reference: &Reference, sheets: &Sheets, report: &mut Report) {
    let rows = sheets.rows(reference.target);
    report.step(rows.len());
    let known: HashSet<_> = rows.iter().filter_map(|row| key_of(row, &reference.target_columns)).collect();
    for row in sheets.rows(reference.template) {
        report.step(1);
        let Some(key) = key_of(row, &reference.columns).filter(|key| !known.contains(key)) else {
            continue;
        };
        // The last part is the one that is wrong more often: the function, not the entity.
        let place =
            RowCell { template: reference.template, row, position: reference.columns.last().copied() };
        report.add("807", Severity::Refused, place, || {
            let columns = reference.target.columns();
            let named = reference.target_columns.iter().filter_map(|at| columns.get(*at));
            let key = if key.1.is_empty() { key.0.to_owned() } else { format!("{} / {}", key.0, key.1) };
            let message = CheckMessage::NoTarget {
                reference: reference.id,
                key: Quoted(key),
                target: reference.target,
                columns: named.map(Column::code).collect(),
            };
            (message, CheckRemedy::AddTarget { target: reference.target })
        });
    }
}
