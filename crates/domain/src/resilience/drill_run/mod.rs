//! A run of a drill: a scenario of the catalogue carried out by users of the institution and scored against its model
//! solution. It is neither an incident nor a report: it has numbers of its own and raises no events.

mod course;
mod input;
mod score;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use crate::{
    field::fields,
    finding::FindingId,
    identifier::{Id, Identified},
    incident::Criterion,
    moment::{Day, Moment},
    programme::ProgrammeId,
    test_case::TestCaseId,
    text::Name,
    tone::Tone,
    transition::lifecycle,
    vocabulary::vocabulary,
    wording::{Label, sentence, sentences},
};

pub use self::{
    course::{ClassificationInput, DecisionInput, ReportInput},
    input::{DrillRunInput, DrillRunLinks},
    score::{Outcome, Share},
};

vocabulary! {
    /// Whether the facts of a scenario meet a criterion.
    Judgement {
        Met = "met" ("Met", "Erfüllt"),
        NotMet = "not-met" ("Not met", "Nicht erfüllt"),
        Open = "open" ("Not known yet", "Noch offen"),
    }
}

vocabulary! {
    /// How far a run met one of its success criteria.
    CriterionResult {
        Met = "met" ("Met", "Erfüllt"),
        Partly = "partly" ("Partly met", "Teilweise erfüllt"),
        Not = "not" ("Not met", "Nicht erfüllt"),
    }
}

lifecycle! {
    /// The status of a drill run.
    DrillRunStatus ("a drill run", "eine Übung") starts at Planned {
        Planned = "planned" ("Planned", "Geplant") => [
            Running ("Start", "Starten"),
            Cancelled ("Cancel the drill", "Übung absagen"),
        ],
        Running = "running" ("Running", "Läuft") => [
            Finished ("Finish", "Beenden"),
            Cancelled ("Break off", "Abbrechen"),
        ],
        Finished = "finished" ("Finished", "Beendet") => [],
        Cancelled = "cancelled" ("Cancelled", "Abgesagt") => [],
    }
}

impl DrillRunStatus {
    pub fn tone(self) -> Tone {
        match self {
            Self::Planned => Tone::Notice,
            Self::Running => Tone::Running,
            Self::Finished => Tone::Good,
            Self::Cancelled => Tone::Muted,
        }
    }
}

impl DrillRunStatus {
    /// Whether the run can still change.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Planned | Self::Running)
    }
}

/// The notice above every page and document of a run.
pub const PRACTICE: Label = Label::new("EXERCISE — not a report", "ÜBUNG – keine Meldung");

/// The most participants of a run.
pub const MAX_PARTICIPANTS: usize = 50;
/// The most lines of a run's decision log.
pub const MAX_DECISIONS: u64 = 500;

/// A finished step of the scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoneStep {
    /// Injects come first, then tasks, counted from 1.
    pub number: u32,
    pub at: Moment,
    pub by: String,
}

/// The participants' judgement of one criterion of DORA Art. 18(1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classified {
    pub criterion: Criterion,
    pub judgement: Judgement,
    /// Since the start of the run.
    pub at_minute: u32,
}

/// The participants' answer about the report of one clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PracticeReport {
    pub clock: String,
    /// When it would have been due, as answered.
    pub due: Option<Name>,
    /// When they would have sent it, since the start of the scenario.
    pub sent_at_minute: Option<u32>,
    /// The exercise lead's judgement of the answer.
    pub right: Option<bool>,
}

vocabulary! {
    /// The orders of a list of drill runs: a field, with a minus sign for descending. The first is the default.
    DrillRunSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Planned = "planned_for" ("Earliest day first", "Frühester Termin zuerst"),
        PlannedFalling = "-planned_for" ("Latest day first", "Spätester Termin zuerst"),
    }
}

