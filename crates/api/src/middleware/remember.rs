//! Answers that follow from the catalogue alone, given again as they were given before.
//!
//! A handler marks such an answer as [`Lasting`], with the words it was asked in. The next request in the same words,
//! for the same languages and packings, gets it without asking a route. In the keyed tiers every valid key may read what
//! lasts; it is checked and its request counted all the same. A new edition of the catalogue forgets everything.

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

/// How many bytes are kept at most. Most bodies lie in memory anyway and are only pointed to.
const ROOM: u64 = 8 * 1024 * 1024;
/// A typical answer, to size the cache's tables.
const TYPICAL_ANSWER: u64 = 32 * 1024;
/// Longer questions are not asked twice.
const LONGEST: usize = 300;

/// Marks an answer that holds as long as this edition of the catalogue does, for everybody who may ask.
#[derive(Debug, Clone)]
pub(crate) struct Lasting {
    pub(crate) question: Question,
    pub(crate) edition: Weak<Edition>,
}

/// What an answer depends on, in the caller's own words.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    question: Box<str>,
    languages: Box<[u8]>,
    codings: Box<[u8]>,
}

/// The same, borrowed from a request. The fields stand in the same order: equal keys must hash alike.
#[derive(Debug, Clone, Copy, Hash)]
struct Asked<'r> {
    question: &'r str,
    languages: &'r [u8],
    codings: &'r [u8],
}

impl Equivalent<Key> for Asked<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self.question == *key.question && *self.languages == *key.languages && *self.codings == *key.codings
    }
}

impl<'r> Asked<'r> {
    /// A plain GET that says everything once; others are read by their handlers.
    fn of(method: &Method, uri: &'r Uri, headers: &'r HeaderMap) -> Option<Self> {
        // A caller who wants strict handling is answered by the route.
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

/// An answer and what it was given for.
#[derive(Debug)]
pub(crate) struct Answer {
    edition: Weak<Edition>,
    pub(crate) route: Option<MatchedPath>,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    /// The same again; what is a request's own has to be said anew.
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
        // The constant stands for the headers, the entry itself and the allocator's overhead.
        (key.question.len() + key.languages.len() + key.codings.len() + answer.body.len() + 1000) as u64
    }
}

/// What a handler was asked and by which route, to be kept with an answer that lasts.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    words: PathAndQuery,
    languages: Option<HeaderValue>,
    codings: Option<HeaderValue>,
    route: Option<MatchedPath>,
}

impl Question {
    /// Nothing for a question whose answer is not kept.
    pub(crate) fn of(parts: &Parts) -> Option<Self> {
        Asked::of(&parts.method, &parts.uri, &parts.headers)?;
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

/// The answers given before.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    app: App,
    answers: Arc<Cache<Key, Arc<Answer>, Bytesize>>,
}

impl Memory {
    pub(crate) fn new(app: &App) -> Self {
        let items = usize::try_from(ROOM / TYPICAL_ANSWER).unwrap_or(usize::MAX);
        Self { app: app.clone(), answers: Arc::new(Cache::with_weighter(items, ROOM, Bytesize)) }
    }

    /// The answer that was given to such a request before.
    pub(crate) fn find<B>(&self, request: &Request<B>) -> Option<Arc<Answer>> {
        let asked = Asked::of(request.method(), request.uri(), request.headers())?;
        let kept = self.answers.get(&asked)?;
        let edition = self.app.catalogue().ok()?;
        (kept.edition.as_ptr() == Arc::as_ptr(&edition)).then_some(kept)
    }

    /// Keeps the answer, with all its headers, if its handler says that it lasts.
    pub(crate) async fn keep(&self, mut response: Response) -> Response {
        let lasting = response.extensions_mut().remove::<Lasting>();
        let Some(Lasting { question, edition }) = lasting.filter(|_| response.status() == StatusCode::OK)
        else {
            return response;
        };
        let (http::response::Parts { mut headers, .. }, body) = response.into_parts();
        // It may have been packed on its way.
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
