//! Providers: created from the register, with the institution's own data.

use app::{App, provider::ProviderFilter, search::HitKind};
use axum::{extract::State, response::Response};
use domain::{
    country::Country,
    id::{ArrangementId, ProviderId},
    provider::{ClauseInput, Provider as Record, ProviderInput},
};
use utoipa_axum::routes;

use super::{
    Subject, provider_review,
    provider_wire::{
        ClauseChanges, ContractClauses, NewSubcontractor, Provider, ProviderChange, ProviderDetail,
        ProviderParams,
    },
    record::{self, Noun, RecordVersion},
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageParams, PageQuery,
        Reader, Writer,
    },
    respond::{self, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "providers",
    about: "Providers of the register: owner, contract clauses, due-diligence reviews and scores.",
    found: Some((HitKind::Provider, Record::PATH)),
    routes: |router| {
        router
            .routes(routes!(list))
            .routes(routes!(get, patch))
            .routes(routes!(add_subcontractor))
            .routes(routes!(versions))
            .routes(routes!(version))
            .routes(routes!(clauses, change_clauses))
            .routes(routes!(provider_review::list, provider_review::create))
            .routes(routes!(provider_review::compare))
            .routes(routes!(provider_review::get, provider_review::patch))
            .routes(routes!(provider_review::send))
            .routes(routes!(provider_review::find))
    },
};

/// The fields from the register, which a request cannot change here.
const OF_REGISTER: [&str; 4] = ["name", "lei", "country", "parent"];

impl Noun for Record {
    type Item = Provider;
    type Full = Provider;

    const PATH: &'static str = "/api/v1/providers";

    fn filter(app: &App, query: &mut PageQuery) -> Result<ProviderFilter, ApiError> {
        Ok(ProviderFilter {
            critical: query.switch("critical"),
            review: query.filter("review"),
            today: Some(app.clock.now().day()),
            owner: query.exactly("owner"),
            search: query.search(),
            sort: query.filter("sort"),
        })
    }

    fn input(fields: &mut Fields) -> ProviderInput {
        ProviderInput {
            owner: fields.text_change("owner"),
            rating: fields.text_change("rating"),
            archetype: fields.text_change("archetype"),
            contact: fields.text_change("contact"),
            review_months: fields.number_change("review_months"),
            notice_days: fields.number_change("notice_days"),
            next_review_on: fields.text_change("next_review_on"),
            note: fields.text_change("note"),
            of_register: OF_REGISTER.into_iter().filter(|field| fields.has(field)).collect(),
        }
    }
}

/// Lists the providers.
///
/// Every provider that an arrangement of the register names has a record. The newest come first.
#[utoipa::path(get, path = "/api/v1/providers", tag = "providers", params(ListParams, ProviderParams),
    responses((status = 200, body = List<Provider>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<Record>(&app, &caller, query, &if_none_match).await
}

/// Gets a provider.
#[utoipa::path(get, path = "/api/v1/providers/{id}", tag = "providers", params(("id" = String, Path)),
    responses((status = 200, body = Data<ProviderDetail>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ProviderId>,
) -> Result<Response, ApiError> {
    // The state of the review changes with the day, so no 304 is returned.
    let (page, revision) = app.provider_page(&caller, id).await?;
    let validator = app.record_validator(page.provider.row.version, revision);
    Ok(respond::record(&ProviderDetail::from(&page), &validator, &IfNoneMatch::default()))
}

/// Updates what the institution adds to a provider.
///
/// Fields that are absent keep their values. What comes from the register is changed there.
#[utoipa::path(patch, path = "/api/v1/providers/{id}", tag = "providers", request_body = ProviderChange,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<Provider>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ProviderId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<Record>(&app, &caller, id, precondition, body).await
}

/// Makes a record of a subcontractor.
///
/// It must stand in a supply chain of the provider's contracts. A subcontractor that has a record keeps it, and that one
/// is answered.
#[utoipa::path(post, path = "/api/v1/providers/{id}/subcontractors", tag = "providers",
    request_body = NewSubcontractor, params(("id" = String, Path)),
    responses((status = 200, body = Data<Provider>), KeyedErrors, BodyErrors))]
pub(crate) async fn add_subcontractor(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ProviderId>,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    fields.require("name");
    let name = fields.text("name");
    let country = if fields.has("country") { fields.parse::<Country>("country") } else { None };
    let name = fields.finish(name)?;
    let (made, revision) = app.create_subcontractor(&caller, id, name, country).await?;
    let validator = app.record_validator(made.record.row.version, revision);
    Ok(respond::record(&Provider::from(&made), &validator, &IfNoneMatch::default()))
}

/// Lists the versions of a provider.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/providers/{id}/versions", tag = "providers",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ProviderId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<Record>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of a provider.
#[utoipa::path(get, path = "/api/v1/providers/{id}/versions/{version}", tag = "providers",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<ProviderId, i64>,
) -> Result<Response, ApiError> {
    record::version::<Record>(&app, &caller, id, version).await
}

/// Gets the clauses of the contract of an arrangement.
///
/// Those of DORA Art. 30(2), and those of (3) where the arrangement supports a critical or important function.
#[utoipa::path(get, path = "/api/v1/providers/{id}/clauses/{arrangement}", tag = "providers",
    params(("id" = String, Path), ("arrangement" = String, Path)),
    responses((status = 200, body = Data<ContractClauses>), NotModified, KeyedErrors))]
pub(crate) async fn clauses(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, arrangement): IdsPath<ProviderId, ArrangementId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (contract, revision) = app.contract_clauses(&caller, id, arrangement).await?;
    let validator = app.record_validator(contract.version, revision);
    Ok(respond::record(&ContractClauses::from(&contract), &validator, &if_none_match))
}

/// Says which clauses stand in the contract of an arrangement.
#[utoipa::path(patch, path = "/api/v1/providers/{id}/clauses/{arrangement}", tag = "providers",
    request_body = ClauseChanges, params(("id" = String, Path), ("arrangement" = String, Path)),
    responses((status = 200, body = Data<ContractClauses>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn change_clauses(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(id, arrangement): IdsPath<ProviderId, ArrangementId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    fields.require("clauses");
    let inputs = fields.objects_change("clauses", |clause| ClauseInput {
        clause: clause.text_change("clause"),
        state: clause.text_change("state"),
        note: clause.text_change("note"),
    });
    let inputs = match inputs {
        domain::change::Change::Set(inputs) => inputs,
        _ => Vec::new(),
    };
    let inputs = fields.finish(Some(inputs))?;
    let (contract, revision) = app.change_clauses(&caller, id, arrangement, inputs, precondition).await?;
    let validator = app.record_validator(contract.version, revision);
    Ok(respond::record(&ContractClauses::from(&contract), &validator, &IfNoneMatch::default()))
}
