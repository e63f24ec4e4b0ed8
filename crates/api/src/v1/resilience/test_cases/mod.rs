//! Test cases.

pub(crate) mod input;

use app::{
    App,
    control::Keys,
    history::Detail,
    test_case::{TestCaseFilter, TestCaseView},
};
use domain::{
    id::{ProgrammeId, TestCaseId},
    moment::{Day, Moment},
    test_case::{TestCase, TestCaseInput},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use self::input::{NewTestCase, TestCaseChange, TestCaseFields};
use crate::{
    ApiError,
    extract::{Fields, Names, PageQuery, Parsed, Search, Words, WordsOrNone},
    v1::{
        Subject, WholeList,
        compliance::test_coverage,
        record::{AsOfParams, Noun, RequirementParams, record_routes},
        records::tags::TagParams,
        wire::{Archived, FindingTotals, HistoryStep, ORDER, moves, words},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "test cases",
    about: "The tests of a programme, their results, and which critical functions they cover.",
    list: Some(WholeList::all::<TestCase>()),
    routes: |router| record_routes(router).routes(routes!(test_coverage::get)),
};

words! {
    Priority = domain::vocabulary::Priority, "A priority.";
    TestType = domain::test_type::TestType, "The tests of Article 25(1) of DORA, and threat-led penetration tests.";
    TestCaseStatus = domain::test_case::TestCaseStatus, moves::<domain::test_case::TestCaseStatus>();
    TestCaseSort = domain::test_case::TestCaseSort, ORDER;
}

/// A test of a programme, from its plan to its result.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TestCase)]
pub(crate) struct TestCaseItem {
    #[schema(value_type = String, example = "tst_01k9x14js0e00000000000000a")]
    id: TestCaseId,
    #[schema(value_type = String, example = "prg_01k9x14js0e00000000000000a")]
    programme_id: ProgrammeId,
    #[schema(example = "Restore of the core banking database")]
    title: String,
    objective: Option<String>,
    test_type: TestType,
    /// The functions it tests, by name: functions of its programme. The test counts for these, and for no others.
    functions: Vec<String>,
    status: TestCaseStatus,
    priority: Priority,
    assignee: Option<String>,
    steps: Vec<String>,
    expected_result: Option<String>,
    actual_result: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    due_on: Option<Day>,
    /// When the latest result was recorded.
    #[schema(value_type = Option<String>, format = DateTime)]
    executed_at: Option<Moment>,
    /// Ids of catalogue measures, and of own controls.
    measures: Vec<String>,
    controls: Vec<String>,
    /// Descriptions of or links to the evidence.
    evidence: Vec<String>,
    findings: FindingTotals,
    /// There while it is archived: out of the lists, and not to be changed.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// A test case with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TestCaseDetail {
    #[serde(flatten)]
    test_case: TestCaseItem,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TestCaseParams {
    /// Only test cases with this status.
    #[param(value_type = Option<Vec<TestCaseStatus>>)]
    status: Option<Words<domain::test_case::TestCaseStatus>>,
    /// Only test cases of this type.
    #[param(value_type = Option<Vec<TestType>>)]
    test_type: Option<Words<domain::test_type::TestType>>,
    /// Only test cases of this programme. Sent several times, of any of them.
    #[param(value_type = Option<Vec<String>>)]
    programme_id: Option<Words<String>>,
    /// Only test cases of the assignee of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    assignee: Option<Names>,
    /// Only test cases that are due before this day; `none` stands for test cases without a day, and can be sent
    /// besides a day.
    #[param(value_type = Option<Vec<String>>, example = json!(["2026-12-31"]))]
    due_before: Option<WordsOrNone<Day>>,
    /// `true` for archived test cases, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<TestCaseSort>)]
    sort: Option<Parsed<domain::test_case::TestCaseSort>>,
}

impl From<&TestCaseView> for TestCaseItem {
    fn from(test_case: &TestCaseView) -> Self {
        let (row, record) = (&test_case.row, &test_case.row.record);
        Self {
            id: row.id,
            programme_id: record.programme_id,
            title: record.title.to_string(),
            objective: record.objective.as_ref().map(ToString::to_string),
            test_type: record.test_type.into(),
            functions: record.functions.iter().map(ToString::to_string).collect(),
            status: record.status.into(),
            priority: record.priority.into(),
            assignee: record.assignee.as_ref().map(ToString::to_string),
            steps: record.steps.iter().map(ToString::to_string).collect(),
            expected_result: record.expected_result.as_ref().map(ToString::to_string),
            actual_result: record.actual_result.as_ref().map(ToString::to_string),
            due_on: record.due_on,
            executed_at: record.executed_at,
            measures: record.measures.clone(),
            controls: record.controls.iter().map(ToString::to_string).collect(),
            evidence: record.evidence.iter().map(ToString::to_string).collect(),
            findings: FindingTotals { open: test_case.findings.open(), total: test_case.findings.total() },
            archived_at: row.archived_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&Detail<TestCaseView>> for TestCaseDetail {
    fn from(detail: &Detail<TestCaseView>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { test_case: TestCaseItem::from(&detail.record), history }
    }
}

impl Noun for TestCase {
    type Item = TestCaseItem;
    type Full = TestCaseDetail;

    const PATH: &'static str = "/api/v1/test-cases";

    fn filter(_: &App, query: &mut PageQuery) -> Result<TestCaseFilter, ApiError> {
        let params: TestCaseParams = query.read();
        Ok(TestCaseFilter {
            archive: params.archived.map(Parsed::value).unwrap_or_default(),
            status: Words::any(params.status),
            test_type: Words::any(params.test_type),
            programme: query.ids("programme_id", &Words::any(params.programme_id), "a programme"),
            assignee: Names::any(params.assignee),
            due_before: WordsOrNone::any(params.due_before),
            keys: None,
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn proving(filter: &mut TestCaseFilter) -> Option<&mut Option<Keys>> {
        Some(&mut filter.keys)
    }

    fn input(fields: &mut Fields) -> TestCaseInput {
        fields.read::<TestCaseFields>().into()
    }
}

record_routes! {
    TestCase, "a test case", TestCaseDetail;

    /// Lists test cases, the newest first.
    list(TestCaseItem; AsOfParams, TagParams, RequirementParams, TestCaseParams);
    create(NewTestCase);
    get;
    /// Updates a test case.
    ///
    /// Fields that are absent keep their values. The status can only move along the transitions of `TestCaseStatus`.
    patch(TestCaseChange);
    /// Deletes a test case that was never executed and has no findings; others are archived instead.
    delete;
    /// Archives a test case that has a result or is cancelled: it leaves the lists and keeps its history.
    archive;
    /// Brings an archived test case back into the lists.
    restore;
    versions;
    version;
}
