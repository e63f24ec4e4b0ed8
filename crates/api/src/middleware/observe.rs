//! Counts every response by its route template, with its duration.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Instant,
};

use app::{App, traffic::Answered};
use axum::{
    extract::{MatchedPath, Request},
    response::{IntoResponse, Response},
};
use http::{Method, StatusCode};
use tower::{Layer, Service};

/// The outermost layer around the routes of every API.
#[derive(Debug, Clone)]
pub struct ObserveLayer(App);

impl ObserveLayer {
    #[must_use]
    pub fn new(app: &App) -> Self {
        Self(app.clone())
    }
}

impl<S> Layer<S> for ObserveLayer {
    type Service = Observed<S>;

    fn layer(&self, inner: S) -> Observed<S> {
        Observed { inner, app: self.0.clone() }
    }
}

#[derive(Debug, Clone)]
pub struct Observed<S> {
    inner: S,
    app: App,
}

impl<S> Service<Request> for Observed<S>
where
    S: Service<Request, Error = Infallible>,
    S::Response: IntoResponse,
    S::Future: Send + Unpin,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Watched<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let (method, begun) = (request.method().clone(), Instant::now());
        let route = request.extensions().get::<MatchedPath>().cloned();
        Watched { answer: self.inner.call(request), app: self.app.clone(), method, begun, route }
    }
}

/// A pending response.
#[derive(Debug)]
pub struct Watched<F> {
    answer: F,
    app: App,
    method: Method,
    begun: Instant,
    route: Option<MatchedPath>,
}

impl<F, R> Future for Watched<F>
where
    F: Future<Output = Result<R, Infallible>> + Unpin,
    R: IntoResponse,
{
    type Output = Result<Response, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = ready!(Pin::new(&mut self.answer).poll(cx));
        let response = answer.unwrap_or_else(|never| match never {}).into_response();
        measure(&self.app, &self.method, self.route.as_ref(), response.status(), self.begun);
        Poll::Ready(Ok(response))
    }
}

/// Counts a response that is about to be sent.
pub(crate) fn measure(
    app: &App,
    method: &Method,
    route: Option<&MatchedPath>,
    status: StatusCode,
    begun: Instant,
) {
    let (route, status, took) = (route.map(MatchedPath::as_str), status.as_u16(), begun.elapsed());
    tracing::debug!(%method, route, status, millis = took.as_secs_f64() * 1000.0, "answered");
    app.traffic.answered(Answered { method: method.as_str(), route, status, took, at: app.clock.now() });
}
