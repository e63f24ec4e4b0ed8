//! The analysis as a whole.

use crate::{currency::Currency, moment::Day, threshold::Thresholds};

use super::{
    aggregate::{Aggregator, DimensionResult},
    breach::{Breach, Level},
    common_node::{CommonNode, common_nodes},
    error::AnalysisError,
    names::small,
    places::{PlaceShares, place_shares},
    portfolio::Portfolio,
    question::{AnalysisInput, Basis, Dimension, Scope},
    resilience::{CriticalFunctions, Exposure, FunctionStanding, by_function},
    selection::Selection,
};

/// The result of an analysis, with its thresholds. It depends on the arrangements and the options alone: the order of
/// the rows does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    pub as_of: Day,
    pub basis: Basis,
    pub scope: Scope,
    pub arrangements: u32,
    /// Legal entities with at least one of the arrangements.
    pub providers: u32,
    pub total: u64,
    /// Of the total, when the basis is a cost.
    pub currency: Option<Currency>,
    pub thresholds: Thresholds,
    /// Provider, sector, region, technology.
    pub dimensions: Vec<DimensionResult>,
    /// Of these four dimensions, in their order.
    pub breaches: Vec<Breach>,
    pub level: Level,
    pub next_review_on: Day,
    /// The provider dimension by ultimate parent, with breaches of its own: they repeat those of the members and
    /// would be counted twice above.
    pub groups: DimensionResult,
    pub group_breaches: Vec<Breach>,
    pub critical_functions: CriticalFunctions,
    /// The hardest to leave first.
    pub by_function: Vec<FunctionStanding>,
    pub common_nodes: Vec<CommonNode>,
    pub places: Vec<PlaceShares>,
    pub designated: Exposure,
}

pub fn analyse(portfolio: &Portfolio, question: &AnalysisInput<'_>) -> Result<Analysis, AnalysisError> {
    let selection = Selection::new(portfolio, question)?;
    let mut aggregator = Aggregator::new(&selection, question);
    let (mut dimensions, mut breaches) = (Vec::new(), Vec::new());
    for dimension in Dimension::ALL.iter().copied() {
        let (result, mut broken) = aggregator.dimension(dimension);
        dimensions.push(result);
        breaches.append(&mut broken);
    }
    let (groups, group_breaches) = aggregator.groups();
    let providers = &dimensions[0];
    Ok(Analysis {
        as_of: question.as_of,
        basis: question.basis,
        scope: question.scope,
        arrangements: small(selection.rows.len()),
        providers: small(providers.entries.len()),
        total: selection.total,
        currency: (question.basis == Basis::AnnualCost).then(|| question.rates.base()),
        thresholds: question.thresholds,
        level: Level::of(&breaches, providers.hhi),
        next_review_on: question.as_of.plus_days(question.thresholds.review_frequency.get().into()),
        dimensions,
        breaches,
        groups,
        group_breaches,
        critical_functions: CriticalFunctions::of(&selection),
        by_function: by_function(&selection),
        common_nodes: common_nodes(&selection),
        places: place_shares(&selection),
        designated: Exposure::of(&selection, question.designated),
    })
}
