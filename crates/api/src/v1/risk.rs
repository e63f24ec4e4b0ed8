//! Risks of the institution.

use app::{
    App,
    risk::{RiskChange as AppChange, RiskFilter},
    search::HitKind,
};
use axum::{extract::State, response::Response};
use domain::{
    id::RiskId,
    risk::{AcceptanceInput, RatingInput, Risk as Record, RiskInput},
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    Subject,
    record::{self, AsOfParams, Noun, RecordVersion},
    risk_wire::{AdoptRisks, AdoptedRisks, NewRisk, Risk, RiskChange, RiskDetail, RiskMatrix, RiskParams},
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, LanguageParams, ListParams, ListQuery,
        PageParams, PageQuery, Reader, Spoken, Writer,
    },
    respond::{self, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "risks",
    about: "The institution's own risks: ratings, treatment, acceptance, appetite and matrix.",
    found: Some((HitKind::Risk, Record::PATH)),
    routes: || {
        OpenApiRouter::new()
            .routes(routes!(list, create))
            .routes(routes!(adopt))
            .routes(routes!(matrix))
            .routes(routes!(get, patch, delete))
            .routes(routes!(versions))
            .routes(routes!(version))
    },
};

impl Noun for Record {
    type Item = Risk;
    type Full = RiskDetail;

    const PATH: &'static str = "/api/v1/risks";
    const AS_OF: bool = true;

    fn filter(_: &App, query: &mut PageQuery) -> Result<RiskFilter, ApiError> {
        Ok(RiskFilter {
            status: query.filter("status"),
            level: query.filter("level"),
            category: query.filter("category"),
            owner: query.exactly("owner"),
            function: query.exactly("function"),
            review_before: query.filter("review_before"),
            cell: None,
            search: query.search(),
            sort: query.filter("sort"),
        })
    }

    fn input(fields: &mut Fields) -> AppChange {
        AppChange::Fields(Box::new(RiskInput {
            title: fields.text_change("title"),
            cause: fields.text_change("cause"),
            event: fields.text_change("event"),
            effect: fields.text_change("effect"),
            category: fields.text_change("category"),
            owner: fields.text_change("owner"),
            functions: fields.texts_change("functions"),
            controls: fields.texts_change("controls"),
            findings: fields.texts_change("findings"),
            inherent: fields.object_change("inherent", rating),
            residual: fields.object_change("residual", rating),
            target: fields.object_change("target", rating),
            treatment: fields.text_change("treatment"),
            acceptance: fields.object_change("acceptance", |inner| AcceptanceInput {
                reason: inner.text_change("reason"),
                until: inner.text_change("until"),
            }),
            status: fields.text_change("status"),
            review_on: fields.text_change("review_on"),
            note: fields.text_change("note"),
        }))
    }
}

fn rating(fields: &mut Fields) -> RatingInput {
    RatingInput { likelihood: fields.number_change("likelihood"), impact: fields.number_change("impact") }
}

/// Lists the institution's risks.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/risks", tag = "risks", params(ListParams, AsOfParams, RiskParams),
    responses((status = 200, body = List<Risk>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<Record>(&app, &caller, query, &if_none_match).await
}

/// Creates a risk.
#[utoipa::path(post, path = "/api/v1/risks", tag = "risks", request_body = NewRisk,
    responses((status = 201, body = Data<RiskDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    record::create::<Record>(&app, &caller, body).await
}

/// Adopts risks of the catalogue.
///
/// Each becomes a risk of the institution, in the language of the request, with the catalogue's inherent rating. Risks
/// that were adopted before are skipped.
#[utoipa::path(post, path = "/api/v1/risks/adopt", tag = "risks", request_body = AdoptRisks,
    params(LanguageParams),
    responses((status = 200, body = Data<AdoptedRisks>), KeyedErrors, BodyErrors))]
pub(crate) async fn adopt(
    State(app): State<App>,
    Writer(caller): Writer,
    Spoken(language): Spoken,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    fields.require("risks");
    let ids = fields.texts("risks");
    let ids = fields.finish(ids)?;
    let done = app.adopt_risks(&caller, &ids, language).await?;
    let created = done.created.len() as u64;
    let data = AdoptedRisks { created, skipped: done.skipped, risks: done.created };
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// Counts the risks by cell of the matrix.
#[utoipa::path(get, path = "/api/v1/risks/matrix", tag = "risks",
    responses((status = 200, body = Data<RiskMatrix>), KeyedErrors))]
pub(crate) async fn matrix(State(app): State<App>, Reader(caller): Reader) -> Result<Response, ApiError> {
    let (matrix, appetite) = (app.risk_matrix(&caller).await?, app.risk_appetite(&caller).await?);
    let data = RiskMatrix::new(&matrix, &appetite);
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// Gets a risk with its history.
#[utoipa::path(get, path = "/api/v1/risks/{id}", tag = "risks", params(("id" = String, Path)),
    responses((status = 200, body = Data<RiskDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<RiskId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::get::<Record>(&app, &caller, id, &if_none_match).await
}

/// Updates a risk.
///
/// Fields that are absent keep their values. A risk is accepted with the status `accepted` and an acceptance; from the
/// level `second_person_from` of the matrix on, one key or person saves the acceptance and another sets the status.
#[utoipa::path(patch, path = "/api/v1/risks/{id}", tag = "risks", request_body = RiskChange,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<RiskDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<RiskId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<Record>(&app, &caller, id, precondition, body).await
}

/// Deletes a risk that is not accepted.
#[utoipa::path(delete, path = "/api/v1/risks/{id}", tag = "risks", params(("id" = String, Path)),
    responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<RiskId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::delete::<Record>(&app, &caller, id, precondition).await
}

/// Lists the versions of a risk.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/risks/{id}/versions", tag = "risks",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<RiskId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<Record>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of a risk.
#[utoipa::path(get, path = "/api/v1/risks/{id}/versions/{version}", tag = "risks",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<RiskId, i64>,
) -> Result<Response, ApiError> {
    record::version::<Record>(&app, &caller, id, version).await
}
