//! Incidents: classification, due times and reports.

pub(crate) mod import;
pub(crate) mod log;
pub(crate) mod reports;
pub(crate) mod wire;

use app::{
    App,
    incident::{IncidentChange as Change, IncidentFilter},
};
use axum::{extract::State, response::Response};
use domain::{
    id::IncidentId,
    incident::{ClassifyInput, Incident, IncidentInput, IncidentStatus as Status, Outcome, Regime},
};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::routes;

use self::wire::{IncidentClassification, IncidentDetail, IncidentItem, IncidentSort, IncidentStatus};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IfMatch, Names, PageQuery, Parsed, Reader, Search, Words, WordsOrNone, Writer,
    },
    respond::{self, Data},
    schema::body,
    v1::{
        Subject, WholeList,
        record::{self, AsOfParams, Noun, record_routes},
        records::tags::TagParams,
        wire::{BodyErrors, KeyedErrors, StaleError},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "incidents",
    about: "Incidents: classification with reasons, due times and reports under DORA, NIS2 and the GDPR.",
    list: Some(WholeList::changed::<Incident>()),
    routes: |router| {
        record_routes(router)
            .routes(routes!(import::import))
            .routes(routes!(classification))
            .routes(routes!(classify))
            .routes(routes!(log::list, log::add))
            .routes(routes!(reports::report))
            .routes(routes!(reports::submitted))
            .routes(routes!(reports::correct))
            .routes(routes!(reports::threat_notice))
            .routes(routes!(reports::cra_report))
    },
};

body! {
    /// An incident to open. Only the title is needed; it counts as detected and known now.
    NewIncident from IncidentChange {
        required: ["title"],
        without: ["status"],
        example: {
            "title": "Card payments down",
            "regimes": ["dora"],
            "detected_at": "2026-11-14T01:10:00Z",
            "facts": { "critical_services": true, "downtime_minutes": 45 },
        }
    }
}

/// Changes to an incident. Fields that are absent keep their values; `null` clears a field or makes a fact unknown.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "facts": { "clients_affected": 1200, "clients_total": 10_000 } }))]
pub(crate) struct IncidentChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    description: Option<Option<String>>,
    /// The next status.
    #[schema(value_type = Option<IncidentStatus>, nullable = false)]
    status: Option<Option<String>>,
    /// Who has to see to it: an account or a plain name.
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    #[schema(format = DateTime)]
    occurred_at: Option<Option<String>>,
    #[schema(format = DateTime)]
    logged_at: Option<Option<String>>,
    #[schema(format = DateTime)]
    detected_at: Option<Option<String>>,
    #[schema(format = DateTime)]
    aware_at: Option<Option<String>>,
    #[schema(format = DateTime)]
    recovered_at: Option<Option<String>>,
    #[schema(format = DateTime)]
    resolved_at: Option<Option<String>>,
    /// `dora` when nothing is said about a new incident.
    #[schema(max_items = 200)]
    regimes: Option<Option<Vec<String>>>,
    /// Facts by name.
    #[schema(value_type = Option<Object>)]
    facts: Option<Option<Map<String, Value>>>,
    #[schema(max_items = 200)]
    functions: Option<Option<Vec<String>>>,
    #[schema(max_items = 200)]
    providers: Option<Option<Vec<String>>>,
    #[schema(max_items = 200)]
    findings: Option<Option<Vec<String>>>,
    /// Measures of the institution: ids of controls.
    #[schema(max_items = 200)]
    controls: Option<Option<Vec<String>>>,
    /// The id of the report under the CRA that belongs to it and then keeps the limits of the CRA.
    cra_report_id: Option<Option<String>>,
    /// Incidents with the same one may be recurring.
    #[schema(max_length = 255)]
    root_cause: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    measures_taken: Option<Option<String>>,
    /// What is to be done better.
    #[schema(max_length = 10_000)]
    lessons: Option<Option<String>>,
    /// Values of reports by field.
    #[schema(value_type = Option<Object>)]
    report_values: Option<Option<Map<String, Value>>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

