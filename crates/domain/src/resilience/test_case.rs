//! A test case: one test of a programme, from its plan to its result.

use crate::{
    change::{Change, Context, Fields, happened, without_repeats},
    control::ControlId,
    field::fields,
    function::FunctionComplaint,
    identifier::{Id, Identified},
    moment::{Day, Moment},
    programme::{Programme, ProgrammeId},
    test_type::TestType,
    text::{Name, Prose},
    tone::Tone,
    transition::lifecycle,
    violation::{FixedField, RecordComplaint, Violations},
    vocabulary::{Priority, vocabulary},
    wording::sentence,
};

lifecycle! {
    /// The status of a test case.
    TestCaseStatus ("a test case", "ein Testfall") starts at Draft {
        Draft = "draft" ("Draft", "Entwurf") => [
            Ready ("Mark as ready", "Als bereit kennzeichnen"),
            Cancelled ("Cancel the test", "Test absagen"),
        ],
        Ready = "ready" ("Ready", "Bereit") => [
            InProgress ("Start", "Starten"),
            Cancelled ("Cancel the test", "Test absagen"),
        ],
        InProgress = "in_progress" ("In progress", "In Bearbeitung") => [
            Passed ("Mark as passed", "Als bestanden kennzeichnen"),
            Failed ("Mark as failed", "Als nicht bestanden kennzeichnen"),
            Blocked ("Mark as blocked", "Als blockiert kennzeichnen"),
        ],
        Passed = "passed" ("Passed", "Bestanden") => [InProgress ("Retest", "Erneut testen")],
        Failed = "failed" ("Failed", "Nicht bestanden") => [InProgress ("Retest", "Erneut testen")],
        Blocked = "blocked" ("Blocked", "Blockiert") => [
            InProgress ("Resume", "Fortsetzen"),
            Cancelled ("Cancel the test", "Test absagen"),
        ],
        Cancelled = "cancelled" ("Cancelled", "Abgesagt") => [],
    }
}

impl TestCaseStatus {
    pub fn tone(self) -> Tone {
        match self {
            Self::Draft => Tone::Neutral,
            Self::Ready => Tone::Notice,
            Self::InProgress => Tone::Running,
            Self::Passed => Tone::Good,
            Self::Failed => Tone::Critical,
            Self::Blocked => Tone::Warning,
            Self::Cancelled => Tone::Muted,
        }
    }
}

impl TestCaseStatus {
    /// Whether the test has a result.
    pub fn is_executed(self) -> bool {
        matches!(self, Self::Passed | Self::Failed)
    }

    /// Only finished test cases leave the lists.
    pub fn can_be_archived(self) -> bool {
        !self.is_pending()
    }

    /// Whether its due day is still relevant.
    pub fn is_pending(self) -> bool {
        matches!(self, Self::Draft | Self::Ready | Self::InProgress | Self::Blocked)
    }
}

vocabulary! {
    /// The orders of a list of test cases: a field, with a minus sign for descending. The first is the default.
    TestCaseSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Due = "due_on" ("Due first", "Zuerst fällige"),
        DueFalling = "-due_on" ("Due last first", "Zuletzt fällige zuerst"),
        Priority = "priority" ("Most important first", "Wichtigste zuerst"),
        PriorityFalling = "-priority" ("Least important first", "Unwichtigste zuerst"),
    }
}

/// The content of a test case, without its id and its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    pub programme_id: ProgrammeId,
    pub title: Name,
    pub objective: Option<Prose>,
    pub test_type: TestType,
    /// The functions it tests, each once: functions of its programme. Only these does it count for.
    pub functions: Vec<Name>,
    pub status: TestCaseStatus,
    pub priority: Priority,
    pub assignee: Option<Name>,
    pub steps: Vec<Prose>,
    pub expected_result: Option<Prose>,
    pub actual_result: Option<Prose>,
    pub due_on: Option<Day>,
    /// The time of the latest result; kept during a retest until there is a new one.
    pub executed_at: Option<Moment>,
    pub measures: Vec<String>,
    /// The institution's own controls that it tests.
    pub controls: Vec<ControlId>,
    pub evidence: Vec<Prose>,
}

pub type TestCaseId = Id<TestCase>;

impl Identified for TestCase {
    const PREFIX: &'static str = "tst";
}

