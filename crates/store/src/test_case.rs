//! Test cases. Each belongs to a programme; the counts of both are kept with every change.

use domain::{
    archive::Archived,
    coverage::TestRow,
    id::{ProgrammeId, TestCaseId},
    moment::{Day, Moment},
    page::{Page, PageRequest},
    sort::TestCaseSort,
    test_case::{TestCase, TestCaseStatus},
    test_type::TestType,
    text::{Name, Prose},
};

use crate::{
    Error, Reader, Result, TenantScope, Tx, document, params,
    sql::{Filter, Found, List, Order, Row, Search, Value, walk},
    test_case_count,
};

crate::sql! {
    INSERT = "INSERT INTO test_cases (id, tenant_id, programme_id, title, objective, test_type, status, pending,
                                      priority, assignee, steps, expected_result, actual_result, due_on, executed_at,
                                      measures, evidence, archived, archived_at, version, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
                      $22)";
    GET = "SELECT t.id, t.programme_id, t.title, t.objective, t.test_type, t.status, t.priority, t.assignee, t.steps,
                  t.expected_result, t.actual_result, t.due_on, t.executed_at, t.measures, t.evidence, t.version,
                  t.created_at, t.updated_at, t.archived_at
           FROM test_cases t WHERE t.tenant_id = $1 AND t.id = $2";
    PROGRAMME_OF = "SELECT programme_id FROM test_cases WHERE tenant_id = $1 AND id = $2";
    PROGRAMMES = "SELECT id, programme_id FROM test_cases WHERE tenant_id = $1 ORDER BY id";
    RESULTS = "SELECT programme_id, test_type, status, due_on, executed_at FROM test_cases
               WHERE tenant_id = $1 ORDER BY id";
    UPDATE = "UPDATE test_cases SET title = $4, objective = $5, test_type = $6, status = $7, pending = $8,
                                    priority = $9, assignee = $10, steps = $11, expected_result = $12,
                                    actual_result = $13, due_on = $14, executed_at = $15, measures = $16,
                                    evidence = $17, archived = $18, archived_at = $19, version = version + 1,
                                    updated_at = $20
              WHERE tenant_id = $1 AND id = $2 AND version = $3";
    DELETE = "DELETE FROM test_cases WHERE tenant_id = $1 AND id = $2";
    /// Those still to come; a draft is not promised yet.
    NEXT_DUE = "SELECT t.id, t.programme_id, t.title, t.objective, t.test_type, t.status, t.priority, t.assignee,
                       t.steps, t.expected_result, t.actual_result, t.due_on, t.executed_at, t.measures, t.evidence,
                       t.version, t.created_at, t.updated_at, t.archived_at
                FROM test_cases t
                WHERE t.tenant_id = $1 AND t.due_on >= $2 AND t.pending = 1 AND t.status <> 'draft'
                ORDER BY t.due_on, t.id LIMIT $3";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "test_cases",
    columns:
        "t.id, t.programme_id, t.title, t.objective, t.test_type, t.status, t.priority, t.assignee, t.steps,
              t.expected_result, t.actual_result, t.due_on, t.executed_at, t.measures, t.evidence, t.version,
              t.created_at, t.updated_at, t.archived_at",
    stamps: None,
    from: "test_cases t",
    base: "t.tenant_id = $1",
    filters: &[
        Filter { name: "archived", condition: "t.archived = ?" },
        Filter { name: "status", condition: "t.status = ?" },
        Filter { name: "test_type", condition: "t.test_type = ?" },
        Filter { name: "programme", condition: "t.programme_id = ?" },
        Filter { name: "assignee", condition: "t.assignee = ?" },
    ],
    orders: &[
        Order { name: "-created_at", by: "t.id DESC", back: "t.id" },
        Order { name: "created_at", by: "t.id", back: "t.id DESC" },
        Order { name: "due_on", by: "t.due_on, t.id", back: "t.due_on DESC, t.id DESC" },
        Order { name: "-due_on", by: "t.due_on DESC, t.id DESC", back: "t.due_on, t.id" },
        Order { name: "priority", by: "t.priority, t.id", back: "t.priority DESC, t.id DESC" },
        Order { name: "-priority", by: "t.priority DESC, t.id DESC", back: "t.priority, t.id" },
    ],
    found: Some(Found { on: "t.id = d.record_id" }),
    walk: walk!("t.id", TestCaseId, "t.updated_at"),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCaseRow {
    pub id: TestCaseId,
    pub test_case: TestCase,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
    /// There exactly while it is archived.
    pub archived_at: Option<Moment>,
}

/// Which test cases, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestCaseQuery {
    pub archive: Archived,
    pub status: Option<TestCaseStatus>,
    pub test_type: Option<TestType>,
    pub programme: Option<ProgrammeId>,
    pub assignee: Option<String>,
    pub search: Option<Search>,
    pub sort: Option<TestCaseSort>,
}

