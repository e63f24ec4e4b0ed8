//! What happens besides writes: reports, their clocks, imports, analyses and approvals.

use axum::body::Body;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

use super::{EVENTS, all_after, types};

const HOUR: i64 = 3_600_000;

async fn bank(engine: Engine) -> (TestApp, TestTenant, Client) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write,manage_keys").await);
    (app, tenant, client)
}

/// The events of one type.
fn of_type<'e>(events: &'e [Value], name: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["type"] == name).collect()
}

async fn imported(client: &Client, path: &str, table: &str) {
    let request = Request::post(format!("{path}/import")).header(header::CONTENT_TYPE, "text/csv");
    client.request(request.body(Body::from(table.to_owned())).unwrap()).await.expect(200);
}

/// The event is about the record as it is now.
async fn is_about_the_current_record(client: &Client, address: &str, event: &Value) {
    let current = client.get(&format!("{address}/versions?limit=1")).await.expect(200).data();
    assert_eq!(event["subject"]["version"], current[0]["version"], "{event}");
    assert_eq!(event["data"]["after"], current[0]["record"], "{event}");
    assert_eq!(event["data"]["before"], Value::Null);
    assert!(address.ends_with(event["subject"]["id"].as_str().unwrap()));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_report_is_followed_from_its_clock_to_its_correction(engine: Engine) {
    let (app, _, client) = bank(engine).await;
    let new = json!({ "title": "Card payments down", "facts": { "malicious_access": true } });
    let made = client.post("/api/v1/incidents", &new).await.expect(201).data();
    let address = format!("/api/v1/incidents/{}", made["id"].as_str().unwrap());
    app.clock.advance(12 * HOUR);
    app.app.raise_deadlines().await.unwrap();
    let (events, cursor) = all_after(&client, None).await;
    let approaching = of_type(&events, "clock.approaching");
    let expected = json!({ "regime": "dora", "stage": "initial", "lead": "12h", "due_on": null,
        "due_at": "2026-11-15T14:00:00Z" });
    assert_eq!(approaching.len(), 1, "{events:?}");
    assert_eq!(approaching[0]["data"]["detail"], expected);
    assert_eq!(
        (&approaching[0]["subject"]["kind"], &approaching[0]["actor"]),
        (&json!("incident"), &json!("system"))
    );
    is_about_the_current_record(&client, &address, approaching[0]).await;

    client.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    let sent = json!({ "incomplete": true, "reference": "BA-1" });
    client.post(&format!("{address}/reports/dora/initial/submitted"), &sent).await.expect(200);
    let (events, cursor) = all_after(&client, Some(&cursor)).await;
    let submitted = of_type(&events, "report.submitted");
    let expected = json!({ "regime": "dora", "stage": "initial", "reference": "BA-1",
        "submitted_at": "2026-11-15T02:00:00Z" });
    assert_eq!(submitted.len(), 1, "{events:?}");
    assert_eq!(submitted[0]["data"]["detail"], expected);
    assert_eq!(events.last(), Some(submitted[0]), "it follows the write that made it");
    is_about_the_current_record(&client, &address, submitted[0]).await;

    let correction = json!({ "field": "reference", "value": "BA-4712", "reason": "As the receipt says" });
    let to = format!("{address}/reports/dora/initial/corrections");
    client.post(&to, &correction).await.expect(200);
    let (events, _) = all_after(&client, Some(&cursor)).await;
    assert_eq!(types(&events), ["incident.changed", "report.corrected"]);
    let expected = json!({ "place": "dora/initial/1", "field": "reference", "before": "BA-1",
        "after": "BA-4712", "reason": "As the receipt says" });
    assert_eq!(events[1]["data"]["detail"], expected);
    is_about_the_current_record(&client, &address, &events[1]).await;
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_report_that_was_not_sent_in_time_is_due_once(engine: Engine) {
    let (app, tenant, client) = bank(engine).await;
    let new = json!({ "kind": "severe_incident", "product": { "name": "App" }, "title": "Stolen keys",
        "severity": "high", "aware_at": "2026-11-14T13:00:00Z" });
    let made = client.post("/api/v1/cra/reports", &new).await.expect(201).data();
    let address = format!("/api/v1/cra/reports/{}", made["id"].as_str().unwrap());
    assert_eq!(app.app.publish_missed_reports().await.unwrap(), 0, "{engine:?}");
    app.clock.advance(24 * HOUR);
    let (_, cursor) = all_after(&client, None).await;
    assert_eq!(app.app.publish_missed_reports().await.unwrap(), 1);
    assert_eq!(app.app.publish_missed_reports().await.unwrap(), 0, "once");
    let (events, cursor) = all_after(&client, Some(&cursor)).await;
    assert_eq!(types(&events), ["report.due"]);
    let expected = json!({ "regime": "cra", "stage": "early_warning", "due_on": null,
        "due_at": "2026-11-15T13:00:00Z" });
    assert_eq!(events[0]["data"]["detail"], expected);
    is_about_the_current_record(&client, &address, &events[0]).await;
    let log = app.app.operations.audit_after(&tenant.caller.tenant().to_string(), 0).await.unwrap();
    assert_eq!(log.last().unwrap().entry.action, "deadlines.missed");

    client.patch(&address, &json!({ "status": "early_warning_sent" })).await.expect(200);
    let correction = json!({ "stages": { "early_warning": { "submitted_at": "2026-11-15T13:30:00Z" } },
        "note": "As the receipt says" });
    client.patch(&address, &correction).await.expect(200);
    let (events, _) = all_after(&client, Some(&cursor)).await;
    let expected =
        ["cra_report.status_changed", "report.submitted", "cra_report.changed", "report.corrected"];
    assert_eq!(types(&events), expected);
    assert_eq!(events[1]["data"]["detail"]["stage"], "early_warning");
    assert_eq!(events[3]["data"]["detail"]["before"], "2026-11-15T14:00:00Z");
    is_about_the_current_record(&client, &address, &events[3]).await;
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn imports_and_analyses_that_finish_are_announced_to_keys_that_may_read_them(engine: Engine) {
    let (app, tenant, client) = bank(engine).await;
    imported(&client, "/api/v1/findings", "external_id,title,severity\n1,Open port,high\n").await;
    let table = "title;detected_at\nPortal slow;2026-11-14T02:00:00Z\n";
    imported(&client, "/api/v1/incidents", table).await;
    let page = include_str!("../../../../../../../docs/concentration.md");
    let table = page.split("```csv\n").nth(1).unwrap().split("```").next().unwrap();
    imported(&client, "/api/v1/ict-arrangements", table).await;
    let question = json!({ "rates": { "USD": "0.80" }, "as_of": "2026-11-14" });
    let analysis = client.post("/api/v1/concentration-risk/analyze", &question).await.expect(201).data();
    let (events, _) = all_after(&client, None).await;
    let imports = of_type(&events, "import.finished");
    let kinds: Vec<_> = imports.iter().map(|event| event["subject"]["kind"].clone()).collect();
    assert_eq!(kinds, ["finding_import", "incident_import", "register_import"]);
    let added: Vec<_> = imports.iter().map(|event| event["data"]["detail"]["added"].clone()).collect();
    assert_eq!(added, [json!(1), json!(1), json!(6)]);
    for event in &imports {
        assert_eq!(event["subject"]["id"], tenant.caller.tenant().to_string());
        assert_eq!(event["data"]["after"], Value::Null);
    }
    let finished = events.last().unwrap();
    assert_eq!(
        (&finished["type"], &finished["subject"]["id"]),
        (&json!("analysis.finished"), &analysis["id"])
    );
    assert_eq!(finished["data"]["detail"]["level"], "critical");

    let only = client.get(&format!("{EVENTS}?kinds=analysis,finding_import")).await.expect(200).json();
    let expected = ["import.finished", "analysis.finished"];
    assert_eq!(types(only["data"].as_array().unwrap()), expected);
    let fields = json!({ "name": "scoped", "scopes": ["events:read", "findings:read"] });
    let made = client.post("/api/v1/keys", &fields).await.expect(201).data();
    let scoped = app.client(made["key"].as_str().unwrap());
    assert_eq!(types(&all_after(&scoped, None).await.0), ["finding.created", "import.finished"]);
    scoped.get(&format!("{EVENTS}?kinds=register_import")).await.expect(403);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn approvals_are_announced_when_they_are_asked_for_and_end(engine: Engine) {
    let (_app, _, client) = bank(engine).await;
    let finding = json!({ "title": "Backups cannot be restored", "severity": "critical" });
    let finding = client.post("/api/v1/findings", &finding).await.expect(201).data();
    let (_, cursor) = all_after(&client, None).await;
    let ask = json!({ "subject": finding["id"], "action": "accept", "reason": "Replaced in spring",
        "until": "2026-12-31" });
    let asked = client.post("/api/v1/approvals", &ask).await.expect(201).data();
    client
        .post(&format!("/api/v1/approvals/{}/withdraw", asked["id"].as_str().unwrap()), &json!({}))
        .await
        .expect(200);
    let again = client.post("/api/v1/approvals", &ask).await.expect(201).data();
    let address = format!("/api/v1/findings/{}", finding["id"].as_str().unwrap());
    client.patch(&address, &json!({ "title": "Backups are broken" })).await.expect(200);
    let (events, _) = all_after(&client, Some(&cursor)).await;
    let about: Vec<_> = events.iter().filter(|event| event["subject"]["kind"] == "approval").collect();
    let said: Vec<_> = about
        .iter()
        .map(|event| (event["type"].as_str().unwrap(), event["data"]["after"]["state"].as_str().unwrap()))
        .collect();
    let expected = [
        ("approval.created", "asked"),
        ("approval.status_changed", "withdrawn"),
        ("approval.created", "asked"),
        ("approval.status_changed", "lapsed"),
    ];
    assert_eq!(said, expected, "{engine:?}");
    assert_eq!((&about[0]["subject"]["id"], &about[3]["subject"]["id"]), (&asked["id"], &again["id"]));
}
