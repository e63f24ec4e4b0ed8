//! Answers that follow from the catalogue alone, given again as they were given before.
//!
//! A handler marks such an answer as [`Lasting`]. The next request in the same words, for the same languages and
//! packings, gets it without being read any further. Of the keyed tiers only what stands behind the key check is
//! remembered. A new edition of the catalogue forgets everything.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::{Arc, Weak},
    task::{Context, Poll},
};

use app::{App, catalogue::Edition};
use axum::{body::Body, extract::Request, response::Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, Method, StatusCode, header};
use quick_cache::{Equivalent, Weighter, sync::Cache};
use tower::{Layer, Service};

/// How many bytes are kept at most. Most bodies lie in memory anyway and are only pointed to.
const ROOM: u64 = 8 * 1024 * 1024;
/// A typical answer, to size the cache's tables.
const TYPICAL_ANSWER: u64 = 32 * 1024;
/// Longer questions are not asked twice.
const LONGEST: usize = 300;
/// What the layers outside add to an answer.
const MORE_HEADERS: usize = 10;

/// Marks an answer that holds as long as the catalogue does, with its body.
#[derive(Debug, Clone)]
pub(crate) struct Lasting(pub(crate) Bytes);

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
    fn of(request: &'r Request) -> Option<Self> {
        let headers = request.headers();
        if request.method() != Method::GET || headers.contains_key(header::IF_NONE_MATCH) {
            return None;
        }
        let question = request.uri().path_and_query()?.as_str();
        let languages = only(headers, &header::ACCEPT_LANGUAGE)?;
        let codings = only(headers, &header::ACCEPT_ENCODING)?;
        (question.len() + languages.len() + codings.len() <= LONGEST).then_some(Self {
            question,
            languages,
            codings,
        })
    }

    fn keep(self) -> Key {
        Key { question: self.question.into(), languages: self.languages.into(), codings: self.codings.into() }
    }
}

/// The one value of a header, empty if there is none.
fn only<'r>(headers: &'r HeaderMap, name: &HeaderName) -> Option<&'r [u8]> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map_or(&[][..], |value| value.as_bytes());
    values.next().is_none().then_some(value)
}

#[derive(Debug)]
struct Answer {
    edition: Weak<Edition>,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    fn again(&self) -> Response {
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

#[derive(Debug, Clone)]
pub(crate) struct RememberLayer {
    app: App,
    answers: Arc<Cache<Key, Arc<Answer>, Bytesize>>,
    /// Which paths are left to layers further in.
    leaves: fn(&str) -> bool,
}

impl RememberLayer {
    pub(crate) fn new(app: &App, leaves: fn(&str) -> bool) -> Self {
        let items = usize::try_from(ROOM / TYPICAL_ANSWER).unwrap_or(usize::MAX);
        let answers = Arc::new(Cache::with_weighter(items, ROOM, Bytesize));
        Self { app: app.clone(), answers, leaves }
    }

    fn again(&self, request: &Request) -> Option<Response> {
        let kept = self.answers.get(&Asked::of(request)?)?;
        let edition = self.app.catalogue().ok()?;
        (kept.edition.as_ptr() == Arc::as_ptr(&edition)).then(|| kept.again())
    }

    /// The key and the edition under which an answer may be kept.
    fn place(&self, request: &Request) -> Option<(Key, Weak<Edition>)> {
        let key = Asked::of(request)?.keep();
        self.app.catalogue().ok().map(|edition| (key, Arc::downgrade(&edition)))
    }

    fn keep(&self, (key, edition): (Key, Weak<Edition>), response: &mut Response) {
        let lasting = response.extensions_mut().remove::<Lasting>();
        if let Some(Lasting(body)) = lasting.filter(|_| response.status() == StatusCode::OK) {
            let mut headers = response.headers().clone();
            // Room that every copy has too, so that the map does not grow on the way out.
            headers.reserve(MORE_HEADERS);
            let answer = Answer { edition, headers, body };
            self.answers.insert(key, Arc::new(answer));
        }
    }
}

impl<S> Layer<S> for RememberLayer {
    type Service = Remembering<S>;

    fn layer(&self, inner: S) -> Remembering<S> {
        Remembering { inner, layer: self.clone() }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Remembering<S> {
    inner: S,
    layer: RememberLayer,
}

impl<S> Service<Request> for Remembering<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Answering {
        if (self.layer.leaves)(request.uri().path()) {
            return Answering::UnderWay(Box::pin(self.inner.call(request)));
        }
        if let Some(response) = self.layer.again(&request) {
            return Answering::Ready(Some(response));
        }
        let (layer, place) = (self.layer.clone(), self.layer.place(&request));
        let answer = self.inner.call(request);
        Answering::UnderWay(Box::pin(async move {
            let mut response = answer.await?;
            if let Some(place) = place {
                layer.keep(place, &mut response);
            }
            Ok(response)
        }))
    }
}

/// An answer that is there, or one that is being made.
pub(crate) enum Answering {
    Ready(Option<Response>),
    UnderWay(Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>),
}

impl Future for Answering {
    type Output = Result<Response, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Self::Ready(response) => {
                response.take().map_or(Poll::Pending, |response| Poll::Ready(Ok(response)))
            }
            Self::UnderWay(answer) => answer.as_mut().poll(cx),
        }
    }
}
