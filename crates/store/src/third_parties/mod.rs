//! Rows of third parties and of the register.

pub mod analysis;
pub mod arrangement;
pub mod contract_notice;
pub mod exchange_rate;
pub mod issued_lei;
pub mod provider;
pub mod provider_clause;
pub mod provider_review;
pub mod register;
pub mod register_change;
pub mod register_filing;
pub mod review_link;
pub mod simulation;
pub mod threshold;
