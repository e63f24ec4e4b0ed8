//! Open work over every kind of record, and tasks. The clock of the tests is set to 14:00 UTC on 14 November 2026.

use app::user::UserDraft;
use domain::{id::UserId, text::Name};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

use super::seed::{self, FINDINGS, PROGRAMMES, TEST_CASES, at};

const TASKS: &str = "/api/v1/tasks";
const DAY: i64 = 24 * 60 * 60 * 1000;
const DANA: &str = "Dana Weber";

async fn page(client: &Client, query: &str) -> Value {
    client.get(&format!("{TASKS}?{query}")).await.expect(200).json()
}

/// Type, action and day of every task.
fn shown(page: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
    let tasks = page["data"].as_array().unwrap().iter();
    tasks.map(|task| (text(&task["type"]), text(&task["action"]), text(&task["due_on"]))).collect()
}

async fn person(app: &TestApp, tenant: &TestTenant, name: &str, address: &str) -> UserId {
    let draft = UserDraft {
        email: address.parse().unwrap(),
        name: Name::parse(name).unwrap(),
        role: "manager".parse().unwrap(),
    };
    let owner = domain::password::Owner { email: &draft.email, names: &[] };
    let password = app::user::chosen_password("password", "correct horse battery staple", &owner);
    app.app.people.create_user(&tenant.caller, draft, password.unwrap()).await.unwrap().id
}

async fn writer(app: &TestApp, slug: &str) -> (TestTenant, Client) {
    let tenant = app.tenant(slug).await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    (tenant, client)
}

async fn posted(client: &Client, path: &str, body: &Value) -> String {
    at(path, &client.post(path, body).await.expect(201).data())
}

/// One record of every kind with an owner and a day of its own, and how each is done.
async fn one_of_each(client: &Client) -> Vec<(String, Value)> {
    let programme = seed::programme(client, &json!({ "owner": DANA, "ends_on": "2026-12-11" })).await;
    let test_case =
        seed::test_case(client, &programme, &json!({ "assignee": DANA, "due_on": "2026-12-02" })).await;
    let finding = seed::finding(client, &json!({ "owner": DANA, "due_on": "2026-12-01" })).await;
    let control =
        json!({ "title": "Alarm test", "owner": DANA, "cadence": "monthly", "next_due_on": "2026-12-03" });
    let control = posted(client, "/api/v1/controls", &control).await;
    let requirement = "/api/v1/assessments/dora-art-05-02-a".to_owned();
    let said = json!({ "owner": DANA, "due_on": "2026-12-04", "next_review_on": "2026-12-05" });
    client.patch(&requirement, &said).await.expect(200);
    let evidence = json!({
        "title": "Report", "url": "https://example.com/report", "owner": DANA, "valid_until": "2026-12-06",
    });
    let evidence = posted(client, "/api/v1/evidence", &evidence).await;
    let risk = json!({
        "title": "Fire", "category": "physical", "inherent": { "likelihood": 1, "impact": 1 }, "owner": DANA,
        "review_on": "2026-12-07",
    });
    let risk = posted(client, "/api/v1/risks", &risk).await;
    let acceptance =
        json!({ "status": "accepted", "acceptance": { "reason": "Small", "until": "2026-12-08" } });
    client.patch(&risk, &acceptance).await.expect(200);
    let cells =
        json!({ "cells": { "c0010": "529900TIDEWALLBANK74", "c0020": "Bank", "c0030": "eba_GA:DE" } });
    client.post("/api/v1/register/B_01.01/rows", &cells).await.expect(201);
    let filing =
        posted(client, "/api/v1/register/filings", &json!({ "owner": DANA, "due_on": "2026-12-10" })).await;
    let task = json!({ "title": "Call the auditor", "owner": DANA, "due_on": "2026-12-12" });
    let task = posted(client, TASKS, &task).await;
    let no_day = |field: &str| json!({ field: null });
    vec![
        (at(FINDINGS, &finding), json!({ "status": "false_positive" })),
        (at(TEST_CASES, &test_case), no_day("due_on")),
        (control, json!({ "status": "retired" })),
        (requirement.clone(), json!({ "status": "met", "rationale": "Done" })),
        (requirement, no_day("next_review_on")),
        (evidence, no_day("valid_until")),
        (risk.clone(), no_day("review_on")),
        (risk, json!({ "status": "closed" })),
        (filing, no_day("due_on")),
        (at(PROGRAMMES, &programme), json!({ "status": "archived" })),
        (task, json!({ "status": "done" })),
    ]
}

