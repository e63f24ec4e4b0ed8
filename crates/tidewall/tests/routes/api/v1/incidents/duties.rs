//! Who is informed besides the authority, how days are counted, and when each rule book starts to count.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{opened, report};

const HOUR: i64 = 3_600_000;

async fn sent(client: &Client, address: &str, place: &str, body: &Value) -> Value {
    client.post(&format!("{address}/reports/{place}/submitted"), body).await.expect(200).data()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn clients_are_informed_of_a_major_incident_and_it_stays_open_until_that_is_recorded(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let facts = json!({ "facts": { "malicious_access": true }, "description": "Cards were blocked" });
    let (address, incident) = opened(&owner, &facts).await;
    assert_eq!(
        report(&incident, "dora", "communication")["due_because"],
        "waits for the classification as major"
    );
    let classified = owner.post(&format!("{address}/classify"), &json!({})).await.expect(200).data();
    let open = report(&classified, "dora", "communication");
    assert_eq!(open["due_because"], "waits for the fact that decides it: client_interests_affected");
    let affected = json!({ "facts": { "client_interests_affected": true } });
    let owed = owner.patch(&address, &affected).await.expect(200).data();
    let owed = report(&owed, "dora", "communication");
    assert_eq!((&owed["due_at"], &owed["state"]), (&json!(null), &json!("pending")), "{engine:?}");
    assert_eq!(owed["article"], "2022/2554 Art. 19(3)");
    assert!(owed["due_because"].as_str().unwrap().starts_with("without undue delay; no number of hours"));
    let content =
        owner.get(&format!("{address}/reports/dora/communication")).await.expect(200).data()["fields"]
            .clone();
    let names: Vec<&str> =
        content.as_array().unwrap().iter().map(|field| field["field"].as_str().unwrap()).collect();
    assert_eq!(names, ["inform_event", "inform_measures", "inform_channel", "inform_recipients"]);
    assert_eq!(content[0]["value"], "Cards were blocked");
    let incomplete = owner.post(&format!("{address}/reports/dora/communication/submitted"), &json!({})).await;
    incomplete.expect(422);
    let values = json!({ "report_values": {
        "dora.inform_measures": "Use another card", "dora.inform_channel": "Mail",
        "dora.inform_recipients": "All holders of cards",
    } });
    owner.patch(&address, &values).await.expect(200);
    let after = sent(&owner, &address, "dora/communication", &json!({})).await;
    assert_eq!(report(&after, "dora", "communication")["state"], "submitted");
    assert_eq!(after["status"], "classified", "informing clients is no report to the authority");
    assert_eq!(report(&after, "dora", "initial")["state"], "due_soon");
}

#[tokio::test]
async fn recipients_and_users_are_informed_once_the_facts_say_so() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts = json!({ "regimes": ["nis2", "cra"], "facts": {
        "provider_type": "cloud", "unavailable_minutes": 31, "product_security": true,
    } });
    let (address, incident) = opened(&owner, &facts).await;
    for (regime, fact) in [("nis2", "recipients_affected"), ("cra", "users_impacted")] {
        let waits = format!("waits for the fact that decides it: {fact}");
        assert_eq!(report(&incident, regime, "communication")["due_because"], waits);
        let mut known = json!({ "facts": {} });
        known["facts"][fact] = json!(true);
        let owed = owner.patch(&address, &known).await.expect(200).data();
        assert_eq!(report(&owed, regime, "communication")["state"], "pending");
        let after =
            sent(&owner, &address, &format!("{regime}/communication"), &json!({ "incomplete": true })).await;
        assert_eq!(report(&after, regime, "communication")["state"], "submitted");
    }
}

#[tokio::test]
async fn a_report_later_on_its_due_day_is_not_late() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = opened(&owner, &json!({ "facts": { "malicious_access": true } })).await;
    owner.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    let filed = json!({ "incomplete": true });
    sent(&owner, &address, "dora/initial", &filed).await;
    app.clock.advance(48 * HOUR);
    let after = sent(&owner, &address, "dora/intermediate", &filed).await;
    let last = report(&after, "dora", "final");
    assert_eq!(last["due_at"], "2026-12-16T22:59:59.999Z", "the end of 16 December in Berlin");
    assert!(last["reading"].as_str().unwrap().contains("our reading"), "{last}");
    assert_eq!(report(&after, "dora", "intermediate")["reading"], json!(null), "hours are exact");
    app.clock.advance(30 * 24 * HOUR + 8 * HOUR);
    let after = sent(&owner, &address, "dora/final", &filed).await;
    assert_eq!(report(&after, "dora", "final")["submitted_at"], "2026-12-16T22:00:00Z");
    assert_eq!(report(&after, "dora", "final")["state"], "submitted");
}

