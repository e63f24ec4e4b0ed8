use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

const INCIDENTS: &str = "/api/v1/incidents";

mod bad_input;
mod duties;
mod import;
mod links;
mod log;
mod reclassified;
mod reminders;

async fn opened(client: &Client, fields: &Value) -> (String, Value) {
    let mut body = json!({ "title": "Card payments down" });
    for (field, value) in fields.as_object().unwrap() {
        body[field] = value.clone();
    }
    let incident = client.post(INCIDENTS, &body).await.expect(201).data();
    (format!("{INCIDENTS}/{}", incident["id"].as_str().unwrap()), incident)
}

fn report<'i>(incident: &'i Value, regime: &str, stage: &str) -> &'i Value {
    let reports = incident["reports"].as_array().unwrap();
    reports.iter().find(|report| report["regime"] == regime && report["stage"] == stage).unwrap()
}

/// The clock of the tests stands at 14:00 UTC on Saturday, 14 November 2026.
#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_incident_starts_with_a_title_and_is_classified_as_facts_come_in(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let (address, incident) = opened(&owner, &json!({})).await;
    assert_eq!(incident["reference"], "I-2026-0001", "{engine:?}");
    assert_eq!((&incident["status"], &incident["regimes"]), (&json!("detected"), &json!(["dora"])));
    assert_eq!(incident["aware_at"], "2026-11-14T14:00:00Z");
    assert_eq!(incident["classification"]["result"], "undetermined");
    assert_eq!(incident["classification"]["classified_at"], json!(null));
    let initial = report(&incident, "dora", "initial");
    assert_eq!((&initial["due_at"], &initial["state"]), (&json!(null), &json!("not_due")));
    assert_eq!(initial["due_because"], "waits for the facts that decide whether this must be reported");
    assert_eq!(initial["due_at_latest"], "2026-11-15T14:00:00Z");

    let facts =
        json!({ "facts": { "critical_services": true, "clients_affected": 1001, "clients_total": 10_000 } });
    owner.patch(&address, &facts).await.expect(200);
    let facts = json!({ "facts": { "member_states": ["DE", "AT"] } });
    let changed = owner.patch(&address, &facts).await.expect(200).data();
    assert_eq!(changed["facts"]["clients_affected"], 1001, "earlier facts stay");
    let computed = owner.get(&format!("{address}/classification")).await.expect(200).data();
    assert_eq!(computed["result"], "major");
    let reason =
        computed["reasons"].as_array().unwrap().iter().find(|r| r["article"] == "2024/1772 Art. 9(1)(a)");
    assert_eq!(
        reason.unwrap(),
        &json!({
            "regime": "dora", "article": "2024/1772 Art. 9(1)(a)",
            "criterion": "clients_financial_counterparts_and_transactions_affected",
            "value": "1001 of 10000", "threshold": "more than 10 %", "met": "true", "needs": [],
        })
    );
    assert_eq!(owner.get(&address).await.expect(200).data()["classification"]["classified_at"], json!(null));

    app.clock.advance(3_600_000);
    let classified = owner.post(&format!("{address}/classify"), &json!({})).await.expect(200).data();
    assert_eq!(classified["status"], "classified");
    assert_eq!(classified["classification"]["classified_at"], "2026-11-14T15:00:00Z");
    assert!(classified["classification"]["classified_by"].as_str().unwrap().starts_with("key_"));
    let initial = report(&classified, "dora", "initial");
    assert_eq!(
        initial["due_at"], "2026-11-14T19:00:00Z",
        "four hours, and no relief for an unknown kind of entity"
    );
    assert_eq!(initial["state"], "due_soon");
    assert!(initial["relief"].as_str().unwrap().starts_with("not moved although it falls on a day off"));
    let versions = owner.get(&format!("{address}/versions")).await.expect(200).json();
    assert_eq!(versions["meta"]["total"], 4);
    assert_eq!(owner.get(INCIDENTS).await.expect(200).json()["data"][0]["reference"], "I-2026-0001");
    assert_eq!(opened(&owner, &json!({})).await.1["reference"], "I-2026-0002");
    let filtered = owner.get(&format!("{INCIDENTS}?status=classified&sort=-detected_at")).await.expect(200);
    assert_eq!(filtered.json()["meta"]["total"], 1);
}

