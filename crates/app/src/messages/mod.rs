//! Messages that leave the service: webhooks, mail, notices.

pub mod delivery;
pub mod inbox;
pub mod lead_time;
pub mod mail;
pub mod mail_address;
pub(crate) mod notice;
pub mod senders;
pub(crate) mod user_mail;
pub mod webhook;
