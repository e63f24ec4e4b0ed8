//! Serves cached responses before any route is matched.

use std::{
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
    time::Instant,
};

use app::{App, limits::Tier};
use axum::{Router, body::HttpBody, response::Response, routing::future::RouteFuture};
use bytes::Bytes;
use futures_util::future::{Either, Ready, ready};
use http::Request;
use tower::{BoxError, Service};

use super::{
    answer_cache::AnswerCache,
    keyed::{KeyedLayer, tier_of},
    observe,
    request_context::RequestContext,
};

/// The whole service, as a listener serves it.
#[derive(Debug, Clone)]
pub struct CachedAnswers {
    shortcut: Arc<Shortcut>,
    router: Router,
}

impl CachedAnswers {
    pub(crate) fn new(
        app: &App,
        answer_cache: AnswerCache,
        context: Arc<RequestContext>,
        router: Router,
    ) -> Self {
        let (v1, v2) = (KeyedLayer::v1(app), KeyedLayer::v2(app));
        Self { shortcut: Arc::new(Shortcut { app: app.clone(), answer_cache, v1, v2, context }), router }
    }
}

/// What is needed to respond without a route.
#[derive(Debug)]
struct Shortcut {
    app: App,
    answer_cache: AnswerCache,
    v1: KeyedLayer,
    v2: KeyedLayer,
    context: Arc<RequestContext>,
}

impl Shortcut {
    /// The response, if everything it needs is in memory: for keyed routes also the key and its count.
    fn answer<B>(&self, request: &Request<B>) -> Option<Response> {
        let begun = Instant::now();
        let kept = self.answer_cache.find(request)?;
        let response = match tier_of(request.uri().path()) {
            None => self.context.over_public_limit(request).unwrap_or_else(|| kept.again()),
            Some(Tier::V1) => self.v1.answer_at_once(request, || kept.again())?,
            Some(Tier::V2) => self.v2.answer_at_once(request, || kept.again())?,
        };
        observe::measure(&self.app, request.method(), kept.route.as_ref(), response.status(), begun);
        Some(self.context.with_headers(request, response))
    }
}

impl<B> Service<Request<B>> for CachedAnswers
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Either<Ready<Result<Response, Infallible>>, RouteFuture<Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        match self.shortcut.answer(&request) {
            Some(response) => Either::Left(ready(Ok(response))),
            None => Either::Right(self.router.call(request)),
        }
    }
}
