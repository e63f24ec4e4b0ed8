//! The middleware around the handlers: the request context, the key check of the keyed routes, compression, and the
//! cache of responses.

pub(crate) mod answer_cache;
pub mod cached_answer;
pub mod client;
pub(crate) mod compression;
pub mod keyed;
pub mod observe;
pub mod request_context;
pub(crate) mod unknown;
mod write_only;
