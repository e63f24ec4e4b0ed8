//! The wire types of the institution's risks.

use std::collections::BTreeMap;

use app::{
    history::Detail,
    risk::{Risk as AppRisk, RiskMatrix as AppMatrix},
};
use domain::{
    id::{FindingId, RiskId},
    moment::{Day, Moment},
    risk::{Acceptance, Appetite, Rating as Rated, RiskCategory, RiskLevel, RiskReference},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{HistoryStep, ORDER, moves, words};
use crate::schema::word;

words! {
    RiskStatus = domain::risk::RiskStatus, moves::<domain::risk::RiskStatus>();
    RiskTreatment = domain::risk::RiskTreatment, "How an institution answers a risk.";
    RiskSort = domain::risk::RiskSort, ORDER;
}

/// Likelihood and impact, and the level that follows from their sum: up to 4 low, 5 and 6 medium, 7 high, from 8 on
/// critical.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnRiskRating)]
pub(crate) struct Rating {
    #[schema(minimum = 1, maximum = 5)]
    likelihood: u8,
    #[schema(minimum = 1, maximum = 5)]
    impact: u8,
    #[schema(value_type = word::Level)]
    level: RiskLevel,
}

impl From<Rated> for Rating {
    fn from(rating: Rated) -> Self {
        Self { likelihood: rating.likelihood(), impact: rating.impact(), level: rating.level() }
    }
}

/// Why a risk is borne, until when, and who decided that. It ends by itself the day after its last day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnRiskAcceptance)]
pub(crate) struct RiskAcceptance {
    reason: String,
    /// The last day it holds.
    #[schema(value_type = String, format = Date)]
    until: Day,
    /// The id of the key or person that worded it.
    proposed_by: String,
    /// The id of the key or person that accepted the risk; `null` while it is only proposed.
    approved_by: Option<String>,
}

impl From<&Acceptance> for RiskAcceptance {
    fn from(acceptance: &Acceptance) -> Self {
        Self {
            reason: acceptance.reason.to_string(),
            until: acceptance.until,
            proposed_by: acceptance.proposed_by.clone(),
            approved_by: acceptance.approved_by.clone(),
        }
    }
}

/// A risk of the institution.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnRisk)]
pub(crate) struct Risk {
    #[schema(value_type = String, example = "rsk_01k9x14js0e00000000000000a")]
    id: RiskId,
    #[schema(value_type = String, example = "R-0001")]
    reference: RiskReference,
    title: String,
    cause: Option<String>,
    event: Option<String>,
    effect: Option<String>,
    #[schema(value_type = word::CategoryId)]
    category: RiskCategory,
    owner: Option<String>,
    /// The ids of the functions it concerns.
    functions: Vec<String>,
    /// The ids of the controls that lessen it.
    controls: Vec<String>,
    #[schema(value_type = Vec<String>)]
    findings: Vec<FindingId>,
    /// Before any treatment.
    inherent: Rating,
    /// With the treatment in place.
    residual: Rating,
    /// Where the treatment is to lead.
    target: Option<Rating>,
    treatment: RiskTreatment,
    acceptance: Option<RiskAcceptance>,
    status: RiskStatus,
    #[schema(value_type = Option<String>, format = Date)]
    review_on: Option<Day>,
    /// The risk of the catalogue it was adopted from.
    adopted_from: Option<String>,
    /// The gravest level of its category that is within the appetite, where the residual level is above it.
    #[schema(value_type = Option<word::Level>)]
    exceeds_appetite: Option<RiskLevel>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

impl From<&AppRisk> for Risk {
    fn from(risk: &AppRisk) -> Self {
        let AppRisk { row, exceeds } = risk;
        let record = &row.record;
        Self {
            id: row.id,
            reference: record.reference,
            title: record.title.to_string(),
            cause: record.cause.as_ref().map(ToString::to_string),
            event: record.event.as_ref().map(ToString::to_string),
            effect: record.effect.as_ref().map(ToString::to_string),
            category: record.category,
            owner: record.owner.as_ref().map(ToString::to_string),
            functions: record.functions.clone(),
            controls: record.controls.clone(),
            findings: record.findings.clone(),
            inherent: record.inherent.into(),
            residual: record.residual.into(),
            target: record.target.map(Rating::from),
            treatment: record.treatment.into(),
            acceptance: record.acceptance.as_ref().map(RiskAcceptance::from),
            status: record.status.into(),
            review_on: record.review_on,
            adopted_from: record.adopted_from.clone(),
            exceeds_appetite: *exceeds,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// A risk of the institution with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnRiskDetail)]
pub(crate) struct RiskDetail {
    #[serde(flatten)]
    risk: Risk,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

impl From<&Detail<AppRisk>> for RiskDetail {
    fn from(detail: &Detail<AppRisk>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { risk: Risk::from(&detail.record), history }
    }
}

/// Likelihood and impact of a risk.
#[derive(Debug, ToSchema)]
#[schema(as = OwnRiskRatingInput)]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct RatingFields {
    #[schema(minimum = 1, maximum = 5)]
    likelihood: u8,
    #[schema(minimum = 1, maximum = 5)]
    impact: u8,
}

/// The reason and last day of an acceptance.
#[derive(Debug, ToSchema)]
#[schema(as = OwnRiskAcceptanceInput)]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct AcceptanceFields {
    #[schema(min_length = 1, max_length = 10_000)]
    reason: String,
    #[schema(format = Date)]
    until: String,
}

/// A risk to create. Its status is `open`.
#[derive(Debug, ToSchema)]
#[schema(as = NewOwnRisk, example = json!({
    "title": "Ransomware encrypts the core banking system",
    "category": "cyber-attack",
    "inherent": { "likelihood": 4, "impact": 5 },
    "residual": { "likelihood": 2, "impact": 4 },
    "treatment": "mitigate",
    "owner": "Dana Weber",
    "review_on": "2027-06-30",
}))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct NewRisk {
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    #[schema(max_length = 10_000)]
    cause: Option<String>,
    #[schema(max_length = 10_000)]
    event: Option<String>,
    #[schema(max_length = 10_000)]
    effect: Option<String>,
    #[schema(value_type = word::CategoryId)]
    category: String,
    #[schema(max_length = 255)]
    owner: Option<String>,
    #[schema(max_items = 200)]
    functions: Option<Vec<String>>,
    #[schema(max_items = 200)]
    controls: Option<Vec<String>>,
    #[schema(max_items = 200)]
    findings: Option<Vec<String>>,
    inherent: RatingFields,
    /// The same as `inherent` if absent.
    #[schema(nullable = false)]
    residual: Option<RatingFields>,
    target: Option<RatingFields>,
    #[schema(nullable = false)]
    treatment: Option<RiskTreatment>,
    /// A proposal to accept the risk.
    acceptance: Option<AcceptanceFields>,
    #[schema(format = Date)]
    review_on: Option<String>,
    /// Recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// Changes to a risk. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, ToSchema)]
#[schema(as = OwnRiskChange, example = json!({
    "acceptance": { "reason": "The system is replaced in 2027.", "until": "2027-12-31" },
}))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct RiskChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    #[schema(max_length = 10_000)]
    cause: Option<String>,
    #[schema(max_length = 10_000)]
    event: Option<String>,
    #[schema(max_length = 10_000)]
    effect: Option<String>,
    #[schema(value_type = word::CategoryId, nullable = false)]
    category: Option<String>,
    #[schema(max_length = 255)]
    owner: Option<String>,
    #[schema(max_items = 200)]
    functions: Option<Vec<String>>,
    #[schema(max_items = 200)]
    controls: Option<Vec<String>>,
    #[schema(max_items = 200)]
    findings: Option<Vec<String>>,
    #[schema(nullable = false)]
    inherent: Option<RatingFields>,
    #[schema(nullable = false)]
    residual: Option<RatingFields>,
    target: Option<RatingFields>,
    #[schema(nullable = false)]
    treatment: Option<RiskTreatment>,
    /// A proposal to accept the risk; with the status `accepted` also the decision, where one person is enough.
    acceptance: Option<AcceptanceFields>,
    /// The next status.
    #[schema(nullable = false)]
    status: Option<RiskStatus>,
    #[schema(format = Date)]
    review_on: Option<String>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `Noun::filter` reads the values")]
