//! What the service does by itself, with every thing broken first that it is said to put right.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

extern crate tidewall_app as app;

mod alerts;
mod heal;
mod health;
mod jobs;
mod lead_times;
mod scores;
