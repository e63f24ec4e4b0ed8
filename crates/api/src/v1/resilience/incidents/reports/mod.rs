//! The reports on incidents: their content, the authorities' file, and recording that they were sent.

pub(crate) mod wire;

use app::{
    App,
    cra_report::CraReportView,
    history::Detail,
    incident::{IncidentChange as Change, ReportPlace},
};
use axum::{
    extract::{Path, State},
    response::Response,
};
use domain::{
    cra_report::CraReport,
    id::IncidentId,
    incident::{FiledInput, Incident, Regime, due::Stage},
    vocabulary::vocabulary,
};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use self::wire::IncidentReportContent;
use super::wire::IncidentDetail;
use crate::{
    ApiError,
    extract::{Body, IdPath, IfMatch, PageQuery, Parsed, Reader, Writer},
    respond::{self, Data},
    v1::{
        record::{self, Noun as _},
        records::correction::{self, NewCorrection},
        resilience::cra::{
            CraReportDetail,
            input::{CraReportFromIncident, input_from},
        },
        wire::{BodyErrors, KeyedErrors, StaleError},
    },
};

/// A report that was sent.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewFiling {
    /// Now when nothing is said.
    #[schema(format = DateTime)]
    at: Option<Option<String>>,
    /// The authority's reference.
    #[schema(max_length = 255)]
    reference: Option<Option<String>>,
    /// Must be true for a report that lacks mandatory fields.
    incomplete: Option<Option<bool>>,
    /// For the notification and the final reports under the CRA: why no report of its own is sent, because its
    /// information was provided with an earlier stage. It then counts as sent when that stage was.
    #[schema(max_length = 10_000)]
    already_provided: Option<Option<String>>,
    /// The id of the evidence with the receipt of the authority.
    receipt: Option<Option<String>>,
}

/// A voluntary notice of a significant cyber threat that was sent.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({
    "values": { "dora.threat_14": "Card payments could stop", "dora.threat_16": "active" },
    "reference": "BA-4712", "incomplete": true,
}))]
pub(crate) struct NewThreatNotice {
    /// Values by field, `dora.threat_1` to `dora.threat_20`; the same fields as at
    /// `/reports/dora/threat_notice`.
    #[schema(value_type = Option<Object>)]
    values: Option<Option<Map<String, Value>>>,
    /// Now when nothing is said.
    #[schema(format = DateTime)]
    at: Option<Option<String>>,
    /// The authority's reference.
    #[schema(max_length = 255)]
    reference: Option<Option<String>>,
    /// Must be true for a notice that lacks mandatory fields.
    incomplete: Option<Option<bool>>,
}

vocabulary! {
    /// How a report is answered.
    ReportFormat {
        Json = "json" ("File of the authorities", "Datei der Behörden"),
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReportParams {
    /// `json` gives the authorities' file IR-1.2.1 instead of the fields; for `dora` only.
    #[param(value_type = Option<String>)]
    format: Option<Parsed<ReportFormat>>,
    /// The report as it was sent the first (1), second (2) or a later time, by `number` in the incident's `filed`.
    #[param(value_type = Option<usize>, minimum = 1)]
    sent: Option<Parsed<usize>>,
}

/// Gets the content of a report.
///
/// As it would be sent now; once it is recorded as sent, as it was sent. A stage that may repeat, or that is to be sent
/// again, is shown as it would be sent now; `sent` shows what was sent before.
#[utoipa::path(get, path = "/api/v1/incidents/{id}/reports/{regime}/{stage}", tag = "incidents",
    params(("id" = String, Path), ("regime" = String, Path, description = "`dora`, `nis2`, `gdpr` or `cra`."),
        ("stage" = String, Path, description = "A stage of that regime, such as `initial`."), ReportParams),
    responses((status = 200, body = Data<IncidentReportContent>), KeyedErrors))]
pub(crate) async fn report(
    State(app): State<App>,
    Reader(caller): Reader,
    Path((id, regime, stage)): Path<(String, String, String)>,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let (id, regime, stage) = named(&id, &regime, &stage)?;
    let params: ReportParams = query.read();
    let place = ReportPlace { regime, stage, sent: params.sent.map(Parsed::value) };
    query.check()?;
    let content = app.resilience.incident_report(&caller, id, place).await?;
    match (params.format.map(Parsed::value), &content.file) {
        (None, _) => {
            let data = IncidentReportContent::from(&content);
            Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
        }
        (Some(ReportFormat::Json), Some(file)) => Ok(respond::json(StatusCode::OK, respond::to_json(file))),
        (Some(ReportFormat::Json), None) => Err(ApiError::not_found()),
    }
}

