//! Formats that more than one setting uses.

use std::net::IpAddr;

use app::timeline::feed::FeedSource;
use domain::tenant::Slug;
use ipnet::IpNet;
use outbound::identity::InternalHost;
use url::{Host, Url};

/// Whether the text is an address with one of these schemes and a host.
pub(super) fn has_scheme_and_host(text: &str, schemes: &[&str]) -> bool {
    Url::parse(text).is_ok_and(|url| {
        schemes.contains(&url.scheme()) && url.host_str().is_some_and(|host| !host.is_empty())
    })
}

/// An http or https origin: scheme, host and optionally a port. Returned without a slash at the end.
pub(super) fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let bare = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    (bare && matches!(url.scheme(), "http" | "https")).then(|| url.origin().ascii_serialization())
}

/// An origin on this machine, written with a literal loopback address.
pub(super) fn loopback_origin(text: &str) -> Option<String> {
    origin(text).filter(|_| is_loopback(text))
}

fn is_loopback(text: &str) -> bool {
    match Url::parse(text).as_ref().map(Url::host) {
        Ok(Some(Host::Ipv4(address))) => address.is_loopback(),
        Ok(Some(Host::Ipv6(address))) => address.is_loopback(),
        _ => false,
    }
}

/// A feed with its options. Plain http only where `outbound.dev_destinations` could allow it.
pub(super) fn feed(text: &str) -> Option<FeedSource> {
    FeedSource::parse(text).ok().filter(|feed| !feed.is_plain_http() || is_loopback(text))
}

/// A network, or a single address as a network of its own.
pub(super) fn network(text: &str) -> Option<IpNet> {
    text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

/// A name or address as in a `Host` header, without a port.
pub(super) fn host(text: &str) -> Option<String> {
    Host::parse(text).ok().map(|host| host.to_string())
}

/// A DNS name with at least one dot, in lower case; no scheme, port, path or literal address.
pub(super) fn host_name(text: &str) -> Option<String> {
    let Ok(Host::Domain(name)) = Host::parse(text) else { return None };
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    (name.contains('.') && name.len() <= 253 && name.split('.').all(label)).then_some(name)
}

/// `host`, `host:port`, either with `=` and the short name of an institution.
pub(super) fn internal_host(text: &str) -> Option<InternalHost> {
    let (place, tenant) = match text.split_once('=') {
        Some((place, tenant)) => (place, Some(tenant.trim().parse::<Slug>().ok()?.to_string())),
        None => (text, None),
    };
    let (host, port) = match place.trim().split_once(':') {
        Some((host, port)) => (host, Some(port.parse().ok().filter(|port| *port > 0)?)),
        None => (place.trim(), None),
    };
    Some(InternalHost { host: host_name(host)?, port, tenant })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port_only() {
        assert_eq!(origin("https://Tidewall.Example.com/").as_deref(), Some("https://tidewall.example.com"));
        assert_eq!(origin("http://127.0.0.1:8080").as_deref(), Some("http://127.0.0.1:8080"));
        for text in ["", "*", "example.com", "https://a.example/x", "https://me@a.example", "ftp://a.example"]
        {
            assert_eq!(origin(text), None, "{text}");
        }
    }

    #[test]
    fn only_literal_loopback_addresses_are_loopback_origins() {
        assert!(loopback_origin("http://127.0.0.1:9000").is_some());
        assert!(loopback_origin("http://[::1]:9000").is_some());
        for text in ["http://localhost:9000", "http://10.0.0.1", "http://127.0.0.1:9000/hook"] {
            assert_eq!(loopback_origin(text), None, "{text}");
        }
    }

    #[test]
    fn a_feed_is_https_or_a_file_or_on_this_machine() {
        for text in
            ["https://a.example/x.ics#category=review", "file:///srv/x.xml", "http://127.0.0.1:9000/x"]
        {
            assert!(feed(text).is_some(), "{text}");
        }
        for text in
            ["http://a.example/x.ics", "a.example/x.ics", "https://a.example/x#category=later", "x.ics"]
        {
            assert!(feed(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_network_may_be_one_address() {
        assert_eq!(network("10.0.0.0/8").map(|net| net.to_string()).as_deref(), Some("10.0.0.0/8"));
        assert_eq!(network("::1").map(|net| net.to_string()).as_deref(), Some("::1/128"));
        assert_eq!(network("10.0.0.0/33"), None);
    }

    #[test]
    fn a_host_has_no_port() {
        assert_eq!(host("Tidewall.example.com").as_deref(), Some("tidewall.example.com"));
        assert_eq!(host("[2001:db8::1]").as_deref(), Some("[2001:db8::1]"));
        for text in ["", "tidewall.example.com:8080", "https://tidewall.example.com", "a b"] {
            assert_eq!(host(text), None, "{text}");
        }
    }

    #[test]
    fn an_internal_host_names_its_port_and_its_institution() {
        let host = |port, tenant: Option<&str>| {
            let host = "login.bank.internal".to_owned();
            Some(InternalHost { host, port, tenant: tenant.map(str::to_owned) })
        };
        assert_eq!(internal_host("login.bank.internal"), host(None, None));
        assert_eq!(internal_host("Login.bank.internal = north-bank"), host(None, Some("north-bank")));
        assert_eq!(internal_host("login.bank.internal:8443=north"), host(Some(8443), Some("north")));
        for text in
            ["login.bank.internal=", "login.bank.internal=North!", "login.bank.internal:0", "a:b=c", "=n"]
        {
            assert_eq!(internal_host(text), None, "{text}");
        }
    }

    #[test]
    fn a_host_name_has_a_dot_and_nothing_around_it() {
        assert_eq!(host_name("Chat.Example.com").as_deref(), Some("chat.example.com"));
        for text in
            ["", "localhost", "https://chat.example.com", "chat.example.com:443", "10.0.0.1", "a..example"]
        {
            assert_eq!(host_name(text), None, "{text}");
        }
    }
}