fields! {
    /// The fields of a test case.
    TestCase {
        PROGRAMME = "programme_id" ("Programme", "Programm"),
        TITLE,
        OBJECTIVE = "objective" ("Objective", "Ziel"),
        TYPE = "test_type" ("Type of test", "Art des Tests"),
        FUNCTIONS = "functions" ("Functions tested", "Getestete Funktionen"),
        STATUS,
        PRIORITY = "priority" ("Priority", "Priorität"),
        ASSIGNEE = "assignee" ("Assigned to", "Zugewiesen an"),
        STEPS = "steps" ("Steps", "Schritte"),
        EXPECTED = "expected_result" ("Expected result", "Erwartetes Ergebnis"),
        ACTUAL = "actual_result" ("Actual result", "Tatsächliches Ergebnis"),
        DUE_ON,
        EXECUTED = "executed_at" ("Executed", "Durchgeführt"),
        MEASURES = "measures" ("Measures", "Maßnahmen"),
        CONTROLS = "controls" ("Own controls", "Eigene Kontrollen"),
        EVIDENCE = "evidence" ("Evidence", "Nachweise"),
        FINDINGS = "findings" ("Findings", "Feststellungen"),
        OPEN_FINDINGS = "open_findings" ("Open findings", "Offene Feststellungen"),
    }
}

/// A test case's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestCaseInput {
    pub programme_id: Change<String>,
    pub title: Change<String>,
    pub objective: Change<String>,
    pub test_type: Change<String>,
    pub functions: Change<Vec<String>>,
    pub status: Change<String>,
    pub priority: Change<String>,
    pub assignee: Change<String>,
    pub steps: Change<Vec<String>>,
    pub expected_result: Change<String>,
    pub actual_result: Change<String>,
    pub due_on: Change<String>,
    pub executed_at: Change<String>,
    pub measures: Change<Vec<String>>,
    pub controls: Change<Vec<String>>,
    pub evidence: Change<Vec<String>>,
    /// Why the status moves, for the history.
    pub note: Change<String>,
}

sentence! {
    /// The id names no programme of the tenant. One text for an invalid, a missing and a foreign record.
    NoSuchProgramme =
        "must be the id of one of your programmes",
        "muss eines Ihrer Programme sein";
}

fn programme_id(text: &str) -> Result<ProgrammeId, NoSuchProgramme> {
    text.parse().map_err(|_| NoSuchProgramme)
}

impl TestCaseInput {
    /// The programme to look up before creating, if the request names one.
    pub fn programme(&self) -> Option<ProgrammeId> {
        match &self.programme_id {
            Change::Set(text) => programme_id(text).ok(),
            Change::Keep | Change::Clear => None,
        }
    }

    /// A new test case of `programme`, which is `None` if the tenant has none with that id.
    pub fn create(
        &self,
        programme: Option<&Programme>,
        context: &Context<'_>,
    ) -> Result<TestCase, Violations> {
        self.read(None, programme, context)
    }

    /// The test case after this change.
    pub fn change(
        &self,
        current: &TestCase,
        programme: &Programme,
        context: &Context<'_>,
    ) -> Result<TestCase, Violations> {
        self.read(Some(current), Some(programme), context)
    }

