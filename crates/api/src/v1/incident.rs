//! Incidents: classification, due times and reports.

use app::{
    App,
    incident::{Incident as AppIncident, IncidentChange as Change, IncidentFilter},
};
use axum::{
    extract::{Path, State},
    response::Response,
};
use domain::{
    id::IncidentId,
    incident::{
        ClassifyInput, FiledInput, Incident as Record, IncidentInput, IncidentStatus as Status, Regime,
        due::Stage,
    },
    vocabulary::vocabulary,
};
use http::StatusCode;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{
    incident_wire::{Incident, IncidentClassification, IncidentDetail, IncidentReportContent},
    record::{self, Noun, RecordVersion},
    wire::{BodyErrors, IncidentSort, IncidentStatus, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageParams, PageQuery,
        Reader, Writer,
    },
    respond::{self, Data, List},
};

/// An incident to open. Only the title is needed; it counts as detected and known now.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "title": "Card payments down",
    "regimes": ["dora"],
    "detected_at": "2026-11-14T01:10:00Z",
    "facts": { "critical_services": true, "downtime_minutes": 45 },
}))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct NewIncident {
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    #[schema(format = DateTime)]
    occurred_at: Option<String>,
    #[schema(format = DateTime)]
    logged_at: Option<String>,
    #[schema(format = DateTime)]
    detected_at: Option<String>,
    #[schema(format = DateTime)]
    aware_at: Option<String>,
    #[schema(format = DateTime)]
    recovered_at: Option<String>,
    #[schema(format = DateTime)]
    resolved_at: Option<String>,
    /// `dora` when nothing is said.
    #[schema(max_items = 200)]
    regimes: Option<Vec<String>>,
    /// Facts by name.
    #[schema(value_type = Option<Object>)]
    facts: Option<Map<String, Value>>,
    #[schema(max_items = 200)]
    functions: Option<Vec<String>>,
    #[schema(max_items = 200)]
    providers: Option<Vec<String>>,
    #[schema(max_items = 200)]
    findings: Option<Vec<String>>,
    /// Incidents with the same one may be recurring.
    #[schema(max_length = 255)]
    root_cause: Option<String>,
    #[schema(max_length = 10_000)]
    measures_taken: Option<String>,
    /// Values of reports by field.
    #[schema(value_type = Option<Object>)]
    report_values: Option<Map<String, Value>>,
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// Changes to an incident. Fields that are absent keep their values; `null` clears a field or makes a fact unknown.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "facts": { "clients_affected": 1200, "clients_total": 10_000 } }))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct IncidentChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    /// The next status.
    #[schema(nullable = false)]
    status: Option<IncidentStatus>,
    /// The other fields of `NewIncident`.
    #[schema(value_type = Option<Object>)]
    facts: Option<Map<String, Value>>,
    #[schema(value_type = Option<Object>)]
    report_values: Option<Map<String, Value>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// A classification to store.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct NewClassification {
    /// Now when nothing is said.
    #[schema(format = DateTime)]
    at: Option<String>,
    /// What the facts give when nothing is said. Another result needs a reason.
    result: Option<String>,
    #[schema(max_length = 10_000)]
    reason: Option<String>,
}

/// A report that was sent.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct NewFiling {
    /// Now when nothing is said.
    #[schema(format = DateTime)]
    at: Option<String>,
    /// The authority's reference.
    #[schema(max_length = 255)]
    reference: Option<String>,
    /// Must be true for a report that lacks mandatory fields.
    incomplete: Option<bool>,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `Noun::filter` reads the values")]
pub(crate) struct IncidentParams {
    /// Only incidents with this status.
    status: Option<IncidentStatus>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline)]
    sort: Option<IncidentSort>,
}

