//! The listener against clients that behave badly, and against the world around the process.

mod capacity;
mod child;
pub(crate) mod client;
mod descriptors;
mod forwarded;
mod host;
mod http2;
mod listeners;
mod malformed;
mod server;
mod shutdown;
mod signals;
mod timeouts;
mod tls;
