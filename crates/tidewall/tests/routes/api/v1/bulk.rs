//! The same change to many records at once, with an answer for each.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::seed;

const BULK: &str = "/api/v1/findings/bulk";

async fn findings(client: &Client, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for number in 0..count {
        let made = seed::finding(client, &json!({ "title": format!("Gate {number}") })).await;
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    ids
}

async fn owner(client: &Client, id: &str) -> Value {
    client.get(&format!("/api/v1/findings/{id}")).await.expect(200).data()["owner"].clone()
}

fn counts(answer: &Value) -> (u64, u64, u64) {
    let of = |name: &str| answer[name].as_u64().unwrap();
    (of("changed"), of("unchanged"), of("refused"))
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn one_refused_record_does_not_keep_the_others_from_being_changed(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let other = app.owner("south").await;
    let (ids, foreign) = (findings(&client, 3).await, findings(&other, 1).await);
    // A closed finding is opened again before work on it goes on.
    seed::moved(&client, &format!("/api/v1/findings/{}", ids[1]), &["in_progress", "resolved", "closed"])
        .await;
    let wanted = json!({
        "ids": [ids[0], ids[1], ids[2], foreign[0], "nonsense", ids[0]],
        "change": { "owner": "Anna Weber", "status": "in_progress", "tags": ["bulk"] },
    });
    let answer = client.post(BULK, &wanted).await.expect(200).data();
    assert_eq!(counts(&answer), (2, 0, 3), "{answer}");
    let results: Vec<_> = answer["results"].as_array().unwrap().iter().map(|item| &item["result"]).collect();
    assert_eq!(
        results,
        ["changed", "refused", "changed", "refused", "refused"],
        "in the order of the request"
    );
    assert!(answer["results"][1]["details"]["status"].is_array(), "{answer}");
    assert!(answer["results"][3]["details"]["id"].is_array(), "{answer}");
    assert_eq!(owner(&client, &ids[0]).await, "Anna Weber");
    assert_eq!(owner(&client, &ids[1]).await, Value::Null, "what is refused keeps none of its changes");
    assert_eq!(owner(&other, &foreign[0]).await, Value::Null);
    let tagged = client.get("/api/v1/findings?tag=bulk&sort=created_at").await.expect(200).json();
    assert_eq!(seed::pluck(&tagged, "id"), [ids[0].clone(), ids[2].clone()]);
    let wanted = json!({ "ids": [ids[0], ids[2]], "change": { "owner": "Anna Weber", "tags": ["bulk"] } });
    let again = client.post(BULK, &wanted).await.expect(200).data();
    assert_eq!(counts(&again), (0, 2, 0), "to repeat it changes nothing");
}

#[tokio::test]
async fn a_dry_run_says_what_would_happen_and_stores_nothing() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let ids = findings(&client, 2).await;
    let wanted = json!({ "ids": ids, "change": { "owner": "Anna Weber", "tags": ["x"] }, "dry_run": true });
    let answer = client.post(BULK, &wanted).await.expect(200).data();
    assert_eq!((counts(&answer), &answer["dry_run"]), ((2, 0, 0), &json!(true)));
    assert_eq!(owner(&client, &ids[0]).await, Value::Null);
    let tagged = client.get("/api/v1/findings?tag=x").await.expect(200).json();
    assert_eq!(tagged["meta"]["total"], 0);
}

#[tokio::test]
async fn a_filter_names_all_records_that_match_it_also_more_than_one_transaction_takes() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let ids = findings(&client, 501).await;
    let low = json!({ "severity": "low" });
    client.patch(&format!("/api/v1/findings/{}", ids[0]), &low).await.expect(200);
    let wanted = json!({ "filter": "severity=high", "change": { "owner": "Anna Weber" } });
    let answer = client.post(BULK, &wanted).await.expect(200).data();
    assert_eq!(counts(&answer), (500, 0, 0));
    let wanted = json!({ "filter": "", "change": { "owner": "Anna Weber" } });
    let answer = client.post(BULK, &wanted).await.expect(200).data();
    assert_eq!(counts(&answer), (1, 500, 0));
    assert_eq!(owner(&client, &ids[0]).await, "Anna Weber");
    let refused = json!({ "filter": "severity=terrible", "change": { "owner": "Ben" } });
    client.post(BULK, &refused).await.expect(422);
}

