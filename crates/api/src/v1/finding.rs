//! Findings.

use app::{
    App,
    finding::{FindingRow, FindingWriting},
    search::HitKind,
};
use axum::{extract::State, response::Response};
use domain::{finding::Finding, id::FindingId};
use utoipa_axum::routes;

use super::{
    Subject, finding_import, finding_retest,
    finding_wire::{FindingChange, FindingDetail, FindingItem, FindingParams, NewFinding},
    record::{self, AsOfParams, Noun as _, RecordVersion, RequirementParams},
    tag::TagParams,
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, IdPath, IdsPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageParams, PageQuery, Reader,
        Writer,
    },
    respond::{self, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "findings",
    about: "Weaknesses found by tests, audits and scanners, from detection to closure.",
    found: Some((HitKind::Own("finding"), Finding::PATH)),
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(finding_import::import))
            .routes(routes!(finding_import::template))
            .routes(routes!(get, patch, delete))
            .routes(routes!(archive))
            .routes(routes!(restore))
            .routes(routes!(versions))
            .routes(routes!(version))
            .routes(routes!(finding_retest::list, finding_retest::create))
    },
};

/// Lists findings.
///
/// Without `status`, only open findings are listed. The newest come first.
#[utoipa::path(get, path = "/api/v1/findings", tag = "findings", params(ListParams, AsOfParams, TagParams,
    RequirementParams, FindingParams),
    responses((status = 200, body = List<FindingItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(mut query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    if query.has("as_of") {
        return record::list::<Finding>(&app, &caller, query, &if_none_match).await;
    }
    let filter = record::filter_of::<Finding>(&app, &caller, &mut query).await?;
    let page = query.check()?.page;
    let record = |row: &FindingRow| respond::to_text(&record::item::<Finding>(row));
    let writing = FindingWriting { record, list: respond::list_body };
    let rendered = app.finding_page(&caller, filter, page, writing).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Creates a finding.
#[utoipa::path(post, path = "/api/v1/findings", tag = "findings",
    request_body = NewFinding,
    responses((status = 201, body = Data<FindingDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    record::create::<Finding>(&app, &caller, body).await
}

/// Gets a finding with its history.
#[utoipa::path(get, path = "/api/v1/findings/{id}", tag = "findings", params(("id" = String, Path)),
    responses((status = 200, body = Data<FindingDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<FindingId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::get::<Finding>(&app, &caller, id, &if_none_match).await
}

/// Updates a finding.
///
/// Fields that are absent keep their values. The status can only move along the transitions of `FindingStatus`.
#[utoipa::path(patch, path = "/api/v1/findings/{id}", tag = "findings",
    request_body = FindingChange, params(("id" = String, Path)),
    responses((status = 200, body = Data<FindingDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<FindingId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<Finding>(&app, &caller, id, precondition, body).await
}

/// Archives a finding that is closed or a false positive: it leaves the lists and keeps its history.
#[utoipa::path(post, path = "/api/v1/findings/{id}/archive", tag = "findings",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<FindingDetail>), KeyedErrors, StaleError))]
pub(crate) async fn archive(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<FindingId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<Finding>(&app, &caller, id, true, precondition).await
}

/// Brings an archived finding back into the lists.
#[utoipa::path(post, path = "/api/v1/findings/{id}/restore", tag = "findings",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<FindingDetail>), KeyedErrors, StaleError))]
pub(crate) async fn restore(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<FindingId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<Finding>(&app, &caller, id, false, precondition).await
}

/// Deletes a finding that was never resolved, closed, accepted or marked as a false positive.
///
/// Any other finding is archived instead. The reference is not used again.
#[utoipa::path(delete, path = "/api/v1/findings/{id}", tag = "findings",
    params(("id" = String, Path)), responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<FindingId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::delete::<Finding>(&app, &caller, id, precondition).await
}

/// Lists the versions of a finding.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/findings/{id}/versions", tag = "findings",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<FindingId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<Finding>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of a finding.
#[utoipa::path(get, path = "/api/v1/findings/{id}/versions/{version}", tag = "findings",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<FindingId, i64>,
) -> Result<Response, ApiError> {
    record::version::<Finding>(&app, &caller, id, version).await
}
