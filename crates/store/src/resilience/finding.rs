//! Findings. Their references are counted per tenant and year; their counts are updated with every change.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    archive::Archived,
    cve::{Cve, CvssScore},
    finding::{Acceptance, Finding, FindingSort, FindingStatus},
    id::{ControlId, FindingId, ProgrammeId, TenantId, TestCaseId},
    moment::Day,
    reference::FindingReference,
    task::{TaskAction, TaskType},
    vocabulary::Severity,
};

use crate::{
    Error, Reader, Result, TenantScope, Tx,
    control::Keys,
    finding_count::{self, Days, Parent, Tally},
    measure_use::{self, Contribution},
    params, proof_link,
    record::{self, Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
    work::{Work, WorkDay},
};

crate::sql! {
    NUMBER = "INSERT INTO finding_numbers (tenant_id, year, last) VALUES ($1, $2, 1)
              ON CONFLICT (tenant_id, year) DO UPDATE SET last = finding_numbers.last + 1
              RETURNING last";
    BY_REFERENCE = "SELECT id FROM findings WHERE tenant_id = $1 AND year = $2 AND number = $3";
    /// Open findings due in the future. Those without a due day sort last, and the caller leaves them out.
    NEXT_DUE = "SELECT id FROM findings WHERE tenant_id = $1 AND open = 1 AND due_on >= $2
                ORDER BY due_on, id LIMIT $3";
    /// Across tenants, for the job that reopens them.
    LAPSED = "SELECT tenant_id, id FROM findings WHERE acceptance_until < $1
              ORDER BY acceptance_until, tenant_id, id LIMIT $2";
}

pub type FindingRow = RecordRow<Finding>;

/// Which states a list contains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum States {
    /// All states in which work remains to be done.
    #[default]
    Open,
    /// At least one is named.
    Any(AnyOf<FindingStatus>),
    All,
}

impl States {
    fn contain(&self, status: FindingStatus) -> bool {
        match self {
            Self::Open => status.is_open(),
            Self::Any(wanted) => wanted.allows(&status),
            Self::All => true,
        }
    }
}

/// Which findings, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FindingFilter {
    pub archive: Archived,
    pub states: States,
    pub severity: AnyOf<Severity>,
    pub programme: AnyOf<ProgrammeId>,
    pub test_case: AnyOf<TestCaseId>,
    /// Those that name one of these requirements, measures and own controls.
    pub keys: Option<Keys>,
    /// Those that name one of these own controls.
    pub control: AnyOf<ControlId>,
    pub owner: AnyOf<String>,
    pub due_before: AnyOf<Day>,
    /// Overdue or not on this day.
    pub overdue: Option<(bool, Day)>,
    pub search: Option<String>,
    pub sort: Option<FindingSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> =
    LazyLock::new(|| TableStatements::of(&Finding::TABLE).with_stamps());

impl Kind for Finding {
    type Id = FindingId;
    type Filter = FindingFilter;

