//! Test cases. Each belongs to a programme; the counts of both are updated with every change.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    archive::Archived,
    coverage::TestRow,
    id::{ProgrammeId, TestCaseId},
    moment::{Day, Moment},
    task::{TaskAction, TaskType},
    test_case::{TestCase, TestCaseSort, TestCaseStatus},
    test_type::TestType,
    text::{Name, Prose},
};

use crate::{
    Reader, Result, TenantScope, Tx,
    control::Keys,
    function::{self, Referrer},
    measure_use::{self, Contribution},
    params, proof_link,
    record::{self, Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
    test_case_count,
    work::{Work, WorkDay},
};

crate::sql! {
    PROGRAMME_OF = "SELECT programme_id FROM test_cases WHERE tenant_id = $1 AND id = $2";
    PROGRAMMES = "SELECT id, programme_id FROM test_cases WHERE tenant_id = $1 ORDER BY id";
    RESULTS = "SELECT functions, test_type, status, due_on, executed_at, archived FROM test_cases
               WHERE tenant_id = $1 ORDER BY id";
    UNNAMED = "SELECT CAST(COUNT(*) AS BIGINT) FROM test_cases
               WHERE tenant_id = $1 AND programme_id = $2 AND functions = '[]' AND archived = 0
                 AND status <> 'cancelled'";
    /// Test cases due in the future; drafts are left out because they are not committed to.
    NEXT_DUE = "SELECT id FROM test_cases
                WHERE tenant_id = $1 AND due_on >= $2 AND pending = 1 AND status <> 'draft'
                ORDER BY due_on, id LIMIT $3";
}

pub type TestCaseRow = RecordRow<TestCase>;

/// Which test cases, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestCaseFilter {
    pub archive: Archived,
    pub status: AnyOf<TestCaseStatus>,
    pub test_type: AnyOf<TestType>,
    pub programme: AnyOf<ProgrammeId>,
    pub assignee: AnyOf<String>,
    pub due_before: AnyOf<Day>,
    /// Those that name one of these measures and own controls.
    pub keys: Option<Keys>,
    pub search: Option<String>,
    pub sort: Option<TestCaseSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&TestCase::TABLE));

impl Kind for TestCase {
    type Id = TestCaseId;
    type Filter = TestCaseFilter;

    const TABLE: Table<Self> = Table {
        name: "test_cases",
        prefix: TestCaseId::PREFIX,
        columns: &[
            TableColumn::fixed("programme_id", |test| Value::from(test.programme_id)),
            TableColumn::new("title", |test| Value::from(&test.title)),
            TableColumn::new("objective", |test| Value::from(test.objective.as_ref())),
            TableColumn::new("test_type", |test| Value::from(test.test_type.as_str())),
            TableColumn::new("status", |test| Value::from(test.status.as_str())),
            TableColumn::derived("pending", |test| Value::from(test.status.is_pending())),
            TableColumn::new("priority", |test| Value::rank(test.priority)),
            TableColumn::new("assignee", |test| Value::from(test.assignee.as_ref())),
            TableColumn::new("steps", |test| Value::json(&test.steps)),
            TableColumn::new("expected_result", |test| Value::from(test.expected_result.as_ref())),
            TableColumn::new("actual_result", |test| Value::from(test.actual_result.as_ref())),
            TableColumn::new("due_on", |test| Value::day(test.due_on)),
            TableColumn::new("executed_at", |test| Value::from(test.executed_at)),
            TableColumn::new("measures", |test| Value::json(&test.measures)),
            TableColumn::new("controls", |test| measure_use::control_ids(&test.controls)),
            TableColumn::new("evidence", |test| Value::json(&test.evidence)),
            TableColumn::new("functions", |test| Value::json(&test.functions)),
        ],
        archives: true,
        work: Some(&Work {
            table: "test_cases",
            task: Some(TaskType::TestCase),
            id: "id",
            title: "title",
            owner: "assignee",
            open: "r.pending = 1",
            days: &[WorkDay::announced("due_on", TaskAction::Execute)],
        }),
        filters: &[
            Filter { name: "archived", condition: "r.archived = ?" },
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "test_type", condition: "r.test_type = ?" },
            Filter { name: "programme", condition: "r.programme_id = ?" },
            Filter { name: "assignee", condition: "r.assignee = ?" },
            Filter { name: "due_before", condition: "r.due_on < ?" },
            Filter { name: "keys", condition: proof_link::NAMING },
        ],
        sorts: &[("due_on", "r.due_on"), ("priority", "r.priority")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            programme_id: cells.parse("programme_id")?,
            title: cells.name("title")?,
            objective: cells.prose_opt("objective")?,
            test_type: cells.parse("test_type")?,
            status: cells.parse("status")?,
            priority: cells.rank("priority")?,
            assignee: cells.name_opt("assignee")?,
            steps: cells.texts("steps", Prose::parse)?,
            expected_result: cells.prose_opt("expected_result")?,
            actual_result: cells.prose_opt("actual_result")?,
            due_on: cells.day("due_on")?,
            executed_at: cells.get("executed_at")?,
            measures: cells.json("measures")?,
            controls: measure_use::controls(cells.get("controls")?)?,
            evidence: cells.texts("evidence", Prose::parse)?,
            functions: cells.texts("functions", Name::parse)?,
        })
    }

    fn narrow<'q>(filter: &'q TestCaseFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.filter_opt("archived", filter.archive.wanted())
            .any_word("status", &filter.status)
            .any_word("test_type", &filter.test_type)
            .any("programme", &filter.programme, |id| *id)
            .any_text("assignee", &filter.assignee)
            .before("due_before", &filter.due_before)
            .filter_opt("keys", filter.keys.as_ref().map(Keys::as_str))
            .order_opt(filter.sort.map(TestCaseSort::as_str))
    }

    fn total(reader: &mut Reader<'_>, scope: &TenantScope, filter: &TestCaseFilter) -> Result<Option<u64>> {
        let is_planned = filter.assignee.asks() || filter.due_before.asks();
        let programme = filter.programme.one().copied();
        let is_one_or_all = programme.is_some() || !filter.programme.asks();
        if is_planned || filter.keys.is_some() || filter.archive != Archived::Without || !is_one_or_all {
            return Ok(None);
        }
        let counts = test_case_count::of(reader, scope, programme)?;
        Ok(Some(counts.matching(filter.test_type.clone(), filter.status.clone())))
    }

    fn count(
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        before: Option<&TestCaseRow>,
        after: Option<&TestCaseRow>,
    ) -> Result<()> {
        if let Some(before) = before {
            test_case_count::count(tx, scope, before, -1)?;
        }
        if let Some(after) = after {
            test_case_count::count(tx, scope, after, 1)?;
        }
        refer(tx, scope, before, after)?;
        let id = before.or(after).map(|row| row.id.to_string()).unwrap_or_default();
        proof_link::put(tx, scope, &id, &said(before).keys(), &said(after).keys())?;
        measure_use::put(tx, scope, &id, &said(before), &said(after))
    }
}

