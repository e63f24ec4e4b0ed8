//! The wire types of approvals and of the policy about them.

use std::collections::BTreeMap;

use app::{
    App,
    approval::{ApprovalFilter, ApprovalRow},
    history::Detail,
};
use domain::{
    approval::{Approval, ApprovalInput},
    approval_policy::{ApprovalPolicy as Policy, StoredPolicy, StoredRule},
    id::{ApprovalId, UserId},
    moment::{Day, Moment},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Fields, PageQuery, Parsed, Search, Words, exactly},
    v1::{
        record::Noun,
        wire::{HistoryStep, words},
    },
};

words! {
    ApprovalAction = domain::approval::ApprovalAction, "What an approval allows.";
    ApprovalState = domain::approval::ApprovalState, "Whether a request is decided, and how.";
    ApprovalNeed = domain::approval_policy::ApprovalNeed, "Who decides.";
    ApprovedKind = domain::approval_policy::ApprovedKind, "What can be approved as such.";
}

/// A decision that needs a second person.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Approval)]
pub(crate) struct ApprovalItem {
    #[schema(value_type = String, example = "apr_01k9x14js0e00000000000000a")]
    id: ApprovalId,
    /// The id of the record; of an assessment the id of its requirement; of a management review the id of its report; or `statement-of-applicability`.
    #[schema(example = "fnd_01k9x14js0e00000000000000a")]
    subject: String,
    /// The kind of the record.
    #[schema(example = "finding")]
    kind: String,
    /// What the record was called when the approval was asked for.
    #[schema(example = "F-2026-0042 Backups cannot be restored")]
    title: String,
    /// The version of the record that is decided about. If the record changes, the approval lapses.
    subject_version: i64,
    action: ApprovalAction,
    state: ApprovalState,
    /// The id of a person or a key.
    asked_by: String,
    #[schema(value_type = String, format = DateTime)]
    asked_at: Moment,
    reason: String,
    /// The last day of an acceptance.
    #[schema(value_type = Option<String>, format = Date)]
    until: Option<Day>,
    /// What it is carried out with, such as the `result` of a classification or the `stage` of a report.
    details: BTreeMap<String, String>,
    /// Whether a second person decided by the direct route of the record, so that no one asked.
    direct: bool,
    /// The people who were asked by name.
    #[schema(value_type = Vec<String>)]
    approvers: Vec<UserId>,
    decided_by: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    decided_at: Option<Moment>,
    /// What the person who decided said.
    note: Option<String>,
    /// Of a lapsed one: the fields of the record that changed.
    changed: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

impl From<&ApprovalRow> for ApprovalItem {
    fn from(row: &ApprovalRow) -> Self {
        let record = &row.record;
        Self {
            id: row.id,
            subject: record.subject.to_string(),
            kind: record.kind.clone(),
            title: record.title.to_string(),
            subject_version: record.subject_version,
            action: record.action.into(),
            state: record.state.into(),
            asked_by: record.asked_by.clone(),
            asked_at: row.created_at,
            reason: record.reason.to_string(),
            until: record.until,
            details: record.details.clone(),
            direct: record.is_direct,
            approvers: record.approvers.clone(),
            decided_by: record.decided_by.clone(),
            decided_at: record.decided_at,
            note: record.note.as_ref().map(ToString::to_string),
            changed: record.changed.clone(),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// An approval with its history.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ApprovalDetail {
    #[serde(flatten)]
    approval: ApprovalItem,
    /// Changes of the state, oldest first.
    history: Vec<HistoryStep>,
}

impl From<&Detail<ApprovalRow>> for ApprovalDetail {
    fn from(detail: &Detail<ApprovalRow>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { approval: ApprovalItem::from(&detail.record), history }
    }
}

/// A decision to ask for.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({
    "subject": "fnd_01k9x14js0e00000000000000a", "action": "accept",
    "reason": "The system is replaced in March.", "until": "2027-01-31",
}))]
pub(crate) struct NewApproval {
    /// The id of the record; of an assessment the id of its requirement; of a management review the id of its report; or `statement-of-applicability`.
    #[schema(max_length = 255, nullable = false, required)]
    subject: Option<Option<String>>,
    #[schema(value_type = ApprovalAction, nullable = false, required)]
    action: Option<Option<String>>,
    #[schema(max_length = 10_000, nullable = false, required)]
    reason: Option<Option<String>>,
    /// The last day of an acceptance; no other decision has one.
    #[schema(format = Date)]
    until: Option<Option<String>>,
    /// What the decision is carried out with. `classify` needs `result`; `send` of an incident needs `regime` and
    /// `stage`, of a CRA report `status`; other decisions have none.
    #[schema(example = json!({ "result": "not_major" }))]
    details: Option<Option<BTreeMap<String, String>>>,
    /// The ids of the people to ask. Without it everyone is asked whom the policy allows to decide.
    #[schema(max_items = 20)]
    approvers: Option<Option<Vec<String>>>,
}

