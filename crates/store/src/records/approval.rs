//! Approvals, the people for whose decision they wait, and the policy of each institution.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    approval::{Approval, ApprovalAction, ApprovalDetails, ApprovalState},
    approval_policy::{ApprovalPolicy, StoredPolicy},
    id::{ApprovalId, UserId},
    moment::Moment,
    text::Prose,
};

use serde_json::json;

use crate::{
    Error, Reader, Result, TenantScope, Tx, params,
    record::{Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
};

crate::sql! {
    ASKED = "SELECT id FROM approvals WHERE tenant_id = $1 AND subject = $2 AND state = 'asked' ORDER BY id";
    LAST_DECISION = "SELECT MAX(decided_at) FROM approvals
                     WHERE tenant_id = $1 AND subject = $2 AND state = 'granted'";
    GRANTED = "SELECT id FROM approvals
               WHERE tenant_id = $1 AND subject = $2 AND action = $3 AND state = 'granted' ORDER BY id DESC LIMIT 1";
    WAIT = "INSERT INTO approval_waits (tenant_id, approval_id, user_id) VALUES ($1, $2, $3)
            ON CONFLICT (user_id, approval_id) DO NOTHING";
    WAITS = "SELECT user_id FROM approval_waits WHERE tenant_id = $1 AND approval_id = $2 ORDER BY user_id";
    DECIDED = "DELETE FROM approval_waits WHERE tenant_id = $1 AND approval_id = $2";
    WAITING = "SELECT COUNT(*) FROM approval_waits WHERE user_id = $2 AND tenant_id = $1";
    WAITS_OF = "SELECT approval_id FROM approval_waits WHERE user_id = $2 AND tenant_id = $1 ORDER BY approval_id";
    LEAVE = "DELETE FROM approval_waits WHERE user_id = $2 AND tenant_id = $1";
    POLICY = "SELECT content FROM approval_policies WHERE tenant_id = $1";
    PUT_POLICY = "INSERT INTO approval_policies (tenant_id, content, updated_at) VALUES ($1, $2, $3)
                  ON CONFLICT (tenant_id) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at";
}

pub type ApprovalRow = RecordRow<Approval>;

/// Which approvals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApprovalFilter {
    pub state: AnyOf<ApprovalState>,
    pub action: AnyOf<ApprovalAction>,
    pub subject: Option<String>,
    /// Those that wait for the decision of this person.
    pub approver: Option<UserId>,
    /// Those that this person or key asked for.
    pub asked_by: Option<String>,
    /// Those about these kinds alone: their nouns, each between commas.
    pub kinds: Option<String>,
    pub search: Option<String>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Approval::TABLE));

impl Kind for Approval {
    type Id = ApprovalId;
    type Filter = ApprovalFilter;

    const TABLE: Table<Self> = Table {
        name: "approvals",
        prefix: ApprovalId::PREFIX,
        columns: &[
            TableColumn::fixed("subject", |approval| Value::from(&approval.subject)),
            TableColumn::fixed("kind", |approval| Value::from(approval.kind.as_str())),
            TableColumn::fixed("title", |approval| Value::from(&approval.title)),
            TableColumn::fixed("subject_version", |approval| Value::from(approval.subject_version)),
            TableColumn::fixed("action", |approval| Value::from(approval.action.as_str())),
            TableColumn::new("state", |approval| Value::from(approval.state.as_str())),
            TableColumn::fixed("asked_by", |approval| Value::from(approval.asked_by.as_str())),
            TableColumn::fixed("reason", |approval| Value::from(Some(&approval.reason))),
            TableColumn::fixed("until_on", |approval| Value::day(approval.until)),
            TableColumn::fixed("approvers", |approval| {
                Value::json(&approval.approvers.iter().map(ToString::to_string).collect::<Vec<_>>())
            }),
            TableColumn::fixed("details", |approval| Value::from(json!(approval.details).to_string())),
            TableColumn::fixed("direct", |approval| Value::from(approval.is_direct)),
            TableColumn::new("decided_by", |approval| Value::from(approval.decided_by.as_deref())),
            TableColumn::new("decided_at", |approval| Value::from(approval.decided_at)),
            TableColumn::new("note", |approval| Value::from(approval.note.as_ref())),
            TableColumn::new("changed", |approval| Value::json(&approval.changed)),
        ],
        archives: false,
        work: None,
        filters: &[
            Filter { name: "state", condition: "r.state = ?" },
            Filter { name: "action", condition: "r.action = ?" },
            Filter { name: "subject", condition: "r.subject = ?" },
            Filter { name: "asked_by", condition: "r.asked_by = ?" },
            Filter { name: "kinds", condition: "? LIKE '%,' || r.kind || ',%'" },
            Filter {
                name: "approver",
                condition: "EXISTS (SELECT 1 FROM approval_waits w WHERE w.user_id = ? AND w.approval_id = r.id)",
            },
        ],
        sorts: &[],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            subject: cells.name("subject")?,
            kind: cells.get("kind")?,
            title: cells.name("title")?,
            subject_version: cells.get("subject_version")?,
            action: cells.parse("action")?,
            state: cells.parse("state")?,
            asked_by: cells.get("asked_by")?,
            reason: cells.check("reason", Prose::parse)?,
            until: cells.day("until_on")?,
            approvers: {
                let people: Vec<String> = cells.json("approvers")?;
                people.iter().map(|id| id.parse().map_err(Error::corrupt)).collect::<Result<_>>()?
            },
            // Versions from before these columns have neither.
            details: match cells.get::<Option<String>>("details")? {
                Some(text) => serde_json::from_str(&text).map_err(Error::corrupt)?,
                None => ApprovalDetails::new(),
            },
            is_direct: cells.get::<Option<i64>>("direct")?.is_some_and(|flag| flag != 0),
            decided_by: cells.get("decided_by")?,
            decided_at: cells.get("decided_at")?,
            note: cells.prose_opt("note")?,
            changed: cells.json("changed")?,
        })
    }

    fn narrow<'q>(filter: &'q ApprovalFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.any_word("state", &filter.state)
            .any_word("action", &filter.action)
            .filter_opt("subject", filter.subject.as_deref())
            .filter_opt("asked_by", filter.asked_by.as_deref())
            .filter_opt("kinds", filter.kinds.as_deref())
            .filter_opt("approver", filter.approver)
    }
}

