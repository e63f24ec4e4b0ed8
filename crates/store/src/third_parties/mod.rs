//! Rows of third parties and of the register.

pub mod analysis;
pub mod arrangement;
pub mod contract_notice;
pub mod exchange_rate;
pub mod issued_lei;
pub mod provider;
pub mod provider_clause;
pub mod provider_link;
pub mod provider_review;
pub mod register;
pub mod register_change;
pub mod register_filing;
pub mod review_link;
pub mod simulation;
pub mod threshold;

use crate::sql::{Statement, TableStatements};

/// The modules with statements.
pub(crate) fn registry() -> &'static [&'static [Statement]] {
    &[
        analysis::STATEMENTS,
        arrangement::STATEMENTS,
        contract_notice::STATEMENTS,
        exchange_rate::STATEMENTS,
        issued_lei::STATEMENTS,
        provider::STATEMENTS,
        provider_clause::STATEMENTS,
        provider_link::STATEMENTS,
        provider_review::STATEMENTS,
        register::STATEMENTS,
        register_change::STATEMENTS,
        register_filing::STATEMENTS,
        review_link::STATEMENTS,
        simulation::STATEMENTS,
        threshold::STATEMENTS,
    ]
}

/// The kinds of records.
pub(crate) fn tables() -> [&'static TableStatements; 4] {
    [&arrangement::SQL, &provider::SQL, &provider_review::SQL, &register_filing::SQL]
}
