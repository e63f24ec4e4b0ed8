//! Earlier versions of a finding, whatever changed it.

use axum::body::Body;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::super::seed::{self, FINDINGS, at};

const DAY: i64 = 86_400_000;

/// One field of every version, the current one first.
async fn field(client: &Client, address: &str, name: &str) -> Vec<Value> {
    let page = client.get(&format!("{address}/versions")).await.expect(200).json();
    let versions = page["data"].as_array().unwrap();
    assert_eq!(page["meta"]["total"], versions.len());
    versions.iter().map(|version| version["record"][name].clone()).collect()
}

async fn import(client: &Client, query: &str, file: &'static str) {
    let request = Request::post(format!("{FINDINGS}/import{query}")).header(header::CONTENT_TYPE, "text/csv");
    client.request(request.body(Body::from(file)).unwrap()).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn every_change_keeps_the_version_before(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    let created = seed::finding(&owner, &json!({ "owner": "Dana Weber" })).await;
    let address = at(FINDINGS, &created);
    owner.patch(&address, &json!({ "owner": "Jonas Keller" })).await.expect(200);
    seed::moved(&owner, &address, &["in_progress", "resolved", "closed"]).await;
    owner.post(&format!("{address}/archive"), &json!({})).await.expect(200);

    assert_eq!(
        field(&owner, &address, "status").await,
        ["closed", "closed", "resolved", "in_progress", "open", "open"]
    );
    let archived: Vec<_> = field(&owner, &address, "archived_at").await;
    assert!(archived[0].is_string() && archived[1..].iter().all(Value::is_null), "{archived:?}");
    let first = owner.get(&format!("{address}/versions/1")).await.expect(200).data();
    assert_eq!(
        (&first["record"]["owner"], &first["record"]["reference"]),
        (&json!("Dana Weber"), &created["reference"])
    );
    owner.get(&format!("{address}/versions/7")).await.expect(404);
    app.owner("south").await.get(&format!("{address}/versions/1")).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn so_do_imports_and_expired_acceptances(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    let accepted = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
    seed::moved(&owner, &accepted, &["risk_accepted"]).await;
    import(&owner, "", "external_id,title,severity\n1,Open port,high\n").await;
    let page = owner.get(FINDINGS).await.expect(200).json();
    let imported = at(FINDINGS, &page["data"][0]);
    assert_eq!(field(&owner, &imported, "title").await, ["Open port"], "a new finding has one version");

    import(&owner, "", "external_id,title,severity\n1,Open ports,high\n").await;
    import(&owner, "?close_missing=true", "external_id,title,severity\n2,Old TLS,low\n").await;
    assert_eq!(
        field(&owner, &imported, "status").await,
        ["closed", "resolved", "in_progress", "open", "open"]
    );
    assert_eq!(field(&owner, &imported, "title").await[3..], ["Open ports", "Open port"]);

    app.clock.advance(60 * DAY);
    assert_eq!(app.app.expire_acceptances().await.unwrap(), 1);
    assert_eq!(field(&owner, &accepted, "status").await, ["open", "risk_accepted", "open"]);
    let last = owner.get(&format!("{accepted}/versions/2")).await.expect(200).data();
    assert_eq!(last["replaced_by"], "system");
}
