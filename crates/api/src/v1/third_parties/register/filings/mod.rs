//! Filings of the register of information: frozen packages, their states, and the authority's feedback.

pub(crate) mod wire;

use app::{
    App,
    authz::Caller,
    register::{FeedbackLine, RegisterFilingFilter},
};
use axum::{
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use domain::{
    id::RegisterFilingId, page::Page, register::filing::difference::DifferencePart,
    register_filing::RegisterFiling, violation::Complaint,
};
use http::{HeaderValue, StatusCode, header};
use utoipa_axum::{router::OpenApiRouter, routes};

use self::wire::{
    DifferenceParams, EditionParams, FilingParams, NewRegisterFiling, RegisterDifference, RegisterFeedback,
    RegisterFilingChange, RegisterFilingDetail, RegisterFilingFields, RegisterFilingItem,
};
use super::SUBJECT;
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IfMatch, IfNoneMatch, PageParams, PageQuery, Parsed, Reader, Words, Writer,
        file,
    },
    respond::{self, Data, List},
    v1::{
        record::{self, AsOfParams, Noun, record_routes},
        records::{
            correction::{self, NewCorrection},
            tags::TagParams,
        },
        wire::{BodyErrors, FileErrors, KeyedErrors, NotModified, StaleError},
    },
};

pub(crate) fn routes(router: OpenApiRouter<App>) -> OpenApiRouter<App> {
    record_routes(router)
        .routes(routes!(create))
        .routes(routes!(patch))
        .routes(routes!(correct))
        .routes(routes!(package))
        .routes(routes!(difference))
        .routes(routes!(feedback_lines, feedback))
}

const PATH: &str = "/api/v1/register/filings";

impl Noun for RegisterFiling {
    type Item = RegisterFilingItem;
    type Full = RegisterFilingDetail;

    const PATH: &'static str = PATH;

    fn filter(_: &App, query: &mut PageQuery) -> Result<RegisterFilingFilter, ApiError> {
        let params: FilingParams = query.read();
        let (status, sort) = (Words::any(params.status), params.sort.map(Parsed::value));
        Ok(RegisterFilingFilter { status, sort })
    }

    /// The input of a request; the register is frozen separately.
    fn input(fields: &mut Fields) -> Self::Input {
        fields.read::<RegisterFilingFields>().into()
    }
}

record_routes! {
    RegisterFiling, "a filing", RegisterFilingDetail;

    /// Lists filings of the register.
    ///
    /// The newest come first.
    list(RegisterFilingItem; AsOfParams, TagParams, FilingParams);
    get;
    /// Deletes a draft that was never submitted.
    delete;
    versions;
    version;
}

/// Freezes the register as a filing.
///
/// The package is made of the register as it is now and never changes. It may have problems; then it cannot be set to
/// `submitted`.
#[utoipa::path(post, path = "/api/v1/register/filings", tag = "register of information",
    request_body = NewRegisterFiling,
    responses((status = 201, body = Data<RegisterFilingDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    mut body: Body,
) -> Result<Response, ApiError> {
    let fields: RegisterFilingFields = body.fields.read();
    let input = body.fields.finish(Some(fields.into()))?;
    let render = |detail: &_| respond::to_text(&Data { data: RegisterFilingDetail::from(detail) });
    let creation = app.third_parties.create_register_filing(&caller, input, body.idempotency, render).await?;
    Ok(respond::created(creation, Some(PATH)))
}

/// Updates a filing.
///
/// The status can only move along the transitions of `RegisterFilingStatus`. Only another person or key than the one
/// that froze the package can set `submitted`, and only if nothing in it would be refused. A refused filing that becomes
/// `drafted` is frozen again, as its next edition.
#[utoipa::path(patch, path = "/api/v1/register/filings/{id}", tag = "register of information",
    params(("id" = String, Path)), request_body = RegisterFilingChange,
    responses((status = 200, body = Data<RegisterFilingDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<RegisterFilingId>,
    IfMatch(precondition): IfMatch,
    mut body: Body,
) -> Result<Response, ApiError> {
    let fields: RegisterFilingFields = body.fields.read();
    let input = body.fields.finish(Some(fields.into()))?;
    let (detail, revision) =
        app.third_parties.change_register_filing(&caller, id, input, precondition).await?;
    Ok(record::changed::<RegisterFiling>(&app, &detail, revision))
}

/// Downloads the frozen package.
///
/// The file is the same, byte by byte, for as long as the filing is kept; its `sha256` is in the filing.
#[utoipa::path(get, path = "/api/v1/register/filings/{id}/package", operation_id = "downloadRegisterFiling",
    tag = "register of information",
    params(("id" = String, Path), EditionParams),
    responses((status = 200, body = String, content_type = "application/zip"), NotModified, KeyedErrors))]
