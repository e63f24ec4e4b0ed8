//! What the management body is asked to decide, before everything else.

use std::collections::BTreeSet;

use domain::{
    approval::{ApprovalAction, ApprovalState},
    moment::Moment,
    training::TrainingState,
    vocabulary::Severity,
    wording::Label,
};
use reports::document::{Align, Cell, Column, Section, Table};

use super::{
    Paper,
    figures::{ApprovalNote, Compared, FindingNote, RiskNote},
    words,
};
use crate::report::words::word;

const LEAD: Label = word(
    "Matters that ask for a decision on {day}: {count}.",
    "Sachverhalte, die am {day} eine Entscheidung erfordern: {count}.",
);
const NOTHING: Label =
    word("No decision is asked for on {day}.", "Am {day} wird keine Entscheidung erbeten.");
const MATTER: Label = word("Matter", "Sachverhalt");
const DECISION: Label = word("Decision asked for", "Erbetene Entscheidung");
const WAITING: Label = word("Requests for approval that wait", "Offene Freigabeanfragen");
const WAITING_ASKS: Label = word("Grant or refuse them.", "Erteilen oder ablehnen.");
const RISKS: Label =
    word("Risks above the appetite without an acceptance", "Risiken über dem Risikoappetit ohne Akzeptanz");
const RISKS_ASK: Label = word(
    "Accept them until a day, or provide means for their treatment.",
    "Bis zu einem Tag akzeptieren oder Mittel für die Behandlung bereitstellen.",
);
const LIMITS: Label =
    word("Limits of concentration that are exceeded", "Überschrittene Konzentrationsgrenzen");
const LIMITS_ASK: Label = word(
    "Reduce the share, decide on an exit plan, or set another limit.",
    "Anteil senken, einen Ausstiegsplan beschließen oder eine andere Grenze setzen.",
);
const FINDINGS: Label =
    word("Critical and high findings that are overdue", "Überfällige kritische und hohe Feststellungen");
const FINDINGS_ASK: Label = word(
    "Provide means for their remediation, or accept the risk until a day.",
    "Mittel für die Behebung bereitstellen oder das Risiko bis zu einem Tag akzeptieren.",
);
const FUNCTIONS: Label = word(
    "Critical functions without a passed test in twelve months",
    "Kritische Funktionen ohne bestandenen Test in zwölf Monaten",
);
const FUNCTIONS_ASK: Label = word(
    "Order tests of these functions (DORA Art. 24(6)).",
    "Tests dieser Funktionen anordnen (Art. 24 Abs. 6 DORA).",
);
const FILINGS: Label =
    word("Filings of the register that are not submitted", "Noch nicht eingereichte Meldungen des Registers");
const FILINGS_ASK: Label =
    word("Have them submitted by their day.", "Bis zum Fälligkeitstag einreichen lassen.");
const TRAININGS: Label =
    word("Trainings of the management body that are late", "Überfällige Schulungen des Leitungsorgans");
const TRAININGS_ASK: Label = word("Complete them (DORA Art. 5(4)).", "Abschließen (Art. 5 Abs. 4 DORA).");
const REQUESTS: Label = word("Requests for approval", "Freigabeanfragen");
const REQUEST: Label = word("Request", "Anfrage");
const SUBJECT: Label = word("Record", "Datensatz");
const SINCE: Label = word("Since", "Seit");
const DECIDED: Label = word("Decisions on requests", "Entscheidungen über Anfragen");

