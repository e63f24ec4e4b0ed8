//! Due-diligence reviews of providers.

pub(crate) mod wire;

use app::{
    App, Revision,
    history::Detail,
    provider::{NewReview, ReviewChange as AppChange, ReviewView},
};
use axum::{extract::State, response::Response};
use domain::{
    id::{ProviderId, ReviewId},
    provider::Review,
    wording::Language,
};
use http::StatusCode;

use self::wire::{
    NewProviderReview, NewReviewFinding, ProviderReview, ProviderReviewChange, ProviderReviewDetail,
    ReviewComparison, ReviewLink, ReviewSending,
};
use crate::{
    ApiError,
    extract::{
        Body, IdPath, IdsPath, IfMatch, IfNoneMatch, LanguageParams, OptionalBody, PageParams, PageQuery,
        Reader, Spoken, Switch, Writer,
    },
    respond::{self, Data, List},
    v1::wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};

fn shown(
    app: &App,
    (detail, revision): &(Detail<ReviewView>, Revision),
    language: Language,
    if_none_match: &IfNoneMatch,
) -> Response {
    let validator = app.record_validator(detail.record.row.version, *revision);
    respond::record(&ProviderReviewDetail::new(detail, language), &validator, if_none_match)
}

/// Lists the reviews of a provider.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/providers/{id}/reviews", tag = "providers",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<ProviderReview>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ProviderId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    let page = app.third_parties.provider_reviews(&caller, id, None, query.check()?.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<ProviderReview>::of(&page))))
}

/// Begins a review of a provider.
///
/// Its questions come from the catalogue. One review of a provider is open at a time.
#[utoipa::path(post, path = "/api/v1/providers/{id}/reviews", tag = "providers",
    request_body = NewProviderReview, params(("id" = String, Path)),
    responses((status = 201, body = Data<ProviderReviewDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ProviderId>,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let request: NewProviderReview = fields.read();
    let new = NewReview { provider: id, input: fields.finish(Some(request.into()))? };
    let render = |detail: &_| respond::to_text(&Data { data: ProviderReviewDetail::from(detail) });
    let creation = app.records.create_record::<Review>(&caller, new, body.idempotency, render).await?;
    Ok(respond::created(creation, Some(&format!("/api/v1/providers/{id}/reviews"))))
}

/// Gets a review with its questions and answers.
#[utoipa::path(get, path = "/api/v1/providers/{id}/reviews/{review}", tag = "providers",
    params(("id" = String, Path), ("review" = String, Path), LanguageParams),
    responses((status = 200, body = Data<ProviderReviewDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, review): IdsPath<ProviderId, ReviewId>,
    Spoken(language): Spoken,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let answer = app.third_parties.provider_review(&caller, id, review).await?;
    Ok(shown(&app, &answer, language, &if_none_match))
}

/// Answers questions of a review, completes or cancels it.
///
/// Completing it gives the scores and sets the days of the provider's reviews.
#[utoipa::path(patch, path = "/api/v1/providers/{id}/reviews/{review}", tag = "providers",
    request_body = ProviderReviewChange,
    params(("id" = String, Path), ("review" = String, Path), LanguageParams),
    responses((status = 200, body = Data<ProviderReviewDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(id, review): IdsPath<ProviderId, ReviewId>,
    Spoken(language): Spoken,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let request: ProviderReviewChange = fields.read();
    let change = AppChange::Answers(fields.finish(Some(request.into()))?);
    let answer = app.third_parties.change_review(&caller, (id, review), change, precondition).await?;
    Ok(shown(&app, &answer, language, &IfNoneMatch::default()))
}

/// Gives out a link for the provider.
///
/// It works for 30 days, without an account, and shows this questionnaire and nothing else. Links given out before stop
/// working. The link is answered this once and kept only as a digest. With `"mail": true` it is also sent to the contact
/// of the provider.
#[utoipa::path(post, path = "/api/v1/providers/{id}/reviews/{review}/send",
    operation_id = "sendProviderReview", tag = "providers",
    request_body = Option<ReviewSending>, params(("id" = String, Path), ("review" = String, Path)),
    responses((status = 200, body = Data<ReviewLink>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn send(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(id, review): IdsPath<ProviderId, ReviewId>,
    IfMatch(precondition): IfMatch,
    OptionalBody(body): OptionalBody,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let request: ReviewSending = fields.read();
    let by_mail = fields.finish(Some(request.mail.is_some_and(|Switch(on)| on)))?;
    let sent = app.third_parties.send_review(&caller, (id, review), by_mail, precondition).await?;
    let link = ReviewLink {
        review: ProviderReview::from(&sent.detail.record),
        url: sent.url,
        expires_at: sent.expires_at,
        mailed_to: sent.mailed_to.map(|contact| contact.to_string()),
        awaiting_confirmation: sent.awaits_confirmation,
    };
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: link })))
}

/// Makes a finding of the "no" to a key question.
#[utoipa::path(post, path = "/api/v1/providers/{id}/reviews/{review}/findings",
    operation_id = "createFindingFromProviderReview", tag = "providers",
    request_body = NewReviewFinding,
    params(("id" = String, Path), ("review" = String, Path), LanguageParams),
    responses((status = 200, body = Data<ProviderReviewDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn find(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(id, review): IdsPath<ProviderId, ReviewId>,
    Spoken(language): Spoken,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    fields.require("question");
    let request: NewReviewFinding = fields.read();
    let question = fields.finish(request.question)?;
    let change = AppChange::Finding { question, language };
    let answer = app.third_parties.change_review(&caller, (id, review), change, precondition).await?;
    Ok(shown(&app, &answer, language, &IfNoneMatch::default()))
}

/// Compares the last two completed reviews of a provider.
///
/// 404 before there are two.
#[utoipa::path(get, path = "/api/v1/providers/{id}/reviews/comparison",
    operation_id = "compareProviderReviews", tag = "providers",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<ReviewComparison>), KeyedErrors))]
pub(crate) async fn compare(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ProviderId>,
) -> Result<Response, ApiError> {
    let comparison = app.third_parties.compare_reviews(&caller, id).await?.ok_or_else(ApiError::not_found)?;
    let body = Data { data: ReviewComparison::from(&comparison) };
    Ok(respond::json(StatusCode::OK, respond::to_json(&body)))
}
