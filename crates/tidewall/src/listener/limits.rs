//! The limits of every connection.

use std::time::Duration;

/// Timeouts and limits of a listener. The defaults file documents each.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How long a new connection may stay silent.
    pub first_byte: Duration,
    /// From the first byte of a request to the end of its headers, and for a TLS handshake.
    pub header: Duration,
    /// Longest pause inside a request body.
    pub body: Duration,
    /// From the first byte of a request to the last byte of its answer. Large bodies earn more time while they move.
    pub total: Duration,
    /// How long a connection may wait between two requests.
    pub idle: Duration,
    pub max_connections: u32,
    /// Requests processed at once, over all connections.
    pub max_in_flight: usize,
    /// Largest request line and headers together.
    pub max_header_bytes: u32,
    pub http2: bool,
}
