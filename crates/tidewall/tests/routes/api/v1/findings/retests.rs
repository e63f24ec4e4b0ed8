//! Retests of findings, and findings that are closed only after one.

use axum::body::Body;
use domain::approval_policy::{StoredPolicy, StoredRule};
use http::{Request, header};
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

use super::super::seed::{self, FINDINGS, at};

fn passed() -> Value {
    json!({ "result": "passed", "performed_on": "2026-11-14" })
}

fn failed() -> Value {
    json!({ "result": "failed", "performed_on": "2026-11-14", "actual_result": "Still open" })
}

/// A key that is bound to the policy, by which one person alone may close a finding.
async fn bound(app: &TestApp) -> (TestTenant, Client) {
    let tenant = app.tenant("north").await;
    let rule = StoredRule {
        action: "close".to_owned(),
        severity: Some("critical".to_owned()),
        needs: "none".to_owned(),
        ..StoredRule::default()
    };
    choose(app, &tenant, StoredPolicy { rules: vec![rule], binds_keys: true, ..StoredPolicy::default() })
        .await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    (tenant, client)
}

async fn choose(app: &TestApp, tenant: &TestTenant, policy: StoredPolicy) {
    app.app.approval.choose_approval_policy(&tenant.caller, &policy).await.unwrap();
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_retest_is_recorded_numbered_and_listed(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (owner, neighbour) = (app.owner("north").await, app.owner("south").await);
    let finding = seed::finding(&owner, &json!({ "owner": "Dana Weber" })).await;
    let retests = format!("{}/retests", at(FINDINGS, &finding));
    let proof = json!({ "title": "Scan", "url": "https://files.example/scan" });
    let proof = owner.post("/api/v1/evidence", &proof).await.expect(201).data();
    owner.post(&retests, &failed()).await.expect(201);
    let body = json!({
        "result": "passed", "performed_on": "2026-11-14", "performed_by": "dana weber",
        "actual_result": "The port is closed", "evidence": [proof["id"]],
    });
    let answer = owner.post(&retests, &body).await.expect(201);
    insta::allow_duplicates! {
        assert_json_snapshot!(answer.scrubbed(&["/data/evidence/0", "/data/recorded_by"]), @r#"
        {
          "data": {
            "actual_result": "The port is closed",
            "by_owner": true,
            "evidence": [
              "…"
            ],
            "number": 2,
            "performed_by": "dana weber",
            "performed_on": "2026-11-14",
            "recorded_at": "2026-11-14T14:00:00Z",
            "recorded_by": "…",
            "result": "passed"
          }
        }
        "#);
    }
    let list = owner.get(&retests).await.expect(200).data();
    let shown: Vec<_> =
        list.as_array().unwrap().iter().map(|one| (&one["number"], &one["by_owner"])).collect();
    assert_eq!(shown, [(&json!(2), &json!(true)), (&json!(1), &json!(false))]);
    // The finding itself is as before, and neither changes nor goes.
    assert_eq!(
        owner.get(&at(FINDINGS, &finding)).await.expect(200).data()["updated_at"],
        finding["updated_at"]
    );
    owner.patch(&format!("{retests}/1"), &passed()).await.expect(404);
    owner.delete(&at(FINDINGS, &finding)).await.expect(422);
    neighbour.get(&retests).await.expect(404);
    neighbour.post(&retests, &passed()).await.expect(404);
}

#[tokio::test]
async fn a_retest_that_says_too_little_is_refused_by_field() {
    let app = TestApp::new().await;
    let (owner, neighbour) = (app.owner("north").await, app.owner("south").await);
    let finding = seed::finding(&owner, &json!({ "detected_at": "2026-11-10T10:00:00Z" })).await;
    let retests = format!("{}/retests", at(FINDINGS, &finding));
    let foreign = json!({ "title": "Scan", "url": "https://files.example/scan" });
    let foreign = neighbour.post("/api/v1/evidence", &foreign).await.expect(201).data();
    for (field, value) in [
        ("result", json!(null)),
        ("result", json!("unclear")),
        ("performed_on", json!(null)),
        ("performed_on", json!("2026-11-15")),
        ("performed_on", json!("2026-11-09")),
        ("evidence", json!([foreign["id"]])),
        ("evidence", json!(["the scan"])),
        ("performed_by", json!("a\tb")),
    ] {
        let mut body = passed();
        body[field] = value.clone();
        let refused = owner.post(&retests, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field} = {value}: {refused}");
    }
    let silent = json!({ "result": "failed", "performed_on": "2026-11-14", "actual_result": " " });
    let refused = owner.post(&retests, &silent).await.expect(422).json();
    assert!(refused["details"]["actual_result"].is_array(), "{refused}");
    assert_eq!(owner.get(&retests).await.expect(200).data(), json!([]));
}

#[tokio::test]
async fn a_resent_retest_is_recorded_once() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let retests = format!("{}/retests", at(FINDINGS, &seed::finding(&owner, &json!({})).await));
    let once = owner.with("idempotency-key", "one");
    let first = once.post(&retests, &passed()).await.expect(201);
    assert_eq!(once.post(&retests, &passed()).await.expect(201).json(), first.json());
    assert_eq!(owner.get(&retests).await.expect(200).data().as_array().unwrap().len(), 1);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_critical_finding_is_closed_only_after_a_passed_retest(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (tenant, client) = bound(&app).await;
    let address = at(FINDINGS, &seed::finding(&client, &json!({ "severity": "critical" })).await);
    let retests = format!("{address}/retests");
    let close = json!({ "status": "closed" });
    seed::moved(&client, &address, &["in_progress", "resolved"]).await;
    let refused = client.patch(&address, &close).await.expect(422).json();
    assert!(refused["details"]["status"][0].as_str().unwrap().contains("record a retest"), "{refused}");
    // Nor is it made harmless in the same request.
    client.patch(&address, &json!({ "status": "closed", "severity": "low" })).await.expect(422);
    client.post(&retests, &passed()).await.expect(201);
    client.post(&retests, &failed()).await.expect(201);
    client.patch(&address, &close).await.expect(422);
    client.post(&retests, &passed()).await.expect(201);
    client.patch(&address, &close).await.expect(200);

    // What was shown before it was opened again shows nothing now.
    app.clock.advance(1_000);
    seed::moved(&client, &address, &["open", "in_progress", "resolved"]).await;
    client.patch(&address, &close).await.expect(422);
    client.post(&retests, &passed()).await.expect(201);
    client.patch(&address, &close).await.expect(200);

    let high = at(FINDINGS, &seed::finding(&client, &json!({ "severity": "high" })).await);
    seed::moved(&client, &high, &["in_progress", "resolved", "closed"]).await;
    // The institution chooses other severities, or none.
    let all = Some(vec!["critical".to_owned(), "high".to_owned()]);
    let close_alone = |retest_before_closing| StoredPolicy {
        rules: vec![StoredRule {
            action: "close".to_owned(),
            severity: Some("critical".to_owned()),
            needs: "none".to_owned(),
            ..StoredRule::default()
        }],
        binds_keys: true,
        retest_before_closing,
        ..StoredPolicy::default()
    };
    choose(&app, &tenant, close_alone(all)).await;
    let policy = client.get("/api/v1/approval-policy").await.expect(200).data();
    assert_eq!(policy["retest_before_closing"], json!(["critical", "high"]));
    seed::moved(&client, &high, &["open", "in_progress", "resolved"]).await;
    client.patch(&high, &close).await.expect(422);
    choose(&app, &tenant, close_alone(Some(Vec::new()))).await;
    client.patch(&high, &close).await.expect(200);
    seed::moved(&client, &address, &["open", "in_progress", "resolved", "closed"]).await;
}

#[tokio::test]
async fn a_key_that_the_policy_does_not_bind_closes_as_the_contract_has_it() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let policy = owner.get("/api/v1/approval-policy").await.expect(200).data();
    assert_eq!(policy["retest_before_closing"], json!(["critical"]));
    let address = at(FINDINGS, &seed::finding(&owner, &json!({ "severity": "critical" })).await);
    seed::moved(&owner, &address, &["in_progress", "resolved", "closed"]).await;
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_import_resolves_what_is_missing_and_leaves_closing_to_the_retest(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (_, client) = bound(&app).await;
    let send = async |query: &str, table: &'static str| {
        let request = Request::post(format!("{FINDINGS}/import{query}"));
        let request = request.header(header::CONTENT_TYPE, "text/csv").body(Body::from(table));
        client.request(request.unwrap()).await.expect(200).data()
    };
    send("", "external_id,title,severity\n1,Grave,critical\n2,Small,low\n3,Kept,low\n").await;
    let newer = "external_id,title,severity\n3,Kept,low\n";
    assert_eq!(send("?close_missing=1&dry_run=1", newer).await["closed"], 1);
    assert_eq!(send("?close_missing=1", newer).await["closed"], 1);
    let page = client.get(&format!("{FINDINGS}?status=all&sort=created_at")).await.expect(200).json();
    assert_eq!(seed::pluck(&page, "status"), ["resolved", "closed", "open"]);
    let retests = format!("{}/retests", at(FINDINGS, &page["data"][0]));
    client.post(&retests, &passed()).await.expect(201);
    let other = "external_id,title,severity\n3,Kept,low\n4,New,low\n";
    assert_eq!(send("?close_missing=1", other).await["closed"], 1);
}