pub(crate) struct RiskParams {
    /// Only risks with this status.
    status: Option<RiskStatus>,
    /// Only risks with this residual level.
    #[param(value_type = Option<word::Level>)]
    level: Option<String>,
    /// Only risks of this category.
    #[param(value_type = Option<word::CategoryId>)]
    category: Option<String>,
    /// Only risks of the owner of exactly this name.
    owner: Option<String>,
    /// Only risks of the function with this id.
    function: Option<String>,
    /// Only risks whose review day is before this day.
    #[param(format = Date)]
    review_before: Option<String>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(max_length = 200)]
    search: Option<String>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline)]
    sort: Option<RiskSort>,
}

/// Risks of the catalogue to make own risks of.
#[derive(Debug, ToSchema)]
#[schema(as = RisksToAdopt, example = json!({ "risks": ["risk-data-centre-failure"] }))]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct AdoptRisks {
    /// Ids of risks of the catalogue.
    #[schema(min_items = 1, max_items = 500)]
    risks: Vec<String>,
}

/// What adopting did.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AdoptedRisks {
    /// How many risks were created.
    pub(super) created: u64,
    /// How many had been adopted before and were left as they are.
    pub(super) skipped: u64,
    /// The ids of the created risks.
    #[schema(value_type = Vec<String>)]
    pub(super) risks: Vec<RiskId>,
}

