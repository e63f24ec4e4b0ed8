//! Scopes hold for every resource that an answer shows or a write makes, not only for that of the path.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp};

use super::super::{
    evidence,
    seed::{self, FINDINGS},
};

const HOOKS: &str = "/api/v1/webhooks";

/// A key of the institution with these scopes.
async fn scoped(app: &TestApp, owner: &Client, scopes: &[&str]) -> Client {
    let fields = json!({ "name": "scoped", "permissions": ["write", "manage_keys"], "scopes": scopes });
    let made = owner.post(super::PATH, &fields).await.expect(201).data();
    app.client(made["key"].as_str().unwrap())
}

fn lacks(refused: &Answer, scope: &str) {
    assert_eq!(refused.error(), format!("the scopes of this key do not include {scope}"));
}

async fn finding(owner: &Client, title: &str) -> Value {
    seed::finding(owner, &json!({ "title": title, "due_on": "2026-11-20" })).await
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_key_that_may_only_write_learns_the_id_and_nothing_else(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let id = finding(&owner, "Unpatched gateway").await["id"].clone();
    let address = format!("{FINDINGS}/{}", id.as_str().unwrap());
    let writer = scoped(&app, &owner, &["findings:write"]).await;
    for change in [json!({}), json!({ "severity": "low" })] {
        let answer = writer.patch(&address, &change).await.expect(200);
        assert_eq!(answer.json(), json!({ "data": { "id": id } }));
        assert!(answer.header("etag").is_some(), "{answer}");
    }
    writer.post(&format!("{address}/archive"), &json!({})).await.expect(422);
    let fields = json!({ "title": "New", "severity": "low" });
    let repeated = writer.with("idempotency-key", "once");
    let first = repeated.post(FINDINGS, &fields).await.expect(201);
    assert_eq!(first.json()["data"].as_object().unwrap().len(), 1, "{first}");
    assert_eq!(repeated.post(FINDINGS, &fields).await.expect(201).body, first.body);
    assert_eq!(owner.get(&address).await.expect(200).data()["severity"], "low");
    let both = scoped(&app, &owner, &["findings:write", "findings:read"]).await;
    assert_eq!(both.patch(&address, &json!({})).await.expect(200).data()["title"], "Unpatched gateway");
    // A new key is useless without its secret, which is shown only once.
    let maker = scoped(&app, &owner, &["keys:write"]).await;
    let made = maker.post(super::PATH, &json!({ "name": "child" })).await.expect(201).data();
    assert!(made["key"].is_string() && made["name"].is_null(), "{made}");
}

#[tokio::test]
async fn webhooks_carry_only_what_the_key_may_read() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let hook = |event: &str| json!({ "name": "x", "channel": "slack", "url": "http://127.0.0.1:9000/x", "events": [event] });
    let existing = owner.post(HOOKS, &hook("finding.created")).await.expect(201).data();
    let existing = format!("{HOOKS}/{}", existing["id"].as_str().unwrap());
    let writer = scoped(&app, &owner, &["webhooks:write"]).await;
    lacks(&writer.post(HOOKS, &hook("finding.created")).await.expect(403), "findings:read");
    lacks(&writer.post(HOOKS, &hook("test_case.status_changed")).await.expect(403), "test-cases:read");
    lacks(&writer.post(HOOKS, &hook("deadline.approaching")).await.expect(403), "concentration-risk:read");
    let elsewhere = json!({ "url": "http://127.0.0.1:9000/elsewhere" });
    lacks(&writer.patch(&existing, &elsewhere).await.expect(403), "findings:read");
    let shown = writer.patch(&existing, &json!({})).await.expect(200);
    assert!(!shown.to_string().contains("127.0.0.1"), "the destination is a secret: {shown}");
    writer.patch(&existing, &json!({ "active": false })).await.expect(200);
    lacks(&writer.patch(&existing, &json!({ "active": true })).await.expect(403), "findings:read");
    let reader = scoped(&app, &owner, &["webhooks:write", "findings:read"]).await;
    reader.post(HOOKS, &hook("finding.created")).await.expect(201);
    reader.patch(&existing, &elsewhere).await.expect(200);
}

#[tokio::test]
async fn assessments_are_shown_in_no_other_format_without_their_scope() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let results = "/api/v1/oscal/assessment-results?framework=dora";
    for (scope, path) in
        [("oscal:read", results), ("statement-of-applicability:read", "/api/v1/statement-of-applicability")]
    {
        let alone = scoped(&app, &owner, &[scope]).await;
        lacks(&alone.get(path).await.expect(403), "assessments:read");
        let both = scoped(&app, &owner, &[scope, "assessments:read"]).await;
        both.get(path).await.expect(200);
    }
}

#[tokio::test]
async fn evidence_is_linked_with_the_scope_of_its_record() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let id = finding(&owner, "Unpatched gateway").await["id"].clone();
    let file = evidence::upload(&owner, &[("title", "Report")], "report.txt", b"report").await.expect(201);
    let links = format!("{}/links", evidence::at(&file.data()));
    let link = json!({ "type": "finding", "id": id });
    let alone = scoped(&app, &owner, &["evidence:write"]).await;
    lacks(&alone.post(&links, &link).await.expect(403), "findings:write");
    owner.post(&links, &link).await.expect(200);
    let one = format!("{links}/finding/{}", id.as_str().unwrap());
    lacks(&alone.delete(&one).await.expect(403), "findings:write");
    scoped(&app, &owner, &["evidence:write", "findings:write"]).await.delete(&one).await.expect(204);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn tasks_alerts_and_search_show_only_kinds_that_the_key_may_read(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    finding(&owner, "Unpatched zebrafish gateway").await;
    let task = json!({ "title": "Ask about the zebrafish", "due_on": "2026-11-18" });
    owner.post("/api/v1/tasks", &task).await.expect(201);
    app.clock.advance(10 * 24 * 3600 * 1000);
    let titles = async |client: &Client, path: &str| {
        let answer = client.get(path).await.expect(200).json();
        (seed::pluck(&answer, "title"), answer["meta"]["total"].clone())
    };
    let alone = scoped(&app, &owner, &["tasks:read", "search:read", "alerts:read"]).await;
    let more = ["tasks:read", "search:read", "alerts:read", "findings:read"];
    let more = scoped(&app, &owner, &more).await;
    let [own, found] = ["Ask about the zebrafish", "Unpatched zebrafish gateway"].map(str::to_owned);
    let list = |titles: &[&String]| titles.iter().map(|title| (*title).clone()).collect::<Vec<_>>();
    assert_eq!(titles(&alone, "/api/v1/tasks").await, (list(&[&own]), json!(1)), "{engine:?}");
    assert_eq!(titles(&more, "/api/v1/tasks").await, (list(&[&own, &found]), json!(2)));
    assert_eq!(titles(&more, "/api/v1/tasks?limit=1&offset=1").await, (list(&[&found]), json!(2)));
    assert_eq!(titles(&alone, "/api/v1/tasks?type=finding").await, (list(&[]), json!(0)));
    assert_eq!(titles(&alone, "/api/v2/search?q=zebrafish").await, (list(&[&own]), json!(1)));
    assert_eq!(titles(&more, "/api/v2/search?q=zebrafish").await.1, json!(2));
    let alerts = async |client: &Client| {
        client.get("/api/v2/alerts?search=zebrafish").await.expect(200).json()["meta"]["total"].clone()
    };
    assert_eq!((alerts(&alone).await, alerts(&more).await), (json!(0), json!(1)), "{engine:?}");
}
