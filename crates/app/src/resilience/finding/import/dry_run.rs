//! What an import would do, line by line, without doing it.

use domain::{finding::Finding, id::FindingId, import::Candidate, vocabulary::Severity};
use store::finding::FindingRow;

use super::{FindingImportReport, run::Verdict};
use crate::{change_log::difference, records::RecordKind as _};

/// The maximum number of lines in the preview; the counts include the others.
const MOST_LINES: usize = 200;

/// The effect on one result of the file, or on a finding that the file no longer contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingImportLine {
    /// The line number, in a file that has lines.
    pub line: Option<u64>,
    pub title: String,
    pub severity: Severity,
    /// The existing finding.
    pub finding: Option<FindingId>,
    pub outcome: FindingLineOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FindingLineOutcome {
    Added,
    /// The names of the fields that would change.
    Changed(Vec<String>),
    /// It was closed before and is reported again.
    Reopened,
    /// No longer in the file.
    Closed,
    /// No longer in the file, but only a second person closes it.
    LeftOpen,
    Unchanged,
}

impl FindingImportReport {
    /// The number of lines that are not shown.
    pub fn more_lines(&self) -> u64 {
        (self.results + self.closed + self.left_open).saturating_sub(self.lines.len() as u64)
    }

    pub(super) fn tell_line(&mut self, candidate: &Candidate, verdict: &Verdict) {
        if self.lines.len() >= MOST_LINES {
            return;
        }
        let (finding, outcome) = match verdict {
            Verdict::New => (None, FindingLineOutcome::Added),
            Verdict::Named { before, after: None } => (Some(before.id), FindingLineOutcome::Unchanged),
            Verdict::Known(origin) => (Some(origin.finding), FindingLineOutcome::Unchanged),
            Verdict::Changed { before, after, .. } if before.record.status != after.status => {
                (Some(before.id), FindingLineOutcome::Reopened)
            }
            Verdict::Named { before, after: Some(after) } | Verdict::Changed { before, after, .. } => {
                (Some(before.id), FindingLineOutcome::Changed(changed_fields(before, after)))
            }
        };
        self.lines.push(FindingImportLine {
            line: candidate.line,
            title: candidate.finding.title.to_string(),
            severity: candidate.finding.severity,
            finding,
            outcome,
        });
    }

    /// Counts a finding that the file no longer contains.
    pub(super) fn tell_gone(&mut self, row: &FindingRow, waits: bool) {
        let (count, outcome) = if waits {
            (&mut self.left_open, FindingLineOutcome::LeftOpen)
        } else {
            (&mut self.closed, FindingLineOutcome::Closed)
        };
        *count += 1;
        if self.lines.len() < MOST_LINES {
            self.lines.push(FindingImportLine {
                line: None,
                title: row.record.title.to_string(),
                severity: row.record.severity,
                finding: Some(row.id),
                outcome,
            });
        }
    }
}

fn changed_fields(before: &FindingRow, after: &Finding) -> Vec<String> {
    let changed = difference(&before.record.fields(), &after.fields());
    changed.as_object().into_iter().flat_map(|fields| fields.keys().cloned()).collect()
}
