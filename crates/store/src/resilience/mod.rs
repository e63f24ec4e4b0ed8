//! Rows of testing and incidents.

pub mod cra_report;
pub mod drill_run;
pub mod drill_run_log;
pub mod due_days;
pub mod finding;
pub mod finding_age;
pub mod finding_count;
pub mod finding_origin;
pub mod incident;
pub mod incident_log;
pub mod programme;
pub mod test_case;
pub mod test_case_count;
pub mod timeline;
