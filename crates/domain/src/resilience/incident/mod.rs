//! Incidents: from facts that arrive one by one to a classification, due times and reports.
//!
//! One event may fall under several regimes. The facts are entered once; each regime uses those it needs. Nothing
//! here stores or sends anything.

mod classification;
mod classify_input;
mod client_points;
mod complaint;
pub mod contents;
mod correct;
pub mod dora;
pub mod due;
pub mod facts;
mod facts_input;
mod filed_input;
pub mod holidays;
pub mod import;
mod input;
pub mod log;
mod met;
pub mod nis2;
mod other_regimes;
mod product_points;
mod range;
pub mod reason;
mod record;
pub mod recurrence;
pub mod report;
pub mod threat;
mod threat_notice;
mod words;

#[cfg(test)]
mod confidence_tests;

pub use self::{
    classification::Classification,
    classify_input::ClassifyInput,
    complaint::IncidentComplaint,
    facts::{Awareness, Costs, CraFacts, DoraFacts, Facts, GdprFacts, Nis2Facts, Times},
    facts_input::MAX_COUNT,
    filed_input::FiledInput,
    input::{IncidentInput, TimeField},
    met::Met,
    other_regimes::{PersonalDataBreach, ProductEvent},
    product_points::{CraEvent, cra_points},
    range::Range,
    reason::Reason,
    record::{Decision, FiledReport, Incident, IncidentId, IncidentSort, IncidentStatus},
    words::{CostKind, Criterion, DataLoss, Fact, Outcome, PersonalRisk, ProviderType, Regime, Reputation},
};
