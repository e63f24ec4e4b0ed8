//! Trainings of people: modules of the catalogue with a quiz, and courses held elsewhere.

pub(crate) mod wire;

use app::{App, training::TrainingView};
use axum::{extract::State, response::Response};
use domain::{
    id::TrainingId,
    training::{AssignmentInput, ResultInput, Training},
};
use http::StatusCode;
use utoipa_axum::routes;

use self::wire::{
    NewTraining, NewTrainingResult, TrainingChange, TrainingDetail, TrainingItem, TrainingParams,
    TrainingSummary,
};
use crate::{
    ApiError,
    extract::{Body, IdPath, IfMatch, LanguageParams, Reader, Spoken, Writer},
    respond::{self, All, Data},
    v1::{
        Subject, WholeList,
        record::{self, AsOfParams, record_routes},
        records::{
            correction::{self, NewCorrection},
            tags::TagParams,
        },
        wire::{BodyErrors, KeyedErrors, StaleError},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "trainings",
    about: "Trainings of people until a day: who passed, who is late, and the management body apart.",
    list: Some(WholeList::all::<Training>()),
    routes: |router| {
        record_routes(router)
            .routes(routes!(create))
            .routes(routes!(summary))
            .routes(routes!(result))
            .routes(routes!(correct))
    },
};

record_routes! {
    Training, "a training", TrainingDetail;

    /// Lists trainings.
    ///
    /// The newest come first.
    list(TrainingItem; AsOfParams, TagParams, TrainingParams);
    get;
    /// Updates a training.
    ///
    /// Fields that are absent keep their values. What is taken, and by whom, cannot be changed.
    patch(TrainingChange);
    /// Deletes a training.
    ///
    /// One that was taken or changed is archived instead.
    delete;
    /// Archives a training.
    ///
    /// It leaves the lists and the figures, and keeps its history.
    archive(BodyErrors);
    restore(BodyErrors);
    /// Lists the versions of a training.
    ///
    /// Every change and every attempt keeps the version before. The current version comes first.
    versions;
    version;
}

/// Assigns a training to people.
///
/// Each person gets a training of their own, and a notice. The title of a module is stored in the language of the
/// request.
#[utoipa::path(post, path = "/api/v1/trainings", operation_id = "assignTrainings",
    tag = "trainings", request_body = NewTraining,
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
    let creation =
        app.compliance.assign_trainings(&caller, &input, language, body.idempotency, render).await?;
    Ok(respond::created(creation, None))
}

/// Gets how many trainings are passed, due and late.
///
/// Those of the members of the management body are counted in all, and apart.
#[utoipa::path(get, path = "/api/v1/trainings/summary", operation_id = "getTrainingSummary",
    tag = "trainings",
    responses((status = 200, body = Data<TrainingSummary>), KeyedErrors))]
pub(crate) async fn summary(State(app): State<App>, Reader(caller): Reader) -> Result<Response, ApiError> {
    let totals = app.compliance.training_totals(&caller).await?;
    let data = TrainingSummary::from(&totals);
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// Records the result of a course held elsewhere.
///
/// Another person records it than the one who took the course. A module is passed with its quiz in the workspace.
#[utoipa::path(post, path = "/api/v1/trainings/{id}/result", operation_id = "recordTrainingResult",
    tag = "trainings",
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
    let (detail, revision) = app.compliance.record_training_result(&caller, id, input, precondition).await?;
    Ok(record::changed::<Training>(&app, &detail, revision))
}

/// Corrects the recorded result of a course held elsewhere.
///
/// `passed_on` or `score`; without a day the course was not passed after all, and the training is open again. The first
/// value, who recorded it, who corrected it and why are kept in `corrections`. Never by the person who took the course.
#[utoipa::path(post, path = "/api/v1/trainings/{id}/corrections", operation_id = "correctTrainingResult",
    tag = "trainings",
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
