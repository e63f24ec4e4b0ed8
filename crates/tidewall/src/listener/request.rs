//! One request between the HTTP library and the router: checks its client, the capacity and its deadline.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{Arc, atomic::Ordering},
};

use api::ClientAddr;
use app::patience::Patience;
use axum::body::Body;
use http::{HeaderValue, Request, Response, StatusCode, Version, header::CONNECTION};
use hyper::body::{Body as _, Incoming};
use tokio::time::{Instant, sleep_until};
use tower::{Service, ServiceExt as _};

use super::{
    TrustedProxies,
    body::{OpenRequest, RequestBody, ResponseBody, Stalled},
    capacity::Capacity,
    clock::ConnectionClock,
    headers::protect,
    host::{self, AllowedHosts, BadHost, head_bytes},
    limits::Limits,
    refusal::{Refusal, own_request_id},
};
use crate::lifecycle::{Phase, Shutdown};

/// The bounds of a router.
pub trait Router:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> Router for S where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static
{
}

/// Shared by all connections of a listener.
pub(super) struct Shared<R> {
    pub(super) router: R,
    pub(super) limits: Limits,
    pub(super) proxies: TrustedProxies,
    pub(super) capacity: Capacity,
    /// Paths that are served even over capacity, so that a busy process is not taken for a dead one.
    pub(super) never_shed: &'static [&'static str],
    pub(super) hosts: AllowedHosts,
    pub(super) https: bool,
    pub(super) shutdown: Shutdown,
}

/// Shared by all requests of a connection.
pub(super) struct Connection<R> {
    pub(super) shared: Arc<Shared<R>>,
    pub(super) clock: Arc<ConnectionClock>,
    pub(super) peer: SocketAddr,
    /// The connection is beyond the limit: every request on it is refused.
    pub(super) surplus: bool,
}

impl<R: Router> Connection<R> {
    pub(super) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
    ) -> Result<Response<ResponseBody>, Infallible> {
        let http1 = request.version() < Version::HTTP_2;
        let id = self.clock.begin(!http1);
        let open = OpenRequest::new(id, Arc::clone(&self.clock));
        let slot = self.shared.capacity.take();
        let mut response = if self.surplus {
            self.refuse(Refusal::Connections, &request)
        } else if slot.is_none() && !self.shared.never_shed.contains(&request.uri().path()) {
            self.refuse(Refusal::InFlight, &request)
        } else if let Some(refusal) = self.objection(&request) {
            self.refuse(refusal, &request)
        } else {
            self.route(request, id).await
        };
        protect(response.headers_mut(), self.shared.https);
        if http1 && self.shared.shutdown.phase() > Phase::Running {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        Ok(response.map(|body| ResponseBody::new(body, open, slot)))
    }

    /// What is wrong with the headers of a request, if anything. Probes are served whatever host they name.
    fn objection(&self, request: &Request<Incoming>) -> Option<Refusal> {
        let most = usize::try_from(self.shared.limits.max_header_bytes).unwrap_or(usize::MAX);
        if head_bytes(request) > most {
            return Some(Refusal::Malformed(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE));
        }
        match host::check(request, &self.shared.hosts) {
            Ok(()) => None,
            Err(BadHost::NotOne) => Some(Refusal::Host),
            Err(BadHost::NotOurs) if self.shared.never_shed.contains(&request.uri().path()) => None,
            Err(BadHost::NotOurs) => Some(Refusal::OtherHost),
        }
    }

    fn refuse(&self, refusal: Refusal, request: &Request<Incoming>) -> Response<Body> {
        if !request.body().is_end_stream() {
            self.clock.leave_unread();
        }
        refusal.answer(own_request_id(request.headers()), request.version())
    }

    async fn route(&self, request: Request<Incoming>, id: u64) -> Response<Body> {
        let (version, own_id) = (request.version(), own_request_id(request.headers()));
        let (request, stalled) = self.prepared(request);
        let clock = Arc::clone(&self.clock);
        let patience = Patience::new(move |by| clock.prolong(id, by));
        let has_stalled = || stalled.as_ref().is_some_and(|stalled| stalled.load(Ordering::Relaxed));
        let refusal = tokio::select! {
            biased;
            answer = patience.serve(self.shared.router.clone().oneshot(request)) => match answer {
                Ok(_) if has_stalled() => Refusal::Body,
                Ok(response) => return response,
                Err(never) => match never {},
            },
            () = self.overdue(id) => Refusal::Total,
            () = self.shared.shutdown.reached(Phase::Ending) => Refusal::Ending,
        };
        refusal.answer(own_id, version)
    }

    /// Ends when the response is overdue. Until then it may be given more time.
    async fn overdue(&self, id: u64) {
        let mut due = self.clock.due(id);
        while Instant::now() < due {
            sleep_until(due).await;
            due = self.clock.due(id);
        }
    }

    /// The request for the router: with the client's address, and a body that cannot stall for ever.
    fn prepared(&self, request: Request<Incoming>) -> (Request<Body>, Option<Stalled>) {
        let client = self.shared.proxies.client(self.peer, request.headers());
        let (mut head, body) = request.into_parts();
        head.extensions.insert(ClientAddr(client));
        if body.is_end_stream() {
            return (Request::from_parts(head, Body::empty()), None);
        }
        let (stalled, clock) = (Stalled::default(), Arc::clone(&self.clock));
        let body = RequestBody::new(body, self.shared.limits.body, Arc::clone(&stalled), clock);
        (Request::from_parts(head, Body::new(body)), Some(stalled))
    }
}
