//! The client's address: the peer itself or, behind a configured proxy, the address that the proxy reports.
//!
//! Any client can send `X-Forwarded-For`, so it is read from the right, where trusted proxies append, and only as far
//! as they reach. Entries further left are the client's own claim and are ignored.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The trusted proxies.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Arc<[IpNet]>);

impl TrustedProxies {
    pub fn new(networks: impl Into<Arc<[IpNet]>>) -> Self {
        Self(networks.into())
    }

    /// The client of a request that came from `peer` with these headers, as far as it can be trusted.
    pub fn client(&self, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
        let mut nearest = peer.ip().to_canonical();
        if !self.trusts(nearest) {
            return nearest;
        }
        for hop in hops_from_the_right(headers) {
            // An invalid entry cannot be trusted: the proxy that sent it is the last known address.
            let Some(address) = hop.and_then(parse_hop) else { return nearest };
            nearest = address;
            if !self.trusts(nearest) {
                return nearest;
            }
        }
        nearest
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// The entries of all `X-Forwarded-For` lines, last one first; `None` for a line that is not text.
fn hops_from_the_right(headers: &HeaderMap) -> impl Iterator<Item = Option<&str>> {
    let lines = headers.get_all(X_FORWARDED_FOR).iter().collect::<Vec<_>>();
    lines.into_iter().rev().flat_map(|line| match line.to_str() {
        Ok(text) => text.rsplit(',').map(Some).collect::<Vec<_>>(),
        Err(_) => vec![None],
    })
}

/// An address as proxies write it: bare, in brackets, or with a port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let bare = || hop.parse::<IpAddr>().ok();
    let bracketed = || hop.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || hop.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare().or_else(bracketed).or_else(with_port).map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &[&str], peer: &str, lines: &[&[u8]]) -> String {
        let networks: Vec<IpNet> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, http::HeaderValue::from_bytes(line).unwrap());
        }
        let peer = SocketAddr::new(peer.parse().unwrap(), 50_000);
        TrustedProxies::new(networks).client(peer, &headers).to_string()
    }

    const INNER: &[&str] = &["10.0.0.0/8", "::1/128"];

    #[test]
    fn nobody_else_is_believed() {
        assert_eq!(client(&[], "203.0.113.9", &[b"198.51.100.1"]), "203.0.113.9");
        assert_eq!(client(INNER, "203.0.113.9", &[b"198.51.100.1"]), "203.0.113.9");
    }

    #[test]
    fn the_rightmost_untrusted_address_is_the_client() {
        assert_eq!(client(INNER, "10.0.0.1", &[b"198.51.100.1"]), "198.51.100.1");
        assert_eq!(client(INNER, "10.0.0.1", &[b"1.1.1.1, 198.51.100.1, 10.0.0.2"]), "198.51.100.1");
        assert_eq!(client(INNER, "10.0.0.1", &[b"1.1.1.1", b"198.51.100.1", b"10.0.0.2"]), "198.51.100.1");
    }

    #[test]
    fn a_chain_of_proxies_only_gives_the_furthest() {
        assert_eq!(client(INNER, "10.0.0.1", &[b"10.0.0.3, 10.0.0.2"]), "10.0.0.3");
        assert_eq!(client(INNER, "10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn what_cannot_be_read_ends_the_chain() {
        assert_eq!(client(INNER, "10.0.0.1", &[b"198.51.100.1, unknown"]), "10.0.0.1");
        assert_eq!(client(INNER, "10.0.0.1", &[b"198.51.100.1, , 10.0.0.2"]), "10.0.0.2");
        assert_eq!(client(INNER, "10.0.0.1", &[b"198.51.100.1, \xff"]), "10.0.0.1");
    }

    #[test]
    fn every_notation_means_the_same_address() {
        for written in ["198.51.100.1:4711", "::ffff:198.51.100.1", "[::ffff:198.51.100.1]:4711"] {
            assert_eq!(client(INNER, "::ffff:10.0.0.1", &[written.as_bytes()]), "198.51.100.1", "{written}");
        }
        assert_eq!(client(INNER, "::1", &[b"[2001:db8::7]"]), "2001:db8::7");
    }
}
