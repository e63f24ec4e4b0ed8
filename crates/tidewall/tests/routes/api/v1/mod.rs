mod authentication;
mod concentration_risk;
mod conditional;
pub(in crate::routes) mod ict_arrangements;
mod idempotency;
mod keys;
mod limits;
mod webhooks;
