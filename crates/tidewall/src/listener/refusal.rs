//! Responses of the listener itself, in the format of every other error: JSON with one sentence, and a request id.

use axum::body::Body;
use http::{
    HeaderMap, HeaderName, HeaderValue, Response, StatusCode, Version,
    header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER},
};

use super::headers::lines;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const LONGEST_REQUEST_ID: usize = 128;

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Too many connections.
    Connections,
    /// Too many requests.
    InFlight,
    /// The process is ending.
    Ending,
    /// The response was not ready within the total limit.
    Total,
    /// The request body stalled.
    Body,
    /// The request names no host, or several.
    Host,
    /// The request names an unknown host.
    OtherHost,
    /// Not HTTP, with the status that the protocol layer chose.
    Malformed(StatusCode),
}

impl Refusal {
    fn status(self) -> StatusCode {
        match self {
            Self::Connections | Self::InFlight | Self::Ending | Self::Total => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Body => StatusCode::REQUEST_TIMEOUT,
            Self::Host => StatusCode::BAD_REQUEST,
            Self::OtherHost => StatusCode::MISDIRECTED_REQUEST,
            Self::Malformed(status) => status,
        }
    }

    /// The error code, for programs.
    fn code(self) -> &'static str {
        match self {
            Self::Connections | Self::InFlight | Self::Ending | Self::Total => "unavailable",
            Self::Body => "request_timeout",
            Self::Malformed(StatusCode::URI_TOO_LONG | StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE) => {
                "too_large"
            }
            Self::Host | Self::OtherHost | Self::Malformed(_) => "malformed_request",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Connections => "too many connections; try again shortly",
            Self::InFlight => "the service is at capacity; try again shortly",
            Self::Ending => "the service is shutting down; try again shortly",
            Self::Total => "the request took too long and was given up; try again",
            Self::Body => "the request body stopped arriving; send it without pauses",
            Self::Host => "the request must name exactly one host; send one Host header",
            Self::OtherHost => "this host is not served here; use the address you were given",
            Self::Malformed(StatusCode::URI_TOO_LONG) => "the request address is too long; shorten it",
            Self::Malformed(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE) => {
                "the request headers are too large; send fewer or shorter ones"
            }
            Self::Malformed(_) => "the request is not valid HTTP/1.1",
        }
    }

    /// The seconds after which a retry makes sense.
    fn retry_after(self) -> Option<&'static str> {
        match self {
            Self::Connections | Self::InFlight | Self::Total => Some("1"),
            Self::Ending => Some("5"),
            Self::Body | Self::Host | Self::OtherHost | Self::Malformed(_) => None,
        }
    }

    /// Whether the connection ends with this response. It must if the request body may be half-read.
    fn closes(self) -> bool {
        !matches!(self, Self::InFlight)
    }

    fn body(self) -> String {
        // The sentences are our own and contain nothing that JSON would escape.
        format!("{{\"error\":\"{}\",\"code\":\"{}\"}}", self.sentence(), self.code())
    }

    /// The response to a request with this id of its own.
    pub(super) fn answer(self, own_id: Option<HeaderValue>, version: Version) -> Response<Body> {
        let mut response = Response::new(Body::from(self.body()));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(X_REQUEST_ID, own_id.unwrap_or_else(fresh_request_id));
        if let Some(seconds) = self.retry_after() {
            headers.insert(RETRY_AFTER, HeaderValue::from_static(seconds));
        }
        if self.closes() && version < Version::HTTP_2 {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    /// The whole response as HTTP/1.1 bytes, if there is no request to respond to.
    pub(super) fn on_the_wire(self) -> Vec<u8> {
        let (status, body, id) = (self.status(), self.body(), fresh_request_id());
        let id = id.to_str().unwrap_or_default();
        let reason = status.canonical_reason().unwrap_or_default();
        format!(
            "HTTP/1.1 {} {reason}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             x-request-id: {id}\r\n{}connection: close\r\n\r\n{body}",
            status.as_u16(),
            body.len(),
            lines(),
        )
        .into_bytes()
    }
}

/// The caller's own request id, if it is valid.
pub(super) fn own_request_id(headers: &HeaderMap) -> Option<HeaderValue> {
    let plain = |value: &&HeaderValue| {
        let bytes = value.as_bytes();
        (1..=LONGEST_REQUEST_ID).contains(&bytes.len())
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte))
    };
    headers.get(X_REQUEST_ID).filter(plain).cloned()
}

fn fresh_request_id() -> HeaderValue {
    let mut random = [0; 16];
    // Without randomness the id is weak, but the refusal is still sent.
    let _ = getrandom::fill(&mut random);
    let digits = format!("{:032x}", u128::from_be_bytes(random));
    HeaderValue::try_from(digits).unwrap_or(HeaderValue::from_static("none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Refusal; 10] = [
        Refusal::Host,
        Refusal::OtherHost,
        Refusal::Connections,
        Refusal::InFlight,
        Refusal::Ending,
        Refusal::Total,
        Refusal::Body,
        Refusal::Malformed(StatusCode::BAD_REQUEST),
        Refusal::Malformed(StatusCode::URI_TOO_LONG),
        Refusal::Malformed(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
    ];

    #[test]
    fn every_refusal_is_json_with_one_sentence() {
        for refusal in ALL {
            let body: serde_json::Value = serde_json::from_str(&refusal.body()).unwrap();
            assert_eq!(body["error"], refusal.sentence());
            assert_eq!(body["code"], refusal.code());
            assert_eq!(body.as_object().unwrap().len(), 2);
        }
    }

    #[test]
    fn a_plain_request_id_of_the_caller_is_kept_and_any_other_replaced() {
        let answered = |id: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(X_REQUEST_ID, HeaderValue::from_str(id).unwrap());
            let answer = Refusal::Total.answer(own_request_id(&headers), Version::HTTP_11);
            answer.headers()[X_REQUEST_ID].to_str().unwrap().to_owned()
        };
        assert_eq!(answered("order-7_b.2"), "order-7_b.2");
        for odd in ["", "has space", "a\tb", &"x".repeat(129)] {
            let id = answered(odd);
            assert!(id != odd && id.len() == 32, "{odd:?} gave {id:?}");
        }
    }

    #[test]
    fn only_overload_and_shutdown_ask_to_come_back() {
        for refusal in ALL {
            let response = refusal.answer(None, Version::HTTP_11);
            let asked = response.headers().contains_key(RETRY_AFTER);
            assert_eq!(asked, response.status() == StatusCode::SERVICE_UNAVAILABLE, "{refusal:?}");
        }
    }
}
