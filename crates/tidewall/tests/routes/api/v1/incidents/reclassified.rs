//! An incident that is major, then not, then major again: what is owed, what is kept, what was sent.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{opened, report};

const HOUR: i64 = 3_600_000;

async fn classified(client: &Client, address: &str, body: &Value) -> Value {
    client.post(&format!("{address}/classify"), body).await.expect(200).data()
}

async fn sent(client: &Client, address: &str, stage: &str, reference: &str) -> Value {
    let body = json!({ "incomplete": true, "reference": reference });
    client.post(&format!("{address}/reports/dora/{stage}/submitted"), &body).await.expect(200).data()
}

async fn value(client: &Client, address: &str, field: &str) -> Value {
    let content = client.get(address).await.expect(200).data();
    let fields = content["fields"].as_array().unwrap();
    fields.iter().find(|each| each["field"] == field).unwrap()["value"].clone()
}

/// The clock of the tests stands at 14:00 UTC on Saturday, 14 November 2026.
#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn major_again_after_a_reclassification_was_sent_is_reported_from_the_start(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let facts = json!({ "facts": { "malicious_access": true }, "description": "As it looked at first" });
    let (address, _) = opened(&owner, &facts).await;
    classified(&owner, &address, &json!({})).await;
    sent(&owner, &address, "initial", "BA-1").await;
    app.clock.advance(HOUR);
    let not_major = json!({ "result": "not_major", "reason": "It was an announced test" });
    classified(&owner, &address, &not_major).await;
    sent(&owner, &address, "reclassified", "BA-2").await;

    app.clock.advance(30 * HOUR);
    let refused = owner.post(&format!("{address}/classify"), &json!({})).await.expect(422).json();
    let said = "is required when a classification as major is taken back or made again: say why";
    assert_eq!(refused["details"]["reason"][0], said, "{engine:?}");
    let again = json!({ "reason": "The test hid a real intrusion" });
    let after = classified(&owner, &address, &again).await;
    assert_eq!(after["classification"]["result"], "major");
    let initial = report(&after, "dora", "initial");
    assert_eq!(initial["due_at"], "2026-11-16T01:00:00Z", "four hours after the new classification");
    assert_eq!((&initial["submitted_at"], &initial["state"]), (&json!(null), &json!("due_soon")));
    let stages: Vec<&Value> = after["reports"].as_array().unwrap().iter().map(|r| &r["stage"]).collect();
    assert!(!stages.contains(&&json!("reclassified")), "{stages:?}");

    owner.patch(&address, &json!({ "description": "As it is known now" })).await.expect(200);
    let second = sent(&owner, &address, "initial", "BA-3").await;
    assert_eq!(report(&second, "dora", "initial")["state"], "submitted");
    assert_eq!(report(&second, "dora", "intermediate")["due_at"], "2026-11-18T21:00:00Z");
    let place = format!("{address}/reports/dora/initial");
    let first = value(&owner, &format!("{place}?sent=1"), "2.4").await;
    assert_eq!(first, "As it looked at first", "what was sent is shown as it was sent");
    assert_eq!(value(&owner, &format!("{place}?sent=2"), "2.4").await, "As it is known now");
    assert_eq!(value(&owner, &place, "2.4").await, "As it is known now");
    let intermediate = format!("{address}/reports/dora/intermediate");
    assert_eq!(value(&owner, &intermediate, "3.1").await, "BA-3", "the reference of what counts now");
    owner.get(&format!("{place}?sent=3")).await.expect(404);
    owner.get(&format!("{place}?sent=0")).await.expect(404);
    let twice = json!({ "incomplete": true });
    owner.post(&format!("{place}/submitted"), &twice).await.expect(422);

    let kept = owner.get(&address).await.expect(200).data();
    let filed = kept["filed"].as_array().unwrap().iter();
    let filed: Vec<_> = filed.map(|each| (each["stage"].as_str(), each["number"].as_u64())).collect();
    let expected = [(Some("initial"), Some(1)), (Some("reclassified"), Some(1)), (Some("initial"), Some(2))];
    assert_eq!(filed, expected);
    let earlier = kept["classification"]["earlier"].as_array().unwrap();
    let earlier: Vec<_> = earlier
        .iter()
        .map(|each| (each["result"].as_str().unwrap(), each["reason"].as_str(), &each["classified_at"]))
        .collect();
    assert_eq!(
        earlier,
        [
            ("major", None, &json!("2026-11-14T14:00:00Z")),
            ("not_major", Some("It was an announced test"), &json!("2026-11-14T15:00:00Z")),
        ]
    );
    assert_eq!(kept["classification"]["reason"], "The test hid a real intrusion");
    assert!(kept["classification"]["earlier"][0]["classified_by"].as_str().unwrap().starts_with("key_"));
}

#[tokio::test]
async fn major_again_before_a_reclassification_was_sent_goes_on_with_what_was_sent() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = opened(&owner, &json!({ "facts": { "malicious_access": true } })).await;
    classified(&owner, &address, &json!({})).await;
    sent(&owner, &address, "initial", "BA-1").await;
    app.clock.advance(HOUR);
    let not_major = json!({ "result": "not_major", "reason": "It was an announced test" });
    classified(&owner, &address, &not_major).await;
    app.clock.advance(HOUR);
    let after = classified(&owner, &address, &json!({ "reason": "It was none" })).await;
    let initial = report(&after, "dora", "initial");
    assert_eq!(
        (&initial["state"], &initial["due_at"]),
        (&json!("submitted"), &json!("2026-11-14T18:00:00Z"))
    );
    assert_eq!(report(&after, "dora", "intermediate")["due_at"], "2026-11-17T14:00:00Z");
    let early = json!({ "incomplete": true });
    let place = format!("{address}/reports/dora/reclassified/submitted");
    let refused = owner.post(&place, &early).await.expect(422).json();
    assert!(refused["details"]["stage"][0].as_str().unwrap().starts_with("can be filed only after"));
}

#[tokio::test]
async fn every_update_that_was_sent_can_be_read_again() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) =
        opened(&owner, &json!({ "facts": { "malicious_access": true }, "description": "First" })).await;
    classified(&owner, &address, &json!({})).await;
    for stage in ["initial", "intermediate", "intermediate_update"] {
        sent(&owner, &address, stage, stage).await;
    }
    owner.patch(&address, &json!({ "description": "Second" })).await.expect(200);
    sent(&owner, &address, "intermediate_update", "again").await;
    let place = format!("{address}/reports/dora/intermediate_update");
    assert_eq!(value(&owner, &format!("{place}?sent=1"), "2.4").await, "First");
    assert_eq!(value(&owner, &format!("{place}?sent=2"), "2.4").await, "Second");
    let file = owner.get(&format!("{place}?sent=1&format=json")).await.expect(200).json();
    assert_eq!(file["incident"]["incidentDescription"], "First", "{file}");
}
