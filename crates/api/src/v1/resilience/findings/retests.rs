//! Retests of findings.

use app::{App, finding::RetestRow};
use axum::{extract::State, response::Response};
use domain::{
    id::{EvidenceId, FindingId},
    moment::{Day, Moment},
    retest::RetestInput,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Body, IdPath, Reader, Writer},
    respond::{self, All, Data},
    v1::wire::{BodyErrors, KeyedErrors, words},
};

words! {
    RetestResult = domain::retest::RetestResult, "What a retest showed.";
}

/// One run that shows whether the cause of a finding is gone. It is never changed; a further retest corrects it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingRetest {
    /// Counted from 1 for each finding, in the order of recording.
    #[schema(example = 1)]
    number: i64,
    result: RetestResult,
    #[schema(value_type = String, format = Date)]
    performed_on: Day,
    /// Who performed it; `null` for the one who recorded it.
    #[schema(example = "Internal audit")]
    performed_by: Option<String>,
    /// Whether the owner of the finding performed it.
    by_owner: bool,
    actual_result: Option<String>,
    /// The ids of evidence of this retest.
    #[schema(value_type = Vec<String>)]
    evidence: Vec<EvidenceId>,
    #[schema(value_type = String, format = DateTime)]
    recorded_at: Moment,
    /// The id of the API key or user that recorded it, `operator`, or `system`.
    recorded_by: String,
}

/// A retest to record.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "result": "passed", "performed_on": "2026-11-14", "performed_by": "Internal audit",
    "actual_result": "The restore took 3 hours and 10 minutes." }))]
pub(crate) struct NewFindingRetest {
    #[schema(value_type = RetestResult, required = true, nullable = false)]
    result: Option<Option<String>>,
    /// Not in the future, and not before the day of detection.
    #[schema(format = Date, required = true, nullable = false)]
    performed_on: Option<Option<String>>,
    /// Who performed it. Without it, the one who records it.
    #[schema(max_length = 255)]
    performed_by: Option<Option<String>>,
    /// What happened. Required when the result is `failed`.
    #[schema(max_length = 10_000)]
    actual_result: Option<Option<String>>,
    /// Ids of evidence.
    #[schema(max_items = 200)]
    evidence: Option<Option<Vec<String>>>,
}

impl From<&RetestRow> for FindingRetest {
    fn from(row: &RetestRow) -> Self {
        let retest = &row.retest;
        Self {
            number: row.number,
            result: retest.result.into(),
            performed_on: retest.performed_on,
            performed_by: retest.performed_by.as_ref().map(ToString::to_string),
            by_owner: retest.by_owner,
            actual_result: retest.actual_result.as_ref().map(ToString::to_string),
            evidence: retest.evidence.clone(),
            recorded_at: row.recorded_at,
            recorded_by: row.actor.clone(),
        }
    }
}

impl From<NewFindingRetest> for RetestInput {
    fn from(sent: NewFindingRetest) -> Self {
        Self {
            result: sent.result.into(),
            performed_on: sent.performed_on.into(),
            performed_by: sent.performed_by.into(),
            actual_result: sent.actual_result.into(),
            evidence: sent.evidence.into(),
        }
    }
}

/// Lists the latest retests of a finding, last recorded first.
#[utoipa::path(get, path = "/api/v1/findings/{id}/retests", operation_id = "listFindingRetests",
    tag = "findings", params(("id" = String, Path)),
    responses((status = 200, body = All<FindingRetest>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<FindingId>,
) -> Result<Response, ApiError> {
    let rows = app.resilience.retests(&caller, id).await?;
    let data: Vec<FindingRetest> = rows.iter().map(FindingRetest::from).collect();
    Ok(respond::json(StatusCode::OK, respond::to_json(&All { data })))
}

/// Records a retest of a finding.
///
/// It is never changed: a further retest corrects it. Where the approval policy says so, a finding is closed only after
/// the latest retest has passed since it was last opened.
#[utoipa::path(post, path = "/api/v1/findings/{id}/retests", operation_id = "recordFindingRetest",
    tag = "findings",
    request_body = NewFindingRetest, params(("id" = String, Path)),
    responses((status = 201, body = Data<FindingRetest>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<FindingId>,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input: RetestInput = fields.read::<NewFindingRetest>().into();
    let input = fields.finish(Some(input))?;
    let render = |row: &RetestRow| respond::to_text(&Data { data: FindingRetest::from(row) });
    let creation = app.resilience.record_retest(&caller, id, input, body.idempotency, render).await?;
    Ok(respond::created(creation, None))
}
