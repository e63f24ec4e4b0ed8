//! The listener against clients that behave badly, and against the world around the process.

mod capacity;
mod child;
mod client;
mod descriptors;
mod forwarded;
mod http2;
mod malformed;
mod server;
mod shutdown;
mod signals;
mod timeouts;
mod tls;
