//! ICT arrangements: the register the concentration analysis reads.

use app::{
    App,
    arrangement::{ArrangementFilter, ArrangementRow, ArrangementSort},
    search::HitKind,
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    arrangement::{Party as DomainParty, Place},
    id::ArrangementId,
    moment::{Day, Moment},
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::{
    Subject,
    arrangement_input::{ArrangementChange, NewArrangement, input_from},
    register,
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{Body, IdPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageQuery, Reader, Writer},
    respond::{self, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "ICT arrangements",
    about: "Contracts with ICT providers, as in the DORA register of information.",
    found: Some((HitKind::Arrangement, "/api/v1/ict-arrangements")),
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(get, patch, delete))
            .routes(routes!(register::import))
            .routes(routes!(register::template))
    },
};

/// A contract with an ICT provider: the service, the functions that depend on it, and its cost.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Arrangement {
    #[schema(value_type = String, example = "arr_01k9x14js0e00000000000000a")]
    id: ArrangementId,
    /// The institution's own number for the contract.
    #[schema(example = "CTR-2025-014")]
    reference: String,
    provider: ArrangementProvider,
    #[schema(example = "Managed database hosting")]
    service: String,
    /// S01 to S19 of Implementing Regulation (EU) 2024/2956.
    #[schema(example = "S17")]
    service_type: &'static str,
    technology: String,
    region: String,
    functions: Vec<ArrangementFunction>,
    /// How hard it is to replace the provider: `easy`, `medium`, `hard` or `impossible`.
    #[schema(example = "hard")]
    substitutability: &'static str,
    annual_cost: AnnualCost,
    #[schema(value_type = String, format = Date)]
    starts_on: Day,
    #[schema(value_type = Option<String>, format = Date)]
    ends_on: Option<Day>,
    /// Whether a tested exit plan exists; null if unknown.
    exit_plan: Option<bool>,
    /// How many days before the end the institution has to give notice; null if only the provider's notice period is
    /// known, or none.
    notice_days: Option<u32>,
    places: ArrangementPlaces,
    /// The subcontractors of the provider.
    supply_chain: Vec<SupplyStep>,
    /// The ultimate parent of the provider's group.
    ultimate_parent: Option<Party>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// The provider of an arrangement.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArrangementProvider {
    #[schema(example = "Nordlicht Cloud SE")]
    name: String,
    lei: Option<String>,
    #[schema(example = "DE")]
    country: String,
    sector: String,
}

/// A business function that depends on an arrangement.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArrangementFunction {
    name: String,
    critical: bool,
}

/// The annual cost in minor units, such as cents.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnnualCost {
    amount: i64,
    #[schema(example = "EUR")]
    currency: String,
}

/// The countries where the service is provided and where data is stored and processed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArrangementPlaces {
    provision: Vec<String>,
    storage: Vec<String>,
    processing: Vec<String>,
}

/// A legal entity.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Party {
    name: String,
    lei: Option<String>,
}

/// A link of the supply chain: `supplier` delivers to `recipient`.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SupplyStep {
    supplier: Party,
    recipient: Party,
}

impl From<&DomainParty> for Party {
    fn from(party: &DomainParty) -> Self {
        Self { name: party.name.to_string(), lei: party.lei.map(|lei| lei.to_string()) }
    }
}