/// The work of [`one_of_each`], in the order of its days.
const EACH: [(&str, &str, &str); 11] = [
    ("finding", "resolve", "2026-12-01"),
    ("test_case", "execute", "2026-12-02"),
    ("control", "perform", "2026-12-03"),
    ("assessment", "meet", "2026-12-04"),
    ("assessment", "review", "2026-12-05"),
    ("evidence", "renew", "2026-12-06"),
    ("risk", "review", "2026-12-07"),
    ("risk", "decide", "2026-12-08"),
    ("register_filing", "file", "2026-12-10"),
    ("programme", "finish", "2026-12-11"),
    ("task", "do", "2026-12-12"),
];

fn each(from: usize) -> Vec<(String, String, String)> {
    EACH[from..].iter().map(|(kind, action, day)| ((*kind).into(), (*action).into(), (*day).into())).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn every_kind_is_listed_by_day_until_it_is_done(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (_, client) = writer(&app, "north").await;
    let (_, stranger) = writer(&app, "south").await;
    let steps = one_of_each(&client).await;
    let whole = page(&client, "").await;
    assert_eq!(shown(&whole), each(0), "{engine:?}");
    assert_eq!(whole["meta"]["total"], EACH.len());
    assert_eq!((&whole["data"][0]["late"], &whole["data"][0]["owner"]), (&json!(false), &json!(DANA)));
    for task in whole["data"].as_array().unwrap() {
        client.get(task["link"].as_str().unwrap()).await.expect(200);
        stranger.get(task["link"].as_str().unwrap()).await;
    }
    assert_eq!(page(&stranger, "").await["meta"]["total"], 0, "{engine:?}");
    app.clock.advance(18 * DAY);
    let later = page(&client, "").await;
    assert_eq!((&later["data"][0]["late"], &later["data"][1]["late"]), (&json!(true), &json!(false)));
    for (done, (address, step)) in steps.iter().enumerate() {
        client.patch(address, step).await.expect(200);
        let page = page(&client, "owner=dana%20WEBER").await;
        assert_eq!(shown(&page), each(done + 1), "{engine:?} after {address} {step}");
        assert_eq!(page["meta"]["total"], EACH.len() - done - 1);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn reports_are_due_under_their_clocks_until_they_are_sent(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (_, client) = writer(&app, "north").await;
    let incident = json!({ "title": "Card payments down", "facts": {
        "critical_services": true, "malicious_access": true,
    } });
    let incident = posted(&client, "/api/v1/incidents", &incident).await;
    client.post(&format!("{incident}/classify"), &json!({})).await.expect(200);
    let report = json!({
        "kind": "severe_incident", "product": { "name": "App" }, "title": "Leak", "severity": "high",
        "aware_at": "2026-11-14T13:00:00Z",
    });
    let report = posted(&client, "/api/v1/cra/reports", &report).await;
    let due = client.get(&incident).await.data()["reports"].as_array().unwrap().clone();
    let initial = due.iter().find(|report| report["stage"] == "initial").unwrap()["due_at"].clone();
    let tasks = page(&client, "type=incident").await;
    assert_eq!(tasks["data"][0]["due_at"], initial, "{engine:?} {tasks}");
    assert_eq!(tasks["data"][0]["title"], "Card payments down: DORA, Initial notification");
    let german = page(&client, "type=incident&lang=de").await;
    assert_eq!(german["data"][0]["title"], "Card payments down: DORA, Erstmeldung");
    let steps = page(&client, "type=cra_report").await;
    assert_eq!(steps["data"][0]["due_at"], "2026-11-15T13:00:00Z");
    assert_eq!(steps["data"][0]["title"], "Leak: Early warning");
    assert_eq!(page(&client, "type=cra_report&due_before=2026-11-15").await["meta"]["total"], 0);
    assert_eq!(page(&client, "type=cra_report&due_before=2026-11-16").await["meta"]["total"], 1);
    let before = steps["meta"]["total"].as_u64().unwrap();
    client.patch(&report, &json!({ "status": "early_warning_sent" })).await.expect(200);
    let after = page(&client, "type=cra_report").await;
    assert_eq!(after["meta"]["total"], before - 1, "{after}");
    assert_eq!(page(&client, "owner=Dana").await["meta"]["total"], 0, "without an owner");
    for address in [&incident, &report] {
        client.patch(address, &json!({ "owner": "Dana Weber" })).await.expect(200);
    }
    let hers = page(&client, "owner=dana%20weber").await;
    let kinds: Vec<_> = hers["data"].as_array().unwrap().iter().map(|task| task["type"].clone()).collect();
    assert!(kinds.contains(&json!("incident")) && kinds.contains(&json!("cra_report")), "{hers}");
    assert!(hers["data"].as_array().unwrap().iter().all(|task| task["owner"] == "Dana Weber"), "{hers}");
    assert_eq!(page(&client, "owner=Dana").await["meta"]["total"], 0, "another name");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn pages_are_parts_of_one_list_sorted_by_day(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (_, client) = writer(&app, "north").await;
    one_of_each(&client).await;
    let report = json!({
        "kind": "severe_incident", "product": { "name": "App" }, "title": "Leak", "severity": "high",
        "aware_at": "2026-11-14T13:00:00Z",
    });
    posted(&client, "/api/v1/cra/reports", &report).await;
    for day in ["2026-11-15", "2026-11-17", "2026-11-15"] {
        seed::finding(&client, &json!({ "due_on": day })).await;
        posted(&client, TASKS, &json!({ "title": "One more", "due_on": day })).await;
    }
    posted(&client, TASKS, &json!({ "title": "Some day" })).await;
    let whole = page(&client, "limit=500").await;
    let all = whole["data"].as_array().unwrap();
    assert_eq!(whole["meta"]["total"], all.len());
    let days: Vec<&str> = all.iter().map(|task| task["due_on"].as_str().unwrap_or("none")).collect();
    assert!(days.is_sorted(), "{engine:?} {days:?}");
    assert_eq!(days.last(), Some(&"none"));
    for limit in [1, 3, 4] {
        let mut walked = Vec::new();
        for offset in (0..all.len()).step_by(limit) {
            let part = page(&client, &format!("limit={limit}&offset={offset}")).await;
            assert_eq!(part["meta"]["total"], all.len());
            walked.extend(part["data"].as_array().unwrap().clone());
        }
        assert_eq!(&walked, all, "{engine:?} by {limit}");
    }
    let beyond = page(&client, "offset=1000").await;
    assert_eq!((&beyond["meta"]["count"], beyond["data"].as_array().unwrap().len()), (&json!(0), 0));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_owner_is_found_by_id_name_and_address(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (tenant, client) = writer(&app, "north").await;
    let id = person(&app, &tenant, DANA, "dana@north.example").await;
    let other = app.tenant("south").await;
    let stranger = person(&app, &other, "Eve", "eve@south.example").await;
    for owner in [DANA, "dana weber", "Dana@North.Example", &id.to_string(), "Another"] {
        posted(&client, TASKS, &json!({ "title": owner, "owner": owner, "due_on": "2026-12-01" })).await;
    }
    posted(&client, TASKS, &json!({ "title": "Free" })).await;
    for (owner, found) in [
        (id.to_string(), 4),
        ("Dana%20Weber".to_owned(), 4),
        ("DANA@NORTH.EXAMPLE".to_owned(), 4),
        ("ANOTHER".to_owned(), 1),
        ("Dana".to_owned(), 0),
        (stranger.to_string(), 0),
        ("eve@south.example".to_owned(), 0),
    ] {
        let total = page(&client, &format!("owner={owner}")).await["meta"]["total"].clone();
        assert_eq!(total, found, "{engine:?} {owner}");
    }
}

#[tokio::test]
async fn filters_narrow_and_wrong_ones_are_named() {
    let app = TestApp::new().await;
    let (_, client) = writer(&app, "north").await;
    one_of_each(&client).await;
    for (query, found) in [
        ("type=risk", 2),
        ("type=task", 1),
        ("due_before=2026-12-03", 2),
        ("due_before=2026-12-13", 11),
        ("type=assessment&due_before=2026-12-05", 1),
        ("type=task&owner=Dana%20Weber", 1),
    ] {
        assert_eq!(page(&client, query).await["meta"]["total"], found, "{query}");
    }
    for wrong in ["type=thing", "due_before=soon", "limit=0"] {
        let field = wrong.split('=').next().unwrap();
        let answer = client.get(&format!("{TASKS}?{wrong}")).await.expect(422).json();
        assert!(answer["details"][field].is_array(), "{wrong}: {answer}");
    }
    assert_eq!(page(&client, "limit=9999").await["meta"]["limit"], 500);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_plain_task_is_kept_with_its_versions(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (_, client) = writer(&app, "north").await;
    let (_, stranger) = writer(&app, "south").await;
    let finding = seed::finding(&client, &json!({})).await;
    let theirs = seed::finding(&stranger, &json!({})).await;
    let body = json!({
        "title": "Call the auditor", "note": "Before noon", "owner": DANA, "due_on": "2027-01-31",
        "about": finding["id"],
    });
    let made = client.post(TASKS, &body).await.expect(201).data();
    assert!(made["id"].as_str().unwrap().starts_with("tsk_"), "{made}");
    assert_eq!((&made["status"], &made["about"]), (&json!("open"), &finding["id"]), "{engine:?}");
    let address = at(TASKS, &made);
    client.patch(&address, &json!({ "status": "done" })).await.expect(200);
    let versions = client.get(&format!("{address}/versions")).await.expect(200).json();
    assert_eq!(versions["meta"]["total"], 2);
    assert_eq!(client.get(&format!("{address}/versions/1")).await.data()["record"]["status"], "open");
    let history = client.get(&address).await.data()["history"].clone();
    assert_eq!((&history[1]["from"], &history[1]["to"]), (&json!("open"), &json!("done")));
    for about in [theirs["id"].clone(), json!("fnd_1"), json!("usr_1"), json!("dora-art-999")] {
        let refused = client.post(TASKS, &json!({ "title": "T", "about": about })).await.expect(422).json();
        let said = &refused["details"]["about"][0];
        assert_eq!(said, "must be the id of one of your records, or null", "{about}");
    }
    client.post(TASKS, &json!({ "title": "T", "about": "dora-art-05-02-a" })).await.expect(201);
    for method in ["GET", "PATCH", "DELETE"] {
        let body = (method == "PATCH").then(|| "{}".to_owned());
        stranger.send(method.parse().unwrap(), &address, body).await.expect(404);
    }
    client.delete(&address).await.expect(204);
    client.get(&address).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn changes_are_walked_by_cursor_without_gaps_or_repeats_even_within_one_moment(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (_, client) = writer(&app, "north").await;
    for number in 0..7 {
        // All of these change in the same moment of the fixed clock.
        let task = json!({ "title": format!("Task {number}"), "due_on": "2026-12-01" });
        posted(&client, TASKS, &task).await;
    }
    seed::finding(&client, &json!({ "due_on": "2026-12-02" })).await;
    let report = json!({
        "kind": "severe_incident", "product": { "name": "App" }, "title": "Leak", "severity": "high",
        "aware_at": "2026-11-14T13:00:00Z",
    });
    posted(&client, "/api/v1/cra/reports", &report).await;
    let all = page(&client, "limit=500").await;
    let expected = all["data"].as_array().unwrap().len();
    assert_eq!(all["meta"]["next_cursor"], json!(null), "the order by day has no cursor");
    let (mut seen, mut query) = (Vec::new(), "limit=3&updated_since=2020-01-01T00:00:00Z".to_owned());
    loop {
        let part = page(&client, &query).await;
        assert_eq!(part["meta"]["total"], json!(expected), "{engine:?}");
        seen.extend(
            part["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|task| format!("{} {} {}", task["id"], task["action"], task["title"])),
        );
        let Some(cursor) = part["meta"]["next_cursor"].as_str() else { break };
        query = format!("limit=3&cursor={cursor}");
    }
    assert_eq!(seen.len(), expected, "{engine:?}: {seen:?}");
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), expected, "{engine:?}: one came twice");

    app.clock.advance(60_000);
    let late = posted(&client, TASKS, &json!({ "title": "New" })).await;
    let changed = page(&client, "updated_since=2026-11-14T14:00:30Z").await;
    assert_eq!(changed["meta"]["total"], 1);
    assert!(late.ends_with(changed["data"][0]["id"].as_str().unwrap()), "{changed}");
    assert_eq!(changed["data"][0]["updated_at"], "2026-11-14T14:01:00Z");
    let only = page(&client, "updated_since=2020-01-01T00:00:00Z&type=finding").await;
    assert_eq!(only["meta"]["total"], 1);
    client.get(&format!("{TASKS}?cursor=nonsense")).await.expect(422);
    let newest = client.get("/api/v1/tasks?cursor=n1-00000000").await.expect(422);
    assert!(newest.json()["details"]["cursor"].is_array(), "{engine:?}");
}

#[tokio::test]
async fn an_unchanged_list_is_not_sent_again_and_a_task_that_becomes_late_is() {
    let app = TestApp::on(Engine::Sqlite).await;
    let (_, client) = writer(&app, "north").await;
    posted(&client, TASKS, &json!({ "title": "Call", "due_on": "2026-11-14" })).await;
    let first = client.get(TASKS).await.expect(200);
    let poll = client.with("if-none-match", first.header("etag").unwrap());
    app.clock.advance(60_000);
    poll.get(TASKS).await.expect(304);
    app.clock.advance(DAY);
    let later = poll.get(TASKS).await.expect(200);
    assert_eq!(later.data()[0]["late"], true);
    let poll = client.with("if-none-match", later.header("etag").unwrap());
    poll.get(TASKS).await.expect(304);
    posted(&client, TASKS, &json!({ "title": "Write" })).await;
    assert_eq!(poll.get(TASKS).await.expect(200).data().as_array().unwrap().len(), 2);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_recurring_task_is_followed_by_exactly_one_other(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (_, client) = writer(&app, "north").await;
    let task = json!({ "title": "Check", "owner": DANA, "due_on": "2026-10-31", "cadence": "monthly" });
    let first = posted(&client, TASKS, &task).await;
    let done = client.patch(&first, &json!({ "status": "done" })).await.expect(200).data();
    let next = format!("{TASKS}/{}", done["next"].as_str().unwrap());
    let following = client.get(&next).await.expect(200).data();
    assert_eq!(
        (&following["due_on"], &following["owner"], &following["cadence"], &following["next"]),
        (&json!("2026-11-30"), &json!(DANA), &json!("monthly"), &json!(null)),
        "{engine:?}"
    );
    client.patch(&first, &json!({ "status": "open" })).await.expect(200);
    let again = client.patch(&first, &json!({ "status": "done" })).await.expect(200).data();
    assert_eq!(again["next"], done["next"], "{engine:?}: no second one");
    assert_eq!(page(&client, "type=task").await["meta"]["total"], 1);
    client.patch(&next, &json!({ "cadence": "none", "status": "done" })).await.expect(200);
    assert_eq!(page(&client, "type=task").await["meta"]["total"], 0, "it no longer recurs");
    client.patch(&next, &json!({ "cadence": "hourly" })).await.expect(422);
}
