//! The receivers of security events besides the log.

use std::fmt;

use url::{Host, Url};

use super::{ConfigError, Reader, SecretUrl, forms};

#[derive(Clone, Debug)]
pub struct SecuritySettings {
    /// A syslog server, by name or address, and its port.
    pub syslog: Option<(String, u16)>,
    pub https: Option<SecretUrl>,
    /// The `Authorization` header for the HTTPS receiver.
    pub authorization: Option<Secret>,
    /// The maximum disk space of waiting events.
    pub spool_bytes: u64,
}

/// A text whose `Debug` output hides it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    pub(super) fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl SecuritySettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        let settings = Self {
            syslog: reader.parsed_if_set(
                "security.syslog",
                "write the name and port of a syslog server that speaks TLS, such as \"siem.example.com:6514\"",
                host_and_port,
            )?,
            https: reader.secret_url(
                "security.https",
                "write an https address, such as \"https://siem.example.com/events\"",
                is_receiver,
            )?,
            authorization: reader.optional("security.authorization")?.map(Secret::new),
            spool_bytes: reader.number("security.spool_bytes", 1 << 20..=1 << 40)?,
        };
        if settings.authorization.as_ref().is_some_and(|text| !is_header(text.expose())) {
            let remedy = "write one line of plain characters, such as \"Bearer …\"";
            return Err(reader.bad("security.authorization", "cannot be sent as a header", remedy));
        }
        if settings.authorization.is_some() && settings.https.is_none() {
            let remedy = "set security.https as well, or leave both empty";
            return Err(reader.bad(
                "security.authorization",
                "is set although security.https is not",
                remedy,
            ));
        }
        Ok(settings)
    }

    /// Whether events are forwarded.
    pub fn forwards(&self) -> bool {
        self.syslog.is_some() || self.https.is_some()
    }
}

pub(super) fn is_header(text: &str) -> bool {
    text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}

fn host_and_port(text: &str) -> Option<(String, u16)> {
    let url = Url::parse(&format!("syslog://{text}")).ok()?;
    let bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.username().is_empty();
    let host = match url.host()? {
        Host::Domain(name) => name.to_owned(),
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => address.to_string(),
    };
    Some((host, url.port()?)).filter(|_| bare)
}

/// Plain http only on this machine, for tests.
fn is_receiver(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    let origin = url.origin().ascii_serialization();
    forms::has_scheme_and_host(text, &["https"]) || forms::loopback_origin(&origin).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_syslog_server_has_a_name_and_a_port() {
        assert_eq!(host_and_port("siem.example.com:6514"), Some(("siem.example.com".into(), 6514)));
        assert_eq!(host_and_port("[2001:db8::1]:6514"), Some(("2001:db8::1".into(), 6514)));
        for text in ["", "siem.example.com", "siem.example.com:6514/x", "me@siem.example.com:1", "a:99999"] {
            assert_eq!(host_and_port(text), None, "{text}");
        }
    }

    #[test]
    fn a_receiver_is_reached_over_tls_or_on_this_machine() {
        for text in ["https://siem.example.com/in", "https://10.0.0.5:8088/x", "http://127.0.0.1:9000/in"] {
            assert!(is_receiver(text), "{text}");
        }
        for text in
            ["http://siem.example.com/in", "http://localhost/in", "siem.example.com", "ftp://a.example"]
        {
            assert!(!is_receiver(text), "{text}");
        }
    }
}
