//! Why a bucket did not do what was asked.

use reqwest::{Response, StatusCode};

use crate::http::chain;

/// How much of an error's body is read: its code is near the beginning.
const MOST_BODY: usize = 4096;
/// The longest code that is repeated.
const MOST_CODE: usize = 64;

/// The result of a failed request. No message contains an address, a key or anything that the server said beyond the
/// code of its error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BucketError {
    /// It may work later: no connection, no answer in time, or an error of the server.
    #[error("the bucket does not answer ({0})")]
    Away(String),
    /// The server refuses: a wrong key, a missing right, a locked object, a bucket that does not exist.
    #[error("the bucket refuses with {}", said(*status, code))]
    Refused { status: u16, code: String },
    #[error("the bucket has no such object")]
    Missing,
    /// The object is not the one that was stored.
    #[error("the object in the bucket is not the one that was stored: {0}")]
    Altered(String),
}

impl BucketError {
    pub(super) fn network(error: reqwest::Error) -> Self {
        Self::Away(chain(&error.without_url()))
    }

    /// Interprets an answer that is no success.
    pub(super) async fn of(response: Response) -> Self {
        let status = response.status();
        let code = code(response).await;
        let waits = matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS);
        if status.is_server_error() || waits || code == "RequestTimeout" {
            return Self::Away(said(status.as_u16(), &code));
        }
        if status == StatusCode::NOT_FOUND && code != "NoSuchBucket" {
            return Self::Missing;
        }
        Self::Refused { status: status.as_u16(), code }
    }
}

/// A status with its code, if there is one.
fn said(status: u16, code: &str) -> String {
    if code.is_empty() { status.to_string() } else { format!("{status} {code}") }
}

/// The code of an error, such as `AccessDenied`; empty if there is none.
async fn code(mut response: Response) -> String {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = MOST_BODY - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() == MOST_BODY {
            break;
        }
    }
    code_in(&String::from_utf8_lossy(&body))
}

fn code_in(body: &str) -> String {
    let code = body.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>"));
    let code = code.map_or("", |(code, _)| code.trim());
    let known = code.len() <= MOST_CODE && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if known { code.to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_code_of_an_error_is_repeated() {
        let body = "<?xml version=\"1.0\"?><Error><Code>SignatureDoesNotMatch</Code>\
                    <AWSAccessKeyId>AKIA</AWSAccessKeyId></Error>";
        assert_eq!(code_in(body), "SignatureDoesNotMatch");
        for other in ["", "<html>", "<Code>", "<Code>a b</Code>", "<Code><script></Code>", "x</Code><Code>"] {
            assert_eq!(code_in(other), "", "{other}");
        }
        assert_eq!(code_in(&format!("<Code>{}</Code>", "x".repeat(65))), "");
    }
}
