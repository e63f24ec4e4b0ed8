//! The routes that many kinds of records have, and those of tasks, approvals and samples.

pub(crate) mod approval_policy;
pub(crate) mod approvals;
pub(crate) mod bulk;
pub(crate) mod comments;
pub(crate) mod correction;
pub(crate) mod custom_fields;
pub(crate) mod import;
pub(crate) mod samples;
pub(crate) mod tags;
pub(crate) mod tasks;
pub(crate) mod views;
