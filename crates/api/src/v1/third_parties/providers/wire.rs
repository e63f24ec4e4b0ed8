//! The wire types of providers.

use crate::v1::wire::{ORDER, words};
use app::{
    catalogue::vendor::{DimensionId, Vendor},
    history::Detail,
    provider::{
        Clauses, Contract as AppContract, ContractClauses as AppContractClauses, ProviderPage, ProviderView,
        Subcontractor,
    },
};
use domain::{
    id::{ArrangementId, FindingId, IncidentId, ProviderId},
    moment::{Day, Moment},
    provider::{Dimension, ReviewScores as DomainScores},
    rounding::Hundredths,
    wording::Language,
};
use serde::Serialize;
use utoipa::ToSchema;

words! {
    ReviewState = domain::provider::ReviewState, "Whether a provider was reviewed, and when it is to be reviewed again.";
    ClauseState = domain::provider::ClauseState, "Whether a clause stands in a contract.";
    ProviderRating = domain::provider::ProviderRating, "The institution's own judgement of a provider.";
    ProviderSort = domain::provider::ProviderSort, ORDER;
}

/// From 0 to 100, the higher the better; `null` where no question applied.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewScores {
    #[schema(maximum = 100)]
    security: Option<u8>,
    #[schema(maximum = 100)]
    resilience: Option<u8>,
    #[schema(maximum = 100)]
    compliance: Option<u8>,
    #[schema(maximum = 100)]
    concentration: Option<u8>,
    #[schema(maximum = 100)]
    exit: Option<u8>,
    /// Weighed as in the catalogue's scorecard.
    #[schema(maximum = 100)]
    overall: Option<u8>,
}

impl From<DomainScores> for ReviewScores {
    fn from(scores: DomainScores) -> Self {
        Self {
            security: scores.get(Dimension::Security),
            resilience: scores.get(Dimension::Resilience),
            compliance: scores.get(Dimension::Compliance),
            concentration: scores.get(Dimension::Concentration),
            exit: scores.get(Dimension::Exit),
            overall: scores.overall,
        }
    }
}

/// When the provider was reviewed, and when it is to be reviewed again.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderReviewDays {
    #[schema(value_type = Option<String>, format = Date)]
    last_on: Option<Day>,
    #[schema(value_type = Option<String>, format = Date)]
    next_on: Option<Day>,
    state: ReviewState,
}

/// The clauses of DORA Art. 30(2) and, behind critical or important functions, (3), over all contracts.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ContractClauseCounts {
    /// Clauses that are needed; those said not to be needed are left out.
    required: u64,
    present: u64,
    /// Needed clauses about which nothing was said yet.
    not_assessed: u64,
    /// Ids of clauses that at least one contract lacks.
    missing: Vec<String>,
}

impl From<&Clauses> for ContractClauseCounts {
    fn from(clauses: &Clauses) -> Self {
        Self {
            required: clauses.required,
            present: clauses.present,
            not_assessed: clauses.not_assessed,
            missing: clauses.missing.clone(),
        }
    }
}

/// The head of the group a provider belongs to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderParent {
    name: String,
    lei: Option<String>,
}

/// An archetype of the catalogue with its scores, from 0 to 100, the higher the better.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderArchetype {
    #[schema(example = "vendor-hyperscale-cloud")]
    id: String,
    title: String,
    #[schema(maximum = 100)]
    security: u32,
    #[schema(maximum = 100)]
    resilience: u32,
    #[schema(maximum = 100)]
    compliance: u32,
    #[schema(maximum = 100)]
    concentration: u32,
    #[schema(maximum = 100)]
    exit: u32,
    #[schema(value_type = f64, example = 64.3)]
    overall: Hundredths,
}

impl From<&Vendor> for ProviderArchetype {
    fn from(vendor: &Vendor) -> Self {
        Self {
            id: vendor.id.to_string(),
            title: vendor.title.get(Language::English).to_owned(),
            security: vendor.scores.get(DimensionId::Security),
            resilience: vendor.scores.get(DimensionId::Resilience),
            compliance: vendor.scores.get(DimensionId::Compliance),
            concentration: vendor.scores.get(DimensionId::Concentration),
            exit: vendor.scores.get(DimensionId::Exit),
            overall: vendor.overall,
        }
    }
}

