//! The wire types of the institution's risks.

use app::{
    App,
    control::Keys,
    history::Detail,
    risk::{RiskFilter, RiskView},
};
use domain::{
    change::Change,
    id::{FindingId, RiskId},
    moment::{Day, Moment},
    risk::{
        Acceptance, AcceptanceInput, Rating as Rated, RatingInput, Risk, RiskCategory, RiskInput, RiskLevel,
        RiskReference,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Fields, Names, PageQuery, Parsed, Search, Words, WordsOrNone},
    schema::{body, word},
    v1::{
        record::Noun,
        wire::{HistoryStep, ORDER, moves, words},
    },
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
pub(crate) struct RiskItem {
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
    /// Before any treatment; `null` until an adopted risk is rated.
    inherent: Option<Rating>,
    /// With the treatment in place; `null` until an adopted risk is rated.
    residual: Option<Rating>,
    /// Where the treatment is to lead.
    target: Option<Rating>,
    treatment: RiskTreatment,
    acceptance: Option<RiskAcceptance>,
    status: RiskStatus,
    #[schema(value_type = Option<String>, format = Date)]
    review_on: Option<Day>,
    /// The risk of the catalogue it was adopted from.
    adopted_from: Option<String>,
    /// The fields whose texts are still those of the catalogue.
    #[schema(value_type = Vec<String>)]
    library_texts: Vec<&'static str>,
    /// The highest level of its category that is within the appetite, where the residual level is above it.
    #[schema(value_type = Option<word::Level>)]
    exceeds_appetite: Option<RiskLevel>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// Since when it is archived; null while it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
}

impl From<&RiskView> for RiskItem {
    fn from(risk: &RiskView) -> Self {
        let RiskView { row, exceeds, library_texts } = risk;
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
            inherent: record.inherent.map(Rating::from),
            residual: record.residual.map(Rating::from),
            target: record.target.map(Rating::from),
            treatment: record.treatment.into(),
            acceptance: record.acceptance.as_ref().map(RiskAcceptance::from),
            status: record.status.into(),
            review_on: record.review_on,
            adopted_from: record.adopted_from.clone(),
            library_texts: library_texts.clone(),
            exceeds_appetite: *exceeds,
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

/// A risk of the institution with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnRiskDetail)]
pub(crate) struct RiskDetail {
    #[serde(flatten)]
    risk: RiskItem,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

impl From<&Detail<RiskView>> for RiskDetail {
    fn from(detail: &Detail<RiskView>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { risk: RiskItem::from(&detail.record), history }
    }
}

/// Likelihood and impact of a risk.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = OwnRiskRatingInput)]
pub(crate) struct RatingFields {
    #[schema(value_type = u8, minimum = 1, maximum = 5)]
    likelihood: Option<Option<f64>>,
    #[schema(value_type = u8, minimum = 1, maximum = 5)]
    impact: Option<Option<f64>>,
}

impl From<RatingFields> for RatingInput {
    fn from(fields: RatingFields) -> Self {
        Self { likelihood: fields.likelihood.into(), impact: fields.impact.into() }
    }
}

/// The reason and last day of an acceptance.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = OwnRiskAcceptanceInput)]
pub(crate) struct AcceptanceFields {
    #[schema(value_type = String, min_length = 1, max_length = 10_000)]
    reason: Option<Option<String>>,
    #[schema(value_type = String, format = Date)]
    until: Option<Option<String>>,
}

impl From<AcceptanceFields> for AcceptanceInput {
    fn from(fields: AcceptanceFields) -> Self {
        Self { reason: fields.reason.into(), until: fields.until.into() }
    }
}

body! {
    /// A risk to create. Its status is `open`.
    NewRisk as "NewOwnRisk" from RiskChange {
        required: ["title", "category", "inherent"],
        without: ["status"],
        example: {
            "title": "Ransomware encrypts the core banking system",
            "category": "cyber-attack",
            "inherent": { "likelihood": 4, "impact": 5 },
            "residual": { "likelihood": 2, "impact": 4 },
            "treatment": "mitigate",
            "owner": "Dana Weber",
            "review_on": "2027-06-30",
        }
    }
}

/// Changes to a risk. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = OwnRiskChange, example = json!({
    "acceptance": { "reason": "The system is replaced in 2027.", "until": "2027-12-31" },
}))]
pub(crate) struct RiskChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    cause: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    event: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    effect: Option<Option<String>>,
    #[schema(value_type = Option<word::CategoryId>, nullable = false)]
    category: Option<Option<String>>,
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    #[schema(max_items = 200)]
    functions: Option<Option<Vec<String>>>,
    #[schema(max_items = 200)]
    controls: Option<Option<Vec<String>>>,
    #[schema(max_items = 200)]
    findings: Option<Option<Vec<String>>>,
    #[schema(nullable = false)]
    inherent: Option<Option<RatingFields>>,
    /// The same as `inherent` if absent when the risk is created.
    #[schema(nullable = false)]
    residual: Option<Option<RatingFields>>,
    target: Option<Option<RatingFields>>,
    #[schema(value_type = Option<RiskTreatment>, nullable = false)]
    treatment: Option<Option<String>>,
    /// A proposal to accept the risk; with the status `accepted` also the decision, where one person is enough.
    acceptance: Option<Option<AcceptanceFields>>,
    /// The next status.
    #[schema(value_type = Option<RiskStatus>, nullable = false)]
    status: Option<Option<String>>,
    #[schema(format = Date)]
    review_on: Option<Option<String>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RiskParams {
    /// `true` for archived records, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<crate::v1::wire::Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only risks with this status.
    #[param(value_type = Option<Vec<RiskStatus>>)]
    status: Option<Words<domain::risk::RiskStatus>>,
    /// Only risks with this residual level.
    #[param(value_type = Option<Vec<word::Level>>)]
    level: Option<Words<RiskLevel>>,
    /// Only risks of this category.
    #[param(value_type = Option<Vec<word::CategoryId>>)]
    category: Option<Words<RiskCategory>>,
    /// Only risks of the owner of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// Only risks of the function with this id. Sent several times, of any of them; `none` stands for risks of no
    /// function.
    #[param(value_type = Option<Vec<String>>)]
    function: Option<Names>,
    /// Only risks whose review day is before this day; `none` stands for risks without a day, and can be sent besides a
    /// day.
    #[param(value_type = Option<Vec<String>>, example = json!(["2026-12-31"]))]
    review_before: Option<WordsOrNone<Day>>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<RiskSort>)]
    sort: Option<Parsed<domain::risk::RiskSort>>,
}

