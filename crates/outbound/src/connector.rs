//! An SSRF-safe HTTP connector: the only client for external servers, with a guard on every connection.
//!
//! A name is resolved once per connection; every address must be public; exactly the checked ones are dialled. So a
//! second, different DNS answer cannot slip in between check and use. A resolver is never asked about literal
//! addresses, which is why [`Connector::permits`] refuses those before a request is made. Redirects and proxies from
//! the environment would bypass the guard and are off.

use std::{
    fmt, io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use reqwest::{
    dns::{Addrs, Name, Resolve, Resolving},
    redirect,
};
use url::{Host, Url};

use crate::{public_address::is_public, trust::Trust};

/// A pending lookup of a host's addresses.
pub type LookingUp = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// Looks up the addresses of a name. Port 0 means the port of the URL.
pub trait Lookup: Send + Sync {
    fn lookup(&self, host: &str) -> LookingUp;
}

/// The resolver of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, host: &str) -> LookingUp {
        let host = host.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.collect()) })
    }
}

/// A name that resolves to an address which is not public. The address is not reported: it would describe our
/// network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the host resolves to an address that is not public")]
pub struct NotPublic;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the host has no address")]
struct NoAddress;

/// Why the client could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum ConnectorError {
    #[error("the TLS settings are unusable: {0}")]
    Tls(#[from] rustls::Error),
    #[error("the HTTP client cannot be set up: {0}")]
    Client(#[source] reqwest::Error),
}

/// The timeouts of a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// DNS lookup, connection and TLS handshake.
    pub connect: Duration,
    /// Everything, to the last byte of the response that is read.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), total: Duration::from_secs(15) }
    }
}

/// What the client is built from.
pub struct Connector {
    pub trust: Trust,
    pub lookup: Arc<dyn Lookup>,
    pub timeouts: Timeouts,
    /// Exact loopback origins that may be reached in development, from the allowlist.
    pub dev_destinations: Vec<String>,
    /// Names that the operator says stand in the operator's own network, so that private addresses are right for them.
    pub internal_hosts: Vec<String>,
    pub(crate) accepts: fn(IpAddr) -> bool,
}

impl Connector {
    pub fn new(trust: Trust, dev_destinations: &[String]) -> Self {
        Self {
            trust,
            lookup: Arc::new(SystemLookup),
            timeouts: Timeouts::default(),
            dev_destinations: dev_destinations.to_vec(),
            internal_hosts: Vec::new(),
            accepts: is_public,
        }
    }

    /// Whether a request to `url` may be made at all: named hosts over TLS, and the development origins.
    pub fn permits(&self, url: &Url) -> bool {
        match url.host() {
            Some(Host::Domain(_)) => url.scheme() == "https",
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => {
                self.dev_destinations.contains(&url.origin().ascii_serialization())
            }
            None => false,
        }
    }

    /// The client. Create one and share it: its connections are reused.
    pub fn client(&self) -> Result<reqwest::Client, ConnectorError> {
        let mut tls = self.trust.client_config()?;
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .https_only(self.dev_destinations.is_empty())
            .dns_resolver(GuardedResolver {
                lookup: Arc::clone(&self.lookup),
                accepts: self.accepts,
                internal_hosts: self.internal_hosts.clone(),
            })
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .connect_timeout(self.timeouts.connect)
            .timeout(self.timeouts.total)
            .pool_max_idle_per_host(64)
            .user_agent(concat!("Tidewall/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| ConnectorError::Client(error.without_url()))
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector")
            .field("timeouts", &self.timeouts)
            .field("dev_destinations", &self.dev_destinations)
            .finish_non_exhaustive()
    }
}

/// Passes on the result of the lookup only if every address is acceptable: a name that mixes public and private
/// addresses is an attack or a mistake, and the result should not depend on the order of answers.
struct GuardedResolver {
    lookup: Arc<dyn Lookup>,
    accepts: fn(IpAddr) -> bool,
    internal_hosts: Vec<String>,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let looking_up = self.lookup.lookup(name.as_str());
        let internal = self.internal_hosts.iter().any(|host| host.eq_ignore_ascii_case(name.as_str()));
        let accepts: fn(IpAddr) -> bool = if internal { |_| true } else { self.accepts };
        Box::pin(async move {
            let addresses = looking_up.await?;
            if addresses.is_empty() {
                return Err(NoAddress.into());
            }
            if !addresses.iter().all(|address| accepts(address.ip())) {
                return Err(NotPublic.into());
            }
            let checked: Addrs = Box::new(addresses.into_iter());
            Ok(checked)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_addresses_are_turned_away_before_anything_is_sent() {
        let connector = Connector::new(Trust::default(), &["http://127.0.0.1:9000".to_owned()]);
        let permits = |text: &str| connector.permits(&Url::parse(text).unwrap());
        for good in ["https://hooks.slack.com/services/x", "http://127.0.0.1:9000/x"] {
            assert!(permits(good), "{good}");
        }
        for bad in [
            "https://127.0.0.1:9000/x",
            "http://127.0.0.1:9001/x",
            "https://2130706433/x",
            "https://[::1]/x",
            "https://[::ffff:8.8.8.8]/x",
            "https://8.8.8.8/x",
            "http://hooks.slack.com/x",
            "mailto:a@bank.example",
        ] {
            assert!(!permits(bad), "{bad}");
        }
    }

    #[test]
    fn the_client_can_be_built_without_any_certificate_authority() {
        assert!(Connector::new(Trust::default(), &[]).client().is_ok());
    }
}
