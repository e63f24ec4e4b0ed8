//! ICT arrangements: the register the concentration analysis reads.

pub(crate) mod import;
pub(crate) mod input;

use app::{
    App,
    arrangement::{ArrangementFilter, ArrangementRow},
    history::Detail,
};
use domain::{
    arrangement::{Arrangement, ArrangementInput, ArrangementSort, Party as DomainParty, Place},
    id::ArrangementId,
    moment::{Day, Moment},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use self::input::{ArrangementChange, ArrangementFields, NewArrangement};
use crate::{
    ApiError,
    extract::{Fields, Names, PageQuery, Parsed, Search, Words},
    v1::{
        Subject, WholeList,
        record::{Noun, record_routes},
        records::tags::TagParams,
        wire::BodyErrors,
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "ICT arrangements",
    about: "Contracts with ICT providers, as in the DORA register of information.",
    list: Some(WholeList::changed::<Arrangement>()),
    routes: |router| record_routes(router).routes(routes!(import::import)).routes(routes!(import::template)),
};

/// A contract with an ICT provider: the service, the functions that depend on it, and its cost.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Arrangement)]
pub(crate) struct ArrangementItem {
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
    /// Since when it is archived; null while it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
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

impl From<&ArrangementRow> for ArrangementItem {
    fn from(row: &ArrangementRow) -> Self {
        let Arrangement { contract: content, facts } = &row.record;
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
            archived_at: row.archived_at,
        }
    }
}

/// An arrangement has no states, and so no history to show with it.
impl From<&Detail<ArrangementRow>> for ArrangementItem {
    fn from(detail: &Detail<ArrangementRow>) -> Self {
        Self::from(&detail.record)
    }
}

impl Noun for Arrangement {
    type Item = ArrangementItem;
    type Full = ArrangementItem;

    const PATH: &'static str = "/api/v1/ict-arrangements";

    fn filter(_: &App, query: &mut PageQuery) -> Result<ArrangementFilter, ApiError> {
        let params: ArrangementParams = query.read();
        Ok(ArrangementFilter {
            provider: Names::any(params.provider),
            region: Names::any(params.region),
            service_type: Words::any(params.service_type),
            substitutability: Words::any(params.substitutability),
            critical: params.critical,
            active_on: params.active_on.map(Parsed::value),
            archived: params.archived.map(Parsed::value).unwrap_or_default().wanted(),
            search: params.search.and_then(Search::words),
            // A cursor uses the time of creation, so that is the default order, as in every other list.
            sort: params.sort.map(Parsed::value).or(Some(ArrangementSort::Newest)),
        })
    }

    fn input(fields: &mut Fields) -> ArrangementInput {
        fields.read::<ArrangementFields>().input(fields, "")
    }
}

/// The filters of the list; all that are given must fit.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ArrangementParams {
    /// `true` for archived records, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<crate::v1::wire::Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only arrangements that contain all these words. Case and accents are ignored.
    #[param(value_type = Option<String>)]
    search: Option<Search>,
    /// Only arrangements with the provider of exactly this name. Sent several times, any of them.
    #[param(value_type = Option<Vec<String>>)]
    provider: Option<Names>,
    /// Only arrangements in the region of exactly this name. Sent several times, any of them.
    #[param(value_type = Option<Vec<String>>)]
    region: Option<Names>,
    /// Only services of this type, S01 to S19.
    #[param(value_type = Option<Vec<String>>)]
    service_type: Option<Words<domain::arrangement::ServiceType>>,
    /// Only arrangements with this substitutability: `easy`, `medium`, `hard` or `impossible`.
    #[param(value_type = Option<Vec<String>>)]
    substitutability: Option<Words<domain::arrangement::Substitutability>>,
    /// `true` for arrangements that support a critical function, `false` for the others.
    critical: Option<bool>,
    /// Only arrangements in force on this day.
    #[param(value_type = Option<String>)]
    active_on: Option<Parsed<Day>>,
    /// The order of the list: `-created_at` (the default), `reference` or `-annual_cost`.
    #[param(value_type = Option<String>)]
    sort: Option<Parsed<ArrangementSort>>,
}

record_routes! {
    Arrangement, "an ICT arrangement", ArrangementItem;

    /// Lists ICT arrangements.
    ///
    /// The newest come first.
    list(ArrangementItem; TagParams, ArrangementParams, ("as_of" = Option<String>, Query, format = Date,
        description = "The arrangements as they were at the end of this day, in the time zone of the institution; the \
        other filters see them as they were then. Arrangements archived or deleted since are in it."));
    create(NewArrangement);
    /// Gets an ICT arrangement.
    get;
    /// Updates an ICT arrangement.
    ///
    /// Fields that are absent keep their values.
    patch(ArrangementChange);
    /// Deletes an ICT arrangement.
    delete;
    /// Archives an ICT arrangement.
    ///
    /// It leaves the lists and keeps its history. An arrangement is archived once it has ended, so that no figure changes.
    archive(BodyErrors);
    restore(BodyErrors);
    versions;
    version;
}
