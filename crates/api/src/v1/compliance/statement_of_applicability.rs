//! The statement of applicability: as it is now, and as a document with its draft and its approved versions.

use app::{
    App,
    approved_document::{ApprovedDocument, StatementChange, StatementLine},
    assessment::STATEMENT,
    report::Content,
};
use axum::{
    body::Body,
    extract::State,
    response::{IntoResponse as _, Response},
};
use domain::{
    assessment::StatedApplicability,
    framework::Framework as FrameworkId,
    moment::{Day, Moment},
    wording::Language,
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    assessments::{
        SummaryParams,
        wire::{ApplicableControl, AssessmentStatus, JustificationSource},
    },
    evidence::download,
};
use crate::{
    ApiError,
    extract::{IdPath, IfNoneMatch, LanguageParams, PageParams, PageQuery, Parsed, Reader, Spoken},
    respond::{self, All, Data, List},
    v1::wire::{Framework, KeyedErrors, NotModified, RangeError, words},
};

pub(crate) fn routes(router: OpenApiRouter<App>) -> OpenApiRouter<App> {
    router
        .routes(routes!(get))
        .routes(routes!(draft))
        .routes(routes!(versions))
        .routes(routes!(version))
        .routes(routes!(changes))
        .routes(routes!(content))
}

words! {
    StatedField = domain::assessment::StatedField, "What a line of a statement says about its requirement.";
}

/// The file of an approved version in one language.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SignedFile {
    #[schema(value_type = String, example = "en")]
    language: &'static str,
    bytes: u64,
    sha256: String,
    /// Ed25519 (RFC 8032) in hexadecimal, of `tidewall document 1`, a line feed and the 32 bytes of the SHA-256.
    signature: String,
}

/// An approved version of the statement of applicability. It never changes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StatementVersion {
    /// Counted from 1.
    #[schema(minimum = 1)]
    number: i64,
    /// How often the lines had been changed; what the approval is about.
    subject_version: i64,
    #[schema(example = "apr_01k9x14js0e00000000000000a")]
    approval_id: String,
    /// The id of the user or API key that asked for the approval.
    asked_by: String,
    #[schema(value_type = String, format = DateTime)]
    asked_at: Moment,
    approved_by: String,
    #[schema(value_type = String, format = DateTime)]
    approved_at: Moment,
    /// The public key that checks the signatures, as at `/api/bundle-key`.
    key: String,
    files: Vec<SignedFile>,
}

impl From<&ApprovedDocument> for StatementVersion {
    fn from(document: &ApprovedDocument) -> Self {
        let file = |file: &app::approved_document::SignedFile| SignedFile {
            language: file.language().as_str(),
            bytes: file.bytes,
            sha256: file.sha256.clone(),
            signature: file.signature.clone(),
        };
        Self {
            number: document.number,
            subject_version: document.subject_version,
            approval_id: document.approval.to_string(),
            asked_by: document.asked_by.clone(),
            asked_at: document.asked_at,
            approved_by: document.approved_by.clone(),
            approved_at: document.approved_at,
            key: document.signed_with.clone(),
            files: document.files.iter().map(file).collect(),
        }
    }
}

/// A control of the institution, as it was when the version was approved.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StatedControl {
    reference: String,
    title: String,
}

/// One requirement in an approved version.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StatedRequirement {
    #[schema(example = "iso-27001-a-8-13")]
    id: String,
    number: String,
    title: String,
    applicable: Option<bool>,
    justification: String,
    justification_source: JustificationSource,
    status: AssessmentStatus,
    owner: Option<String>,
    controls: Vec<StatedControl>,
}

impl StatedRequirement {
    fn of(line: &StatementLine, language: Language) -> Self {
        let controls = line.controls.iter().map(|control| StatedControl {
            reference: control.reference.clone(),
            title: control.title.get(language).to_owned(),
        });
        Self {
            id: line.id.clone(),
            number: line.number.clone(),
            title: line.title.get(language).to_owned(),
            applicable: match line.applicable() {
                StatedApplicability::Applies => Some(true),
                StatedApplicability::DoesNotApply => Some(false),
                StatedApplicability::NotDecided => None,
            },
            justification: line.justification.get(language).to_owned(),
            justification_source: line.source().into(),
            status: line.status().into(),
            owner: line.owner.clone(),
            controls: controls.collect(),
        }
    }
}

/// An approved version with its lines.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StatementVersionDetail {
    #[serde(flatten)]
    version: StatementVersion,
    lines: Vec<StatedRequirement>,
}

/// A field of a line that is not as it was approved.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StatementDifference {
    #[schema(example = "iso-27001-a-8-13")]
    id: String,
    number: String,
    title: String,
    field: StatedField,
    /// As approved, for readers; empty for a line that is new.
    approved: String,
    /// As it is now; empty for a line that is gone.
    now: String,
}

