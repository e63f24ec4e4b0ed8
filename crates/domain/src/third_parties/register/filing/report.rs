//! The results of the checks: all are counted, only the requested ones are kept.

use std::collections::{BTreeMap, HashSet};

use super::sentences::{CheckMessage, CheckRemedy};
use crate::{
    register::{
        Template,
        columns::ColumnId,
        release::{Column, ColumnCode},
        sheets::SheetRow,
    },
    vocabulary::vocabulary,
};

vocabulary! {
    /// The consequence of a problem for a filing.
    Severity {
        Refused = "refused" ("Would be refused", "Würde abgewiesen"),
        Noted = "noted" ("Accepted with a remark", "Angenommen mit Vermerk"),
        Advice = "advice" ("Advice", "Hinweis"),
    }
}

/// One problem and its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The official id, or a word of our own for advice.
    pub rule: &'static str,
    pub severity: Severity,
    /// `None` if it concerns the whole report.
    pub template: Option<Template>,
    /// The name of the row.
    pub row: Option<Box<str>>,
    pub column: Option<ColumnCode>,
    pub message: CheckMessage,
    pub remedy: CheckRemedy,
    pub value: Option<String>,
}

/// The requested problems.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProblemFilter {
    pub template: Option<Template>,
    pub severity: Option<Severity>,
    /// Only problems of these rows.
    pub rows: Option<HashSet<Box<str>>>,
    pub offset: u64,
    pub limit: usize,
}

impl ProblemFilter {
    /// The first ones of all.
    pub fn first(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Only counts.
    pub fn counts() -> Self {
        Self::default()
    }

    fn takes(&self, severity: Severity, template: Option<Template>, row: Option<&str>) -> bool {
        self.template.is_none_or(|wanted| template == Some(wanted))
            && self.severity.is_none_or(|wanted| severity == wanted)
            && self.rows.as_ref().is_none_or(|rows| row.is_some_and(|row| rows.contains(row)))
    }
}

/// How many problems there are of each severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub refused: u64,
    pub noted: u64,
    pub advice: u64,
}

impl Counts {
    fn of(&mut self, severity: Severity) -> &mut u64 {
        match severity {
            Severity::Refused => &mut self.refused,
            Severity::Noted => &mut self.noted,
            Severity::Advice => &mut self.advice,
        }
    }

    pub fn total(self) -> u64 {
        self.refused + self.noted + self.advice
    }
}

/// Collects problems in the order of the receiving system.
#[derive(Debug, Default)]
pub struct Report {
    wanted: ProblemFilter,
    found: Vec<Check>,
    matching: u64,
    counts: Counts,
    by_template: BTreeMap<Template, Counts>,
    /// Rows with a rejecting problem; a row counts once.
    refused_rows: HashSet<(Template, Box<str>)>,
    /// Arrangements that stand in no template yet.
    waiting: usize,
    steps: u64,
}

/// A location in the register: a row of a template, and optionally one of its cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowCell<'r> {
    pub(super) template: Template,
    pub(super) row: &'r SheetRow,
    pub(super) position: Option<usize>,
}

impl<'r> RowCell<'r> {
    pub(super) fn cell(template: Template, row: &'r SheetRow, position: usize) -> Self {
        Self { template, row, position: Some(position) }
    }

    pub(super) fn of(column: ColumnId, row: &'r SheetRow) -> Self {
        Self { template: column.template, row, position: column.position() }
    }

    fn column(&self) -> Option<&'static Column> {
        self.position.and_then(|position| self.template.columns().get(position))
    }
}

impl Report {
    pub fn new(wanted: ProblemFilter) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Reports a problem of a row; its text is only formatted if it is requested.
    pub(super) fn add(
        &mut self,
        rule: &'static str,
        severity: Severity,
        place: RowCell<'_>,
        words: impl FnOnce() -> (CheckMessage, CheckRemedy),
    ) {
        if severity == Severity::Refused {
            self.refused_rows.insert((place.template, place.row.name.clone()));
        }
        if !self.counted(severity, Some(place.template), Some(&place.row.name)) {
            return;
        }
        let (message, remedy) = words();
        let value = place.position.map(|position| place.row.cell(position)).filter(|value| !value.is_empty());
        self.found.push(Check {
            rule,
            severity,
            template: Some(place.template),
            row: Some(place.row.name.clone()),
            column: place.column().map(Column::code),
            message,
            remedy,
            value: value.map(str::to_owned),
        });
    }

    /// Reports a problem of the whole report or of a whole template.
    pub fn add_whole(
        &mut self,
        rule: &'static str,
        severity: Severity,
        template: Option<Template>,
        (message, remedy): (CheckMessage, CheckRemedy),
    ) {
        if self.counted(severity, template, None) {
            let check =
                Check { rule, severity, template, row: None, column: None, message, remedy, value: None };
            self.found.push(check);
        }
    }

    /// Whether the problem is in the requested part of the list.
    fn counted(&mut self, severity: Severity, template: Option<Template>, row: Option<&str>) -> bool {
        *self.counts.of(severity) += 1;
        if let Some(template) = template {
            *self.by_template.entry(template).or_default().of(severity) += 1;
        }
        if !self.wanted.takes(severity, template, row) {
            return false;
        }
        self.matching += 1;
        self.matching > self.wanted.offset && self.found.len() < self.wanted.limit
    }

    /// Counts the work done, so that a test can measure its growth.
    pub(super) fn step(&mut self, steps: usize) {
        self.steps += steps as u64;
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The requested problems.
    pub fn checks(&self) -> &[Check] {
        &self.found
    }

    /// How many problems match the request, including those that are not kept.
    pub fn matching(&self) -> u64 {
        self.matching
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    pub fn counts_of(&self, template: Template) -> Counts {
        self.by_template.get(&template).copied().unwrap_or_default()
    }

    /// Notes arrangements that stand in no template: without their rows the register is not whole.
    pub fn wait_for(&mut self, arrangements: usize) {
        self.waiting += arrangements;
    }

    /// How many arrangements stand in no template.
    pub fn waiting(&self) -> u64 {
        self.waiting as u64
    }

    /// The share of rows that would be accepted, rounded down. An arrangement that stands in no template counts as a row
    /// that is not accepted: 100 only when nothing would be refused and nothing is missing.
    pub fn readiness(&self, rows: usize) -> u8 {
        if self.counts.refused == 0 && self.waiting == 0 {
            return 100;
        }
        let accepted = rows.saturating_sub(self.refused_rows.len());
        let share = accepted * 100 / (rows + self.waiting).max(1);
        u8::try_from(share.min(99)).unwrap_or(99)
    }
}
