//! `/api/v1/samples`: records drawn at random from a list, in a way that can be repeated by hand.

use axum::body::Body;
use domain::{sample::Drawing, text::Name};
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

const SAMPLES: &str = "/api/v1/samples";

async fn findings(client: &Client, severity: &str, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for number in 0..count {
        let body = json!({ "title": format!("{severity} {number}"), "severity": severity });
        let made = client.post("/api/v1/findings", &body).await.expect(201).data();
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    ids
}

/// The order that the manual describes; a test of the domain compares it with that of another program.
fn by_hand(seed: &str, ids: &[String]) -> Vec<String> {
    let seed = Name::parse(seed).unwrap();
    let mut drawing = Drawing::new(&seed, 500);
    for id in ids {
        drawing.add(id.clone());
    }
    drawing.finish().1
}

/// More than a page, a part of an export or a change of many takes.
const MANY: usize = 10_500;

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_sample_is_drawn_from_a_list_of_any_length(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    let rows: String =
        (0..MANY).fold(String::new(), |all, number| all + &format!("{number},finding {number},low\n"));
    let request = Request::post("/api/v1/findings/import").header(header::CONTENT_TYPE, "text/csv");
    let body = Body::from(format!("external_id,title,severity\n{rows}"));
    client.request(request.body(body).unwrap()).await.expect(200);
    let other = findings(&client, "high", 3).await;
    let mut ids = Vec::new();
    let mut next = "/api/v1/findings?severity=low&limit=500".to_owned();
    loop {
        let page = client.get(&next).await.expect(200).json();
        ids.extend(page["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()));
        let Some(cursor) = page["meta"]["next_cursor"].as_str() else { break };
        next = format!("/api/v1/findings?severity=low&limit=500&cursor={cursor}");
    }
    assert_eq!(ids.len(), MANY, "{engine:?}");
    let body = json!({ "list": "findings", "filter": { "severity": "low" }, "size": 500, "seed": "year-end",
        "purpose": "Everything that is low" });
    let sample = client.post(SAMPLES, &body).await.expect(201).data();
    assert_eq!(sample["population"], MANY, "{engine:?}");
    assert_eq!(drawn(&sample), by_hand("year-end", &ids), "{engine:?}");
    // The words of a search and an order without a cursor reach all parts, too.
    let found = json!({ "list": "findings", "filter": { "search": "finding", "sort": "-due_on" }, "size": 9,
        "seed": "year-end", "purpose": "Found" });
    let sample = client.post(SAMPLES, &found).await.expect(201).data();
    assert_eq!(sample["population"], MANY, "{engine:?}");
    assert_eq!(drawn(&sample), by_hand("year-end", &ids)[..9], "{engine:?}");
    assert!(other.iter().all(|id| !ids.contains(id)));
}

fn drawn(sample: &Value) -> Vec<String> {
    let records = sample["drawn"].as_array().unwrap().iter();
    records.map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_sample_is_drawn_from_exactly_what_the_filter_matches_and_can_be_repeated_by_hand(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    let high = findings(&client, "high", 12).await;
    findings(&client, "low", 5).await;
    let closed = format!("/api/v1/findings/{}", high[0]);
    for status in ["in_progress", "resolved"] {
        client.patch(&closed, &json!({ "status": status })).await.expect(200);
    }
    let body = json!({ "list": "findings", "filter": { "severity": "high", "status": "open" }, "size": 4,
        "seed": "audit-2026", "purpose": "Remediation" });
    let sample = client.post(SAMPLES, &body).await.expect(201).data();
    let expected = by_hand("audit-2026", &high[1..]);
    assert_eq!(drawn(&sample), expected[..4], "{engine:?}");
    assert_eq!(
        (&sample["population"], &sample["size"], &sample["seed"], &sample["filter"]),
        (&json!(11), &json!(4), &json!("audit-2026"), &body["filter"]),
        "{engine:?}"
    );
    assert!(sample["drawn_by"].as_str().unwrap().starts_with("key_") && sample["drawn_at"].is_string());
    assert!(sample["drawn"][0]["name"].as_str().unwrap().contains("high"), "{sample}");

    // What happens afterwards changes nothing in it.
    findings(&client, "high", 3).await;
    let path = format!("{SAMPLES}/{}", sample["id"].as_str().unwrap());
    let shown = client.get(&path).await.expect(200);
    assert_eq!(shown.data(), sample, "{engine:?}");
    let etag = shown.header("etag").unwrap().to_owned();
    client.with("if-none-match", &etag).get(&path).await.expect(304);
    for verb in ["PATCH", "PUT", "DELETE"] {
        let refused = client.send(verb.parse().unwrap(), &path, None).await;
        assert_eq!(refused.status, 405, "{verb}");
    }
    let again = client.post(SAMPLES, &body).await.expect(201).data();
    assert_eq!(again["population"], 14, "{engine:?}: of this moment");
    let list = client.get(&format!("{SAMPLES}?limit=1")).await.expect(200).json();
    assert_eq!((&list["meta"]["total"], &list["data"][0]["id"]), (&json!(2), &again["id"]), "{engine:?}");
    let cursor = list["meta"]["next_cursor"].as_str().unwrap();
    let rest = client.get(&format!("{SAMPLES}?limit=1&cursor={cursor}")).await.expect(200).data();
    assert_eq!(rest[0]["id"], sample["id"], "{engine:?}");
}

#[tokio::test]
async fn without_a_seed_a_random_one_is_chosen_and_recorded() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    let ids = findings(&client, "high", 6).await;
    let body = json!({ "list": "findings", "size": 100, "purpose": "All of them" });
    let one = client.post(SAMPLES, &body).await.expect(201).data();
    let other = client.post(SAMPLES, &body).await.expect(201).data();
    assert_ne!(one["seed"], other["seed"]);
    assert_eq!(drawn(&one), by_hand(one["seed"].as_str().unwrap(), &ids), "at most the population");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_sample_without_list_size_or_purpose_or_of_nothing_is_refused(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write,manage_keys").await);
    findings(&client, "low", 1).await;
    let good = json!({ "list": "findings", "size": 1, "purpose": "Test" });
    for (field, value) in [
        ("list", json!(null)),
        ("list", json!("users")),
        ("size", json!(0)),
        ("size", json!(501)),
        ("size", json!(null)),
        ("purpose", json!("")),
        ("seed", json!("x".repeat(65))),
        ("filter", json!({ "severity": "high" })),
        ("filter", json!({ "severity": ["high"] })),
    ] {
        let mut body = good.clone();
        body[field] = value.clone();
        let answer = client.post(SAMPLES, &body).await.expect(422);
        assert!(answer.to_string().contains(field), "{engine:?} {field} {value}: {answer}");
    }
    let mut odd = good.clone();
    odd["filter"] = json!({ "colour": "red" });
    let answer = client.post(SAMPLES, &odd).await.expect(422);
    assert!(answer.to_string().contains("colour"), "{answer}");
    assert_eq!(client.get(SAMPLES).await.expect(200).json()["meta"]["total"], 0, "{engine:?}");

    // A key draws only from what it may read.
    let narrow = json!({ "name": "Narrow", "permissions": ["read", "write"],
        "scopes": ["samples:read", "samples:write"] });
    let key = client.post("/api/v1/keys", &narrow).await.expect(201).data()["key"].clone();
    let narrow = app.client(key.as_str().unwrap());
    narrow.post(SAMPLES, &good).await.expect(403);
    let made = client.post(SAMPLES, &good).await.expect(201).data();
    narrow.get(&format!("{SAMPLES}/{}", made["id"].as_str().unwrap())).await.expect(403);
}

#[tokio::test]
async fn a_sample_can_be_drawn_from_every_list() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    super::kinds::person(&app, &tenant, super::kinds::ADA, "ada@north.example").await;
    for list in app::view::lists() {
        super::kinds::fixture(&client, list).await;
        let body = json!({ "list": list, "size": 1, "purpose": "One of each" });
        let sample = client.post(SAMPLES, &body).await.expect(201).data();
        assert_eq!(drawn(&sample).len(), 1, "{list}");
    }
}
