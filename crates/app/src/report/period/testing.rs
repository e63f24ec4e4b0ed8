//! The testing programme: tests by status, what was carried out, and which critical functions are covered.

use std::collections::BTreeMap;

use domain::{
    coverage::FunctionCoverage, format, rounding::Hundredths, test_case::TestCaseStatus, tone::Tone,
    wording::Label,
};
use reports::document::{Align, BarChart, Cell, Column, Section, Table};

use super::{
    Paper,
    figures::{Compared, TestNote},
    words,
};
use crate::{coverage::TestCoverage, report::words::word};

const LEAD: Label = word(
    "On {day}, {covered} of {functions} critical {functions|function|functions} {covered|has|have} a passed test of the last twelve months; {overdue} {overdue|test is|tests are} overdue.",
    "Am {day} {covered|hat|haben} {covered} von {functions} kritischen {functions|Funktion|Funktionen} einen bestandenen Test aus den letzten zwölf Monaten; {overdue} {overdue|Test ist|Tests sind} überfällig.",
);
const NONE: Label = word("No test is recorded on {day}.", "Am {day} ist kein Test erfasst.");
const BY_STATUS: Label = word("Tests by status", "Tests nach Status");
const OVERDUE: Label = word("Overdue", "Überfällig");
pub(super) const DONE: Label = word("Tests with a result", "Tests mit Ergebnis");
const COVERAGE: Label = word("Coverage of critical functions", "Abdeckung kritischer Funktionen");
const COVERED: Label = word("With a passed test in twelve months", "Mit bestandenem Test in zwölf Monaten");
const UNCOVERED: Label = word("Without", "Ohne");
const FUNCTION: Label = word("Function", "Funktion");
const LAST: Label = word("Last passed", "Zuletzt bestanden");
const COVERED_UNTIL: Label = word("Covered until", "Abgedeckt bis");
const TLPT: Label = word("Next TLPT", "Nächster TLPT");
const NO_FUNCTION: Label =
    word("No critical function is recorded.", "Es ist keine kritische Funktion erfasst.");
const SHARE: Label = word("Critical functions", "Kritische Funktionen");
const PROGRAMMES: Label = word("Programmes", "Programme");
const PROGRAMME: Label = word("Programme", "Programm");
const TESTS: Label = word("Tests", "Tests");
const NOTE: Label = word(
    "A test covers only the functions that it names (DORA Art. 24(6)).",
    "Ein Test deckt nur die Funktionen ab, die er nennt (Art. 24 Abs. 6 DORA).",
);

