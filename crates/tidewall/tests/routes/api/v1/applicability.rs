//! To whom and from when a duty applies, as assessments and percentages show it.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

const DAY: i64 = 24 * 60 * 60 * 1000;
const PROFILE: &str = "/api/v1/profile";

async fn assessment(client: &Client, requirement: &str) -> Value {
    client.get(&format!("/api/v1/assessments/{requirement}")).await.expect(200).data()
}

async fn applicable(client: &Client, framework: &str) -> u64 {
    let summary = client.get("/api/v1/assessments/summary").await.expect(200).json();
    let found = summary["data"].as_array().unwrap().iter().find(|one| one["framework"] == framework).cloned();
    found.unwrap()["applicable"].as_u64().unwrap()
}

async fn bank(app: &TestApp, further: Value) -> Client {
    let owner = app.owner("north").await;
    stated(&owner, further).await;
    owner
}

/// States the facts of a bank, and further ones.
async fn stated(owner: &Client, further: Value) {
    let facts = json!({
        "entity_kind": "credit-institution", "size": "large", "significant": false, "country": "DE",
    });
    owner.patch(PROFILE, &facts).await.expect(200);
    owner.patch(PROFILE, &further).await.expect(200);
}

#[tokio::test]
async fn a_duty_that_begins_later_is_not_counted_until_its_day() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    stated(&owner, json!({ "roles": ["manufacturer"] })).await;
    let later = assessment(&owner, "cra-art-13-01").await;
    assert_eq!(
        (&later["verdict"], &later["applies"], &later["applies_from"]),
        (&json!("from"), &json!(false), &json!("2027-12-11"))
    );
    assert_eq!(later["applies_reason"], "Applies from 11 Dec 2027.");
    // Reporting under Art. 14 has applied since September 2026.
    assert_eq!(assessment(&owner, "cra-art-14-02-a").await["verdict"], "yes");
    let today = applicable(&owner, "cra").await;
    assert!((1..30).contains(&today), "{today}");
    // 14 November 2026 and 392 days.
    app.clock.advance(392 * DAY);
    // The key has ended meanwhile.
    let owner = app.client(&app.key(&tenant, "read,write").await);
    let begun = assessment(&owner, "cra-art-13-01").await;
    assert_eq!(
        (&begun["verdict"], &begun["applies"], &begun["applies_from"]),
        (&json!("yes"), &json!(true), &json!(null))
    );
    assert!(applicable(&owner, "cra").await > 90);
}

#[tokio::test]
async fn an_institution_that_is_not_identified_for_it_has_no_duty_to_test_by_threats() {
    let app = TestApp::new().await;
    let owner = bank(&app, json!({ "tlpt_identified": true })).await;
    let identified = applicable(&owner, "dora").await;
    assert_eq!(assessment(&owner, "dora-rts-1190-art-09-04").await["verdict"], "yes");
    owner.patch(PROFILE, &json!({ "tlpt_identified": false })).await.expect(200);
    let found = assessment(&owner, "dora-rts-1190-art-09-04").await;
    assert_eq!((&found["verdict"], &found["applies"]), (&json!("no"), &json!(false)));
    assert!(applicable(&owner, "dora").await + 40 <= identified);
    owner.patch(PROFILE, &json!({ "tlpt_identified": null })).await.expect(200);
    let open = assessment(&owner, "dora-rts-1190-art-09-04").await;
    assert_eq!((&open["verdict"], &open["applies"]), (&json!("unknown"), &json!(true)));
}

#[tokio::test]
async fn a_provider_has_the_duties_of_critical_providers_once_it_was_designated() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts = json!({ "entity_kind": "ict-provider", "size": "large", "country": "DE", "roles": [] });
    owner.patch(PROFILE, &facts).await.expect(200);
    let found = assessment(&owner, "dora-art-42-01").await;
    assert_eq!((&found["verdict"], &found["applies"]), (&json!("no"), &json!(false)));
    owner.patch(PROFILE, &json!({ "roles": ["critical-ict-provider"] })).await.expect(200);
    let found = assessment(&owner, "dora-art-42-01").await;
    assert_eq!((&found["verdict"], &found["applies"]), (&json!("yes"), &json!(true)));
    assert_eq!(assessment(&owner, "dora-art-05-01").await["verdict"], "no", "it is no financial entity");
}

#[tokio::test]
async fn a_bank_registers_a_critical_plant_once_it_says_that_it_operates_one() {
    let app = TestApp::new().await;
    let owner = bank(&app, json!({})).await;
    for (roles, verdict, applies) in [
        (json!(null), "unknown", true),
        (json!([]), "no", false),
        (json!(["critical-plant-operator"]), "yes", true),
    ] {
        owner.patch(PROFILE, &json!({ "roles": roles })).await.expect(200);
        let found = assessment(&owner, "kritis-dachg-08-01-1").await;
        assert_eq!((&found["verdict"], &found["applies"]), (&json!(verdict), &json!(applies)), "{roles}");
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn without_a_critical_or_important_function_what_is_for_them_does_not_apply(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = bank(&app, json!({})).await;
    let subcontracting = "dora-rts-532-art-04-01";
    let found = assessment(&owner, subcontracting).await;
    assert_eq!(found["verdict"], "yes", "no function is known yet");
    assert_eq!(found["applies_reason"], "Applies for functions that are critical or important.");
    let function = json!({ "name": "Canteen", "criticality": "other", "reasons": "No service to clients" });
    let function = owner.post("/api/v1/functions", &function).await.expect(201).data();
    let address = format!("/api/v1/functions/{}", function["id"].as_str().unwrap());
    assert_eq!(assessment(&owner, subcontracting).await["verdict"], "no");
    owner.patch(&address, &json!({ "criticality": "critical_or_important" })).await.expect(200);
    assert_eq!(assessment(&owner, subcontracting).await["verdict"], "yes");
}