#[tokio::test]
async fn each_rule_book_may_count_from_its_own_moment_of_awareness() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts = json!({ "regimes": ["nis2", "gdpr"], "facts": {
        "provider_type": "cloud", "unavailable_minutes": 31, "personal_data": true, "personal_risk": "likely",
    } });
    let (address, incident) = opened(&owner, &facts).await;
    assert_eq!(report(&incident, "gdpr", "notification")["due_at"], "2026-11-17T14:00:00Z");
    app.clock.advance(20 * HOUR);
    let later = json!({ "facts": { "aware_at_gdpr": "2026-11-15T09:00:00Z" } });
    let after = owner.patch(&address, &later).await.expect(200).data();
    assert_eq!(report(&after, "gdpr", "notification")["due_at"], "2026-11-18T09:00:00Z");
    assert_eq!(report(&after, "nis2", "early_warning")["due_at"], "2026-11-15T14:00:00Z", "as before");
    for (wrong, why) in [
        ("2026-11-14T13:00:00Z", "must not be before detected_at (2026-11-14T14:00:00Z)"),
        ("2026-11-20T09:00:00Z", "must not be in the future"),
    ] {
        let refused = json!({ "facts": { "aware_at_gdpr": wrong } });
        let refused = owner.patch(&address, &refused).await.expect(422).json();
        assert_eq!(refused["details"]["facts.aware_at_gdpr"][0], why);
    }
}

#[tokio::test]
async fn a_product_event_of_both_kinds_owes_two_final_reports_and_may_leave_out_what_was_provided() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts = json!({ "regimes": ["cra"], "facts": {
        "exploited_vulnerability": true, "product_malicious_code": true,
        "corrective_measure_at": "2026-11-14T12:00:00Z",
    } });
    let (address, incident) = opened(&owner, &facts).await;
    assert_eq!(
        report(&incident, "cra", "final")["due_at"],
        "2026-11-28T22:59:59.999Z",
        "14 days after the measure"
    );
    let provided = json!({ "already_provided": "The early warning said all of it" });
    let early = owner.post(&format!("{address}/reports/cra/notification/submitted"), &provided).await;
    let early = early.expect(422).json();
    assert!(early["details"]["already_provided"].is_array(), "nothing was sent before: {early}");
    sent(&owner, &address, "cra/early_warning", &json!({ "incomplete": true })).await;
    app.clock.advance(HOUR);
    let after = sent(&owner, &address, "cra/notification", &provided).await;
    let notification = report(&after, "cra", "notification");
    assert_eq!(
        (&notification["state"], &notification["submitted_at"]),
        (&json!("submitted"), &json!("2026-11-14T14:00:00Z")),
        "as of the early warning"
    );
    assert_eq!(after["filed"][1]["already_provided"], "The early warning said all of it");
    assert_eq!(
        report(&after, "cra", "final_incident")["due_at"],
        "2026-12-14T22:59:59.999Z",
        "a month after it"
    );
    let asked = json!({ "facts": { "cra_interim_requested_at": "2026-11-14T14:30:00Z" } });
    let asked = owner.patch(&address, &asked).await.expect(200).data();
    assert_eq!(report(&asked, "cra", "interim")["state"], "pending");
    let answered = sent(&owner, &address, "cra/interim", &json!({ "incomplete": true })).await;
    assert_eq!(report(&answered, "cra", "interim")["state"], "submitted");
    let elsewhere = owner.post(&format!("{address}/reports/cra/communication/submitted"), &provided).await;
    elsewhere.expect(422);
}

#[tokio::test]
async fn costs_that_are_likely_to_exceed_the_threshold_meet_it_and_readings_are_said_to_be_ours() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts = json!({ "facts": { "critical_services": true, "costs_estimate": 15_000_000, "member_states": ["DE", "AT"] } });
    let (address, _) = opened(&owner, &facts).await;
    let computed = owner.get(&format!("{address}/classification")).await.expect(200).data();
    let reason = |article: &str| {
        let reasons = computed["reasons"].as_array().unwrap();
        reasons.iter().find(|reason| reason["article"] == article).unwrap().clone()
    };
    assert_eq!(reason("2024/1772 Art. 9(6)")["met"], "true");
    assert_eq!(computed["result"], "major", "with the two Member States");
    let reading = reason("2024/1772 Art. 9(4)")["reading"].clone();
    assert!(
        reading.as_str().unwrap().starts_with("Our reading: the own Member State is counted"),
        "{reading}"
    );
    let less = json!({ "facts": { "costs_estimate": 10_000_000, "costs": { "staff": 1_000_001 } } });
    owner.patch(&address, &less).await.expect(200);
    let computed = owner.get(&format!("{address}/classification")).await.expect(200).data();
    let costs =
        computed["reasons"].as_array().unwrap().iter().find(|r| r["article"] == "2024/1772 Art. 9(6)");
    assert_eq!(costs.unwrap()["met"], "false", "not more than EUR 100 000");
}

#[tokio::test]
async fn the_thresholds_that_may_be_considered_make_a_cyber_threat_significant() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, incident) = opened(&owner, &json!({})).await;
    assert_eq!(incident["significant_threat"], "unknown");
    let facts = json!({ "facts": {
        "threat_could_affect": true, "threat_high_probability": true, "threat_critical_services": false,
        "threat_clients": false, "threat_geography": false,
    } });
    let none = owner.patch(&address, &facts).await.expect(200).data();
    assert_eq!(none["significant_threat"], "false");
    let considered = json!({ "facts": { "threat_reputation": true } });
    let considered = owner.patch(&address, &considered).await.expect(200).data();
    assert_eq!(considered["significant_threat"], "true", "Art. 10, last sentence");
}
