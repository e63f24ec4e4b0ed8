//! Speaks to the identity providers of tenants: small JSON answers through the guarded connector, bounded in time and
//! size.
//!
//! A tenant names its provider, so the connector's rules hold: TLS, public addresses, no redirects. What the answers
//! mean and whether they are believed is decided elsewhere. No error repeats an address, because it may carry a code.

use std::{fmt, time::Duration};

use reqwest::{
    Response,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use url::{Url, form_urlencoded};

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
    #[error("the host stands in a private network: the operator lists it in outbound.identity_providers")]
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

/// Calls providers.
#[derive(Debug)]
pub struct IdentityClient {
    client: reqwest::Client,
    connector: Connector,
}

impl IdentityClient {
    pub fn new(mut connector: Connector) -> Result<Self, ConnectorError> {
        connector.timeouts.total = connector.timeouts.total.min(PATIENCE);
        Ok(Self { client: connector.client()?, connector })
    }

    /// Whether a call to this address would be made at all.
    pub fn permits(&self, url: &Url) -> bool {
        self.connector.permits(url)
    }

    /// The whole body of a successful answer, with the token of a person where one is needed.
    pub async fn get(&self, url: &Url, token: Option<&str>, most_bytes: usize) -> Result<Vec<u8>, CallError> {
        if !self.permits(url) {
            return Err(CallError::NotAllowed);
        }
        let mut request = self.client.get(url.clone()).header(ACCEPT, json());
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
        let mut request =
            self.client.post(url.clone()).header(ACCEPT, json()).header(CONTENT_TYPE, kind).body(form);
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
        for (listed, expected) in
            [(vec![], CallError::NotPublic), (vec!["other.example"], CallError::NotPublic)]
        {
            assert_eq!(call(&listener, &listed).await, expected);
        }
        assert_eq!(listener.connections(), 0);
        assert!(matches!(call(&listener, &["login.bank.example"]).await, CallError::Failed(_)));
        assert_ne!(listener.connections(), 0);
    }

    async fn call(listener: &Listener, listed: &[&str]) -> CallError {
        let mut connector = Connector::new(Trust::default(), &[]);
        connector.lookup = Arc::new(Here(listener.address));
        connector.internal_hosts = listed.iter().map(|host| (*host).to_owned()).collect();
        let client = IdentityClient::new(connector).unwrap();
        let port = listener.address.port();
        let url = Url::parse(&format!("https://Login.bank.example:{port}/keys")).unwrap();
        client.get(&url, None, 1_000).await.unwrap_err()
    }

    #[tokio::test]
    async fn a_name_and_a_secret_are_encoded_like_fields() {
        let answer = "HTTP/1.1 400 Bad\r\ncontent-length: 2\r\n\r\n{}";
        let listener = Listener::start("127.0.0.1", Manner::Answer(answer.to_owned())).await;
        let client = IdentityClient::new(Connector::new(Trust::default(), &[listener.origin()])).unwrap();
        let url = Url::parse(&format!("{}/token", listener.origin())).unwrap();
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
