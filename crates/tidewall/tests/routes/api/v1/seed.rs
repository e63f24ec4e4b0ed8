//! Initial records, created as a caller would.

use app::authz::Caller;
use domain::event::EventKind;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

pub(super) const PROGRAMMES: &str = "/api/v1/programmes";
pub(super) const TEST_CASES: &str = "/api/v1/test-cases";
pub(super) const FINDINGS: &str = "/api/v1/findings";

async fn create(client: &Client, path: &str, base: Value, fields: &Value) -> Value {
    let mut body = base;
    for (field, value) in fields.as_object().unwrap() {
        body[field] = value.clone();
    }
    client.post(path, &body).await.expect(201).data()
}

pub(super) async fn programme(client: &Client, fields: &Value) -> Value {
    create(client, PROGRAMMES, json!({ "name": "Payments 2027", "framework": "dora" }), fields).await
}

pub(super) async fn test_case(client: &Client, programme: &Value, fields: &Value) -> Value {
    let base = json!({
        "programme_id": programme["id"], "title": "Failover of the payment engine", "test_type": "scenario_based_test",
    });
    create(client, TEST_CASES, base, fields).await
}

pub(super) async fn finding(client: &Client, fields: &Value) -> Value {
    create(client, FINDINGS, json!({ "title": "Admin console reachable", "severity": "high" }), fields).await
}

/// The address of a record in a collection.
pub(super) fn at(path: &str, record: &Value) -> String {
    format!("{path}/{}", record["id"].as_str().unwrap())
}

/// Moves a record through these states, one after the other.
pub(super) async fn moved(client: &Client, address: &str, through: &[&str]) {
    for status in through {
        let body = if *status == "risk_accepted" {
            json!({ "status": status, "acceptance": { "reason": "Replaced next year", "until": "2026-12-31" } })
        } else {
            json!({ "status": status })
        };
        client.patch(address, &body).await.expect(200);
    }
}

/// The tenant's events so far: kind, subject, and content.
pub(super) async fn events(app: &TestApp, caller: &Caller) -> Vec<(EventKind, String, Value)> {
    let scope = *caller.scope();
    let rows =
        app.app.db.tenant(&scope).read(move |r| store::event::after(r, &scope, None, 10_000)).await.unwrap();
    let read = |text: &str| serde_json::from_str(text).unwrap();
    rows.into_iter().map(|row| (row.kind, row.subject, read(&row.payload))).collect()
}

/// One field of every record of a page.
pub(super) fn pluck(page: &Value, field: &str) -> Vec<String> {
    let records = page["data"].as_array().unwrap().iter();
    records.map(|record| record[field].as_str().unwrap_or("null").to_owned()).collect()
}
