//! The parts that only a management review has: what became of the earlier one, controls and audits as figures, and what
//! the institution itself says. Nothing stands in for what is not recorded; a part without records says so.

use domain::{
    control::{ControlStatus, Effectiveness},
    evidence_request::EvidenceRequestStatus,
    period_report::ReportPart,
    tone::Tone,
    wording::Label,
};
use reports::document::{Align, BarChart, Cell, Column, Section, Table};

use super::{
    Paper,
    figures::{Compared, FindingNote},
    review_figures::{ControlNote, Earlier, ReviewFigures, TaskNote},
    testing::DONE,
    words,
};
use crate::report::words::word;

pub(super) const OWN: Label = word(
    "Statement of the institution, not computed from its records.",
    "Angabe des Instituts, nicht aus seinen Datensätzen berechnet.",
);
const NOTHING_STATED: Label =
    word("The institution has stated nothing on this.", "Das Institut hat hierzu nichts angegeben.");
const NO_EARLIER: Label = word(
    "No earlier management review is released.",
    "Es ist keine frühere Managementbewertung freigegeben.",
);
const EARLIER: Label = word(
    "The earlier review is version {version}, for {period}.",
    "Die frühere Bewertung ist Version {version} für {period}.",
);
const DECIDED: Label = word("What that review decided", "Was jene Bewertung beschlossen hat");
const NOTHING_DECIDED: Label =
    word("That review records no decision.", "Jene Bewertung hält keinen Beschluss fest.");
const FROM_THERE: Label = word(
    "Repeated from version {version} of the management review.",
    "Wiederholt aus Version {version} der Managementbewertung.",
);
const FOLLOWED: Label =
    word("What was open at the end of that period", "Was am Ende jenes Zeitraums offen war");
const FINDINGS: Label = word("Findings", "Feststellungen");
const TASKS: Label = word("Tasks", "Aufgaben");
const OPEN_ON: Label = word("Open on {day}", "Offen am {day}");
const NO_LONGER: Label = word("Of them no longer open on {day}", "Davon am {day} nicht mehr offen");
const STILL: Label = word("Of them still open on {day}", "Davon am {day} noch offen");
const STILL_OVERDUE: Label = word("Still open and overdue", "Noch offen und überfällig");
const STILL_FINDINGS: Label = word("Findings that are still open", "Noch offene Feststellungen");
const STILL_TASKS: Label = word("Tasks that are still open", "Noch offene Aufgaben");
const TASK: Label = word("Task", "Aufgabe");
const CONTROLS: Label = word(
    "Implemented controls on {day}: {controls}. Performances in this period: {performances}. Overdue controls: {overdue}.",
    "Umgesetzte Kontrollen am {day}: {controls}. Durchführungen in diesem Zeitraum: {performances}. Überfällige Kontrollen: {overdue}.",
);
const NO_CONTROL: Label = word("No control is recorded on {day}.", "Am {day} ist keine Kontrolle erfasst.");
const OVERDUE: Label = word("Overdue", "Überfällig");
const PERFORMED: Label = word("Performed controls", "Durchgeführte Kontrollen");
const PERFORMANCES: Label = word("Performances", "Durchführungen");
const AT_LEAST_ONCE: Label =
    word("Controls performed at least once", "Mindestens einmal durchgeführte Kontrollen");
const EFFECTIVENESS: Label =
    word("Effectiveness of implemented controls", "Wirksamkeit der umgesetzten Kontrollen");
const CONTROLS_NOTE: Label = word("Archived controls are left out.", "Archivierte Kontrollen fehlen.");
const REQUESTS: Label = word("Requests for evidence", "Nachweisanforderungen");
const REQUESTS_LEAD: Label = word(
    "Requests for evidence that are open on {day}: {open}; past their day: {late}.",
    "Offene Nachweisanforderungen am {day}: {open}; über ihrem Termin: {late}.",
);
const NO_REQUEST: Label =
    word("No request for evidence is recorded on {day}.", "Am {day} ist keine Nachweisanforderung erfasst.");
const PAST_DAY: Label = word("Past their day", "Über ihrem Termin");
const NO_TEST: Label = word("No test is recorded on {day}.", "Am {day} ist kein Test erfasst.");
const STATEMENT: Label = word("Statement of applicability", "Erklärung zur Anwendbarkeit");
const STATEMENT_IN_FORCE: Label =
    word("Version {version} was approved on {day}.", "Version {version} wurde am {day} freigegeben.");
const NO_STATEMENT: Label =
    word("No version was approved by {day}.", "Bis zum {day} wurde keine Version freigegeben.");

