//! Every SQL statement of Tidewall, for SQLite and PostgreSQL behind one interface.
//!
//! The file of a record kind holds its statements and the functions that run them: plain synchronous Rust over a
//! [`Reader`] or a [`Tx`]. [`sql`] decides where that code runs and is the only module that names an engine.
//! Tenant-scoped functions require a [`TenantScope`].

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")
)]

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

/// The statements of every module, for the tests that prepare and explain them all.
pub fn registry() -> impl Iterator<Item = &'static sql::Statement> {
    let own: &[&[sql::Statement]] = &[
        idempotency::STATEMENTS,
        sql::STATEMENTS,
        sql::DOCUMENT_STATEMENTS,
        sql::stream::STATEMENTS,
        time::STATEMENTS,
        work::STATEMENTS,
    ];
    let all = [
        compliance::registry(),
        messages::registry(),
        operations::registry(),
        people::registry(),
        records::registry(),
        resilience::registry(),
        third_parties::registry(),
        own,
    ];
    let composed =
        work::every().chain(work::noticed::every()).chain(open_work::every()).chain(announcement::every());
    all.into_iter().flatten().copied().flatten().chain(composed)
}

/// Every list, for the tests that prepare and explain each of its variants.
pub const LISTS: &[&[&sql::List]] = &[
    analysis::LISTS,
    api_key::LISTS,
    bundle::LISTS,
    comment::LISTS,
    delivery_log::LISTS,
    event_hook::LISTS,
    period_report::LISTS,
    person::LISTS,
    register::LISTS,
    sample::LISTS,
    simulation::LISTS,
    webhook::LISTS,
];

/// The statements and lists of every kind of record, for the same tests.
pub fn tables() -> impl Iterator<Item = &'static sql::TableStatements> {
    compliance::tables()
        .into_iter()
        .chain(records::tables())
        .chain(resilience::tables())
        .chain(third_parties::tables())
}
