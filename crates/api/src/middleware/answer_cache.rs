//! A cache of responses that depend on the catalogue alone.
//!
//! A handler marks such a response as [`Lasting`]. The key is the path with its query, `Accept-Language` and
//! `Accept-Encoding`; the next equal request is served without a route. On keyed routes every valid key may read such
//! responses; the key is still checked and the request counted. A new edition of the catalogue clears the cache. The
//! size is bounded by `ROOM`.

use std::sync::{Arc, Weak};

use app::{App, catalogue::Edition};
use axum::{body::Body, extract::MatchedPath, response::Response};
use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri, header, request::Parts,
    uri::PathAndQuery,
};
use http_body_util::BodyExt as _;
use quick_cache::{Equivalent, Weighter, sync::Cache};

use crate::error;

/// The maximum size in bytes. Most bodies are in memory anyway and are only referred to.
const ROOM: u64 = 8 * 1024 * 1024;
/// A typical answer, to size the cache's tables.
const TYPICAL_ANSWER: u64 = 32 * 1024;
/// Longer queries are not cached.
const LONGEST: usize = 300;

/// Marks a response that is valid as long as this edition of the catalogue, for every caller of the route.
#[derive(Debug, Clone)]
pub(crate) struct Lasting {
    pub(crate) question: CachedRequest,
    pub(crate) edition: Weak<Edition>,
}

/// The key of a response, from the request as sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    question: Box<str>,
    languages: Box<[u8]>,
    codings: Box<[u8]>,
}

/// The same, borrowed from a request. The fields are in the same order, because equal keys must have equal hashes.
#[derive(Debug, Clone, Copy, Hash)]
struct KeyRef<'r> {
    question: &'r str,
    languages: &'r [u8],
    codings: &'r [u8],
}

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self.question == *key.question && *self.languages == *key.languages && *self.codings == *key.codings
    }
}

impl<'r> KeyRef<'r> {
    /// The key of a plain GET without repeated headers; `None` for other requests.
    fn of(method: &Method, uri: &'r Uri, headers: &'r HeaderMap) -> Option<Self> {
        // A request with strict handling is served by the route.
        let has_wishes = headers.contains_key(header::IF_NONE_MATCH) || headers.contains_key("prefer");
        if method != Method::GET || has_wishes {
            return None;
        }
        let question = uri.path_and_query()?.as_str();
        let languages = only(headers, &header::ACCEPT_LANGUAGE)?;
        let codings = only(headers, &header::ACCEPT_ENCODING)?;
        (question.len() + languages.len() + codings.len() <= LONGEST).then_some(Self {
            question,
            languages,
            codings,
        })
    }
}

/// The one value of a header, empty if there is none.
fn only<'r>(headers: &'r HeaderMap, name: &HeaderName) -> Option<&'r [u8]> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map_or(&[][..], |value| value.as_bytes());
    values.next().is_none().then_some(value)
}

/// A cached response with its key.
#[derive(Debug)]
pub(crate) struct Answer {
    edition: Weak<Edition>,
    pub(crate) route: Option<MatchedPath>,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    /// The response again, without the headers that depend on the request.
    pub(crate) fn again(&self) -> Response {
        let mut response = Response::new(Body::from(self.body.clone()));
        *response.headers_mut() = self.headers.clone();
        response
    }
}

#[derive(Debug, Clone)]
struct Bytesize;

impl Weighter<Key, Arc<Answer>> for Bytesize {
    fn weight(&self, key: &Key, answer: &Arc<Answer>) -> u64 {
        // The constant is the size of the headers, the entry itself and the allocator's overhead.
        (key.question.len() + key.languages.len() + key.codings.len() + answer.body.len() + 1000) as u64
    }
}

/// The key and the route of a request, for caching its response.
#[derive(Debug, Clone)]
pub(crate) struct CachedRequest {
    words: PathAndQuery,
    languages: Option<HeaderValue>,
    codings: Option<HeaderValue>,
    route: Option<MatchedPath>,
}

impl CachedRequest {
    /// `None` for a request whose response is not cached.
    pub(crate) fn of(parts: &Parts) -> Option<Self> {
        KeyRef::of(&parts.method, &parts.uri, &parts.headers)?;
        Some(Self {
            words: parts.uri.path_and_query()?.clone(),
            languages: parts.headers.get(header::ACCEPT_LANGUAGE).cloned(),
            codings: parts.headers.get(header::ACCEPT_ENCODING).cloned(),
            route: parts.extensions.get::<MatchedPath>().cloned(),
        })
    }

    fn key(&self) -> Key {
        let bytes =
            |value: &Option<HeaderValue>| value.as_ref().map_or(&[][..], HeaderValue::as_bytes).into();
        Key {
            question: self.words.as_str().into(),
            languages: bytes(&self.languages),
            codings: bytes(&self.codings),
        }
    }
}

/// The cache.
#[derive(Debug, Clone)]
pub(crate) struct AnswerCache {
    app: App,
    answers: Arc<Cache<Key, Arc<Answer>, Bytesize>>,
}

impl AnswerCache {
    pub(crate) fn new(app: &App) -> Self {
        let items = usize::try_from(ROOM / TYPICAL_ANSWER).unwrap_or(usize::MAX);
        Self { app: app.clone(), answers: Arc::new(Cache::with_weighter(items, ROOM, Bytesize)) }
    }

    /// The cached response for such a request.
    pub(crate) fn find<B>(&self, request: &Request<B>) -> Option<Arc<Answer>> {
        let asked = KeyRef::of(request.method(), request.uri(), request.headers())?;
        let kept = self.answers.get(&asked)?;
        let edition = self.app.catalogue().ok()?;
        (kept.edition.as_ptr() == Arc::as_ptr(&edition)).then_some(kept)
    }

    /// Caches the response, with all its headers, if its handler marked it.
    pub(crate) async fn keep(&self, mut response: Response) -> Response {
        let lasting = response.extensions_mut().remove::<Lasting>();
        let Some(Lasting { question, edition }) = lasting.filter(|_| response.status() == StatusCode::OK)
        else {
            return response;
        };
        let (http::response::Parts { mut headers, .. }, body) = response.into_parts();
        // It may have been compressed on the fly.
        match body.collect().await {
            Ok(body) => {
                let body = body.to_bytes();
                headers.insert(header::CONTENT_LENGTH, body.len().into());
                let key = question.key();
                let answer = Answer { edition, route: question.route, headers, body };
                let again = answer.again();
                self.answers.insert(key, Arc::new(answer));
                again
            }
            Err(error) => {
                tracing::error!(%error, "an answer could not be packed");
                error::internal()
            }
        }
    }
}
