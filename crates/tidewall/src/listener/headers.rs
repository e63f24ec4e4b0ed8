//! The security headers of every response, and those of the listener itself.
//!
//! They are as strict as possible: nothing may run, load, frame or be sniffed. The workspace sets its own headers for
//! its pages, which take precedence.

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
/// For a year, including subdomains.
const ONLY_TLS: HeaderValue = HeaderValue::from_static("max-age=31536000; includeSubDomains");

/// Adds the headers that a response does not set itself.
pub(super) fn protect(headers: &mut HeaderMap, https: bool) {
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(value);
    }
    if https {
        headers.entry(STRICT_TRANSPORT_SECURITY).or_insert(ONLY_TLS);
    }
}

/// The same as lines, for a response that is written by hand.
pub(super) fn lines() -> String {
    let line = |mut lines: String, (name, value): &(HeaderName, HeaderValue)| {
        lines.extend([name.as_str(), ": ", value.to_str().unwrap_or_default(), "\r\n"]);
        lines
    };
    ALWAYS.iter().fold(String::new(), line)
}
