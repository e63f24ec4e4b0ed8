//! Third parties: arrangements, providers, the register of information, concentration risk.

pub mod analysis;
pub mod arrangement;
pub mod exchange_rate;
pub mod provider;
pub mod register;
pub mod threshold;
