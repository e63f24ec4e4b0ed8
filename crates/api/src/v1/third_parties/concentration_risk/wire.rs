//! Concentration analyses in v1.

use app::analysis::{Analysis as AppAnalysis, AnalysisHead, BreachRow, RateContent};
use domain::{
    id::{AnalysisId, ArrangementId, BreachId},
    moment::{Day, Moment},
    page::PageRequest,
    rounding::Hundredths,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::share_wire::{CommonNode, CriticalFunctions, DesignatedProviders, Dimension, Place, pct};

/// How a result is shown: which slice of its entries, providers as legal entities or as groups.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub entries: PageRequest,
    pub by_group: bool,
}

/// How much of the institution depends on single providers, sectors, regions and technologies.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Analysis {
    /// Null in a simulation, which is not stored.
    #[schema(value_type = Option<String>, example = "ana_01k9x14js0e00000000000000a")]
    id: Option<AnalysisId>,
    #[schema(value_type = String, format = DateTime)]
    analysed_at: Moment,
    #[schema(value_type = String, format = Date)]
    as_of: Day,
    /// `annual_cost`, `arrangements` or `critical_functions`.
    basis: &'static str,
    /// `all` or `critical`.
    scope: &'static str,
    /// Arrangements that were analysed.
    arrangements: u64,
    /// Legal entities that provide them.
    providers: u32,
    /// In minor units of `currency` if the basis is a cost, otherwise a count.
    total: u64,
    currency: Option<String>,
    /// If `false`, nothing counts as a breach.
    enabled: bool,
    thresholds: AnalysisThresholds,
    dimensions: Vec<Dimension>,
    /// The number of shares above their thresholds.
    breaches: u64,
    /// `low`, `moderate`, `high` or `critical`.
    #[schema(example = "moderate")]
    level: String,
    #[schema(format = Date)]
    next_review_on: String,
    critical_functions: CriticalFunctions,
    /// Subcontractors of two or more providers of critical functions.
    common_nodes: Vec<CommonNode>,
    places: Vec<Place>,
    designated_providers: DesignatedProviders,
    /// The exchange rates of the register's currencies it was converted with.
    rates: Vec<UsedRate>,
    /// Whether what it rests on has changed since, so that another analysis may say something else.
    stale: bool,
    /// What has changed: register, thresholds, rates.
    #[schema(example = json!(["thresholds"]))]
    stale_reasons: Vec<&'static str>,
}

/// An exchange rate that was used.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UsedRate {
    #[schema(example = "USD")]
    currency: String,
    #[schema(example = "0.92")]
    rate: String,
    /// The day of a rate the tenant keeps; null for one that came with the request.
    #[schema(format = Date)]
    valid_on: Option<String>,
}

impl From<&RateContent> for UsedRate {
    fn from(rate: &RateContent) -> Self {
        let RateContent { currency, rate, valid_on } = rate.clone();
        Self { currency, rate, valid_on }
    }
}

/// The thresholds that applied at the time of the analysis.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnalysisThresholds {
    provider_concentration_pct: u8,
    sector_concentration_pct: u8,
    regional_concentration_pct: u8,
    technology_concentration_pct: u8,
    review_frequency_days: u16,
}

/// An analysis without its entries.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnalysisSummary {
    #[schema(value_type = String)]
    id: AnalysisId,
    #[schema(value_type = String, format = DateTime)]
    analysed_at: Moment,
    #[schema(value_type = String, format = Date)]
    as_of: Day,
    basis: &'static str,
    scope: &'static str,
    arrangements: u64,
    breaches: u64,
    level: String,
}

/// A share above its threshold.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Breach {
    #[schema(value_type = String, example = "brc_01k9x14js0e00000000000000a")]
    id: BreachId,
    #[schema(value_type = String)]
    analysis_id: AnalysisId,
    /// `provider`, `sector`, `region` or `technology`.
    dimension: &'static str,
    name: String,
    #[schema(value_type = f64)]
    share_pct: Hundredths,
    threshold_pct: i64,
    #[schema(value_type = f64)]
    excess_pct: Hundredths,
    /// `low`, `medium`, `high` or `critical`.
    severity: String,
    #[schema(value_type = Vec<String>)]
    arrangements: Vec<ArrangementId>,
    #[schema(value_type = String, format = DateTime)]
    detected_at: Moment,
    /// Since when the threshold has been exceeded without interruption.
    #[schema(value_type = String, format = DateTime)]
    first_detected_at: Moment,
}

impl Analysis {
    pub(crate) fn of(analysis: &AppAnalysis, view: &View) -> Self {
        Self { id: Some(analysis.head.id), ..Self::unkept(analysis, view) }
    }

    /// A result without an id, because it is not stored.
    pub(crate) fn unkept(analysis: &AppAnalysis, view: &View) -> Self {
        let (head, content) = (&analysis.head, &analysis.content);
        let thresholds = content.thresholds;
        let dimensions = content.dimensions.iter().map(|dimension| {
            let by_group = view.by_group && dimension.dimension == content.groups.dimension;
            Dimension::of(if by_group { &content.groups } else { dimension }, view.entries)
        });
        Self {
            id: None,
            analysed_at: head.analysed_at,
            as_of: head.as_of,
            basis: head.basis.as_str(),
            scope: head.scope.as_str(),
            arrangements: head.arrangements,
            providers: content.providers,
            total: content.total,
            currency: content.currency.clone(),
            enabled: thresholds.enabled,
            thresholds: AnalysisThresholds {
                provider_concentration_pct: thresholds.provider,
                sector_concentration_pct: thresholds.sector,
                regional_concentration_pct: thresholds.regional,
                technology_concentration_pct: thresholds.technology,
                review_frequency_days: thresholds.review_frequency_days,
            },
            dimensions: dimensions.collect(),
            breaches: if view.by_group { content.breaches_by_group } else { head.breaches },
            level: head.level.clone(),
            next_review_on: content.next_review_on.clone(),
            critical_functions: (&content.critical_functions).into(),
            common_nodes: content.common_nodes.iter().map(CommonNode::from).collect(),
            places: content.places.iter().map(Place::from).collect(),
            designated_providers: (&content.designated).into(),
            rates: content.rates.iter().map(UsedRate::from).collect(),
            stale: !analysis.stale.is_empty(),
            stale_reasons: analysis.stale.iter().map(|cause| cause.as_str()).collect(),
        }
    }
}

impl From<&AnalysisHead> for AnalysisSummary {
    fn from(head: &AnalysisHead) -> Self {
        Self {
            id: head.id,
            analysed_at: head.analysed_at,
            as_of: head.as_of,
            basis: head.basis.as_str(),
            scope: head.scope.as_str(),
            arrangements: head.arrangements,
            breaches: head.breaches,
            level: head.level.clone(),
        }
    }
}

impl From<&BreachRow> for Breach {
    fn from(row: &BreachRow) -> Self {
        Self {
            id: row.id,
            analysis_id: row.analysis_id,
            dimension: row.dimension.as_str(),
            name: row.name.clone(),
            share_pct: pct(row.share),
            threshold_pct: row.threshold,
            excess_pct: pct(row.excess),
            severity: row.severity.clone(),
            arrangements: row.arrangements.clone(),
            detected_at: row.detected_at,
            first_detected_at: row.first_detected_at,
        }
    }
}