#[tokio::test]
async fn a_report_is_filled_sent_once_and_carried_over() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) =
        opened(&owner, &json!({ "facts": { "malicious_access": true }, "description": "Ransomware" })).await;
    let initial = format!("{address}/reports/dora/initial");
    let submitted = format!("{initial}/submitted");
    let early = owner.post(&submitted, &json!({ "incomplete": true })).await.expect(422).json();
    assert_eq!(early["details"]["stage"][0], "can be filed only after the incident was classified as major");
    owner.post(&format!("{address}/classify"), &json!({})).await.expect(200);

    let content = owner.get(&initial).await.expect(200).data();
    let fields = content["fields"].as_array().unwrap();
    assert_eq!(fields.len(), 76);
    let field = |number: &str| fields.iter().find(|field| field["field"] == number).unwrap();
    assert_eq!(
        field("2.4"),
        &json!({
            "field": "2.4", "name": "Description of the ICT-related incident", "value": "Ransomware",
            "obligation": "yes", "missing": false,
        })
    );
    assert_eq!((&field("2.7")["missing"], &field("3.4")["obligation"]), (&json!(true), &json!("no")));
    let file = owner.get(&format!("{initial}?format=json")).await.expect(200).json();
    assert_eq!(file["incidentSubmission"], "initial_notification");
    assert_eq!(file["incident"]["financialEntityCode"], "I-2026-0001");

    let values = json!({ "report_values": { "1.2": "Example Bank AG", "2.7": "staff", "2.9": false } });
    owner.patch(&address, &values).await.expect(200);
    let incomplete = owner.post(&submitted, &json!({})).await.expect(422).json();
    let message = incomplete["details"]["incomplete"][0].as_str().unwrap();
    assert!(message.contains("1.3, 1.4") && !message.contains("2.7"), "{message}");
    let sent = json!({ "incomplete": true, "reference": "BA-4711" });
    let after = owner.post(&submitted, &sent).await.expect(200).data();
    assert_eq!(report(&after, "dora", "initial")["state"], "submitted");
    assert_eq!(report(&after, "dora", "intermediate")["due_at"], "2026-11-17T14:00:00Z");
    let twice = owner.post(&submitted, &sent).await.expect(422).json();
    assert!(twice["details"]["stage"][0].as_str().unwrap().starts_with("is filed already"), "{twice}");

    owner.patch(&address, &json!({ "report_values": { "2.7": null } })).await.expect(200);
    let next = owner.get(&format!("{address}/reports/dora/intermediate")).await.expect(200).data();
    let value = |number: &str| {
        let fields = next["fields"].as_array().unwrap();
        fields.iter().find(|field| field["field"] == number).unwrap()["value"].clone()
    };
    assert_eq!(
        (value("2.7"), value("3.1")),
        (json!("staff"), json!("BA-4711")),
        "carried over from what was sent"
    );
    let reclassified = format!("{address}/reports/dora/reclassified");
    let filed = json!({ "incomplete": true });
    let early = owner.post(&format!("{reclassified}/submitted"), &filed).await.expect(422).json();
    assert!(early["details"]["stage"][0].as_str().unwrap().starts_with("can be filed only after"), "{early}");
    for absent in ["dora/early_warning", "nis2/final", "hipaa/final", "dora/last"] {
        owner.get(&format!("{address}/reports/{absent}")).await.expect(404);
    }
}

#[tokio::test]
async fn other_regimes_report_the_same_event() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts = json!({
        "regimes": ["dora", "nis2", "gdpr"],
        "facts": {
            "provider_type": "cloud", "unavailable_minutes": 31, "personal_data": true, "personal_risk": "high",
            "critical_services": false, "malicious_access": false,
        },
    });
    let (address, incident) = opened(&owner, &facts).await;
    assert_eq!(incident["classification"]["result"], "significant");
    assert_eq!(report(&incident, "nis2", "early_warning")["due_at"], "2026-11-15T14:00:00Z");
    assert_eq!(report(&incident, "gdpr", "notification")["due_at"], "2026-11-17T14:00:00Z");
    assert_eq!(report(&incident, "dora", "initial")["state"], "not_due");
    let values = json!({ "report_values": { "gdpr.contact": "dpo@bank.example" }, "measures_taken": "Passwords reset" });
    owner.patch(&address, &values).await.expect(200);
    let content = owner.get(&format!("{address}/reports/gdpr/notification")).await.expect(200).data();
    let missing: Vec<&str> = content["fields"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|field| field["missing"] == true)
        .map(|field| field["field"].as_str().unwrap())
        .collect();
    assert_eq!(missing, ["nature", "consequences"]);
    owner.get(&format!("{address}/reports/gdpr/notification?format=json")).await.expect(404);
}

