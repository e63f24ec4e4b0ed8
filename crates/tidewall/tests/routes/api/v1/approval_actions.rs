//! Decisions of every kind over the API: what the direct route refuses, what to ask with, and what becomes a record.

use app::{approval::ApprovalDecision, pages::Precondition, user::UserPatch};
use domain::{
    approval_policy::{StoredPolicy, StoredRule},
    user::Role,
};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

use super::comments::{add, client_with, signed_in};

const REQUIREMENT: &str = "dora-art-05-02-a";

fn rule(action: &str, needs: &str) -> StoredRule {
    StoredRule { action: action.to_owned(), needs: needs.to_owned(), ..StoredRule::default() }
}

async fn policy(app: &TestApp, tenant: &TestTenant, binds_keys: bool, rules: Vec<StoredRule>) {
    let chosen = StoredPolicy { rules, binds_keys, ..StoredPolicy::default() };
    app.app.approval.choose_approval_policy(&tenant.caller, &chosen).await.unwrap();
}

async fn tenant(engine: Engine) -> (TestApp, TestTenant, Client) {
    let app = TestApp::on(engine).await;
    let north = app.tenant("north").await;
    let client = app.client(&app.key(&north, "read,write,manage_keys").await);
    (app, north, client)
}

/// An incident that the facts make major.
async fn incident(client: &Client) -> (String, String) {
    let fields = json!({ "title": "Outage", "regimes": ["dora"], "facts": { "malicious_access": true, "critical_services": true } });
    let made = client.post("/api/v1/incidents", &fields).await.expect(201).data();
    let id = made["id"].as_str().unwrap().to_owned();
    (format!("/api/v1/incidents/{id}"), id)
}

