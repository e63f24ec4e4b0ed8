//! Events and the messages made of them.

pub mod delivery;
pub mod destination;
pub mod event;
pub mod event_hook;
pub mod ical;
pub mod inbox;
pub mod lead_time;
pub mod mail_domain;
pub mod record_event;
pub mod webhook;
