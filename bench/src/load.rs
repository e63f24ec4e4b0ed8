//! A load generator and a plain server on loopback: the same for the measured service and for its ceiling.
//!
//! Clients keep a number of connections busy, each with one request at a time, and share the machine's cores with the
//! server. So a rate includes the work of both, and a latency includes waiting for earlier requests.

use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Instant};

use axum::{Router, response::Response, routing::get};
use bytes::Bytes;
use http::Request;
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use tower::Service;

use crate::{
    answer,
    report::{Report, Target, median},
};

/// Where findings are listed and created.
pub(crate) const FINDINGS: &str = "/api/v1/findings";
const FINDING: &str = r#"{"title":"Access of a former employee to the payments gateway","severity":"high",
    "description":"Seen in the yearly review of rights; the account is unused.","owner":"Anna Brandt",
    "affected_asset":"payments-gateway"}"#;

/// The default number of requests on each connection.
const FEW: usize = 4;

/// Serves a service without any middleware.
pub(crate) async fn serve<S>(service: S) -> SocketAddr
where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            let service = TowerToHyperService::new(service.clone());
            tokio::spawn(async move {
                let _ =
                    Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    address
}

/// Serves a bare route that responds with these bytes.
pub(crate) async fn serve_bytes(path: &str, body: Bytes) -> SocketAddr {
    serve(Router::new().route(path, get(move || async move { body }))).await
}

/// The server, the requests, and their number in one round.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) address: SocketAddr,
    pub(crate) requests: Arc<Vec<String>>,
    pub(crate) connections: usize,
    /// Requests on each connection, taking turns through `requests`.
    pub(crate) times: usize,
}

impl Side {
    pub(crate) fn new(address: SocketAddr, requests: Vec<String>) -> Self {
        Self { address, requests: Arc::new(requests), connections: 16, times: FEW }
    }

    /// With as many requests as take about this many seconds.
    pub(crate) async fn lasting(self, seconds: f64) -> Self {
        let few = Self { times: FEW, ..self };
        let enough = seconds * few.drive().await.per_second / few.connections as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded")]
        let times = enough.clamp(2.0, 2000.0) as usize;
        Self { times, ..few }
    }

    pub(crate) async fn drive(&self) -> Pace {
        let started = Instant::now();
        let clients = (0..self.connections).map(|number| {
            let side = self.clone();
            tokio::spawn(async move { side.one_client(number).await })
        });
        let mut micros = Vec::with_capacity(self.connections * self.times);
        for client in clients.collect::<Vec<_>>() {
            micros.extend(client.await.unwrap());
        }
        let per_second = micros.len() as f64 / started.elapsed().as_secs_f64();
        micros.sort_by(f64::total_cmp);
        let (p50, p99) = (micros[micros.len() / 2], micros[micros.len() * 99 / 100]);
        Pace { per_second, p50, p99, tail: p99 / p50 }
    }

    /// How many microseconds each request took.
    async fn one_client(&self, number: usize) -> Vec<f64> {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let mut buffer = Vec::with_capacity(64 * 1024);
        let mut micros = Vec::with_capacity(self.times);
        let first = number * self.times % self.requests.len();
        for request in self.requests.iter().cycle().skip(first).take(self.times) {
            let asked = Instant::now();
            exchange(&mut stream, request, &mut buffer).await;
            micros.push(asked.elapsed().as_secs_f64() * 1e6);
        }
        micros
    }
}

/// The result of a side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) per_second: f64,
    /// Microseconds that half of the requests and that 99 of 100 did not exceed.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    /// The second to the first.
    pub(crate) tail: f64,
}

impl Pace {
    pub(crate) fn middle(rounds: &[Self]) -> Self {
        let of = |figure: fn(&Self) -> f64| median(rounds.iter().map(figure).collect());
        Self {
            per_second: of(|r| r.per_second),
            p50: of(|r| r.p50),
            p99: of(|r| r.p99),
            tail: of(|r| r.tail),
        }
    }
}

/// Rounds of every side in turn; the median of each.
pub(crate) async fn in_turns<const N: usize>(rounds: usize, sides: [&Side; N]) -> [Pace; N] {
    let mut paces: [Vec<Pace>; N] = std::array::from_fn(|_| Vec::with_capacity(rounds));
    for _ in 0..rounds {
        for (side, taken) in sides.iter().zip(&mut paces) {
            taken.push(side.drive().await);
        }
    }
    paces.map(|rounds| Pace::middle(&rounds))
}

/// A report line for the ratio of the 99th percentile to the median.
pub(crate) fn add_tail(report: &mut Report, what: &str, pace: &Pace, ceiling: &Pace) {
    let note = format!(
        "p50 {:.0} µs, p99 {:.0} µs; the bare route {:.1} × ({:.0} and {:.0} µs)",
        pace.p50, pace.p99, ceiling.tail, ceiling.p50, ceiling.p99
    );
    report.add(&format!("{what}, p99/p50"), pace.tail, "×", Target::AtMost(3.0), note);
}

/// Sends one request and reads its response.
pub(crate) async fn exchange(stream: &mut TcpStream, request: &str, buffer: &mut Vec<u8>) {
    stream.write_all(request.as_bytes()).await.unwrap();
    read_answer(stream, buffer).await;
}

/// Reads one response; any status but 200 and 201 stops the benchmark.
async fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) {
    buffer.clear();
    loop {
        let read = stream.read_buf(buffer).await.unwrap();
        assert!(read > 0, "the server hung up");
        if answer::is_whole(buffer) {
            return;
        }
    }
}

/// The body of the answer to one request.
pub(crate) async fn body_of(address: SocketAddr, request: &str) -> Bytes {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut buffer = Vec::new();
    read_answer(&mut stream, &mut buffer).await;
    answer::body(&buffer).into()
}

/// A request with a key.
pub(crate) fn get_with(key: &str, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\r\n")
}

/// A request with a key and a JSON body.
pub(crate) fn post_with(key: &str, path: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// A request that creates a finding.
pub(crate) fn new_finding(key: &str) -> String {
    post_with(key, FINDINGS, FINDING)
}
