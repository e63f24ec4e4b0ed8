//! The audit log of the tenant, for administrators and auditors.
#![expect(unused_qualifications, reason = "the documentation macro qualifies what it names")]

use app::{
    App,
    audit::Who,
    audit_search::{AuditFilter, AuditItem, AuditPage},
};
use axum::{extract::State, response::Response};
use domain::{moment::Moment, page::PageRequest, wording::Language};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use crate::{
    ApiError,
    extract::{KeyManager, PageQuery, Parsed, exactly, query::Limit},
    respond,
    v1::{
        Subject,
        wire::{KeyedErrors, words},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "audit log",
    about: "Every change of the tenant, by whom and when.",
    list: None,
    routes: |router| router.routes(routes!(list)),
};

words! {
    AuditKind = domain::audit_action::AuditKind, "What entries are about.";
}

/// An entry of the audit log.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditEntry {
    /// Its place in the log. Entries are numbered without gaps.
    #[schema(example = 4711)]
    number: i64,
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    actor: AuditActor,
    /// What was done, in one word.
    #[schema(example = "finding.changed")]
    action: String,
    /// What was done, as a sentence without its author; null for an action that has no sentence.
    #[schema(example = "changed the finding F-2026-0042 Backups cannot be restored")]
    description: Option<String>,
    record: AuditRecord,
    /// What changed. A field that was changed has a list of its value before and after; long texts are given by their
    /// length only.
    #[schema(value_type = Object, example = json!({ "due_on": [null, "2027-01-31"] }))]
    detail: serde_json::Value,
    /// The hash over this entry and the one before it.
    hash: String,
}

/// Who did it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditActor {
    /// The id of a user or key, `operator` or `system`.
    #[schema(example = "usr_01k9x14js0e00000000000000a")]
    id: String,
    kind: AuditActorKind,
    /// The name of the user or key, if it still exists.
    #[schema(example = "Anna Weber")]
    name: Option<String>,
}

/// What sort of author an entry has.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AuditActorKind {
    User,
    Key,
    Operator,
    System,
    Unknown,
}

/// The record it was done to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditRecord {
    #[schema(example = "fnd_01k9x14js0e00000000000000a")]
    id: String,
    /// What it is called now; null if it has no name or was deleted.
    #[schema(example = "F-2026-0042 Backups cannot be restored")]
    name: Option<String>,
}

/// Some entries of the audit log, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditEntries {
    data: Vec<AuditEntry>,
    meta: AuditMeta,
}

/// Where the entries end.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditMeta {
    /// Entries in this answer.
    count: u64,
    /// Send it as `before` to read on; null at the end of the log. A page may hold fewer entries than `limit` although
    /// there are more.
    next_before: Option<i64>,
}

/// What is asked of the audit log.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditParams {
    /// Entries per page. The maximum is 500; a larger number is treated as 500.
    #[param(inline, value_type = Option<Limit>)]
    limit: Option<Parsed<Limit>>,
    /// Only entries by this user or key (its id), by `operator` or by `system`.
    actor: Option<String>,
    /// Only entries about the record with this id.
    record: Option<String>,
    /// Only entries of this kind.
    #[param(inline, value_type = Option<AuditKind>)]
    kind: Option<Parsed<domain::audit_action::AuditKind>>,
    /// Only entries at this time or later (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Parsed<Moment>>,
    /// Only entries before this time (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<Parsed<Moment>>,
    /// Only entries with a smaller number: `meta.next_before` of the page before.
    #[param(value_type = Option<i64>)]
    before: Option<Parsed<i64>>,
}

impl From<AuditItem> for AuditEntry {
    fn from(item: AuditItem) -> Self {
        let description = item.deed(Language::English);
        let AuditItem { row, who, subject } = item;
        let (kind, name) = match who {
            Who::Person { name, .. } => (AuditActorKind::User, Some(name)),
            Who::Key { name, .. } => (AuditActorKind::Key, Some(name)),
            Who::Operator => (AuditActorKind::Operator, None),
            Who::System => (AuditActorKind::System, None),
            Who::Unknown(_) => (AuditActorKind::Unknown, None),
        };
        let head = domain::audit::Head { seq: row.seq, hash: row.hash };
        Self {
            number: row.seq,
            at: row.entry.at,
            actor: AuditActor { id: row.entry.actor, kind, name },
            action: row.entry.action,
            description,
            record: AuditRecord { id: row.entry.subject, name: subject },
            detail: serde_json::from_str(&row.entry.detail).unwrap_or_default(),
            hash: app::audit::head_text(&head),
        }
    }
}

/// Lists the entries of the audit log, newest first.
///
/// A key needs `manage_keys`, which only an administrator can give.
#[utoipa::path(get, path = "/api/v1/audit", tag = "audit log", params(AuditParams),
    responses((status = 200, body = AuditEntries), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let params: AuditParams = query.read();
    query.check()?;
    let filter = AuditFilter {
        actor: params.actor.and_then(exactly),
        subject: params.record.and_then(exactly),
        kind: params.kind.map(Parsed::value),
        from: params.from.map(Parsed::value),
        until: params.until.map(Parsed::value),
    };
    let before = params.before.map(Parsed::value);
    let page = PageRequest::new(params.limit.map(|Parsed(Limit(limit))| limit), None).unwrap_or_default();
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    let AuditPage { items, next, .. } = app.operations.search_audit(&caller, filter, before, limit).await?;
    let data: Vec<_> = items.into_iter().map(AuditEntry::from).collect();
    let meta = AuditMeta { count: data.len() as u64, next_before: next };
    Ok(respond::json(StatusCode::OK, respond::to_json(&AuditEntries { data, meta })))
}