pub(crate) async fn package(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<RegisterFilingId>,
    mut query: PageQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let edition = query.read::<EditionParams>().edition.map(Parsed::value);
    query.check()?;
    let file = app.third_parties.register_package(&caller, id, edition).await?;
    let full = || {
        let headers = [
            (header::CONTENT_TYPE, "application/zip".to_owned()),
            (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", file.frozen.name)),
        ];
        let nosniff = [(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"))];
        (headers, nosniff, file.bytes).into_response()
    };
    Ok(respond::validated(&file.frozen.sha256, &if_none_match, full))
}

/// Lists what changed from this filing to another one.
///
/// Rows are compared by the key columns of their template. Without `to`, the filing is compared with the register as it
/// is now.
#[utoipa::path(get, path = "/api/v1/register/filings/{id}/difference", tag = "register of information",
    params(("id" = String, Path), DifferenceParams, PageParams),
    responses((status = 200, body = List<RegisterDifference>), KeyedErrors))]
pub(crate) async fn difference(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<RegisterFilingId>,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let params: DifferenceParams = query.read();
    let to = query.id::<RegisterFilingId>("to", params.to.as_deref(), "a filing");
    let part = DifferencePart {
        template: params.template.map(Parsed::value),
        kind: params.change.map(Parsed::value),
        ..DifferencePart::default()
    };
    let page = query.check()?.page;
    let page = app.third_parties.register_difference_page(&caller, id, to, part, page).await?;
    Ok(listed::<RegisterDifference, _>(&page))
}

/// Reads the authority's feedback on a filing.
///
/// The file is its `detailed-feedback.csv`, sent as plain bytes or as `text/csv`. Each line is placed on the row it is about; a line about an unknown row is kept
/// without one. What was read before for this edition is replaced.
#[utoipa::path(post, path = "/api/v1/register/filings/{id}/feedback",
    operation_id = "readRegisterFilingFeedback", tag = "register of information",
    params(("id" = String, Path)), request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Data<RegisterFilingDetail>),
              (status = 422, description = "The file is not valid. Nothing was stored."), KeyedErrors, FileErrors))]
pub(crate) async fn feedback(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<RegisterFilingId>,
    request: Request,
) -> Result<Response, ApiError> {
    known(&app, &caller, id).await?;
    if !["text/csv", "application/octet-stream"].contains(&file::media_type(request.headers()).as_str()) {
        let complaint = Complaint::protocol("must be a file: send Content-Type: text/csv");
        return Err(app::Error::invalid("body", complaint).into());
    }
    let file = file::received(&app, &caller, request).await?;
    let (detail, revision) = app
        .third_parties
        .read_register_feedback(&caller, id, file, app::pages::Precondition::default())
        .await?;
    Ok(record::changed::<RegisterFiling>(&app, &detail, revision))
}

/// Another tenant's filing gives the same response as one that does not exist.
async fn known(app: &App, caller: &Caller, id: RegisterFilingId) -> Result<(), ApiError> {
    app.records.record::<RegisterFiling>(caller, id).await?;
    Ok(())
}

/// Lists the authority's feedback on a filing, line by line.
#[utoipa::path(get, path = "/api/v1/register/filings/{id}/feedback", tag = "register of information",
    params(("id" = String, Path), EditionParams, PageParams),
    responses((status = 200, body = List<RegisterFeedback>), KeyedErrors))]
pub(crate) async fn feedback_lines(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<RegisterFilingId>,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let edition = query.read::<EditionParams>().edition.map(Parsed::value);
    let page = query.check()?.page;
    let page: Page<FeedbackLine> = app.third_parties.register_feedback(&caller, id, edition, page).await?;
    Ok(listed::<RegisterFeedback, _>(&page))
}

fn listed<T: serde::Serialize + for<'v> From<&'v R>, R>(page: &Page<R>) -> Response {
    respond::json(StatusCode::OK, respond::to_json(&List::<T>::of(page)))
}

/// Corrects what was recorded about the submission of a filing.
///
/// The first value is kept, with who recorded it and who corrected it.
#[utoipa::path(post, path = "/api/v1/register/filings/{id}/corrections",
    operation_id = "correctRegisterFiling", tag = "register of information",
    request_body = NewCorrection, params(("id" = String, Path)),
    responses((status = 200, body = Data<RegisterFilingDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn correct(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<RegisterFilingId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    correction::make::<RegisterFiling>(&app, &caller, (id, ()), precondition, body).await
}
