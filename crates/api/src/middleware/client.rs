//! The client's address, as determined by the listener.

use std::net::{IpAddr, Ipv4Addr};

/// Attached to every request by the listener, which knows the trusted proxies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddr(pub IpAddr);

impl ClientAddr {
    /// Requests that did not come through a listener (tests) count as one client.
    pub(crate) fn of(extensions: &http::Extensions) -> IpAddr {
        extensions.get::<Self>().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |client| client.0)
    }
}
