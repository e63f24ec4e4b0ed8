//! `GET /api/v1/audit`.

use serde_json::{Value, json};
use testkit::{Engine, TestApp};

async fn reads_who_did_what_to_which_record(app: TestApp) {
    let tenant = app.tenant("north").await;
    let key = app.key(&tenant, "read,write,manage_keys").await;
    let client = app.client(&key);
    let made = client.post("/api/v1/findings", &json!({ "title": "Backups", "severity": "low" })).await;
    let made = made.expect(201).json();
    let id = made["data"]["id"].as_str().unwrap();
    client.patch(&format!("/api/v1/findings/{id}"), &json!({ "severity": "high" })).await.expect(200);

    let log = client.get(&format!("/api/v1/audit?record={id}")).await.expect(200).json();
    let [changed, created] = &log["data"].as_array().unwrap()[..] else { panic!("{log}") };
    assert_eq!(changed["action"], "finding.changed");
    assert_eq!(changed["detail"]["severity"], json!(["low", "high"]));
    let reference = made["data"]["reference"].as_str().unwrap();
    assert_eq!(changed["record"], json!({ "id": id, "name": format!("{reference} Backups") }));
    assert_eq!(changed["description"], format!("changed the finding {reference} Backups"));
    assert_eq!((&changed["actor"]["kind"], &changed["actor"]["name"]), (&json!("key"), &json!("test")));
    assert_eq!(changed["number"].as_i64().unwrap(), created["number"].as_i64().unwrap() + 1);
    assert_eq!(log["meta"], json!({ "count": 2, "next_before": null }));

    let actor = changed["actor"]["id"].as_str().unwrap();
    let by_key = client.get(&format!("/api/v1/audit?actor={actor}&kind=findings")).await.expect(200).json();
    assert_eq!(by_key["meta"]["count"], 2);
    let operator = client.get("/api/v1/audit?actor=operator").await.expect(200).json();
    assert_eq!(actions(&operator), ["key.created"]);
    for (query, count) in [
        ("until=2026-11-14T14:00:00Z", 0),
        ("from=2026-11-14T14:00:00Z", 3),
        ("from=2026-11-15T00:00:00Z", 0),
        ("kind=webhooks", 0),
    ] {
        let found = client.get(&format!("/api/v1/audit?{query}")).await.expect(200).json();
        assert_eq!(found["meta"]["count"], count, "{query}: {found}");
    }
    let first = client.get("/api/v1/audit?limit=2").await.expect(200).json();
    let before = first["meta"]["next_before"].as_i64().unwrap();
    let rest = client.get(&format!("/api/v1/audit?before={before}")).await.expect(200).json();
    assert_eq!((actions(&first).len(), actions(&rest)), (2, vec!["key.created".to_owned()]));
    for wrong in ["kind=x", "from=yesterday", "before=x", "limit=0"] {
        client.get(&format!("/api/v1/audit?{wrong}")).await.expect(422);
    }

    let south = app.tenant("south").await;
    let foreign = app.client(&app.key(&south, "read,write,manage_keys").await);
    let other = foreign.get(&format!("/api/v1/audit?record={id}")).await.expect(200).json();
    assert_eq!(other["data"], json!([]), "another institution's record");
    app.client(&app.key(&tenant, "read,write").await).get("/api/v1/audit").await.expect(403);
}

fn actions(log: &Value) -> Vec<String> {
    let entries = log["data"].as_array().unwrap().iter();
    entries.map(|entry| entry["action"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_who_did_what_to_which_record_on_sqlite() {
    reads_who_did_what_to_which_record(TestApp::on(Engine::Sqlite).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_who_did_what_to_which_record_on_postgres() {
    reads_who_did_what_to_which_record(TestApp::on(Engine::Postgres).await).await;
}
