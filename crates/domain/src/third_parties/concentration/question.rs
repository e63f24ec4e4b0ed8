//! The options of an analysis.

use crate::{
    lei::Lei,
    moment::Day,
    money::Rates,
    threshold::{Percent, Thresholds},
    vocabulary::vocabulary,
};

vocabulary! {
    /// The weight of an arrangement.
    #[derive(Default)]
    Basis {
        /// Its annual cost in minor units of the analysis's currency.
        #[default]
        AnnualCost = "annual_cost" ("Annual cost", "Jährliche Kosten"),
        /// One.
        Arrangements = "arrangements" ("Arrangements", "Vereinbarungen"),
        /// The number of critical functions it supports.
        CriticalFunctions = "critical_functions" ("Critical functions", "Kritische Funktionen"),
    }
}

vocabulary! {
    /// Which arrangements count.
    #[derive(Default)]
    Scope {
        #[default]
        All = "all" ("All arrangements", "Alle Vereinbarungen"),
        /// Those that support at least one critical function.
        Critical = "critical" ("With critical functions", "Mit kritischen Funktionen"),
    }
}

vocabulary! {
    /// What the shares are divided by.
    Dimension {
        Provider = "provider" ("Provider", "Dienstleister"),
        Sector = "sector" ("Sector", "Branche"),
        Region = "region" ("Region", "Region"),
        Technology = "technology" ("Technology", "Technologie"),
    }
}

impl Dimension {
    pub fn threshold(self, thresholds: &Thresholds) -> Percent {
        match self {
            Self::Provider => thresholds.provider,
            Self::Sector => thresholds.sector,
            Self::Region => thresholds.regional,
            Self::Technology => thresholds.technology,
        }
    }
}

/// A provider the supervisors designated as critical (DORA Art. 31).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Designated<'a> {
    pub name: &'a str,
    pub lei: Option<Lei>,
}

/// One analysis to be computed.
#[derive(Debug, Clone, Copy)]
pub struct AnalysisInput<'a> {
    pub basis: Basis,
    pub scope: Scope,
    pub as_of: Day,
    pub thresholds: Thresholds,
    /// The tenant's currency and the rates into it.
    pub rates: &'a Rates,
    pub designated: &'a [Designated<'a>],
}
