//! An ICT arrangement: who provides which service for which functions, at what cost. It is the flat record
//! people keep and the analysis reads.
//!
//! The official register knows more (entities, groups, supply chains, assessments): that is `register`.

mod facts;
mod form;
mod service_type;

use std::{fmt, str::FromStr};

pub use facts::{Facts, Party, Place, SupplyStep};
pub use form::{ArrangementForm, CostForm, FunctionForm, Nullable, ProviderForm};
pub use service_type::{ServiceFamily, ServiceType, UnknownServiceType};

use crate::{
    country::Country,
    currency::Currency,
    id::ArrangementId,
    label::Label,
    lei::Lei,
    moment::Day,
    money::{MAX_AMOUNT, Money},
};

/// How many functions one arrangement may support.
pub const MAX_FUNCTIONS: usize = 500;

/// Who provides the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    pub name: Label,
    pub lei: Option<Lei>,
    /// Where the provider has its headquarters.
    pub country: Country,
    pub sector: Label,
}

/// A function of the bank that rests on the arrangement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportedFunction {
    pub name: Label,
    /// Critical or important in the sense of DORA Art. 3(22).
    pub critical: bool,
}

/// How hard it would be to replace the provider. The order is the order of the risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Substitutability {
    Easy,
    Medium,
    Hard,
    Impossible,
}

impl Substitutability {
    pub const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::Impossible];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Impossible => "impossible",
        }
    }

    /// The bank cannot leave in reasonable time: DORA Art. 29(1)(a).
    pub fn is_locked_in(self) -> bool {
        self >= Self::Hard
    }
}

impl fmt::Display for Substitutability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of easy, medium, hard, impossible")]
pub struct UnknownSubstitutability;

impl FromStr for Substitutability {
    type Err = UnknownSubstitutability;

    fn from_str(text: &str) -> Result<Self, UnknownSubstitutability> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownSubstitutability)
    }
}

/// What the arrangement costs a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnnualCost {
    /// Above zero.
    Own(Money),
    /// Nothing here, because the official register lets the expense of a framework and its orders stand at
    /// only one of them.
    Elsewhere(Currency),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadCost {
    #[error("must be above zero: enter an estimate when there is no invoice yet")]
    Zero,
    #[error("must not be negative: enter what the bank pays, not what it receives")]
    Negative,
    #[error("must be at most {MAX_AMOUNT} minor units")]
    TooLarge,
}

impl AnnualCost {
    pub fn own(money: Money) -> Result<Self, BadCost> {
        match money.amount {
            ..0 => Err(BadCost::Negative),
            0 => Err(BadCost::Zero),
            1..=MAX_AMOUNT => Ok(Self::Own(money)),
            _ => Err(BadCost::TooLarge),
        }
    }

    /// What was stored: zero can only have been stored for a cost that stands elsewhere.
    pub fn stored(money: Money) -> Result<Self, BadCost> {
        match Self::own(money) {
            Err(BadCost::Zero) => Ok(Self::Elsewhere(money.currency)),
            cost => cost,
        }
    }

    pub fn money(self) -> Money {
        match self {
            Self::Own(money) => money,
            Self::Elsewhere(currency) => Money { amount: 0, currency },
        }
    }
}

/// An arrangement about to be created, or the content of a kept one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrangementDraft {
    /// The bank's own number for the contract.
    pub reference: Label,
    pub provider: Provider,
    pub service: Label,
    pub service_type: ServiceType,
    pub technology: Label,
    pub region: Label,
    pub functions: Vec<SupportedFunction>,
    pub substitutability: Substitutability,
    pub annual_cost: AnnualCost,
    pub starts_on: Day,
    /// The last day; `None` runs until terminated.
    pub ends_on: Option<Day>,
}

impl ArrangementDraft {
    pub fn is_critical(&self) -> bool {
        self.functions.iter().any(|function| function.critical)
    }

    /// Running on that day, the first and the last day included.
    pub fn is_active(&self, day: Day) -> bool {
        self.starts_on <= day && self.ends_on.is_none_or(|last| day <= last)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrangement {
    pub id: ArrangementId,
    pub content: ArrangementDraft,
}
