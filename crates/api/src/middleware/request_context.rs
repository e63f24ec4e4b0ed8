//! The context of every request, whatever its route: an id, and a JSON response even when the handler panics.
//!
//! The listener limits the number of concurrent requests.

use std::{
    convert::Infallible,
    future::{Future, ready},
    net::IpAddr,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use app::{
    App, Error,
    clock::Clock,
    limits::Counters,
    security::{Origin, SecurityEvent, What, within},
};
use axum::{
    extract::Request,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use domain::rate::{Decision, Rules};
use futures_util::FutureExt as _;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use ipnet::IpNet;
use tower::{Layer, Service, ServiceExt as _};
use tracing::Instrument as _;

use super::{answer_cache::AnswerCache, client::ClientAddr, keyed, observe::RequestSpan};
use crate::{ApiError, ApiOptions, error};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const MAX_REQUEST_ID: usize = 128;

/// Shared by all requests of one API.
#[derive(Debug)]
pub struct RequestContext {
    cors_origins: Vec<HeaderValue>,
    clock: Clock,
    /// Records security events.
    app: Option<App>,
    /// The cache of responses.
    answer_cache: Option<AnswerCache>,
    /// Requests per address on routes without a key, if the operator limits them.
    public_limit: Option<(Rules, Counters<IpAddr>)>,
    operations_networks: Vec<IpNet>,
    next_id: AtomicUsize,
    /// Makes request ids of different runs differ.
    run: String,
}

impl RequestContext {
    #[must_use]
    pub fn new(options: &ApiOptions, clock: Clock) -> Self {
        let mut run = [0; 8];
        app::ids::fill_random(&mut run);
        let origins = options.cors_origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
        Self {
            cors_origins: origins.collect(),
            clock,
            app: None,
            answer_cache: None,
            public_limit: options
                .public_per_minute
                .map(|limit| (Rules { standard: limit, burst: limit, ..Rules::V2 }, Counters::default())),
            operations_networks: options.operations_networks.clone(),
            next_id: AtomicUsize::new(0),
            run: format!("{:016x}", u64::from_ne_bytes(run)),
        }
    }

    /// Adds a cache of responses.
    #[must_use]
    pub(crate) fn remembering(self, answer_cache: AnswerCache) -> Self {
        Self { answer_cache: Some(answer_cache), ..self }
    }

    /// Records refusals as security events.
    #[must_use]
    pub(crate) fn noting(self, app: App) -> Self {
        Self { app: Some(app), ..self }
    }

    /// Adds the headers of all responses.
    pub(crate) fn with_headers<B>(&self, request: &Request<B>, response: Response) -> Response {
        let (id, address) = (self.request_id(request.headers()), ClientAddr::of(request.extensions()));
        shared(with_request_id(self.noted(response, address, &id), id), self.cors(request))
    }

    /// Records the security event that a refusal attached to its response.
    fn noted(&self, mut response: Response, address: IpAddr, id: &HeaderValue) -> Response {
        let span = response.extensions_mut().remove::<RequestSpan>();
        if response.status().is_client_error()
            && let Some(app) = &self.app
            && let Some(event) = response.extensions_mut().remove::<SecurityEvent>()
        {
            let _entered = span.as_ref().map(|RequestSpan(span)| span.enter());
            app.note(event.from(address).in_request(id.to_str().unwrap_or_default()));
        }
        response
    }

    /// The caller's own id if it is valid, else a new one.
    fn request_id(&self, headers: &HeaderMap) -> HeaderValue {
        let sane = |value: &&HeaderValue| {
            let bytes = value.as_bytes();
            let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
            !bytes.is_empty() && bytes.len() <= MAX_REQUEST_ID && bytes.iter().all(allowed)
        };
        if let Some(own) = headers.get(REQUEST_ID).filter(sane) {
            return own.clone();
        }
        let number = self.next_id.fetch_add(1, Ordering::Relaxed);
        HeaderValue::from_maybe_shared(Bytes::from(numbered(&self.run, number)))
            .unwrap_or(HeaderValue::from_static("none"))
    }

    /// The response to a request that no route has to handle.
    fn answer_at_once(&self, request: &Request, allowed_origin: bool) -> Option<Response> {
        if allowed_origin && is_preflight(request) {
            return Some(preflight());
        }
        self.over_public_limit(request).or_else(|| self.outside_operations(request))
    }

    /// The response to a client whose network may not read operational data.
    fn outside_operations<B>(&self, request: &Request<B>) -> Option<Response> {
        if self.operations_networks.is_empty() || !is_operational(request.uri().path()) {
            return None;
        }
        let address = ClientAddr::of(request.extensions());
        if self.operations_networks.iter().any(|network| network.contains(&address)) {
            return None;
        }
        let sentence = "operational data is not open to your network: ask the operator";
        let mut response = error::plain(StatusCode::FORBIDDEN, error::Code::Forbidden, sentence);
        response.extensions_mut().insert(SecurityEvent::refused(What::Permission).because("network"));
        Some(response)
    }

    /// Counts a request without a key by its address; the response if the limit is exceeded.
    pub(crate) fn over_public_limit<B>(&self, request: &Request<B>) -> Option<Response> {
        let (rules, counters) = self.public_limit.as_ref().filter(|_| !is_keyed(request.uri().path()))?;
        match counters.admit(rules, ClientAddr::of(request.extensions()), self.clock.now()) {
            Decision::Served { .. } => None,
            Decision::Rejected { limit, retry_after } => {
                let window_seconds = rules.window_seconds();
                let error = Error::Limited { limit, window_seconds, retry_after };
                let mut response = ApiError::App(error).into_response();
                response.extensions_mut().insert(SecurityEvent::refused(What::Limit).because("public"));
                Some(response)
            }
        }
    }

    /// Reference and operational GETs may be called from any origin; keyed routes only from configured origins.
    fn cors<B>(&self, request: &Request<B>) -> Option<HeaderValue> {
        let origin = request.headers().get(header::ORIGIN)?;
        if is_keyed(request.uri().path()) {
            return self.cors_origins.contains(origin).then(|| origin.clone());
        }
        // If only some networks may read it, a page elsewhere must not read it through a browser inside them.
        let closed = !self.operations_networks.is_empty() && is_operational(request.uri().path());
        (!closed).then(|| HeaderValue::from_static("*"))
    }
}

/// `run-number`, the number in hexadecimal digits. Written by hand because every request needs one.
fn numbered(run: &str, number: usize) -> String {
    let digits = (usize::BITS - number.leading_zeros()).div_ceil(4).max(1);
    let mut id = String::with_capacity(run.len() + 1 + digits as usize);
    id.push_str(run);
    id.push('-');
    for place in (0..digits).rev() {
        id.push(char::from(b"0123456789abcdef"[number >> (4 * place) & 0xf]));
    }
    id
}

/// Data about the installation itself. Liveness and readiness are public.
fn is_operational(path: &str) -> bool {
    const OPERATIONAL: [&str; 6] = [
        "/api/health-detailed",
        "/api/health/history",
        "/api/auto-heal/status",
        "/api/errors/500-rate",
        "/api/cron/info",
        "/api/actions/disk-report",
    ];
    OPERATIONAL.contains(&path.strip_suffix('/').unwrap_or(path))
}

fn is_keyed(path: &str) -> bool {
    keyed::tier_of(path).is_some()
}

#[derive(Debug, Clone)]
pub struct RequestContextLayer(Arc<RequestContext>);

impl RequestContextLayer {
    #[must_use]
    pub fn new(context: Arc<RequestContext>) -> Self {
        Self(context)
    }
}

impl<S> Layer<S> for RequestContextLayer {
    type Service = WithRequestContext<S>;

    fn layer(&self, inner: S) -> WithRequestContext<S> {
        WithRequestContext { inner: Arc::new(inner), context: Arc::clone(&self.0) }
    }
}

/// A router clones its services for every request; the inner service is only cloned for requests that reach it.
#[derive(Debug)]
pub struct WithRequestContext<S> {
    inner: Arc<S>,
    context: Arc<RequestContext>,
}

impl<S> Clone for WithRequestContext<S> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), context: Arc::clone(&self.context) }
    }
}

