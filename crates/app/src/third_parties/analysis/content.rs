//! The stored content of an analysis: numbers already rounded for output, percentages as hundredths.
//!
//! The format is separate from the domain types, so that a result read years later is still the one that was
//! computed.

use std::collections::BTreeMap;

use domain::{
    arrangement::Substitutability,
    concentration::{
        Analysis, CommonNode, CriticalFunctions, DimensionResult, Entry, Exposure, FunctionStanding,
        PlaceShares, Share,
    },
    threshold::Thresholds,
};
use serde::{Deserialize, Serialize};

/// So many critical functions are kept one by one, the hardest to leave first.
const MOST_FUNCTIONS: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    pub providers: u32,
    /// In minor units of `currency` when the basis is a cost, else a count.
    pub total: u64,
    pub currency: Option<String>,
    pub thresholds: ThresholdsContent,
    pub next_review_on: String,
    /// Provider, sector, region, technology.
    pub dimensions: Vec<DimensionContent>,
    /// The provider dimension by ultimate parent.
    pub groups: DimensionContent,
    /// The number of breaches when providers are grouped by ultimate parent.
    pub breaches_by_group: u64,
    pub critical_functions: CriticalFunctionsContent,
    pub common_nodes: Vec<CommonNodeContent>,
    pub places: Vec<PlaceContent>,
    pub designated: DesignatedContent,
    /// The exchange rates of the register's currencies; empty if nothing was converted.
    #[serde(default)]
    pub rates: Vec<RateContent>,
}

/// An exchange rate an analysis was made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateContent {
    pub currency: String,
    pub rate: String,
    /// The day of a stored rate; `None` for one given in the request.
    pub valid_on: Option<String>,
}

