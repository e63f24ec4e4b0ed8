//! The security headers of every response: nothing may run, load, frame or leak that the pages do not need.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderName, HeaderValue, header};

use crate::{Workspace, route};

/// No inline script, no inline style, nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; \
                      connect-src 'self';                       form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";
const FEATURES: &str = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()";

const ALWAYS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("permissions-policy"), FEATURES),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

pub(crate) async fn guard(State(workspace): State<Workspace>, request: Request, next: Next) -> Response {
    // The address of a link grants access until it is exchanged for a cookie, and the one a provider sends people back to
    // holds a code, so no page receives them as a referrer, not even one of ours.
    let path = request.uri().path();
    let links = [route::CALENDAR, route::DUE_DILIGENCE, route::LINK, route::MAIL_ADDRESS];
    let secret = links.iter().any(|link| path.starts_with(link)) || path == route::CALLBACK;
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if secret {
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    // Pages contain a tenant's data, so browsers must not cache them for the next user of the computer.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if workspace.is_https() {
        let a_year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, a_year);
    }
    response
}
