//! Providers: created from the register, with the institution's own data.

pub(crate) mod reviews;
pub(crate) mod wire;

use app::{App, provider::ProviderFilter};
use axum::{extract::State, response::Response};
use domain::{
    country::Country,
    id::{ArrangementId, ProviderId},
    provider::{ClauseInput, Provider, ProviderInput},
};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use self::wire::{
    ClauseState, ContractClauses, ProviderDetail, ProviderItem, ProviderRating, ProviderSort, ReviewState,
};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, Names, PageQuery, Parsed, Reader, Search, Words,
        Writer,
    },
    respond::{self, Data},
    v1::{
        Subject, WholeList,
        record::{self, Noun, WithCustom, record_routes},
        records::tags::TagParams,
        wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "providers",
    about: "Providers of the register: owner, contract clauses, due-diligence reviews and scores.",
    list: Some(WholeList::all::<Provider>()),
    routes: |router| {
        record_routes(router.routes(routes!(get)))
            .routes(routes!(add_subcontractor))
            .routes(routes!(clauses, change_clauses))
            .routes(routes!(reviews::list, reviews::create))
            .routes(routes!(reviews::compare))
            .routes(routes!(reviews::get, reviews::patch))
            .routes(routes!(reviews::send))
            .routes(routes!(reviews::find))
    },
};

/// The fields from the register, which a request cannot change here.
const OF_REGISTER: [&str; 4] = ["name", "lei", "country", "parent"];

/// Changes to a provider. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "owner": "Dana Weber", "review_months": 12, "notice_days": 90 }))]
pub(crate) struct ProviderChange {
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    #[schema(value_type = Option<ProviderRating>)]
    rating: Option<Option<String>>,
    /// The id of an archetype of the catalogue (`GET /api/v2/vendor-scorecard`).
    #[schema(max_length = 255)]
    archetype: Option<Option<String>>,
    #[schema(max_length = 255)]
    contact: Option<Option<String>>,
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 60)]
    review_months: Option<Option<f64>>,
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 1825)]
    notice_days: Option<Option<f64>>,
    #[schema(format = Date)]
    next_review_on: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ProviderParams {
    /// Only providers that support a critical or important function, or only others.
    critical: Option<bool>,
    /// Only providers whose review is in this state.
    #[param(value_type = Option<Vec<ReviewState>>)]
    review: Option<Words<domain::provider::ReviewState>>,
    /// Only providers with this owner. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// Only providers whose name, LEI or owner contains this text; case is ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<ProviderSort>)]
    sort: Option<Parsed<domain::provider::ProviderSort>>,
}

/// Which subcontractor gets a record of its own.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "name": "Rhein Rechenzentrum GmbH", "country": "DE" }))]
pub(crate) struct NewSubcontractor {
    #[schema(required = true, nullable = false, max_length = 255)]
    name: Option<String>,
    /// Needed where template `B_05.01` does not name it.
    #[schema(value_type = Option<String>, example = "DE")]
    country: Option<Parsed<Country>>,
}

/// What is said about clauses. Those that are not named stay as they are.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "clauses": [{ "clause": "dora-art-30-02-a", "state": "present" }] }))]
pub(crate) struct ClauseChanges {
    #[schema(value_type = Vec<ClauseChange>, max_items = 200)]
    clauses: Option<Option<Vec<ClauseChange>>>,
}

/// What is said about one clause.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct ClauseChange {
    #[schema(required = true, nullable = false)]
    clause: Option<Option<String>>,
    /// `null` takes it back.
    #[schema(value_type = Option<ClauseState>)]
    state: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

impl Noun for Provider {
    type Item = ProviderItem;
    type Full = ProviderItem;

    const PATH: &'static str = "/api/v1/providers";

