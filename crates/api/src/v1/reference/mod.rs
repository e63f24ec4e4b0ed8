//! The routes of reference data that is the same for every tenant.

pub(crate) mod compliance_status;
pub(crate) mod compliance_timeline;
pub(crate) mod dora;
pub(crate) mod exports;
