//! Drill runs: scenarios of the catalogue carried out as exercises.

pub(crate) mod input;
pub(crate) mod wire;

use app::{
    App, Revision,
    drill_run::{DrillRunChange as AppChange, DrillRunFilter, DrillRunView},
    history::Detail,
    pages::Precondition,
};
use axum::{extract::State, response::Response};
use domain::{
    custom_field::Sent,
    drill_run::{ClassificationInput, DecisionInput, DrillRun, ReportInput},
    id::DrillRunId,
    wording::Language,
};
use http::StatusCode;
use utoipa_axum::routes;

use self::{
    input::{
        DrillRunChange, DrillRunFields, DrillRunParams, FinishDrillRun, NewCriterionResult, NewDrillDecision,
        NewDrillRun, PracticeClassification, PracticeReport,
    },
    wire::{DrillDecision, DrillRunDetail, DrillRunItem},
};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, LanguageParams, OptionalBody, PageParams,
        PageQuery, Parsed, Reader, Search, Spoken, Switch, Words, Writer, exactly,
    },
    respond::{self, Data, List},
    v1::{
        Subject, WholeList,
        record::{self, AsOfParams, Noun, WithCustom, record_routes},
        records::tags::TagParams,
        wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "drill runs",
    about: "Scenarios of incident drills carried out for practice and scored; never a report.",
    list: Some(WholeList::drawn::<DrillRun>().and_imported::<DrillRun>()),
    routes: |router| {
        record_routes(router.routes(routes!(get, patch)))
            .routes(routes!(start))
            .routes(routes!(step_done))
            .routes(routes!(decisions, decide))
            .routes(routes!(classify))
            .routes(routes!(report))
            .routes(routes!(criterion))
            .routes(routes!(finish))
    },
};

impl Noun for DrillRun {
    type Item = DrillRunItem;
    type Full = DrillRunDetail;

    const PATH: &'static str = "/api/v1/drill-runs";