    const TABLE: Table<Self> = Table {
        name: "findings",
        prefix: FindingId::PREFIX,
        columns: &[
            TableColumn::fixed("year", |finding| Value::from(finding.reference.year())),
            TableColumn::fixed("number", |finding| Value::from(finding.reference.number())),
            TableColumn::new("programme_id", |finding| Value::from(finding.programme_id)),
            TableColumn::new("test_case_id", |finding| Value::from(finding.test_case_id)),
            TableColumn::new("title", |finding| Value::from(&finding.title)),
            TableColumn::new("description", |finding| Value::from(finding.description.as_ref())),
            TableColumn::new("severity", |finding| Value::rank(finding.severity)),
            TableColumn::new("status", |finding| Value::from(finding.status.as_str())),
            TableColumn::derived("open", |finding| Value::from(finding.status.is_open())),
            TableColumn::new("owner", |finding| Value::from(finding.owner.as_ref())),
            TableColumn::new("affected_asset", |finding| Value::from(finding.affected_asset.as_ref())),
            TableColumn::new("cve", |finding| Value::from(finding.cve.as_ref().map(Cve::as_str))),
            TableColumn::new("cvss", |finding| Value::from(finding.cvss.map(CvssScore::tenths))),
            TableColumn::new("remediation", |finding| Value::from(finding.remediation.as_ref())),
            TableColumn::new("acceptance_reason", |finding| {
                Value::from(finding.acceptance.as_ref().map(|acceptance| &acceptance.reason))
            }),
            TableColumn::new("acceptance_until", |finding| {
                Value::from(finding.acceptance.as_ref().map(|acceptance| acceptance.until))
            }),
            TableColumn::new("measures", |finding| Value::json(&finding.measures)),
            TableColumn::new("controls", |finding| measure_use::control_ids(&finding.controls)),
            TableColumn::new("detected_at", |finding| Value::from(finding.detected_at)),
            TableColumn::new("due_on", |finding| Value::day(finding.due_on)),
            TableColumn::new("due_by_rule", |finding| Value::from(finding.due_by_rule)),
            TableColumn::new("closed_at", |finding| Value::from(finding.closed_at)),
            TableColumn::new("requirements", |finding| Value::json(&finding.requirements)),
            TableColumn::new("root_cause", |finding| Value::from(finding.root_cause.as_ref())),
        ],
        archives: true,
        work: Some(&Work {
            table: "findings",
            task: Some(TaskType::Finding),
            id: "id",
            title: "title",
            owner: "owner",
            open: "r.open = 1",
            days: &[WorkDay::announced("due_on", TaskAction::Resolve)],
        }),
        filters: &[
            Filter { name: "archived", condition: "r.archived = ?" },
            Filter { name: "open", condition: "r.open = ?" },
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "severity", condition: "r.severity = ?" },
            Filter { name: "programme", condition: "r.programme_id = ?" },
            Filter { name: "test_case", condition: "r.test_case_id = ?" },
            Filter { name: "overdue", condition: "r.open = 1 AND r.due_on < ?" },
            // The same condition, written so that SQLite cannot use the index of `due_on`: faster when many rows match.
            Filter { name: "late_among_many", condition: "r.open = 1 AND r.due_on || '' < ?" },
            Filter { name: "in_time", condition: "(r.open = 0 OR r.due_on >= ?)" },
            Filter { name: "owner", condition: "r.owner = ?" },
            Filter { name: "due_before", condition: "r.due_on < ?" },
            Filter { name: "keys", condition: proof_link::NAMING },
            Filter { name: "control", condition: "r.controls LIKE ?" },
        ],
        sorts: &[
            ("severity", "r.severity"),
            ("due_on", "r.due_on"),
            ("urgency", "r.severity, r.due_on"),
            ("detected_at", "r.detected_at"),
        ],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        let (year, number): (i64, i64) = (cells.get("year")?, cells.get("number")?);
        let year = i32::try_from(year).map_err(Error::corrupt)?;
        Ok(Self {
            reference: FindingReference::new(year, number).map_err(Error::corrupt)?,
            programme_id: cells.parse_opt("programme_id")?,
            test_case_id: cells.parse_opt("test_case_id")?,
            title: cells.name("title")?,
            description: cells.prose_opt("description")?,
            severity: cells.rank("severity")?,
            status: cells.parse("status")?,
            owner: cells.name_opt("owner")?,
            affected_asset: cells.name_opt("affected_asset")?,
            cve: cells.parse_opt("cve")?,
            cvss: score(cells.get("cvss")?)?,
            remediation: cells.prose_opt("remediation")?,
            acceptance: {
                let reason = cells.prose_opt("acceptance_reason")?;
                let until = cells.parse_opt("acceptance_until")?;
                reason.zip(until).map(|(reason, until)| Acceptance { reason, until })
            },
            measures: cells.json("measures")?,
            controls: measure_use::controls(cells.get("controls")?)?,
            detected_at: cells.get("detected_at")?,
            due_on: cells.day("due_on")?,
            due_by_rule: cells.get("due_by_rule")?,
            closed_at: cells.get("closed_at")?,
            requirements: measure_use::ids(cells.get("requirements")?)?,
            root_cause: cells.prose_opt("root_cause")?,
        })
    }

    fn narrow<'q>(filter: &'q FindingFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        narrowed(filter, list, "overdue")
    }

    fn narrow_many<'q>(filter: &'q FindingFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        narrowed(filter, list, "late_among_many")
    }

    fn total(reader: &mut Reader<'_>, scope: &TenantScope, filter: &FindingFilter) -> Result<Option<u64>> {
        let Some(parent) = counted_by(filter) else { return Ok(None) };
        let wanted = |status| filter.states.contain(status);
        let all = finding_count::of(reader, scope, parent)?.matching(wanted, filter.severity.clone());
        let Some((overdue, today)) = filter.overdue else { return Ok(Some(all)) };
        let late = finding_count::of_days(reader, scope, Days::Due, None, Some(today))?;
        let late = late.matching(wanted, filter.severity.clone());
        Ok(Some(if overdue { late } else { all.saturating_sub(late) }))
    }

    fn count(
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        before: Option<&FindingRow>,
        after: Option<&FindingRow>,
    ) -> Result<()> {
        Tally::between(before, after).write(tx, scope)?;
        let id = before.or(after).map(|row| row.id.to_string()).unwrap_or_default();
        proof_link::put(tx, scope, &id, &said(before).keys(), &said(after).keys())?;
        measure_use::put(tx, scope, &id, &said(before), &said(after))
    }
}

