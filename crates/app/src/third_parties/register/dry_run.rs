//! What an import would do, line by line, without doing it.

use domain::{arrangement::Arrangement, register::Placed};
use store::{Reader, TenantScope};

use super::{ImportReport, find};
use crate::{
    Result,
    arrangement::{ArrangementRow, difference},
};

/// The maximum number of lines in the preview; the counts include the others.
pub const MOST_LINES: usize = 200;

/// The effect on one arrangement of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportLine {
    /// Its line in the file, if it has one.
    pub line: Option<u32>,
    pub reference: String,
    pub provider: String,
    pub service: String,
    pub outcome: LineOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineOutcome {
    Added,
    /// The names of the fields that would change.
    Changed(Vec<String>),
    Unchanged,
}

pub(super) fn report(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    imported: &[Placed<Arrangement>],
) -> Result<ImportReport> {
    let mut report = ImportReport { dry_run: true, ..ImportReport::default() };
    for each in imported {
        let before = find(reader, scope, &each.record)?;
        let outcome = outcome(before.as_ref(), &each.record);
        report.arrangements += 1;
        *match outcome {
            LineOutcome::Added => &mut report.added,
            LineOutcome::Changed(_) => &mut report.changed,
            LineOutcome::Unchanged => &mut report.unchanged,
        } += 1;
        if report.lines.len() < MOST_LINES {
            report.lines.push(line(each, outcome));
        }
    }
    Ok(report)
}

fn line(placed: &Placed<Arrangement>, outcome: LineOutcome) -> ImportLine {
    let contract = &placed.record.contract;
    ImportLine {
        line: placed.row,
        reference: contract.reference.to_string(),
        provider: contract.provider.name.to_string(),
        service: contract.service.to_string(),
        outcome,
    }
}

fn outcome(before: Option<&ArrangementRow>, imported: &Arrangement) -> LineOutcome {
    match before {
        None => LineOutcome::Added,
        Some(before) if before.record == *imported => LineOutcome::Unchanged,
        Some(before) => LineOutcome::Changed(changed(before, imported)),
    }
}

fn changed(before: &ArrangementRow, imported: &Arrangement) -> Vec<String> {
    let changed = difference(&before.record, imported);
    changed.as_object().into_iter().flat_map(|fields| fields.keys().cloned()).collect()
}