/// A provider of ICT services. Name, LEI, country and parent come from the register.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Provider)]
pub(crate) struct ProviderItem {
    #[schema(value_type = String, example = "prv_01k9x8v1q7m3t5n2p4r6s8w0yz")]
    id: ProviderId,
    #[schema(example = "Nordlicht Cloud SE")]
    name: String,
    lei: Option<String>,
    #[schema(example = "DE")]
    country: String,
    parent: Option<ProviderParent>,
    /// Whether an arrangement with it supports a critical or important function.
    critical: bool,
    /// The number of arrangements.
    arrangements: u64,
    /// The number of different functions they support.
    functions: u64,
    /// Of the annual cost of all arrangements that run today; `null` where the analysis cannot be made.
    #[schema(value_type = Option<f64>, example = 12.5)]
    share_pct: Option<Hundredths>,
    incidents: u64,
    open_findings: u64,
    /// Of the last completed review.
    scores: Option<ReviewScores>,
    review: ProviderReviewDays,
    contract_clauses: ContractClauseCounts,
    owner: Option<String>,
    /// The institution's own judgement.
    rating: Option<ProviderRating>,
    /// The archetype of the catalogue that the institution holds the provider against: a benchmark, no judgement of it.
    archetype: Option<ProviderArchetype>,
    /// The address of a person at the provider, to which the link to a questionnaire can be sent.
    #[schema(example = "assurance@provider.example")]
    contact: Option<String>,
    /// How many months after a review the next one is due.
    review_months: Option<u32>,
    /// How many days before its end a contract has to be terminated.
    notice_days: Option<u32>,
    note: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

impl From<&ProviderView> for ProviderItem {
    fn from(provider: &ProviderView) -> Self {
        let (row, facts) = (&provider.row, &provider.facts);
        let record = &row.record;
        Self {
            id: row.id,
            name: record.name.to_string(),
            lei: record.lei.map(|lei| lei.to_string()),
            country: record.country.to_string(),
            parent: facts
                .parent
                .as_ref()
                .map(|(name, lei)| ProviderParent { name: name.clone(), lei: lei.clone() }),
            critical: provider.is_critical(),
            arrangements: facts.arrangements,
            functions: facts.functions.len() as u64,
            share_pct: provider.share,
            incidents: facts.incidents,
            open_findings: facts.open_findings,
            scores: record.scores.map(ReviewScores::from),
            review: ProviderReviewDays {
                last_on: record.last_review_on,
                next_on: record.next_review_on,
                state: provider.state.into(),
            },
            contract_clauses: ContractClauseCounts::from(&provider.clauses),
            owner: record.owner.as_ref().map(ToString::to_string),
            rating: record.rating.map(ProviderRating::from),
            archetype: provider.archetype().map(ProviderArchetype::from),
            contact: record.contact.as_ref().map(ToString::to_string),
            review_months: record.review_months,
            notice_days: record.notice_days,
            note: record.note.as_ref().map(ToString::to_string),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&Detail<ProviderView>> for ProviderItem {
    fn from(detail: &Detail<ProviderView>) -> Self {
        Self::from(&detail.record)
    }
}

/// A function that arrangements with the provider support.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderFunction {
    name: String,
    critical: bool,
}

/// An arrangement with the provider.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderContract {
    #[schema(value_type = String)]
    id: ArrangementId,
    reference: String,
    service: String,
    critical: bool,
    #[schema(value_type = Option<String>, format = Date)]
    ends_on: Option<Day>,
    /// The last day to terminate the contract to its end, by its own notice period or the provider's.
    #[schema(value_type = Option<String>, format = Date)]
    notice_by: Option<Day>,
}

impl From<&AppContract> for ProviderContract {
    fn from(contract: &AppContract) -> Self {
        Self {
            id: contract.row.id,
            reference: contract.clauses.reference.clone(),
            service: contract.clauses.service.clone(),
            critical: contract.clauses.critical,
            ends_on: contract.row.record.contract.ends_on,
            notice_by: contract.notice_by,
        }
    }
}

/// A company in the supply chains of the provider.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderSubcontractor {
    name: String,
    lei: Option<String>,
    /// The references of the contracts it stands behind.
    contracts: Vec<String>,
    /// Its own record; `null` if it has none.
    #[schema(value_type = Option<String>)]
    provider_id: Option<ProviderId>,
}

impl From<&Subcontractor> for ProviderSubcontractor {
    fn from(one: &Subcontractor) -> Self {
        Self {
            name: one.party.name.to_string(),
            lei: one.party.lei.map(|lei| lei.to_string()),
            contracts: one.contracts.iter().cloned().collect(),
            provider_id: one.record,
        }
    }
}

/// A provider with what belongs to it, at most 200 of each.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderDetail {
    #[serde(flatten)]
    provider: ProviderItem,
    contracts: Vec<ProviderContract>,
    /// Companies behind it in the supply chains of these contracts, at most 100.
    subcontractors: Vec<ProviderSubcontractor>,
    supported_functions: Vec<ProviderFunction>,
    #[schema(value_type = Vec<String>)]
    incident_ids: Vec<IncidentId>,
    /// Findings that came from reviews.
    #[schema(value_type = Vec<String>)]
    finding_ids: Vec<FindingId>,
}

impl From<&ProviderPage> for ProviderDetail {
    fn from(page: &ProviderPage) -> Self {
        let functions = page.provider.facts.functions.iter();
        Self {
            provider: ProviderItem::from(&page.provider),
            contracts: page.contracts.iter().map(ProviderContract::from).collect(),
            subcontractors: page.subcontractors.iter().map(ProviderSubcontractor::from).collect(),
            supported_functions: functions
                .map(|(name, critical)| ProviderFunction { name: name.clone(), critical: *critical })
                .collect(),
            incident_ids: page.incidents.iter().map(|row| row.id).collect(),
            finding_ids: page.findings.iter().map(|row| row.id).collect(),
        }
    }
}

/// One clause of the contract.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ContractClause {
    /// The id of a requirement of the catalogue.
    #[schema(example = "dora-art-30-02-a")]
    id: String,
    /// `null` until something is said about it.
    state: Option<ClauseState>,
    note: Option<String>,
}

/// The clauses of the contract of one arrangement.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ContractClauses {
    #[schema(value_type = String)]
    arrangement: ArrangementId,
    reference: String,
    service: String,
    /// Whether the clauses of Art. 30(3) are needed too.
    critical: bool,
    clauses: Vec<ContractClause>,
}

impl From<&AppContractClauses> for ContractClauses {
    fn from(contract: &AppContractClauses) -> Self {
        let clause = |line: &app::provider::ClauseLine| ContractClause {
            id: line.id.clone(),
            state: line.state.map(ClauseState::from),
            note: line.note.as_ref().map(ToString::to_string),
        };
        Self {
            arrangement: contract.arrangement,
            reference: contract.reference.clone(),
            service: contract.service.clone(),
            critical: contract.critical,
            clauses: contract.clauses.iter().map(clause).collect(),
        }
    }
}
