//! What every use case stands on: clock, ids, limits, vault, idempotency, uploads.

pub(crate) mod budget;
pub mod clock;
pub mod costly;
pub mod idempotency;
pub mod ids;
pub(crate) mod json;
pub mod limits;
pub mod patience;
pub mod quota;
pub(crate) mod scratch;
pub mod slots;
pub mod upload;
pub mod vault;
pub mod workbook;
pub mod works;
