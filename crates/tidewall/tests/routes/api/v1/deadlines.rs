//! `deadline.approaching`: once for each deadline and lead time, whatever happens in between.

use app::authz::Caller;
use domain::event::EventKind;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp, TestTenant};

use super::seed::{self, FINDINGS, PROGRAMMES, TEST_CASES, at, events};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// The announcements to a tenant so far, except for dates of the timeline: record, due, lead.
async fn announced(app: &TestApp, caller: &Caller) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let near = events(app, caller)
        .await
        .into_iter()
        .filter(|(kind, _, data)| *kind == EventKind::DeadlineApproaching && data["timeline_item"].is_null());
    near.map(|(_, _, data)| {
        let record = ["finding", "test_case", "programme", "control", "cra_report"]
            .into_iter()
            .find(|name| data[*name].is_object())
            .unwrap();
        let deadline = &data["deadline"];
        let due = text(if deadline["due_on"].is_null() { &deadline["due_at"] } else { &deadline["due_on"] });
        let stage = deadline["stage"].as_str().map_or(String::new(), |stage| format!(" {stage}"));
        (format!("{record}{stage}"), due, text(&deadline["lead"]))
    })
    .collect()
}

async fn leads(app: &TestApp, tenant: &TestTenant) -> Vec<String> {
    announced(app, &tenant.caller).await.into_iter().map(|(_, _, lead)| lead).collect()
}

