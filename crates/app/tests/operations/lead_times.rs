//! Deadlines are announced to each tenant by its own lead times.

use app::{App, authz::Caller};
use domain::{
    event::EventKind,
    lead_time::{LeadTimes, Leads},
};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

fn leads(days: &str, hours: &str) -> LeadTimes {
    LeadTimes { days: Leads::of_days(days).unwrap(), stages: Leads::of_hours(hours).unwrap() }
}

async fn tenant(app: &TestApp, slug: &str) -> (TestTenant, Client) {
    let tenant = app.tenant(slug).await;
    let client = app.client(&app.key(&tenant, "write").await);
    (tenant, client)
}

/// The announcements to a tenant: which record, and under which lead time.
async fn output(app: &App, caller: &Caller) -> Vec<(String, String)> {
    let scope = *caller.scope();
    let rows =
        app.db.tenant(&scope).read(move |r| store::event::after(r, &scope, None, 10_000)).await.unwrap();
    let near = rows.into_iter().filter(|row| row.kind == EventKind::DeadlineApproaching);
    near.map(|row| {
        let payload: Value = serde_json::from_str(&row.payload).unwrap();
        let record = payload.as_object().unwrap().keys().find(|name| *name != "deadline").unwrap().clone();
        (record, payload["deadline"]["lead"].as_str().unwrap().to_owned())
    })
    .collect()
}

fn of(output: &[(String, String)], record: &str) -> Vec<String> {
    output.iter().filter(|(one, _)| one == record).map(|(_, lead)| lead.clone()).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_tenant_is_reported_by_its_own_lead_times(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, client) = tenant(&app, "north").await;
    let (south, other) = tenant(&app, "south").await;
    app.app.messages.choose_lead_times(&north.caller, Some(leads("60, 3", "20"))).await.unwrap();
    for client in [&client, &other] {
        let programme = json!({ "name": "Payments", "framework": "dora", "ends_on": "2027-01-15" });
        let programme = client.post("/api/v1/programmes", &programme).await.expect(201).data();
        let test_case = json!({ "programme_id": programme["id"], "title": "Restore", "due_on": "2027-01-15",
                                "test_type": "scenario_based_test", "priority": "high" });
        client.post("/api/v1/test-cases", &test_case).await.expect(201);
        let finding = json!({ "title": "No restore", "severity": "high", "due_on": "2027-01-15" });
        client.post("/api/v1/findings", &finding).await.expect(201);
    }
    // The days before 15 January on which something is new, and two more.
    let mut left = 62;
    for before in [61, 60, 30, 14, 7, 3, 1, -1] {
        app.clock.advance((left - before) * DAY);
        left = before;
        app.app.raise_deadlines().await.unwrap();
        app.app.raise_deadlines().await.unwrap();
    }
    let (north, south) = (output(&app.app, &north.caller).await, output(&app.app, &south.caller).await);
    for record in ["finding", "test_case", "programme"] {
        assert_eq!(of(&north, record), ["60d", "3d"], "{record}");
        assert_eq!(of(&south, record), ["30d", "14d", "7d", "1d"], "{record}");
    }
    let dates = of(&north, "timeline_item");
    assert!(
        dates.contains(&"60d".to_owned()) && dates.iter().all(|lead| lead == "60d" || lead == "3d"),
        "{dates:?}"
    );
    assert!(of(&south, "timeline_item").iter().all(|lead| lead != "60d" && lead != "3d"));
}

