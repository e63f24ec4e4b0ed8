//! A listener on a free port with a small router behind it.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use api::ClientAddr;
use app::patience;
use axum::{
    Extension, Router,
    body::{Body, Bytes},
    extract::Request,
    middleware::{self, Next},
    routing::{get, post},
};
use testkit::until;
use tidewall::{
    lifecycle::{Phase, Shutdown, ShutdownSwitch},
    listener::{AllowedHosts, Limits, Listener, ListenerOptions, TrustedProxies},
};
use tokio::{net::TcpStream, sync::Semaphore, task::JoinHandle};

use super::client::Client;

/// The length of the response to `/large`.
pub(crate) const LARGE: usize = 64 << 20;

/// Limits short enough to wait for.
pub(crate) fn limits() -> Limits {
    Limits {
        first_byte: Duration::from_millis(400),
        header: Duration::from_millis(600),
        body: Duration::from_millis(500),
        total: Duration::from_millis(1500),
        idle: Duration::from_millis(900),
        max_connections: 100,
        max_in_flight: 100,
        max_header_bytes: 8192,
        http2: false,
    }
}

pub(crate) fn options(limits: Limits) -> ListenerOptions {
    ListenerOptions {
        limits,
        proxies: TrustedProxies::default(),
        tls: None,
        never_shed: &["/alive", "/begun"],
        hosts: AllowedHosts::default(),
        https: false,
    }
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) switch: ShutdownSwitch,
    pub(crate) serving: JoinHandle<()>,
    /// Lets requests to `/gate` through, one for each permit.
    pub(crate) gate: Arc<Semaphore>,
}

impl Server {
    pub(crate) fn start(options: ListenerOptions) -> Self {
        let (switch, shutdown) = Shutdown::new();
        let listener = Listener::bind("127.0.0.1:0".parse().unwrap(), options).unwrap();
        let (address, gate) = (listener.address(), Arc::new(Semaphore::new(0)));
        let serving = tokio::spawn(listener.serve(router(Arc::clone(&gate)), shutdown));
        Self { address, switch, serving, gate }
    }

    pub(crate) fn with_limits(limits: Limits) -> Self {
        Self::start(options(limits))
    }

    /// Drains and waits for the end.
    pub(crate) async fn stop(self) {
        self.switch.advance(Phase::Draining);
        tokio::time::timeout(Duration::from_secs(5), self.serving).await.expect("ends in time").unwrap();
    }
}

/// Waits until the server works on so many requests to the routes that take their time.
pub(crate) async fn works_on(address: SocketAddr, requests: usize) {
    let requests = requests.to_string();
    until("the server has the requests", async || Client::get(address, "/begun").await.body == requests)
        .await;
}

/// Waits until the listener is closed. By then, open connections know of the end as well.
pub(crate) async fn refuses(address: SocketAddr) {
    until("the listener is closed", async || TcpStream::connect(address).await.is_err()).await;
}

pub(crate) fn router(gate: Arc<Semaphore>) -> Router {
    // One for all requests.
    let large = Bytes::from(vec![b'x'; LARGE]);
    let begun = Arc::new(AtomicUsize::new(0));
    Router::new()
        .route("/", get(|| async { "hello" }))
        .route("/alive", get(|| async { "alive" }))
        .route("/who", get(|Extension(client): Extension<ClientAddr>| async move { client.0.to_string() }))
        .route("/echo", post(|body: Bytes| async move { body }))
        .route("/ignore", post(|| async { (http::StatusCode::PAYLOAD_TOO_LARGE, "too large") }))
        .route(
            "/import",
            get(|| async {
                patience::for_import();
                tokio::time::sleep(limits().total * 2).await;
                "imported"
            }),
        )
        .route("/large", get(move || std::future::ready(Body::from(large.clone()))))
        .merge(lasting(gate, Arc::clone(&begun)))
        .route("/begun", get(move || std::future::ready(begun.load(Ordering::Acquire).to_string())))
}

/// The routes that take their time, and a count of the requests to them.
fn lasting(gate: Arc<Semaphore>, begun: Arc<AtomicUsize>) -> Router {
    Router::new()
        .route("/never", get(std::future::pending::<String>))
        .route(
            "/sleep",
            get(|| async {
                tokio::time::sleep(Duration::from_millis(700)).await;
                "slept"
            }),
        )
        .route(
            "/gate",
            get(move || {
                let gate = Arc::clone(&gate);
                async move {
                    gate.acquire().await.unwrap().forget();
                    "through"
                }
            }),
        )
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            begun.fetch_add(1, Ordering::AcqRel);
            next.run(request)
        }))
}
