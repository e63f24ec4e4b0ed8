//! Fetches feeds: one GET through the guarded connector, bounded in time and size.
//!
//! The address may contain a token, so no error repeats it. The content of a feed is parsed elsewhere.

#[cfg(test)]
mod tests;

use reqwest::{Response, header::ACCEPT};
use url::Url;

use crate::{
    connector::{Connector, ConnectorError},
    http::chain,
};

/// The accepted media types, the most specific first.
const ACCEPTED: &str = "text/calendar, application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1";

/// Why a feed could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    #[error("the address is not one that may be fetched: it must be https and name a host")]
    NotAllowed,
    #[error("the server answered {0}: redirects are not followed, so set the address it leads to")]
    Redirected(u16),
    #[error("the server answered {0}")]
    Refused(u16),
    #[error("the feed is larger than {0} bytes")]
    TooLarge(usize),
    #[error("{0}")]
    Failed(String),
}

/// Fetches over https from public addresses only.
#[derive(Debug)]
pub struct FeedClient {
    client: reqwest::Client,
    connector: Connector,
}

impl FeedClient {
    pub fn new(connector: Connector) -> Result<Self, ConnectorError> {
        Ok(Self { client: connector.client()?, connector })
    }

    /// The whole body, if it is a success and at most `most_bytes` long.
    pub async fn fetch(&self, url: &Url, most_bytes: usize) -> Result<Vec<u8>, FetchError> {
        if !self.connector.permits(url) {
            return Err(FetchError::NotAllowed);
        }
        let request = self.client.get(url.clone()).header(ACCEPT, ACCEPTED);
        let response = request.send().await.map_err(failed)?;
        match response.status().as_u16() {
            200 => body(response, most_bytes).await,
            status @ 300..400 => Err(FetchError::Redirected(status)),
            status => Err(FetchError::Refused(status)),
        }
    }
}

/// Checks the declared length first, then counts the bytes.
async fn body(mut response: Response, most_bytes: usize) -> Result<Vec<u8>, FetchError> {
    let too_large = || FetchError::TooLarge(most_bytes);
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

fn failed(error: reqwest::Error) -> FetchError {
    FetchError::Failed(chain(&error.without_url()))
}
