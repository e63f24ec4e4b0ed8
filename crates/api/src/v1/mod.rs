//! API v1: a tenant's own records, with keys and writes.

mod cra_report;
mod delivery;
mod finding;
mod key;
mod programme;
mod router;
mod test_case;
mod threshold;
mod webhook;
mod wire;

pub(crate) use router::router;
