//! The listener against clients that behave badly, and under signals and limits of the system.

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
