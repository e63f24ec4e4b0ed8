//! The routes of third parties: arrangements, providers, the register of information, concentration risk.

pub(crate) mod concentration_risk;
pub(crate) mod ict_arrangements;
pub(crate) mod providers;
pub(crate) mod register;