    fn filter(_: &App, query: &mut PageQuery) -> Result<DrillRunFilter, ApiError> {
        let params: DrillRunParams = query.read();
        Ok(DrillRunFilter {
            status: Words::any(params.status),
            scenario: params.scenario.and_then(exactly),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn input(fields: &mut Fields) -> Self::Input {
        fields.read::<DrillRunFields>().into()
    }
}

/// The run with an `ETag` of this second, because injects appear by the clock.
fn shown(
    app: &App,
    (detail, revision): &(Detail<DrillRunView>, Revision),
    language: Language,
    if_none_match: &IfNoneMatch,
) -> Response {
    let validator = app.moment_validator(detail.record.row.version, *revision);
    let full = WithCustom::new(&detail.record.row, DrillRunDetail::new(detail, language));
    respond::record(&full, &validator, if_none_match)
}

async fn changed(
    app: &App,
    caller: &app::authz::Caller,
    (id, precondition): (DrillRunId, Precondition),
    change: impl Into<Sent<AppChange>>,
    language: Language,
) -> Result<Response, ApiError> {
    let answer = app.records.change_record::<DrillRun>(caller, id, change, precondition).await?;
    Ok(shown(app, &answer, language, &IfNoneMatch::default()))
}

record_routes! {
    DrillRun, "a drill run", DrillRunDetail;

    /// Lists the drill runs.
    ///
    /// The newest come first.
    list(DrillRunItem; AsOfParams, TagParams, DrillRunParams);
    /// Plans a drill run.
    create(NewDrillRun);
    /// Deletes a drill run that is planned or cancelled.
    delete;
    versions;
    version;
}

/// Gets a drill run.
///
/// While it is running, the answer has the injects whose minute has come and never the model solution.
#[utoipa::path(get, path = "/api/v1/drill-runs/{id}", tag = "drill runs",
    params(("id" = String, Path), LanguageParams),
    responses((status = 200, body = Data<DrillRunDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<DrillRunId>,
    Spoken(language): Spoken,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let answer = app.records.record::<DrillRun>(&caller, id).await?;
    Ok(shown(&app, &answer, language, &if_none_match))
}

/// Updates a drill run.
///
/// Fields that are absent keep their values. The scenario cannot be changed; a run that is over stays as it is.
#[utoipa::path(patch, path = "/api/v1/drill-runs/{id}", tag = "drill runs", request_body = DrillRunChange,
    params(("id" = String, Path), LanguageParams),
    responses((status = 200, body = Data<DrillRunDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<DrillRunId>,
    Spoken(language): Spoken,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let change = record::sent::<DrillRun>(body.fields)?.convert::<AppChange>();
    changed(&app, &caller, (id, precondition), change, language).await
}

/// Starts a drill run.
///
/// From now on its injects come by the clock.
#[utoipa::path(post, path = "/api/v1/drill-runs/{id}/start", operation_id = "startDrillRun",
    tag = "drill runs",
    params(("id" = String, Path), LanguageParams),
    responses((status = 200, body = Data<DrillRunDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn start(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<DrillRunId>,
    Spoken(language): Spoken,
    IfMatch(precondition): IfMatch,
    _: OptionalBody,
) -> Result<Response, ApiError> {
    changed(&app, &caller, (id, precondition), AppChange::Start, language).await
}

/// Marks a step of a drill run as done.
///
/// Injects are numbered first, then tasks. The first time stands: doing it again changes nothing.
#[utoipa::path(post, path = "/api/v1/drill-runs/{id}/steps/{number}/done",
    operation_id = "completeDrillRunStep", tag = "drill runs",
    params(("id" = String, Path), ("number" = u32, Path, minimum = 1), LanguageParams),
    responses((status = 200, body = Data<DrillRunDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn step_done(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(id, number): IdsPath<DrillRunId, u32>,
    Spoken(language): Spoken,
    IfMatch(precondition): IfMatch,
    _: OptionalBody,
) -> Result<Response, ApiError> {
    changed(&app, &caller, (id, precondition), AppChange::Step(number), language).await
}

/// Lists the decision log of a drill run.
///
/// The latest line comes first.
#[utoipa::path(get, path = "/api/v1/drill-runs/{id}/decisions", tag = "drill runs",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<DrillDecision>), KeyedErrors))]
pub(crate) async fn decisions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<DrillRunId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    let page = app.resilience.drill_decisions(&caller, id, query.check()?.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<DrillDecision>::of(&page))))
}

/// Logs a decision of a drill run.
#[utoipa::path(post, path = "/api/v1/drill-runs/{id}/decisions", operation_id = "logDrillRunDecision",
    tag = "drill runs",
    request_body = NewDrillDecision, params(("id" = String, Path)),
    responses((status = 201, body = Data<DrillDecision>), KeyedErrors, BodyErrors))]
pub(crate) async fn decide(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<DrillRunId>,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input: DecisionInput = fields.read::<NewDrillDecision>().into();
    let input = fields.finish(Some(input))?;
    let line = app.resilience.log_drill_decision(&caller, id, input).await?;
    let data = DrillDecision::from(&line);
    Ok(respond::json(StatusCode::CREATED, respond::to_json(&Data { data })))
}

/// Classifies for practice.
///
/// Each judgement keeps the minute in which it was made.
#[utoipa::path(post, path = "/api/v1/drill-runs/{id}/classification", operation_id = "classifyDrillRun",
    tag = "drill runs",
    request_body = PracticeClassification, params(("id" = String, Path), LanguageParams),
    responses((status = 200, body = Data<DrillRunDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn classify(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<DrillRunId>,
    Spoken(language): Spoken,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input: ClassificationInput = fields.read::<PracticeClassification>().into();
    let input = fields.finish(Some(input))?;
    changed(&app, &caller, (id, precondition), AppChange::Classify(input), language).await
}

/// Reports for practice.
///
/// The run keeps what the participants say; nothing is sent. The person who leads the drill marks the answer.
#[utoipa::path(post, path = "/api/v1/drill-runs/{id}/reports", operation_id = "answerDrillRunReport",
    tag = "drill runs",
    request_body = PracticeReport, params(("id" = String, Path), LanguageParams),
    responses((status = 200, body = Data<DrillRunDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn report(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<DrillRunId>,
    Spoken(language): Spoken,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input: ReportInput = fields.read::<PracticeReport>().into();
    let input = fields.finish(Some(input))?;
    changed(&app, &caller, (id, precondition), AppChange::Report(input), language).await
}

/// Judges a success criterion.
#[utoipa::path(post, path = "/api/v1/drill-runs/{id}/criteria/{number}",
    operation_id = "judgeDrillRunCriterion", tag = "drill runs",
    request_body = NewCriterionResult,
    params(("id" = String, Path), ("number" = u32, Path, minimum = 1), LanguageParams),
    responses((status = 200, body = Data<DrillRunDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn criterion(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(id, number): IdsPath<DrillRunId, u32>,
    Spoken(language): Spoken,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let request: NewCriterionResult = fields.read();
    let change = AppChange::Criterion(number, fields.finish(Some(request.result.into()))?);
    changed(&app, &caller, (id, precondition), change, language).await
}

/// Finishes a drill run and scores it.
///
/// The answer has the score and the model solution. Findings are made in the language of the request.
#[utoipa::path(post, path = "/api/v1/drill-runs/{id}/finish", operation_id = "finishDrillRun",
    tag = "drill runs",
    request_body = Option<FinishDrillRun>, params(("id" = String, Path), LanguageParams),
    responses((status = 200, body = Data<DrillRunDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn finish(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<DrillRunId>,
    Spoken(language): Spoken,
    IfMatch(precondition): IfMatch,
    OptionalBody(body): OptionalBody,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let request: FinishDrillRun = fields.read();
    let findings = request.findings.is_some_and(|Switch(findings)| findings);
    let change = AppChange::Finish { findings: fields.finish(Some(findings))?, language };
    changed(&app, &caller, (id, precondition), change, language).await
}
