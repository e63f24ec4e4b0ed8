//! The dependencies of the service are really taken away, and the health route reports it, and their return.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use app::clock::Clock;
use serde_json::Value;
use testkit::{Engine, Mailbox, TestApp, TestOptions};

use super::{
    servers::Redis,
    service::{Service, client},
};

const SOON: Duration = Duration::from_secs(10);

/// The named check of `/api/health-detailed`: its status and its detail; and the status of the whole.
fn check(report: &Value, name: &str) -> (String, String, String) {
    let checks = report["checks"].as_array().unwrap();
    let check =
        checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no {name}: {report}"));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&check["status"]), text(&check["detail"]), text(&report["status"]))
}

async fn report(client: &reqwest::Client, origin: &str) -> Value {
    client.get(format!("{origin}/api/health-detailed")).send().await.unwrap().json().await.unwrap()
}

/// Queries until the check has this status; returns its detail and the overall status.
async fn becomes(client: &reqwest::Client, origin: &str, name: &str, wanted: &str) -> (String, String) {
    let since = Instant::now();
    loop {
        let (status, detail, whole) = check(&report(client, origin).await, name);
        if status == wanted {
            return (detail, whole);
        }
        assert!(since.elapsed() < SOON, "{name} is still {status} ({detail})");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A certificate that ends in so many days, and its key.
fn write_certificate(folder: &Path, days_left: i64) {
    let now = Duration::from_millis(Clock::system().now().millis().unsigned_abs());
    let (now, day) = (SystemTime::UNIX_EPOCH + now, Duration::from_hours(24));
    let mut parameters = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    parameters.not_before = (now - 400 * day).into();
    // A negative number is a certificate that has expired.
    let shift = day * u32::try_from(days_left.unsigned_abs()).unwrap();
    parameters.not_after = if days_left < 0 { now - shift } else { now + shift }.into();
    let key = rcgen::KeyPair::generate().unwrap();
    fs::write(folder.join("cert.pem"), parameters.self_signed(&key).unwrap().pem()).unwrap();
    fs::write(folder.join("key.pem"), key.serialize_pem()).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_near_its_end_and_past_it_shows_until_it_is_exchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    write_certificate(folder.path(), 5);
    let mut service = Service::with(&[
        ("TIDEWALL_TLS__CERT_FILE", &path("cert.pem")),
        ("TIDEWALL_TLS__KEY_FILE", &path("key.pem")),
    ]);
    service.start();
    let (client, origin) = (client("none"), format!("https://{}", service.address));
    let (detail, whole) = becomes(&client, &origin, "certificate", "degraded").await;
    assert!(detail.starts_with("ends on 20"), "{detail}");
    assert_eq!(whole, "degraded");

    write_certificate(folder.path(), -1);
    service.signal("HUP");
    let (detail, whole) = becomes(&client, &origin, "certificate", "down").await;
    assert!(detail.starts_with("ended on 20"), "{detail}");
    assert_eq!(whole, "degraded", "requests that do not need it are still served");

    write_certificate(folder.path(), 300);
    service.signal("HUP");
    let (_, whole) = becomes(&client, &origin, "certificate", "ok").await;
    assert_eq!(whole, "ok");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_server_that_stops_shows() {
    let mailbox = Mailbox::start().await;
    let mail = mailbox.settings.clone();
    let options = TestOptions { mail: Some(mail.clone()), ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let seen = async || check(&app.anonymous().get("/api/health-detailed").await.json(), "mail");
    assert_eq!(seen().await.0, "ok");

    drop(mailbox);
    let since = Instant::now();
    let (detail, whole) = loop {
        let (status, detail, whole) = seen().await;
        if status == "down" {
            break (detail, whole);
        }
        assert!(since.elapsed() < SOON, "still {status}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(whole, "degraded");
    let host = mail.url.trim_start_matches("smtp://");
    assert!(!detail.contains(host) && !detail.is_empty(), "{detail}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_stops_shows_and_so_does_its_return() {
    let mut redis = Redis::start();
    let mut service = Service::with(&[("TIDEWALL_REDIS_URL", &redis.url())]);
    service.verb(&["tenant", "create", "north", "--name", "North Bank"]);
    let key = service.verb(&["key", "create", "--tenant", "north"]);
    service.start();
    let (client, origin) = (client(&key), service.url(""));
    let (detail, whole) = becomes(&client, &origin, "rate_limit_store", "ok").await;
    assert_eq!((detail.as_str(), whole.as_str()), ("answers", "ok"));

    redis.kill();
    let (detail, whole) = becomes(&client, &origin, "rate_limit_store", "down").await;
    assert_eq!(detail, "cannot be reached; each node counts for itself");
    assert_eq!(whole, "degraded");
    assert_eq!(client.get(service.url("/api/v1/findings")).send().await.unwrap().status(), 200);

    redis.restart();
    let since = Instant::now();
    becomes(&client, &origin, "rate_limit_store", "ok").await;
    println!("Redis is used again {:?} after it was back", since.elapsed());
    assert!(since.elapsed() <= Duration::from_secs(5));
}
