//! Rows of jobs, health, audit and measurements.

pub mod audit;
pub mod audit_key;
pub mod bundle;
pub mod healing;
pub mod health;
pub mod job;
pub mod period_report;
pub mod report_template;
pub mod route_count;
pub mod scan;
pub mod signal;

use crate::sql::Statement;

/// The modules with statements.
pub(crate) fn registry() -> &'static [&'static [Statement]] {
    &[
        audit::STATEMENTS,
        audit_key::STATEMENTS,
        bundle::STATEMENTS,
        healing::STATEMENTS,
        health::STATEMENTS,
        job::STATEMENTS,
        period_report::STATEMENTS,
        report_template::STATEMENTS,
        route_count::STATEMENTS,
        scan::STATEMENTS,
        signal::STATEMENTS,
    ]
}