/// The thresholds used by an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThresholdsContent {
    pub provider: u8,
    pub sector: u8,
    pub regional: u8,
    pub technology: u8,
    pub review_frequency_days: u16,
    pub enabled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DimensionContent {
    pub dimension: String,
    pub hhi: i64,
    pub threshold: u8,
    pub entries: Vec<EntryContent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryContent {
    pub name: String,
    pub lei: Option<String>,
    pub value: u64,
    pub share: i64,
    pub arrangements: u32,
    pub critical_functions: u32,
    pub critical_share: i64,
    pub breach: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriticalFunctionsContent {
    pub functions: u64,
    /// How many functions have it as the hardest level of any of their arrangements.
    pub by_substitutability: BTreeMap<String, u64>,
    pub locked_in: i64,
    pub with_exit_plan: i64,
    pub without_exit_plan: i64,
    pub exit_plan_unknown: i64,
    /// The hardest to leave first; none in analyses of before.
    #[serde(default)]
    pub by_function: Vec<FunctionContent>,
}

/// A critical function by its weakest arrangement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionContent {
    pub name: String,
    pub substitutability: String,
    pub exit_plan: Option<bool>,
    pub arrangements: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommonNodeContent {
    pub name: String,
    pub lei: Option<String>,
    pub behind: Vec<String>,
    pub arrangements: u32,
    pub critical_functions: u32,
    pub critical_share: i64,
    pub also_direct: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceContent {
    pub place: String,
    pub eea: i64,
    pub third_country: i64,
    pub unknown: i64,
    pub third_country_critical: i64,
    pub countries: Vec<CountryContent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountryContent {
    pub country: String,
    pub share: i64,
    pub arrangements: u32,
    pub critical_functions: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DesignatedContent {
    pub share: i64,
    pub critical_direct: i64,
    pub critical_with_chain: i64,
    pub providers: Vec<String>,
}

fn hundredths(share: Share) -> i64 {
    share.percent().get()
}

impl Content {
    pub(super) fn of(analysis: &Analysis, rates: Vec<RateContent>) -> Self {
        let own = analysis.breaches.iter();
        let others = own.filter(|breach| breach.dimension != domain::concentration::Dimension::Provider);
        Self {
            providers: analysis.providers,
            total: analysis.total,
            currency: analysis.currency.map(|currency| currency.to_string()),
            thresholds: analysis.thresholds.into(),
            next_review_on: analysis.next_review_on.to_string(),
            dimensions: analysis.dimensions.iter().map(DimensionContent::from).collect(),
            groups: DimensionContent::from(&analysis.groups),
            breaches_by_group: (others.count() + analysis.group_breaches.len()) as u64,
            critical_functions: CriticalFunctionsContent {
                by_function: analysis
                    .by_function
                    .iter()
                    .take(MOST_FUNCTIONS)
                    .map(FunctionContent::from)
                    .collect(),
                ..CriticalFunctionsContent::from(&analysis.critical_functions)
            },
            common_nodes: analysis.common_nodes.iter().map(CommonNodeContent::from).collect(),
            places: analysis.places.iter().map(PlaceContent::from).collect(),
            designated: (&analysis.designated).into(),
            rates,
        }
    }
}

impl From<Thresholds> for ThresholdsContent {
    fn from(thresholds: Thresholds) -> Self {
        Self {
            provider: thresholds.provider.get(),
            sector: thresholds.sector.get(),
            regional: thresholds.regional.get(),
            technology: thresholds.technology.get(),
            review_frequency_days: thresholds.review_frequency.get(),
            enabled: thresholds.enabled,
        }
    }
}

impl From<&DimensionResult> for DimensionContent {
    fn from(result: &DimensionResult) -> Self {
        Self {
            dimension: result.dimension.as_str().to_owned(),
            hhi: result.hhi.value().get(),
            threshold: result.threshold.get(),
            entries: result.entries.iter().map(EntryContent::from).collect(),
        }
    }
}

impl From<&Entry> for EntryContent {
    fn from(entry: &Entry) -> Self {
        Self {
            name: entry.name.to_string(),
            lei: entry.lei.map(|lei| lei.to_string()),
            value: entry.share.part,
            share: hundredths(entry.share),
            arrangements: entry.arrangements,
            critical_functions: entry.critical_functions,
            critical_share: hundredths(entry.critical_share),
            breach: entry.breach,
        }
    }
}

impl From<&CriticalFunctions> for CriticalFunctionsContent {
    fn from(critical: &CriticalFunctions) -> Self {
        let count = |each: Substitutability| critical.substitutability(each).part;
        let all = Substitutability::ALL.iter().copied();
        Self {
            functions: critical.functions,
            by_substitutability: all.map(|each| (each.as_str().to_owned(), count(each))).collect(),
            locked_in: hundredths(critical.locked_in),
            with_exit_plan: hundredths(critical.with_exit_plan),
            without_exit_plan: hundredths(critical.without_exit_plan),
            exit_plan_unknown: hundredths(critical.exit_plan_unknown),
            by_function: Vec::new(),
        }
    }
}

impl From<&FunctionStanding> for FunctionContent {
    fn from(standing: &FunctionStanding) -> Self {
        Self {
            name: standing.name.to_string(),
            substitutability: standing.substitutability.as_str().to_owned(),
            exit_plan: standing.exit_plan,
            arrangements: standing.arrangements,
        }
    }
}

impl From<&CommonNode> for CommonNodeContent {
    fn from(node: &CommonNode) -> Self {
        Self {
            name: node.name.to_string(),
            lei: node.lei.map(|lei| lei.to_string()),
            behind: node.behind.iter().map(ToString::to_string).collect(),
            arrangements: node.arrangements,
            critical_functions: node.critical_functions,
            critical_share: hundredths(node.critical_share),
            also_direct: node.also_direct,
        }
    }
}

impl From<&PlaceShares> for PlaceContent {
    fn from(shares: &PlaceShares) -> Self {
        let countries = shares.countries.iter().map(|country| CountryContent {
            country: country.country.to_string(),
            share: hundredths(country.share),
            arrangements: country.arrangements,
            critical_functions: country.critical_functions,
        });
        Self {
            place: shares.place.as_str().to_owned(),
            eea: hundredths(shares.eea),
            third_country: hundredths(shares.third_country),
            unknown: hundredths(shares.unknown),
            third_country_critical: hundredths(shares.third_country_critical),
            countries: countries.collect(),
        }
    }
}

impl From<&Exposure> for DesignatedContent {
    fn from(exposure: &Exposure) -> Self {
        Self {
            share: hundredths(exposure.share),
            critical_direct: hundredths(exposure.critical_direct),
            critical_with_chain: hundredths(exposure.critical_with_chain),
            providers: exposure.providers.iter().map(ToString::to_string).collect(),
        }
    }
}
