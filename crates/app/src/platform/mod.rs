//! What every use case stands on: clock, ids, limits, vault, idempotency, uploads.

pub mod clock;
pub mod idempotency;
pub mod ids;
pub mod limits;
pub mod slots;
pub mod upload;
pub mod vault;
pub mod vault_key;
pub mod work;
pub mod workbook;
