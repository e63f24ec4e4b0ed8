mod authentication;
mod concentration_risk;
mod conditional;
mod ict_arrangements;
mod idempotency;
mod keys;
mod limits;
mod webhooks;
