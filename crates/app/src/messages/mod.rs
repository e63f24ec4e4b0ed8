//! Messages that leave the service: webhooks, mail, notices.

pub mod delivery;
pub mod lead_time;
pub(crate) mod letter;
pub mod mail;
pub(crate) mod notice;
pub mod senders;
pub mod webhook;
