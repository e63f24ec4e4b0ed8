//! Key check and request limit of the keyed tiers, in one layer: 401, then 429, then the route.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use app::{App, Error, limits::Tier};
use axum::{
    extract::Request,
    response::{IntoResponse, Response},
};
use domain::rate::{Decision, Rules};
use http::{HeaderMap, HeaderValue, header};
use tower::{Layer, Service};

use super::client::ClientAddr;
use crate::ApiError;

/// The date label of the v1 contract.
const V1_VERSION: HeaderValue = HeaderValue::from_static("2026-11-14");

#[derive(Debug, Clone)]
pub struct KeyedLayer {
    app: App,
    tier: Tier,
    /// `RateLimit-Policy` never changes while the service runs.
    policy: HeaderValue,
}

impl KeyedLayer {
    #[must_use]
    pub fn v1(app: &App) -> Self {
        Self::new(app, Tier::V1)
    }

    #[must_use]
    pub fn v2(app: &App) -> Self {
        Self::new(app, Tier::V2)
    }

    fn new(app: &App, tier: Tier) -> Self {
        let policy = policy(app.limits.rules.of(tier));
        Self { app: app.clone(), tier, policy }
    }
}

fn policy(rules: &Rules) -> HeaderValue {
    let window = rules.window_seconds();
    let mut text = format!("\"standard\";q={};w={window}", rules.standard);
    if rules.burst > rules.standard {
        text = format!("{text}, \"burst\";q={};w={window}", rules.burst);
    }
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

impl<S> Layer<S> for KeyedLayer {
    type Service = Keyed<S>;

    fn layer(&self, inner: S) -> Keyed<S> {
        Keyed { inner, layer: self.clone() }
    }
}

#[derive(Debug, Clone)]
pub struct Keyed<S> {
    inner: S,
    layer: KeyedLayer,
}

impl<S> Service<Request> for Keyed<S>
where
    S: Service<Request, Response = Response> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        // The clone takes the place of the service that was polled ready.
        let next = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, next);
        let layer = self.layer.clone();
        Box::pin(async move {
            // The body cannot be shared between threads, so only what is needed is borrowed across the wait.
            let address = ClientAddr::of(request.extensions());
            let key = presented(request.headers(), layer.tier);
            let holder = match layer.app.authenticate(key, address).await {
                Ok(holder) => holder,
                Err(error) => return Ok(layer.stamp(ApiError::App(error).into_response())),
            };
            let decision = layer.app.limits.admit(layer.tier, holder.key, layer.app.clock.now());
            let response = match decision {
                Decision::Served { .. } => {
                    request.extensions_mut().insert(holder);
                    inner.call(request).await?
                }
                Decision::Rejected { limit, retry_after } => {
                    let window_seconds = layer.rules().window_seconds();
                    ApiError::App(Error::Limited { limit, window_seconds, retry_after }).into_response()
                }
            };
            Ok(layer.stamp(layer.count(response, decision)))
        })
    }
}

impl KeyedLayer {
    fn rules(&self) -> &Rules {
        self.app.limits.rules.of(self.tier)
    }

    /// Tells the caller where it stands, on every answer.
    fn count(&self, mut response: Response, decision: Decision) -> Response {
        let rules = self.rules();
        let (limit, remaining, reset) = match decision {
            Decision::Served { remaining, reset } => (rules.standard, remaining, reset),
            Decision::Rejected { limit, retry_after } => (limit, 0, retry_after),
        };
        let headers = response.headers_mut();
        headers.insert("x-ratelimit-limit", HeaderValue::from(limit));
        headers.insert("x-ratelimit-remaining", HeaderValue::from(remaining));
        headers.insert("x-ratelimit-reset", HeaderValue::from(reset));
        headers.insert("ratelimit-policy", self.policy.clone());
        if let Ok(standing) = HeaderValue::from_str(&format!("\"standard\";r={remaining};t={reset}")) {
            headers.insert("ratelimit", standing);
        }
        response
    }

    fn stamp(&self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        if self.tier == Tier::V1 {
            headers.insert("x-api-version", V1_VERSION);
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        response
    }
}

/// The key a request presents. `Authorization` decides where both headers are sent; a query is never read.
fn presented(headers: &HeaderMap, tier: Tier) -> Option<&str> {
    match headers.get(header::AUTHORIZATION) {
        Some(value) => {
            let (scheme, key) = value.to_str().ok()?.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
        }
        None if tier == Tier::V1 => headers.get("x-api-key")?.to_str().ok(),
        None => None,
    }
}