/// A classification to store.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewClassification {
    /// Now when nothing is said.
    #[schema(format = DateTime)]
    at: Option<Option<String>>,
    /// What the facts give when nothing is said.
    result: Option<Option<String>>,
    /// Required when the result is not the one the facts give, when it takes back a classification as major, and when it
    /// makes the incident major again.
    #[schema(max_length = 10_000)]
    reason: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct IncidentParams {
    /// `true` for archived records, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<crate::v1::wire::Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only incidents with this status.
    #[param(value_type = Option<Vec<IncidentStatus>>)]
    status: Option<Words<Status>>,
    /// Only incidents of the owner of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// Only incidents under this regime: `dora`, `nis2`, `gdpr` or `cra`.
    #[param(value_type = Option<Vec<String>>)]
    regime: Option<Words<Regime>>,
    /// Only incidents with this stored classification, such as `major`; `none` stands for incidents that are not
    /// classified.
    #[param(value_type = Option<Vec<String>>)]
    result: Option<WordsOrNone<Outcome>>,
    /// Only incidents with all of these words.
    #[param(value_type = Option<String>)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<IncidentSort>)]
    sort: Option<Parsed<domain::incident::IncidentSort>>,
}

impl Noun for Incident {
    type Item = IncidentItem;
    type Full = IncidentDetail;

    const PATH: &'static str = "/api/v1/incidents";
    const HAS_CLOCKS: bool = true;

    fn filter(_: &App, query: &mut PageQuery) -> Result<IncidentFilter, ApiError> {
        let params: IncidentParams = query.read();
        Ok(IncidentFilter {
            archived: params.archived.map(Parsed::value).unwrap_or_default(),
            status: Words::any(params.status),
            owner: Names::any(params.owner),
            regime: Words::any(params.regime),
            result: WordsOrNone::any(params.result),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
            ..IncidentFilter::default()
        })
    }

    fn input(fields: &mut Fields) -> IncidentInput {
        fields.read::<IncidentChange>().into()
    }
}

impl From<IncidentChange> for IncidentInput {
    fn from(change: IncidentChange) -> Self {
        Self {
            title: change.title.into(),
            description: change.description.into(),
            status: change.status.into(),
            owner: change.owner.into(),
            occurred_at: change.occurred_at.into(),
            logged_at: change.logged_at.into(),
            detected_at: change.detected_at.into(),
            aware_at: change.aware_at.into(),
            recovered_at: change.recovered_at.into(),
            resolved_at: change.resolved_at.into(),
            regimes: change.regimes.into(),
            facts: change.facts.into(),
            functions: change.functions.into(),
            providers: change.providers.into(),
            findings: change.findings.into(),
            controls: change.controls.into(),
            cra_report_id: change.cra_report_id.into(),
            root_cause: change.root_cause.into(),
            measures_taken: change.measures_taken.into(),
            lessons: change.lessons.into(),
            report_values: change.report_values.into(),
            note: change.note.into(),
        }
    }
}

record_routes! {
    Incident, "an incident", IncidentDetail;

    /// Lists incidents.
    ///
    /// The newest come first.
    list(IncidentItem; AsOfParams, TagParams, IncidentParams);
    /// Opens an incident.
    create(NewIncident);
    /// Gets an incident with its classification, due times and history.
    get;
    /// Updates an incident.
    ///
    /// Fields and facts that are absent keep their values. The status can only move along the transitions of
    /// `IncidentStatus`.
    patch(IncidentChange);
    archive(BodyErrors);
    restore(BodyErrors);
    versions;
    version;
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
    let (detail, _) = app.records.record::<Incident>(&caller, id).await?;
    let data = IncidentClassification::computed(&detail.record.classification);
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// Stores a classification.
///
/// Another result than the computed one needs a reason, and so does one that takes back a classification as major or
/// makes the incident major again. Every classification is kept.
#[utoipa::path(post, path = "/api/v1/incidents/{id}/classify", operation_id = "classifyIncident",
    tag = "incidents",
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
    let request: NewClassification = fields.read();
    let input =
        ClassifyInput { at: request.at.into(), result: request.result.into(), reason: request.reason.into() };
    let input = Change::Classify(fields.finish(Some(input))?);
    let (detail, revision) = app.records.change_record::<Incident>(&caller, id, input, precondition).await?;
    Ok(record::changed::<Incident>(&app, &detail, revision))
}
