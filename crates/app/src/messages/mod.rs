//! Messages that leave the service: webhooks, mail, notices.

pub mod delivery;
pub mod event_hook;
pub(crate) mod hook_secret;
pub mod inbox;
pub mod lead_time;
pub mod link_mail;
pub mod mail_address;
pub(crate) mod notice;
pub mod record_event;
pub mod senders;
pub(crate) mod user_mail;
pub mod webhook;