/// Records a report as sent.
///
/// What was sent is frozen. A report that lacks mandatory fields needs `incomplete`.
#[utoipa::path(post, path = "/api/v1/incidents/{id}/reports/{regime}/{stage}/submitted",
    operation_id = "submitIncidentReport", tag = "incidents",
    request_body = NewFiling,
    params(("id" = String, Path), ("regime" = String, Path, description = "`dora`, `nis2`, `gdpr` or `cra`."),
        ("stage" = String, Path, description = "A stage of that regime, such as `initial`.")),
    responses((status = 200, body = Data<IncidentDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn submitted(
    State(app): State<App>,
    Writer(caller): Writer,
    Path((id, regime, stage)): Path<(String, String, String)>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let (id, regime, stage) = named(&id, &regime, &stage)?;
    let mut fields = body.fields;
    let request: NewFiling = fields.read();
    let input = FiledInput {
        at: request.at.into(),
        reference: request.reference.into(),
        incomplete: request.incomplete.into(),
        already_provided: request.already_provided.into(),
        receipt: request.receipt.into(),
    };
    let input = Change::Filed(regime, stage, fields.finish(Some(input))?);
    let (detail, revision) = app.records.change_record::<Incident>(&caller, id, input, precondition).await?;
    Ok(record::changed::<Incident>(&app, &detail, revision))
}

/// Corrects what was recorded about a sent report.
///
/// The first value is kept, with who recorded it and who corrected it. What was sent stays frozen. `submitted` with null
/// or false takes the stamp back: the report was not sent, and its clock runs again. Without `sent`, the report that
/// counts now is corrected.
#[utoipa::path(post, path = "/api/v1/incidents/{id}/reports/{regime}/{stage}/corrections",
    operation_id = "correctIncidentReport", tag = "incidents",
    request_body = NewCorrection,
    params(("id" = String, Path), ("regime" = String, Path, description = "`dora`, `nis2`, `gdpr` or `cra`."),
        ("stage" = String, Path, description = "A stage of that regime, such as `initial`."), SentParams),
    responses((status = 200, body = Data<IncidentDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn correct(
    State(app): State<App>,
    Writer(caller): Writer,
    Path((id, regime, stage)): Path<(String, String, String)>,
    IfMatch(precondition): IfMatch,
    mut query: PageQuery,
    body: Body,
) -> Result<Response, ApiError> {
    let (id, regime, stage) = named(&id, &regime, &stage)?;
    let params: SentParams = query.read();
    query.check()?;
    let place = ReportPlace { regime, stage, sent: params.sent.map(Parsed::value) };
    correction::make::<Incident>(&app, &caller, (id, place), precondition, body).await
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SentParams {
    /// The first (1), second (2) or a later time it was sent, by `number` in the incident's `filed`.
    #[param(value_type = Option<usize>, minimum = 1)]
    sent: Option<Parsed<usize>>,
}

/// The parts of a path; anything invalid gives the same response as a report that does not exist.
fn named(id: &str, regime: &str, stage: &str) -> Result<(IncidentId, Regime, Stage), ApiError> {
    let named = || Some((id.parse().ok()?, regime.parse().ok()?, stage.parse().ok()?));
    named().ok_or_else(ApiError::not_found)
}

/// Records a voluntary notice of a significant cyber threat as sent.
///
/// Fields that are left out are filled from the incident. What was sent is frozen and shown at
/// `/reports/dora/threat_notice`.
#[utoipa::path(post, path = "/api/v1/incidents/{id}/threat-notice", operation_id = "submitThreatNotice",
    tag = "incidents",
    request_body = NewThreatNotice, params(("id" = String, Path)),
    responses((status = 200, body = Data<IncidentReportContent>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn threat_notice(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<IncidentId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let request: NewThreatNotice = fields.read();
    let values = request.values.flatten().unwrap_or_default();
    let input = FiledInput {
        at: request.at.into(),
        reference: request.reference.into(),
        incomplete: request.incomplete.into(),
        ..FiledInput::default()
    };
    let input = Change::ThreatNotice(values, fields.finish(Some(input))?);
    app.records.change_record::<Incident>(&caller, id, input, precondition).await?;
    let place = ReportPlace::now(Regime::Dora, Stage::ThreatNotice);
    let content = app.resilience.incident_report(&caller, id, place).await?;
    let data = IncidentReportContent::from(&content);
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// Makes a report under the CRA out of an incident.
///
/// What is left out is taken from the incident; stages that were sent for the incident count as filed. The incident is
/// linked with the report, which keeps the limits of the CRA from then on.
#[utoipa::path(post, path = "/api/v1/incidents/{id}/cra-report", operation_id = "startCraReport",
    tag = "incidents",
    request_body = CraReportFromIncident, params(("id" = String, Path)),
    responses((status = 201, body = Data<CraReportDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn cra_report(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<IncidentId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input = input_from(&mut fields);
    let input = (fields.finish(Some(input))?, precondition);
    let render =
        |detail: &Detail<CraReportView>| respond::to_text(&Data { data: CraReportDetail::from(detail) });
    let creation = app.resilience.start_cra_report(&caller, id, input, body.idempotency, render).await?;
    Ok(respond::created(creation, Some(CraReport::PATH)))
}