impl Paper<'_> {
    pub(super) fn decisions(&self, section: Section) -> Section {
        let (figures, day) = (self.figures, self.day(self.figures.period.until));
        let waiting: Vec<&ApprovalNote> = figures.approvals.now.iter().filter(|one| waits(one)).collect();
        let matters = self.matters(waiting.len() as u64);
        let section = if matters.is_empty() {
            section.lead(self.fill(NOTHING, &[("day", &day)]))
        } else {
            let count = self.count(matters.len() as u64);
            section.lead(self.fill(LEAD, &[("day", &day), ("count", &count)])).table(self.asked(&matters))
        };
        let section = self.requests(section, waiting);
        let decided = [
            (ApprovalState::Granted, self.decided(ApprovalState::Granted)),
            (ApprovalState::Refused, self.decided(ApprovalState::Refused)),
        ];
        let rows = decided.map(|(state, counts)| (self.t(state.label()).to_owned(), counts));
        section.heading(self.t(DECIDED)).table(self.of_periods(DECIDED, &rows)).note(self.holds())
    }

    /// Each matter with its number and with what is asked, without those that are settled.
    fn matters(&self, waiting: u64) -> Vec<(Label, u64, Label)> {
        let figures = self.figures;
        let grave = |finding: &&FindingNote| {
            matches!(finding.severity, Severity::Critical | Severity::High)
                && finding.is_overdue(figures.period.until)
        };
        let filings = figures.filings.iter().filter(|filing| filing.record.status.is_pending());
        let late =
            figures.trainings.now.iter().filter(|one| one.is_member && one.state == TrainingState::Late);
        let all = [
            (WAITING, waiting, WAITING_ASKS),
            (RISKS, self.undecided_risks().count() as u64, RISKS_ASK),
            (LIMITS, figures.breaches.len() as u64, LIMITS_ASK),
            (FINDINGS, figures.findings.now.iter().filter(grave).count() as u64, FINDINGS_ASK),
            (FUNCTIONS, figures.coverage.now.coverage.untested().count() as u64, FUNCTIONS_ASK),
            (FILINGS, filings.count() as u64, FILINGS_ASK),
            (TRAININGS, late.count() as u64, TRAININGS_ASK),
        ];
        all.into_iter().filter(|(_, count, _)| *count > 0).collect()
    }

    /// The risks above the appetite that are neither accepted nor waiting for an acceptance.
    fn undecided_risks(&self) -> impl Iterator<Item = &RiskNote> {
        let asked = self.figures.approvals.now.iter().filter(|one| waits(one));
        let asked: BTreeSet<&str> = asked
            .filter(|one| one.action == ApprovalAction::Accept)
            .map(|one| one.subject.as_str())
            .collect();
        let risks = self.figures.risks.now.iter();
        risks.filter(move |risk| {
            risk.exceeds.is_some() && risk.status.is_active() && !asked.contains(risk.id.as_str())
        })
    }

    fn asked(&self, matters: &[(Label, u64, Label)]) -> Table {
        let columns = [
            Column::share(self.t(MATTER), 3).row_header(),
            Column::points(self.t(words::COUNT), 60).align(Align::End),
            Column::share(self.t(DECISION), 3),
        ];
        matters.iter().fold(Table::new(columns), |table, (matter, count, asks)| {
            table.row([self.t(*matter).to_owned(), self.count(*count), self.t(*asks).to_owned()])
        })
    }

    fn requests(&self, section: Section, mut waiting: Vec<&ApprovalNote>) -> Section {
        if waiting.is_empty() {
            return section;
        }
        waiting.sort_by_key(|one| one.asked_at);
        let columns = [
            Column::share(self.t(SUBJECT), 3).row_header(),
            Column::share(self.t(REQUEST), 2),
            Column::points(self.t(SINCE), 76),
            Column::points(self.t(words::UNTIL), 76),
        ];
        let shown = waiting.iter().take(self.most());
        let table = shown.fold(Table::new(columns), |table, one| {
            let cells = [
                one.title.clone(),
                self.t(one.action.label()).to_owned(),
                self.day(self.figures.day_of(one.asked_at)),
                self.ctx.day(one.until),
            ];
            table.row(cells.map(Cell::from))
        });
        let section = section.heading(self.t(REQUESTS)).table(table);
        self.and_more(section, waiting.len(), self.most())
    }

    fn decided(&self, state: ApprovalState) -> Compared<u64> {
        let all = self.figures.approvals.now.iter().filter(|one| one.state == state);
        let moments: Vec<Moment> = all.filter_map(|one| one.decided_at).collect();
        self.figures.within(moments.into_iter())
    }
}

fn waits(approval: &ApprovalNote) -> bool {
    approval.state == ApprovalState::Asked
}
