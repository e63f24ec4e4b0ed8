//! The headers that protect every answer, whatever surface gives it, and those of the listener itself.
//!
//! They are the strictest that make sense: nothing may run, load, frame or be guessed. A surface that shows pages says
//! itself what these need, and its word stands.

use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{
        CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
        X_FRAME_OPTIONS,
    },
};

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

const ALWAYS: [(HeaderName, HeaderValue); 5] = [
    (
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        PERMISSIONS_POLICY,
        HeaderValue::from_static("camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
    ),
];
/// For a year, also for hosts below this one.
const ONLY_TLS: HeaderValue = HeaderValue::from_static("max-age=31536000; includeSubDomains");

/// Adds what an answer does not say itself.
pub(super) fn protect(headers: &mut HeaderMap, https: bool) {
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(value);
    }
    if https {
        headers.entry(STRICT_TRANSPORT_SECURITY).or_insert(ONLY_TLS);
    }
}

/// The same as lines, for an answer that is written by hand.
pub(super) fn lines() -> String {
    let line = |mut lines: String, (name, value): &(HeaderName, HeaderValue)| {
        lines.extend([name.as_str(), ": ", value.to_str().unwrap_or_default(), "\r\n"]);
        lines
    };
    ALWAYS.iter().fold(String::new(), line)
}
