//! The bodies that create and change test cases.

use domain::test_case::TestCaseInput;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Priority, TestCaseStatus, TestType};
use crate::schema::body;

body! {
    /// A test case to create. Its status is `draft`.
    NewTestCase from TestCaseFields {
        required: ["programme_id", "title", "test_type"],
        without: ["status"],
        example: {
            "programme_id": "prg_01k9x14js0e00000000000000a",
            "title": "Restore of the core banking database",
            "test_type": "scenario_based_tests",
            "priority": "high",
            "steps": ["Restore last night's backup", "Compare the balances"],
            "expected_result": "The restore takes less than 4 hours and the balances agree.",
            "due_on": "2027-06-30",
        }
    }
}

body! {
    /// Changes to a test case. Fields that are absent keep their values; `null` clears a field.
    TestCaseChange from TestCaseFields {
        required: [],
        without: ["programme_id"],
        example: { "status": "ready", "assignee": "Jonas Keller" }
    }
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct TestCaseFields {
    /// Cannot be changed later.
    #[schema(nullable = false)]
    programme_id: Option<Option<String>>,
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    objective: Option<Option<String>>,
    #[schema(value_type = Option<TestType>, nullable = false)]
    test_type: Option<Option<String>>,
    /// The functions it tests, by name or id; each must be a function of the programme. If absent, a new test of a
    /// programme with exactly one function takes that one.
    #[schema(max_items = 200)]
    functions: Option<Option<Vec<String>>>,
    /// The next status.
    #[schema(value_type = Option<TestCaseStatus>, nullable = false)]
    status: Option<Option<String>>,
    /// Defaults to `medium`.
    #[schema(value_type = Option<Priority>, nullable = false)]
    priority: Option<Option<String>>,
    #[schema(max_length = 255)]
    assignee: Option<Option<String>>,
    #[schema(max_items = 200)]
    steps: Option<Option<Vec<String>>>,
    #[schema(max_length = 10_000)]
    expected_result: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    actual_result: Option<Option<String>>,
    /// Must not be before the start of the programme.
    #[schema(format = Date)]
    due_on: Option<Option<String>>,
    /// Must not be in the future. If absent, it is set when a result is recorded.
    #[schema(format = DateTime)]
    executed_at: Option<Option<String>>,
    #[schema(max_items = 200)]
    measures: Option<Option<Vec<String>>>,
    #[schema(max_items = 200)]
    controls: Option<Option<Vec<String>>>,
    /// Descriptions of or links to the evidence.
    #[schema(max_items = 200)]
    evidence: Option<Option<Vec<String>>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

impl From<TestCaseFields> for TestCaseInput {
    fn from(change: TestCaseFields) -> Self {
        Self {
            programme_id: change.programme_id.into(),
            title: change.title.into(),
            objective: change.objective.into(),
            test_type: change.test_type.into(),
            functions: change.functions.into(),
            status: change.status.into(),
            priority: change.priority.into(),
            assignee: change.assignee.into(),
            steps: change.steps.into(),
            expected_result: change.expected_result.into(),
            actual_result: change.actual_result.into(),
            due_on: change.due_on.into(),
            executed_at: change.executed_at.into(),
            measures: change.measures.into(),
            controls: change.controls.into(),
            evidence: change.evidence.into(),
            note: change.note.into(),
        }
    }
}