fn read(row: &Row<'_>) -> Result<TestCaseRow> {
    let proses = |index| -> Result<Vec<Prose>> {
        let texts: Vec<String> = row.json(index)?;
        texts.iter().map(|text| Prose::parse(text).map_err(Error::corrupt)).collect()
    };
    Ok(TestCaseRow {
        id: row.parse(0)?,
        test_case: TestCase {
            programme_id: row.parse(1)?,
            title: row.check(2, Name::parse)?,
            objective: row.check_opt(3, Prose::parse)?,
            test_type: row.parse(4)?,
            status: row.parse(5)?,
            priority: row.rank(6)?,
            assignee: row.check_opt(7, Name::parse)?,
            steps: proses(8)?,
            expected_result: row.check_opt(9, Prose::parse)?,
            actual_result: row.check_opt(10, Prose::parse)?,
            due_on: row.day(11)?,
            executed_at: row.get(12)?,
            measures: row.json(13)?,
            evidence: proses(14)?,
        },
        version: row.get(15)?,
        created_at: row.get(16)?,
        updated_at: row.get(17)?,
        archived_at: row.get(18)?,
    })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &TestCaseRow) -> Result<()> {
    let test_case = &row.test_case;
    tx.execute(
        &INSERT,
        params![
            row.id,
            scope.tenant(),
            test_case.programme_id,
            &test_case.title,
            test_case.objective.as_ref(),
            test_case.test_type.as_str(),
            test_case.status.as_str(),
            test_case.status.is_pending(),
            Value::rank(test_case.priority),
            test_case.assignee.as_ref(),
            Value::json(&test_case.steps),
            test_case.expected_result.as_ref(),
            test_case.actual_result.as_ref(),
            Value::day(test_case.due_on),
            test_case.executed_at,
            Value::json(&test_case.measures),
            Value::json(&test_case.evidence),
            row.archived_at.is_some(),
            row.archived_at,
            row.version,
            row.created_at,
            row.updated_at,
        ],
    )?;
    test_case_count::count(tx, scope, row, 1)
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: TestCaseId) -> Result<Option<TestCaseRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// The programme a test case belongs to, if the tenant has that test case.
pub fn programme_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: TestCaseId,
) -> Result<Option<ProgrammeId>> {
    reader.query_opt(&PROGRAMME_OF, params![scope.tenant(), id], |row| row.parse(0))
}

pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    query: &TestCaseQuery,
    request: PageRequest,
) -> Result<Page<TestCaseRow>> {
    let list = LIST
        .query(scope)
        .filter_opt("archived", query.archive.wanted())
        .filter_opt("status", query.status.map(TestCaseStatus::as_str))
        .filter_opt("test_type", query.test_type.map(TestType::as_str))
        .filter_opt("programme", query.programme)
        .filter_opt("assignee", query.assignee.as_deref())
        .search(query.search.clone())
        .order_opt(query.sort.map(TestCaseSort::as_str));
    if query.search.is_some() || query.assignee.is_some() || query.archive != Archived::Without {
        return list.page(reader, request, read);
    }
    let counts = test_case_count::of(reader, scope, query.programme)?;
    list.page_of(reader, request, counts.matching(query.test_type, query.status), read)
}

/// Hands on every test case with its programme.
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
    let mut rows = reader.query(&NEXT_DUE, params![scope.tenant(), from, limit], read)?;
    // One without a due day sorts as the very last day.
    rows.retain(|row| row.test_case.due_on.is_some());
    Ok(rows)
}

/// Hands on what coverage needs of every test case, with its programme; the place of the programme is left open.
pub fn for_each_result(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    mut each: impl FnMut(ProgrammeId, TestRow),
) -> Result<()> {
    reader.for_each(&RESULTS, params![scope.tenant()], |row| {
        let result = TestRow {
            programme: 0,
            test_type: row.parse(1)?,
            status: row.parse(2)?,
            due_on: row.day(3)?,
            executed_on: row.get::<Option<Moment>>(4)?.map(Moment::day),
        };
        each(row.parse(0)?, result);
        Ok(())
    })
}

/// Stores the changed test case if its version is still the one `before` was read with.
pub fn update(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    before: &TestCaseRow,
    after: &TestCaseRow,
) -> Result<bool> {
    let test_case = &after.test_case;
    let changed = tx.execute(
        &UPDATE,
        params![
            scope.tenant(),
            after.id,
            before.version,
            &test_case.title,
            test_case.objective.as_ref(),
            test_case.test_type.as_str(),
            test_case.status.as_str(),
            test_case.status.is_pending(),
            Value::rank(test_case.priority),
            test_case.assignee.as_ref(),
            Value::json(&test_case.steps),
            test_case.expected_result.as_ref(),
            test_case.actual_result.as_ref(),
            Value::day(test_case.due_on),
            test_case.executed_at,
            Value::json(&test_case.measures),
            Value::json(&test_case.evidence),
            after.archived_at.is_some(),
            after.archived_at,
            after.updated_at,
        ],
    )?;
    if changed == 0 {
        return Ok(false);
    }
    document::mark(tx, scope, &after.id.to_string())?;
    test_case_count::count(tx, scope, before, -1)?;
    test_case_count::count(tx, scope, after, 1)?;
    Ok(true)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, row: &TestCaseRow) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), row.id])?;
    test_case_count::count(tx, scope, row, -1)
}