impl<S> Service<Request> for WithRequestContext<S>
where
    S: Service<Request, Error = Infallible> + Clone + Send + 'static,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let id = self.context.request_id(request.headers());
        let cors = self.context.cors(&request);
        let address = ClientAddr::of(request.extensions());
        if let Some(response) = self.context.answer_at_once(&request, cors.is_some()) {
            let response = self.context.noted(response, address, &id);
            return Box::pin(ready(Ok(shared(with_request_id(response, id), cors))));
        }
        let span = tracing::info_span!("request", id = id.to_str().unwrap_or(""), method = %request.method());
        let origin = (!request.method().is_safe())
            .then(|| Origin { address, request: id.to_str().unwrap_or_default().to_owned() });
        let context = Arc::clone(&self.context);
        let begun = S::clone(&self.inner).oneshot(request);
        let answer = async move {
            let mut response = with_request_id(context.noted(catching_panic(begun).await, address, &id), id);
            if let Some(answer_cache) = &context.answer_cache {
                response = answer_cache.keep(response).await;
            }
            Ok(shared(response, cors))
        };
        // Reading causes no event that would need the origin, and is by far the most frequent.
        match origin {
            Some(origin) => Box::pin(within(origin, answer.instrument(span))),
            None => Box::pin(answer.instrument(span)),
        }
    }
}

