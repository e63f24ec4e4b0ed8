//! Frameworks of the institution's own, with their requirements.

pub(crate) mod file;
pub(crate) mod wire;

use app::{App, own_framework::OwnFrameworkChange as AppChange};
use axum::{extract::State, response::Response};
use domain::{id::OwnFrameworkId, own_framework::OwnFramework};
use http::StatusCode;
use utoipa_axum::routes;

use self::wire::{
    ContentName, NewOwnFramework, OwnFrameworkChange, OwnFrameworkDetail, OwnFrameworkItem,
    OwnFrameworkParams, OwnRequirement, OwnRequirementBody, OwnRequirementParams,
};
use crate::{
    ApiError,
    extract::{Body, IdPath, IdsPath, IfMatch, PageParams, PageQuery, Reader, Writer},
    respond::{self, Data, List},
    v1::{
        Subject, WholeList,
        record::{self, AsOfParams, record_routes},
        records::tags::TagParams,
        wire::{BodyErrors, KeyedErrors, StaleError},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "own frameworks",
    about: "Frameworks of the institution's own: imported or written, approved by a second person, assessed like the others.",
    list: Some(WholeList::all::<OwnFramework>()),
    routes: |router| {
        record_routes(router)
            .routes(routes!(requirements))
            .routes(routes!(put_requirement, delete_requirement))
            .routes(routes!(file::import))
            .routes(routes!(file::export))
    },
};

record_routes! {
    OwnFramework, "an own framework", OwnFrameworkDetail;

    /// Lists the institution's own frameworks.
    ///
    /// The newest come first.
    list(OwnFrameworkItem; AsOfParams, TagParams, OwnFrameworkParams);
    /// Creates an own framework.
    ///
    /// It begins as a draft without requirements.
    create(NewOwnFramework);
    get;
    /// Updates an own framework.
    ///
    /// `status: approved` puts its requirements in force. It is refused for a person or key that changed anything since the
    /// last approval, and together with another change. Any other change makes it a draft; what was approved stays in force
    /// until the next approval.
    patch(OwnFrameworkChange);
    /// Deletes an own framework that is not in force.
    delete;
    archive(BodyErrors);
    restore(BodyErrors);
    /// Lists the versions of an own framework.
    ///
    /// Every change keeps the version before. `content` in a version is the number of its set of requirements, which
    /// `GET …/requirements?content=` shows.
    versions;
    version;
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
    let page = app.compliance.own_requirements(&caller, id, content, query.check()?.page).await?;
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
    let (detail, revision) =
        app.records.change_record::<OwnFramework>(&caller, id, input, precondition).await?;
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
    let (detail, revision) =
        app.records.change_record::<OwnFramework>(&caller, id, change, precondition).await?;
    Ok(record::changed::<OwnFramework>(&app, &detail, revision))
}
