//! What leaves the house: chat, mail and feed clients, and the rules about where they may go.
//!
//! Everything here is told the time, the settings and the message; it decides neither when to send nor
//! what is worth sending, and it keeps nothing. Queues, leases and the log of attempts live in `app`.

pub mod allowlist;
pub mod public_address;
