//! What changed in the catalogue, and what a tenant has to confirm again because of it.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

const CHANGES: &str = "/api/changes";
const DAY: i64 = 24 * 60 * 60 * 1000;
/// Changed on 18 November 2026; the clock of the tests begins on the 14th.
const CHANGED: &str = "dora-rts-1774-art-22-d";
const UNCHANGED: &str = "dora-art-05-03";

fn ids(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|change| change["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn changes_are_listed_newest_first_with_the_wording_before_and_after() {
    let app = TestApp::new().await;
    let anonymous = app.anonymous();
    let all = anonymous.get(CHANGES).await.expect(200).json();
    let dates: Vec<_> = all["data"].as_array().unwrap().iter().map(|one| one["date"].as_str()).collect();
    assert!(dates.windows(2).all(|pair| pair[0] >= pair[1]), "{dates:?}");
    let corrigendum = all["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == "change-2024-1774-corrigendum")
        .unwrap();
    assert_eq!(
        (&corrigendum["kind"], &corrigendum["published"]),
        (&json!("corrigendum"), &json!("2025-05-15"))
    );
    let touched = &corrigendum["requirements"][0];
    assert_eq!(touched["requirement"], CHANGED);
    assert!(touched["was"].as_str().unwrap().contains("as long as necessary"), "{touched}");
    assert!(touched["now"].as_str().unwrap().contains("no longer than necessary"), "{touched}");
    let german = anonymous.get("/api/changes?lang=de").await.expect(200).json();
    assert_ne!(german["data"][0]["title"], all["data"][0]["title"]);
}

#[tokio::test]
async fn since_leaves_out_what_was_taken_in_before() {
    let app = TestApp::new().await;
    let anonymous = app.anonymous();
    let all = anonymous.get(CHANGES).await.expect(200).json();
    assert!(ids(&all).contains(&"change-marisk-9"));
    let later = anonymous.get("/api/changes?since=2026-11-17").await.expect(200).json();
    assert!(!ids(&later).contains(&"change-marisk-9"));
    assert_eq!(later["meta"]["count"], later["data"].as_array().unwrap().len());
    let none = anonymous.get("/api/changes?since=2099-01-01").await.expect(200).json();
    assert_eq!(none["data"], json!([]));
    let refused = anonymous.get("/api/changes?since=yesterday").await.expect(422).json();
    assert!(refused["details"]["since"].is_array(), "{refused}");
}

async fn assessed(client: &Client, requirement: &str) {
    let said = json!({ "status": "met", "rationale": "Done", "owner": "Dana Weber" });
    client.patch(&format!("/api/v1/assessments/{requirement}"), &said).await.expect(200);
}

async fn to_confirm(client: &Client) -> Vec<Value> {
    let tasks = client.get("/api/v1/tasks?type=assessment").await.expect(200).json();
    let all = tasks["data"].as_array().unwrap().iter();
    all.filter(|task| task["action"] == "confirm").cloned().collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_assessment_older_than_a_change_is_to_be_confirmed_again_until_it_is_saved(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    assessed(&owner, CHANGED).await;
    assessed(&owner, UNCHANGED).await;
    let address = format!("/api/v1/assessments/{CHANGED}");
    assert_eq!(owner.get(&address).await.expect(200).data()["changed_on"], json!(null));
    assert_eq!(to_confirm(&owner).await, Vec::<Value>::new(), "nothing has changed yet");
    app.clock.advance(10 * DAY);
    assert_eq!(owner.get(&address).await.expect(200).data()["changed_on"], "2026-11-18");
    let tasks = to_confirm(&owner).await;
    assert_eq!(tasks.len(), 1, "{tasks:?}");
    assert_eq!(
        (&tasks[0]["id"], &tasks[0]["due_on"], &tasks[0]["owner"]),
        (&json!(CHANGED), &json!("2026-12-18"), &json!("Dana Weber"))
    );
    // A new owner is no new judgement.
    owner.patch(&address, &json!({ "owner": "Kim Vogel" })).await.expect(200);
    assert_eq!(to_confirm(&owner).await.len(), 1);
    let mine = owner.get("/api/v1/tasks?owner=Dana%20Weber").await.expect(200).json();
    assert!(mine["data"].as_array().unwrap().iter().all(|task| task["action"] != "confirm"), "{mine}");
    let saved = owner.patch(&address, &json!({ "status": "met" })).await.expect(200).data();
    assert_eq!(saved["changed_on"], json!(null));
    assert_eq!(saved["rationale"], "Done");
    assert_eq!(to_confirm(&owner).await, Vec::<Value>::new());
}
