//! Key check and request limit of the keyed routes, in one layer: 401, then 429, then the route.

use std::{
    future::Future,
    net::IpAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use app::{
    App, Error,
    authz::KeyHolder,
    limits::Tier,
    security::{SecurityEvent, What},
};
use axum::{
    extract::Request,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use domain::{
    id::{ApiKeyId, TenantId},
    moment::Moment,
    rate::{Decision, Rules},
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use tower::{Layer, Service};

use super::{
    client::ClientAddr,
    write_only::{is_write_only, reduced},
};
use crate::ApiError;

/// The date label of the v1 contract.
const V1_VERSION: HeaderValue = HeaderValue::from_static("2026-11-14");

/// Constants: a name given as text is validated on every request.
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STANDING: HeaderName = HeaderName::from_static("ratelimit");
const VERSION: HeaderName = HeaderName::from_static("x-api-version");

/// The length of the part of a key that may be shown.
const PREFIX: usize = 11;

const BEARER: &[u8] = b"bearer ";

/// The tier of a path; `None` needs no key.
pub(crate) fn tier_of(path: &str) -> Option<Tier> {
    let below =
        |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    // Directories are counted with v1.
    [("/api/v1", Tier::V1), ("/api/v2", Tier::V2), ("/scim/v2", Tier::V1)]
        .into_iter()
        .find(|(root, _)| below(root))
        .map(|(_, tier)| tier)
}

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
        Keyed { inner, layer: Arc::new(self.clone()) }
    }
}

#[derive(Debug, Clone)]
pub struct Keyed<S> {
    inner: S,
    layer: Arc<KeyedLayer>,
}

impl<S> Service<Request> for Keyed<S>
where
    S: Service<Request, Response = Response> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let layer = Arc::clone(&self.layer);
        if let Some(checked) = layer.check_at_once(request.headers(), ClientAddr::of(request.extensions())) {
            let begun = Begun::of(Ok(checked), request, |request| self.inner.call(request));
            return Box::pin(async move { layer.conclude(begun).await });
        }
        // The clone replaces the service that was polled ready.
        let next = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, next);
        Box::pin(async move {
            // The body cannot be shared between threads, so only what is needed is borrowed across the await.
            let address = ClientAddr::of(request.extensions());
            let key = presented(request.headers(), layer.tier);
            let checked = layer.check(key, address).await;
            layer.conclude(Begun::of(checked, request, |request| inner.call(request))).await
        })
    }
}

/// A valid key and the decision on its request, or the refusal.
type Checked = Result<(KeyHolder, Decision), Error>;

/// The state of a request while its response is pending.
enum Begun<F> {
    UnderWay(F, Decision, Holder),
    TooMany { limit: u32, retry_after: u64, holder: Holder },
    Refused(Error, Option<String>),
}

/// The key's owner in security events.
#[derive(Debug, Clone, Copy)]
struct Holder {
    tenant: TenantId,
    key: ApiKeyId,
    /// It may write the resource of the request but not read it.
    write_only: bool,
}

impl Holder {
    fn of(holder: &KeyHolder) -> Self {
        Self { tenant: holder.caller.tenant(), key: holder.key, write_only: false }
    }

    fn refused(self, what: What) -> SecurityEvent {
        SecurityEvent::refused(what).of_tenant(self.tenant).with_key(self.key.to_string())
    }
}

/// The public part of a presented key, if it has the right form; the rest is never repeated.
fn prefix_in(presented: &str) -> Option<String> {
    let key = presented.rsplit(' ').next()?;
    let (prefix, _) = key.split_at_checked(PREFIX)?;
    let public = prefix.strip_prefix("tw_")?;
    public.bytes().all(|byte| byte.is_ascii_alphanumeric()).then(|| prefix.to_owned())
}

/// The response with the security event for the context.
fn noted(mut response: Response, event: SecurityEvent) -> Response {
    response.extensions_mut().insert(event);
    response
}

impl<F> Begun<F> {
    fn of(checked: Checked, mut request: Request, call: impl FnOnce(Request) -> F) -> Self {
        match checked {
            Err(error) => {
                let prefix =
                    request.headers().get(header::AUTHORIZATION).or(request.headers().get("x-api-key"));
                Self::Refused(error, prefix.and_then(|value| prefix_in(value.to_str().ok()?)))
            }
            Ok((holder, Decision::Rejected { limit, retry_after })) => {
                Self::TooMany { limit, retry_after, holder: Holder::of(&holder) }
            }
            Ok((holder, decision)) => {
                let write_only = is_write_only(request.method(), request.uri().path(), &holder.caller);
                let who = Holder { write_only, ..Holder::of(&holder) };
                request.extensions_mut().insert(holder);
                Self::UnderWay(call(request), decision, who)
            }
        }
    }
}

impl KeyedLayer {
    /// The whole check if everything is in memory: a cached key and a local count.
    fn check_at_once(&self, headers: &HeaderMap, address: IpAddr) -> Option<(KeyHolder, Decision)> {
        let (holder, now) = self.known(headers, address)?;
        let decision = self.app.limits.admit_at_once(self.tier, holder.key, now)?;
        Some((holder, decision))
    }

    fn known(&self, headers: &HeaderMap, address: IpAddr) -> Option<(KeyHolder, Moment)> {
        let now = self.app.clock.now();
        Some((self.app.people.known_holder(presented(headers, self.tier)?, address, now)?, now))
    }

