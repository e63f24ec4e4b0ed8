//! The routes of the operator's listener.

use std::time::Duration;

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt as _;
use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};
use tower::ServiceExt as _;

async fn scraped(app: &TestApp) -> String {
    let request = Request::get("/metrics").body(Body::empty()).unwrap();
    let answer = api::operator_router(&app.app).oneshot(request).await.unwrap();
    assert_eq!(answer.status(), 200);
    let kind = answer.headers()["content-type"].to_str().unwrap().to_owned();
    assert!(kind.starts_with("text/plain; version=0.0.4"), "{kind}");
    String::from_utf8(answer.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

/// The value of a sample, by its name and labels.
fn value(text: &str, sample: &str) -> String {
    let line = text.lines().find(|line| line.strip_prefix(sample).is_some_and(|rest| rest.starts_with(' ')));
    let line = line.unwrap_or_else(|| panic!("no {sample} in\n{text}"));
    line.rsplit_once(' ').unwrap().1.to_owned()
}

fn number(text: &str, sample: &str) -> f64 {
    value(text, sample).parse().unwrap()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn metrics_count_what_happened(engine: Engine) {
    let app = TestApp::on(engine).await;
    app.app.register_jobs().await.unwrap();
    let owner = app.owner("canary-of-a-tenant").await;
    owner.post("/api/v1/programmes", &json!({ "name": "canary", "framework": "dora" })).await.expect(201);
    for _ in 0..3 {
        owner.get("/api/v1/programmes").await.expect(200);
    }
    owner.get("/api/v1/programmes/prg_nothing").await.expect(404);
    app.anonymous().get("/api/nowhere").await.expect(404);
    let text = scraped(&app).await;
    let requests = |method: &str, route: &str, status: &str| {
        let labels = format!("{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}}");
        value(&text, &format!("tidewall_http_requests_total{labels}"))
    };
    assert_eq!(requests("GET", "/api/v1/programmes", "200"), "3");
    assert_eq!(requests("POST", "/api/v1/programmes", "201"), "1");
    assert_eq!(requests("GET", "/api/v1/programmes/{id}", "404"), "1");
    assert_eq!(requests("GET", "unmatched", "404"), "1");
    let durations =
        "tidewall_http_request_duration_seconds_count{method=\"GET\",route=\"/api/v1/programmes\"}";
    assert_eq!(value(&text, durations), "3");
    assert_eq!(value(&text, "tidewall_page_cache_hits_total"), "2");
    assert_eq!(value(&text, "tidewall_limiter_requests_total{tier=\"v1\",decision=\"served\"}"), "5");
    assert!(number(&text, "tidewall_store_commit_seconds_count") >= 2.0);
    assert!(number(&text, "tidewall_store_commit_writers_sum") >= 2.0);
    assert_eq!(value(&text, "tidewall_health_status"), "0");
    assert_eq!(value(&text, "tidewall_delivery_queue_depth"), "0");
    assert_eq!(value(&text, "tidewall_delivery_tries_total{class=\"delivered\"}"), "0");
    assert_eq!(value(&text, "tidewall_job_runs_total{job=\"retention\"}"), "0");
    assert!(number(&text, "process_resident_memory_bytes") > 1e6 && number(&text, "process_open_fds") > 2.0);
    assert!(!text.contains("canary"), "nothing of a tenant's");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn slow_statements_are_counted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("bank").await;
    let name = "tidewall_store_slow_statements_total";
    assert_eq!(value(&scraped(&app).await, name), "0", "no limit is set");
    app.app.db.watch_slow(Some(Duration::from_nanos(1)));
    owner.get("/api/v1/programmes").await.expect(200);
    assert!(number(&scraped(&app).await, name) >= 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_line_is_a_comment_or_a_sample_of_a_family_named_before() {
    let app = TestApp::new().await;
    app.app.register_jobs().await.unwrap();
    app.anonymous().get("/api/ping").await.expect(200);
    let mut family = String::new();
    for line in scraped(&app).await.lines() {
        if let Some(named) = line.strip_prefix("# TYPE ") {
            let (name, kind) = named.split_once(' ').unwrap();
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            family = name.to_owned();
        } else if !line.starts_with("# HELP ") {
            let name = line.split(['{', ' ']).next().unwrap();
            let plain = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
            assert!(name == family || plain == Some(family.as_str()), "{line} under {family}");
            assert!(line.rsplit_once(' ').unwrap().1.parse::<f64>().is_ok(), "{line}");
        }
    }
}

#[tokio::test]
async fn the_operators_listener_is_alive_too() {
    let app = TestApp::new().await;
    let request = Request::get("/healthz").body(Body::empty()).unwrap();
    assert_eq!(api::operator_router(&app.app).oneshot(request).await.unwrap().status(), 200);
}
