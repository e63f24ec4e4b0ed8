//! The records and rules of Tidewall, pure: no async, no I/O, no clock, no randomness.
//!
//! Time and ids are passed in, so every rule can be tested with plain values. Code that uses a disk, a socket or a
//! clock is in the crates that depend on this one.

mod compliance;
pub mod id;
mod messages;
mod operations;
mod people;
mod records;
mod resilience;
mod third_parties;
mod values;

pub use self::compliance::*;
pub use self::messages::*;
pub use self::operations::*;
pub use self::people::*;
pub use self::records::*;
pub use self::resilience::*;
pub use self::third_parties::*;
pub use self::values::*;
