//! Five cookies: who is signed in, that a second factor was presented in this browser before, for some minutes a sign-in
//! with an identity provider that is under way and a question to a passkey, and the token of a link that was opened. The
//! first two and the last hold random tokens, the others sealed texts.

use app::{
    identity_provider::sign_in::SIGN_IN_SECONDS, passkey::ANSWER_SECONDS, session::DEVICE_SECONDS,
    token::Token,
};
use http::{HeaderMap, HeaderValue, header};

/// Over https the prefix makes browsers accept the cookie only from this host over https.
const SECURE_NAME: &str = "__Host-tidewall";
/// Plain http is for loopback, where browsers would not store the other one.
const PLAIN_NAME: &str = "tidewall";

const SECURE_DEVICE: &str = "__Host-tidewall-device";
const PLAIN_DEVICE: &str = "tidewall-device";

const SECURE_SIGN_IN: &str = "__Host-tidewall-sign-in";
const PLAIN_SIGN_IN: &str = "tidewall-sign-in";

const SECURE_PASSKEY: &str = "__Host-tidewall-passkey";
const PLAIN_PASSKEY: &str = "tidewall-passkey";

/// Sent to one address only, which the prefix of the others does not allow.
const SECURE_LINK: &str = "__Secure-tidewall-link";
const PLAIN_LINK: &str = "tidewall-link";

fn link_name(https: bool) -> &'static str {
    if https { SECURE_LINK } else { PLAIN_LINK }
}

fn passkey_name(https: bool) -> &'static str {
    if https { SECURE_PASSKEY } else { PLAIN_PASSKEY }
}

fn sign_in_name(https: bool) -> &'static str {
    if https { SECURE_SIGN_IN } else { PLAIN_SIGN_IN }
}

fn name(https: bool) -> &'static str {
    if https { SECURE_NAME } else { PLAIN_NAME }
}

fn device_name(https: bool) -> &'static str {
    if https { SECURE_DEVICE } else { PLAIN_DEVICE }
}

/// The token a browser presents.
pub(crate) fn token(headers: &HeaderMap, https: bool) -> Option<Token> {
    presented(headers, name(https))
}

/// The token that shows that the browser is known to an account.
pub(crate) fn device(headers: &HeaderMap, https: bool) -> Option<Token> {
    presented(headers, device_name(https))
}

/// The sign-in with an identity provider that this browser began.
pub(crate) fn sign_in(headers: &HeaderMap, https: bool) -> Option<&str> {
    value(headers, sign_in_name(https))
}

/// The question to a passkey that this browser was sent.
pub(crate) fn passkey(headers: &HeaderMap, https: bool) -> Option<&str> {
    value(headers, passkey_name(https))
}

/// The token of the link whose address is requested.
pub(crate) fn link(headers: &HeaderMap, https: bool) -> Option<Token> {
    presented(headers, link_name(https))
}

fn presented(headers: &HeaderMap, name: &str) -> Option<Token> {
    value(headers, name).and_then(Token::parse)
}

fn value<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let pairs = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let mut presented = pairs.filter(|(found, _)| *found == name).map(|(_, value)| value);
    let first = presented.next()?;
    // Two cookies of that name: one of them is not ours, and there is no telling which.
    if presented.next().is_some() { None } else { Some(first) }
}

/// Sets the token for as long as the browser is open. The store decides how long it is valid.
pub(crate) fn keep(token: &Token, https: bool) -> HeaderValue {
    header_value(name(https), token.reveal(), "", https)
}

/// Marks the browser as known, for as long as the store does.
pub(crate) fn keep_device(token: &Token, https: bool) -> HeaderValue {
    header_value(device_name(https), token.reveal(), &format!("; Max-Age={DEVICE_SECONDS}"), https)
}

/// Keeps what a sign-in must remember until the browser comes back from the provider.
pub(crate) fn keep_sign_in(kept: &str, https: bool) -> HeaderValue {
    header_value(sign_in_name(https), kept, &format!("; Max-Age={SIGN_IN_SECONDS}"), https)
}

/// Forgets it: a sign-in comes back once.
pub(crate) fn forget_sign_in(https: bool) -> HeaderValue {
    header_value(sign_in_name(https), "", "; Max-Age=0", https)
}

/// Keeps the question to a passkey until it is answered, by one of our own pages only.
pub(crate) fn keep_passkey(kept: &str, https: bool) -> HeaderValue {
    let age = format!("; Max-Age={ANSWER_SECONDS}");
    own_value(passkey_name(https), kept, "Strict", &age, https)
}

/// Forgets it: a question is answered once.
pub(crate) fn forget_passkey(https: bool) -> HeaderValue {
    own_value(passkey_name(https), "", "Strict", "; Max-Age=0", https)
}

/// Keeps the token of a link for one address. Mail is read on other sites, and a link there must lead to the page, so the
/// cookie comes along with links, but not with forms of other sites.
pub(crate) fn keep_link(token: &Token, address: &str, seconds: i64, https: bool) -> HeaderValue {
    let age = format!("; Max-Age={seconds}");
    value_for(address, link_name(https), token.reveal(), "Lax", &age, https)
}

/// Takes the cookie back.
pub(crate) fn forget(https: bool) -> HeaderValue {
    header_value(name(https), "", "; Max-Age=0", https)
}

fn header_value(name: &str, value: &str, age: &str, https: bool) -> HeaderValue {
    own_value(name, value, "Lax", age, https)
}

/// `site` says whether the cookie comes along when a link on another site leads here.
fn own_value(name: &str, value: &str, site: &str, age: &str, https: bool) -> HeaderValue {
    value_for("/", name, value, site, age, https)
}

fn value_for(path: &str, name: &str, value: &str, site: &str, age: &str, https: bool) -> HeaderValue {
    let secure = if https { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path={path}; HttpOnly; SameSite={site}{secure}{age}");
    let mut value = HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""));
    value.set_sensitive(true);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(cookie: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, cookie.parse().unwrap())])
    }

    #[test]
    fn is_bound_to_the_host_over_https() {
        let token = Token::random();
        let kept = keep(&token, true);
        assert_eq!(
            kept.to_str().unwrap(),
            format!("__Host-tidewall={}; Path=/; HttpOnly; SameSite=Lax; Secure", token.reveal())
        );
        assert!(!keep(&token, false).to_str().unwrap().contains("Secure"));
        assert!(forget(true).to_str().unwrap().contains("Max-Age=0"));
        let link = keep_link(&token, "/due-diligence/open/a", 60, true);
        let expected = format!(
            "__Secure-tidewall-link={}; Path=/due-diligence/open/a; HttpOnly; SameSite=Lax; Secure; Max-Age=60",
            token.reveal()
        );
        assert_eq!(link.to_str().unwrap(), expected);
    }

    #[test]
    fn is_found_among_others_and_refused_when_doubled() {
        let own = Token::random();
        let value = own.reveal();
        let found = |line: &str| token(&headers(line), false);
        assert_eq!(found(&format!("a=b; tidewall={value}; c=d")), Some(own.clone()));
        assert_eq!(found(&format!("tidewall={value}; tidewall={value}")), None);
        assert_eq!(found(&format!("__Host-tidewall={value}")), None, "the other name is another cookie");
        assert_eq!(found("tidewall=short"), None);
        let both = format!("tidewall-device={value}; tidewall={value}");
        assert_eq!(found(&both), Some(own.clone()));
        assert_eq!(device(&headers(&both), false), Some(own));
    }
}