/// The requests about a record that are not decided, oldest first.
pub fn asked(reader: &mut Reader<'_>, scope: &TenantScope, subject: &str) -> Result<Vec<ApprovalRow>> {
    let ids: Vec<ApprovalId> = reader.query(&ASKED, params![scope.tenant(), subject], |row| row.parse(0))?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    crate::record::get_many::<Approval>(reader, scope, &ids)
}

/// The approval of this decision about a record that was granted last.
pub fn last_granted(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    subject: &str,
    action: ApprovalAction,
) -> Result<Option<ApprovalRow>> {
    let id: Option<ApprovalId> =
        reader.query_opt(&GRANTED, params![scope.tenant(), subject, action.as_str()], |row| row.parse(0))?;
    match id {
        Some(id) => crate::record::get::<Approval>(reader, scope, id),
        None => Ok(None),
    }
}

/// When a decision about the record was last carried out.
pub fn last_decision(reader: &mut Reader<'_>, scope: &TenantScope, subject: &str) -> Result<Option<Moment>> {
    reader.query_one(&LAST_DECISION, params![scope.tenant(), subject], |row| row.get(0))
}

/// The request waits for the decision of this person.
pub fn wait(tx: &mut Tx<'_>, scope: &TenantScope, approval: ApprovalId, person: UserId) -> Result<()> {
    tx.execute(&WAIT, params![scope.tenant(), approval, person])?;
    Ok(())
}

/// The people for whose decision the request waits.
pub fn waits(reader: &mut Reader<'_>, scope: &TenantScope, approval: ApprovalId) -> Result<Vec<UserId>> {
    reader.query(&WAITS, params![scope.tenant(), approval], |row| row.parse(0))
}

/// The request waits no longer.
pub fn forget_waits(tx: &mut Tx<'_>, scope: &TenantScope, approval: ApprovalId) -> Result<()> {
    tx.execute(&DECIDED, params![scope.tenant(), approval])?;
    Ok(())
}

/// How many requests wait for the decision of a person.
pub fn waiting_for(reader: &mut Reader<'_>, scope: &TenantScope, person: UserId) -> Result<u64> {
    reader.query_one(&WAITING, params![scope.tenant(), person], |row| row.get(0))
}

/// The requests that wait for the decision of a person, oldest first.
pub fn waits_of(reader: &mut Reader<'_>, scope: &TenantScope, person: UserId) -> Result<Vec<ApprovalRow>> {
    let ids: Vec<ApprovalId> =
        reader.query(&WAITS_OF, params![scope.tenant(), person], |row| row.parse(0))?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    crate::record::get_many::<Approval>(reader, scope, &ids)
}

/// No request waits for this person any longer.
pub fn leave(tx: &mut Tx<'_>, scope: &TenantScope, person: UserId) -> Result<()> {
    tx.execute(&LEAVE, params![scope.tenant(), person])?;
    Ok(())
}

/// The policy of the institution; the usual one if it has chosen none.
pub fn policy(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<ApprovalPolicy> {
    let stored: Option<String> = reader.query_opt(&POLICY, params![scope.tenant()], |row| row.get(0))?;
    let Some(stored) = stored else { return Ok(ApprovalPolicy::default()) };
    let words: StoredPolicy = serde_json::from_str(&stored).map_err(Error::corrupt)?;
    words.read().map_err(Error::corrupt)
}

pub fn put_policy(tx: &mut Tx<'_>, scope: &TenantScope, policy: &ApprovalPolicy, at: Moment) -> Result<()> {
    let content = serde_json::to_string(&policy.stored()).map_err(Error::corrupt)?;
    tx.execute(&PUT_POLICY, params![scope.tenant(), content, at])?;
    Ok(())
}
