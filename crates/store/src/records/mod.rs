//! What all kinds of records share: the statements of a kind, versions, documents for search, history, tasks.

pub mod approval;
pub mod correction;
pub mod document;
pub mod history;
pub mod open_work;
pub mod record;
pub mod task;
pub mod version;

use crate::sql::{Statement, TableStatements};

/// The modules with statements.
pub(crate) fn registry() -> &'static [&'static [Statement]] {
    &[
        approval::STATEMENTS,
        correction::STATEMENTS,
        document::STATEMENTS,
        history::STATEMENTS,
        task::STATEMENTS,
        version::STATEMENTS,
    ]
}

/// The kinds of records.
pub(crate) fn tables() -> [&'static TableStatements; 2] {
    [&approval::SQL, &task::SQL]
}
