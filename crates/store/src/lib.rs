//! Every SQL statement of Tidewall, on SQLite and PostgreSQL behind one seam.
//!
//! A noun's file holds its statements and the functions that run them: plain synchronous Rust over a
//! [`Reader`] or a [`Tx`]. Where that code runs is decided in [`sql`], the only place that names an engine.
//! Tenant-scoped functions take a [`TenantScope`]; there is no way around it.

pub mod api_key;
pub mod audit;
pub mod delivery;
pub mod delivery_log;
pub mod destination;
pub mod idempotency;
pub mod outbox;
pub mod scope;
pub mod signal;
pub mod sql;
pub mod tenant;
pub mod threshold;
pub mod webhook;

pub use scope::TenantScope;
pub use sql::{Db, Error, Reader, Result, Revision, Tx};

/// Every module with statements, for the tests that prepare and explain them all.
pub const REGISTRY: &[&[sql::Statement]] = &[
    api_key::STATEMENTS,
    audit::STATEMENTS,
    delivery::STATEMENTS,
    delivery_log::STATEMENTS,
    destination::STATEMENTS,
    idempotency::STATEMENTS,
    outbox::STATEMENTS,
    signal::STATEMENTS,
    sql::STATEMENTS,
    tenant::STATEMENTS,
    threshold::STATEMENTS,
    webhook::STATEMENTS,
];