impl Noun for Risk {
    type Item = RiskItem;
    type Full = RiskDetail;

    const PATH: &'static str = "/api/v1/risks";

    fn filter(_: &App, query: &mut PageQuery) -> Result<RiskFilter, ApiError> {
        let params: RiskParams = query.read();
        Ok(RiskFilter {
            archived: params.archived.map(Parsed::value).unwrap_or_default(),
            status: Words::any(params.status),
            level: Words::any(params.level),
            category: Words::any(params.category),
            owner: Names::any(params.owner),
            function: Names::any(params.function),
            keys: None,
            review_before: WordsOrNone::any(params.review_before),
            cell: None,
            above_appetite: false,
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn proving(filter: &mut RiskFilter) -> Option<&mut Option<Keys>> {
        Some(&mut filter.keys)
    }

    fn input(fields: &mut Fields) -> RiskInput {
        fields.read::<RiskChange>().into()
    }
}

impl From<RiskChange> for RiskInput {
    fn from(change: RiskChange) -> Self {
        let rating =
            |sent: Option<Option<RatingFields>>| Change::<RatingFields>::from(sent).map(RatingInput::from);
        Self {
            title: change.title.into(),
            cause: change.cause.into(),
            event: change.event.into(),
            effect: change.effect.into(),
            category: change.category.into(),
            owner: change.owner.into(),
            functions: change.functions.into(),
            controls: change.controls.into(),
            findings: change.findings.into(),
            inherent: rating(change.inherent),
            residual: rating(change.residual),
            target: rating(change.target),
            treatment: change.treatment.into(),
            acceptance: Change::<AcceptanceFields>::from(change.acceptance).map(AcceptanceInput::from),
            status: change.status.into(),
            review_on: change.review_on.into(),
            note: change.note.into(),
        }
    }
}
