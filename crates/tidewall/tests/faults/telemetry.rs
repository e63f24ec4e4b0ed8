//! Export of traces, log lines and metrics: a collector gets them, and one that is away delays nothing.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    routing::post,
};
use http::{HeaderMap, StatusCode};
use opentelemetry_proto::tonic::{
    collector::{
        logs::v1::ExportLogsServiceRequest, metrics::v1::ExportMetricsServiceRequest,
        trace::v1::ExportTraceServiceRequest,
    },
    common::v1::{KeyValue, any_value},
    logs::v1::LogRecord,
    trace::v1::Span,
};
use prost::Message as _;
use tokio::net::TcpListener;

use app::clock::Clock;

use super::{
    clock::clock_off_by,
    service::{Service, client},
};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// What the collector has received so far.
#[derive(Default)]
struct Received {
    /// What it answers.
    status: StatusCode,
    spans: Vec<Span>,
    /// Each with the target of the line.
    logs: Vec<(String, LogRecord)>,
    /// The names of the metrics that were sent last.
    metrics: BTreeSet<String>,
    authorizations: BTreeSet<String>,
    requests: usize,
}

#[derive(Clone)]
struct Collector {
    received: Arc<Mutex<Received>>,
    port: u16,
}

impl Collector {
    async fn answering(status: StatusCode) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let received = Arc::new(Mutex::new(Received { status, ..Received::default() }));
        let router = Router::new().route("/v1/{signal}", post(take)).with_state(Arc::clone(&received));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { received, port }
    }

    fn read<T>(&self, read: impl FnOnce(&Received) -> T) -> T {
        read(&self.received.lock().unwrap())
    }

    /// Waits until the collector has received something.
    async fn until<T>(&self, what: &str, found: impl Fn(&Received) -> Option<T>) -> T {
        for _ in 0..6_000 {
            if let Some(found) = self.read(&found) {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("never: {what}");
    }
}

async fn take(
    State(received): State<Arc<Mutex<Received>>>,
    Path(signal): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let mut received = received.lock().unwrap();
    received.requests += 1;
    let authorization = headers.get("authorization").map_or("none", |value| value.to_str().unwrap());
    received.authorizations.insert(authorization.to_owned());
    if received.status != StatusCode::OK {
        return received.status;
    }
    match signal.as_str() {
        "traces" => {
            let request = ExportTraceServiceRequest::decode(body).unwrap();
            let scopes = request.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
            received.spans.extend(scopes.flat_map(|scope| scope.spans));
        }
        "logs" => {
            let request = ExportLogsServiceRequest::decode(body).unwrap();
            for scope in request.resource_logs.into_iter().flat_map(|resource| resource.scope_logs) {
                let target = scope.scope.map(|scope| scope.name).unwrap_or_default();
                received.logs.extend(scope.log_records.into_iter().map(|record| (target.clone(), record)));
            }
        }
        "metrics" => {
            let request = ExportMetricsServiceRequest::decode(body).unwrap();
            let scopes = request.resource_metrics.into_iter().flat_map(|resource| resource.scope_metrics);
            received.metrics = scopes.flat_map(|scope| scope.metrics).map(|metric| metric.name).collect();
        }
        other => panic!("{other} is no signal"),
    }
    StatusCode::OK
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn attribute(attributes: &[KeyValue], name: &str) -> Option<String> {
    let found = attributes.iter().find(|attribute| attribute.key == name)?;
    match found.value.clone()?.value? {
        any_value::Value::StringValue(text) => Some(text),
        any_value::Value::IntValue(number) => Some(number.to_string()),
        other => Some(format!("{other:?}")),
    }
}

async fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

/// A service that sends to a collector on this port, with its own port for metrics.
async fn service(port: u16) -> (Service, String) {
    exporting(Service::new(), port).await
}

async fn exporting(mut service: Service, port: u16) -> (Service, String) {
    let operator = free_port().await;
    service.set("TIDEWALL_TELEMETRY__OTLP", &format!("http://127.0.0.1:{port}"));
    service.set("TIDEWALL_TELEMETRY__AUTHORIZATION", "Bearer hunter2");
    service.set("TIDEWALL_TELEMETRY__METRICS_EVERY", "1s");
    service.set("TIDEWALL_OPERATOR__LISTEN", &format!("127.0.0.1:{operator}"));
    (service, format!("http://127.0.0.1:{operator}/metrics"))
}

fn key(service: &Service) -> String {
    key_to(service, "read")
}

fn key_to(service: &Service, permissions: &str) -> String {
    let arguments = ["key", "create", "--tenant", "north", "--name", "r", "--permissions", permissions];
    let said = service.verb(&arguments);
    let key = said.lines().find_map(|line| line.split_whitespace().find(|word| word.starts_with("tw_")));
    key.unwrap().to_owned()
}

async fn get(service: &Service, key: &str, path: &str, traceparent: Option<String>) -> u16 {
    let mut request = client(key).get(service.url(path));
    if let Some(traceparent) = traceparent {
        request = request.header("traceparent", traceparent);
    }
    request.send().await.unwrap().status().as_u16()
}

/// The names of the families that have a sample.
async fn scraped(url: &str) -> BTreeSet<String> {
    let text = client("").get(url).send().await.unwrap().text().await.unwrap();
    let mut names = BTreeSet::new();
    let mut family = "";
    for line in text.lines() {
        if let Some(named) = line.strip_prefix("# TYPE ") {
            family = named.split(' ').next().unwrap();
        } else if !line.starts_with('#') {
            names.insert(family.to_owned());
        }
    }
    names
}

/// The value of a sample.
async fn sample(url: &str, sample: &str) -> f64 {
    let text = client("").get(url).send().await.unwrap().text().await.unwrap();
    let value =
        text.lines().find_map(|line| line.strip_prefix(sample)).unwrap_or_else(|| panic!("no {sample}"));
    value.trim().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_gets_traces_log_lines_and_metrics() {
    let collector = Collector::answering(StatusCode::OK).await;
    let (mut service, metrics) = service(collector.port).await;
    let key = key(&service);
    service.start();

    let parent = format!("00-{TRACE}-{PARENT}-01");
    assert_eq!(get(&service, &key, "/api/v1/programmes", Some(parent)).await, 200);
    let of_client =
        |received: &Received| received.spans.iter().find(|span| hex(&span.trace_id) == TRACE).cloned();
    let span = collector.until("the span of the client's trace", of_client).await;
    assert_eq!((span.name.as_str(), span.kind), ("GET /api/v1/programmes", 2), "a server's span");
    assert_eq!(hex(&span.parent_span_id), PARENT);
    for (name, value) in [
        ("http.request.method", "GET"),
        ("http.route", "/api/v1/programmes"),
        ("http.response.status_code", "200"),
    ] {
        assert_eq!(attribute(&span.attributes, name).as_deref(), Some(value), "{name}");
    }
    assert!(span.end_time_unix_nano > span.start_time_unix_nano);

    assert_eq!(get(&service, "tw_abcdefgh_wrong", "/api/v1/findings", None).await, 401);
    let refused = |received: &Received| {
        let status =
            |span: &&Span| attribute(&span.attributes, "http.response.status_code").as_deref() == Some("401");
        let span = received.spans.iter().find(status)?;
        let is_its = |(target, record): &&(String, LogRecord)| {
            target == "security" && record.trace_id == span.trace_id && record.span_id == span.span_id
        };
        received.logs.iter().find(is_its).cloned()
    };
    let (_, line) = collector.until("the security event with the trace of its request", refused).await;
    assert_eq!(attribute(&line.attributes, "event").as_deref(), Some("api_key"));

    let shown = scraped(&metrics).await;
    assert!(shown.len() > 30, "{shown:?}");
    // The first message may have been sent before the jobs were registered.
    for _ in 0..3_000 {
        if collector.read(|received| received.metrics.clone()) == scraped(&metrics).await {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(collector.read(|received| received.metrics.clone()), scraped(&metrics).await);

    assert_eq!(get(&service, &key, "/api/v1/risks", None).await, 200);
    service.signal("TERM");
    let (status, _) = service.ended().await;
    assert!(status.success(), "{}", service.log());
    collector.read(|received| {
        let last = |span: &Span| span.name == "GET /api/v1/risks";
        assert!(received.spans.iter().any(last), "what waited was sent before the end");
        assert_eq!(received.authorizations, BTreeSet::from(["Bearer hunter2".to_owned()]));
        let own = |(target, _): &(String, LogRecord)| target.starts_with("tidewall::otlp");
        assert!(!received.logs.iter().any(own), "lines about the export are not exported");
    });
    assert!(!service.log().contains("hunter2"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_that_is_away_or_refuses_stops_nothing() {
    let refusing = Collector::answering(StatusCode::SERVICE_UNAVAILABLE).await;
    for port in [free_port().await, refusing.port] {
        let (mut service, metrics) = service(port).await;
        let key = key(&service);
        service.start();
        assert_eq!(get(&service, &key, "/api/v1/programmes", None).await, 200);
        for signal in ["traces", "logs", "metrics"] {
            let dropped = format!("tidewall_telemetry_dropped_total{{signal=\"{signal}\"}}");
            for round in 0.. {
                assert!(round < 1_000, "{signal} are never dropped: {}", service.log());
                if sample(&metrics, &dropped).await > 0.0 {
                    break;
                }
                get(&service, "tw_abcdefgh_wrong", "/api/v1/programmes", None).await;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let exported = format!("tidewall_telemetry_exported_total{{signal=\"{signal}\"}}");
            assert!(sample(&metrics, &exported).await < 1.0);
        }
        assert!(service.log().contains("the collector of telemetry.otlp did not take"), "{}", service.log());
        assert_eq!(get(&service, &key, "/api/v1/programmes", None).await, 200);
        service.signal("TERM");
        let (status, _) = service.ended().await;
        assert!(status.success(), "{}", service.log());
    }
    assert!(refusing.read(|received| received.requests) > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_and_what_it_does_in_the_store_are_one_trace() {
    let collector = Collector::answering(StatusCode::OK).await;
    let (mut service, _) = service(collector.port).await;
    // Jobs are due when a minute begins: soon after the start.
    for (name, value) in clock_off_by(45 - Clock::system().now().millis() / 1000 % 60) {
        service.set(name, &value);
    }
    service.start();
    let job = |received: &Received| received.spans.iter().find(|span| span.name == "deadlines").cloned();
    let job = collector.until("the span of a job", job).await;
    assert!(job.parent_span_id.is_empty(), "a trace of its own: {job:?}");
    let of_job = |received: &Received| {
        let is_below = |span: &&Span| span.parent_span_id == job.span_id && span.trace_id == job.trace_id;
        received.spans.iter().find(is_below).cloned()
    };
    let operation = collector.until("the span of what the job did in the store", of_job).await;
    assert_eq!((operation.name.as_str(), operation.kind), ("read", 3), "a client's span");
    service.signal("TERM");
    assert!(service.ended().await.0.success(), "{}", service.log());
    collector.read(|received| {
        let is_lonely =
            |span: &&Span| span.parent_span_id.is_empty() && ["read", "write"].contains(&&*span.name);
        assert!(!received.spans.iter().any(|span| is_lonely(&span)), "what polls makes no traces");
    });
}
