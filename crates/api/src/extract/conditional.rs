//! Conditional requests: `If-None-Match` on reads, `If-Match` on changes.

use std::convert::Infallible;

use app::pages::Precondition;
use axum::extract::FromRequestParts;
use http::{HeaderMap, HeaderName, header, request::Parts};

/// The validators of a client's cached copies.
#[derive(Debug, Default)]
pub(crate) struct IfNoneMatch(Condition);

impl IfNoneMatch {
    /// Whether the client's copy is current.
    pub(crate) fn fits(&self, validator: &str) -> bool {
        match &self.0 {
            Condition::Any => true,
            Condition::Validators(seen) => seen.iter().any(|each| each == validator),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for IfNoneMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(wanted(&parts.headers, &header::IF_NONE_MATCH)))
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
        Ok(Self(match wanted(&parts.headers, &header::IF_MATCH) {
            Condition::Any => Precondition::Exists,
            Condition::Validators(seen) => Precondition::Validators(seen),
        }))
    }
}

/// The value of a conditional header: `*` or a list of entity tags.
#[derive(Debug)]
enum Condition {
    Any,
    Validators(Vec<String>),
}

impl Default for Condition {
    fn default() -> Self {
        Self::Validators(Vec::new())
    }
}

/// Ours contain no comma, so splitting at commas is safe; the weak mark is dropped. A tag without quotes is invalid and
/// matches nothing.
fn wanted(headers: &HeaderMap, name: &HeaderName) -> Condition {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    let mut seen = Vec::new();
    for tag in values.flat_map(|value| value.split(',')).map(str::trim) {
        if tag == "*" {
            return Condition::Any;
        }
        let tag = tag.strip_prefix("W/").unwrap_or(tag);
        seen.extend(tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).map(str::to_owned));
    }
    Condition::Validators(seen)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_copy_is_current_if_one_of_its_tags_is_the_validator() {
        for (value, fits) in [
            ("\"a-1\"", true),
            ("W/\"a-1\"", true),
            ("\"b\", \"a-1\"", true),
            ("*", true),
            ("a-1", false),
            ("\"a-1", false),
            ("\"a-12\"", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_static(value))]);
            assert_eq!(IfNoneMatch(wanted(&headers, &header::IF_NONE_MATCH)).fits("a-1"), fits, "{value}");
        }
        assert!(!IfNoneMatch::default().fits("a-1"));
    }
}
