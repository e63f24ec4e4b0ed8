//! Refuses changes that another site caused (CSRF).
//!
//! There are two checks. The browser says where a request comes from (`Sec-Fetch-Site`, or `Origin`), and a change
//! whose origin is another site, or is missing, is refused here before any handler reads it. In addition, every form
//! of a signed-in page contains a token derived from the session, which no other site can know; reading a submitted
//! form checks it.
//!
//! Signing in and links with a token in their address use no cookie, so there is nothing to abuse: a request without an
//! origin comes from a program, not from a user's browser, and is served; one with a wrong origin is refused all the same.

use std::{fmt::Write as _, sync::Arc};

use app::ids::fill_random;
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, Method, header};
use subtle::ConstantTimeEq as _;

use crate::{Workspace, error::PageError, extract::View, link_cookie, route};

/// The form field with the token.
pub(crate) const FIELD: &str = "form_token";

pub(crate) async fn guard(State(workspace): State<Workspace>, request: Request, next: Next) -> Response {
    let safe = matches!(*request.method(), Method::GET | Method::HEAD);
    if safe || is_allowed(&workspace, &request) {
        return next.run(request).await;
    }
    PageError::Forged.into_response()
}

fn is_allowed(workspace: &Workspace, request: &Request) -> bool {
    match origin(request.headers(), &workspace.options.public_url) {
        Origin::Own => true,
        Origin::Other => false,
        Origin::Unknown => {
            let signed_in = request.extensions().get::<Arc<View>>().is_some_and(|view| view.signed.is_some());
            !signed_in && takes_no_cookie(request.uri().path())
        }
    }
}

fn takes_no_cookie(path: &str) -> bool {
    let below = |page: &str| path.strip_prefix(page).is_some_and(|rest| rest.starts_with('/'));
    let links = [route::LINK, route::DUE_DILIGENCE, route::MAIL_ADDRESS];
    path == route::SIGN_IN || links.iter().any(|link| below(link) && !link_cookie::takes_cookie(link, path))
}

#[derive(Debug, PartialEq, Eq)]
enum Origin {
    Own,
    Other,
    Unknown,
}

/// The origin that the browser reports.
fn origin(headers: &HeaderMap, public_url: &str) -> Origin {
    if let Some(site) = headers.get("sec-fetch-site") {
        return if site == "same-origin" { Origin::Own } else { Origin::Other };
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return Origin::Unknown };
    // The cookie belongs to the host it was set for, so a page of the requested host is ours.
    let asked = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let own = origin.to_str().is_ok_and(|origin| {
        let host = origin.split_once("://").map(|(_, host)| host);
        origin == public_url || (host.is_some() && host == asked)
    });
    if own { Origin::Own } else { Origin::Other }
}

/// The token of a form of this session, encoded differently each time: pages are compressed and may contain text that
/// an attacker chose, so that the lengths of many responses would reveal a constant token.
pub(crate) fn form_token(secret: &str) -> String {
    let mut mask = vec![0; secret.len()];
    fill_random(&mut mask);
    let masked = secret.bytes().zip(&mask).map(|(byte, mask)| byte ^ mask);
    mask.iter().copied().chain(masked).fold(String::with_capacity(4 * mask.len()), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Whether a submitted form contains the token of this session.
pub(crate) fn fits(secret: &str, submitted: &str) -> bool {
    let Some(bytes) = unhex(submitted).filter(|bytes| bytes.len() == 2 * secret.len()) else { return false };
    let (mask, masked) = bytes.split_at(secret.len());
    let found: Vec<u8> = mask.iter().zip(masked).map(|(mask, byte)| mask ^ byte).collect();
    found.ct_eq(secret.as_bytes()).into()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    pairs.iter().map(|[high, low]| u8::try_from(digit(*high)? << 4 | digit(*low)?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use app::token::Token;

    use super::*;

    fn origin_of(pairs: &[(&'static str, &str)]) -> Origin {
        let headers = pairs.iter().map(|(name, value)| {
            (http::HeaderName::from_static(name), http::HeaderValue::from_str(value).unwrap())
        });
        origin(&headers.collect(), "https://tidewall.example.com")
    }

    #[test]
    fn only_our_own_pages_are_our_own() {
        for own in [
            &[("sec-fetch-site", "same-origin")][..],
            &[("origin", "https://tidewall.example.com"), ("host", "10.0.0.1:8080")],
            &[("origin", "http://127.0.0.1:8080"), ("host", "127.0.0.1:8080")],
        ] {
            assert_eq!(origin_of(own), Origin::Own, "{own:?}");
        }
        for other in [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site"), ("origin", "https://tidewall.example.com")],
            &[("sec-fetch-site", "none")],
            &[("origin", "null"), ("host", "tidewall.example.com")],
            &[("origin", "https://evil.example"), ("host", "tidewall.example.com")],
            &[("origin", "https://tidewall.example.com.evil.example"), ("host", "tidewall.example.com")],
            &[("origin", "http://tidewall.example.com")],
        ] {
            assert_eq!(origin_of(other), Origin::Other, "{other:?}");
        }
        assert_eq!(origin_of(&[("host", "tidewall.example.com")]), Origin::Unknown);
    }

    #[test]
    fn the_token_of_another_session_does_not_fit() {
        let (one, other) = (Token::random().derive("form"), Token::random().derive("form"));
        assert!(fits(&one, &form_token(&one)));
        assert!(!fits(&one, &form_token(&other)));
        for odd in ["", "0", "zz", "é", &"00".repeat(43), &"00".repeat(86), &form_token(&one)[2..]] {
            assert!(!fits(&one, odd), "{odd}");
        }
    }

    #[test]
    fn a_token_is_written_differently_on_every_page() {
        let token = Token::random().derive("form");
        let (first, second) = (form_token(&token), form_token(&token));
        assert_ne!(first, second);
        assert!(fits(&token, &first) && fits(&token, &second));
        let same = first.bytes().zip(second.bytes()).filter(|(one, other)| one == other).count();
        assert!(same < first.len() / 2, "{same} of {} characters are the same", first.len());
    }
}
