//! Findings by severity and age, and what was opened and closed in the period.

use domain::{finding::Finding, vocabulary::Severity, wording::Label};
use reports::document::{Align, BarChart, Cell, Column, Section, Table};

use super::{
    Paper,
    figures::{Compared, FindingNote},
    words,
};
use crate::{dashboard::AGE_DAYS, report::words::word};

const LEAD: Label = word(
    "On {day}, {open} {open|finding is|findings are} open, of which {overdue} {overdue|is|are} overdue.",
    "Am {day} {open|ist|sind} {open} {open|Feststellung|Feststellungen} offen, davon {overdue} überfällig.",
);
const NONE: Label = word("No finding is open on {day}.", "Am {day} ist keine Feststellung offen.");
const OPEN: Label = word("Open findings", "Offene Feststellungen");
const OVERDUE: Label = word("Overdue", "Überfällig");
const IN_PERIOD: Label = word("Opened and closed", "Geöffnet und geschlossen");
const MADE: Label = word("Recorded", "Erfasst");
const CLOSED: Label = word("Closed", "Geschlossen");
const AGES: Label = word("Open findings by age in days", "Offene Feststellungen nach Alter in Tagen");
const UP_TO: Label = word("up to {days}", "bis {days}");
const BETWEEN: Label = word("{from} to {days}", "{from} bis {days}");
const OLDER: Label = word("more than {days}", "mehr als {days}");
const CHART: Label = word("Open findings by severity", "Offene Feststellungen nach Schweregrad");
const GRAVEST: Label = word(
    "The most severe open findings, longest due first",
    "Die schwersten offenen Feststellungen, die am längsten fälligen zuerst",
);
const FINDING: Label = word("Finding", "Feststellung");
const AGE_NOTE: Label = word(
    "Age is counted from the day on which a finding was recorded. Archived findings are left out.",
    "Das Alter zählt ab dem Tag, an dem eine Feststellung erfasst wurde. Archivierte Feststellungen fehlen.",
);

impl Paper<'_> {
    pub(super) fn findings(&self, section: Section) -> Section {
        let (findings, until, before) =
            (&self.figures.findings, self.figures.period.until, self.figures.before.until);
        let day = self.day(until);
        let open = findings.map(|all| all.iter().filter(|one| one.status.is_open()).count() as u64);
        let overdue = Compared {
            now: findings.now.iter().filter(|one| one.is_overdue(until)).count() as u64,
            before: findings.before.iter().filter(|one| one.is_overdue(before)).count() as u64,
        };
        let section = if open.now == 0 {
            section.lead(self.fill(NONE, &[("day", &day)]))
        } else {
            let (open, overdue) = (self.count(open.now), self.count(overdue.now));
            section.lead(self.fill(LEAD, &[("day", &day), ("open", &open), ("overdue", &overdue)]))
        };
        if findings.now.is_empty() && findings.before.is_empty() {
            return section.note(self.holds());
        }
        let mut rows = self.severities();
        rows.extend([(self.t(words::TOTAL).to_owned(), open), (self.t(OVERDUE).to_owned(), overdue)]);
        let made = self.figures.within(findings.now.iter().map(|one| one.created_at));
        let closed = self.figures.within(findings.now.iter().filter_map(|one| one.closed_at));
        let moved = [(self.t(MADE).to_owned(), made), (self.t(CLOSED).to_owned(), closed)];
        let section = section
            .table(self.of_days(Finding::SEVERITY.label, &rows))
            .chart(self.severity_chart())
            .heading(self.t(IN_PERIOD))
            .table(self.of_periods(OPEN, &moved));
        let section = if open.now == 0 {
            section
        } else {
            let all = self.figures.findings.now.iter().filter(|one| one.status.is_open()).collect();
            self.most_severe(section.heading(self.t(AGES)).table(self.ages()), GRAVEST, all)
        };
        section.note(format!("{} {}", self.t(AGE_NOTE), self.holds()))
    }

    fn severities(&self) -> Vec<(String, Compared<u64>)> {
        let of = |severity: Severity| {
            self.figures.findings.map(|all| {
                all.iter().filter(|one| one.status.is_open() && one.severity == severity).count() as u64
            })
        };
        Severity::ALL.iter().map(|one| (self.t(one.label()).to_owned(), of(*one))).collect()
    }

    fn severity_chart(&self) -> BarChart {
        let bars = self.severities().into_iter().zip(Severity::ALL);
        bars.fold(BarChart::new(self.t(CHART)), |chart, ((name, figure), severity)| {
            #[expect(clippy::cast_precision_loss, reason = "a number of records")]
            chart.bar(name, figure.now as f64, self.count(figure.now), severity.tone())
        })
    }

    /// The open findings of each severity, from the youngest to the oldest.
    fn ages(&self) -> Table {
        let [first, second, third] = AGE_DAYS.map(|days| days.to_string());
        let after = |days: i64| (days + 1).to_string();
        let heads = [
            self.fill(UP_TO, &[("days", &first)]),
            self.fill(BETWEEN, &[("from", &after(AGE_DAYS[0])), ("days", &second)]),
            self.fill(BETWEEN, &[("from", &after(AGE_DAYS[1])), ("days", &third)]),
            self.fill(OLDER, &[("days", &third)]),
        ];
        let mut columns = vec![Column::share(self.t(Finding::SEVERITY.label), 1).row_header()];
        columns.extend(heads.map(|head| Column::points(head, 86).align(Align::End)));
        Severity::ALL.iter().fold(Table::new(columns), |table, severity| {
            let mut groups = [0_u64; 4];
            let open = self.figures.findings.now.iter();
            for one in open.filter(|one| one.status.is_open() && one.severity == *severity) {
                let age = self.figures.day_of(one.created_at).days_until(self.figures.period.until);
                groups[AGE_DAYS.iter().filter(|days| age > **days).count()] += 1;
            }
            let cells = groups.map(|count| Cell::from(self.count(count)));
            table.row([Cell::from(self.t(severity.label()))].into_iter().chain(cells))
        })
    }

    pub(super) fn most_severe(&self, section: Section, title: Label, mut open: Vec<&FindingNote>) -> Section {
        open.sort_by_key(|one| (one.severity, one.due_on.is_none(), one.due_on, one.name.clone()));
        let columns = [
            Column::share(self.t(FINDING), 3).row_header(),
            Column::points(self.t(Finding::SEVERITY.label), 74),
            Column::points(self.t(words::STATUS), 84),
            Column::points(self.t(words::DUE), 76),
            Column::points(self.t(words::OWNER), 84),
        ];
        let table = open.iter().take(self.most()).fold(Table::new(columns), |table, one| {
            let cells = [
                one.name.clone(),
                self.t(one.severity.label()).to_owned(),
                self.t(one.status.label()).to_owned(),
                self.ctx.day(one.due_on),
                one.owner.clone(),
            ];
            table.row(cells.map(Cell::from))
        });
        self.and_more(section.heading(self.t(title)).table(table), open.len(), self.most())
    }
}
