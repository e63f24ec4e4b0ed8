//! Errors that belong to no route: wrong addresses, wrong methods, wrong bodies.

use axum::body::Body;
use http::{Method, Request};
use serde_json::json;
use testkit::TestApp;

const HOOKS: &str = "/api/v1/webhooks";

#[tokio::test]
async fn no_route_is_a_json_404_with_or_without_a_key() {
    let app = TestApp::new().await;
    for path in ["/api/nope", "/api/v1/nope", "/api/v3", "/api/v1/webhooks/", "/nope", "/api/v1/webhooks/a/b"]
    {
        app.anonymous().get(path).await.expect(404);
    }
}

#[tokio::test]
async fn another_method_is_405_with_allow() {
    let app = TestApp::new().await;
    for (method, path, allow) in [
        (Method::POST, "/api/ping", "GET,HEAD"),
        (Method::DELETE, "/api/v1/concentration-risk/thresholds", "GET,HEAD,PATCH"),
        (Method::PUT, HOOKS, "GET,HEAD,POST"),
        (Method::TRACE, HOOKS, "GET,HEAD,POST"),
    ] {
        let answer = app.anonymous().send(method, path, None).await.expect(405);
        assert_eq!(answer.header("allow"), Some(allow), "{path}");
    }
}

#[tokio::test]
async fn head_works_wherever_get_does() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for path in ["/api/ping", "/api/healthz", HOOKS, "/api/v2", "/api/openapi.json"] {
        let head = owner.send(Method::HEAD, path, None).await.expect(200);
        assert!(head.body.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn bodies_that_are_no_json_object_are_422() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for body in [
        "",
        "{",
        "null",
        "[]",
        "\"text\"",
        "7",
        "{\"name\": 1e999}",
        "{\"name\": \"\\ud800\"}",
        "{\"name\": \"a\", \"name\": \"b\"}",
        "{\"name\": \"a\"} trailing",
        &format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)),
    ] {
        let refused = owner.send(Method::POST, HOOKS, Some(body.to_owned())).await.expect(422).json();
        assert!(refused["details"]["body"].is_array(), "{body:.40}: {refused}");
    }
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "", "json"] {
        let request = Request::post(HOOKS).header("content-type", content_type);
        owner.request(request.body(Body::from("{}")).unwrap()).await.expect(422);
    }
    for content_type in
        ["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"]
    {
        let request =
            Request::patch("/api/v1/concentration-risk/thresholds").header("content-type", content_type);
        owner.request(request.body(Body::from("{}")).unwrap()).await.expect(200);
    }
    let invalid_utf8 = Request::post(HOOKS).header("content-type", "application/json");
    owner.request(invalid_utf8.body(Body::from(&b"{\"name\":\"\xff\"}"[..])).unwrap()).await.expect(422);
}

#[tokio::test]
async fn a_body_over_one_mebibyte_is_413() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let padded = |length: usize| json!({ "name": "x", "padding": "x".repeat(length) }).to_string();
    let most = 1024 * 1024 - padded(0).len();
    owner.send(Method::POST, HOOKS, Some(padded(most))).await.expect(422);
    owner.send(Method::POST, HOOKS, Some(padded(most + 1))).await.expect(413);
}

#[tokio::test]
async fn a_sane_request_id_is_kept_and_an_odd_one_replaced() {
    let app = TestApp::new().await;
    let own = app.anonymous().with("x-request-id", "abc-123").get("/api/ping").await;
    assert_eq!(own.header("x-request-id"), Some("abc-123"));
    for odd in ["a b", "<script>", &"x".repeat(129)] {
        let answer = app.anonymous().with("x-request-id", odd).get("/api/ping").await;
        assert_ne!(answer.header("x-request-id"), Some(odd));
    }
}

#[tokio::test]
async fn reference_and_operations_allow_any_origin_and_keyed_routes_none() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await.with("origin", "https://elsewhere.example");
    assert_eq!(owner.get("/api/ping").await.header("access-control-allow-origin"), Some("*"));
    for path in [HOOKS, "/api/v2"] {
        assert_eq!(owner.get(path).await.header("access-control-allow-origin"), None);
    }
}

#[tokio::test]
async fn json_is_compressed_when_asked_for() {
    let app = TestApp::new().await;
    let plain = app.anonymous().get("/api/openapi.json").await.expect(200).body.len();
    for encoding in ["gzip", "br", "zstd"] {
        let answer =
            app.anonymous().with("accept-encoding", encoding).get("/api/openapi.json").await.expect(200);
        assert_eq!(answer.header("content-encoding"), Some(encoding));
        assert!(answer.body.len() < plain / 4, "{encoding}: {} of {plain} bytes", answer.body.len());
    }
}

#[tokio::test]
async fn every_kind_of_error_has_a_code_that_programs_can_rely_on() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let tenant = app.tenant("south").await;
    let reader = app.client(&app.key(&tenant, "read").await);
    let made = owner.post("/api/v1/findings", &json!({ "title": "T", "severity": "low" })).await.expect(201);
    let address = made.header("location").unwrap().to_owned();
    let stale = owner.with("if-match", "\"x\"");
    let large = Some("x".repeat(1024 * 1024 + 1));
    for (answer, status, code) in [
        (app.anonymous().get(HOOKS).await, 401, "unauthorized"),
        (reader.post(HOOKS, &json!({})).await, 403, "forbidden"),
        (owner.get("/api/nothing").await, 404, "not_found"),
        (owner.get("/api/v1/findings/x").await, 404, "not_found"),
        (owner.delete(HOOKS).await, 405, "method_not_allowed"),
        (stale.patch(&address, &json!({ "title": "U" })).await, 412, "stale"),
        (owner.send(Method::POST, HOOKS, large).await, 413, "too_large"),
        (owner.post(HOOKS, &json!({})).await, 422, "validation_failed"),
    ] {
        let answer = answer.expect(status);
        assert_eq!(answer.json()["code"], code, "{answer}");
    }
    let hint = owner.get("/api/nothing").await.error();
    assert_eq!(hint, "there is no such route: /api/docs describes those that exist");
}

#[tokio::test]
async fn what_was_created_can_be_changed_by_the_validator_it_came_with() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await.with("idempotency-key", "once");
    let body = json!({ "title": "T", "severity": "low" });
    let made = owner.post("/api/v1/findings", &body).await.expect(201);
    let again = owner.post("/api/v1/findings", &body).await.expect(201);
    let address = made.header("location").unwrap().to_owned();
    let read = owner.get(&address).await.expect(200);
    assert_eq!(read.header("etag"), made.header("etag"));
    let first = owner.with("if-match", made.header("etag").unwrap());
    first.patch(&address, &json!({ "title": "U" })).await.expect(200);
    first.patch(&address, &json!({ "title": "V" })).await.expect(412);
    let replayed = owner.with("if-match", again.header("etag").unwrap());
    replayed.patch(&address, &json!({ "title": "V" })).await.expect(412);
}
