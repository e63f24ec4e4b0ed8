//! The guide to the reference API: every request on it returns what it says.

use testkit::TestApp;

const PAGE: &str = include_str!("../../../../../docs/reference-api.md");

/// The requests of the page with the status beside each.
fn requests() -> impl Iterator<Item = (&'static str, u16)> {
    let blocks = PAGE.split("```http\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).map(|line| {
        let mut words = line.split_whitespace();
        assert_eq!(words.next(), Some("GET"), "{line}");
        (words.next().unwrap(), words.next().unwrap().parse().unwrap())
    })
}

/// The one page for clients says what they need, and what it says holds at a route.
#[tokio::test]
async fn the_guide_for_clients_knows_cursors_changes_strict_handling_and_plain_bytes() {
    const CLIENT: &str = include_str!("../../../../../docs/api-client.md");
    for said in [
        "`cursor`",
        "updated_since=",
        "Prefer: handling=strict",
        "application/octet-stream",
        "/api/v1/people",
    ] {
        assert!(CLIENT.contains(said), "the guide does not know {said}");
    }
    let example = CLIENT.split("```python").nth(1).unwrap();
    assert!(example.contains("next_cursor") && !example.contains("offset"), "the example pages by cursor");
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    owner.get("/api/v1/findings?updated_since=2026-11-14T00:00:00Z").await.expect(200);
    owner.get("/api/v1/people").await.expect(200);
    let strict = owner.with("prefer", "handling=strict");
    strict.get("/api/v1/findings?severty=high").await.expect(422);
    let file = http::Request::post("/api/v1/findings/import?dry_run=true");
    let file = file.header("content-type", "application/octet-stream");
    let file = file.body(axum::body::Body::from("title,severity\nOld cipher,low\n")).unwrap();
    owner.request(file).await.expect(200);
}

#[tokio::test]
async fn every_request_of_the_guide_is_answered_as_it_says() {
    let app = TestApp::new().await;
    let (anyone, owner) = (app.anonymous(), app.owner("north").await);
    for (path, status) in requests() {
        let keyed = path.starts_with("/api/v1") || path.starts_with("/api/v2");
        let client = if keyed { &owner } else { &anyone };
        client.get(path).await.expect(status);
    }
    assert!(requests().count() > 30);
}