/// What a decision says.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "note": "Please name a compensating control first." }))]
pub(crate) struct ApprovalNote {
    #[schema(max_length = 10_000)]
    pub(crate) note: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ApprovalParams {
    /// Only those in this state.
    #[param(value_type = Option<Vec<ApprovalState>>)]
    state: Option<Words<domain::approval::ApprovalState>>,
    /// Only those about this decision.
    #[param(value_type = Option<Vec<ApprovalAction>>)]
    action: Option<Words<domain::approval::ApprovalAction>>,
    /// Only those about the record with this id.
    subject: Option<String>,
    /// Only those that wait for the decision of the person with this id.
    #[param(value_type = Option<String>)]
    approver: Option<Parsed<UserId>>,
    /// Only those that the person or key with this id asked for.
    asked_by: Option<String>,
    /// Words of its title, its reason and its note.
    #[param(value_type = Option<String>)]
    search: Option<Search>,
}

impl Noun for Approval {
    type Item = ApprovalItem;
    type Full = ApprovalDetail;

    const PATH: &'static str = "/api/v1/approvals";

    fn filter(_: &App, query: &mut PageQuery) -> Result<ApprovalFilter, ApiError> {
        let params: ApprovalParams = query.read();
        Ok(ApprovalFilter {
            state: Words::any(params.state),
            action: Words::any(params.action),
            subject: params.subject.and_then(exactly),
            approver: params.approver.map(Parsed::value),
            asked_by: params.asked_by.and_then(exactly),
            kinds: None,
            search: params.search.and_then(Search::words),
        })
    }

    fn input(fields: &mut Fields) -> ApprovalInput {
        let request: NewApproval = fields.read();
        ApprovalInput {
            subject: request.subject.into(),
            action: request.action.into(),
            reason: request.reason.into(),
            until: request.until.into(),
            details: request.details.into(),
            approvers: request.approvers.into(),
        }
    }
}

/// What one decision needs.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ApprovalRule {
    /// `accept`, `false_positive` or `close` with a severity, `approve` with a kind, or another one with neither.
    #[schema(value_type = ApprovalAction)]
    action: String,
    /// The severity of the finding; null for decisions about other records.
    severity: Option<String>,
    /// What is approved; null for other decisions.
    #[schema(value_type = Option<ApprovedKind>)]
    kind: Option<String>,
    #[schema(value_type = ApprovalNeed)]
    needs: String,
    /// Of a rule that needs named people: their ids.
    #[schema(max_items = 50)]
    people: Vec<String>,
}

/// Which decisions of the institution need a second person. Acceptances of risks follow `second_person_from` of the
/// risk matrix; `approve` and `submit` always need one, so that they cannot be `none`.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ApprovalPolicy {
    rules: Option<Vec<ApprovalRule>>,
    /// The longest term of an accepted finding in days, by severity.
    #[schema(example = json!({ "critical": 90, "high": 180, "medium": 365, "low": 365, "info": 365 }))]
    longest_acceptance_days: Option<BTreeMap<String, u32>>,
    /// Whether API keys have to ask as well. Otherwise a key with `write` does all of this directly.
    binds_keys: Option<bool>,
    /// The severities whose findings are closed only after a passed retest, by every way to close them. Without it,
    /// critical ones. Keys are free of it unless `binds_keys` is set.
    #[schema(value_type = Option<Vec<crate::v1::wire::Severity>>, max_items = 5, example = json!(["critical"]))]
    retest_before_closing: Option<Vec<String>>,
}

impl From<&Policy> for ApprovalPolicy {
    fn from(policy: &Policy) -> Self {
        let stored = policy.stored();
        let rule = |rule: StoredRule| ApprovalRule {
            action: rule.action,
            severity: rule.severity,
            kind: rule.kind,
            needs: rule.needs,
            people: rule.people,
        };
        Self {
            rules: Some(stored.rules.into_iter().map(rule).collect()),
            longest_acceptance_days: Some(stored.longest_acceptance_days),
            binds_keys: Some(stored.binds_keys),
            retest_before_closing: stored.retest_before_closing,
        }
    }
}

impl From<ApprovalPolicy> for StoredPolicy {
    fn from(sent: ApprovalPolicy) -> Self {
        let rule = |rule: ApprovalRule| StoredRule {
            action: rule.action,
            severity: rule.severity,
            kind: rule.kind,
            needs: rule.needs,
            people: rule.people,
        };
        Self {
            rules: sent.rules.unwrap_or_default().into_iter().map(rule).collect(),
            longest_acceptance_days: sent.longest_acceptance_days.unwrap_or_default(),
            binds_keys: sent.binds_keys.unwrap_or_default(),
            retest_before_closing: sent.retest_before_closing,
        }
    }
}
