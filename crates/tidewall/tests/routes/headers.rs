//! The security headers of responses, on every route of every API as the listener serves it.

use std::{collections::BTreeSet, io::Read as _, time::Duration};

use axum::Router;
use http::HeaderMap;
use serde_json::Value;
use testkit::TestApp;
use tidewall::{
    lifecycle::{Shutdown, ShutdownSwitch},
    listener::{self, AllowedHosts, Limits, Listener, ListenerOptions, TrustedProxies},
};
use workspace::WorkspaceOptions;

const PUBLIC_URL: &str = "https://tidewall.bank.example";

/// A router on a free port; it is served as long as the switch lives.
fn served(router: impl listener::Router, https: bool) -> (String, ShutdownSwitch) {
    let second = Duration::from_secs(10);
    let limits = Limits {
        first_byte: second,
        header: second,
        body: second,
        total: second,
        idle: second,
        max_connections: 100,
        max_in_flight: 100,
        max_header_bytes: 32_768,
        http2: false,
    };
    let options = ListenerOptions {
        limits,
        proxies: TrustedProxies::default(),
        tls: None,
        never_shed: &[],
        hosts: AllowedHosts::default(),
        https,
    };
    let (switch, shutdown) = Shutdown::new();
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap(), options).unwrap();
    let origin = format!("http://{}", listener.address());
    tokio::spawn(listener.serve(router, shutdown));
    (origin, switch)
}

fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap()
}

/// Every documented path with values for its parameters, and its methods.
fn documented() -> Vec<(String, String)> {
    let document: Value = serde_json::to_value(api::docs::openapi()).unwrap();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let filled: Vec<&str> =
            path.split('/').map(|part| if part.starts_with('{') { "unknown" } else { part }).collect();
        for method in ["get", "post", "put", "patch", "delete"] {
            if item[method].is_object() {
                found.push((method.to_uppercase(), filled.join("/")));
            }
        }
    }
    found
}

fn check(what: &str, headers: &HeaderMap) {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let policy = header("content-security-policy");
    assert!(policy.starts_with("default-src 'none';"), "{what}: {policy}");
    for word in ["frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.contains(word), "{what}: {policy}");
    }
    for word in ["unsafe-inline", "unsafe-eval", "*", "http:", "https:"] {
        assert!(!policy.contains(word), "{what}: {policy}");
    }
    assert_eq!(header("x-content-type-options"), "nosniff", "{what}");
    assert_eq!(header("x-frame-options"), "DENY", "{what}");
    assert!(["no-referrer", "same-origin"].contains(&header("referrer-policy")), "{what}");
    assert!(header("permissions-policy").contains("camera=()"), "{what}");
}

