//! Findings and test cases with decisions are archived, never deleted.

use axum::body::Body;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::seed::{self, FINDINGS, PROGRAMMES, TEST_CASES, at, pluck};

async fn total(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).json()["meta"]["total"].clone()
}

fn complaint(answer: &Value, field: &str) -> String {
    answer["details"][field][0].as_str().unwrap_or_default().to_owned()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_finding_that_was_decided_on_is_archived_and_not_deleted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    for through in [
        &["in_progress", "resolved"][..],
        &["in_progress", "resolved", "closed"],
        &["risk_accepted", "open"],
        &["false_positive", "open"],
    ] {
        let address = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
        seed::moved(&owner, &address, through).await;
        let refused = owner.delete(&address).await.expect(422).json();
        assert!(complaint(&refused, "finding").contains("archive it instead"), "{refused}");
        owner.get(&address).await.expect(200);
    }
    let untouched = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
    seed::moved(&owner, &untouched, &["in_progress", "open"]).await;
    owner.delete(&untouched).await.expect(204);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_archived_finding_leaves_the_lists_and_stays_readable(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    let programme = seed::programme(&owner, &json!({})).await;
    let finding =
        seed::finding(&owner, &json!({ "programme_id": programme["id"], "title": "Firewall" })).await;
    seed::finding(&owner, &json!({ "title": "Firewall too" })).await;
    let address = at(FINDINGS, &finding);
    let archive = format!("{address}/archive");
    let early = owner.post(&archive, &json!({})).await.expect(422).json();
    assert!(complaint(&early, "finding").contains("close it"), "{early}");
    seed::moved(&owner, &address, &["in_progress", "resolved", "closed"]).await;
    let before = owner.get(&address).await.header("etag").unwrap().to_owned();
    let archived = owner.with("if-match", &before).post(&archive, &json!({})).await.expect(200);
    assert_eq!(archived.data()["archived_at"], "2026-11-14T14:00:00Z");
    owner.with("if-match", &before).post(&archive, &json!({})).await.expect(412);
    owner.post(&archive, &json!({})).await.expect(200);

    let all = format!("{FINDINGS}?status=all");
    for (question, expected) in [
        (all.clone(), 1),
        (format!("{all}&archived=false"), 1),
        (format!("{all}&archived=true"), 1),
        (format!("{all}&archived=all"), 2),
        (format!("{all}&search=firewall"), 1),
        (format!("{all}&search=firewall&archived=true"), 1),
        (format!("{all}&search=firewall&archived=all&severity=high"), 2),
        (format!("{all}&programme_id={}", programme["id"].as_str().unwrap()), 0),
        (format!("{all}&programme_id={}&archived=true", programme["id"].as_str().unwrap()), 1),
    ] {
        let page = owner.get(&question).await.expect(200).json();
        assert_eq!(page["meta"]["total"], expected, "{question}");
        assert_eq!(page["meta"]["count"], expected, "{question}");
    }
    owner.get(&format!("{FINDINGS}?archived=perhaps")).await.expect(422);
    let seen = owner.get(&address).await.expect(200).data();
    assert_eq!(seen["history"].as_array().unwrap().len(), 4, "its history stays");
    owner.patch(&address, &json!({ "title": "Other" })).await.expect(422);
    owner.delete(&address).await.expect(422);
    owner.delete(&at(PROGRAMMES, &programme)).await.expect(422);

    let restored = owner.post(&format!("{address}/restore"), &json!({})).await.expect(200).data();
    assert_eq!(restored["archived_at"], json!(null));
    assert_eq!(total(&owner, &all).await, 2);
    let chain = tenant.caller.tenant().to_string();
    let entries = app.app.operations.audit_after(&chain, 0).await.unwrap();
    let actions: Vec<_> = entries.iter().rev().take(2).map(|row| row.entry.action.as_str()).collect();
    assert_eq!(actions, ["finding.restored", "finding.archived"]);
    assert!(app.app.operations.verify_audit(&chain, None).await.unwrap().outcome.is_ok());
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_test_case_that_was_executed_is_archived_and_not_deleted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let executed = at(TEST_CASES, &seed::test_case(&owner, &programme, &json!({})).await);
    let planned = at(TEST_CASES, &seed::test_case(&owner, &programme, &json!({})).await);
    let archive = format!("{executed}/archive");
    owner.post(&archive, &json!({})).await.expect(422);
    seed::moved(&owner, &executed, &["ready", "in_progress", "failed"]).await;
    // Clearing the time of the result does not undo the result.
    owner.patch(&executed, &json!({ "executed_at": null })).await.expect(200);
    let refused = owner.delete(&executed).await.expect(422).json();
    assert!(complaint(&refused, "test_case").contains("archive it instead"), "{refused}");
    owner.post(&archive, &json!({})).await.expect(200);
    assert_eq!(total(&owner, TEST_CASES).await, 1);
    let shown = owner.get(&format!("{TEST_CASES}?archived=true&status=failed")).await.json();
    assert_eq!(pluck(&shown, "archived_at"), ["2026-11-14T14:00:00Z"]);
    assert_eq!(total(&owner, &format!("{TEST_CASES}?archived=all")).await, 2);
    owner.patch(&executed, &json!({ "title": "Other" })).await.expect(422);
    owner.delete(&planned).await.expect(204);
    let whole = at(PROGRAMMES, &programme);
    assert_eq!(owner.get(&whole).await.data()["test_cases"]["total"], 0);
    owner.delete(&whole).await.expect(422);
    owner.post(&format!("{executed}/restore"), &json!({})).await.expect(200);
    assert_eq!(total(&owner, TEST_CASES).await, 1);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_finding_that_is_reported_again_comes_back_from_the_archive(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let import = async |file: &'static str| {
        let request = Request::post(format!("{FINDINGS}/import")).header(header::CONTENT_TYPE, "text/csv");
        owner.request(request.body(Body::from(file)).unwrap()).await.expect(200);
    };
    import("external_id,title,severity\n1,Old cipher,low\n").await;
    let found = owner.get(FINDINGS).await.json();
    let address = at(FINDINGS, &found["data"][0]);
    seed::moved(&owner, &address, &["in_progress", "resolved", "closed"]).await;
    owner.post(&format!("{address}/archive"), &json!({})).await.expect(200);
    import("external_id,title,severity\n1,Old cipher,high\n").await;
    let back = owner.get(&address).await.data();
    assert_eq!((&back["status"], &back["archived_at"]), (&json!("open"), &json!(null)));
    assert_eq!(total(&owner, FINDINGS).await, 1);
}
