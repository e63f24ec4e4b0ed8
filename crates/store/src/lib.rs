//! Every SQL statement of Tidewall, on SQLite and PostgreSQL behind one seam.
//!
//! A noun's file holds its statements and the functions that run them: plain synchronous Rust over a
//! [`Reader`] or a [`Tx`]. Where that code runs is decided in [`sql`], the only place that names an engine.
//! Tenant-scoped functions take a [`TenantScope`]; there is no way around it.

pub mod analysis;
pub mod announcement;
pub mod api_key;
pub mod arrangement;
pub mod audit;
pub mod cra_report;
pub mod delivery;
pub mod delivery_log;
pub mod destination;
pub mod document;
pub mod due_days;
pub mod event;
pub mod exchange_rate;
pub mod finding;
pub mod finding_age;
pub mod finding_count;
pub mod finding_origin;
pub mod healing;
pub mod health;
pub mod history;
pub mod idempotency;
pub mod incident;
pub mod job;
pub mod known_device;
pub mod lead_time;
pub mod letter;
pub mod one_time_link;
pub mod open_work;
pub mod outbox;
pub mod programme;
pub mod record;
pub mod refused_sign_in;
pub mod register;
pub mod register_change;
pub mod route_count;
pub mod scan;
pub mod scope;
pub mod score;
pub mod score_day;
pub mod session;
pub mod shared_count;
pub mod signal;
pub mod simulation;
pub mod sql;
pub mod tenant;
pub mod test_case;
pub mod test_case_count;
pub mod threshold;
pub mod time;
pub mod timeline;
pub mod user;
pub mod vault;
pub mod version;
pub mod webhook;

pub use scope::TenantScope;
pub use sql::{Db, Error, Reader, Result, Revision, Tx};

/// Every module with statements, for the tests that prepare and explain them all.
pub const REGISTRY: &[&[sql::Statement]] = &[
    analysis::STATEMENTS,
    announcement::STATEMENTS,
    api_key::STATEMENTS,
    arrangement::STATEMENTS,
    audit::STATEMENTS,
    cra_report::STATEMENTS,
    delivery::STATEMENTS,
    delivery_log::STATEMENTS,
    destination::STATEMENTS,
    document::STATEMENTS,
    due_days::STATEMENTS,
    event::STATEMENTS,
    exchange_rate::STATEMENTS,
    finding::STATEMENTS,
    finding_count::STATEMENTS,
    finding_origin::STATEMENTS,
    healing::STATEMENTS,
    health::STATEMENTS,
    history::STATEMENTS,
    idempotency::STATEMENTS,
    incident::STATEMENTS,
    job::STATEMENTS,
    known_device::STATEMENTS,
    lead_time::STATEMENTS,
    letter::STATEMENTS,
    one_time_link::STATEMENTS,
    open_work::STATEMENTS,
    outbox::STATEMENTS,
    programme::STATEMENTS,
    refused_sign_in::STATEMENTS,
    register::STATEMENTS,
    register_change::STATEMENTS,
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
];

/// Every list, for the tests that prepare and explain each of its variants.
pub const LISTS: &[&[&sql::List]] = &[
    analysis::LISTS,
    api_key::LISTS,
    arrangement::LISTS,
    cra_report::LISTS,
    delivery_log::LISTS,
    finding::LISTS,
    register::LISTS,
    simulation::LISTS,
    webhook::LISTS,
];

/// The statements and lists of every kind of record, for the same tests.
pub fn tables() -> [&'static sql::TableStatements; 3] {
    [&incident::SQL, &programme::SQL, &test_case::SQL]
}
