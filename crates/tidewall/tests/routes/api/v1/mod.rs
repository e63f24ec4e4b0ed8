mod authentication;
mod compliance_status;
mod compliance_timeline;
mod concentration_risk;
mod conditional;
mod dora_measures;
mod exports;
mod findings;
mod idempotency;
mod keys;
mod limits;
mod moves;
mod programmes;
mod seed;
mod test_cases;
mod webhooks;

pub(super) use exports::copy_catalogue;
