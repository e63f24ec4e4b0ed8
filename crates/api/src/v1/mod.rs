//! API v1: a tenant's own records, with keys and writes.

mod delivery;
mod key;
mod router;
mod threshold;
mod webhook;
mod wire;

pub(crate) use router::router;
