//! In front of all routes: a question that was answered before is answered again without asking any of them.

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
    envelope::Envelope,
    keyed::{KeyedLayer, tier_of},
    observe,
    remember::Memory,
};

/// The whole service, as a listener serves it.
#[derive(Debug, Clone)]
pub struct Front {
    shortcut: Arc<Shortcut>,
    router: Router,
}

impl Front {
    pub(crate) fn new(app: &App, memory: Memory, envelope: Arc<Envelope>, router: Router) -> Self {
        let (v1, v2) = (KeyedLayer::v1(app), KeyedLayer::v2(app));
        Self { shortcut: Arc::new(Shortcut { app: app.clone(), memory, v1, v2, envelope }), router }
    }
}

/// What it takes to answer without a route.
#[derive(Debug)]
struct Shortcut {
    app: App,
    memory: Memory,
    v1: KeyedLayer,
    v2: KeyedLayer,
    envelope: Arc<Envelope>,
}

impl Shortcut {
    /// The answer, if everything it takes is in memory: in the keyed tiers also the key and its count.
    fn answer<B>(&self, request: &Request<B>) -> Option<Response> {
        let begun = Instant::now();
        let kept = self.memory.find(request)?;
        let response = match tier_of(request.uri().path()) {
            None => self.envelope.over_public_limit(request).unwrap_or_else(|| kept.again()),
            Some(Tier::V1) => self.v1.answer_at_once(request, || kept.again())?,
            Some(Tier::V2) => self.v2.answer_at_once(request, || kept.again())?,
        };
        observe::tell(&self.app, request.method(), kept.route.as_ref(), response.status(), begun);
        Some(self.envelope.dressed(request, response))
    }
}

impl<B> Service<Request<B>> for Front
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
