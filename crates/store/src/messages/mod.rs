//! Rows of events and of what is sent.

pub mod announcement;
pub mod delivery;
pub mod delivery_log;
pub mod destination;
pub mod event;
pub mod lead_time;
pub mod letter;
pub mod outbox;
pub mod webhook;
