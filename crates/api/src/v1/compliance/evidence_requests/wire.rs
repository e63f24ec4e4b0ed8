//! The wire types of requests for evidence.

use app::{
    App,
    evidence_request::{EvidenceRequestFilter, EvidenceRequestView},
    history::Detail,
};
use domain::{
    evidence_request::{AnswerInput, EvidenceRequest, EvidenceRequestInput},
    id::{EvidenceId, EvidenceRequestId},
    moment::{Day, Moment},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Fields, Names, PageQuery, Parsed, Search, Words, exactly},
    schema::body,
    v1::{
        record::Noun,
        wire::{HistoryStep, ORDER, moves, words},
    },
};

words! {
    EvidenceRequestStatus = domain::evidence_request::EvidenceRequestStatus,
        moves::<domain::evidence_request::EvidenceRequestStatus>();
    EvidenceRequestSort = domain::evidence_request::EvidenceRequestSort, ORDER;
}

/// A request for evidence.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EvidenceRequest)]
pub(crate) struct EvidenceRequestItem {
    #[schema(value_type = String, example = "erq_01k9x14js0e00000000000000a")]
    id: EvidenceRequestId,
    #[schema(example = "ER-0001")]
    reference: String,
    /// The first line of the text.
    #[schema(example = "Access reviews of the last year")]
    title: String,
    text: String,
    /// The id of the record or the requirement it is about.
    #[schema(example = "ctl_01k9x14js0e00000000000000a")]
    subject: Option<String>,
    /// Who answers.
    owner: Option<String>,
    #[schema(value_type = String, format = Date)]
    due_on: Day,
    status: EvidenceRequestStatus,
    /// The id of the person or the key that asked.
    asked_by: String,
    /// The last answer. It stays when the request is opened again.
    answer: Option<String>,
    /// The id of the person or the key that answered.
    answered_by: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    answered_at: Option<Moment>,
    /// Ids of the evidence attached to it.
    #[schema(value_type = Vec<String>)]
    evidence: Vec<EvidenceId>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

impl From<&EvidenceRequestView> for EvidenceRequestItem {
    fn from(request: &EvidenceRequestView) -> Self {
        let (row, record) = (&request.row, &request.row.record);
        Self {
            id: row.id,
            reference: record.reference.to_string(),
            title: record.title().to_string(),
            text: record.text.to_string(),
            subject: record.subject.as_ref().map(ToString::to_string),
            owner: record.owner.as_ref().map(ToString::to_string),
            due_on: record.due_on,
            status: record.status.into(),
            asked_by: record.asked_by.clone(),
            answer: record.answer.as_ref().map(ToString::to_string),
            answered_by: record.answered_by.clone(),
            answered_at: record.answered_at,
            evidence: request.evidence.clone(),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// A request for evidence with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EvidenceRequestDetail {
    #[serde(flatten)]
    request: EvidenceRequestItem,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

impl From<&Detail<EvidenceRequestView>> for EvidenceRequestDetail {
    fn from(detail: &Detail<EvidenceRequestView>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { request: EvidenceRequestItem::from(&detail.record), history }
    }
}

body! {
    /// A request for evidence to create.
    NewEvidenceRequest from EvidenceRequestChange {
        required: ["text", "due_on"],
        without: [],
        example: {
            "text": "Access reviews of the last year", "subject": "ctl_01k9x14js0e00000000000000a",
            "due_on": "2027-01-31"
        }
    }
}

/// Changes to a request for evidence. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "due_on": "2027-02-15" }))]
pub(crate) struct EvidenceRequestChange {
    #[schema(min_length = 1, max_length = 10_000, nullable = false)]
    text: Option<Option<String>>,
    /// The id of one of the institution's records, or of a requirement.
    #[schema(max_length = 255)]
    subject: Option<Option<String>>,
    /// Who answers. If a new request leaves it out, it is the owner of the subject.
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    #[schema(format = Date, nullable = false)]
    due_on: Option<Option<String>>,
}

impl From<EvidenceRequestChange> for EvidenceRequestInput {
    fn from(change: EvidenceRequestChange) -> Self {
        Self {
            text: change.text.into(),
            subject: change.subject.into(),
            owner: change.owner.into(),
            due_on: change.due_on.into(),
        }
    }
}

/// An answer to a request for evidence.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({
    "text": "The reviews of all four quarters are attached.", "evidence": ["evd_01k9x14js0e00000000000000a"],
}))]
pub(crate) struct NewEvidenceAnswer {
    #[schema(required = true, min_length = 1, max_length = 10_000, nullable = false)]
    text: Option<Option<String>>,
    /// Ids of evidence, which is attached to the request.
    #[schema(max_items = 200)]
    evidence: Option<Option<Vec<String>>>,
}

impl From<NewEvidenceAnswer> for AnswerInput {
    fn from(answer: NewEvidenceAnswer) -> Self {
        Self { text: answer.text.into(), evidence: answer.evidence.into() }
    }
}

/// Why a request for evidence is opened again.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "reason": "The review of the third quarter is missing." }))]
pub(crate) struct ReopenedRequest {
    #[schema(required = true, min_length = 1, max_length = 10_000, nullable = false)]
    pub(crate) reason: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EvidenceRequestParams {
    /// Only requests with this status.
    #[param(value_type = Option<Vec<EvidenceRequestStatus>>)]
    status: Option<Words<domain::evidence_request::EvidenceRequestStatus>>,
    /// Only requests of the owner of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// Only requests about the record or the requirement with this id.
    subject: Option<String>,
    /// Only requests that the person or key with this id asked.
    asked_by: Option<String>,
    /// `true` for open requests past their due day, `false` for the others.
    overdue: Option<bool>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<EvidenceRequestSort>)]
    sort: Option<Parsed<domain::evidence_request::EvidenceRequestSort>>,
}

impl Noun for EvidenceRequest {
    type Item = EvidenceRequestItem;
    type Full = EvidenceRequestDetail;

    const PATH: &'static str = "/api/v1/evidence-requests";

    fn filter(app: &App, query: &mut PageQuery) -> Result<EvidenceRequestFilter, ApiError> {
        let params: EvidenceRequestParams = query.read();
        Ok(EvidenceRequestFilter {
            status: Words::any(params.status),
            owner: Names::any(params.owner),
            subject: params.subject.and_then(exactly),
            asked_by: params.asked_by.and_then(exactly),
            late: params.overdue.map(|late| (late, app.clock.now().day())),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn input(fields: &mut Fields) -> EvidenceRequestInput {
        fields.read::<EvidenceRequestChange>().into()
    }
}