/// The content of a run, without its id and its decision log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrillRun {
    pub reference: DrillRunReference,
    /// The id of a drill of the catalogue.
    pub scenario: String,
    pub title: Name,
    pub planned_for: Day,
    /// The person who leads the run and judges it: an account or a plain name.
    pub lead: Option<Name>,
    pub participants: Vec<Name>,
    /// The programme in which the finished run counts as a test case.
    pub programme_id: Option<ProgrammeId>,
    /// The test case that the run executes.
    pub test_case_id: Option<TestCaseId>,
    pub status: DrillRunStatus,
    pub started_at: Option<Moment>,
    pub finished_at: Option<Moment>,
    pub steps: Vec<DoneStep>,
    pub classification: Vec<Classified>,
    pub reports: Vec<PracticeReport>,
    /// One element for each success criterion of the scenario.
    pub criteria: Vec<Option<CriterionResult>>,
    pub outcome: Option<Outcome>,
    /// Created for criteria that were not met.
    pub findings: Vec<FindingId>,
}

pub type DrillRunId = Id<DrillRun>;

impl Identified for DrillRun {
    const PREFIX: &'static str = "drn";
}

fields! {
    /// The fields of a drill run.
    DrillRun {
        REFERENCE,
        PRACTICE = "practice" ("Practice", "Übung"),
        SCENARIO = "scenario" ("Scenario", "Szenario"),
        TITLE,
        PLANNED_FOR = "planned_for" ("Planned for", "Geplant für"),
        LEAD = "lead" ("Led by", "Leitung"),
        PARTICIPANTS = "participants" ("Participants", "Teilnehmende"),
        PROGRAMME = "programme_id" ("Programme", "Programm"),
        TEST_CASE = "test_case_id" ("Test case", "Testfall"),
        STATUS,
        STARTED = "started_at" ("Started", "Begonnen"),
        FINISHED = "finished_at" ("Finished", "Beendet"),
        STEPS = "steps" ("Steps", "Schritte"),
        CLASSIFICATION = "classification" ("Classification for practice", "Klassifizierung zur Übung"),
        REPORTS = "reports" ("Reports for practice", "Meldungen zur Übung"),
        CRITERIA = "criteria" ("Success criteria", "Erfolgskriterien"),
        OUTCOME = "outcome" ("Result", "Ergebnis"),
        SCORE = "score" ("Score", "Ergebnis"),
        FINDINGS = "findings" ("Findings", "Feststellungen"),
    }
}

impl DrillRun {
    /// Whole minutes since the start, until the end.
    pub fn minute(&self, now: Moment) -> Option<u32> {
        let seconds = self.started_at?.seconds_until(self.finished_at.unwrap_or(now));
        Some(u32::try_from(seconds / 60).unwrap_or_default())
    }

    pub fn step(&self, number: u32) -> Option<&DoneStep> {
        self.steps.iter().find(|step| step.number == number)
    }

    pub fn judged(&self, criterion: Criterion) -> Option<&Classified> {
        self.classification.iter().find(|judged| judged.criterion == criterion)
    }

    pub fn report(&self, clock: &str) -> Option<&PracticeReport> {
        self.reports.iter().find(|report| report.clock == clock)
    }

    /// The result of a success criterion, counted from 1.
    pub fn result(&self, number: usize) -> Option<CriterionResult> {
        self.criteria.get(number.checked_sub(1)?).copied().flatten()
    }

    /// Whether the finished run counts as a passed test: every success criterion was met, at least partly.
    pub fn is_passed(&self) -> bool {
        let met =
            |result: &Option<CriterionResult>| result.is_some_and(|result| result != CriterionResult::Not);
        self.criteria.iter().all(met)
    }
}

/// The facts of a scenario for the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScenarioFacts {
    pub title: String,
    /// The minutes at which the injects come, in their order.
    pub inject_minutes: Vec<u32>,
    pub tasks: usize,
    pub criteria: usize,
    pub clocks: Vec<String>,
    /// The model classification.
    pub solution: Vec<(Criterion, Judgement)>,
}

