//! What stands around the handlers: the envelope of every request, and the key check of the keyed tiers; how
//! answers are packed, and which are remembered.

pub mod client;
pub mod envelope;
pub mod front;
pub mod keyed;
pub mod observe;
pub(crate) mod pack;
pub(crate) mod remember;
pub(crate) mod unknown;
