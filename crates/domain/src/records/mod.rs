//! What all kinds of records share: changes, states, violations, lists, tasks.

pub mod approval;
pub mod approval_policy;
pub mod archive;
pub mod audit_note;
pub mod bulk;
pub mod change;
pub mod comment;
pub mod correction;
pub mod custom_field;
pub mod exchange;
pub mod field;
pub mod noun;
pub mod page;
pub mod sample;
pub mod service_note;
pub mod tag;
pub mod task;
pub mod transition;
pub mod view;
pub mod violation;
pub mod vocabulary;
