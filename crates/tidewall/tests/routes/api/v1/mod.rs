mod authentication;
mod concentration_risk;
mod conditional;
mod idempotency;
mod keys;
mod limits;
mod webhooks;
