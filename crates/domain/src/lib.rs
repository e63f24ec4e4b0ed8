//! Nouns and rules of Tidewall, pure: no async, no I/O, no clock, no randomness.
//!
//! Time and ids are passed in, so every rule here can be tested with plain values. What touches a disk,
//! a socket or a clock lives to the right of this crate.

pub mod actor;
pub mod api_key;
pub mod arrangement;
pub mod audit;
pub mod concentration;
pub mod country;
pub mod currency;
pub mod event;
pub mod exact;
pub mod id;
pub mod label;
pub mod lei;
pub mod moment;
pub mod money;
pub mod page;
pub mod permission;
pub mod rate;
pub mod register;
pub mod tenant;
pub mod text;
pub mod threshold;
pub mod violation;
mod walk;
pub mod webhook;
