//! Controls: what the institution does to meet its duties.

pub(crate) mod wire;

use app::{
    App,
    catalogue::Edition,
    control::{Adopting, Adoption},
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

use self::wire::{
    AdoptionResult, ControlChange, ControlDetail, ControlItem, ControlParams, ControlPerformance,
    NewAdoption, NewControl, NewPerformance,
};
use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, IdsPath, IfMatch, LanguageParams, Reader, Spoken, Writer},
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
    tag: "controls",
    about: "What the institution does about its duties: owned, performed, tested.",
    list: Some(WholeList::all::<Control>()),
    routes: |router| {
        record_routes(router)
            .routes(routes!(adopt))
            .routes(routes!(performed))
            .routes(routes!(performances))
            .routes(routes!(correct))
    },
};

record_routes! {
    Control, "a control", ControlDetail;

    /// Lists controls.
    ///
    /// The newest come first.
    list(ControlItem; AsOfParams, TagParams, ControlParams);
    create(NewControl);
    get;
    /// Updates a control.
    ///
    /// Fields that are absent keep their values.
    patch(ControlChange);
    /// Deletes a control.
    delete;
    archive(BodyErrors);
    restore(BodyErrors);
    versions;
    version;
}

/// Makes controls out of measures of the catalogue.
///
/// Measures that have a control already are left out. Titles are in the language of the request. `dry_run` says what
/// would happen, of a framework for each of its chapters.
#[utoipa::path(post, path = "/api/v1/controls/adopt", operation_id = "adoptControls", tag = "controls",
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
        AdoptionResult::tried(app.compliance.adoption_preview(&caller, adoption).await?)
    } else {
        let adopting = Adopting { owner: owner.map_or(Change::Keep, Change::Set), language };
        AdoptionResult::made(app.compliance.adopt_controls(&caller, &adoption, adopting).await?)
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
#[utoipa::path(post, path = "/api/v1/controls/{id}/performed", operation_id = "recordControlPerformance",
    tag = "controls",
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
    let (detail, revision) = app.compliance.perform_control(&caller, id, input, precondition).await?;
    Ok(record::changed::<Control>(&app, &detail, revision))
}

/// Lists the latest performances of a control, last recorded first.
#[utoipa::path(get, path = "/api/v1/controls/{id}/performances", operation_id = "listControlPerformances",
    tag = "controls",
    params(("id" = String, Path)),
    responses((status = 200, body = All<ControlPerformance>), KeyedErrors))]
pub(crate) async fn performances(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ControlId>,
) -> Result<Response, ApiError> {
    // A control of another tenant gives the same response as one that does not exist.
    app.records.record::<Control>(&caller, id).await?;
    let rows = app.compliance.control_performances(&caller, id).await?;
    let data: Vec<ControlPerformance> = rows.iter().map(ControlPerformance::from).collect();
    Ok(respond::json(StatusCode::OK, respond::to_json(&All { data })))
}

/// Corrects the day or the note of a recorded performance.
///
/// The first value is kept, with who recorded it and who corrected it. `next_due_on` follows the last performance.
#[utoipa::path(post, path = "/api/v1/controls/{id}/performances/{number}/corrections",
    operation_id = "correctControlPerformance", tag = "controls",
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
