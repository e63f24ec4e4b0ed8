//! The routes of running the service and of what it produces: audit log, bundles, reports.

pub(crate) mod audit;
pub(crate) mod bundles;
pub(crate) mod report_templates;
pub(crate) mod reports;
pub(crate) mod vulnerability_scan;