impl Paper<'_> {
    /// In a management review the paragraphs of the institution stand within their part, marked as its own.
    pub(super) fn with_own(&self, section: Section, part: ReportPart) -> Section {
        let mut own = self.wish.own.of(Some(part)).peekable();
        if own.peek().is_none() {
            return if part.is_stated() { section.paragraph(self.t(NOTHING_STATED)) } else { section };
        }
        let section = own.fold(section, |section, paragraph| {
            section.heading(paragraph.title.as_str()).paragraph(paragraph.text.as_str())
        });
        section.note(self.t(OWN))
    }

    pub(super) fn earlier_actions(&self, section: Section) -> Section {
        let Some(ReviewFigures { earlier: Some(earlier), .. }) = &self.figures.review else {
            return section.lead(self.t(NO_EARLIER));
        };
        let (version, period) = (earlier.version.to_string(), self.span(earlier.period));
        let lead = self.fill(EARLIER, &[("version", &version), ("period", &period)]);
        let section = section.lead(lead).heading(self.t(DECIDED));
        let section = if earlier.resolutions.is_empty() {
            section.paragraph(self.t(NOTHING_DECIDED))
        } else {
            let section = earlier.resolutions.iter().fold(section, |section, paragraph| {
                section.subheading(paragraph.title.as_str()).paragraph(paragraph.text.as_str())
            });
            section.note(self.fill(FROM_THERE, &[("version", &version)]))
        };
        let section = section.heading(self.t(FOLLOWED)).table(self.followed(earlier));
        let findings: Vec<&FindingNote> = earlier.findings.open.iter().collect();
        let section =
            if findings.is_empty() { section } else { self.most_severe(section, STILL_FINDINGS, findings) };
        self.open_tasks(section, earlier)
    }

    fn followed(&self, earlier: &Earlier) -> Table {
        let until = self.figures.period.until;
        let (then, now) = (self.day(earlier.period.until), self.day(until));
        let columns = [
            Column::share(self.t(words::STATUS), 1).row_header(),
            Column::points(self.t(FINDINGS), 110).align(Align::End),
            Column::points(self.t(TASKS), 96).align(Align::End),
        ];
        let (findings, tasks) = (&earlier.findings, &earlier.tasks);
        let (open, open_tasks) = (findings.open.len() as u64, tasks.open.len() as u64);
        let overdue = findings.open.iter().filter(|one| one.is_overdue(until)).count() as u64;
        let overdue_tasks = tasks.open.iter().filter(|one| one.is_overdue(until)).count() as u64;
        let rows = [
            (self.fill(OPEN_ON, &[("day", &then)]), findings.all, tasks.all),
            (self.fill(NO_LONGER, &[("day", &now)]), findings.all - open, tasks.all - open_tasks),
            (self.fill(STILL, &[("day", &now)]), open, open_tasks),
            (self.t(STILL_OVERDUE).to_owned(), overdue, overdue_tasks),
        ];
        rows.into_iter().fold(Table::new(columns), |table, (label, findings, tasks)| {
            table.row([label, self.count(findings), self.count(tasks)].map(Cell::from))
        })
    }

    fn open_tasks(&self, section: Section, earlier: &Earlier) -> Section {
        let mut open: Vec<&TaskNote> = earlier.tasks.open.iter().collect();
        if open.is_empty() {
            return section;
        }
        open.sort_by_key(|one| (one.due_on.is_none(), one.due_on, one.title.clone()));
        let columns = [
            Column::share(self.t(TASK), 3).row_header(),
            Column::points(self.t(words::DUE), 76),
            Column::points(self.t(words::OWNER), 100),
        ];
        let table = open.iter().take(self.most()).fold(Table::new(columns), |table, one| {
            table.row([one.title.clone(), self.ctx.day(one.due_on), one.owner.clone()].map(Cell::from))
        });
        self.and_more(section.heading(self.t(STILL_TASKS)).table(table), open.len(), self.most())
    }

    pub(super) fn monitoring(&self, section: Section) -> Section {
        let Some(review) = &self.figures.review else { return section };
        let (until, before) = (self.figures.period.until, self.figures.before.until);
        let (day, controls) = (self.day(until), &review.controls);
        if controls.now.is_empty() && controls.before.is_empty() {
            return section.lead(self.fill(NO_CONTROL, &[("day", &day)])).note(self.holds());
        }
        let with = |status: ControlStatus| {
            controls.map(|all| all.iter().filter(|one| one.status == status).count() as u64)
        };
        let overdue = Compared {
            now: controls.now.iter().filter(|one| one.is_overdue(until)).count() as u64,
            before: controls.before.iter().filter(|one| one.is_overdue(before)).count() as u64,
        };
        let [n, m, k] = [with(ControlStatus::Implemented).now, review.performances.now, overdue.now]
            .map(|number| self.count(number));
        let lead =
            self.fill(CONTROLS, &[("day", &day), ("controls", &n), ("performances", &m), ("overdue", &k)]);
        let mut rows: Vec<(String, Compared<u64>)> =
            ControlStatus::ALL.iter().map(|one| (self.t(one.label()).to_owned(), with(*one))).collect();
        rows.push((self.t(words::TOTAL).to_owned(), controls.map(|all| all.len() as u64)));
        rows.push((self.t(OVERDUE).to_owned(), overdue));
        let performed = [
            (self.t(PERFORMANCES).to_owned(), review.performances),
            (self.t(AT_LEAST_ONCE).to_owned(), review.performed),
        ];
        let section = section
            .lead(lead)
            .table(self.of_days(words::STATUS, &rows))
            .heading(self.t(PERFORMED))
            .table(self.of_periods(PERFORMED, &performed));
        let section = if with(ControlStatus::Implemented).now == 0 {
            section
        } else {
            let effects = self.effects(controls);
            section
                .heading(self.t(EFFECTIVENESS))
                .table(self.of_days(EFFECTIVENESS, &effects))
                .chart(self.effect_chart(&effects))
        };
        section.note(format!("{} {}", self.t(CONTROLS_NOTE), self.holds()))
    }

    fn effects(&self, controls: &Compared<Vec<ControlNote>>) -> Vec<(String, Compared<u64>)> {
        let of = |effect: Effectiveness| {
            let counts =
                |one: &&ControlNote| one.status == ControlStatus::Implemented && one.effectiveness == effect;
            controls.map(|all| all.iter().filter(counts).count() as u64)
        };
        Effectiveness::ALL.iter().map(|one| (self.t(one.label()).to_owned(), of(*one))).collect()
    }

    fn effect_chart(&self, effects: &[(String, Compared<u64>)]) -> BarChart {
        let tones = [Tone::Neutral, Tone::Good, Tone::Warning, Tone::Critical];
        effects.iter().zip(tones).fold(
            BarChart::new(self.t(EFFECTIVENESS)),
            |chart, ((name, figure), tone)| {
                #[expect(clippy::cast_precision_loss, reason = "a number of records")]
                chart.bar(name, figure.now as f64, self.count(figure.now), tone)
            },
        )
    }

    pub(super) fn audits(&self, section: Section) -> Section {
        let Some(review) = &self.figures.review else { return section };
        let day = self.day(self.figures.period.until);
        let section = self.requests_for_evidence(section, review, &day).heading(self.t(DONE));
        let tests = &self.figures.tests;
        let section = if tests.now.is_empty() && tests.before.is_empty() {
            section.paragraph(self.fill(NO_TEST, &[("day", &day)]))
        } else {
            section.table(self.of_periods(words::STATUS, &self.results()))
        };
        let section = section.heading(self.t(STATEMENT));
        let section = match review.statement {
            None => section.paragraph(self.fill(NO_STATEMENT, &[("day", &day)])),
            Some((version, at)) => {
                let (version, at) = (version.to_string(), self.day(self.figures.day_of(at)));
                section.paragraph(self.fill(STATEMENT_IN_FORCE, &[("version", &version), ("day", &at)]))
            }
        };
        section.note(self.holds())
    }

    fn requests_for_evidence(&self, section: Section, review: &ReviewFigures, day: &str) -> Section {
        let requests = &review.requests;
        if requests.now.is_empty() && requests.before.is_empty() {
            return section.lead(self.fill(NO_REQUEST, &[("day", day)]));
        }
        let (until, before) = (self.figures.period.until, self.figures.before.until);
        let with = |status: EvidenceRequestStatus| {
            requests.map(|all| all.iter().filter(|one| one.status == status).count() as u64)
        };
        let late = Compared {
            now: requests.now.iter().filter(|one| one.is_late(until)).count() as u64,
            before: requests.before.iter().filter(|one| one.is_late(before)).count() as u64,
        };
        let (open, past) = (self.count(with(EvidenceRequestStatus::Open).now), self.count(late.now));
        let mut rows: Vec<(String, Compared<u64>)> = EvidenceRequestStatus::ALL
            .iter()
            .map(|one| (self.t(one.label()).to_owned(), with(*one)))
            .collect();
        rows.push((self.t(words::TOTAL).to_owned(), requests.map(|all| all.len() as u64)));
        rows.push((self.t(PAST_DAY).to_owned(), late));
        section
            .lead(self.fill(REQUESTS_LEAD, &[("day", day), ("open", &open), ("late", &past)]))
            .heading(self.t(REQUESTS))
            .table(self.of_days(words::STATUS, &rows))
    }
}
