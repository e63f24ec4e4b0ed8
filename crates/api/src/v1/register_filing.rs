//! Filings of the register of information: frozen packages, their states, and the authority's feedback.

use app::{
    App,
    authz::Caller,
    register::{FeedbackLine, RegisterFilingFilter},
};
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use domain::{
    id::RegisterFilingId, page::Page, register::filing::difference::DifferencePart,
    register_filing::RegisterFiling, violation::Complaint,
};
use http::{HeaderValue, StatusCode, header};
use utoipa_axum::routes;

use super::{
    Subject,
    correction::{self, NewCorrection},
    record::{self, AsOfParams, Noun, RecordVersion},
    register_file,
    register_filing_wire::{
        DifferenceParams, EditionParams, FilingParams, NewRegisterFiling, RegisterDifference,
        RegisterFeedback, RegisterFilingChange, RegisterFilingDetail, RegisterFilingFields,
        RegisterFilingItem,
    },
    register_row, register_take_over,
    tag::TagParams,
    wire::{BodyErrors, FileErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageParams, PageQuery,
        Parsed, Reader, Words, Writer, file,
    },
    respond::{self, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "register of information",
    about: "All fifteen templates of Implementing Regulation (EU) 2024/2956: rows, checks and packages.",
    found: None,
    routes: |router| {
        router
            .routes(routes!(register_row::overview))
            .routes(routes!(register_row::checks))
            .routes(routes!(register_file::import))
            .routes(routes!(register_file::export))
            .routes(routes!(register_take_over::take_over))
            .routes(routes!(list, create))
            .routes(routes!(get, patch, delete))
            .routes(routes!(versions))
            .routes(routes!(version))
            .routes(routes!(correct))
            .routes(routes!(package))
            .routes(routes!(difference))
            .routes(routes!(feedback_lines, feedback))
            .routes(routes!(register_row::list))
            .routes(routes!(register_row::create))
            .routes(routes!(register_row::patch, register_row::delete))
    },
};

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

/// Lists filings of the register.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/register/filings", tag = "register of information",
    params(ListParams, AsOfParams, TagParams, FilingParams),
    responses((status = 200, body = List<RegisterFilingItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<RegisterFiling>(&app, &caller, query, &if_none_match).await
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
    let creation = app.create_register_filing(&caller, input, body.idempotency, render).await?;
    Ok(respond::created(creation, Some(PATH)))
}

/// Gets a filing with its history.
#[utoipa::path(get, path = "/api/v1/register/filings/{id}", tag = "register of information",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<RegisterFilingDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<RegisterFilingId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::get::<RegisterFiling>(&app, &caller, id, &if_none_match).await
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
    let (detail, revision) = app.change_register_filing(&caller, id, input, precondition).await?;
    Ok(record::changed::<RegisterFiling>(&app, &detail, revision))
}

/// Deletes a draft that was never submitted.
#[utoipa::path(delete, path = "/api/v1/register/filings/{id}", tag = "register of information",
    params(("id" = String, Path)),
    responses((status = 204), (status = 422, description = "The filing was submitted and stays."), KeyedErrors,
              StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<RegisterFilingId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::delete::<RegisterFiling>(&app, &caller, id, precondition).await
}

/// Lists the versions of a filing.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/register/filings/{id}/versions", tag = "register of information",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<RegisterFilingId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<RegisterFiling>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of a filing.
#[utoipa::path(get, path = "/api/v1/register/filings/{id}/versions/{version}", tag = "register of information",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<RegisterFilingId, i64>,
) -> Result<Response, ApiError> {
    record::version::<RegisterFiling>(&app, &caller, id, version).await
}

/// Downloads the frozen package.
///
/// The file is the same, byte by byte, for as long as the filing is kept; its `sha256` is in the filing.
#[utoipa::path(get, path = "/api/v1/register/filings/{id}/package", tag = "register of information",
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
    let file = app.register_package(&caller, id, edition).await?;
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
    let page = app.register_difference_page(&caller, id, to, part, page).await?;
    Ok(listed::<RegisterDifference, _>(&page))
}

/// Reads the authority's feedback on a filing.
///
/// The file is its `detailed-feedback.csv`, sent as plain bytes or as `text/csv`. Each line is placed on the row it is about; a line about an unknown row is kept
/// without one. What was read before for this edition is replaced.
#[utoipa::path(post, path = "/api/v1/register/filings/{id}/feedback", tag = "register of information",
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
    let (detail, revision) =
        app.read_register_feedback(&caller, id, file, app::pages::Precondition::default()).await?;
    Ok(record::changed::<RegisterFiling>(&app, &detail, revision))
}

/// Another tenant's filing gives the same response as one that does not exist.
async fn known(app: &App, caller: &Caller, id: RegisterFilingId) -> Result<(), ApiError> {
    app.record::<RegisterFiling>(caller, id).await?;
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
    let page: Page<FeedbackLine> = app.register_feedback(&caller, id, edition, page).await?;
    Ok(listed::<RegisterFeedback, _>(&page))
}

fn listed<T: serde::Serialize + for<'v> From<&'v R>, R>(page: &Page<R>) -> Response {
    respond::json(StatusCode::OK, respond::to_json(&List::<T>::of(page)))
}

/// Corrects what was recorded about the submission of a filing.
///
/// The first value is kept, with who recorded it and who corrected it.
#[utoipa::path(post, path = "/api/v1/register/filings/{id}/corrections", tag = "register of information",
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
