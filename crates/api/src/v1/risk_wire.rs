//! The wire types of the institution's risks.

use app::{
    App,
    history::Detail,
    risk::{Risk as AppRisk, RiskChange as AppChange, RiskFilter},
};
use domain::{
    id::{FindingId, RiskId},
    moment::{Day, Moment},
    risk::{
        Acceptance, AcceptanceInput, Rating as Rated, RatingInput, Risk as Record, RiskCategory, RiskInput,
        RiskLevel, RiskReference,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    record::Noun,
    wire::{HistoryStep, ORDER, moves, words},
};
use crate::{
    ApiError,
    extract::{Fields, PageQuery},
    schema::word,
};

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

impl Noun for Record {
    type Item = Risk;
    type Full = RiskDetail;

    const PATH: &'static str = "/api/v1/risks";
    const AS_OF: bool = true;

    fn filter(_: &App, query: &mut PageQuery) -> Result<RiskFilter, ApiError> {
        Ok(RiskFilter {
            status: query.filter("status"),
            level: query.filter("level"),
            category: query.filter("category"),
            owner: query.exactly("owner"),
            function: query.exactly("function"),
            review_before: query.filter("review_before"),
            cell: None,
            search: query.search(),
            sort: query.filter("sort"),
        })
    }

    fn input(fields: &mut Fields) -> AppChange {
        AppChange::Fields(Box::new(RiskInput {
            title: fields.text_change("title"),
            cause: fields.text_change("cause"),
            event: fields.text_change("event"),
            effect: fields.text_change("effect"),
            category: fields.text_change("category"),
            owner: fields.text_change("owner"),
            functions: fields.texts_change("functions"),
            controls: fields.texts_change("controls"),
            findings: fields.texts_change("findings"),
            inherent: fields.object_change("inherent", rating),
            residual: fields.object_change("residual", rating),
            target: fields.object_change("target", rating),
            treatment: fields.text_change("treatment"),
            acceptance: fields.object_change("acceptance", |inner| AcceptanceInput {
                reason: inner.text_change("reason"),
                until: inner.text_change("until"),
            }),
            status: fields.text_change("status"),
            review_on: fields.text_change("review_on"),
            note: fields.text_change("note"),
        }))
    }
}

fn rating(fields: &mut Fields) -> RatingInput {
    RatingInput { likelihood: fields.number_change("likelihood"), impact: fields.number_change("impact") }
}