    fn read(
        &self,
        current: Option<&TestCase>,
        programme: Option<&Programme>,
        context: &Context<'_>,
    ) -> Result<TestCase, Violations> {
        let mut fields = Fields::default();
        let programme_id = self.read_programme_id(&mut fields, current, programme);
        let title =
            fields.required("title", &self.title, current.map(|c| c.title.clone()), |text| Name::parse(text));
        let test_type =
            fields.required("test_type", &self.test_type, current.map(|c| c.test_type), |text| text.parse());
        let priority = fields.required(
            "priority",
            &self.priority,
            Some(current.map_or(Priority::Medium, |c| c.priority)),
            |text| text.parse(),
        );
        fields.prose("note", &self.note, None);
        let status = fields.status(&self.status, current.map(|c| c.status));
        let due_on = self.read_due_on(&mut fields, current, programme);
        let executed_at = self.read_executed_at(&mut fields, current, status, context.now);
        let objective = fields.prose("objective", &self.objective, of(current, |c| &c.objective));
        let assignee = fields.line("assignee", &self.assignee, of(current, |c| &c.assignee));
        let expected_result =
            fields.prose("expected_result", &self.expected_result, of(current, |c| &c.expected_result));
        let actual_result =
            fields.prose("actual_result", &self.actual_result, of(current, |c| &c.actual_result));
        let prose = |text: &String| Prose::parse(text);
        let steps = fields.list("steps", &self.steps, current.map(|c| c.steps.clone()), prose);
        let evidence = fields.list("evidence", &self.evidence, current.map(|c| c.evidence.clone()), prose);
        let functions = self.read_functions(&mut fields, current, programme);
        let measures = fields.measures(&self.measures, current.map(|c| c.measures.clone()), context);
        let controls = fields.controls(&self.controls, current.map(|c| c.controls.clone()));
        let build = || {
            Some(TestCase {
                programme_id: programme_id?,
                title: title?,
                objective,
                test_type: test_type?,
                functions,
                status: status?,
                priority: priority?,
                assignee,
                steps,
                expected_result,
                actual_result,
                due_on,
                executed_at,
                measures,
                controls,
                evidence,
            })
        };
        fields.finish(build())
    }

    fn read_programme_id(
        &self,
        fields: &mut Fields,
        current: Option<&TestCase>,
        programme: Option<&Programme>,
    ) -> Option<ProgrammeId> {
        let id = fields.fixed(
            "programme_id",
            &self.programme_id,
            current.map(|c| c.programme_id),
            |text| programme_id(text),
            FixedField::ProgrammeOfTestCase,
        )?;
        if programme.is_none() {
            fields.refuse("programme_id", NoSuchProgramme);
        }
        Some(id)
    }

    /// A function is named as its programme names it. A function that the programme has dropped since stays with the
    /// test. A new test that says nothing of functions takes the function of a programme that has exactly one.
    fn read_functions(
        &self,
        fields: &mut Fields,
        current: Option<&TestCase>,
        programme: Option<&Programme>,
    ) -> Vec<Name> {
        // Without a programme the request is refused anyway.
        let Some(programme) = programme else { return Vec::new() };
        let kept = current.map(|c| c.functions.clone());
        let kept = kept.or_else(|| (programme.functions.len() == 1).then(|| programme.functions.clone()));
        let offered: Vec<&Name> = programme.functions.iter().chain(kept.iter().flatten()).collect();
        let known = |text: &String| {
            let is_meant = |name: &&&Name| folded(name.as_str()) == folded(text);
            offered.iter().find(is_meant).map(|name| (*name).clone()).ok_or(FunctionComplaint::NotOfProgramme)
        };
        without_repeats(fields.list("functions", &self.functions, kept.clone(), known))
    }

    /// Only a day that is being set is compared with the programme's start, which may change later.
    fn read_due_on(
        &self,
        fields: &mut Fields,
        current: Option<&TestCase>,
        programme: Option<&Programme>,
    ) -> Option<Day> {
        let due_on =
            fields.optional("due_on", &self.due_on, current.and_then(|c| c.due_on), |text| text.parse())?;
        let starts_on = programme.and_then(|programme| programme.starts_on);
        if let (Change::Set(_), Some(start)) = (&self.due_on, starts_on)
            && due_on < start
        {
            fields.refuse("due_on", RecordComplaint::BeforeProgramme { day: start });
        }
        Some(due_on)
    }

    /// Setting a result executes the test: the time is now unless the caller gives one.
    fn read_executed_at(
        &self,
        fields: &mut Fields,
        current: Option<&TestCase>,
        status: Option<TestCaseStatus>,
        now: Moment,
    ) -> Option<Moment> {
        let kept = current.and_then(|c| c.executed_at);
        let given = fields.optional("executed_at", &self.executed_at, kept, |text| happened(text, now));
        let reached = status.is_some_and(TestCaseStatus::is_executed) && status != current.map(|c| c.status);
        if reached && !matches!(self.executed_at, Change::Set(_)) { Some(now) } else { given }
    }
}

fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

fn of<T: Clone>(current: Option<&TestCase>, field: impl Fn(&TestCase) -> &Option<T>) -> Option<T> {
    current.and_then(|current| field(current).clone())
}

#[cfg(test)]
#[path = "test_case_tests.rs"]
mod tests;