#[tokio::test]
async fn wrong_facts_and_times_are_refused_by_name() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let refused = owner
        .post(
            INCIDENTS,
            &json!({
                "title": "x", "detected_at": "2026-11-14T10:00:00Z", "aware_at": "2026-11-14T09:00:00Z",
                "facts": { "clients_affected": -1, "costs": { "staff": { "amount": 1, "currency": "USD" } } },
            }),
        )
        .await
        .expect(422)
        .json();
    let fields = &refused["details"];
    assert_eq!(fields["aware_at"][0], "must not be before detected_at (2026-11-14T10:00:00Z)");
    assert_eq!(fields["facts.clients_affected"][0], "must not be negative");
    assert!(fields["facts.costs"][0].as_str().unwrap().starts_with("staff must be in EUR"), "{refused}");
    let (address, _) = opened(&owner, &json!({ "facts": { "malicious_access": true } })).await;
    let unexplained = owner.post(&format!("{address}/classify"), &json!({ "result": "not_major" })).await;
    let unexplained = unexplained.expect(422).json();
    assert!(unexplained["details"]["reason"][0].as_str().unwrap().starts_with("is required when the result"));
    let explained = json!({ "result": "not_major", "reason": "A test system" });
    let classified = owner.post(&format!("{address}/classify"), &explained).await.expect(200).data();
    assert_eq!(classified["classification"]["computed"], "major");
    assert_eq!(classified["classification"]["reason"], "A test system");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_incident_has_an_owner_that_the_list_can_be_filtered_by(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    assert_eq!(opened(&client, &json!({})).await.1["owner"], json!(null));
    let (address, owned) = opened(&client, &json!({ "owner": "Dana Weber" })).await;
    assert_eq!(owned["owner"], "Dana Weber");
    for query in ["owner=Dana%20Weber", "search=weber"] {
        let page = client.get(&format!("{INCIDENTS}?{query}")).await.expect(200).json();
        assert_eq!(page["meta"]["total"], 1, "{engine:?} {query}");
        assert_eq!(page["data"][0]["id"], owned["id"]);
    }
    let freed = client.patch(&address, &json!({ "owner": null })).await.expect(200).data();
    assert_eq!(freed["owner"], json!(null));
    let version = client.get(&format!("{address}/versions/1")).await.expect(200).data();
    assert_eq!(version["record"]["owner"], "Dana Weber");
    let refused = client.patch(&address, &json!({ "owner": "x".repeat(256) })).await.expect(422).json();
    assert!(refused["details"]["owner"].is_array(), "{refused}");
}

/// What was reported as major and turns out not to be is reported as such, and nothing more.
#[tokio::test]
async fn an_incident_classified_again_as_not_major_owes_the_reclassification_alone() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = opened(&owner, &json!({ "facts": { "malicious_access": true } })).await;
    owner.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    let filed = json!({ "incomplete": true });
    owner.post(&format!("{address}/reports/dora/initial/submitted"), &filed).await.expect(200);
    app.clock.advance(3_600_000);
    let again = json!({ "result": "not_major", "reason": "It was an announced test" });
    let after = owner.post(&format!("{address}/classify"), &again).await.expect(200).data();
    assert_eq!(report(&after, "dora", "initial")["state"], "submitted");
    for stage in ["intermediate", "intermediate_update", "final"] {
        assert_eq!(report(&after, "dora", stage)["state"], "not_due", "{stage}");
    }
    assert_eq!(report(&after, "dora", "reclassified")["state"], "pending");
    let place = format!("{address}/reports/dora/reclassified");
    let file = owner.get(&format!("{place}?format=json")).await.expect(200).json();
    assert_eq!(file["incidentSubmission"], "major_incident_reclassified_as_non-major");
    owner.patch(&address, &json!({ "status": "resolved" })).await.expect(200);
    let refused = owner.patch(&address, &json!({ "status": "closed" })).await.expect(422).json();
    assert!(refused["details"]["status"][0].as_str().unwrap().contains("reclassified"), "{refused}");
    let sent = owner.post(&format!("{place}/submitted"), &filed).await.expect(200).data();
    assert_eq!(report(&sent, "dora", "reclassified")["state"], "submitted");
    owner.patch(&address, &json!({ "status": "closed" })).await.expect(200);
}

#[tokio::test]
async fn a_product_event_is_reported_under_the_cra_stage_by_stage() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts =
        json!({ "regimes": ["cra"], "facts": { "product_security": true, "member_states": ["DE", "AT"] } });
    let (address, incident) = opened(&owner, &facts).await;
    assert_eq!(report(&incident, "cra", "early_warning")["due_at"], "2026-11-15T14:00:00Z");
    let warning = format!("{address}/reports/cra/early_warning");
    let fields = owner.get(&warning).await.expect(200).data()["fields"].clone();
    let answers: Vec<_> = fields
        .as_array()
        .unwrap()
        .iter()
        .map(|field| (field["field"].as_str().unwrap(), field["value"].clone(), field["missing"].clone()))
        .collect();
    let expected =
        [("suspected_malicious", json!(null), json!(true)), ("member_states", json!("DE, AT"), json!(false))];
    assert_eq!(answers, expected);
    let values = json!({ "report_values": { "cra.suspected_malicious": "Yes, a supplier was broken into" } });
    owner.patch(&address, &values).await.expect(200);
    let submitted = format!("{warning}/submitted");
    let after = owner.post(&submitted, &json!({ "reference": "CSIRT-1" })).await.expect(200).data();
    assert_eq!(report(&after, "cra", "early_warning")["state"], "submitted");
    owner.post(&submitted, &json!({})).await.expect(422);
    // What was sent stays as it is, even when the facts later make it a vulnerability.
    let vulnerability = json!({ "facts": { "exploited_vulnerability": true } });
    owner.patch(&address, &vulnerability).await.expect(200);
    let frozen = owner.get(&warning).await.expect(200).data()["fields"].clone();
    assert_eq!(frozen[0]["value"], "Yes, a supplier was broken into");
    let next = owner.get(&format!("{address}/reports/cra/notification")).await.expect(200).data();
    assert_eq!(next["fields"][0]["field"], "product", "the points of a vulnerability");
    owner.get(&format!("{address}/reports/cra/progress")).await.expect(404);
}
