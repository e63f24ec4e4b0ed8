//! Speaks to the identity providers of tenants: small JSON answers through the guarded connector, bounded in time and
//! size.
//!
//! A tenant names its provider, so the connector's rules hold: TLS, public addresses, no redirects. A host in the
//! operator's own network is called only for the tenant it is listed for, and only as the host and port of that tenant's
//! issuer. What the answers mean and whether they are believed is decided elsewhere. No error repeats an address, because
//! it may carry a code.

use std::{fmt, time::Duration};

use reqwest::{
    Response,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use url::{Origin, Url, form_urlencoded};

use crate::{
    connector::{Connector, ConnectorError, NotPublic},
    http::{caused_by, chain},
};

/// For one call: a person waits for it, and several follow each other.
const PATIENCE: Duration = Duration::from_secs(8);

/// Why a call came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    #[error("the address must be https and name a host")]
    NotAllowed,
    #[error(
        "the host stands in a private network: the operator lists it for this institution in outbound.identity_providers"
    )]
    NotPublic,
    #[error("the server answered {0}: redirects are not followed")]
    Redirected(u16),
    #[error("the server answered {0}")]
    Refused(u16),
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
    #[error("{0}")]
    Failed(String),
}

/// What the token endpoint answered; a refusal has a body as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub is_success: bool,
    pub body: Vec<u8>,
}

/// A user name and a password for one call.
#[derive(Clone, Copy)]
pub struct Credentials<'c> {
    pub name: &'c str,
    pub secret: &'c str,
}

impl fmt::Debug for Credentials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}

/// A host in the operator's own network that the provider of a tenant may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InternalHost {
    pub host: String,
    /// `None`: any.
    pub port: Option<u16>,
    /// The short name of the tenant. `None`: the only tenant, as long as there is no other.
    pub tenant: Option<String>,
}

impl InternalHost {
    fn serves(&self, url: &Url, tenant: Calling<'_>) -> bool {
        let own = match &self.tenant {
            Some(named) => named == tenant.slug,
            None => tenant.alone,
        };
        let host = url.host_str().is_some_and(|host| host.eq_ignore_ascii_case(&self.host));
        own && host && self.port.is_none_or(|port| url.port_or_known_default() == Some(port))
    }
}

/// The tenant that calls.
#[derive(Debug, Clone, Copy)]
pub struct Calling<'c> {
    pub slug: &'c str,
    /// Whether it is the only one.
    pub alone: bool,
}

/// Calls providers.
#[derive(Debug)]
pub struct IdentityClient {
    /// Calls public addresses only.
    public: reqwest::Client,
    /// Calls listed hosts at any address.
    internal: reqwest::Client,
    connector: Connector,
    hosts: Vec<InternalHost>,
}

impl IdentityClient {
    pub fn new(mut connector: Connector, hosts: Vec<InternalHost>) -> Result<Self, ConnectorError> {
        connector.timeouts.total = connector.timeouts.total.min(PATIENCE);
        connector.internal_hosts = Vec::new();
        let public = connector.client()?;
        connector.internal_hosts = hosts.iter().map(|host| host.host.clone()).collect();
        Ok(Self { public, internal: connector.client()?, connector, hosts })
    }

    /// Calls for one tenant, whose provider this is.
    pub fn calling<'c>(&'c self, issuer: &Url, tenant: Calling<'_>) -> ProviderClient<'c> {
        let internal = self.hosts.iter().any(|host| host.serves(issuer, tenant));
        ProviderClient { client: self, internal: internal.then(|| issuer.origin()) }
    }
}

/// Calls the provider of one tenant.
#[derive(Debug)]
pub struct ProviderClient<'c> {
    client: &'c IdentityClient,
    /// The origin that may have a private address.
    internal: Option<Origin>,
}

impl ProviderClient<'_> {
    /// Whether a call to this address would be made at all.
    pub fn permits(&self, url: &Url) -> bool {
        self.client.connector.permits(url)
    }

    fn client_for(&self, url: &Url) -> &reqwest::Client {
        if self.internal.as_ref() == Some(&url.origin()) {
            &self.client.internal
        } else {
            &self.client.public
        }
    }

    /// The whole body of a successful answer, with the token of a person where one is needed.
    pub async fn get(&self, url: &Url, token: Option<&str>, most_bytes: usize) -> Result<Vec<u8>, CallError> {
        if !self.permits(url) {
            return Err(CallError::NotAllowed);
        }
        let mut request = self.client_for(url).get(url.clone()).header(ACCEPT, json());
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.map_err(failed)?;
        match response.status().as_u16() {
            200 => body(response, most_bytes).await,
            status @ 300..400 => Err(CallError::Redirected(status)),
            status => Err(CallError::Refused(status)),
        }
    }

    /// Posts a form. Refusals (400, 401) are answers, because their body says why.
    pub async fn post(
        &self,
        url: &Url,
        fields: &[(&str, &str)],
        credentials: Option<Credentials<'_>>,
        most_bytes: usize,
    ) -> Result<Reply, CallError> {
        if !self.permits(url) {
            return Err(CallError::NotAllowed);
        }
        let form: String = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        let mut request = self
            .client_for(url)
            .post(url.clone())
            .header(ACCEPT, json())
            .header(CONTENT_TYPE, kind)
            .body(form);
        if let Some(Credentials { name, secret }) = credentials {
            // RFC 6749, section 2.3.1: both are encoded like fields of a form first.
            request = request.basic_auth(encoded(name), Some(encoded(secret)));
        }
        let response = request.send().await.map_err(failed)?;
        match response.status().as_u16() {
            200 => Ok(Reply { is_success: true, body: body(response, most_bytes).await? }),
            400 | 401 => Ok(Reply { is_success: false, body: body(response, most_bytes).await? }),
            status @ 300..400 => Err(CallError::Redirected(status)),
            status => Err(CallError::Refused(status)),
        }
    }
}