/// Asks with the body of the refusal and a reason.
async fn ask_with(client: &Client, refused: &Value) -> Value {
    let mut body = refused["ask"].clone();
    body["reason"] = json!("Agreed in the committee");
    client.post("/api/v1/approvals", &body).await.expect(201).data()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_classification_away_from_the_facts_is_asked_for_once_keys_are_bound(engine: Engine) {
    let (app, north, client) = tenant(engine).await;
    let (address, id) = incident(&client).await;
    let other = json!({ "result": "not_major", "reason": "A test system" });
    // The contract of the API holds until the policy binds keys.
    client.post(&format!("{address}/classify"), &other).await.expect(200);
    policy(&app, &north, true, Vec::new()).await;
    let (address, other_id) = incident(&client).await;
    assert_ne!(id, other_id);
    let refused = client.post(&format!("{address}/classify"), &other).await.expect(422).json();
    assert_eq!(refused["code"], "approval_required");
    let ask = json!({ "subject": other_id, "action": "classify", "details": { "result": "not_major" } });
    assert_eq!(refused["ask"], ask);
    let asked = ask_with(&client, &refused).await;
    assert_eq!((&asked["state"], &asked["details"]), (&json!("asked"), &json!({ "result": "not_major" })));
    // What follows the facts needs no one else.
    client.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    let lapsed = client.get(&format!("/api/v1/approvals/{}", asked["id"].as_str().unwrap())).await;
    assert_eq!(lapsed.expect(200).data()["state"], "lapsed");
    let (_, third) = incident(&client).await;
    let body =
        |details: Value| json!({ "subject": third, "action": "classify", "reason": "x", "details": details });
    let ask =
        async |details: Value| client.post("/api/v1/approvals", &body(details)).await.expect(422).error();
    assert!(ask(json!({ "result": "major" })).await.contains("needs no approval"));
    assert!(ask(json!({})).await.contains("its names are: result, at"));
    assert!(ask(json!({ "result": "not_major", "stage": "initial" })).await.contains("its names are"));
    assert!(ask(json!({ "result": "huge" })).await.contains("result"));
}

#[tokio::test]
async fn a_report_is_recorded_as_sent_with_a_second_person_where_the_policy_wants_one() {
    let (app, north, client) = tenant(Engine::Sqlite).await;
    let (address, id) = incident(&client).await;
    client.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    policy(&app, &north, true, vec![rule("send", "second_person")]).await;
    let sent = json!({ "reference": "BA-1", "incomplete": true });
    let to = format!("{address}/reports/dora/initial/submitted");
    let refused = client.post(&to, &sent).await.expect(422).json();
    assert_eq!((&refused["ask"]["subject"], &refused["ask"]["action"]), (&json!(id), &json!("send")));
    let details = &refused["ask"]["details"];
    assert_eq!(
        (&details["regime"], &details["stage"], &details["reference"], &details["incomplete"]),
        (&json!("dora"), &json!("initial"), &json!("BA-1"), &json!("true"))
    );
    ask_with(&client, &refused).await;

    let report = json!({ "kind": "severe_incident", "title": "Gateway", "severity": "high",
        "product": { "name": "Gateway" }, "aware_at": "2026-11-14T08:00:00Z" });
    let report = client.post("/api/v1/cra/reports", &report).await.expect(201).data()["id"].clone();
    let address = format!("/api/v1/cra/reports/{}", report.as_str().unwrap());
    let refused = client.patch(&address, &json!({ "status": "early_warning_sent" })).await.expect(422).json();
    assert_eq!(refused["ask"]["details"]["status"], "early_warning_sent");
    ask_with(&client, &refused).await;
    // Without the binding of keys the contract holds.
    policy(&app, &north, false, vec![rule("send", "second_person")]).await;
    client.post(&to, &sent).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_requirement_is_left_out_and_a_record_archived_directly_by_keys_that_are_not_bound(engine: Engine) {
    let (app, north, client) = tenant(engine).await;
    let address = format!("/api/v1/assessments/{REQUIREMENT}");
    let left_out = json!({ "status": "not_applicable", "rationale": "Not ours" });
    policy(&app, &north, true, vec![rule("archive", "manager")]).await;
    let refused = client.patch(&address, &left_out).await.expect(422).json();
    assert_eq!(refused["ask"], json!({ "subject": REQUIREMENT, "action": "not_applicable" }));
    // To override what the profile says is the same decision.
    let overridden = json!({ "applies": false, "applies_reason": "Not ours" });
    let overridden = client.patch(&address, &overridden).await.expect(422).json();
    assert_eq!(overridden["ask"], refused["ask"]);
    let asked = ask_with(&client, &refused).await;
    assert_eq!((&asked["kind"], &asked["subject_version"]), (&json!("assessment"), &json!(0)));
    let control = client.post("/api/v1/controls", &json!({ "title": "Alarm" })).await.expect(201).data();
    let archive = format!("/api/v1/controls/{}/archive", control["id"].as_str().unwrap());
    let refused = client.post(&archive, &json!({})).await.expect(422).json();
    assert_eq!(refused["ask"], json!({ "subject": control["id"], "action": "archive" }));
    ask_with(&client, &refused).await;

    policy(&app, &north, false, vec![rule("archive", "manager")]).await;
    client.post(&archive, &json!({})).await.expect(200);
    client.patch(&address, &left_out).await.expect(200);
    let lapsed = client.get("/api/v1/approvals?state=lapsed").await.expect(200).json();
    assert_eq!(lapsed["meta"]["total"], 2, "a change of the record ends what was asked about it");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_assessment_approved_by_its_route_is_an_approval_like_the_others(engine: Engine) {
    let (app, north, author) = tenant(engine).await;
    let second = app.client(&app.key(&north, "read,write").await);
    let address = format!("/api/v1/assessments/{REQUIREMENT}");
    let said = json!({ "status": "met", "rationale": "In the rules of procedure" });
    author.patch(&address, &said).await.expect(200);
    second.post(&format!("{address}/approve"), &json!({})).await.expect(200);
    let list = second.get(&format!("/api/v1/approvals?subject={REQUIREMENT}")).await.expect(200).json();
    let kept = &list["data"][0];
    assert_eq!(list["meta"]["total"], 1);
    assert_eq!((&kept["state"], &kept["action"]), (&json!("granted"), &json!("approve")));
    assert_eq!((&kept["direct"], &kept["subject_version"]), (&json!(true), &json!(1)));
    assert_ne!(kept["asked_by"], kept["decided_by"]);
    // It is found, it has a history, and it is in the audit log and in lists of a day.
    let today = app.clock.now().day().to_string();
    app.clock.advance(3 * 24 * 3600 * 1000);
    let id = kept["id"].as_str().unwrap();
    let one = second.get(&format!("/api/v1/approvals/{id}")).await.expect(200).data();
    assert_eq!(one["history"][0]["to"], "granted");
    let past = second.get(&format!("/api/v1/approvals?as_of={today}")).await.expect(200).json();
    assert_eq!(past["meta"]["total"], 1);
    let log = author.get(&format!("/api/v1/audit?record={id}")).await.expect(200).to_string();
    assert!(log.contains("approval.created"), "{log}");
}

#[tokio::test]
async fn a_key_of_an_administrator_sets_the_policy_and_one_of_a_former_one_does_not() {
    let (app, north, client) = tenant(Engine::Sqlite).await;
    let writer = app.client(&app.key(&north, "read,write").await);
    let chosen = json!({ "binds_keys": true, "rules": [{ "action": "approve", "kind": "evidence", "needs": "manager" }] });
    writer.put("/api/v1/approval-policy", &chosen).await.expect(403);
    let set = client.put("/api/v1/approval-policy", &chosen).await.expect(200).data();
    let rules = set["rules"].as_array().unwrap();
    let evidence = rules.iter().find(|rule| rule["kind"] == "evidence").unwrap();
    assert_eq!((&evidence["needs"], &set["binds_keys"]), (&json!("manager"), &json!(true)));
    let none = json!({ "rules": [{ "action": "submit", "needs": "none" }] });
    let refused = client.put("/api/v1/approval-policy", &none).await.expect(422);
    assert!(refused.error().contains("always needs a second person"), "{refused}");
    let unknown = json!({ "rules": [{ "action": "send", "needs": "named", "people": ["usr_01k9x14js0e00000000000000a"] }] });
    client.put("/api/v1/approval-policy", &unknown).await.expect(422);

    // A key stands for the person who made it.
    let anna = add(&app, &north, "Anna", Role::Administrator).await;
    add(&app, &north, "Bert", Role::Administrator).await;
    let hers = client_with(&app, &anna, "read,write,manage_keys").await;
    hers.put("/api/v1/approval-policy", &chosen).await.expect(200);
    let patch = UserPatch { role: Some(Role::Manager), ..UserPatch::default() };
    app.app.people.change_user(&north.caller, anna.id, patch).await.unwrap();
    let refused = hers.put("/api/v1/approval-policy", &chosen).await.expect(403);
    assert!(refused.error().contains("only an administrator"), "{refused}");
}

async fn medium_finding(client: &Client) -> String {
    let fields = json!({ "title": "Old cipher", "severity": "medium" });
    let made = client.post("/api/v1/findings", &fields).await.expect(201).data();
    format!("/api/v1/findings/{}", made["id"].as_str().unwrap())
}

fn accepted_until(until: &str) -> Value {
    json!({ "status": "risk_accepted", "acceptance": { "reason": "Replaced in spring", "until": until } })
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_was_accepted_as_harmless_is_not_made_grave_without_an_approval(engine: Engine) {
    let (app, north, client) = tenant(engine).await;
    policy(&app, &north, true, Vec::new()).await;
    let finding = medium_finding(&client).await;
    client.patch(&finding, &accepted_until("2026-12-31")).await.expect(200);
    for severity in ["critical", "high"] {
        let refused = client.patch(&finding, &json!({ "severity": severity })).await.expect(422).json();
        assert_eq!(
            (&refused["code"], &refused["ask"]["action"]),
            (&json!("approval_required"), &json!("accept"))
        );
    }
    client.patch(&finding, &json!({ "severity": "low" })).await.expect(200);
    // An open one is not decided about.
    client.patch(&finding, &json!({ "status": "open" })).await.expect(200);
    client.patch(&finding, &json!({ "severity": "critical" })).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_acceptance_by_the_direct_route_ends_no_later_than_the_policy_allows(engine: Engine) {
    let (app, north, client) = tenant(engine).await;
    let today = app.clock.now().day();
    let last = today.plus_days(365).to_string();
    let late = accepted_until(&today.plus_days(366).to_string());
    let finding = medium_finding(&client).await;
    // The contract of the API holds until the policy binds keys.
    client.patch(&finding, &late).await.expect(200);
    policy(&app, &north, true, Vec::new()).await;
    let finding = medium_finding(&client).await;
    let refused = client.patch(&finding, &late).await.expect(422).json();
    let complaint = refused["details"]["acceptance.until"][0].as_str().unwrap();
    assert!(complaint.contains(&last), "{refused}");
    client.patch(&finding, &accepted_until(&last)).await.expect(200);
    let longer = json!({ "acceptance": { "until": today.plus_days(366) } });
    client.patch(&finding, &longer).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_intermediate_cra_report_is_recorded_as_sent_with_a_second_person_and_stays_sent(engine: Engine) {
    let (app, north, client) = tenant(engine).await;
    policy(&app, &north, true, vec![rule("send", "second_person")]).await;
    let report = json!({ "kind": "severe_incident", "title": "Gateway", "severity": "high",
        "product": { "name": "Gateway" }, "aware_at": "2026-11-14T08:00:00Z" });
    let report = client.post("/api/v1/cra/reports", &report).await.expect(201).data()["id"].clone();
    let address = format!("/api/v1/cra/reports/{}", report.as_str().unwrap());
    let asked = json!({ "interim_requested_at": "2026-11-14T09:00:00Z" });
    client.patch(&address, &asked).await.expect(200);
    let sent = json!({ "interim_submitted_at": "2026-11-14T10:00:00Z", "interim_reference": "CSIRT-7" });
    let refused = client.patch(&address, &sent).await.expect(422).json();
    assert_eq!((&refused["code"], &refused["ask"]["action"]), (&json!("approval_required"), &json!("send")));
    assert_eq!(
        refused["ask"]["details"],
        json!({ "interim_requested_at": "2026-11-14T09:00:00Z", "interim_submitted_at": "2026-11-14T10:00:00Z",
                "interim_reference": "CSIRT-7" })
    );
    let approval = ask_with(&client, &refused).await;
    add(&app, &north, "Mara", Role::Manager).await;
    let granted = ApprovalDecision::Grant;
    let id = approval["id"].as_str().unwrap().parse().unwrap();
    let mara = signed_in(&app, "mara@north.example").await;
    app.app.approval.decide_approval(&mara, id, granted, None, Precondition::None).await.unwrap();
    let interim = client.get(&address).await.expect(200).data()["interim"].clone();
    assert_eq!(
        (&interim["submitted_at"], &interim["reference"]),
        (&json!("2026-11-14T10:00:00Z"), &json!("CSIRT-7"))
    );
    let cleared = client.patch(&address, &json!({ "interim_submitted_at": null })).await.expect(422);
    assert!(cleared.error().contains("stays"), "{cleared}");
}
