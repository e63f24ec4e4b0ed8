//! Frameworks of the institution's own, with their requirements.

use app::{App, own_framework::OwnFrameworkChange as AppChange, search::HitKind};
use axum::{extract::State, response::Response};
use domain::{id::OwnFrameworkId, own_framework::OwnFramework};
use http::StatusCode;
use utoipa_axum::routes;

use super::{
    Subject, own_framework_file,
    own_framework_wire::{
        ContentName, NewOwnFramework, OwnFrameworkChange, OwnFrameworkDetail, OwnFrameworkItem,
        OwnFrameworkParams, OwnRequirement, OwnRequirementBody, OwnRequirementParams,
    },
    record::{self, AsOfParams, Noun as _, RecordVersion},
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
    tag: "own frameworks",
    about: "Frameworks of the institution's own: imported or written, approved by a second person, assessed like the others.",
    found: Some((HitKind::Own("own_framework"), OwnFramework::PATH)),
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(get, patch, delete))
            .routes(routes!(archive))
            .routes(routes!(restore))
            .routes(routes!(versions))
            .routes(routes!(version))
            .routes(routes!(requirements))
            .routes(routes!(put_requirement, delete_requirement))
            .routes(routes!(own_framework_file::import))
            .routes(routes!(own_framework_file::export))
    },
};

/// Lists the institution's own frameworks.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/own-frameworks", tag = "own frameworks",
    params(ListParams, AsOfParams, TagParams, OwnFrameworkParams),
    responses((status = 200, body = List<OwnFrameworkItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<OwnFramework>(&app, &caller, query, &if_none_match).await
}

/// Creates an own framework.
///
/// It begins as a draft without requirements.
#[utoipa::path(post, path = "/api/v1/own-frameworks", tag = "own frameworks", request_body = NewOwnFramework,
    responses((status = 201, body = Data<OwnFrameworkDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    record::create::<OwnFramework>(&app, &caller, body).await
}

/// Gets an own framework with its history.
#[utoipa::path(get, path = "/api/v1/own-frameworks/{id}", tag = "own frameworks",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<OwnFrameworkDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<OwnFrameworkId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::get::<OwnFramework>(&app, &caller, id, &if_none_match).await
}

/// Updates an own framework.
///
/// `status: approved` puts its requirements in force. It is refused for a person or key that changed anything since the
/// last approval, and together with another change. Any other change makes it a draft; what was approved stays in force
/// until the next approval.
#[utoipa::path(patch, path = "/api/v1/own-frameworks/{id}", tag = "own frameworks",
    request_body = OwnFrameworkChange, params(("id" = String, Path)),
    responses((status = 200, body = Data<OwnFrameworkDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<OwnFrameworkId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<OwnFramework>(&app, &caller, id, precondition, body).await
}

/// Deletes an own framework that is not in force.
#[utoipa::path(delete, path = "/api/v1/own-frameworks/{id}", tag = "own frameworks",
    params(("id" = String, Path)), responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<OwnFrameworkId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::delete::<OwnFramework>(&app, &caller, id, precondition).await
}

/// Lists the versions of an own framework.
///
/// Every change keeps the version before. `content` in a version is the number of its set of requirements, which
/// `GET …/requirements?content=` shows.
#[utoipa::path(get, path = "/api/v1/own-frameworks/{id}/versions", tag = "own frameworks",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<OwnFrameworkId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<OwnFramework>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of an own framework.
#[utoipa::path(get, path = "/api/v1/own-frameworks/{id}/versions/{version}", tag = "own frameworks",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<OwnFrameworkId, i64>,
) -> Result<Response, ApiError> {
    record::version::<OwnFramework>(&app, &caller, id, version).await
}

/// Lists the requirements of an own framework.
///
/// They come in the order in which they were entered.
#[utoipa::path(get, path = "/api/v1/own-frameworks/{id}/requirements", tag = "own frameworks",
    params(("id" = String, Path), OwnRequirementParams, PageParams),
    responses((status = 200, body = List<OwnRequirement>), KeyedErrors))]
pub(crate) async fn requirements(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<OwnFrameworkId>,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let params: OwnRequirementParams = query.read();
    let content = ContentName::wanted(params.content);
    let page = app.own_requirements(&caller, id, content, query.check()?.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<OwnRequirement>::of(&page))))
}

/// Adds or replaces a requirement of an own framework.
#[utoipa::path(put, path = "/api/v1/own-frameworks/{id}/requirements/{requirement}", tag = "own frameworks",
    request_body = OwnRequirementBody, params(("id" = String, Path), ("requirement" = String, Path)),
    responses((status = 200, body = Data<OwnFrameworkDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn put_requirement(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(id, requirement): IdsPath<OwnFrameworkId, String>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input = fields.read::<OwnRequirementBody>().into_input(requirement);
    let input = AppChange::Put(Box::new(fields.finish(Some(input))?));
    let (detail, revision) = app.change_record::<OwnFramework>(&caller, id, input, precondition).await?;
    Ok(record::changed::<OwnFramework>(&app, &detail, revision))
}

/// Removes a requirement of an own framework.
#[utoipa::path(delete, path = "/api/v1/own-frameworks/{id}/requirements/{requirement}", tag = "own frameworks",
    params(("id" = String, Path), ("requirement" = String, Path)),
    responses((status = 200, body = Data<OwnFrameworkDetail>), KeyedErrors, StaleError))]
pub(crate) async fn delete_requirement(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(id, requirement): IdsPath<OwnFrameworkId, String>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    let change = AppChange::Remove(requirement);
    let (detail, revision) = app.change_record::<OwnFramework>(&caller, id, change, precondition).await?;
    Ok(record::changed::<OwnFramework>(&app, &detail, revision))
}

/// Archives an own framework.
///
/// It leaves the lists and keeps its history.
#[utoipa::path(post, path = "/api/v1/own-frameworks/{id}/archive", tag = "own frameworks", params(("id" = String, Path)),
    responses((status = 200, body = Data<OwnFrameworkDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn archive(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<OwnFrameworkId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<OwnFramework>(&app, &caller, id, true, precondition).await
}

/// Restores an own framework from the archive.
#[utoipa::path(post, path = "/api/v1/own-frameworks/{id}/restore", tag = "own frameworks", params(("id" = String, Path)),
    responses((status = 200, body = Data<OwnFrameworkDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn restore(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<OwnFrameworkId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<OwnFramework>(&app, &caller, id, false, precondition).await
}
