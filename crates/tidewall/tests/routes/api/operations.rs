//! The operational routes: no key, never cached, and nothing confidential in them.

use http::Method;
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use store::sql::Location;
use test_case::test_case;
use testkit::{Answer, Engine, Intruder, TestApp, TestOptions};

const ROUTES: [&str; 9] = [
    "/api/health",
    "/api/health-detailed",
    "/api/health/history",
    "/api/healthz",
    "/api/ping",
    "/api/auto-heal/status",
    "/api/errors/500-rate",
    "/api/cron/info",
    "/api/actions/disk-report",
];
const MINUTE: i64 = 60_000;

/// A service that has run for a minute.
async fn running(engine: Engine) -> TestApp {
    let app = TestApp::on(engine).await;
    app.app.reload_catalogue().await.unwrap().unwrap();
    for name in ["health-sample", "auto-heal"] {
        app.app.run_job(app.app.job(name).unwrap()).await.unwrap();
    }
    app
}

/// Replaces every number and text below the named fields, which differ from run to run.
fn scrubbed(answer: &Answer, changing: &[&str]) -> Value {
    fn scrub(value: &mut Value, changing: &[&str]) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    if changing.contains(&name.as_str()) && !value.is_null() {
                        *value = "…".into();
                    } else {
                        scrub(value, changing);
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| scrub(item, changing)),
            _ => {}
        }
    }
    let mut json = answer.json();
    scrub(&mut json, changing);
    json
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn all_nine_answer_get_and_head_uncached_to_any_origin(engine: Engine) {
    let app = running(engine).await;
    let anonymous = app.anonymous().with("origin", "https://anywhere.example");
    for route in ROUTES {
        let answer = anonymous.get(route).await.expect(200);
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{route}");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{route}");
        let head = anonymous.send(Method::HEAD, route, None).await.expect(200);
        assert!(head.body.is_empty(), "{route}");
        anonymous.send(Method::POST, route, Some("{}".into())).await.expect(405);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_in_them_tells_of_the_machine(engine: Engine) {
    let app = running(engine).await;
    let folder = app.scratch.dir.path().to_str().unwrap().to_owned();
    let place = match &app.scratch.location {
        Location::File { path, .. } => path.file_name().unwrap().to_str().unwrap().to_owned(),
        Location::Server { url, .. } => url.split('@').nth(1).unwrap().split('?').next().unwrap().to_owned(),
    };
    for route in ROUTES {
        let text = app.anonymous().get(route).await.to_string();
        for secret in
            [folder.as_str(), place.as_str(), "127.0.0.1", "localhost", "/tmp", "postgres", "sqlite"]
        {
            assert!(!text.to_lowercase().contains(secret), "{route} tells {secret}: {text}");
        }
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn health_says_how_it_is(engine: Engine) {
    let app = running(engine).await;
    let brief = app.anonymous().get("/api/health").await.expect(200);
    let detailed = app.anonymous().get("/api/health-detailed").await.expect(200);
    insta::allow_duplicates! {
        assert_json_snapshot!(scrubbed(&brief, &["version", "uptime_seconds"]), @r#"
        {
          "checked_at": "2026-11-14T14:00:00Z",
          "status": "ok",
          "uptime_seconds": "…",
          "version": "…"
        }
        "#);
        assert_json_snapshot!(scrubbed(&detailed, &["version", "uptime_seconds", "latency_ms", "detail"]), @r#"
        {
          "checked_at": "2026-11-14T14:00:00Z",
          "checks": [
            {
              "detail": "…",
              "latency_ms": "…",
              "name": "store",
              "status": "ok"
            },
            {
              "detail": "…",
              "latency_ms": null,
              "name": "queue",
              "status": "ok"
            },
            {
              "detail": "…",
              "latency_ms": null,
              "name": "scheduler",
              "status": "ok"
            },
            {
              "detail": "…",
              "latency_ms": null,
              "name": "mail",
              "status": "ok"
            },
            {
              "detail": "…",
              "latency_ms": null,
              "name": "disk",
              "status": "ok"
            },
            {
              "detail": "…",
              "latency_ms": null,
              "name": "memory",
              "status": "ok"
            },
            {
              "detail": "…",
              "latency_ms": null,
              "name": "rate_limit_store",
              "status": "ok"
            }
          ],
          "status": "ok",
          "uptime_seconds": "…",
          "version": "…"
        }
        "#);
    }
    let history = app.anonymous().get("/api/health/history?limit=1").await.expect(200);
    let changing = ["store_latency_ms", "disk_free_bytes", "memory_bytes"];
    insta::allow_duplicates! {
        assert_json_snapshot!(scrubbed(&history, &changing), @r#"
        {
          "data": [
            {
              "at": "2026-11-14T14:00:00Z",
              "disk_free_bytes": "…",
              "memory_bytes": "…",
              "queue_age_seconds": 0,
              "queue_depth": 0,
              "scheduler_lag_seconds": 0,
              "status": "ok",
              "store_latency_ms": "…",
              "troubles": []
            }
          ],
          "meta": {
            "count": 1,
            "limit": 1,
            "offset": 0,
            "total": 1
          }
        }
        "#);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn history_pages_and_refuses_what_it_does_not_know() {
    let app = TestApp::new().await;
    let sample = app.app.job("health-sample").unwrap();
    for _ in 0..3 {
        app.app.run_job(sample).await.unwrap();
        app.clock.advance(MINUTE);
    }
    let page = app.anonymous().get("/api/health/history?limit=2&offset=2").await.expect(200).json();
    assert_eq!(page["meta"], json!({ "count": 1, "total": 3, "limit": 2, "offset": 2 }));
    assert_eq!(page["data"][0]["at"], "2026-11-14T14:00:00Z");
    for query in ["limit=0", "offset=x", "grain=year"] {
        let refused = app.anonymous().get(&format!("/api/health/history?{query}")).await.expect(422).json();
        let field = query.split('=').next().unwrap();
        assert!(refused["details"][field].is_array(), "{refused}");
    }
    app.anonymous().get("/api/health/history?grain=hour").await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_without_its_store_is_down_with_a_503() {
    let app = TestApp::on(Engine::Postgres).await;
    let mut intruder = Intruder::at(&app.scratch.location);
    intruder.run("BEGIN; LOCK TABLE signals IN ACCESS EXCLUSIVE MODE");
    for route in ["/api/health", "/api/health-detailed"] {
        let down = app.anonymous().get(route).await.expect(503).json();
        assert_eq!(down["status"], "down");
        assert!(down["error"].is_string());
    }
    // Liveness queries no dependency.
    app.anonymous().get("/api/healthz").await.expect(200);
    app.anonymous().get("/api/ping").await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn cron_and_healing_are_shown(engine: Engine) {
    let app = running(engine).await;
    let cron = app.anonymous().get("/api/cron/info").await.expect(200).json();
    let jobs = cron["jobs"].as_array().unwrap();
    assert_eq!(jobs.len(), app.app.jobs.len());
    let sample = jobs.iter().find(|job| job["name"] == "health-sample").unwrap();
    let changing = |job: &Value| {
        let mut job = job.clone();
        job["last_duration_ms"] = "…".into();
        job
    };
    insta::allow_duplicates! {
        assert_json_snapshot!(changing(sample), @r#"
        {
          "consecutive_failures": 0,
          "description": "Keeps how the service is",
          "jitter_seconds": 0,
          "last_duration_ms": "…",
          "last_outcome": "ok",
          "last_run_at": "2026-11-14T14:00:00Z",
          "name": "health-sample",
          "next_run_at": "2026-11-14T14:01:00Z",
          "nodes": "every",
          "overlap": "skip",
          "running": false,
          "runs": 1,
          "schedule": "* * * * *",
          "time_zone": "UTC",
          "timeout_seconds": 60
        }
        "#);
    }
    let healing = app.anonymous().get("/api/auto-heal/status").await.expect(200).json();
    assert_eq!(
        (&healing["enabled"], &healing["last_run_at"]),
        (&json!(true), &json!("2026-11-14T14:00:00Z"))
    );
    insta::allow_duplicates! {
        assert_json_snapshot!(healing["actions"][0], @r#"
        {
          "healed": 0,
          "last_outcome": "nothing_to_do",
          "last_run_at": "2026-11-14T14:00:00Z",
          "name": "expired_leases",
          "runs": 1,
          "trigger": "a job's lease ran out without a result: its process is gone, the job is due again"
        }
        "#);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_disk_report_measures() {
    let app = running(Engine::Sqlite).await;
    let report = app.anonymous().get("/api/actions/disk-report").await.expect(200);
    let changing = ["total_bytes", "free_bytes", "used_pct", "database_bytes", "write_ahead_log_bytes"];
    assert_json_snapshot!(scrubbed(&report, &changing), @r#"
    {
      "backups_bytes": 0,
      "checked_at": "2026-11-14T14:00:00Z",
      "database_bytes": "…",
      "exports_bytes": 0,
      "growth_per_day_bytes": null,
      "logs_bytes": 0,
      "volume": {
        "free_bytes": "…",
        "total_bytes": "…",
        "used_pct": "…"
      },
      "write_ahead_log_bytes": "…"
    }
    "#);
    assert!(report.json()["database_bytes"].as_u64().unwrap() > 10_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_counted_by_route_across_a_restart_for_an_hour() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let Location::File { path, .. } = app.scratch.location.clone() else { unreachable!() };
    let webhook = format!("/api/v1/webhooks/{}", "whk_01arz3ndektsv4rrffq69g5fav");
    owner.get(&webhook).await.expect(404);
    // A missing table is an unexpected error.
    let other = rusqlite::Connection::open(path).unwrap();
    other.execute_batch("ALTER TABLE webhooks RENAME TO hidden").unwrap();
    for _ in 0..2 {
        let failed = owner.get("/api/v1/webhooks").await;
        assert_eq!(failed.status.as_u16(), 500, "{failed}");
    }
    other.execute_batch("ALTER TABLE hidden RENAME TO webhooks").unwrap();
    owner.get("/api/v1/webhooks").await.expect(200);
    owner.get("/api/v1/webhooks").await.expect(200);
    app.anonymous().get("/api/nowhere").await.expect(404);
    let rate = app.anonymous().get("/api/errors/500-rate").await.expect(200).json();
    assert_json_snapshot!(rate, @r#"
    {
      "routes": [
        {
          "errors": 2,
          "rate": 50,
          "requests": 4,
          "route": "/api/v1/webhooks"
        },
        {
          "errors": 0,
          "rate": 0,
          "requests": 1,
          "route": "/api/v1/webhooks/{webhook}"
        },
        {
          "errors": 0,
          "rate": 0,
          "requests": 1,
          "route": "unmatched"
        }
      ],
      "total": {
        "errors": 2,
        "rate": 33.33,
        "requests": 6
      },
      "window": "1h"
    }
    "#);
    app.app.operations.write_route_counts().await.unwrap();
    // Another process over the same store.
    let options = TestOptions { clock: Some(app.clock.clone()), ..TestOptions::default() };
    let later = app.beside(options).await;
    assert_eq!(later.operations.error_rate().await.unwrap().errors, 2);
    app.clock.advance(59 * MINUTE);
    assert_eq!(later.operations.error_rate().await.unwrap().errors, 2);
    app.clock.advance(2 * MINUTE);
    assert_eq!(later.operations.error_rate().await.unwrap().errors, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_overview_of_performance_is_measured() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for _ in 0..30 {
        owner.get("/api/v1/findings").await.expect(200);
    }
    let readings = owner.get("/api/v2/performance/overview").await.expect(200).data();
    let value = |id: &str| {
        readings.as_array().unwrap().iter().find(|item| item["id"] == id).unwrap()["value"].clone()
    };
    assert_eq!(value("request_rate"), 0.1, "thirty in five minutes");
    assert_eq!((value("error_rate"), value("queue_depth")), (json!(0.0), json!(0.0)));
    for id in ["latency_p50", "latency_p95", "latency_p99", "store_latency"] {
        assert!(value(id).as_f64().unwrap() > 0.0, "{id}: {readings}");
    }
}
