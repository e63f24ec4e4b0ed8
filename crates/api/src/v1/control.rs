//! Controls: what the institution does to meet its duties.

use app::{
    App,
    catalogue::Edition,
    control::{Adopting, Adoption},
    search::HitKind,
};
use axum::{extract::State, response::Response};
use domain::{
    change::Change,
    control::{Control, ControlComplaint, PerformedInput},
    id::ControlId,
    text::Name,
    violation::Violations,
};
use http::StatusCode;
use utoipa_axum::routes;

use super::{
    Subject,
    control_wire::{
        AdoptionResult, ControlChange, ControlDetail, ControlItem, ControlParams, ControlPerformance,
        NewAdoption, NewControl, NewPerformance,
    },
    correction::{self, NewCorrection},
    record::{self, AsOfParams, Noun as _, RecordVersion},
    tag::TagParams,
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, LanguageParams, ListParams, ListQuery,
        PageParams, PageQuery, Reader, Spoken, Writer,
    },
    respond::{self, All, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "controls",
    about: "What the institution does about its duties: owned, performed, tested.",
    found: Some((HitKind::Own("control"), Control::PATH)),
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(adopt))
            .routes(routes!(get, patch, delete))
            .routes(routes!(archive))
            .routes(routes!(restore))
            .routes(routes!(versions))
            .routes(routes!(version))
            .routes(routes!(performed))
            .routes(routes!(performances))
            .routes(routes!(correct))
    },
};

/// Lists controls.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/controls", tag = "controls", params(ListParams, AsOfParams, TagParams, ControlParams),
    responses((status = 200, body = List<ControlItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<Control>(&app, &caller, query, &if_none_match).await
}

/// Creates a control.
#[utoipa::path(post, path = "/api/v1/controls", tag = "controls",
    request_body = NewControl,
    responses((status = 201, body = Data<ControlDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    record::create::<Control>(&app, &caller, body).await
}

/// Gets a control with its history.
#[utoipa::path(get, path = "/api/v1/controls/{id}", tag = "controls", params(("id" = String, Path)),
    responses((status = 200, body = Data<ControlDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ControlId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::get::<Control>(&app, &caller, id, &if_none_match).await
}

/// Updates a control.
///
/// Fields that are absent keep their values.
#[utoipa::path(patch, path = "/api/v1/controls/{id}", tag = "controls",
    request_body = ControlChange, params(("id" = String, Path)),
    responses((status = 200, body = Data<ControlDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ControlId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<Control>(&app, &caller, id, precondition, body).await
}

/// Deletes a control.
#[utoipa::path(delete, path = "/api/v1/controls/{id}", tag = "controls",
    params(("id" = String, Path)), responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ControlId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::delete::<Control>(&app, &caller, id, precondition).await
}

/// Lists the versions of a control.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/controls/{id}/versions", tag = "controls",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ControlId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<Control>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of a control.
#[utoipa::path(get, path = "/api/v1/controls/{id}/versions/{version}", tag = "controls",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<ControlId, i64>,
) -> Result<Response, ApiError> {
    record::version::<Control>(&app, &caller, id, version).await
}

/// Makes controls out of measures of the catalogue.
///
/// Measures that have a control already are left out. Titles are in the language of the request. `dry_run` says what
/// would happen, of a framework for each of its chapters.
#[utoipa::path(post, path = "/api/v1/controls/adopt", tag = "controls",
    request_body = NewAdoption, params(LanguageParams),
    responses((status = 200, body = Data<AdoptionResult>), KeyedErrors, BodyErrors))]
