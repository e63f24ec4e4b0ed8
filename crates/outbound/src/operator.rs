//! Calls a server that the operator chose, such as the collector of telemetry. It may stand in the operator's own
//! network, even on the same machine and without TLS, so neither private addresses nor plain http are refused here.

use std::{fmt, time::Duration};

use bytes::{Bytes, BytesMut};
use reqwest::{
    Client, Request,
    header::{AUTHORIZATION, HeaderValue},
};
use url::Url;

use crate::{
    connector::{Connector, ConnectorError},
    http::chain,
    trust::Trust,
};

/// The longest response that is read. The largest ones, time stamps with certificates, have some thousand bytes.
const LONGEST: usize = 64 * 1024;

pub struct OperatorClient {
    client: Client,
    authorization: Option<HeaderValue>,
}

impl fmt::Debug for OperatorClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorClient(…)")
    }
}

impl OperatorClient {
    /// `authorization` is the header's value, such as `Bearer …`.
    pub fn new(
        url: &Url,
        authorization: Option<&str>,
        trust: Trust,
        patience: Duration,
    ) -> Result<Self, ConnectorError> {
        let plain = (url.scheme() == "http").then(|| url.origin().ascii_serialization());
        let mut connector = Connector::new(trust, plain.as_slice());
        connector.accepts = |_| true;
        connector.timeouts.total = patience;
        connector.timeouts.connect = patience;
        let authorization =
            authorization.and_then(|text| HeaderValue::from_str(text).ok()).map(|mut value| {
                value.set_sensitive(true);
                value
            });
        Ok(Self { client: connector.client()?, authorization })
    }

    /// Sends a request; the error says why there was no response, without the address.
    pub async fn send(&self, request: http::Request<Bytes>) -> Result<http::Response<Bytes>, String> {
        let mut request = Request::try_from(request).map_err(|error| error.to_string())?;
        if let Some(authorization) = &self.authorization {
            request.headers_mut().insert(AUTHORIZATION, authorization.clone());
        }
        let mut response = self.client.execute(request).await.map_err(|error| chain(&error.without_url()))?;
        let mut answer = http::Response::builder().status(response.status());
        if let Some(headers) = answer.headers_mut() {
            *headers = response.headers().clone();
        }
        let mut body = BytesMut::new();
        while let Some(part) = response.chunk().await.map_err(|error| chain(&error.without_url()))? {
            if body.len() + part.len() > LONGEST {
                return Err("the response is too long".to_owned());
            }
            body.extend_from_slice(&part);
        }
        answer.body(body.freeze()).map_err(|error| error.to_string())
    }
}
