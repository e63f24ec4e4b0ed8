//! What leaves the house: chat, mail and feed clients, and the rules about where they may go.
//!
//! Everything here is told the time, the settings and the message; it decides neither when to send nor
//! what is worth sending, and it keeps nothing. Queues, leases and the log of attempts live in `app`.

pub mod allowlist;
pub mod answer;
pub mod collector;
pub mod connector;
pub mod feed;
pub mod http;
pub mod mail;
pub mod message;
pub mod outcome;
pub mod public_address;
pub mod retry;
pub mod trust;
