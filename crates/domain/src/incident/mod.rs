//! Incidents: from facts that arrive one by one to a classification, due times and reports.
//!
//! One event may fall under several rule books. The facts are entered once; each regime reads from them what it asks
//! about. Nothing here stores or sends anything.

mod classification;
pub mod dora;
pub mod due;
pub mod facts;
pub mod holidays;
mod met;
pub mod nis2;
mod other_regimes;
mod range;
pub mod reason;
pub mod recurrence;
pub mod threat;
mod words;

pub use self::{
    classification::Classification,
    facts::{Costs, CraFacts, DoraFacts, Facts, GdprFacts, Nis2Facts, Times},
    met::Met,
    other_regimes::{PersonalDataBreach, ProductEvent},
    range::Range,
    reason::Reason,
    words::{
        CostKind, Criterion, DataLoss, Fact, Outcome, PersonalRisk, ProviderType, Regime, Reputation,
    },
};