impl ScenarioFacts {
    /// The criteria of DORA Art. 18(1), which participants judge.
    pub fn criteria_of_law() -> impl Iterator<Item = Criterion> {
        Criterion::ALL.iter().copied().filter(|criterion| *criterion != Criterion::Other)
    }
}

/// The number of a run: `DR-0001`, counted per tenant without gaps, distinct from numbers of incidents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DrillRunReference(u32);

sentence! {
    /// The text is no reference of a drill run.
    NotADrillRunReference =
        "must be a drill run's reference like DR-0042",
        "muss das Kennzeichen einer Übung sein, etwa DR-0042";
}

impl DrillRunReference {
    pub fn new(number: i64) -> Result<Self, NotADrillRunReference> {
        u32::try_from(number).ok().filter(|number| *number > 0).map(Self).ok_or(NotADrillRunReference)
    }

    pub fn number(self) -> i64 {
        i64::from(self.0)
    }
}

impl fmt::Display for DrillRunReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DR-{:04}", self.0)
    }
}

impl FromStr for DrillRunReference {
    type Err = NotADrillRunReference;

    fn from_str(text: &str) -> Result<Self, NotADrillRunReference> {
        let number = text.strip_prefix("DR-").and_then(|digits| digits.parse().ok());
        let reference = Self::new(number.ok_or(NotADrillRunReference)?)?;
        // One number has one spelling.
        if reference.to_string() == text { Ok(reference) } else { Err(NotADrillRunReference) }
    }
}

impl serde::Serialize for DrillRunReference {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

sentences! {
    /// Why a drill run cannot be stored or changed.
    DrillRunComplaint {
        NoScenario =
            "must be the id of an incident drill of the catalogue",
            "muss ein Übungsszenario des Katalogs sein";
        NotScenarioBased =
            "must be a test case of type scenario_based_test that is neither cancelled nor archived",
            "muss ein szenariobasierter Test sein, der weder abgesagt noch archiviert ist";
        OtherProgramme =
            "is not the programme of the test case: leave it out or name that one",
            "ist nicht das Programm des Testfalls: bitte weglassen oder jenes angeben";
        OwnRoute { route: &'static str } =
            "is reached with POST …/{route} only",
            "ist nur über die Schaltfläche auf der Seite der Übung erreichbar (POST …/{route})";
        ForLead =
            "is judged and ended by the person who leads it, or by a manager",
            "bewertet und beendet die Person, die sie leitet, oder eine Person mit der Rolle „Leitend“";
        LeadTakesPart =
            "cannot be a participant as well: those who take part do not judge themselves",
            "kann nicht zugleich teilnehmen: Wer teilnimmt, bewertet sich nicht selbst";
        NotRunning =
            "is not running: this is possible only between start and finish",
            "läuft nicht: Das geht nur zwischen Start und Ende";
        Ended =
            "is over and cannot be changed",
            "ist vorbei und lässt sich nicht ändern";
        Started =
            "cannot be changed after the start",
            "lässt sich nach dem Start nicht ändern";
        NotDue { minute: u32 } =
            "is not due before minute {minute}",
            "ist erst in Minute {minute} an der Reihe";
        NoClock =
            "must be one of the reporting clocks of the scenario",
            "muss eine der Meldefristen des Szenarios sein";
        NoJudgement =
            "needs at least one criterion with its judgement",
            "braucht mindestens ein Kriterium mit seiner Bewertung";
        Minute { most: u32 } =
            "must be a whole number of minutes from 0 to {most}",
            "muss eine ganze Zahl von Minuten von 0 bis {most} sein";
        LogFull { most: u64 } =
            "has {most} lines already, the most a run may have",
            "hat schon {most} Zeilen, mehr darf eine Übung nicht haben";
        Kept =
            "cannot be deleted: only a run that never started can",
            "lässt sich nicht löschen: Das geht nur bei einer Übung, die nie begonnen hat";
    }
}
