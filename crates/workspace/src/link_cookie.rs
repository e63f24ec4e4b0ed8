//! Links with a token: the token leaves the address with the first visit.
//!
//! The address with the token answers with a cookie and a redirect to an address that only names the link, so that the
//! token stands neither on the screen and in the history of the browser nor in the log of every later request. The link
//! itself keeps working until its end, in other browsers too.

use std::collections::HashMap;

use app::token::Token;
use axum::{
    extract::{FromRequestParts, Path},
    response::Response,
};
use http::{header, request::Parts};

use crate::{
    Workspace, cookie,
    error::PageError,
    respond::{self, Answer},
};

/// The place of addresses without a token, below the path of the links.
const OPENED: &str = "open";
/// How many characters of the digest name a link.
const NAME_LENGTH: usize = 16;

/// The routes of a kind of link: with its token, and with its name.
pub(crate) fn paths(base: &str) -> [String; 2] {
    [format!("{base}/{{token}}"), format!("{base}/{OPENED}/{{link}}")]
}

/// The address of a link without its token. Two links that are open in one browser have different ones, and a cookie
/// each.
pub(crate) fn address(base: &str, token: &Token) -> String {
    format!("{base}/{OPENED}/{}", name(token))
}

/// Whether a page below the path of the links was opened with a cookie.
pub(crate) fn takes_cookie(base: &str, path: &str) -> bool {
    path.strip_prefix(base)
        .and_then(|rest| rest.strip_prefix('/'))
        .is_some_and(|rest| rest.strip_prefix(OPENED).is_some_and(|rest| rest.starts_with('/')))
}

fn name(token: &Token) -> String {
    let mut digest = token.digest();
    digest.truncate(NAME_LENGTH);
    digest
}

/// The token of a link, from the address or from the cookie.
#[derive(Debug)]
pub(crate) struct LinkToken {
    token: Option<Token>,
    in_address: bool,
}

impl FromRequestParts<Workspace> for LinkToken {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, workspace: &Workspace) -> Result<Self, PageError> {
        let Path(named) = Path::<HashMap<String, String>>::from_request_parts(parts, workspace)
            .await
            .map_err(|_| PageError::NotFound)?;
        if let Some(token) = named.get("token") {
            return Ok(Self { token: Token::parse(token), in_address: true });
        }
        let kept = cookie::link(&parts.headers, workspace.is_https());
        let token = kept.filter(|token| named.get("link").is_some_and(|link| *link == name(token)));
        Ok(Self { token, in_address: false })
    }
}

impl LinkToken {
    /// The token. An address that holds none is noted as a wrong link of this kind.
    pub(crate) fn token(&self, workspace: &Workspace, kind: &'static str) -> Option<&Token> {
        if self.in_address && self.token.is_none() {
            workspace.app.note_wrong_link(kind);
        }
        self.token.as_ref()
    }

    /// Whether the request still names the token in its address, and is to be led away from it.
    pub(crate) fn is_in_address(&self) -> bool {
        self.in_address
    }
}

/// The redirect to the address without the token, with the cookie that replaces it for so many seconds.
pub(crate) fn exchanged(workspace: &Workspace, base: &str, token: &Token, seconds: i64) -> Answer {
    let address = address(base, token);
    Ok(kept(workspace, base, token, seconds, respond::go_to(&address)?))
}

/// The response with the cookie that replaces the token: the forms of its page lead to the address without it.
pub(crate) fn kept(
    workspace: &Workspace,
    base: &str,
    token: &Token,
    seconds: i64,
    mut response: Response,
) -> Response {
    let cookie = cookie::keep_link(token, &address(base, token), seconds, workspace.is_https());
    response.headers_mut().append(header::SET_COOKIE, cookie);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_the_link_without_its_token() {
        let (one, other) = (Token::random(), Token::random());
        let shown = address("/due-diligence", &one);
        assert!(!shown.contains(one.reveal()), "{shown}");
        assert_ne!(shown, address("/due-diligence", &other));
        assert!(takes_cookie("/due-diligence", &shown));
        assert!(takes_cookie("/due-diligence", &format!("{shown}/files")));
        for path in ["/due-diligence/open", "/due-diligence/opened/x", "/due-diligence", "/other/open/x"] {
            assert!(!takes_cookie("/due-diligence", path), "{path}");
        }
    }
}
