//! Caches, each with its bound, its key and what makes it stale.

pub mod pages;
pub(crate) mod record_cache;