vocabulary! {
    /// How a report is answered.
    ReportFormat {
        Json = "json" ("File of the authorities", "Datei der Behörden"),
    }
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; the handler reads the value")]
pub(crate) struct ReportParams {
    /// `json` gives the authorities' file IR-1.2.1 instead of the fields; for `dora` only.
    format: Option<String>,
}

impl Noun for Record {
    type Item = Incident;
    type Full = IncidentDetail;

    const PATH: &'static str = "/api/v1/incidents";

    fn filter(_: &App, query: &mut PageQuery) -> Result<IncidentFilter, ApiError> {
        let (status, sort) = (query.filter::<Status>("status"), query.filter("sort"));
        Ok(IncidentFilter { status, open: None, sort })
    }

    fn input(fields: &mut Fields) -> Change {
        Change::Fields(Box::new(IncidentInput {
            title: fields.text_change("title"),
            description: fields.text_change("description"),
            status: fields.text_change("status"),
            occurred_at: fields.text_change("occurred_at"),
            logged_at: fields.text_change("logged_at"),
            detected_at: fields.text_change("detected_at"),
            aware_at: fields.text_change("aware_at"),
            recovered_at: fields.text_change("recovered_at"),
            resolved_at: fields.text_change("resolved_at"),
            regimes: fields.texts_change("regimes"),
            facts: fields.map_change("facts"),
            functions: fields.texts_change("functions"),
            providers: fields.texts_change("providers"),
            findings: fields.texts_change("findings"),
            root_cause: fields.text_change("root_cause"),
            measures_taken: fields.text_change("measures_taken"),
            report_values: fields.map_change("report_values"),
            note: fields.text_change("note"),
        }))
    }

    fn version(view: &AppIncident) -> i64 {
        view.row.version
    }
}

/// Lists incidents.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/incidents", tag = "incidents", params(ListParams, IncidentParams),
    responses((status = 200, body = List<Incident>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(mut query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let filter = Record::filter(&app, &mut query)?;
    let (page, revision) = app.incidents(&caller, &filter, query.check()?.page).await?;
    let etag = app.moment_etag(0, revision);
    let body = || respond::json(StatusCode::OK, respond::to_json(&List::<Incident>::of(&page)));
    Ok(respond::validated(&etag, &if_none_match, body))
}

/// Opens an incident.
#[utoipa::path(post, path = "/api/v1/incidents", tag = "incidents", request_body = NewIncident,
    responses((status = 201, body = Data<IncidentDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    record::create::<Record>(&app, &caller, body).await
}

/// Gets an incident with its classification, due times and history.
#[utoipa::path(get, path = "/api/v1/incidents/{id}", tag = "incidents", params(("id" = String, Path)),
    responses((status = 200, body = Data<IncidentDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<IncidentId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (detail, revision) = app.record::<Record>(&caller, id).await?;
    let etag = app.moment_etag(detail.record.row.version, revision);
    Ok(respond::record(&IncidentDetail::from(&detail), &etag, &if_none_match))
}

/// Updates an incident.
///
/// Fields and facts that are absent keep their values. The status can only move along the transitions of
/// `IncidentStatus`.
#[utoipa::path(patch, path = "/api/v1/incidents/{id}", tag = "incidents", request_body = IncidentChange,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<IncidentDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<IncidentId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<Record>(&app, &caller, id, precondition, body).await
}

/// Lists the versions of an incident.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/incidents/{id}/versions", tag = "incidents",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<IncidentId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<Record>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of an incident.
#[utoipa::path(get, path = "/api/v1/incidents/{id}/versions/{version}", tag = "incidents",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<IncidentId, i64>,
) -> Result<Response, ApiError> {
    record::version::<Record>(&app, &caller, id, version).await
}

/// Gets what the facts give now.
///
/// Nothing is stored.
#[utoipa::path(get, path = "/api/v1/incidents/{id}/classification", tag = "incidents",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<IncidentClassification>), KeyedErrors))]
pub(crate) async fn classification(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<IncidentId>,
) -> Result<Response, ApiError> {
    let (detail, _) = app.record::<Record>(&caller, id).await?;
    let data = IncidentClassification::computed(&detail.record.classification);
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// Stores a classification.
///
/// Another result than the computed one needs a reason, which is kept.
#[utoipa::path(post, path = "/api/v1/incidents/{id}/classify", tag = "incidents",
    request_body = NewClassification, params(("id" = String, Path)),
    responses((status = 200, body = Data<IncidentDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn classify(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<IncidentId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input = ClassifyInput {
        at: fields.text_change("at"),
        result: fields.text_change("result"),
        reason: fields.text_change("reason"),
    };
    let input = Change::Classify(fields.finish(Some(input))?);
    let (detail, revision) = app.change_record::<Record>(&caller, id, input, precondition).await?;
    let etag = app.moment_etag(detail.record.row.version, revision);
    Ok(respond::record(&IncidentDetail::from(&detail), &etag, &IfNoneMatch::default()))
}

/// Gets the content of a report as it would be sent now.
#[utoipa::path(get, path = "/api/v1/incidents/{id}/reports/{regime}/{stage}", tag = "incidents",
    params(("id" = String, Path), ("regime" = String, Path, description = "`dora`, `nis2` or `gdpr`."),
        ("stage" = String, Path, description = "A stage of that regime, such as `initial`."), ReportParams),
    responses((status = 200, body = Data<IncidentReportContent>), KeyedErrors))]
pub(crate) async fn report(
    State(app): State<App>,
    Reader(caller): Reader,
    Path((id, regime, stage)): Path<(String, String, String)>,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let (id, regime, stage) = named(&id, &regime, &stage)?;
    let format = query.filter::<ReportFormat>("format");
    query.check()?;
    let content = app.incident_report(&caller, id, regime, stage).await?;
    match (format, &content.file) {
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
#[utoipa::path(post, path = "/api/v1/incidents/{id}/reports/{regime}/{stage}/submitted", tag = "incidents",
    request_body = NewFiling,
    params(("id" = String, Path), ("regime" = String, Path, description = "`dora`, `nis2` or `gdpr`."),
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
    let input = FiledInput {
        at: fields.text_change("at"),
        reference: fields.text_change("reference"),
        incomplete: fields.flag_change("incomplete"),
    };
    let input = Change::Filed(regime, stage, fields.finish(Some(input))?);
    let (detail, revision) = app.change_record::<Record>(&caller, id, input, precondition).await?;
    let etag = app.moment_etag(detail.record.row.version, revision);
    Ok(respond::record(&IncidentDetail::from(&detail), &etag, &IfNoneMatch::default()))
}

/// What a path names; anything else is answered like a report that does not exist.
fn named(id: &str, regime: &str, stage: &str) -> Result<(IncidentId, Regime, Stage), ApiError> {
    let named = || Some((id.parse().ok()?, regime.parse().ok()?, stage.parse().ok()?));
    named().ok_or_else(ApiError::not_found)
}
