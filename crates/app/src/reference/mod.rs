//! The catalogue, search, and what both surfaces read from it.

pub mod catalogue;
pub mod search;
pub(crate) mod words;
