//! Concentration analyses in v1.

use std::collections::BTreeMap;

use app::analysis::{
    Analysis as AppAnalysis, AnalysisHead, BreachRow, CommonNodeContent, DesignatedContent, DimensionContent,
    EntryContent, FunctionContent, PlaceContent, RateContent,
};
use domain::{
    id::{AnalysisId, ArrangementId, BreachId},
    moment::{Day, Moment},
    page::PageRequest,
    rounding::Hundredths,
};
use serde::Serialize;
use utoipa::ToSchema;

/// How a result is shown: which slice of its entries, providers as legal entities or as groups.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
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

/// The concentration in one dimension.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalysisDimension)]
#[expect(clippy::struct_field_names, reason = "the names on the wire are fixed")]
pub(crate) struct Dimension {
    /// `provider`, `sector`, `region` or `technology`.
    dimension: String,
    /// The Herfindahl-Hirschman index, from 0 to 10,000.
    #[schema(value_type = f64)]
    hhi: Hundredths,
    threshold_pct: u8,
    /// The largest first; `limit` and `offset` select the page.
    entries: Vec<Entry>,
    /// The total number of entries in the dimension.
    entries_total: u64,
}

/// One provider, sector, region or technology.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalysisEntry)]
pub(crate) struct Entry {
    name: String,
    lei: Option<String>,
    value: u64,
    #[schema(value_type = f64)]
    share_pct: Hundredths,
    arrangements: u32,
    /// Critical functions that depend on it.
    critical_functions: u32,
    /// The share of all critical functions that depend on it.
    #[schema(value_type = f64)]
    critical_functions_pct: Hundredths,
    /// Whether the share is above its threshold.
    breach: bool,
}

/// The critical functions, each judged by the arrangement that is hardest to replace.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CriticalFunctions {
    total: u64,
    by_substitutability: BTreeMap<String, u64>,
    #[schema(value_type = f64)]
    hard_to_replace_pct: Hundredths,
    #[schema(value_type = f64)]
    with_exit_plan_pct: Hundredths,
    #[schema(value_type = f64)]
    without_exit_plan_pct: Hundredths,
    #[schema(value_type = f64)]
    exit_plan_unknown_pct: Hundredths,
    /// Each of them, the hardest to leave first, at most 500.
    functions: Vec<CriticalFunction>,
}

/// A critical function by its weakest arrangement.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CriticalFunction {
    name: String,
    /// Of the arrangement that is hardest to replace.
    #[schema(example = "hard")]
    substitutability: String,
    /// Whether every arrangement has an exit plan; `null` where that is not known.
    exit_plan: Option<bool>,
    arrangements: u32,
}

impl From<&FunctionContent> for CriticalFunction {
    fn from(function: &FunctionContent) -> Self {
        Self {
            name: function.name.clone(),
            substitutability: function.substitutability.clone(),
            exit_plan: function.exit_plan,
            arrangements: function.arrangements,
        }
    }
}

/// A subcontractor that several providers share.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CommonNode {
    name: String,
    lei: Option<String>,
    /// The providers that depend on it.
    behind: Vec<String>,
    arrangements: u32,
    critical_functions: u32,
    #[schema(value_type = f64)]
    critical_functions_pct: Hundredths,
    /// Whether it is also a provider itself.
    also_direct: bool,
}

/// The countries where services are provided, or data is stored or processed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalysisPlace)]
#[expect(clippy::struct_field_names, reason = "the names on the wire are fixed")]
pub(crate) struct Place {
    /// `provision`, `storage` or `processing`.
    place: String,
    #[schema(value_type = f64)]
    eea_pct: Hundredths,
    #[schema(value_type = f64)]
    third_country_pct: Hundredths,
    #[schema(value_type = f64)]
    unknown_pct: Hundredths,
    #[schema(value_type = f64)]
    third_country_critical_functions_pct: Hundredths,
    countries: Vec<CountryShare>,
}

/// The share of one country.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CountryShare {
    country: String,
    #[schema(value_type = f64)]
    share_pct: Hundredths,
    arrangements: u32,
    critical_functions: u32,
}

