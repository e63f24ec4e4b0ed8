//! What proves a requirement, and the lists of what belongs to it.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::seed;

const REQUIREMENT: &str = "dora-art-05-02-a";
const PROOF: &str = "/api/v1/requirements/dora-art-05-02-a/proof";

async fn made(client: &Client, path: &str, body: Value) -> Value {
    client.post(path, &body).await.expect(201).data()
}

/// A performed control that addresses the requirement, with a piece of evidence.
async fn control(client: &Client) -> Value {
    let body = json!({ "title": "Yearly review", "requirements": [REQUIREMENT], "status": "implemented" });
    let control = made(client, "/api/v1/controls", body).await;
    let address = format!("/api/v1/controls/{}", control["id"].as_str().unwrap());
    client.post(&format!("{address}/performed"), &json!({ "on": "2026-11-13" })).await.expect(200);
    let body = json!({ "title": "Minutes", "url": "https://files.example/minutes" });
    let evidence = made(client, "/api/v1/evidence", body).await;
    let links = format!("/api/v1/evidence/{}/links", evidence["id"].as_str().unwrap());
    client.post(&links, &json!({ "type": "control", "id": control["id"] })).await.expect(200);
    control
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_requirement_is_proven_by_all_that_names_it_or_its_controls(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (owner, neighbour) = (app.owner("north").await, app.owner("south").await);
    let control = control(&owner).await;
    let by_control = json!({ "title": "Closed", "severity": "high", "controls": [control["id"]] });
    let closed = seed::finding(&owner, &by_control).await;
    let address = seed::at(seed::FINDINGS, &closed);
    seed::moved(&owner, &address, &["in_progress", "resolved", "closed"]).await;
    let named = json!({ "title": "Open", "severity": "low", "requirements": [REQUIREMENT] });
    seed::finding(&owner, &named).await;
    seed::finding(&owner, &json!({ "title": "Beside" })).await;
    let programme = seed::programme(&owner, &json!({})).await;
    let test = json!({ "title": "Review is held", "controls": [control["id"]] });
    seed::test_case(&owner, &programme, &test).await;
    seed::test_case(&owner, &programme, &json!({ "title": "Beside" })).await;
    let risk = json!({
        "title": "Outdated strategy", "category": "cyber-attack", "controls": [control["id"]],
        "inherent": { "likelihood": 4, "impact": 5 },
    });
    made(&owner, "/api/v1/risks", risk).await;
    let said = json!({ "status": "met", "rationale": "Held every year" });
    owner.patch(&format!("/api/v1/assessments/{REQUIREMENT}"), &said).await.expect(200);

    let proof = owner.get(PROOF).await.expect(200).data();
    assert_eq!(proof["requirement"], REQUIREMENT);
    let assessment = &proof["assessment"];
    assert_eq!((&assessment["status"], &assessment["version"]), (&json!("met"), &json!(1)), "{proof}");
    assert!(assessment["assessed_by"].is_string() && assessment["approved_by"].is_null());
    assert_eq!(proof["controls"]["items"][0]["last_performed_on"], "2026-11-13");
    assert_eq!(proof["evidence"]["items"][0]["title"], "Minutes");
    let findings = &proof["findings"];
    assert_eq!((&findings["total"], &findings["open"]), (&json!(2), &json!(1)));
    let titles: Vec<_> = findings["items"].as_array().unwrap().iter().map(|one| &one["title"]).collect();
    assert_eq!(titles, ["Open", "Closed"], "the open one first, though it is less severe");
    assert_eq!(proof["test_cases"]["items"][0]["title"], "Review is held");
    assert_eq!(proof["risks"]["items"][0]["title"], "Outdated strategy");
    for kind in ["controls", "evidence", "test_cases", "risks"] {
        assert_eq!(proof[kind]["total"], 1, "{kind}: {proof}");
    }
    for (list, total) in [
        ("findings?status=all&", 2),
        ("findings?", 1),
        ("test-cases?", 1),
        ("risks?", 1),
        ("evidence?", 1),
        ("controls?", 1),
    ] {
        let path = format!("/api/v1/{list}requirement={REQUIREMENT}");
        assert_eq!(owner.get(&path).await.expect(200).json()["meta"]["total"], total, "{path}");
    }

    // What is no longer named does not belong to it any more; what is another tenant's never did.
    owner.patch(&address, &json!({ "status": "open", "controls": [] })).await.expect(200);
    assert_eq!(owner.get(PROOF).await.expect(200).data()["findings"]["total"], 1);
    let foreign = neighbour.get(PROOF).await.expect(200).data();
    for kind in ["controls", "evidence", "findings", "test_cases", "risks"] {
        assert_eq!(foreign[kind]["total"], 0, "{kind}: {foreign}");
    }
    owner.get("/api/v1/requirements/dora-art-999/proof").await.expect(404);
}

#[tokio::test]
async fn a_proof_shows_the_first_records_and_counts_all() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for number in 0..25 {
        let fields = json!({ "title": format!("F{number}"), "requirements": [REQUIREMENT] });
        seed::finding(&owner, &fields).await;
    }
    let findings = owner.get(PROOF).await.expect(200).data()["findings"].clone();
    assert_eq!((&findings["total"], &findings["open"]), (&json!(25), &json!(25)));
    assert_eq!(findings["items"].as_array().unwrap().len(), 20);
}

#[tokio::test]
async fn a_key_without_the_scope_of_one_kind_gets_no_proof() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let scoped = async |scopes: &[&str]| {
        let body = json!({ "name": "scoped", "permissions": ["write"], "scopes": scopes });
        let made = owner.post("/api/v1/keys", &body).await.expect(201).data();
        app.client(made["key"].as_str().unwrap())
    };
    let all = ["requirements", "assessments", "controls", "evidence", "findings", "test-cases", "risks"];
    let all = all.map(|resource| format!("{resource}:read"));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    scoped(&all).await.get(PROOF).await.expect(200);
    for left_out in 0..all.len() {
        let mut fewer = all.clone();
        fewer.remove(left_out);
        scoped(&fewer).await.get(PROOF).await.expect(403);
    }
}
