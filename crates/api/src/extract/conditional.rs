//! Conditional requests: `If-None-Match` on reads, `If-Match` on changes.

use std::convert::Infallible;

use app::pages::Precondition;
use axum::extract::FromRequestParts;
use http::{HeaderMap, HeaderName, header, request::Parts};

/// The tags of a client's cached copies.
#[derive(Debug, Default)]
pub(crate) struct IfNoneMatch {
    any: bool,
    tags: Vec<String>,
}

impl IfNoneMatch {
    /// Whether the client's copy is current.
    pub(crate) fn fits(&self, etag: &str) -> bool {
        self.any || self.tags.iter().any(|tag| tag == etag)
    }
}

impl<S: Sync> FromRequestParts<S> for IfNoneMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let tags = tags(&parts.headers, &header::IF_NONE_MATCH);
        Ok(Self { any: tags.iter().any(|tag| tag == "*"), tags })
    }
}

/// The precondition of a change.
#[derive(Debug)]
pub(crate) struct IfMatch(pub Precondition);

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        if !parts.headers.contains_key(header::IF_MATCH) {
            return Ok(Self(Precondition::None));
        }
        let tags = tags(&parts.headers, &header::IF_MATCH);
        let any = tags.iter().any(|tag| tag == "*");
        Ok(Self(if any { Precondition::Exists } else { Precondition::Tags(tags) }))
    }
}

/// The tags in a header. Ours contain no comma, so splitting at commas is safe; the weak mark is dropped.
fn tags(headers: &HeaderMap, name: &HeaderName) -> Vec<String> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    let tags = values.flat_map(|value| value.split(','));
    tags.map(|tag| tag.trim().trim_start_matches("W/").to_owned()).collect()
}
