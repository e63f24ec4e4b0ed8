//! Lists read page by page with a cursor while records are added and deleted, and lists of changes since a moment.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{
    ict_arrangements::of,
    seed::{self, FINDINGS, PROGRAMMES, TEST_CASES, at},
};

const ARRANGEMENTS: &str = "/api/v1/ict-arrangements";
const CRA_REPORTS: &str = "/api/v1/cra/reports";
const WEBHOOKS: &str = "/api/v1/webhooks";
const KEYS: &str = "/api/v1/keys";

/// A record of the kind a list holds.
fn body(path: &str, number: usize, programme: &Value) -> Value {
    match path {
        PROGRAMMES => json!({ "name": format!("Walk {number}"), "framework": "dora", "owner": "Ms Sommer" }),
        TEST_CASES => json!({
            "programme_id": programme["id"], "title": format!("Walk {number}"), "test_type": "tlpt",
            "assignee": "Ms Sommer",
        }),
        FINDINGS => json!({ "title": format!("Walk {number}"), "severity": "low", "owner": "Ms Sommer" }),
        ARRANGEMENTS => of(&format!("Walk-{number}"), "Nordlicht", 7),
        CRA_REPORTS => json!({
            "kind": "severe_incident", "product": { "name": "App" }, "title": format!("Walk {number}"),
            "severity": "high", "aware_at": "2026-11-14T13:00:00Z",
        }),
        WEBHOOKS => json!({
            "name": format!("Walk {number}"), "channel": "slack", "events": ["finding.created"],
            "url": format!("https://hooks.slack.com/services/T/B/{number}"),
        }),
        _ => json!({ "name": format!("Walk {number}") }),
    }
}

async fn created(client: &Client, path: &str, number: usize, programme: &Value) -> String {
    let made = client.post(path, &body(path, number, programme)).await.expect(201).data();
    made["id"].as_str().unwrap().to_owned()
}

fn ids(page: &Value) -> Vec<String> {
    seed::pluck(page, "id")
}

/// The whole list, page by page; between the pages `meanwhile` may change records.
async fn walked(client: &Client, list: &str, mut meanwhile: impl AsyncFnMut(usize)) -> Vec<String> {
    let (mut met, mut cursor) = (Vec::new(), None::<String>);
    for step in 0.. {
        assert!(step < 1000, "{list} does not end");
        let place = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let page = client.get(&format!("{list}limit=3{place}")).await.expect(200).json();
        met.extend(ids(&page));
        cursor = page["meta"]["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            assert!(page["meta"]["next_cursor"].is_null() && page["meta"].get("next_cursor").is_some());
            break;
        }
        meanwhile(step).await;
    }
    met
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_walk_meets_every_record_that_is_there_throughout_exactly_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let mut number = 0;
    for (path, query) in [
        (FINDINGS, ""),
        (FINDINGS, "sort=created_at&"),
        (FINDINGS, "search=walk&"),
        (FINDINGS, "search=walk&owner=Ms%20Sommer&sort=created_at&"),
        (FINDINGS, "severity=low&owner=Ms%20Sommer&"),
        (FINDINGS, "updated_since=2026-01-01T00:00:00Z&"),
        (FINDINGS, "search=walk&updated_since=2026-01-01T00:00:00Z&"),
        (PROGRAMMES, "owner=Ms%20Sommer&"),
        (TEST_CASES, "assignee=Ms%20Sommer&"),
        (ARRANGEMENTS, ""),
        (ARRANGEMENTS, "search=walk&"),
        (CRA_REPORTS, ""),
        (WEBHOOKS, ""),
        (KEYS, ""),
    ] {
        let mut stays = BTreeSet::new();
        let mut goes = Vec::new();
        for _ in 0..8 {
            app.clock.advance(1000);
            number += 2;
            stays.insert(created(&owner, path, number, &programme).await);
            goes.push(created(&owner, path, number + 1, &programme).await);
        }
        let mut more = 0;
        let met = walked(&owner, &format!("{path}?{query}"), async |step| {
            // Otherwise an order in which new records come last would never end.
            if step > 5 {
                return;
            }
            app.clock.advance(1000);
            more = 1000 + number * 10 + step;
            created(&owner, path, more, &programme).await;
            if let Some(id) = goes.pop() {
                owner.delete(&format!("{path}/{id}")).await.expect(204);
            }
        })
        .await;
        let unique: BTreeSet<_> = met.iter().cloned().collect();
        assert_eq!(unique.len(), met.len(), "{engine:?} {path}?{query} repeats a record");
        assert!(stays.is_subset(&unique), "{engine:?} {path}?{query} leaves out a record");
        assert!(more > 0, "nothing was written between the pages of {path}?{query}");
    }
}

