//! Posts a message to a chat destination and returns the outcome.
//!
//! The URL is a secret: it is checked against the allowlist once more and sent to the destination only. No error and
//! no detail repeats it.

#[cfg(test)]
mod inside;
#[cfg(test)]
pub(crate) mod listener;
#[cfg(test)]
mod tests;

use std::{error::Error, io};

use domain::{
    moment::Moment,
    webhook::{Channel, Destination},
};
use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER},
};
use url::Url;

use crate::{
    allowlist::{Allowlist, DestinationError},
    answer::Answer,
    connector::{Connector, ConnectorError, NotPublic},
    outcome::{MAX_DETAIL, Outcome, Reason, Verdict},
    signed_event::SignedEvent,
};

/// Sends to Slack, Teams and event hooks.
#[derive(Debug)]
pub struct HttpSender {
    client: reqwest::Client,
    connector: Connector,
    allowlist: Allowlist,
}

impl HttpSender {
    pub fn new(allowlist: Allowlist, connector: Connector) -> Result<Self, ConnectorError> {
        Ok(Self { client: connector.client()?, connector, allowlist })
    }

    /// Makes one try with a JSON body. `now` is only used to interpret a date in `Retry-After`.
    pub async fn send(&self, channel: Channel, to: &Destination, json: Vec<u8>, now: Moment) -> Outcome {
        match self.permitted(self.allowlist.check(channel, to.reveal())) {
            Ok(url) => match self.post(url, HeaderMap::new(), json).await {
                Ok(answer) => answer.outcome(channel, now),
                Err(error) => failure(error),
            },
            Err(why) => Outcome::without_answer(Verdict::Refused, Reason::NotAllowed, why),
        }
    }

    /// The same with an event for an event hook, and the headers that sign it.
    pub async fn send_event(&self, to: &Destination, event: SignedEvent, now: Moment) -> Outcome {
        match self.permitted(self.allowlist.check_event_hook(to.reveal())) {
            Ok(url) => match self.post(url, event.headers, event.body).await {
                Ok(answer) => answer.outcome_of_event(now),
                Err(error) => failure(error),
            },
            Err(why) => Outcome::without_answer(Verdict::Refused, Reason::NotAllowed, why),
        }
    }

    /// The URL to post to, if it is still permitted.
    fn permitted(&self, checked: Result<Destination, DestinationError>) -> Result<Url, String> {
        let checked = checked.map_err(|error| format!("url {error}"))?;
        Url::parse(checked.reveal())
            .ok()
            .filter(|url| self.connector.permits(url))
            .ok_or_else(|| "url is not one that may be posted to".to_owned())
    }

    async fn post(&self, url: Url, headers: HeaderMap, json: Vec<u8>) -> Result<Answer, reqwest::Error> {
        let content_type = HeaderValue::from_static("application/json; charset=utf-8");
        let request = self.client.post(url).headers(headers).header(CONTENT_TYPE, content_type).body(json);
        let mut response = request.send().await?;
        let retry_after = response.headers().get(RETRY_AFTER);
        let retry_after = retry_after.and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (body, complete) = first_bytes(&mut response).await;
        Ok(Answer { status: response.status().as_u16(), retry_after, body, complete })
    }
}

/// Reads the beginning of the body, and whether that was all. An endless body is abandoned; for a truncated one the
/// status is kept, which is more useful than the error.
async fn first_bytes(response: &mut Response) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => {
                let room = MAX_DETAIL - body.len();
                body.extend_from_slice(&chunk[..chunk.len().min(room)]);
                if chunk.len() > room {
                    return (body, false);
                }
            }
            Ok(None) => return (body, true),
            Err(_) => return (body, false),
        }
    }
}

/// No response: every network failure may be temporary.
fn failure(error: reqwest::Error) -> Outcome {
    let error = error.without_url();
    let reason = reason(&error);
    Outcome::without_answer(Verdict::Transient, reason, chain(&error))
}

fn reason(error: &reqwest::Error) -> Reason {
    if caused_by::<NotPublic>(error) {
        Reason::NotPublic
    } else if error.is_timeout() {
        Reason::TimedOut
    } else if error.is_dns() {
        Reason::NameNotFound
    } else if caused_by::<rustls::Error>(error) {
        Reason::TlsFailed
    } else if error.is_connect() {
        Reason::ConnectFailed
    } else {
        Reason::ConnectionLost
    }
}

pub(crate) fn caused_by<E: Error + 'static>(error: &dyn Error) -> bool {
    causes(error).any(<dyn Error>::is::<E>)
}

/// The causes of an error. An I/O error hides the one it wraps from `source`, so it is unwrapped.
fn causes<'a>(error: &'a dyn Error) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(error.source(), |&cause| match cause.downcast_ref::<io::Error>() {
        Some(wrapper) => wrapper.get_ref().map(|inner| inner as &(dyn Error + 'static)),
        None => cause.source(),
    })
}

/// The messages of an error and all its causes.
pub(crate) fn chain(error: &dyn Error) -> String {
    causes(error).fold(error.to_string(), |text, cause| {
        let cause = cause.to_string();
        // A wrapper often repeats the message of its cause.
        if text.ends_with(&cause) { text } else { format!("{text}: {cause}") }
    })
}
