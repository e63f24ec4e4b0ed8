//! Counts every response by its route template, with its duration.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Instant,
};

use app::{App, exports::SPANS, traffic::Answered};
use axum::{
    extract::{MatchedPath, Request},
    response::{IntoResponse, Response},
};
use http::{Method, StatusCode};
use tower::{Layer, Service};
use tracing::{Span, field::Empty};

/// Makes a span part of the trace that a client names in the header `traceparent`.
pub type ContinueTrace = fn(&Span, &str);

/// The outermost layer around the routes of every API.
#[derive(Debug, Clone)]
pub struct ObserveLayer(App, Option<ContinueTrace>);

/// The span of the trace of a request, in the extensions of its response, for what is noted about it afterwards.
#[derive(Debug, Clone)]
pub(crate) struct RequestSpan(pub(crate) Span);

impl ObserveLayer {
    #[must_use]
    pub fn new(app: &App, continue_trace: Option<ContinueTrace>) -> Self {
        Self(app.clone(), continue_trace)
    }
}

impl<S> Layer<S> for ObserveLayer {
    type Service = Observed<S>;

    fn layer(&self, inner: S) -> Observed<S> {
        Observed { inner, app: self.0.clone(), continue_trace: self.1 }
    }
}

#[derive(Debug, Clone)]
pub struct Observed<S> {
    inner: S,
    app: App,
    continue_trace: Option<ContinueTrace>,
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
        let span = span(&request, route.as_ref());
        if let Some((continue_trace, parent)) = self.continue_trace.zip(request.headers().get(TRACEPARENT))
            && !span.is_disabled()
            && let Ok(parent) = parent.to_str()
        {
            continue_trace(&span, parent);
        }
        let answer = span.in_scope(|| self.inner.call(request));
        Watched { answer, app: self.app.clone(), method, begun, route, span }
    }
}

const TRACEPARENT: &str = "traceparent";

/// The span of a request. Without traces it is made of nothing.
fn span(request: &Request, route: Option<&MatchedPath>) -> Span {
    let (method, route) = (request.method().as_str(), route.map(MatchedPath::as_str));
    tracing::info_span!(
        target: SPANS,
        "request",
        otel.name = [method, route.unwrap_or_default()].join(" ").trim_end(),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
    )
}

/// A pending response.
#[derive(Debug)]
pub struct Watched<F> {
    answer: F,
    app: App,
    method: Method,
    begun: Instant,
    route: Option<MatchedPath>,
    span: Span,
}

impl<F, R> Future for Watched<F>
where
    F: Future<Output = Result<R, Infallible>> + Unpin,
    R: IntoResponse,
{
    type Output = Result<Response, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let watched = &mut *self;
        let _entered = watched.span.enter();
        let answer = ready!(Pin::new(&mut watched.answer).poll(cx));
        let mut response = answer.unwrap_or_else(|never| match never {}).into_response();
        measure(&watched.app, &watched.method, watched.route.as_ref(), response.status(), watched.begun);
        if !watched.span.is_disabled() {
            end(&watched.span, &mut response);
        }
        Poll::Ready(Ok(response))
    }
}

/// Completes the span of a request.
fn end(span: &Span, response: &mut Response) {
    span.record("http.response.status_code", i64::from(response.status().as_u16()));
    if response.status().is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    response.extensions_mut().insert(RequestSpan(span.clone()));
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
