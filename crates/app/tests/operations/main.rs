//! Background work of the service; everything it repairs is broken first.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

extern crate tidewall_app as app;

mod alerts;
mod audit_heads;
mod audit_keys;
mod heal;
mod health;
mod jobs;
mod lead_times;
mod scores;
