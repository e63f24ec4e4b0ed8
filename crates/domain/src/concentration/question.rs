//! What can be asked of a portfolio.

use std::{fmt, str::FromStr};

use crate::{
    lei::Lei,
    moment::Day,
    money::Rates,
    threshold::{Percent, Thresholds},
};

/// What an arrangement weighs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Basis {
    /// Its annual cost in minor units of the analysis's currency.
    #[default]
    AnnualCost,
    /// One.
    Arrangements,
    /// The number of critical functions it supports.
    CriticalFunctions,
}

impl Basis {
    pub const ALL: [Self; 3] = [Self::AnnualCost, Self::Arrangements, Self::CriticalFunctions];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::AnnualCost => "annual_cost",
            Self::Arrangements => "arrangements",
            Self::CriticalFunctions => "critical_functions",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of annual_cost, arrangements, critical_functions")]
pub struct UnknownBasis;

impl FromStr for Basis {
    type Err = UnknownBasis;

    fn from_str(text: &str) -> Result<Self, UnknownBasis> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownBasis)
    }
}

/// Which arrangements count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    #[default]
    All,
    /// Those that support at least one critical function.
    Critical,
}

impl Scope {
    pub const ALL: [Self; 2] = [Self::All, Self::Critical];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Critical => "critical",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of all, critical")]
pub struct UnknownScope;

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownScope)
    }
}

/// What the shares are divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dimension {
    Provider,
    Sector,
    Region,
    Technology,
}

impl Dimension {
    pub const ALL: [Self; 4] = [Self::Provider, Self::Sector, Self::Region, Self::Technology];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Sector => "sector",
            Self::Region => "region",
            Self::Technology => "technology",
        }
    }

    pub fn threshold(self, thresholds: &Thresholds) -> Percent {
        match self {
            Self::Provider => thresholds.provider,
            Self::Sector => thresholds.sector,
            Self::Region => thresholds.regional,
            Self::Technology => thresholds.technology,
        }
    }
}

macro_rules! printed {
    ($($name:ident)*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}
printed!(Basis Scope Dimension);

/// A provider the supervisors designated as critical (DORA Art. 31).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Designated<'a> {
    pub name: &'a str,
    pub lei: Option<Lei>,
}

/// One analysis to be made.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    pub basis: Basis,
    pub scope: Scope,
    pub as_of: Day,
    pub thresholds: Thresholds,
    /// The tenant's currency and the rates into it.
    pub rates: &'a Rates,
    pub designated: &'a [Designated<'a>],
}
