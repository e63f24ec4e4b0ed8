//! Nouns and rules of Tidewall, pure: no async, no I/O, no clock, no randomness.
//!
//! Time and ids are passed in, so every rule here can be tested with plain values. What touches a disk,
//! a socket or a clock lives to the right of this crate.

pub mod actor;
pub mod advisory;
pub mod api_key;
pub mod arrangement;
pub mod audit;
pub mod calendar;
pub mod change;
pub mod clock;
pub mod concentration;
pub mod country;
pub mod coverage;
pub mod cra_report;
pub mod currency;
pub mod cve;
pub mod deadline;
pub mod delivery;
pub mod event;
pub mod exact;
pub mod finding;
pub mod id;
pub mod import;
pub mod lei;
pub mod lockfile;
pub mod moment;
pub mod money;
pub mod page;
pub mod password;
pub mod permission;
pub mod programme;
pub mod rate;
pub mod reference;
pub mod register;
pub mod scan;
pub mod sort;
pub mod tenant;
pub mod term;
pub mod test_case;
pub mod test_type;
pub mod text;
pub mod threshold;
pub mod transition;
pub mod user;
pub mod version_range;
pub mod violation;
pub mod vocabulary;
mod walk;
pub mod webhook;
pub mod wording;