    /// A cached response, counted again; `None` if the store has to be queried first.
    pub(crate) fn answer_at_once<B>(
        &self,
        request: &http::Request<B>,
        answer: impl FnOnce() -> Response,
    ) -> Option<Response> {
        let (headers, address) = (request.headers(), ClientAddr::of(request.extensions()));
        let (holder, now) = self.known(headers, address)?;
        // The route checks the scopes of a key, so only a key without scopes is served here.
        if holder.caller.limits().is_some_and(|limits| limits.scopes.is_some()) {
            return None;
        }
        let decision = self.app.limits.admit_at_once(self.tier, holder.key, now)?;
        Some(match decision {
            Decision::Served { remaining, reset } => {
                let mut response = answer();
                set_limit_headers(response.headers_mut(), remaining, reset);
                response
            }
            Decision::Rejected { limit, retry_after } => {
                let response = self.too_many(limit, retry_after, Holder::of(&holder));
                self.stamp(self.count(response, decision))
            }
        })
    }

    async fn check(&self, key: Option<&str>, address: IpAddr) -> Checked {
        let holder = self.app.people.authenticate(key, address).await?;
        let decision = self.app.limits.admit(self.tier, holder.key, self.app.clock.now()).await;
        Ok((holder, decision))
    }

    async fn conclude<E>(
        &self,
        begun: Begun<impl Future<Output = Result<Response, E>>>,
    ) -> Result<Response, E> {
        let (response, decision) = match begun {
            Begun::Refused(error, prefix) => return Ok(self.stamp(refused(error, prefix))),
            Begun::UnderWay(answer, decision, holder) => {
                let mut response = answer.await?;
                if response.status() == StatusCode::FORBIDDEN {
                    response = noted(response, holder.refused(What::Permission));
                }
                if holder.write_only {
                    response = reduced(response).await;
                }
                (response, decision)
            }
            Begun::TooMany { limit, retry_after, holder } => {
                (self.too_many(limit, retry_after, holder), Decision::Rejected { limit, retry_after })
            }
        };
        Ok(self.stamp(self.count(response, decision)))
    }
}

/// An invalid key, or too many of them. An error of the store is no security event.
fn refused(error: Error, prefix: Option<String>) -> Response {
    let reason = match &error {
        Error::WrongNetwork(tenant, key) => {
            let event = SecurityEvent::refused(What::ApiKey).of_tenant(*tenant).with_key(key.to_string());
            return noted(ApiError::App(error).into_response(), event.because("network"));
        }
        Error::Unauthenticated => "unknown",
        Error::Limited { .. } => "too_many",
        _ => return ApiError::App(error).into_response(),
    };
    let event = SecurityEvent { key: prefix, ..SecurityEvent::refused(What::ApiKey).because(reason) };
    noted(ApiError::App(error).into_response(), event)
}

impl KeyedLayer {
    fn rules(&self) -> &Rules {
        self.app.limits.rules.of(self.tier)
    }

    fn too_many(&self, limit: u32, retry_after: u64, holder: Holder) -> Response {
        let window_seconds = self.rules().window_seconds();
        let error = Error::Limited { limit, window_seconds, retry_after };
        noted(ApiError::App(error).into_response(), holder.refused(What::Limit))
    }

    /// Adds the rate limit headers to every response.
    fn count(&self, mut response: Response, decision: Decision) -> Response {
        let rules = self.rules();
        let (limit, remaining, reset) = match decision {
            Decision::Served { remaining, reset } => (rules.standard, remaining, reset),
            Decision::Rejected { limit, retry_after } => (limit, 0, retry_after),
        };
        let headers = response.headers_mut();
        headers.insert(LIMIT, HeaderValue::from(limit));
        headers.insert(POLICY, self.policy.clone());
        set_limit_headers(headers, remaining, reset);
        response
    }

    fn stamp(&self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        if self.tier == Tier::V1 {
            headers.insert(VERSION, V1_VERSION);
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

/// `"standard";r=REMAINING;t=RESET`, and the two numbers separately. Every response needs them and formatting is
/// expensive, so all three share one text.
fn set_limit_headers(headers: &mut HeaderMap, remaining: u32, reset: u64) {
    const BEFORE: &str = "\"standard\";r=";
    const BETWEEN: &str = ";t=";
    let mut digits = itoa::Buffer::new();
    let mut text = String::with_capacity(48);
    text.push_str(BEFORE);
    text.push_str(digits.format(remaining));
    let end = text.len();
    text.push_str(BETWEEN);
    text.push_str(digits.format(reset));
    let text = Bytes::from(text);
    let parts =
        [(REMAINING, BEFORE.len()..end), (RESET, end + BETWEEN.len()..text.len()), (STANDING, 0..text.len())];
    for (name, range) in parts {
        // Digits and punctuation are always valid in a header.
        if let Ok(value) = HeaderValue::from_maybe_shared(text.slice(range)) {
            headers.insert(name, value);
        }
    }
}

/// The key of a request. `Authorization` takes precedence if both headers are sent; a query is never read.
fn presented(headers: &HeaderMap, tier: Tier) -> Option<&str> {
    match headers.get(header::AUTHORIZATION) {
        Some(value) => {
            let (scheme, key) = value.as_bytes().split_at_checked(BEARER.len())?;
            let key = scheme.eq_ignore_ascii_case(BEARER).then_some(key)?;
            std::str::from_utf8(key).ok().map(str::trim)
        }
        None if tier == Tier::V1 => headers.get("x-api-key")?.to_str().ok(),
        None => None,
    }
}