#[tokio::test]
async fn every_kind_with_an_owner_takes_one_for_many() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let risk =
        json!({ "title": "Fire", "category": "physical", "inherent": { "likelihood": 1, "impact": 1 } });
    for (list, body) in [
        ("/api/v1/controls", json!({ "title": "Alarm" })),
        ("/api/v1/risks", risk),
        ("/api/v1/incidents", json!({ "title": "Outage" })),
        ("/api/v1/evidence", json!({ "title": "Report", "url": "https://example.com/r" })),
        ("/api/v1/functions", json!({ "name": "Payments" })),
        ("/api/v1/programmes", json!({ "name": "Tests", "framework": "dora" })),
        ("/api/v1/own-frameworks", json!({ "key": "own", "title": "Own" })),
    ] {
        let made = client.post(list, &body).await.expect(201).data();
        let wanted = json!({ "ids": [made["id"]], "change": { "owner": "Anna Weber" } });
        let answer = client.post(&format!("{list}/bulk"), &wanted).await.expect(200).data();
        assert_eq!(counts(&answer), (1, 0, 0), "{list}: {answer}");
        let after = client.get(&format!("{list}/{}", made["id"].as_str().unwrap())).await.expect(200).data();
        assert_eq!(after["owner"], "Anna Weber", "{list}");
        // The records of another kind are none of this list.
        let other = if list == "/api/v1/risks" { "/api/v1/controls/bulk" } else { "/api/v1/risks/bulk" };
        assert_eq!(counts(&client.post(other, &wanted).await.expect(200).data()), (0, 0, 1), "{list}");
    }
}

#[tokio::test]
async fn what_is_no_bulk_change_is_refused() {
    let app = TestApp::new().await;
    let north = app.tenant("north").await;
    let client = app.client(&app.key(&north, "read,write").await);
    let ids = findings(&client, 1).await;
    let many: Vec<String> = (0..10_001).map(|number| format!("fnd_{number}")).collect();
    for body in [
        json!({}),
        json!({ "ids": ids, "filter": "severity=high", "change": { "owner": "A" } }),
        json!({ "change": { "owner": "A" } }),
        json!({ "ids": ids, "change": {} }),
        json!({ "ids": ids, "change": { "tags": ["a,b"] } }),
        json!({ "ids": ids, "change": { "severity": 7 } }),
        json!({ "ids": many, "change": { "owner": "A" } }),
    ] {
        client.post(BULK, &body).await.expect(422);
    }
    let reader = app.client(&app.key(&north, "read").await);
    reader.post(BULK, &json!({ "ids": ids, "change": { "owner": "A" } })).await.expect(403);
    assert_eq!(owner(&client, &ids[0]).await, Value::Null);
}

#[tokio::test]
async fn a_key_that_may_not_read_learns_nothing_by_changing_many() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let ids = findings(&client, 1).await;
    let limits = json!({ "name": "writer", "permissions": ["write"], "scopes": ["findings:write"] });
    let key = client.post("/api/v1/keys", &limits).await.expect(201).data();
    let writer = app.client(key["key"].as_str().unwrap());
    for dry_run in [true, false] {
        let change = json!({ "owner": "Anna Weber" });
        let by_filter = json!({ "filter": "severity=high", "change": change, "dry_run": dry_run });
        let by_id = json!({ "ids": ids, "change": change, "dry_run": dry_run });
        for wanted in [by_filter, by_id] {
            let refused = writer.post(BULK, &wanted).await.expect(403);
            assert!(refused.error().contains("findings:read"), "{refused}");
        }
    }
    assert_eq!(owner(&client, &ids[0]).await, Value::Null);
}