    fn filter(app: &App, query: &mut PageQuery) -> Result<ProviderFilter, ApiError> {
        let params: ProviderParams = query.read();
        Ok(ProviderFilter {
            critical: params.critical,
            review: Words::any(params.review),
            today: Some(app.clock.now().day()),
            owner: Names::any(params.owner),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn input(fields: &mut Fields) -> ProviderInput {
        let of_register = OF_REGISTER.into_iter().filter(|field| fields.has(field)).collect();
        ProviderInput { of_register, ..fields.read::<ProviderChange>().into() }
    }
}

impl From<ProviderChange> for ProviderInput {
    fn from(change: ProviderChange) -> Self {
        Self {
            owner: change.owner.into(),
            rating: change.rating.into(),
            archetype: change.archetype.into(),
            contact: change.contact.into(),
            review_months: change.review_months.into(),
            notice_days: change.notice_days.into(),
            next_review_on: change.next_review_on.into(),
            note: change.note.into(),
            of_register: Vec::new(),
        }
    }
}

impl From<ClauseChange> for ClauseInput {
    fn from(change: ClauseChange) -> Self {
        Self { clause: change.clause.into(), state: change.state.into(), note: change.note.into() }
    }
}

record_routes! {
    Provider, "a provider", ProviderItem;

    /// Lists the providers.
    ///
    /// Every provider that an arrangement of the register names has a record. The newest come first.
    list(ProviderItem; TagParams, ProviderParams);
    /// Updates what the institution adds to a provider.
    ///
    /// Fields that are absent keep their values. What comes from the register is changed there.
    patch(ProviderChange);
    versions;
    version;
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
    let (page, revision) = app.third_parties.provider_page(&caller, id).await?;
    let validator = app.record_validator(page.provider.row.version, revision);
    let full = WithCustom::new(&page.provider.row, ProviderDetail::from(&page));
    Ok(respond::record(&full, &validator, &IfNoneMatch::default()))
}

/// Makes a record of a subcontractor.
///
/// It must stand in a supply chain of the provider's contracts. A subcontractor that has a record keeps it, and that one
/// is answered.
#[utoipa::path(post, path = "/api/v1/providers/{id}/subcontractors",
    operation_id = "createProviderFromSubcontractor", tag = "providers",
    request_body = NewSubcontractor, params(("id" = String, Path)),
    responses((status = 200, body = Data<ProviderItem>), KeyedErrors, BodyErrors))]
pub(crate) async fn add_subcontractor(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ProviderId>,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    fields.require("name");
    let request: NewSubcontractor = fields.read();
    let name = fields.finish(request.name)?;
    let country = request.country.map(Parsed::value);
    let (made, revision) = app.third_parties.create_subcontractor(&caller, id, name, country).await?;
    let validator = app.record_validator(made.record.row.version, revision);
    Ok(respond::record(&record::full::<Provider>(&made), &validator, &IfNoneMatch::default()))
}

/// Gets the clauses of the contract of an arrangement.
///
/// Those of DORA Art. 30(2), and those of (3) where the arrangement supports a critical or important function.
#[utoipa::path(get, path = "/api/v1/providers/{id}/clauses/{arrangement}",
    operation_id = "getProviderClauses", tag = "providers",
    params(("id" = String, Path), ("arrangement" = String, Path)),
    responses((status = 200, body = Data<ContractClauses>), NotModified, KeyedErrors))]
pub(crate) async fn clauses(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, arrangement): IdsPath<ProviderId, ArrangementId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (contract, revision) = app.third_parties.contract_clauses(&caller, id, arrangement).await?;
    let validator = app.record_validator(contract.version, revision);
    Ok(respond::record(&ContractClauses::from(&contract), &validator, &if_none_match))
}

/// Says which clauses stand in the contract of an arrangement.
#[utoipa::path(patch, path = "/api/v1/providers/{id}/clauses/{arrangement}",
    operation_id = "updateProviderClauses", tag = "providers",
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
    let request: ClauseChanges = fields.read();
    let clauses = fields.finish(Some(request.clauses.flatten().unwrap_or_default()))?;
    let inputs = clauses.into_iter().map(ClauseInput::from).collect();
    let (contract, revision) =
        app.third_parties.change_clauses(&caller, id, arrangement, inputs, precondition).await?;
    let validator = app.record_validator(contract.version, revision);
    Ok(respond::record(&ContractClauses::from(&contract), &validator, &IfNoneMatch::default()))
}
