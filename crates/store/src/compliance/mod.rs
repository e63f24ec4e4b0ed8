//! Rows of own compliance.

pub mod assessment;
pub mod control;
pub mod evidence;
pub mod evidence_file;
pub mod evidence_link;
pub mod evidence_request;
pub mod function;
pub mod measure_use;
pub mod own_framework;
pub mod profile;
pub mod proof_link;
pub mod risk;
pub mod risk_appetite;
pub mod score;
pub mod score_day;
pub mod training;

use crate::sql::{Statement, TableStatements};

/// The modules with statements.
pub(crate) fn registry() -> &'static [&'static [Statement]] {
    &[
        assessment::STATEMENTS,
        control::STATEMENTS,
        evidence::STATEMENTS,
        evidence_file::STATEMENTS,
        evidence_link::STATEMENTS,
        evidence_request::STATEMENTS,
        function::STATEMENTS,
        measure_use::STATEMENTS,
        own_framework::STATEMENTS,
        profile::STATEMENTS,
        proof_link::STATEMENTS,
        risk::STATEMENTS,
        risk_appetite::STATEMENTS,
        score::STATEMENTS,
        score_day::STATEMENTS,
        training::STATEMENTS,
    ]
}

/// The kinds of records.
pub(crate) fn tables() -> [&'static TableStatements; 7] {
    [
        &control::SQL,
        &evidence::SQL,
        &evidence_request::SQL,
        &function::SQL,
        &own_framework::SQL,
        &risk::SQL,
        &training::SQL,
    ]
}