impl From<&ArrangementRow> for Arrangement {
    fn from(row: &ArrangementRow) -> Self {
        let (content, facts) = (&row.content, &row.facts);
        let money = content.annual_cost.money();
        let at = |place: Place| {
            let here = facts.places.iter().filter(|(kind, _)| *kind == place);
            here.map(|(_, country)| country.to_string()).collect()
        };
        let functions = content.functions.iter();
        Self {
            id: row.id,
            reference: content.reference.to_string(),
            provider: ArrangementProvider {
                name: content.provider.name.to_string(),
                lei: content.provider.lei.map(|lei| lei.to_string()),
                country: content.provider.country.to_string(),
                sector: content.provider.sector.to_string(),
            },
            service: content.service.to_string(),
            service_type: content.service_type.as_str(),
            technology: content.technology.to_string(),
            region: content.region.to_string(),
            functions: functions
                .map(|each| ArrangementFunction { name: each.name.to_string(), critical: each.critical })
                .collect(),
            substitutability: content.substitutability.as_str(),
            annual_cost: AnnualCost { amount: money.amount, currency: money.currency.to_string() },
            starts_on: content.starts_on,
            ends_on: content.ends_on,
            exit_plan: facts.exit_plan,
            notice_days: facts.notice_days,
            places: ArrangementPlaces {
                provision: at(Place::Provision),
                storage: at(Place::Storage),
                processing: at(Place::Processing),
            },
            supply_chain: facts
                .chain
                .iter()
                .map(|step| SupplyStep {
                    supplier: (&step.supplier).into(),
                    recipient: (&step.recipient).into(),
                })
                .collect(),
            ultimate_parent: facts.ultimate_parent.as_ref().map(Party::from),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// The filters of the list; all that are given must fit.
#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `filter_from` reads the values")]
pub(crate) struct ArrangementParams {
    /// Only arrangements that contain all these words. Case and accents are ignored.
    search: Option<String>,
    /// Only arrangements with the provider of exactly this name.
    provider: Option<String>,
    /// Only services of this type, S01 to S19.
    service_type: Option<String>,
    /// Only arrangements with this substitutability: `easy`, `medium`, `hard` or `impossible`.
    substitutability: Option<String>,
    /// `true` for arrangements that support a critical function, `false` for the others.
    critical: Option<bool>,
    /// Only arrangements in force on this day.
    active_on: Option<String>,
    /// The order of the list: `-created_at` (the default), `reference` or `-annual_cost`.
    sort: Option<String>,
}

/// Lists ICT arrangements.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/ict-arrangements", tag = "ICT arrangements",
    params(ListParams, ArrangementParams),
    responses((status = 200, body = List<Arrangement>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (filter, page) = filter_from(query)?;
    let render = |page: &_| respond::to_json(&List::<Arrangement>::of(page));
    let rendered = app.arrangement_page(&caller, filter, page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Creates an ICT arrangement.
#[utoipa::path(post, path = "/api/v1/ict-arrangements", tag = "ICT arrangements",
    request_body = NewArrangement,
    responses((status = 201, body = Data<Arrangement>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    mut body: Body,
) -> Result<Response, ApiError> {
    let input = input_from(&mut body.fields);
    let input = body.fields.finish(Some(input))?;
    let entry = input.create()?;
    let render = |row: &_| {
        String::from_utf8(respond::to_json(&Data { data: Arrangement::from(row) })).unwrap_or_default()
    };
    let creation = app.create_arrangement(&caller, entry, body.idempotency, render).await?;
    Ok(respond::created(creation, Some("/api/v1/ict-arrangements")))
}

/// Gets an ICT arrangement.
#[utoipa::path(get, path = "/api/v1/ict-arrangements/{id}", tag = "ICT arrangements",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<Arrangement>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ArrangementId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (row, revision) = app.arrangement(&caller, id).await?;
    let etag = app.record_etag(row.version, revision);
    Ok(respond::record(&Arrangement::from(&row), &etag, &if_none_match))
}

/// Updates an ICT arrangement.
///
/// Fields that are absent keep their values.
#[utoipa::path(patch, path = "/api/v1/ict-arrangements/{id}", tag = "ICT arrangements",
    params(("id" = String, Path)), request_body = ArrangementChange,
    responses((status = 200, body = Data<Arrangement>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ArrangementId>,
    IfMatch(precondition): IfMatch,
    mut body: Body,
) -> Result<Response, ApiError> {
    let input = input_from(&mut body.fields);
    let input = body.fields.finish(Some(input))?;
    let patch = move |kept: &_| input.change(kept);
    let (row, revision) = app.change_arrangement(&caller, id, patch, precondition).await?;
    let etag = app.record_etag(row.version, revision);
    Ok(respond::record(&Arrangement::from(&row), &etag, &IfNoneMatch::default()))
}

/// Deletes an ICT arrangement.
#[utoipa::path(delete, path = "/api/v1/ict-arrangements/{id}", tag = "ICT arrangements",
    params(("id" = String, Path)),
    responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ArrangementId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    app.delete_arrangement(&caller, id, precondition).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn filter_from(mut query: PageQuery) -> Result<(ArrangementFilter, domain::page::PageRequest), ApiError> {
    let critical = match query.text("critical") {
        None => None,
        Some("true" | "1") => Some(true),
        Some("false" | "0") => Some(false),
        Some(_) => {
            query.complain("critical", "must be true or false");
            None
        }
    };
    let filter = ArrangementFilter {
        provider: query.exactly("provider"),
        service_type: query.filter("service_type"),
        substitutability: query.filter("substitutability"),
        critical,
        active_on: query.filter("active_on"),
        search: query.search(),
        // A cursor uses the time of creation, so that is the default order, as in every other list.
        sort: query.filter("sort").or(Some(ArrangementSort::Newest)),
    };
    let query = query.check()?;
    Ok((filter, query.page))
}
