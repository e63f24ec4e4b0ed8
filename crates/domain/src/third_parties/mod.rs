//! Third parties, the register of information and concentration risk.

pub mod arrangement;
pub mod concentration;
pub mod lei;
pub mod provider;
pub mod register;
pub mod register_filing;
pub(crate) mod supply_chain;
pub mod threshold;