async fn writer(app: &TestApp) -> (TestTenant, testkit::Client) {
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "write").await);
    (tenant, client)
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn each_lead_time_is_announced_once_as_the_days_go_by(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (tenant, owner) = writer(&app).await;
    seed::finding(&owner, &json!({ "due_on": "2026-12-20" })).await;
    for _ in 0..40 {
        app.app.raise_deadlines().await.unwrap();
        app.app.raise_deadlines().await.unwrap();
        app.clock.advance(DAY);
    }
    assert_eq!(leads(&app, &tenant).await, ["30d", "14d", "7d", "1d"]);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_next_performance_of_a_control_is_announced_until_it_was_performed(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (tenant, owner) = writer(&app).await;
    let control = json!({ "title": "Alarm test", "status": "implemented", "cadence": "weekly" });
    let control = owner.post("/api/v1/controls", &control).await.expect(201).data();
    app.app.raise_deadlines().await.unwrap();
    app.app.raise_deadlines().await.unwrap();
    let near = |day: &str| ("control".to_owned(), day.to_owned(), "7d".to_owned());
    assert_eq!(announced(&app, &tenant.caller).await, [near("2026-11-21")], "{engine:?}");
    app.clock.advance(2 * DAY);
    let performed = format!("/api/v1/controls/{}/performed", control["id"].as_str().unwrap());
    owner.post(&performed, &json!({})).await.expect(200);
    app.app.raise_deadlines().await.unwrap();
    assert_eq!(announced(&app, &tenant.caller).await, [near("2026-11-21"), near("2026-11-23")]);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn every_kind_of_record_with_a_day_is_announced(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (tenant, owner) = writer(&app).await;
    let programme = seed::programme(&owner, &json!({ "ends_on": "2026-11-28" })).await;
    seed::test_case(&owner, &programme, &json!({ "due_on": "2026-11-15" })).await;
    seed::finding(&owner, &json!({ "due_on": "2026-11-14" })).await;
    // Far off, without a day, closed, overdue: nothing to announce.
    seed::finding(&owner, &json!({ "due_on": "2026-12-25" })).await;
    seed::finding(&owner, &json!({})).await;
    let done = seed::finding(&owner, &json!({ "due_on": "2026-11-20" })).await;
    seed::moved(&owner, &at(FINDINGS, &done), &["false_positive"]).await;
    app.app.raise_deadlines().await.unwrap();
    let mut seen = announced(&app, &tenant.caller).await;
    seen.sort_unstable();
    let expected = [
        ("finding", "2026-11-14", "1d"),
        ("programme", "2026-11-28", "14d"),
        ("test_case", "2026-11-15", "1d"),
    ];
    assert_eq!(seen, expected.map(|(record, due, lead)| (record.into(), due.into(), lead.into())));
    app.clock.advance(DAY);
    app.app.raise_deadlines().await.unwrap();
    assert_eq!(announced(&app, &tenant.caller).await.len(), 3, "the overdue one is no longer near");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_changed_due_day_arms_it_again(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (tenant, owner) = writer(&app).await;
    let finding = at(FINDINGS, &seed::finding(&owner, &json!({ "due_on": "2026-11-20" })).await);
    app.app.raise_deadlines().await.unwrap();
    owner.patch(&finding, &json!({ "due_on": "2026-11-19" })).await.expect(200);
    app.app.raise_deadlines().await.unwrap();
    owner.patch(&finding, &json!({ "due_on": "2026-11-20" })).await.expect(200);
    app.app.raise_deadlines().await.unwrap();
    let days: Vec<_> = announced(&app, &tenant.caller).await.into_iter().map(|(_, due, _)| due).collect();
    assert_eq!(days, ["2026-11-20", "2026-11-19"], "the first day was announced already");
}

#[tokio::test]
async fn a_stop_announces_the_nearest_only_and_a_jump_back_nothing() {
    let app = TestApp::new().await;
    let (tenant, owner) = writer(&app).await;
    seed::finding(&owner, &json!({ "due_on": "2026-12-20" })).await;
    // The service was down from 36 days before until 5 days before.
    app.clock.advance(31 * DAY);
    app.app.raise_deadlines().await.unwrap();
    assert_eq!(leads(&app, &tenant).await, ["7d"]);
    // The clock is set back two weeks, and goes on from there.
    app.clock.advance(-14 * DAY);
    for _ in 0..18 {
        app.app.raise_deadlines().await.unwrap();
        app.clock.advance(DAY);
    }
    app.app.raise_deadlines().await.unwrap();
    assert_eq!(leads(&app, &tenant).await, ["7d", "1d"]);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn reporting_stages_are_announced_by_the_hour_until_they_are_handed_in(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (tenant, owner) = writer(&app).await;
    let body = json!({
        "kind": "severe_incident", "product": { "name": "Gateway" }, "title": "Outage", "severity": "high",
        "aware_at": "2026-11-14T14:00:00Z",
    });
    let created = owner.post("/api/v1/cra/reports", &body).await.expect(201).data();
    let address = at("/api/v1/cra/reports", &created);
    for hour in 0..72 {
        if hour == 22 {
            owner.patch(&address, &json!({ "status": "early_warning_sent" })).await.expect(200);
        }
        app.app.raise_deadlines().await.unwrap();
        app.app.raise_deadlines().await.unwrap();
        app.clock.advance(HOUR);
    }
    let expected = [
        ("cra_report early_warning", "2026-11-15T14:00:00Z", "12h"),
        ("cra_report early_warning", "2026-11-15T14:00:00Z", "4h"),
        ("cra_report notification", "2026-11-17T14:00:00Z", "12h"),
        ("cra_report notification", "2026-11-17T14:00:00Z", "4h"),
        ("cra_report notification", "2026-11-17T14:00:00Z", "1h"),
    ];
    assert_eq!(
        announced(&app, &tenant.caller).await,
        expected.map(|(record, due, lead)| (record.into(), due.into(), lead.into()))
    );
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_nodes_announce_each_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (tenant, owner) = writer(&app).await;
    let programme = seed::programme(&owner, &json!({})).await;
    for _ in 0..10 {
        seed::finding(&owner, &json!({ "due_on": "2026-11-20" })).await;
        seed::test_case(&owner, &programme, &json!({ "due_on": "2026-11-20" })).await;
    }
    let nodes = (0..4).map(|_| {
        let app = app.app.clone();
        tokio::spawn(async move { app.raise_deadlines().await.unwrap() })
    });
    for node in nodes.collect::<Vec<_>>() {
        node.await.unwrap();
    }
    assert_eq!(leads(&app, &tenant).await, vec!["7d"; 20]);
}

#[tokio::test]
async fn dates_of_the_timeline_are_announced_to_every_tenant() {
    let app = TestApp::new().await;
    let tenants = [app.tenant("north").await, app.tenant("south").await];
    let catalogue = app.app.catalogue().unwrap();
    let next = catalogue.milestones.iter().find(|milestone| milestone.date > "2026-11-14".parse().unwrap());
    let next = next.expect("the catalogue has dates ahead");
    let start = app.app.clock.now().day();
    app.clock.advance((start.days_until(next.date) - 20) * DAY);
    app.app.raise_deadlines().await.unwrap();
    app.app.raise_deadlines().await.unwrap();
    for tenant in &tenants {
        let events = events(&app, &tenant.caller).await;
        let of_next = events.iter().filter(|(_, subject, _)| *subject == *next.id);
        let leads: Vec<_> = of_next.map(|(.., data)| data["deadline"]["lead"].clone()).collect();
        assert_eq!(leads, ["30d"]);
    }
}

#[tokio::test]
async fn a_finished_test_case_and_an_archived_programme_are_quiet() {
    let app = TestApp::new().await;
    let (tenant, owner) = writer(&app).await;
    let programme = seed::programme(&owner, &json!({ "ends_on": "2026-11-20" })).await;
    let test_case = seed::test_case(&owner, &programme, &json!({ "due_on": "2026-11-20" })).await;
    seed::moved(&owner, &at(TEST_CASES, &test_case), &["ready", "in_progress", "passed"]).await;
    seed::moved(&owner, &at(PROGRAMMES, &programme), &["archived"]).await;
    app.app.raise_deadlines().await.unwrap();
    assert_eq!(leads(&app, &tenant).await, Vec::<String>::new());
}

/// The names in `value` that the schema does not have, with their path.
fn undocumented(schemas: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let parts = [&schema["oneOf"], &schema["anyOf"]].into_iter().filter_map(Value::as_array).flatten();
    let named = parts.chain([schema]).find_map(|part| part["$ref"].as_str());
    let schema = named.map_or(schema, |name| &schemas[name.rsplit('/').next().unwrap()]);
    let Some(fields) = value.as_object().filter(|_| schema["properties"].is_object()) else {
        return Vec::new();
    };
    let below = fields.iter().flat_map(|(name, value)| match &schema["properties"][name] {
        Value::Null => vec![format!("{at}.{name}")],
        schema => undocumented(schemas, schema, value, &format!("{at}.{name}")),
    });
    below.collect()
}

#[tokio::test]
async fn the_document_knows_every_record_and_field_that_an_announced_deadline_carries() {
    let app = TestApp::new().await;
    let (tenant, owner) = writer(&app).await;
    let evidence =
        json!({ "title": "Report", "url": "https://example.com/report", "valid_until": "2026-11-20" });
    owner.post("/api/v1/evidence", &evidence).await.expect(201);
    let incident = json!({
        "title": "Outage", "detected_at": "2026-11-14T13:00:00Z", "aware_at": "2026-11-14T13:00:00Z", "facts": { "malicious_access": true },
    });
    owner.post("/api/v1/incidents", &incident).await.expect(201);
    let programme = seed::programme(&owner, &json!({ "ends_on": "2026-11-28" })).await;
    seed::test_case(&owner, &programme, &json!({ "due_on": "2026-11-15" })).await;
    seed::finding(&owner, &json!({ "due_on": "2026-11-15" })).await;
    let control = json!({ "title": "Alarm test", "status": "implemented", "cadence": "weekly" });
    owner.post("/api/v1/controls", &control).await.expect(201);
    app.clock.advance(12 * HOUR);
    app.app.raise_deadlines().await.unwrap();

    let document = serde_json::to_value(api::docs::openapi()).unwrap();
    let schemas = &document["components"]["schemas"];
    let all = events(&app, &tenant.caller).await.into_iter();
    let near: Vec<Value> =
        all.filter(|(kind, ..)| *kind == EventKind::DeadlineApproaching).map(|(_, _, data)| data).collect();
    for record in ["evidence", "incident", "programme", "test_case", "finding", "control"] {
        assert!(near.iter().any(|data| data[record].is_object()), "{record} was not announced");
    }
    for data in &near {
        let unknown = undocumented(schemas, &schemas["DeadlineApproaching"], data, "data");
        assert_eq!(unknown, Vec::<String>::new(), "{data}");
    }
}
