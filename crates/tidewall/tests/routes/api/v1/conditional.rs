//! `ETag` on lists and records: a poll costs a 304, a stale change a 412, and no write is ever hidden.

use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

const HOOKS: &str = "/api/v1/webhooks";
const THRESHOLDS: &str = "/api/v1/concentration-risk/thresholds";

fn hook(name: &str) -> serde_json::Value {
    json!({ "name": name, "channel": "email", "url": "mailto:a@bank.example", "events": ["finding.created"] })
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_unchanged_page_costs_a_304_and_every_write_a_new_one(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let neighbour = app.owner("south").await;
    let mut seen = owner.get(HOOKS).await.expect(200);
    for number in 0..10 {
        let poll = owner.with("if-none-match", seen.header("etag").unwrap());
        let unchanged = poll.get(HOOKS).await.expect(304);
        assert!(unchanged.body.is_empty());
        assert_eq!(unchanged.header("etag"), seen.header("etag"));
        // Another tenant's write has no effect, an own one shows at once.
        neighbour.post(HOOKS, &hook("theirs")).await.expect(201);
        poll.get(HOOKS).await.expect(304);
        owner.post(HOOKS, &hook(&format!("mine {number}"))).await.expect(201);
        seen = poll.get(HOOKS).await.expect(200);
        assert_eq!(seen.json()["meta"]["total"], number + 1);
        assert!(!seen.to_string().contains("theirs"));
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_second_change_from_the_same_reading_is_refused(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let read = owner.get(THRESHOLDS).await;
    let first = owner.with("if-match", read.header("etag").unwrap());
    let changed = first.patch(THRESHOLDS, &json!({ "sector_concentration_pct": 41 })).await.expect(200);
    assert_ne!(changed.header("etag"), read.header("etag"));
    first.patch(THRESHOLDS, &json!({ "sector_concentration_pct": 42 })).await.expect(412);
    // A write elsewhere in the tenant does not make the record stale.
    owner.post(HOOKS, &hook("x")).await.expect(201);
    let second = owner.with("if-match", changed.header("etag").unwrap());
    second.patch(THRESHOLDS, &json!({ "sector_concentration_pct": 43 })).await.expect(200);
    owner.with("if-match", "*").patch(THRESHOLDS, &json!({ "enabled": 0 })).await.expect(200);
    owner.with("if-match", "\"made-up\"").patch(THRESHOLDS, &json!({ "enabled": 1 })).await.expect(412);
    assert_eq!(owner.get(THRESHOLDS).await.data()["sector_concentration_pct"], 43);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn two_racing_changes_have_one_winner(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = owner.post(HOOKS, &hook("x")).await.header("location").unwrap().to_owned();
    let etag = owner.get(&address).await.header("etag").unwrap().to_owned();
    let racers = (0..8).map(|number| {
        let (client, address) = (owner.with("if-match", &etag), address.clone());
        tokio::spawn(
            async move { client.patch(&address, &json!({ "name": format!("n{number}") })).await.status },
        )
    });
    let mut statuses = Vec::new();
    for racer in racers.collect::<Vec<_>>() {
        statuses.push(racer.await.unwrap().as_u16());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412, 412, 412, 412, 412, 412, 412]);
    let stale = owner.with("if-match", &etag);
    stale.delete(&address).await.expect(412);
    owner.delete(&address).await.expect(204);
}

#[tokio::test]
async fn keyed_answers_are_kept_by_no_cache_and_still_answered_by_their_validator() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for path in ["/api/v1/findings", "/api/v1/profile", "/api/v2/risk-register", "/api/v1/dora/measures"] {
        let first = owner.get(path).await.expect(200);
        assert_eq!(first.header("cache-control"), Some("no-store"), "{path}");
        let known = first.header("etag").unwrap();
        let again = owner.with("if-none-match", known).get(path).await.expect(304);
        assert_eq!(again.header("cache-control"), Some("no-store"), "{path}");
    }
    assert_eq!(owner.get("/api/v1/findings/nothing").await.header("cache-control"), Some("no-store"));
}
