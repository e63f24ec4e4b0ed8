//! Open work until a day, and tasks.

pub(crate) mod wire;

use app::{App, work::TaskFilter};
use axum::{extract::State, response::Response};
use domain::task::Task;
use http::StatusCode;
use utoipa_axum::routes;

use self::wire::{NewTask, PlainTaskDetail, TaskChange, TaskItem, TaskParams};
use crate::{
    ApiError,
    extract::{IfNoneMatch, LanguageParams, ListParams, ListQuery, Parsed, Reader, Spoken, exactly},
    respond::{self, List},
    v1::{
        Subject, WholeList,
        record::record_routes,
        wire::{BodyErrors, KeyedErrors, NotModified},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "tasks",
    about: "What people have to do until a day, over every kind of record, and plain tasks.",
    list: Some(WholeList::imported::<Task>()),
    routes: |router| record_routes(router.routes(routes!(list))),
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
    let page = app.work.tasks(&caller, filter, language, request).await?;
    let body = respond::to_json(&List::<TaskItem>::of(&page));
    let validator = app.content_validator(&body);
    Ok(respond::validated(&validator, &if_none_match, || respond::json(StatusCode::OK, body)))
}

record_routes! {
    Task, "a plain task", PlainTaskDetail;

    create(NewTask);
    get;
    /// Updates a plain task.
    ///
    /// Fields that are absent keep their values.
    patch(TaskChange);
    /// Deletes a plain task.
    delete;
    /// Archives a plain task.
    ///
    /// It keeps its history and leaves the tasks about its record. A task is archived once it is done.
    archive(BodyErrors);
    restore(BodyErrors);
    versions;
    version;
}