fn check_tls(what: &str, headers: &HeaderMap) {
    check(what, headers);
    assert_eq!(headers["strict-transport-security"], "max-age=31536000; includeSubDomains", "{what}");
    for name in headers.keys() {
        let once = ["content-security-policy", "strict-transport-security", "x-frame-options"];
        let count = headers.get_all(name).iter().count();
        assert!(!once.contains(&name.as_str()) || count == 1, "{what}: {name} {count} times");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_of_the_public_listener_protects_its_answers() {
    let test = TestApp::new().await;
    let options = WorkspaceOptions {
        public_url: PUBLIC_URL.to_owned(),
        client: |_| None,
        design: true,
        security_contact: None,
    };
    let pages = workspace::router(&test.app, options);
    let (origin, _switch) = served(api::service(&test.app, &api::ApiOptions::default(), pages), true);
    let client = client();
    let mut routes = documented();
    assert!(routes.len() > 100, "{}", routes.len());
    let more = [
        "/",
        "/api/docs",
        "/api/docs/",
        "/api/docs/guide",
        "/api/docs/guide.json",
        "/api/docs/page.css",
        "/api/docs/reference.js",
        "/api/docs/guide.js",
        "/api/docs/swagger-ui.css",
        "/api/docs/swagger-ui-bundle.js",
        "/api/docs/nothing",
        "/api/openapi.json",
        "/api/nothing",
        "/nothing",
        "/scim/v2",
        "/scim/v2/ServiceProviderConfig",
        "/scim/v2/Users",
        "/scim/v2/Groups/viewer",
        "/scim/v2/nothing",
        "/workspace",
        "/workspace/",
        "/workspace/sign-in",
        "/workspace/sign-in/forgotten",
        "/workspace/sign-in/code",
        "/workspace/link/nothing",
        "/workspace/findings",
        "/workspace/findings.csv",
        "/workspace/nothing",
        "/workspace/design",
    ];
    routes.extend(more.map(|path| ("GET".to_owned(), path.to_owned())));
    routes.push(("POST".to_owned(), "/workspace/sign-in".to_owned()));
    routes.push(("DELETE".to_owned(), "/workspace/sign-in".to_owned()));
    routes.push(("OPTIONS".to_owned(), "/api/v1/findings".to_owned()));
    let mut statuses = BTreeSet::new();
    // Twice, because the second response may come from the cache.
    for (method, path) in routes.iter().chain(&routes) {
        let method = method.parse().unwrap();
        let answer = client.request(method, format!("{origin}{path}")).send().await.unwrap();
        statuses.insert(answer.status().as_u16());
        check_tls(&format!("{path} {}", answer.status()), answer.headers());
    }
    for status in [200, 303, 401, 404, 405] {
        assert!(statuses.contains(&status), "{statuses:?}");
    }
}

#[tokio::test]
async fn the_viewer_of_the_api_runs_only_files() {
    let test = TestApp::new().await;
    let (origin, _switch) =
        served(api::service(&test.app, &api::ApiOptions::default(), Router::new()), false);
    for page in ["/api/docs/", "/api/docs/guide"] {
        let answer = client().get(format!("{origin}{page}")).send().await.unwrap();
        assert!(answer.headers().get("strict-transport-security").is_none(), "not over plain http");
        let body = answer.text().await.unwrap();
        assert!(!body.contains("<script>") && !body.contains(" style=") && !body.contains(" on"), "{body}");
        for script in body.split("<script src=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let file = client().get(format!("{origin}{script}")).send().await.unwrap();
            assert_eq!(file.status(), 200, "{script}");
            assert!(file.headers()["content-type"].to_str().unwrap().contains("javascript"), "{script}");
        }
    }
}

#[tokio::test]
async fn the_viewer_of_the_api_is_sent_as_it_is_stored_or_plain() {
    let test = TestApp::new().await;
    let (origin, _switch) =
        served(api::service(&test.app, &api::ApiOptions::default(), Router::new()), false);
    let address = format!("{origin}/api/docs/swagger-ui-bundle.js");
    let plain = client().get(&address).send().await.unwrap();
    assert!(plain.headers().get("content-encoding").is_none());
    let plain = plain.bytes().await.unwrap();
    assert!(plain.starts_with(b"/*!") || plain.starts_with(b"!function"), "{:?}", plain.slice(..40));
    let sent = client().get(&address).header("accept-encoding", "br, gzip").send().await.unwrap();
    assert_eq!(sent.headers()["content-encoding"], "gzip");
    assert_eq!(sent.headers()["vary"], "accept-encoding");
    let mut unpacked = Vec::new();
    let sent = sent.bytes().await.unwrap();
    flate2::read::MultiGzDecoder::new(&*sent).read_to_end(&mut unpacked).unwrap();
    assert!(sent.len() * 3 < plain.len() && unpacked == plain, "{} of {}", sent.len(), plain.len());
    let other = client().get(&address).header("accept-encoding", "br, gzip;q=0").send().await.unwrap();
    assert_eq!(other.headers()["content-encoding"], "br");
}

#[tokio::test]
async fn the_operators_listener_protects_its_answers_too() {
    let test = TestApp::new().await;
    let (origin, _switch) = served(api::operator_router(&test.app), false);
    for path in ["/metrics", "/nothing"] {
        let answer = client().get(format!("{origin}{path}")).send().await.unwrap();
        check(path, answer.headers());
    }
}
