//! What leaves the house: chat, mail, feed and identity clients, and the rules about where they may go.
//!
//! Every function gets the time, the settings and the message from its caller; the crate decides neither when nor
//! what to send, and stores nothing. Queues, leases and the log of attempts are in `app`.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")
)]

pub mod allowlist;
pub mod answer;
pub mod bucket;
pub mod clamd;
pub mod collector;
pub mod connector;
pub mod feed;
pub mod http;
pub mod identity;
pub mod mail;
pub mod message;
pub mod operator;
pub mod outcome;
pub mod public_address;
pub mod retry;
pub mod signed_event;
pub mod time_stamp;
pub mod trust;
