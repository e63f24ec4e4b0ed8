//! Open work until a day, and tasks.

use app::{App, search::HitKind, work::TaskFilter};
use axum::{extract::State, response::Response};
use domain::{id::TaskId, task::Task};
use http::StatusCode;
use utoipa_axum::routes;

use super::{
    Subject,
    record::{self, Noun as _, RecordVersion},
    task_wire::{NewTask, PlainTaskDetail, TaskChange, TaskItem, TaskParams},
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, IdPath, IdsPath, IfMatch, IfNoneMatch, LanguageParams, ListParams, ListQuery, PageParams,
        PageQuery, Parsed, Reader, Spoken, Writer, exactly,
    },
    respond::{self, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "tasks",
    about: "What people have to do until a day, over every kind of record, and plain tasks.",
    found: Some((HitKind::Own("task"), Task::PATH)),
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(get, patch, delete))
            .routes(routes!(archive))
            .routes(routes!(restore))
            .routes(routes!(versions))
            .routes(routes!(version))
    },
};

/// Lists what is to be done, over every kind of record.
///
/// Open findings, test cases that are not finished, controls to perform, requirements to meet and assessments to review,
/// evidence to renew, risks to review, acceptances that end, reports that are due, filings of the register, ends of
/// programmes, trainings to take, requests for evidence to answer, and plain tasks. The soonest come first; plain tasks without a day come last. This
/// order changes with the days, so only a list with `updated_since` has cursors. What is finished is no longer listed.
#[utoipa::path(get, path = "/api/v1/tasks", tag = "tasks", params(ListParams, TaskParams, LanguageParams),
    responses((status = 200, body = List<TaskItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    ListQuery(mut query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let params: TaskParams = query.read();
    let filter = TaskFilter {
        owner: params.owner.and_then(exactly),
        due_before: params.due_before.map(Parsed::value),
        kind: params.r#type.map(Parsed::value),
    };
    let request = query.check()?.page;
    let page = app.tasks(&caller, filter, language, request).await?;
    let body = respond::to_json(&List::<TaskItem>::of(&page));
    let validator = app.content_validator(&body);
    Ok(respond::validated(&validator, &if_none_match, || respond::json(StatusCode::OK, body)))
}

/// Creates a plain task.
#[utoipa::path(post, path = "/api/v1/tasks", tag = "tasks", request_body = NewTask,
    responses((status = 201, body = Data<PlainTaskDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    record::create::<Task>(&app, &caller, body).await
}

/// Gets a plain task with its history.
#[utoipa::path(get, path = "/api/v1/tasks/{id}", tag = "tasks", params(("id" = String, Path)),
    responses((status = 200, body = Data<PlainTaskDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<TaskId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::get::<Task>(&app, &caller, id, &if_none_match).await
}

/// Updates a plain task.
///
/// Fields that are absent keep their values.
#[utoipa::path(patch, path = "/api/v1/tasks/{id}", tag = "tasks",
    request_body = TaskChange, params(("id" = String, Path)),
    responses((status = 200, body = Data<PlainTaskDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TaskId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<Task>(&app, &caller, id, precondition, body).await
}

/// Deletes a plain task.
#[utoipa::path(delete, path = "/api/v1/tasks/{id}", tag = "tasks",
    params(("id" = String, Path)), responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TaskId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::delete::<Task>(&app, &caller, id, precondition).await
}

/// Archives a plain task.
///
/// It keeps its history and leaves the tasks about its record. A task is archived once it is done.
#[utoipa::path(post, path = "/api/v1/tasks/{id}/archive", tag = "tasks", params(("id" = String, Path)),
    responses((status = 200, body = Data<PlainTaskDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn archive(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TaskId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<Task>(&app, &caller, id, true, precondition).await
}

/// Restores a plain task from the archive.
#[utoipa::path(post, path = "/api/v1/tasks/{id}/restore", tag = "tasks", params(("id" = String, Path)),
    responses((status = 200, body = Data<PlainTaskDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn restore(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TaskId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<Task>(&app, &caller, id, false, precondition).await
}

/// Lists the versions of a plain task.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/tasks/{id}/versions", tag = "tasks",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<TaskId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<Task>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of a plain task.
#[utoipa::path(get, path = "/api/v1/tasks/{id}/versions/{version}", tag = "tasks",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<TaskId, i64>,
) -> Result<Response, ApiError> {
    record::version::<Task>(&app, &caller, id, version).await
}