/// Stores which functions the test names, and whether it is archived.
fn refer(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    before: Option<&TestCaseRow>,
    after: Option<&TestCaseRow>,
) -> Result<()> {
    let Some(after) = after else {
        return before.map_or(Ok(()), |gone| function::forget(tx, scope, &gone.id.to_string()));
    };
    let named = |row: &TestCaseRow| (row.record.functions.clone(), row.archived_at.is_some());
    if before.map_or_else(Default::default, named) == named(after) {
        return Ok(());
    }
    let kind = if after.archived_at.is_some() { Referrer::ArchivedTestCase } else { Referrer::TestCase };
    let functions = after.record.functions.iter().map(|name| (name.as_str(), false));
    function::refer(tx, scope, (kind, &after.id.to_string()), functions, after.updated_at)
}

fn said(row: Option<&TestCaseRow>) -> Contribution<'_> {
    row.map(|row| Contribution::by_test(&row.record, row.archived_at.is_some())).unwrap_or_default()
}

/// The programme a test case belongs to, if the tenant has that test case.
pub fn programme_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: TestCaseId,
) -> Result<Option<ProgrammeId>> {
    reader.query_opt(&PROGRAMME_OF, params![scope.tenant(), id], |row| row.parse(0))
}

/// Calls `each` for every test case with its programme.
pub fn for_each_programme(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    mut each: impl FnMut(TestCaseId, ProgrammeId),
) -> Result<()> {
    reader.for_each(&PROGRAMMES, params![scope.tenant()], |row| {
        each(row.parse(0)?, row.parse(1)?);
        Ok(())
    })
}

/// Test cases that are to be run on a day or later, soonest first.
pub fn next_due(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    from: Day,
    limit: u32,
) -> Result<Vec<TestCaseRow>> {
    let ids = reader.query(&NEXT_DUE, params![scope.tenant(), from, limit], |row| row.parse(0))?;
    let mut rows = record::get_many::<TestCase>(reader, scope, &ids)?;
    // A day that is not set is stored as a text that sorts after every day.
    rows.retain(|row| row.record.due_on.is_some());
    rows.sort_by_key(|row| (row.record.due_on, row.id));
    Ok(rows)
}

/// How many test cases of a programme name no function, without those that are cancelled or archived.
pub fn without_functions(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    programme: ProgrammeId,
) -> Result<u64> {
    reader.query_one(&UNNAMED, params![scope.tenant(), programme], |row| row.get(0))
}

/// Calls `each` with the fields of every test case that coverage needs.
pub fn for_each_result(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    mut each: impl FnMut(TestRow),
) -> Result<()> {
    reader.for_each(&RESULTS, params![scope.tenant()], |row| {
        each(TestRow {
            functions: row.json(0)?,
            archived: row.get(5)?,
            test_type: row.parse(1)?,
            status: row.parse(2)?,
            due_on: row.day(3)?,
            executed_on: row.get::<Option<Moment>>(4)?.map(Moment::day),
        });
        Ok(())
    })
}
