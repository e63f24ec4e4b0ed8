//! Rows of events and of what is sent.

pub mod announcement;
pub mod delivery;
pub mod delivery_log;
pub mod destination;
pub mod event;
pub mod event_hook;
pub mod hook;
pub mod inbox;
pub mod lead_time;
pub mod mail_address;
pub mod outbox;
pub mod record_event;
pub mod user_mail;
pub mod webhook;

use crate::sql::Statement;

/// The modules with statements.
pub(crate) fn registry() -> &'static [&'static [Statement]] {
    &[
        announcement::STATEMENTS,
        delivery::STATEMENTS,
        delivery_log::STATEMENTS,
        destination::STATEMENTS,
        event::STATEMENTS,
        event_hook::STATEMENTS,
        inbox::STATEMENTS,
        lead_time::STATEMENTS,
        mail_address::STATEMENTS,
        user_mail::STATEMENTS,
        outbox::STATEMENTS,
        record_event::STATEMENTS,
        webhook::STATEMENTS,
    ]
}
