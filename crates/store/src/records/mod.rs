//! What all kinds of records share: the statements of a kind, versions, documents for search, history, tasks.

pub mod approval;
pub mod approved_document;
pub mod audit_note;
pub mod comment;
pub mod correction;
pub mod custom_field;
pub mod document;
pub mod exchange;
pub mod history;
pub mod open_work;
pub mod record;
pub mod sample;
pub mod tag;
pub mod task;
pub mod version;
pub mod view;
pub mod watch;

use crate::sql::{Statement, TableStatements};

/// The modules with statements.
pub(crate) fn registry() -> &'static [&'static [Statement]] {
    &[
        approval::STATEMENTS,
        approved_document::STATEMENTS,
        audit_note::STATEMENTS,
        comment::STATEMENTS,
        correction::STATEMENTS,
        custom_field::STATEMENTS,
        document::STATEMENTS,
        exchange::STATEMENTS,
        history::STATEMENTS,
        sample::STATEMENTS,
        tag::STATEMENTS,
        open_work::STATEMENTS,
        task::STATEMENTS,
        version::STATEMENTS,
        view::STATEMENTS,
        watch::STATEMENTS,
    ]
}

/// The kinds of records.
pub(crate) fn tables() -> [&'static TableStatements; 2] {
    [&approval::SQL, &task::SQL]
}
