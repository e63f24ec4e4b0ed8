//! Testing and incidents.

pub mod cra_contents;
pub mod cra_report;
pub mod cve;
pub mod deadline;
pub mod drill_run;
pub mod due_days;
pub mod finding;
pub mod import;
pub mod incident;
pub mod programme;
pub mod retest;
pub mod test_case;
pub mod test_type;
