//! Invalid input, each refused by the name of its field.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::{INCIDENTS, opened};

#[tokio::test]
async fn times_that_cannot_be_are_refused() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = opened(&owner, &json!({ "detected_at": "2026-11-14T10:00:00Z" })).await;
    for (field, time, message) in [
        ("occurred_at", "2026-11-14T11:00:00Z", "must not be before occurred_at (2026-11-14T11:00:00Z)"),
        ("resolved_at", "2026-11-14T09:00:00Z", "must not be before detected_at (2026-11-14T10:00:00Z)"),
        ("detected_at", "2026-02-30T10:00:00Z", "must be a time like 2026-11-14T09:30:00Z"),
        ("detected_at", "2026-11-14T25:00:00Z", "must be a time like 2026-11-14T09:30:00Z"),
        ("detected_at", "2026-11-14 10:00", "must be a time like 2026-11-14T09:30:00Z"),
        // The hour that does not exist has no place in a request: its times name their offset.
        ("detected_at", "2026-03-29T02:30:00", "must be a time like 2026-11-14T09:30:00Z"),
        ("aware_at", "2026-11-15T14:00:00Z", "must not be in the future"),
    ] {
        let refused = owner.patch(&address, &json!({ field: time })).await.expect(422).json();
        let said: Vec<&str> = refused["details"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|all| all.as_array().unwrap())
            .filter_map(Value::as_str)
            .collect();
        assert!(said.iter().any(|text| text.contains(message)), "{field} {time}: {said:?}");
    }
}

#[tokio::test]
async fn awareness_cannot_come_after_the_classification_nor_be_moved_behind_it() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts = json!({ "aware_at": "2026-11-14T12:00:00Z", "detected_at": "2026-11-14T12:00:00Z",
        "facts": { "malicious_access": true } });
    let (address, _) = opened(&owner, &facts).await;
    let early = json!({ "at": "2026-11-14T11:59:59Z" });
    let refused = owner.post(&format!("{address}/classify"), &early).await.expect(422).json();
    assert_eq!(refused["details"]["at"][0], "must not be before aware_at (2026-11-14T12:00:00Z)");
    let classified = json!({ "at": "2026-11-14T13:00:00Z" });
    owner.post(&format!("{address}/classify"), &classified).await.expect(200);
    let moved =
        owner.patch(&address, &json!({ "aware_at": "2026-11-14T13:30:00Z" })).await.expect(422).json();
    assert_eq!(moved["details"]["aware_at"][0], "must not be after classified_at (2026-11-14T13:00:00Z)");
}

#[tokio::test]
async fn facts_that_cannot_be_are_refused() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = opened(&owner, &json!({})).await;
    for (facts, field, message) in [
        (json!({ "clients_affected": -1 }), "facts.clients_affected", "must not be negative"),
        (json!({ "clients_affected": 1.5 }), "facts.clients_affected", "must be a whole number"),
        (
            json!({ "clients_affected": 11, "clients_total": 10 }),
            "facts.clients_affected",
            "must not be more than clients_total (10): correct one of the two",
        ),
        (
            json!({ "amount_affected": { "amount": 100, "currency": "CHF" } }),
            "facts.amount_affected",
            "must be in EUR, like every amount of this incident: convert it, or change the currency of all",
        ),
        (json!({ "currency": "EURO" }), "facts.currency", "must be a currency as three capital letters"),
        (json!({ "amount_affected": -100 }), "facts.amount_affected", "must not be negative"),
        (json!({ "costs": { "staff": -1 } }), "facts.costs", "staff must not be negative"),
        (
            json!({ "counterparts_affected": 4, "counterparts_total": 3 }),
            "facts.counterparts_affected",
            "must not be more than counterparts_total (3): correct one of the two",
        ),
        (
            json!({ "compromised_users": 8, "users_total": 7 }),
            "facts.compromised_users",
            "must not be more than users_total (7): correct one of the two",
        ),
        (json!({ "euro_rate": "1.5" }), "facts.euro_rate", "is only for amounts in another currency"),
        (
            json!({ "corrective_measure_at": "2026-02-30T10:00:00Z" }),
            "facts.corrective_measure_at",
            "must be a time",
        ),
        (json!({ "member_states": ["US"] }), "facts.member_states", "item 1 names US"),
        (json!({ "weather": "bad" }), "facts.weather", "is no fact of an incident"),
    ] {
        let refused = owner.patch(&address, &json!({ "facts": facts })).await.expect(422).json();
        let said = refused["details"][field][0].as_str().unwrap_or_else(|| panic!("{refused}"));
        assert!(said.contains(message), "{said}");
    }
    let swiss = json!({ "facts": { "currency": "CHF", "costs": { "staff": 500 } } });
    let swiss = owner.patch(&address, &swiss).await.expect(200).data();
    assert_eq!(
        (&swiss["facts"]["currency"], &swiss["facts"]["costs"]["staff"]),
        (&json!("CHF"), &json!(500))
    );
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn only_one_of_two_who_classify_at_once_is_stored(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let (address, _) = opened(&owner, &json!({ "facts": { "malicious_access": true } })).await;
    let seen = owner.get(&address).await.expect(200);
    let both = owner.with("if-match", seen.header("etag").unwrap());
    let classify = format!("{address}/classify");
    let other = json!({ "result": "not_major", "reason": "A test system" });
    let plain = json!({});
    let (one, two) = tokio::join!(both.post(&classify, &plain), both.post(&classify, &other));
    let mut answers = [one.status.as_u16(), two.status.as_u16()];
    answers.sort_unstable();
    assert_eq!(answers, [200, 412], "{engine:?}");
}