/// The number of risks by cell, and the appetite. Closed risks do not count.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnRiskMatrix)]
pub(crate) struct RiskMatrix {
    inherent: Vec<MatrixCell>,
    residual: Vec<MatrixCell>,
    appetite: RiskAppetite,
}

/// A cell of the matrix. All 25 cells are listed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnRiskMatrixCell)]
pub(crate) struct MatrixCell {
    likelihood: u8,
    impact: u8,
    #[schema(value_type = word::Level)]
    level: RiskLevel,
    count: u64,
}

/// How much risk the institution bears, as an administrator has set it in the workspace.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RiskAppetite {
    /// The gravest residual level by category. A category that is absent has no limit.
    #[schema(value_type = BTreeMap<String, String>)]
    levels: BTreeMap<&'static str, RiskLevel>,
    /// From this residual level on, another person or key than the one that proposed it must accept a risk.
    #[schema(value_type = word::Level)]
    second_person_from: RiskLevel,
}

impl RiskMatrix {
    pub(super) fn new(matrix: &AppMatrix, appetite: &Appetite) -> Self {
        Self {
            inherent: cells(&matrix.inherent),
            residual: cells(&matrix.residual),
            appetite: RiskAppetite {
                levels: appetite.levels.iter().map(|(category, level)| (category.as_str(), *level)).collect(),
                second_person_from: appetite.second_person_from,
            },
        }
    }
}

fn cells(counts: &[[u64; 5]; 5]) -> Vec<MatrixCell> {
    let rows = (1..).zip(counts);
    let cells =
        rows.flat_map(|(likelihood, row)| (1..).zip(row).map(move |(impact, n)| (likelihood, impact, *n)));
    let cell = |(likelihood, impact, count): (i64, i64, u64)| {
        let rating = Rated::new(likelihood, impact)?;
        let (likelihood, impact) = (rating.likelihood(), rating.impact());
        Some(MatrixCell { likelihood, impact, level: rating.level(), count })
    };
    cells.filter_map(cell).collect()
}
