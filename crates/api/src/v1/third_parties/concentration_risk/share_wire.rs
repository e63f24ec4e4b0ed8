//! What a concentration analysis says about single providers, sectors, countries and functions.

use std::collections::BTreeMap;

use app::analysis::{
    CommonNodeContent, CriticalFunctionsContent, DesignatedContent, DimensionContent, EntryContent,
    FunctionContent, PlaceContent,
};
use domain::{page::PageRequest, rounding::Hundredths};
use serde::Serialize;
use utoipa::ToSchema;

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

pub(crate) const fn pct(hundredths: i64) -> Hundredths {
    Hundredths::new(hundredths)
}

impl Dimension {
    pub(crate) fn of(content: &DimensionContent, entries: PageRequest) -> Self {
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

impl From<&CriticalFunctionsContent> for CriticalFunctions {
    fn from(critical: &CriticalFunctionsContent) -> Self {
        Self {
            total: critical.functions,
            by_substitutability: critical.by_substitutability.clone(),
            hard_to_replace_pct: pct(critical.locked_in),
            with_exit_plan_pct: pct(critical.with_exit_plan),
            without_exit_plan_pct: pct(critical.without_exit_plan),
            exit_plan_unknown_pct: pct(critical.exit_plan_unknown),
            functions: critical.by_function.iter().map(CriticalFunction::from).collect(),
        }
    }
}