#[tokio::test]
async fn reference_lists_are_walked_too() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for list in ["/api/v1/dora/measures", "/api/v1/compliance-timeline"] {
        let total = owner.get(list).await.expect(200).json()["meta"]["total"].as_u64().unwrap();
        let (mut met, mut place) = (BTreeSet::new(), String::new());
        loop {
            let page = owner.get(&format!("{list}?limit=20{place}")).await.expect(200).json();
            met.extend(ids(&page));
            let Some(cursor) = page["meta"]["next_cursor"].as_str() else { break };
            place = format!("&cursor={cursor}");
        }
        assert_eq!(met.len() as u64, total, "{list}");
        let other = format!("{list}?search=test{place}");
        assert!(owner.get(&other).await.expect(422).json()["details"]["cursor"].is_array());
        let future =
            owner.get(&format!("{list}?updated_since=2999-01-01T00:00:00Z")).await.expect(200).json();
        assert_eq!(future["meta"]["total"], 0, "{list}");
        let past = owner.get(&format!("{list}?updated_since=2020-01-01T00:00:00Z")).await.expect(200).json();
        assert_eq!(past["meta"]["total"], total, "{list}");
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_changed_comes_oldest_change_first(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let mut made = Vec::new();
    for number in 0..4 {
        app.clock.advance(60_000);
        made.push(seed::finding(&owner, &json!({ "title": format!("F{number}") })).await);
    }
    let since = app.clock.now().plus_millis(1);
    for number in [2, 0] {
        app.clock.advance(60_000);
        owner.patch(&at(FINDINGS, &made[number]), &json!({ "owner": "Ms Sommer" })).await.expect(200);
    }
    let list = format!("{FINDINGS}?updated_since={since}");
    let changed = owner.get(&list).await.expect(200).json();
    assert_eq!(seed::pluck(&changed, "title"), ["F2", "F0"], "{engine:?}");
    assert_eq!((&changed["meta"]["total"], &changed["meta"]["next_cursor"]), (&json!(2), &Value::Null));
    let first = owner.get(&format!("{list}&limit=1")).await.expect(200).json();
    let cursor = first["meta"]["next_cursor"].as_str().unwrap();
    // It changes again and occurs again, with its change, after earlier changes.
    app.clock.advance(60_000);
    owner.patch(&at(FINDINGS, &made[2]), &json!({ "owner": "Mr Winter" })).await.expect(200);
    let rest = owner.get(&format!("{list}&limit=5&cursor={cursor}")).await.expect(200).json();
    assert_eq!(seed::pluck(&rest, "title"), ["F0", "F2"], "{engine:?}");
    let at_moment = changed["data"][0]["updated_at"].as_str().unwrap();
    let same = owner.get(&format!("{FINDINGS}?updated_since={at_moment}")).await.expect(200).json();
    assert!(seed::pluck(&same, "title").contains(&"F0".to_owned()), "at that moment or later");
}

#[tokio::test]
async fn a_cursor_is_used_as_it_was_given_or_refused() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for number in 0..3 {
        seed::finding(&owner, &json!({ "title": format!("F{number}") })).await;
    }
    let page = owner.get(&format!("{FINDINGS}?limit=1")).await.expect(200).json();
    let cursor = page["meta"]["next_cursor"].as_str().unwrap();
    let longest = owner.get(&format!("{FINDINGS}?limit=9999")).await.expect(200).json();
    assert_eq!((&longest["meta"]["limit"], &longest["meta"]["next_cursor"]), (&json!(500), &Value::Null));
    let sorted = owner.get(&format!("{FINDINGS}?limit=1&sort=severity")).await.expect(200).json();
    assert!(sorted["meta"]["next_cursor"].is_null(), "an order that changes disturb has no cursor");
    for (query, field) in [
        (format!("cursor={cursor}x"), "cursor"),
        ("cursor=".to_owned(), "cursor"),
        ("cursor=n1-00000000".to_owned(), "cursor"),
        (format!("cursor={cursor}&offset=1"), "offset"),
        (format!("cursor={cursor}&sort=created_at"), "cursor"),
        (format!("cursor={cursor}&sort=severity"), "cursor"),
        (format!("cursor={cursor}&search=x"), "cursor"),
        (format!("cursor={cursor}&updated_since=2026-01-01T00:00:00Z"), "cursor"),
        ("updated_since=yesterday".to_owned(), "updated_since"),
        ("updated_since=2026-01-01T00:00:00Z&sort=severity".to_owned(), "sort"),
    ] {
        let refused = owner.get(&format!("{FINDINGS}?{query}")).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{query}: {refused}");
    }
    let of_changes =
        owner.get(&format!("{FINDINGS}?limit=1&updated_since=2026-01-01T00:00:00Z")).await.json();
    let of_changes = of_changes["meta"]["next_cursor"].as_str().unwrap();
    let other = format!("{FINDINGS}?cursor={of_changes}&updated_since=2026-01-02T00:00:00Z");
    assert!(owner.get(&other).await.expect(422).json()["details"]["updated_since"].is_array());
    owner.get(&format!("{FINDINGS}?cursor={of_changes}")).await.expect(200);
}