#[tokio::test]
async fn unknown_findings_and_those_of_others_are_refused() {
    let app = TestApp::new().await;
    let (north, south) = (app.owner("north").await, app.owner("south").await);
    let finding = json!({ "title": "No second line", "severity": "high" });
    let theirs = south.post("/api/v1/findings", &finding).await.expect(201).data()["id"].clone();
    let ours = north.post("/api/v1/findings", &finding).await.expect(201).data()["id"].clone();
    for wrong in [theirs, json!("fnd_01k9x14js0e00000000000000a"), json!("F-2026-0001")] {
        let body = json!({ "title": "x", "findings": [ours, wrong] });
        let refused = north.post(INCIDENTS, &body).await.expect(422).json();
        assert!(refused["details"]["findings"][0].as_str().unwrap().starts_with("item 2"), "{refused}");
    }
    let (address, incident) = opened(&north, &json!({ "findings": [ours] })).await;
    assert_eq!(incident["findings"], json!([ours]));
    south.get(&address).await.expect(404);
}

#[tokio::test]
async fn an_incident_that_owes_a_report_is_not_closed() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = opened(&owner, &json!({ "facts": { "malicious_access": true } })).await;
    owner.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    owner.patch(&address, &json!({ "status": "resolved" })).await.expect(200);
    let refused = owner.patch(&address, &json!({ "status": "closed" })).await.expect(422).json();
    let said = refused["details"]["status"][0].as_str().unwrap();
    assert_eq!(said, "cannot be closed while reports are owed: initial; record them as sent first");
    let (address, _) =
        opened(&owner, &json!({ "facts": { "critical_services": false, "malicious_access": false } })).await;
    for status in ["resolved", "closed"] {
        owner.patch(&address, &json!({ "status": status })).await.expect(200);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_stage_is_filed_once_under_every_rule_book_also_by_two_at_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let facts = json!({
        "regimes": ["dora", "nis2", "gdpr", "cra"],
        "facts": {
            "malicious_access": true, "provider_type": "cloud", "unavailable_minutes": 31,
            "personal_data": true, "personal_risk": "high", "product_security": true,
        },
    });
    let (address, _) = opened(&owner, &facts).await;
    owner.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    let sent = json!({ "incomplete": true });
    for place in ["dora/initial", "nis2/early_warning", "gdpr/notification", "cra/early_warning"] {
        let submitted = format!("{address}/reports/{place}/submitted");
        let (one, two) = tokio::join!(owner.post(&submitted, &sent), owner.post(&submitted, &sent));
        let mut answers = [one.status.as_u16(), two.status.as_u16()];
        answers.sort_unstable();
        assert_eq!(answers, [200, 422], "{engine:?} {place}");
        let third = owner.post(&submitted, &sent).await.expect(422).json();
        let said = third["details"]["stage"][0].as_str().unwrap();
        let expected = "is filed already: what was sent stays as it is; send a later stage to correct it";
        assert_eq!(said, expected, "{place}");
    }
    let filed = owner.get(&address).await.expect(200).data()["filed"].clone();
    assert_eq!(filed.as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn a_report_cannot_be_sent_before_awareness_nor_in_the_future() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts = json!({ "detected_at": "2026-11-14T12:00:00Z", "facts": { "malicious_access": true } });
    let (address, _) = opened(&owner, &facts).await;
    owner.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    let submitted = format!("{address}/reports/dora/initial/submitted");
    for (at, message) in [
        ("2026-11-14T11:59:00Z", "must not be before aware_at (2026-11-14T12:00:00Z)"),
        ("2026-11-15T12:00:00Z", "must not be in the future"),
        ("2026-02-30T12:00:00Z", "must be a time like 2026-11-14T09:30:00Z"),
    ] {
        let refused =
            owner.post(&submitted, &json!({ "at": at, "incomplete": true })).await.expect(422).json();
        assert_eq!(refused["details"]["at"][0], message, "{at}");
    }
}

#[tokio::test]
async fn an_interim_report_is_owed_once_the_authority_asks_for_it() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts = json!({ "provider_type": "cloud", "unavailable_minutes": 31 });
    let (address, incident) = opened(&owner, &json!({ "regimes": ["nis2"], "facts": facts })).await;
    let interim = super::report(&incident, "nis2", "interim");
    assert_eq!(interim["due_because"], "is due only at the request of the CSIRT or authority");
    let asked = json!({ "facts": { "interim_requested_at": "2026-11-14T13:30:00Z" } });
    let after = owner.patch(&address, &asked).await.expect(200).data();
    let interim = super::report(&after, "nis2", "interim");
    assert_eq!(interim["state"], "pending");
    let because = "without undue delay, as the authority asked for it (2026-11-14T13:30:00Z)";
    assert_eq!(interim["due_because"], because);
}