pub(crate) async fn adopt(
    State(app): State<App>,
    Writer(caller): Writer,
    Spoken(language): Spoken,
    body: Body,
) -> Result<Response, ApiError> {
    let (adoption, owner, dry_run) = adoption(&*app.edition_of(&caller).await?, body.fields)?;
    let data = if dry_run {
        AdoptionResult::tried(app.adoption_preview(&caller, adoption).await?)
    } else {
        let adopting = Adopting { owner: owner.map_or(Change::Keep, Change::Set), language };
        AdoptionResult::made(app.adopt_controls(&caller, &adoption, adopting).await?)
    };
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// The measures, the owner of the controls, and whether nothing is to be stored.
fn adoption(edition: &Edition, mut fields: Fields) -> Result<(Adoption, Option<String>, bool), ApiError> {
    let request: NewAdoption = fields.read();
    let (named, framed) = (fields.has("measures"), fields.has("framework"));
    let framework = match request.framework {
        Some(text) => fields.keep("framework", edition.framework_named(&text)),
        None => None,
    };
    let in_parts = request.sections.is_some();
    let of_framework = framework.map(|framework| match request.sections {
        Some(sections) => Adoption::Sections(framework, sections),
        None => Adoption::Framework(framework),
    });
    if let Some(owner) = request.owner.as_deref().filter(|owner| !owner.trim().is_empty()) {
        fields.keep("owner", Name::parse(owner));
    }
    let chosen = request.measures.map(Adoption::Measures).or(of_framework);
    let chosen = fields.finish(Some(chosen))?;
    match chosen {
        Some(_) if named && framed => Err(refused("measures", ControlComplaint::OneOfBoth)),
        _ if in_parts && !framed => Err(refused("framework", ControlComplaint::SectionsAlone)),
        Some(chosen) => Ok((chosen, request.owner, request.dry_run.unwrap_or_default())),
        None => Err(refused("measures", ControlComplaint::NothingToAdopt)),
    }
}

fn refused(field: &str, complaint: ControlComplaint) -> ApiError {
    ApiError::App(app::Error::Invalid(Violations::one(field, complaint)))
}

/// Records one performance of a control.
///
/// `next_due_on` moves to one interval after the day. A day before the last performance is recorded and moves nothing.
#[utoipa::path(post, path = "/api/v1/controls/{id}/performed", tag = "controls",
    request_body = NewPerformance, params(("id" = String, Path)),
    responses((status = 200, body = Data<ControlDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn performed(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ControlId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input: PerformedInput = fields.read::<NewPerformance>().into();
    let input = fields.finish(Some(input))?;
    let (detail, revision) = app.perform_control(&caller, id, input, precondition).await?;
    Ok(record::changed::<Control>(&app, &detail, revision))
}

/// Lists the latest performances of a control, last recorded first.
#[utoipa::path(get, path = "/api/v1/controls/{id}/performances", tag = "controls",
    params(("id" = String, Path)),
    responses((status = 200, body = All<ControlPerformance>), KeyedErrors))]
pub(crate) async fn performances(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ControlId>,
) -> Result<Response, ApiError> {
    // A control of another tenant gives the same response as one that does not exist.
    app.record::<Control>(&caller, id).await?;
    let rows = app.control_performances(&caller, id).await?;
    let data: Vec<ControlPerformance> = rows.iter().map(ControlPerformance::from).collect();
    Ok(respond::json(StatusCode::OK, respond::to_json(&All { data })))
}

/// Corrects the day or the note of a recorded performance.
///
/// The first value is kept, with who recorded it and who corrected it. `next_due_on` follows the last performance.
#[utoipa::path(post, path = "/api/v1/controls/{id}/performances/{number}/corrections", tag = "controls",
    request_body = NewCorrection,
    params(("id" = String, Path), ("number" = i64, Path, minimum = 1, description = "The `number` of the performance.")),
    responses((status = 200, body = Data<ControlDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn correct(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(id, number): IdsPath<ControlId, i64>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    correction::make::<Control>(&app, &caller, (id, number), precondition, body).await
}

/// Archives a control.
///
/// It leaves the lists and keeps its history.
#[utoipa::path(post, path = "/api/v1/controls/{id}/archive", tag = "controls", params(("id" = String, Path)),
    responses((status = 200, body = Data<ControlDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn archive(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ControlId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<Control>(&app, &caller, id, true, precondition).await
}

/// Restores a control from the archive.
#[utoipa::path(post, path = "/api/v1/controls/{id}/restore", tag = "controls", params(("id" = String, Path)),
    responses((status = 200, body = Data<ControlDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn restore(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ControlId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<Control>(&app, &caller, id, false, precondition).await
}