/// The dependence on ICT providers that the European supervisors have designated as critical.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DesignatedProviders {
    #[schema(value_type = f64)]
    share_pct: Hundredths,
    #[schema(value_type = f64)]
    critical_functions_direct_pct: Hundredths,
    #[schema(value_type = f64)]
    critical_functions_with_chain_pct: Hundredths,
    providers: Vec<String>,
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

const fn pct(hundredths: i64) -> Hundredths {
    Hundredths::new(hundredths)
}

impl Analysis {
    pub(super) fn of(analysis: &AppAnalysis, view: View) -> Self {
        Self { id: Some(analysis.head.id), ..Self::unkept(analysis, view) }
    }

    /// A result without an id, because it is not stored.
    pub(super) fn unkept(analysis: &AppAnalysis, view: View) -> Self {
        let (head, content) = (&analysis.head, &analysis.content);
        let thresholds = content.thresholds;
        let dimensions = content.dimensions.iter().map(|dimension| {
            let by_group = view.by_group && dimension.dimension == content.groups.dimension;
            Dimension::of(if by_group { &content.groups } else { dimension }, view.entries)
        });
        let critical = &content.critical_functions;
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
            critical_functions: CriticalFunctions {
                total: critical.functions,
                by_substitutability: critical.by_substitutability.clone(),
                hard_to_replace_pct: pct(critical.locked_in),
                with_exit_plan_pct: pct(critical.with_exit_plan),
                without_exit_plan_pct: pct(critical.without_exit_plan),
                exit_plan_unknown_pct: pct(critical.exit_plan_unknown),
                functions: critical.by_function.iter().map(CriticalFunction::from).collect(),
            },
            common_nodes: content.common_nodes.iter().map(CommonNode::from).collect(),
            places: content.places.iter().map(Place::from).collect(),
            designated_providers: (&content.designated).into(),
            rates: content.rates.iter().map(UsedRate::from).collect(),
            stale: !analysis.stale.is_empty(),
            stale_reasons: analysis.stale.iter().map(|cause| cause.as_str()).collect(),
        }
    }
}

impl Dimension {
    fn of(content: &DimensionContent, entries: PageRequest) -> Self {
        let skip = usize::try_from(entries.offset()).unwrap_or(usize::MAX);
        let shown = content.entries.iter().skip(skip).take(entries.limit() as usize);
        Self {
            dimension: content.dimension.clone(),
            hhi: pct(content.hhi),
            threshold_pct: content.threshold,
            entries: shown.map(Entry::from).collect(),
            entries_total: content.entries.len() as u64,
        }
    }
}

impl From<&EntryContent> for Entry {
    fn from(entry: &EntryContent) -> Self {
        Self {
            name: entry.name.clone(),
            lei: entry.lei.clone(),
            value: entry.value,
            share_pct: pct(entry.share),
            arrangements: entry.arrangements,
            critical_functions: entry.critical_functions,
            critical_functions_pct: pct(entry.critical_share),
            breach: entry.breach,
        }
    }
}

impl From<&CommonNodeContent> for CommonNode {
    fn from(node: &CommonNodeContent) -> Self {
        Self {
            name: node.name.clone(),
            lei: node.lei.clone(),
            behind: node.behind.clone(),
            arrangements: node.arrangements,
            critical_functions: node.critical_functions,
            critical_functions_pct: pct(node.critical_share),
            also_direct: node.also_direct,
        }
    }
}

impl From<&PlaceContent> for Place {
    fn from(place: &PlaceContent) -> Self {
        let countries = place.countries.iter().map(|country| CountryShare {
            country: country.country.clone(),
            share_pct: pct(country.share),
            arrangements: country.arrangements,
            critical_functions: country.critical_functions,
        });
        Self {
            place: place.place.clone(),
            eea_pct: pct(place.eea),
            third_country_pct: pct(place.third_country),
            unknown_pct: pct(place.unknown),
            third_country_critical_functions_pct: pct(place.third_country_critical),
            countries: countries.collect(),
        }
    }
}

impl From<&DesignatedContent> for DesignatedProviders {
    fn from(designated: &DesignatedContent) -> Self {
        Self {
            share_pct: pct(designated.share),
            critical_functions_direct_pct: pct(designated.critical_direct),
            critical_functions_with_chain_pct: pct(designated.critical_with_chain),
            providers: designated.providers.clone(),
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