fn score(tenths: Option<i64>) -> Result<Option<CvssScore>> {
    tenths.map(CvssScore::from_tenths).transpose().map_err(Error::corrupt)
}

fn said(row: Option<&FindingRow>) -> Contribution<'_> {
    row.map(|row| Contribution::by_finding(&row.record, row.archived_at.is_some())).unwrap_or_default()
}

/// `late` names the filter for overdue findings.
fn narrowed<'q>(filter: &'q FindingFilter, list: ListQuery<'q>, late: &str) -> ListQuery<'q> {
    let list = list.filter_opt("archived", filter.archive.wanted());
    let list = match &filter.states {
        States::Open => list.filter("open", true),
        States::Any(wanted) => list.any_word("status", wanted),
        States::All => list,
    };
    let list = match filter.overdue {
        Some((true, today)) => list.filter(late, today),
        Some((false, today)) => list.filter("in_time", today),
        None => list,
    };
    list.any("severity", &filter.severity, |severity| Value::rank(*severity))
        .any("programme", &filter.programme, |id| *id)
        .any("test_case", &filter.test_case, |id| *id)
        .any_text("owner", &filter.owner)
        .before("due_before", &filter.due_before)
        .filter_opt("keys", filter.keys.as_ref().map(Keys::as_str))
        .any("control", &filter.control, |id| measure_use::naming(&id.to_string()))
        .order_opt(filter.sort.map(FindingSort::as_str))
}

/// The materialised counter that gives this list's total. `None` for owners, due days, requirements, controls, the
/// archive, several parents or none, or a parent together with days.
fn counted_by(filter: &FindingFilter) -> Option<Parent> {
    let is_linked = filter.keys.is_some() || filter.control.asks();
    let is_planned = filter.owner.asks() || filter.due_before.asks();
    if is_planned || is_linked || filter.archive != Archived::Without {
        return None;
    }
    match (filter.programme.asks(), filter.test_case.asks()) {
        (false, false) => Some(Parent::Tenant),
        _ if filter.overdue.is_some() => None,
        (true, false) => filter.programme.one().copied().map(Parent::Programme),
        (false, true) => filter.test_case.one().copied().map(Parent::TestCase),
        (true, true) => None,
    }
}

/// The next reference of the year. The counter advances only if the transaction commits, so there are no gaps.
pub fn next_reference(tx: &mut Tx<'_>, scope: &TenantScope, year: i32) -> Result<FindingReference> {
    let number = tx.query_one(&NUMBER, params![scope.tenant(), year], |row| row.get(0))?;
    FindingReference::new(year, number).map_err(Error::corrupt)
}

/// The finding with this reference.
pub fn by_reference(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    reference: FindingReference,
) -> Result<Option<FindingId>> {
    let values = params![scope.tenant(), reference.year(), reference.number()];
    reader.query_opt(&BY_REFERENCE, values, |row| row.parse(0))
}

/// Open findings that are due on a day or later, soonest first.
pub fn next_due(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    from: Day,
    limit: u32,
) -> Result<Vec<FindingRow>> {
    let ids = reader.query(&NEXT_DUE, params![scope.tenant(), from, limit], |row| row.parse(0))?;
    let mut rows = record::get_many::<Finding>(reader, scope, &ids)?;
    rows.retain(|row| row.record.due_on.is_some());
    rows.sort_by_key(|row| (row.record.due_on, row.id));
    Ok(rows)
}

/// Findings of all tenants whose accepted risk ended before `today`, longest over first.
pub fn lapsed(reader: &mut Reader<'_>, today: Day, limit: u32) -> Result<Vec<(TenantId, FindingId)>> {
    reader.query(&LAPSED, params![today, limit], |row| Ok((row.parse(0)?, row.parse(1)?)))
}
