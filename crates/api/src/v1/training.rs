//! Trainings of people: modules of the catalogue with a quiz, and courses held elsewhere.

use app::{App, training::TrainingView};
use axum::{extract::State, response::Response};
use domain::{
    id::TrainingId,
    training::{AssignmentInput, ResultInput, Training},
};
use http::StatusCode;
use utoipa_axum::routes;

use super::{
    Subject,
    correction::{self, NewCorrection},
    record::{self, AsOfParams, RecordVersion},
    tag::TagParams,
    training_wire::{
        NewTraining, NewTrainingResult, TrainingChange, TrainingDetail, TrainingItem, TrainingParams,
        TrainingSummary,
    },
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, IdPath, IdsPath, IfMatch, IfNoneMatch, LanguageParams, ListParams, ListQuery, PageParams,
        PageQuery, Reader, Spoken, Writer,
    },
    respond::{self, All, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "trainings",
    about: "Trainings of people until a day: who passed, who is late, and the management body apart.",
    found: None,
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(summary))
            .routes(routes!(get, patch, delete))
            .routes(routes!(result))
            .routes(routes!(correct))
            .routes(routes!(archive))
            .routes(routes!(restore))
            .routes(routes!(versions))
            .routes(routes!(version))
    },
};

/// Lists trainings.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/trainings", tag = "trainings", params(ListParams, AsOfParams, TagParams, TrainingParams),
    responses((status = 200, body = List<TrainingItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<Training>(&app, &caller, query, &if_none_match).await
}

/// Assigns a training to people.
///
/// Each person gets a training of their own, and a notice. The title of a module is stored in the language of the
/// request.
#[utoipa::path(post, path = "/api/v1/trainings", tag = "trainings", request_body = NewTraining,
    params(LanguageParams),
    responses((status = 201, body = All<TrainingItem>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    Spoken(language): Spoken,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input: AssignmentInput = fields.read::<NewTraining>().into();
    let input = fields.finish(Some(input))?;
    let render = |trainings: &[TrainingView]| {
        let data: Vec<TrainingItem> = trainings.iter().map(TrainingItem::from).collect();
        respond::to_text(&All { data })
    };
    let creation = app.assign_trainings(&caller, &input, language, body.idempotency, render).await?;
    Ok(respond::created(creation, None))
}

/// Gets how many trainings are passed, due and late.
///
/// Those of the members of the management body are counted in all, and apart.
#[utoipa::path(get, path = "/api/v1/trainings/summary", tag = "trainings",
    responses((status = 200, body = Data<TrainingSummary>), KeyedErrors))]
pub(crate) async fn summary(State(app): State<App>, Reader(caller): Reader) -> Result<Response, ApiError> {
    let totals = app.training_totals(&caller).await?;
    let data = TrainingSummary::from(&totals);
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// Gets a training with its history.
#[utoipa::path(get, path = "/api/v1/trainings/{id}", tag = "trainings", params(("id" = String, Path)),
    responses((status = 200, body = Data<TrainingDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<TrainingId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::get::<Training>(&app, &caller, id, &if_none_match).await
}

/// Updates a training.
///
/// Fields that are absent keep their values. What is taken, and by whom, cannot be changed.
#[utoipa::path(patch, path = "/api/v1/trainings/{id}", tag = "trainings",
    request_body = TrainingChange, params(("id" = String, Path)),
    responses((status = 200, body = Data<TrainingDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TrainingId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<Training>(&app, &caller, id, precondition, body).await
}

/// Deletes a training.
///
/// One that was taken or changed is archived instead.
#[utoipa::path(delete, path = "/api/v1/trainings/{id}", tag = "trainings",
    params(("id" = String, Path)), responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TrainingId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::delete::<Training>(&app, &caller, id, precondition).await
}

/// Records the result of a course held elsewhere.
///
/// Another person records it than the one who took the course. A module is passed with its quiz in the workspace.
#[utoipa::path(post, path = "/api/v1/trainings/{id}/result", tag = "trainings",
    request_body = NewTrainingResult, params(("id" = String, Path)),
    responses((status = 200, body = Data<TrainingDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn result(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TrainingId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input: ResultInput = fields.read::<NewTrainingResult>().into();
    let input = fields.finish(Some(input))?;
    let (detail, revision) = app.record_training_result(&caller, id, input, precondition).await?;
    Ok(record::changed::<Training>(&app, &detail, revision))
}

/// Corrects the recorded result of a course held elsewhere.
///
/// `passed_on` or `score`; without a day the course was not passed after all, and the training is open again. The first
/// value, who recorded it, who corrected it and why are kept in `corrections`. Never by the person who took the course.
#[utoipa::path(post, path = "/api/v1/trainings/{id}/corrections", tag = "trainings",
    request_body = NewCorrection, params(("id" = String, Path)),
    responses((status = 200, body = Data<TrainingDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn correct(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TrainingId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    correction::make::<Training>(&app, &caller, (id, ()), precondition, body).await
}

/// Archives a training.
///
/// It leaves the lists and the figures, and keeps its history.
#[utoipa::path(post, path = "/api/v1/trainings/{id}/archive", tag = "trainings", params(("id" = String, Path)),
    responses((status = 200, body = Data<TrainingDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn archive(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TrainingId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<Training>(&app, &caller, id, true, precondition).await
}

/// Restores a training from the archive.
#[utoipa::path(post, path = "/api/v1/trainings/{id}/restore", tag = "trainings", params(("id" = String, Path)),
    responses((status = 200, body = Data<TrainingDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn restore(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TrainingId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<Training>(&app, &caller, id, false, precondition).await
}

/// Lists the versions of a training.
///
/// Every change and every attempt keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/trainings/{id}/versions", tag = "trainings",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<TrainingId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<Training>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of a training.
#[utoipa::path(get, path = "/api/v1/trainings/{id}/versions/{version}", tag = "trainings",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<TrainingId, i64>,
) -> Result<Response, ApiError> {
    record::version::<Training>(&app, &caller, id, version).await
}
