//! Testing and incidents: programmes, test cases, findings, incidents, drill runs, CRA reports.

pub mod cra_report;
pub mod drill_run;
pub mod due_days;
pub mod finding;
pub mod incident;
pub mod programme;
pub mod test_case;
pub mod tested_control;
pub mod timeline;