#[tokio::test]
async fn stages_and_reviews_follow_them_too() {
    let app = TestApp::new().await;
    let (north, client) = tenant(&app, "north").await;
    app.app.messages.choose_lead_times(&north.caller, Some(leads("100", "20, 2"))).await.unwrap();
    let report = json!({ "kind": "severe_incident", "product": { "name": "Gateway" }, "title": "Outage",
                         "severity": "high", "aware_at": "2026-11-14T14:00:00Z" });
    client.post("/api/v1/cra/reports", &report).await.expect(201);
    for _ in 0..24 {
        app.app.raise_deadlines().await.unwrap();
        app.clock.advance(HOUR);
    }
    assert_eq!(of(&output(&app.app, &north.caller).await, "cra_report"), ["20h", "2h"]);

    let arrangement = json!({
        "reference": "A-1", "provider": { "name": "Cloud AG", "country": "DE", "sector": "Cloud" },
        "service": "Hosting", "service_type": "S17", "technology": "Kubernetes", "region": "EU",
        "substitutability": "hard", "starts_on": "2026-01-01", "annual_cost": { "amount": 100, "currency": "EUR" },
    });
    client.post("/api/v1/ict-arrangements", &arrangement).await.expect(201);
    client.post("/api/v1/concentration-risk/analyze", &json!({})).await.expect(201);
    app.clock.advance(264 * DAY);
    assert_eq!(app.app.raise_review_deadlines().await.unwrap(), 0, "a hundred and one days before");
    app.clock.advance(DAY);
    app.app.raise_review_deadlines().await.unwrap();
    assert_eq!(of(&output(&app.app, &north.caller).await, "analysis"), ["100d"]);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_day_to_terminate_a_contract_is_reported(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, client) = tenant(&app, "north").await;
    let (south, other) = tenant(&app, "south").await;
    app.app.messages.choose_lead_times(&south.caller, Some(leads("20", "20"))).await.unwrap();
    let today = app.clock.now().day();
    let arrangement = |reference: &str, ends_on: i64| {
        json!({
            "reference": reference, "provider": { "name": "Cloud AG", "country": "DE", "sector": "Cloud" },
            "service": "Hosting", "service_type": "S17", "technology": "Kubernetes", "region": "EU",
            "substitutability": "hard", "starts_on": "2026-01-01", "ends_on": today.plus_days(ends_on),
            "annual_cost": { "amount": 100, "currency": "EUR" },
        })
    };
    for client in [&client, &other] {
        client.post("/api/v1/ict-arrangements", &arrangement("A-1", 130)).await.expect(201);
        client.post("/api/v1/ict-arrangements", &arrangement("A-2", 5)).await.expect(201);
        let list = client.get("/api/v1/providers").await.expect(200).data();
        let provider = format!("/api/v1/providers/{}", list[0]["id"].as_str().unwrap());
        client.patch(&provider, &json!({ "notice_days": 90 })).await.expect(200);
    }
    // 40 days are left for the first contract; for the second it is too late, though it still runs.
    let mut left = 40;
    for before in [40, 30, 20, 14, 7, 1, 0] {
        app.clock.advance((left - before) * DAY);
        left = before;
        app.app.raise_deadlines().await.unwrap();
    }
    let (north, south) = (output(&app.app, &north.caller).await, output(&app.app, &south.caller).await);
    assert_eq!(of(&north, "arrangement"), ["30d", "14d", "7d", "1d"], "{engine:?}");
    assert_eq!(of(&south, "arrangement"), ["20d"], "{engine:?}");
    // The second contract has ended meanwhile; its day is no task any more once that is tidied up.
    let tasks = || client.get("/api/v1/tasks?type=arrangement");
    assert_eq!(tasks().await.expect(200).data().as_array().unwrap().len(), 2);
    app.app.prune_announcements().await.unwrap();
    assert_eq!(tasks().await.expect(200).data().as_array().unwrap().len(), 1, "{engine:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_is_audited_and_can_be_taken_back(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, client) = tenant(&app, "north").await;
    let audited = async || {
        let chain = north.caller.tenant().to_string();
        let entries = app.app.operations.audit_after(&chain, 0).await.unwrap();
        let changes = entries.into_iter().filter(|row| row.entry.action == "lead_times.changed");
        changes.map(|row| row.entry.detail).collect::<Vec<_>>()
    };
    let held = async || app.app.messages.lead_times(&north.caller).await.unwrap();
    assert_eq!((held().await.leads, held().await.chosen_at), (LeadTimes::default(), None));
    app.app.messages.choose_lead_times(&north.caller, None).await.unwrap();
    app.app.messages.choose_lead_times(&north.caller, Some(leads("10", "6"))).await.unwrap();
    app.app.messages.choose_lead_times(&north.caller, Some(leads("10", "6"))).await.unwrap();
    assert_eq!(held().await.leads, leads("10", "6"));
    assert_eq!(audited().await, [r#"{"days":["30, 14, 7, 1","10"],"hours":["12, 4, 1","6"]}"#]);

    // Within seven days: announced under ten, and not again under the default seven.
    let finding = json!({ "title": "No restore", "severity": "high", "due_on": "2026-11-23" });
    client.post("/api/v1/findings", &finding).await.expect(201);
    app.app.raise_deadlines().await.unwrap();
    app.clock.advance(4 * DAY);
    app.app.messages.choose_lead_times(&north.caller, None).await.unwrap();
    app.app.raise_deadlines().await.unwrap();
    app.clock.advance(4 * DAY);
    app.app.raise_deadlines().await.unwrap();
    assert_eq!(of(&output(&app.app, &north.caller).await, "finding"), ["10d", "7d", "1d"]);
    assert_eq!((held().await.chosen_at, audited().await.len()), (None, 2));
}