/// Adds the request id.
fn with_request_id(mut response: Response, id: HeaderValue) -> Response {
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Adds the CORS headers of this origin.
fn shared(mut response: Response, cors: Option<HeaderValue>) -> Response {
    if let Some(origin) = cors {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.append(header::VARY, HeaderValue::from_static("origin"));
    }
    response
}

/// The response of a handler, or a 500 if it panics.
async fn catching_panic<R: IntoResponse>(answer: impl Future<Output = Result<R, Infallible>>) -> Response {
    match AssertUnwindSafe(answer).catch_unwind().await {
        Ok(Ok(response)) => response.into_response(),
        Ok(Err(never)) => match never {},
        Err(_) => {
            tracing::error!("a handler panicked");
            error::internal()
        }
    }
}

fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE");
    let allowed = HeaderValue::from_static(
        "authorization, x-api-key, content-type, idempotency-key, if-match, if-none-match, x-request-id",
    );
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::Body, routing::get};
    use domain::moment::Moment;
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;

    use super::*;

    fn service(options: &ApiOptions) -> Router {
        let clock = Clock::manual(Moment::from_millis(0));
        Router::new()
            .route("/api/boom", get(|| async { panic!("a secret detail") as Response }))
            .route("/api/fine", get(|| async { "fine" }))
            .layer(RequestContextLayer::new(Arc::new(RequestContext::new(options, clock))))
    }

    async fn ask(router: &Router, path: &str) -> (u16, String, String) {
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
        let body = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        (parts.status.as_u16(), parts.headers[REQUEST_ID].to_str().unwrap().to_owned(), body)
    }

    #[test]
    fn request_ids_are_hexadecimal() {
        for number in [0, 1, 0xf, 0x10, 0xabc, 0x1000, usize::MAX] {
            assert_eq!(numbered("run", number), format!("run-{number:x}"));
        }
    }

    #[tokio::test]
    async fn a_panic_is_a_500_that_says_nothing() {
        let (status, id, body) = ask(&service(&ApiOptions::default()), "/api/boom").await;
        assert_eq!((status, body.as_str()), (500, r#"{"error":"internal server error","code":"internal"}"#));
        assert!(!id.is_empty());
    }

    #[tokio::test]
    async fn operational_data_is_for_the_networks_the_operator_names() {
        let ask = async |networks: &[&str], path: &str| {
            let networks = networks.iter().map(|text| text.parse().unwrap()).collect();
            let options = ApiOptions { operations_networks: networks, ..ApiOptions::default() };
            let context = Arc::new(RequestContext::new(&options, Clock::manual(Moment::from_millis(0))));
            let router = Router::new()
                .route("/api/cron/info", get(|| async { "jobs" }))
                .route("/api/health", get(|| async { "well" }))
                .layer(RequestContextLayer::new(context));
            let request = Request::builder().uri(path).header("origin", "https://elsewhere.example");
            let response = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
            (response.status().as_u16(), response.headers().contains_key("access-control-allow-origin"))
        };
        assert_eq!(ask(&[], "/api/cron/info").await, (200, true));
        assert_eq!(ask(&["127.0.0.0/8"], "/api/cron/info").await, (200, false));
        assert_eq!(ask(&["10.0.0.0/8"], "/api/cron/info").await, (403, false));
        assert_eq!(ask(&["10.0.0.0/8"], "/api/health").await, (200, true));
    }

    #[tokio::test]
    async fn public_routes_are_limited_only_where_the_operator_says_so() {
        let limited = service(&ApiOptions { public_per_minute: Some(2), ..ApiOptions::default() });
        let unlimited = service(&ApiOptions::default());
        for expected in [200, 200, 429] {
            assert_eq!(ask(&limited, "/api/fine").await.0, expected);
            assert_eq!(ask(&unlimited, "/api/fine").await.0, 200);
        }
    }
}
