//! The id of a request, if it is valid in a response and in the log.

use axum::extract::Request;
use http::{HeaderName, HeaderValue};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const LONGEST: usize = 128;

/// Removes an invalid id, so that the request gets one of ours.
pub(crate) async fn only_plain(mut request: Request) -> Request {
    let given = request.headers().get_all(X_REQUEST_ID);
    let mut given = given.iter();
    let plain = given.next().is_none_or(is_plain) && given.next().is_none();
    if !plain {
        request.headers_mut().remove(X_REQUEST_ID);
    }
    request
}

fn is_plain(id: &HeaderValue) -> bool {
    let bytes = id.as_bytes();
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    (1..=LONGEST).contains(&bytes.len()) && bytes.iter().all(allowed)
}
