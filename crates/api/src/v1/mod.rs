//! API v1: a tenant's own records, with keys and writes.

mod compliance;
mod export;
mod key;
mod measure;
mod router;
mod threshold;
mod timeline;
mod webhook;
mod wire;

pub(crate) use router::router;
