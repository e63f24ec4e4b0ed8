//! Counts every answer by its route template, and how long it took.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use app::{App, traffic::Answered};
use axum::{
    extract::{MatchedPath, Request},
    response::{IntoResponse, Response},
};
use tower::{Layer, Service};

/// Outermost on every surface.
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
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let (method, begun) = (request.method().clone(), Instant::now());
        let route = request.extensions().get::<MatchedPath>().cloned();
        let (answer, app) = (self.inner.call(request), self.app.clone());
        Box::pin(async move {
            let response = answer.await?.into_response();
            let (status, took) = (response.status().as_u16(), begun.elapsed());
            let route = route.as_ref().map(MatchedPath::as_str);
            tracing::debug!(%method, route, status, millis = took.as_secs_f64() * 1000.0, "answered");
            app.traffic.answered(Answered {
                method: method.as_str(),
                route,
                status,
                took,
                at: app.clock.now(),
            });
            Ok(response)
        })
    }
}
