//! Checks the host of a request, and the size of its headers.

use http::{HeaderMap, Request, Version, header::HOST};

/// Hosts that requests may name; empty means any.
#[derive(Clone, Debug, Default)]
pub struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    /// Names or addresses without a port.
    pub fn new(hosts: Vec<String>) -> Self {
        Self(hosts.into_iter().map(|host| host.to_ascii_lowercase()).collect())
    }

    /// Whether a request may be for this host, with or without a port.
    fn allow(&self, authority: &str) -> bool {
        let host = without_port(authority).to_ascii_lowercase();
        self.0.is_empty() || self.0.contains(&host)
    }
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !host.ends_with(':') => host,
        _ => authority,
    }
}

/// What is wrong with the host of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadHost {
    /// HTTP/1.1 requires exactly one.
    NotOne,
    NotOurs,
}

/// Checks the host of a request (RFC 9112, section 3.2).
pub(super) fn check<B>(request: &Request<B>, allowed: &AllowedHosts) -> Result<(), BadHost> {
    let named = request.headers().get_all(HOST);
    let mut named = named.iter();
    let (first, second) = (named.next(), named.next());
    if request.version() == Version::HTTP_11 && (first.is_none() || second.is_some()) {
        return Err(BadHost::NotOne);
    }
    let authority = match request.uri().authority() {
        Some(authority) => authority.as_str(),
        None => first.and_then(|host| host.to_str().ok()).unwrap_or_default(),
    };
    if allowed.allow(authority) { Ok(()) } else { Err(BadHost::NotOurs) }
}

/// The bytes of request line and headers, as HTTP/1.1 writes them.
pub(super) fn head_bytes<B>(request: &Request<B>) -> usize {
    let target = request.uri().path_and_query().map_or(1, |target| target.as_str().len());
    let line = request.method().as_str().len() + target + " HTTP/1.1\r\n".len() + 1;
    line + lines(request.headers()) + 2
}

fn lines(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_compared_without_port_and_case() {
        let allowed = AllowedHosts::new(vec!["Tidewall.Example.com".into(), "[::1]".into()]);
        for good in ["tidewall.example.com", "TIDEWALL.example.com:8080", "[::1]:8080", "[::1]"] {
            assert!(allowed.allow(good), "{good}");
        }
        for bad in ["", "evil.example", "tidewall.example.com.evil.example", "127.0.0.1:8080", "x:y"] {
            assert!(!allowed.allow(bad), "{bad}");
        }
        assert!(AllowedHosts::default().allow("anything"));
    }

    #[test]
    fn a_head_is_measured_as_it_was_sent() {
        let sent = "GET /a?b=c HTTP/1.1\r\nhost: x\r\naccept: */*\r\n\r\n";
        let request = Request::get("/a?b=c").header("host", "x").header("accept", "*/*").body(()).unwrap();
        assert_eq!(head_bytes(&request), sent.len());
    }
}