impl StatementDifference {
    fn of(change: &StatementChange, language: Language) -> Self {
        Self {
            id: change.id.clone(),
            number: change.number.clone(),
            title: change.title.get(language).to_owned(),
            field: change.field.into(),
            approved: change.approved.get(language).to_owned(),
            now: change.now.get(language).to_owned(),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StatementParams {
    /// The framework; `iso-27001` unless named.
    #[param(value_type = Option<Framework>)]
    framework: Option<String>,
    /// What was said at the end of this day.
    #[param(value_type = Option<String>, format = Date)]
    as_of: Option<Parsed<Day>>,
}

/// Gets the statement of applicability for Annex A of ISO/IEC 27001, or for another framework.
///
/// Every control of the annex in its order, with whether it applies, why, and how far it is met. For another framework,
/// also one of the institution's own, every requirement that counts in its summary.
#[utoipa::path(get, path = "/api/v1/statement-of-applicability", tag = "assessments",
    params(StatementParams, LanguageParams),
    responses((status = 200, body = All<ApplicableControl>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let edition = app.edition_of(&caller).await?;
    let params: StatementParams = query.read();
    let framework = query.framework("framework", params.framework.as_deref(), &edition);
    query.check()?;
    let (framework, as_of) = (framework.unwrap_or(FrameworkId::ISO_27001), params.as_of.map(Parsed::value));
    let views = app.compliance.statement_of_applicability(&caller, framework, as_of, language).await?;
    let data: Vec<_> =
        views.iter().filter_map(|view| ApplicableControl::of(&edition, view, language)).collect();
    let answer = respond::json(StatusCode::OK, respond::to_json(&All { data }));
    Ok(respond::spoken(answer, language))
}

/// Downloads the statement of applicability as it is now.
///
/// A PDF, marked as a draft: it says which version was approved last and what changed since.
#[utoipa::path(get, path = "/api/v1/statement-of-applicability/content",
    operation_id = "downloadStatementOfApplicabilityDraft", tag = "assessments",
    params(SummaryParams, LanguageParams),
    responses((status = 200, body = String, content_type = "application/pdf"), KeyedErrors))]
pub(crate) async fn draft(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let params: SummaryParams = query.read();
    let edition = app.edition_of(&caller).await?;
    let framework = query.framework("framework", params.framework.as_deref(), &edition);
    query.check()?;
    let file =
        app.report.statement_draft(&caller, framework.unwrap_or(FrameworkId::ISO_27001), language).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", file.name)),
    ];
    let nosniff = [(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"))];
    let body = match file.content {
        Content::Bytes(bytes) => Body::from(bytes),
        Content::Stored(file) => Body::from_stream(app::report::chunks(file)),
    };
    Ok(respond::spoken((headers, nosniff, body).into_response(), language))
}

/// Lists the approved versions of the statement of applicability.
///
/// The newest come first. A version is made when its approval is granted and never changes.
#[utoipa::path(get, path = "/api/v1/statement-of-applicability/versions", tag = "assessments",
    params(PageParams),
    responses((status = 200, body = List<StatementVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    query: PageQuery,
) -> Result<Response, ApiError> {
    let page = app.compliance.approved_documents(&caller, STATEMENT, query.check()?.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<StatementVersion>::of(&page))))
}

/// Gets an approved version of the statement of applicability with its lines.
#[utoipa::path(get, path = "/api/v1/statement-of-applicability/versions/{version}", tag = "assessments",
    params(("version" = i64, Path, minimum = 1), LanguageParams),
    responses((status = 200, body = Data<StatementVersionDetail>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    IdPath(number): IdPath<i64>,
) -> Result<Response, ApiError> {
    let found = app.compliance.statement_version(&caller, number).await?;
    let lines = found.lines.iter().map(|line| StatedRequirement::of(line, language)).collect();
    let data = StatementVersionDetail { version: StatementVersion::from(&found.document), lines };
    Ok(respond::spoken(respond::json(StatusCode::OK, respond::to_json(&Data { data })), language))
}

/// Lists what changed since an approved version of the statement of applicability.
#[utoipa::path(get, path = "/api/v1/statement-of-applicability/versions/{version}/changes",
    operation_id = "listStatementOfApplicabilityChanges", tag = "assessments",
    params(("version" = i64, Path, minimum = 1), LanguageParams),
    responses((status = 200, body = All<StatementDifference>), KeyedErrors))]
pub(crate) async fn changes(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    IdPath(number): IdPath<i64>,
) -> Result<Response, ApiError> {
    let found = app.compliance.statement_changes(&caller, number).await?;
    let data = found.iter().map(|change| StatementDifference::of(change, language)).collect();
    Ok(respond::spoken(respond::json(StatusCode::OK, respond::to_json(&All { data })), language))
}

/// Downloads an approved version of the statement of applicability.
///
/// The PDF that was signed, the same bytes for ever, in German or English.
#[utoipa::path(get, path = "/api/v1/statement-of-applicability/versions/{version}/content",
    operation_id = "downloadStatementOfApplicability", tag = "assessments",
    params(("version" = i64, Path, minimum = 1), LanguageParams),
    responses((status = 200, body = String, content_type = "application/pdf"),
              (status = 206, body = String, content_type = "application/pdf"), NotModified, RangeError, KeyedErrors))]
pub(crate) async fn content(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    IdPath(number): IdPath<i64>,
    if_none_match: IfNoneMatch,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let content = app.compliance.approved_content(&caller, STATEMENT, number, language).await?;
    let answer = download::answer(content, &if_none_match, &headers).await?;
    Ok(respond::spoken(answer, language))
}
