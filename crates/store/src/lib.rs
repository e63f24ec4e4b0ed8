//! Every SQL statement of Tidewall, for SQLite and PostgreSQL behind one interface.
//!
//! The file of a record kind holds its statements and the functions that run them: plain synchronous Rust over a
//! [`Reader`] or a [`Tx`]. [`sql`] decides where that code runs and is the only module that names an engine.
//! Tenant-scoped functions require a [`TenantScope`].

mod compliance;
pub mod idempotency;
mod messages;
mod operations;
mod people;
mod records;
mod resilience;
pub mod scope;
pub mod shared_count;
pub mod sql;
mod third_parties;
pub mod time;
pub mod work;

pub use self::compliance::*;
pub use self::messages::*;
pub use self::operations::*;
pub use self::people::*;
pub use self::records::*;
pub use self::resilience::*;
pub use self::third_parties::*;

pub use scope::TenantScope;
pub use sql::{Db, Error, Reader, Result, Revision, Tx};

/// Every module with statements, for the tests that prepare and explain them all.
pub const REGISTRY: &[&[sql::Statement]] = &[
    analysis::STATEMENTS,
    announcement::STATEMENTS,
    api_key::STATEMENTS,
    arrangement::STATEMENTS,
    assessment::STATEMENTS,
    audit::STATEMENTS,
    audit_key::STATEMENTS,
    contract_notice::STATEMENTS,
    control::STATEMENTS,
    cra_report::STATEMENTS,
    delivery::STATEMENTS,
    delivery_log::STATEMENTS,
    destination::STATEMENTS,
    directory_account::STATEMENTS,
    document::STATEMENTS,
    drill_run::STATEMENTS,
    drill_run_log::STATEMENTS,
    due_days::STATEMENTS,
    event::STATEMENTS,
    evidence::STATEMENTS,
    evidence_file::STATEMENTS,
    evidence_link::STATEMENTS,
    exchange_rate::STATEMENTS,
    finding::STATEMENTS,
    finding_count::STATEMENTS,
    finding_origin::STATEMENTS,
    function::STATEMENTS,
    healing::STATEMENTS,
    health::STATEMENTS,
    history::STATEMENTS,
    idempotency::STATEMENTS,
    identity_provider::STATEMENTS,
    incident::STATEMENTS,
    issued_lei::STATEMENTS,
    incident_log::STATEMENTS,
    job::STATEMENTS,
    known_device::STATEMENTS,
    lead_time::STATEMENTS,
    letter::STATEMENTS,
    measure_use::STATEMENTS,
    one_time_link::STATEMENTS,
    open_work::STATEMENTS,
    outbox::STATEMENTS,
    own_framework::STATEMENTS,
    passkey::STATEMENTS,
    profile::STATEMENTS,
    programme::STATEMENTS,
    provider::STATEMENTS,
    provider_clause::STATEMENTS,
    provider_review::STATEMENTS,
    refused_sign_in::STATEMENTS,
    register::STATEMENTS,
    register_change::STATEMENTS,
    register_filing::STATEMENTS,
    review_link::STATEMENTS,
    risk::STATEMENTS,
    risk_appetite::STATEMENTS,
    route_count::STATEMENTS,
    scan::STATEMENTS,
    score::STATEMENTS,
    score_day::STATEMENTS,
    session::STATEMENTS,
    signal::STATEMENTS,
    simulation::STATEMENTS,
    sql::STATEMENTS,
    sql::DOCUMENT_STATEMENTS,
    tenant::STATEMENTS,
    test_case::STATEMENTS,
    test_case_count::STATEMENTS,
    threshold::STATEMENTS,
    time::STATEMENTS,
    timeline::STATEMENTS,
    user::STATEMENTS,
    version::STATEMENTS,
    vault::STATEMENTS,
    webhook::STATEMENTS,
    work::STATEMENTS,
];

/// Every list, for the tests that prepare and explain each of its variants.
pub const LISTS: &[&[&sql::List]] = &[
    analysis::LISTS,
    api_key::LISTS,
    delivery_log::LISTS,
    register::LISTS,
    simulation::LISTS,
    webhook::LISTS,
];

/// The statements and lists of every kind of record, for the same tests.
pub fn tables() -> [&'static sql::TableStatements; 16] {
    [
        &arrangement::SQL,
        &control::SQL,
        &cra_report::SQL,
        &drill_run::SQL,
        &evidence::SQL,
        &finding::SQL,
        &function::SQL,
        &incident::SQL,
        &own_framework::SQL,
        &programme::SQL,
        &provider::SQL,
        &provider_review::SQL,
        &register_filing::SQL,
        &risk::SQL,
        &task::SQL,
        &test_case::SQL,
    ]
}
