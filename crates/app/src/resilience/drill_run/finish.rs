//! The results of a finished run: that of a test case, and findings for criteria that were not met.

use catalogue::drill::Drill;
use domain::{
    change::Change,
    drill_run::{CriterionResult, DrillRun},
    finding::{Finding, FindingInput},
    id::TestCaseId,
    key_limits::Verb,
    programme::Programme,
    test_case::{TestCase, TestCaseInput, TestCaseStatus},
    test_type::TestType,
    text::Name,
    vocabulary::Severity,
    wording::{Label, Language},
};
use store::{Tx, record, test_case::TestCaseRow};

use crate::{Result, author::Author, pages::Precondition};

const RESULT: Label = Label::new(
    "Drill run {reference}: {score} of 100 points.",
    "Übung {reference}: {score} von 100 Punkten.",
);
const FOUND: Label = Label::new(
    "Drill run {reference} ({title}), success criterion {number}: {result}. {criterion}",
    "Übung {reference} ({title}), Erfolgskriterium {number}: {result}. {criterion}",
);

/// Whether a run can be the execution of the test case.
pub(super) fn can_be_executed(row: &TestCaseRow) -> bool {
    row.archived_at.is_none() && row.record.status != TestCaseStatus::Cancelled
}

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn filled(label: Label, language: Language, values: &[(&str, &str)]) -> String {
    let text = label.text(language).to_owned();
    values.iter().fold(text, |text, (name, value)| text.replacen(&format!("{{{name}}}"), value, 1))
}

impl Author {
    pub(super) fn finish_drill(
        &self,
        tx: &mut Tx<'_>,
        mut run: DrillRun,
        drill: &Drill,
        (findings, language): (bool, Language),
    ) -> Result<DrillRun> {
        let score = run.outcome.map(|outcome| outcome.score).unwrap_or_default().to_string();
        let reference = run.reference.to_string();
        let result = filled(RESULT, language, &[("reference", &reference), ("score", &score)]);
        run.test_case_id = match run.test_case_id {
            Some(id) => self.execute_test_case(tx, id, &run, &result)?,
            None => self.create_test_case(tx, &run, drill, (&result, language))?,
        };
        if findings {
            for number in 1..=run.criteria.len() {
                if let Some(input) = found(&run, drill, number, language) {
                    self.caller.require_noun("finding", Verb::Write)?;
                    run.findings.push(self.create::<Finding>(tx, &input)?);
                }
            }
        }
        Ok(run)
    }

    /// Stores the result of the given test case. One that was deleted, cancelled or archived stays as it is.
    fn execute_test_case(
        &self,
        tx: &mut Tx<'_>,
        id: TestCaseId,
        run: &DrillRun,
        result: &str,
    ) -> Result<Option<TestCaseId>> {
        let Some(row) = record::get::<TestCase>(tx, self.scope(), id)? else { return Ok(None) };
        if !can_be_executed(&row) {
            return Ok(Some(id));
        }
        self.caller.require_noun("test_case", Verb::Write)?;
        let on_the_way: &[TestCaseStatus] = match row.record.status {
            TestCaseStatus::Draft => &[TestCaseStatus::Ready, TestCaseStatus::InProgress],
            TestCaseStatus::InProgress => &[],
            _ => &[TestCaseStatus::InProgress],
        };
        for status in on_the_way {
            let input =
                TestCaseInput { status: set(status.as_str()), note: set(result), ..TestCaseInput::default() };
            self.change::<TestCase>(tx, id, &input, &Precondition::None)?;
        }
        let input = TestCaseInput {
            status: set(reached(run).as_str()),
            actual_result: set(result),
            note: set(result),
            ..TestCaseInput::default()
        };
        self.change::<TestCase>(tx, id, &input, &Precondition::None)?;
        Ok(Some(id))
    }

    /// A run of a programme counts as a scenario-based test, created with its result.
    fn create_test_case(
        &self,
        tx: &mut Tx<'_>,
        run: &DrillRun,
        drill: &Drill,
        (result, language): (&str, Language),
    ) -> Result<Option<TestCaseId>> {
        let Some(programme_id) = run.programme_id else { return Ok(None) };
        let Some(programme) = record::get::<Programme>(tx, self.scope(), programme_id)? else {
            return Ok(None);
        };
        self.caller.require_noun("test_case", Verb::Write)?;
        let steps = drill.injects.iter().map(|inject| inject.text.get(language).to_owned());
        let expected: Vec<&str> = drill.success_criteria.iter().map(|text| text.get(language)).collect();
        let input = TestCaseInput {
            programme_id: set(&programme_id.to_string()),
            title: set(&title(run)),
            objective: set(drill.objective.get(language)),
            test_type: set(TestType::ScenarioBasedTest.as_str()),
            steps: Change::Set(steps.collect()),
            expected_result: set(&expected.join("\n")),
            actual_result: set(result),
            measures: Change::Set(drill.measures.iter().map(ToString::to_string).collect()),
            ..TestCaseInput::default()
        };
        let record = self.judge(|context| input.create(Some(&programme.record), context))?;
        let record = TestCase { status: reached(run), executed_at: run.finished_at, ..record };
        self.add(tx, record, None).map(Some)
    }
}

fn reached(run: &DrillRun) -> TestCaseStatus {
    if run.is_passed() { TestCaseStatus::Passed } else { TestCaseStatus::Failed }
}

/// The reference and title of the run in one line.
fn title(run: &DrillRun) -> String {
    let line = format!("{}: {}", run.reference, run.title);
    Name::fitted(&line).unwrap_or_else(Name::untitled).to_string()
}

/// The finding for a success criterion; `None` if it was met or not judged.
fn found(run: &DrillRun, drill: &Drill, number: usize, language: Language) -> Option<FindingInput> {
    let result = run.result(number)?;
    let severity = match result {
        CriterionResult::Met => return None,
        CriterionResult::Partly => Severity::Low,
        CriterionResult::Not => Severity::Medium,
    };
    let criterion = drill.success_criteria.get(number.checked_sub(1)?)?.get(language);
    let title = Name::fitted(&format!("{}: {criterion}", run.reference))?;
    let description = filled(
        FOUND,
        language,
        &[
            ("reference", &run.reference.to_string()),
            ("number", &number.to_string()),
            ("result", result.label().text(language)),
            ("criterion", criterion),
            ("title", run.title.as_str()),
        ],
    );
    let id = |id: Option<String>| id.map_or(Change::Keep, Change::Set);
    Some(FindingInput {
        programme_id: id(run.programme_id.map(|id| id.to_string())),
        test_case_id: id(run.test_case_id.map(|id| id.to_string())),
        title: set(title.as_str()),
        description: set(&description),
        severity: set(severity.as_str()),
        measures: Change::Set(drill.measures.iter().map(ToString::to_string).collect()),
        ..FindingInput::default()
    })
}
