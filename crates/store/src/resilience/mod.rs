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
pub mod retest;
pub mod test_case;
pub mod test_case_count;
pub mod timeline;

use crate::sql::{Statement, TableStatements};

/// The modules with statements.
pub(crate) fn registry() -> &'static [&'static [Statement]] {
    &[
        cra_report::STATEMENTS,
        drill_run::STATEMENTS,
        drill_run_log::STATEMENTS,
        due_days::STATEMENTS,
        finding::STATEMENTS,
        finding_count::STATEMENTS,
        finding_origin::STATEMENTS,
        incident::STATEMENTS,
        incident_log::STATEMENTS,
        programme::STATEMENTS,
        retest::STATEMENTS,
        test_case::STATEMENTS,
        test_case_count::STATEMENTS,
        timeline::STATEMENTS,
    ]
}

/// The kinds of records.
pub(crate) fn tables() -> [&'static TableStatements; 6] {
    [&cra_report::SQL, &drill_run::SQL, &finding::SQL, &incident::SQL, &programme::SQL, &test_case::SQL]
}