fn json() -> HeaderValue {
    HeaderValue::from_static("application/json")
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// A declared length is believed when it is too large, and otherwise counted.
async fn body(mut response: Response, most_bytes: usize) -> Result<Vec<u8>, CallError> {
    let too_large = || CallError::TooLarge(most_bytes);
    if response.content_length().is_some_and(|length| length > most_bytes as u64) {
        return Err(too_large());
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if body.len() + chunk.len() > most_bytes {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn failed(error: reqwest::Error) -> CallError {
    let error = error.without_url();
    if caused_by::<NotPublic>(&error) { CallError::NotPublic } else { CallError::Failed(chain(&error)) }
}

#[cfg(test)]
mod tests {
    use std::{net::SocketAddr, sync::Arc};

    use super::*;
    use crate::{
        connector::{LookingUp, Lookup},
        http::listener::{Listener, Manner},
        trust::Trust,
    };

    /// Every name leads to this machine.
    struct Here(SocketAddr);

    impl Lookup for Here {
        fn lookup(&self, _: &str) -> LookingUp {
            let found = vec![self.0];
            Box::pin(async move { Ok(found) })
        }
    }

    #[tokio::test]
    async fn a_private_address_is_called_only_where_the_operator_lists_the_host() {
        let listener = Listener::start("127.0.0.1", Manner::Reset).await;
        let (port, login) = (listener.address.port(), "login.bank.example");
        let other_port = Some(port.wrapping_add(1));
        for (host, port, tenant, alone) in [
            ("other.example", None, None, true),
            (login, None, None, false),
            (login, None, Some("south"), true),
            (login, other_port, Some("north"), true),
        ] {
            let listed = InternalHost { host: host.into(), port, tenant: tenant.map(str::to_owned) };
            assert_eq!(
                call(&listener, vec![listed.clone()], alone).await,
                CallError::NotPublic,
                "{listed:?}"
            );
        }
        assert_eq!(call(&listener, Vec::new(), true).await, CallError::NotPublic);
        assert_eq!(listener.connections(), 0);
        for (port, tenant, alone) in [(None, None, true), (Some(port), Some("north".into()), false)] {
            let listed = InternalHost { host: login.into(), port, tenant };
            let before = listener.connections();
            assert!(matches!(call(&listener, vec![listed], alone).await, CallError::Failed(_)));
            assert_ne!(listener.connections(), before);
        }
    }

    /// Calls the provider of the tenant north.
    async fn call(listener: &Listener, listed: Vec<InternalHost>, alone: bool) -> CallError {
        let client = client(listener, listed);
        let url = keys(listener.address.port());
        let north = Calling { slug: "north", alone };
        client.calling(&url, north).get(&url, None, 1_000).await.unwrap_err()
    }

    fn client(listener: &Listener, listed: Vec<InternalHost>) -> IdentityClient {
        let mut connector = Connector::new(Trust::default(), &[]);
        connector.lookup = Arc::new(Here(listener.address));
        IdentityClient::new(connector, listed).unwrap()
    }

    fn keys(port: u16) -> Url {
        Url::parse(&format!("https://Login.bank.example:{port}/keys")).unwrap()
    }

    #[tokio::test]
    async fn an_internal_host_is_no_token_or_key_address_of_another_issuer_or_port() {
        let listener = Listener::start("127.0.0.1", Manner::Reset).await;
        let listed =
            InternalHost { host: "login.bank.example".into(), port: None, tenant: Some("north".into()) };
        let client = client(&listener, vec![listed]);
        let (port, north) = (listener.address.port(), Calling { slug: "north", alone: false });
        let elsewhere = Url::parse("https://login.other.example/").unwrap();
        for issuer in [elsewhere, keys(port.wrapping_add(1))] {
            let called = client.calling(&issuer, north).get(&keys(port), None, 1_000).await;
            assert_eq!(called, Err(CallError::NotPublic), "{issuer}");
        }
        assert_eq!(listener.connections(), 0);
    }

    #[tokio::test]
    async fn a_name_and_a_secret_are_encoded_like_fields() {
        let answer = "HTTP/1.1 400 Bad\r\ncontent-length: 2\r\n\r\n{}";
        let listener = Listener::start("127.0.0.1", Manner::Answer(answer.to_owned())).await;
        let connector = Connector::new(Trust::default(), &[listener.origin()]);
        let client = IdentityClient::new(connector, Vec::new()).unwrap();
        let url = Url::parse(&format!("{}/token", listener.origin())).unwrap();
        let client = client.calling(&url, Calling { slug: "north", alone: true });
        let credentials = Credentials { name: "a:b", secret: "c d" };
        let fields = [("code", "x&y=z"), ("grant_type", "authorization_code")];
        let reply = client.post(&url, &fields, Some(credentials), 100).await.unwrap();
        assert_eq!(reply, Reply { is_success: false, body: b"{}".to_vec() });
        let request = listener.requests().remove(0);
        assert!(request.ends_with("\r\n\r\ncode=x%26y%3Dz&grant_type=authorization_code"), "{request}");
        assert!(request.contains("Basic YSUzQWI6Yytk\r\n"), "{request}");
        for elsewhere in ["http://login.bank.example/token", "https://127.0.0.1/token"] {
            let url = Url::parse(elsewhere).unwrap();
            assert_eq!(client.post(&url, &fields, None, 100).await, Err(CallError::NotAllowed));
        }
    }
}