impl Paper<'_> {
    pub(super) fn testing(&self, section: Section) -> Section {
        let tests = &self.figures.tests;
        let (until, before) = (self.figures.period.until, self.figures.before.until);
        let day = self.day(until);
        let overdue = Compared {
            now: tests.now.iter().filter(|one| is_overdue(one, until)).count() as u64,
            before: tests.before.iter().filter(|one| is_overdue(one, before)).count() as u64,
        };
        let coverage = &self.figures.coverage;
        if tests.now.is_empty() && tests.before.is_empty() && coverage.now.coverage.functions.is_empty() {
            return section.lead(self.fill(NONE, &[("day", &day)]));
        }
        let (functions, covered) = (coverage.map(functions), coverage.map(covered));
        let [n, m, k] = [covered.now, functions.now, overdue.now].map(|number| self.count(number));
        let values = [
            ("day", day.as_str()),
            ("covered", n.as_str()),
            ("functions", m.as_str()),
            ("overdue", k.as_str()),
        ];
        let mut rows = self.test_states();
        rows.push((self.t(OVERDUE).to_owned(), overdue));
        let section = section.lead(self.fill(LEAD, &values)).heading(self.t(COVERAGE)).table(self.of_days(
            SHARE,
            &[
                (self.t(COVERED).to_owned(), covered),
                (self.t(UNCOVERED).to_owned(), uncovered(functions, covered)),
                (self.t(words::TOTAL).to_owned(), functions),
            ],
        ));
        let section = self
            .functions(section)
            .heading(self.t(BY_STATUS))
            .table(self.of_days(words::STATUS, &rows))
            .heading(self.t(DONE))
            .table(self.of_periods(words::STATUS, &self.results()));
        let section = if self.is_deep() { self.programmes(section) } else { section };
        section.note(format!("{} {}", self.t(NOTE), self.holds()))
    }

    fn test_states(&self) -> Vec<(String, Compared<u64>)> {
        let of = |status: TestCaseStatus| {
            self.figures.tests.map(|all| all.iter().filter(|one| one.status == status).count() as u64)
        };
        TestCaseStatus::ALL.iter().map(|one| (self.t(one.label()).to_owned(), of(*one))).collect()
    }

    /// The tests whose latest result is of the period.
    pub(super) fn results(&self) -> Vec<(String, Compared<u64>)> {
        let of = |status: TestCaseStatus| {
            let tests = self.figures.tests.now.iter().filter(|one| one.status == status);
            let moments: Vec<_> = tests.filter_map(|one| one.executed_at).collect();
            self.figures.within(moments.into_iter())
        };
        let both = [TestCaseStatus::Passed, TestCaseStatus::Failed];
        both.map(|status| (self.t(status.label()).to_owned(), of(status))).into()
    }

    fn functions(&self, section: Section) -> Section {
        let coverage = &self.figures.coverage.now.coverage;
        if coverage.functions.is_empty() {
            return section.paragraph(self.t(NO_FUNCTION));
        }
        let mut all: Vec<&FunctionCoverage> = coverage.functions.iter().collect();
        all.sort_by_key(|one| (!one.untested, one.covered_until, one.name.clone()));
        let columns = [
            Column::share(self.t(FUNCTION), 1).row_header(),
            Column::points(self.t(LAST), 92),
            Column::points(self.t(COVERED_UNTIL), 92),
            Column::points(self.t(TLPT), 92),
        ];
        let table = all.iter().take(self.most()).fold(Table::new(columns), |table, one| {
            let until = self.ctx.day(one.covered_until);
            let tone = if one.untested { Tone::Critical } else { Tone::Good };
            table.row([
                Cell::from(one.name.clone()),
                Cell::from(self.ctx.day(one.last_passed_on)),
                Cell::badge(tone, until),
                Cell::from(self.ctx.day(one.tlpt.due_on)),
            ])
        });
        let chart = self.coverage_chart();
        self.and_more(section.chart(chart).table(table), all.len(), self.most())
    }

    fn coverage_chart(&self) -> BarChart {
        let (all, with) = (functions(&self.figures.coverage.now), covered(&self.figures.coverage.now));
        let bars = [(COVERED, with, Tone::Good), (UNCOVERED, all - with, Tone::Critical)];
        let chart = BarChart::new(self.t(COVERAGE)).full_scale(100.0);
        bars.into_iter().fold(chart, |chart, (name, count, tone)| {
            let share = Hundredths::percent(count, all.max(1));
            #[expect(clippy::cast_precision_loss, reason = "at most 10,000 hundredths")]
            chart.bar(
                self.t(name),
                share.get() as f64 / 100.0,
                format::percent(self.ctx.language, share),
                tone,
            )
        })
    }

    fn programmes(&self, section: Section) -> Section {
        let mut counts: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
        for test in &self.figures.tests.now {
            let row = counts.entry(&test.programme).or_default();
            row[0] += 1;
            row[1] += u64::from(test.status == TestCaseStatus::Passed);
            row[2] += u64::from(test.status == TestCaseStatus::Failed);
        }
        let figure = |label| Column::points(self.t(label), 76).align(Align::End);
        let columns = [
            Column::share(self.t(PROGRAMME), 1).row_header(),
            Column::points(self.t(words::STATUS), 84),
            figure(TESTS),
            figure(TestCaseStatus::Passed.label()),
            figure(TestCaseStatus::Failed.label()),
        ];
        let programmes = &self.figures.programmes;
        let table = programmes.iter().take(self.most()).fold(Table::new(columns), |table, one| {
            let counts = counts.get(one.id.as_str()).copied().unwrap_or_default();
            let cells = [one.name.clone(), self.t(one.label).to_owned()].into_iter();
            table.row(cells.chain(counts.map(|count| self.count(count))).map(Cell::from))
        });
        self.and_more(section.heading(self.t(PROGRAMMES)).table(table), programmes.len(), self.most())
    }
}

fn is_overdue(test: &TestNote, day: domain::moment::Day) -> bool {
    test.status.is_pending() && test.due_on.is_some_and(|due| due < day)
}

fn functions(coverage: &TestCoverage) -> u64 {
    coverage.coverage.functions.len() as u64
}

fn covered(coverage: &TestCoverage) -> u64 {
    functions(coverage) - coverage.coverage.untested().count() as u64
}

fn uncovered(functions: Compared<u64>, covered: Compared<u64>) -> Compared<u64> {
    Compared { now: functions.now - covered.now, before: functions.before - covered.before }
}
