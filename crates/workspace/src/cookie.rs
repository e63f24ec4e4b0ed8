//! The one cookie: who is signed in. Its value is a random token; everything else is in the store.

use app::token::Token;
use http::{HeaderMap, HeaderValue, header};

/// Over https the prefix makes browsers refuse the cookie from anywhere but this very host over https.
const SECURE_NAME: &str = "__Host-tidewall";
/// Plain http is for loopback, where browsers would not keep the other one.
const PLAIN_NAME: &str = "tidewall";

fn name(https: bool) -> &'static str {
    if https { SECURE_NAME } else { PLAIN_NAME }
}

/// The token a browser presents.
pub(crate) fn token(headers: &HeaderMap, https: bool) -> Option<Token> {
    let pairs = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let mut presented = pairs.filter(|(found, _)| *found == name(https)).map(|(_, value)| value);
    let first = presented.next()?;
    // Two cookies of that name: one of them is not ours, and there is no telling which.
    if presented.next().is_some() { None } else { Token::parse(first) }
}

/// Keeps the token for as long as the browser is open. How long it is worth something, the store decides.
pub(crate) fn keep(token: &Token, https: bool) -> HeaderValue {
    written(token.reveal(), "", https)
}

/// Takes the cookie back.
pub(crate) fn forget(https: bool) -> HeaderValue {
    written("", "; Max-Age=0", https)
}

fn written(value: &str, age: &str, https: bool) -> HeaderValue {
    let secure = if https { "; Secure" } else { "" };
    let text = format!("{}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{age}", name(https));
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
    }
}
