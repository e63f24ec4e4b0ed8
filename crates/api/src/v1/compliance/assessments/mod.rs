//! Assessments: the institution's judgement of every requirement, and the statement of applicability.

pub(crate) mod wire;

use app::{
    App, Revision,
    assessment::{AssessmentFilter, AssessmentView, FrameworkSummary},
    authz::Caller,
    catalogue::Edition,
    history::Detail,
    report::Assessments,
};
use axum::{extract::State, response::Response};
use domain::{
    assessment::{AssessmentInput, AssessmentStatus as Status},
    moment::Day,
    page::Page,
    wording::Language,
};
use http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use self::wire::{Assessment, AssessmentDetail, AssessmentStatus, AssessmentSummary};
use super::{oscal, requirements, statement_of_applicability};
use crate::{
    ApiError,
    extract::{
        Body, IdPath, IdsPath, IfMatch, IfNoneMatch, LanguageParams, ListParams, ListQuery, Names,
        OptionalBody, PageParams, PageQuery, Parsed, Reader, Search, Spoken, Words, WordsOrNone, Writer,
        exactly,
    },
    respond::{self, All, Data, List, Meta},
    v1::{
        Subject, WholeList,
        record::RecordVersion,
        wire::{BodyErrors, Framework, KeyedErrors, NotModified, StaleError},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "assessments",
    about: "What the institution says about every requirement, approved by a second person, and the statement of applicability.",
    list: Some(WholeList::imported::<Assessments>()),
    routes: |router| {
        let router = router
            .routes(routes!(list))
            .routes(routes!(summary))
            .routes(routes!(get, patch))
            .routes(routes!(approve))
            .routes(routes!(versions))
            .routes(routes!(version))
            .routes(routes!(oscal::assessment_results))
            .routes(routes!(requirements::get));
        statement_of_applicability::routes(router)
    },
};

/// Changes to an assessment. Fields that are absent keep their values; `null` clears a field. Any change takes the
/// approval back.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "status": "met", "maturity": 3, "rationale": "Restore tests passed in Q3." }))]
pub(crate) struct AssessmentChange {
    /// `not_applicable` needs a `rationale` or a `reason`.
    #[schema(value_type = Option<AssessmentStatus>, nullable = false)]
    status: Option<Option<String>>,
    /// Against the profile; needs `applies_reason` or `reason`. `null` takes that back.
    applies: Option<Option<bool>>,
    #[schema(max_length = 10_000)]
    applies_reason: Option<Option<String>>,
    #[schema(value_type = Option<u8>, minimum = 0, maximum = 4)]
    maturity: Option<Option<f64>>,
    #[schema(max_length = 10_000)]
    rationale: Option<Option<String>>,
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    #[schema(format = Date)]
    due_on: Option<Option<String>>,
    #[schema(format = Date)]
    next_review_on: Option<Option<String>>,
    /// Why; recorded in the history.
    #[schema(max_length = 10_000)]
    reason: Option<Option<String>>,
}

impl From<AssessmentChange> for AssessmentInput {
    fn from(change: AssessmentChange) -> Self {
        Self {
            status: change.status.into(),
            applies: change.applies.into(),
            applies_reason: change.applies_reason.into(),
            maturity: change.maturity.into(),
            rationale: change.rationale.into(),
            owner: change.owner.into(),
            due_on: change.due_on.into(),
            next_review_on: change.next_review_on.into(),
            reason: change.reason.into(),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AssessmentParams {
    /// Only requirements of this framework. Sent several times, of any of them.
    #[param(value_type = Option<Vec<Framework>>)]
    framework: Option<Words<String>>,
    /// Only requirements of this section.
    section: Option<String>,
    /// Only assessments with this status.
    #[param(value_type = Option<Vec<AssessmentStatus>>)]
    status: Option<Words<Status>>,
    /// Only assessments of the owner of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// Only assessments that are due before this day; `none` stands for assessments without a day, and can be sent
    /// besides a day.
    #[param(value_type = Option<Vec<String>>, example = json!(["2026-12-31"]))]
    due_before: Option<WordsOrNone<Day>>,
    /// Only requirements that apply, or only those that do not.
    applies: Option<bool>,
    /// Only approved assessments, or only those that are not.
    approved: Option<bool>,
    /// Only requirements that contain all these words, in their texts or in what was said about them.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// What was said at the end of this day. Controls and findings are those of today.
    #[param(value_type = Option<String>, format = Date)]
    as_of: Option<Parsed<Day>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SummaryParams {
    /// Only this framework.
    #[param(value_type = Option<Framework>)]
    pub(crate) framework: Option<String>,
}

fn filter(edition: &Edition, query: &mut PageQuery) -> AssessmentFilter {
    let params: AssessmentParams = query.read();
    let section = params.section.and_then(exactly);
    if section.as_ref().is_some_and(|section| edition.sections.get(section).is_none()) {
        query.complain("section", "must be the id of a section of the catalogue");
    }
    AssessmentFilter {
        framework: query.frameworks("framework", &Words::any(params.framework), edition),
        section,
        status: Words::any(params.status),
        owner: Names::any(params.owner),
        due_before: WordsOrNone::any(params.due_before),
        applies: params.applies,
        approved: params.approved,
        search: params.search.and_then(Search::words),
        as_of: params.as_of.map(Parsed::value),
    }
}

fn list_body(edition: &Edition, page: &Page<AssessmentView>, language: Language) -> Vec<u8> {
    let data = page.items.iter().filter_map(|view| Assessment::of(edition, view, language)).collect();
    respond::to_json(&List { data, meta: Meta::of(page) })
}

fn summed(edition: &Edition, all: &[FrameworkSummary], language: Language) -> Vec<u8> {
    let data: Vec<_> = all.iter().map(|one| AssessmentSummary::of(edition, one, language)).collect();
    respond::to_json(&Data { data })
}

/// Lists assessments.
///
/// There is one for every requirement of every framework, in the order of the catalogue.
#[utoipa::path(get, path = "/api/v1/assessments", tag = "assessments",
    params(ListParams, AssessmentParams, LanguageParams),
    responses((status = 200, body = List<Assessment>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    ListQuery(mut query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let current = app.current_edition(&caller).await?;
    let filter = filter(&current.edition, &mut query);
    let page = query.check()?.page;
    let rendered =
        app.compliance.assessment_page(&caller, current, filter, page, language, list_body).await?;
    Ok(respond::spoken(respond::page(rendered, &if_none_match), language))
}

/// Gets how far each framework is met.
///
/// Percentages count what applies. A requirement whose points are requirements of their own does not count beside them.
#[utoipa::path(get, path = "/api/v1/assessments/summary", operation_id = "getAssessmentSummary",
    tag = "assessments",
    params(SummaryParams, LanguageParams),
    responses((status = 200, body = All<AssessmentSummary>), NotModified, KeyedErrors))]
pub(crate) async fn summary(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    mut query: PageQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let params: SummaryParams = query.read();
    let framework =
        query.framework("framework", params.framework.as_deref(), &*app.edition_of(&caller).await?);
    query.check()?;
    let rendered = app.compliance.assessment_summary_page(&caller, framework, language, summed).await?;
    Ok(respond::spoken(respond::page(rendered, &if_none_match), language))
}

async fn shown(
    app: &App,
    caller: &Caller,
    (detail, revision): &(Detail<AssessmentView>, Revision),
    language: Language,
    if_none_match: &IfNoneMatch,
) -> Result<Response, ApiError> {
    let edition = app.edition_of(caller).await?;
    let validator = app.record_validator(detail.record.row.version, *revision);
    let full = AssessmentDetail::of(&edition, detail, language).ok_or_else(ApiError::not_found)?;
    Ok(respond::spoken(respond::record(&full, &validator, if_none_match), language))
}

/// Gets an assessment with its history.
#[utoipa::path(get, path = "/api/v1/assessments/{requirement}", tag = "assessments",
    params(("requirement" = String, Path), LanguageParams),
    responses((status = 200, body = Data<AssessmentDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    IdPath(requirement): IdPath<String>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let found = app.compliance.assessment(&caller, &requirement).await?;
    shown(&app, &caller, &found, language, &if_none_match).await
}

/// Updates an assessment.
#[utoipa::path(patch, path = "/api/v1/assessments/{requirement}", tag = "assessments",
    request_body = AssessmentChange, params(("requirement" = String, Path), LanguageParams),
    responses((status = 200, body = Data<AssessmentDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    Spoken(language): Spoken,
    IdPath(requirement): IdPath<String>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input: AssessmentInput = fields.read::<AssessmentChange>().into();
    let input = fields.finish(Some(input))?;
    let changed = app.compliance.change_assessment(&caller, &requirement, input, precondition).await?;
    shown(&app, &caller, &changed, language, &IfNoneMatch::default()).await
}

/// Approves an assessment.
///
/// Refused for every person who changed it since the last approval, and for keys unless the institution lets them decide.
/// A key stands for the person at the start of its chain.
#[utoipa::path(post, path = "/api/v1/assessments/{requirement}/approve", operation_id = "approveAssessment",
    tag = "assessments",
    params(("requirement" = String, Path), LanguageParams),
    responses((status = 200, body = Data<AssessmentDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn approve(
    State(app): State<App>,
    Writer(caller): Writer,
    Spoken(language): Spoken,
    IdPath(requirement): IdPath<String>,
    IfMatch(precondition): IfMatch,
    _: OptionalBody,
) -> Result<Response, ApiError> {
    let approved = app.compliance.approve_assessment(&caller, &requirement, precondition).await?;
    shown(&app, &caller, &approved, language, &IfNoneMatch::default()).await
}

/// Lists the versions of an assessment.
///
/// Every change keeps the version before. The current version comes first; there is none before the first change.
#[utoipa::path(get, path = "/api/v1/assessments/{requirement}/versions", tag = "assessments",
    params(("requirement" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(requirement): IdPath<String>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    let page = app.compliance.assessment_versions(&caller, &requirement, query.check()?.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<RecordVersion>::of(&page))))
}

/// Gets one version of an assessment.
#[utoipa::path(get, path = "/api/v1/assessments/{requirement}/versions/{version}", tag = "assessments",
    params(("requirement" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(requirement, version): IdsPath<String, i64>,
) -> Result<Response, ApiError> {
    let version = app.compliance.assessment_version(&caller, &requirement, version).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: RecordVersion::from(&version) })))
}
