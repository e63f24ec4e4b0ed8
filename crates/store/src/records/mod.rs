//! What all kinds of records share: the statements of a kind, versions, documents for search, history, tasks.

pub mod document;
pub mod history;
pub mod open_work;
pub mod record;
pub mod task;
pub mod version;
