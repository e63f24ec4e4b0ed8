//! Incidents: classification, due times and reports.

use app::{
    App,
    incident::{IncidentChange as Change, IncidentFilter},
    search::HitKind,
};
use axum::{extract::State, response::Response};
use domain::{
    id::IncidentId,
    incident::{ClassifyInput, Incident as Record, IncidentInput, IncidentStatus as Status},
};
use http::StatusCode;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::{
    Subject, incident_import, incident_log, incident_report,
    incident_wire::{Incident, IncidentClassification, IncidentDetail, IncidentSort, IncidentStatus},
    record::{self, AsOfParams, Noun, RecordVersion},
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageParams, PageQuery,
        Reader, Writer,
    },
    respond::{self, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "incidents",
    about: "Incidents: classification with reasons, due times and reports under DORA, NIS2 and the GDPR.",
    found: Some((HitKind::Incident, Record::PATH)),
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(incident_import::import))
            .routes(routes!(get, patch))
            .routes(routes!(versions))
            .routes(routes!(version))
            .routes(routes!(classification))
            .routes(routes!(classify))
            .routes(routes!(incident_log::list, incident_log::add))
            .routes(routes!(incident_report::report))
            .routes(routes!(incident_report::submitted))
            .routes(routes!(incident_report::threat_notice))
            .routes(routes!(incident_report::cra_report))
    },
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
    /// Who has to see to it: an account or a plain name.
    #[schema(max_length = 255)]
    owner: Option<String>,
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
    /// Measures of the institution: ids of controls.
    #[schema(max_items = 200)]
    controls: Option<Vec<String>>,
    /// The id of the report under the CRA that belongs to it and then keeps the limits of the CRA.
    cra_report_id: Option<String>,
    /// Incidents with the same one may be recurring.
    #[schema(max_length = 255)]
    root_cause: Option<String>,
    #[schema(max_length = 10_000)]
    measures_taken: Option<String>,
    /// What is to be done better.
    #[schema(max_length = 10_000)]
    lessons: Option<String>,
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
    #[schema(max_length = 255)]
    owner: Option<String>,
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
    /// What the facts give when nothing is said.
    result: Option<String>,
    /// Required when the result is not the one the facts give, when it takes back a classification as major, and when it
    /// makes the incident major again.
    #[schema(max_length = 10_000)]
    reason: Option<String>,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `Noun::filter` reads the values")]
pub(crate) struct IncidentParams {
    /// Only incidents with this status.
    status: Option<IncidentStatus>,
    /// Only incidents of the owner of exactly this name.
    owner: Option<String>,
    /// Only incidents under this rule book: `dora`, `nis2`, `gdpr` or `cra`.
    regime: Option<String>,
    /// Only incidents with this stored classification, such as `major`.
    result: Option<String>,
    /// Only incidents with all of these words.
    search: Option<String>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline)]
    sort: Option<IncidentSort>,
}

impl Noun for Record {
    type Item = Incident;
    type Full = IncidentDetail;

    const PATH: &'static str = "/api/v1/incidents";
    const AS_OF: bool = true;
    const HAS_CLOCKS: bool = true;

    fn filter(_: &App, query: &mut PageQuery) -> Result<IncidentFilter, ApiError> {
        Ok(IncidentFilter {
            status: query.filter::<Status>("status"),
            owner: query.exactly("owner"),
            regime: query.filter("regime"),
            result: query.filter("result"),
            search: query.search(),
            sort: query.filter("sort"),
            ..IncidentFilter::default()
        })
    }

    fn input(fields: &mut Fields) -> Change {
        Change::Fields(Box::new(IncidentInput {
            title: fields.text_change("title"),
            description: fields.text_change("description"),
            status: fields.text_change("status"),
            owner: fields.text_change("owner"),
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
            controls: fields.texts_change("controls"),
            cra_report_id: fields.text_change("cra_report_id"),
            root_cause: fields.text_change("root_cause"),
            measures_taken: fields.text_change("measures_taken"),
            lessons: fields.text_change("lessons"),
            report_values: fields.map_change("report_values"),
            note: fields.text_change("note"),
        }))
    }
}

/// Lists incidents.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/incidents", tag = "incidents", params(ListParams, AsOfParams, IncidentParams),
    responses((status = 200, body = List<Incident>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<Record>(&app, &caller, query, &if_none_match).await
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
    record::get::<Record>(&app, &caller, id, &if_none_match).await
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
/// Another result than the computed one needs a reason, and so does one that takes back a classification as major or
/// makes the incident major again. Every classification is kept.
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
    Ok(record::changed::<Record>(&app, &detail, revision))
}
