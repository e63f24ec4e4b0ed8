//! Records with history are archived, never deleted, and a past state shows what was there.

use app::records::KINDS;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::kinds::{ADA, fixture, person};
use crate::routes::openapi::operations;

const DAY: i64 = 24 * 3_600_000;

/// A list, a new record of it, and a change.
fn kinds() -> Vec<(&'static str, Value, Value)> {
    vec![
        (
            "/api/v1/risks",
            json!({ "title": "Outage", "category": "availability",
                    "inherent": { "likelihood": 4, "impact": 4 }, "residual": { "likelihood": 2, "impact": 3 } }),
            json!({ "title": "Outage of both sites" }),
        ),
        (
            "/api/v1/controls",
            json!({ "title": "Restore test" }),
            json!({ "title": "Restore test of payments" }),
        ),
        ("/api/v1/functions", json!({ "name": "Payments" }), json!({ "owner": "Dana Weber" })),
        (
            "/api/v1/evidence",
            json!({ "title": "Restore log", "url": "https://example.com/log", "keep_until": "2026-11-14" }),
            json!({ "title": "Restore log of May" }),
        ),
        (
            "/api/v1/own-frameworks",
            json!({ "key": "house-it", "title": "House rules" }),
            json!({ "title": "House rules of IT" }),
        ),
    ]
}

async fn made(client: &Client, path: &str, new: &Value) -> String {
    let made = client.post(path, new).await.expect(201).data();
    format!("{path}/{}", made["id"].as_str().unwrap())
}

async fn total(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).json()["meta"]["total"].clone()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_record_with_history_is_archived_where_it_would_be_deleted(engine: Engine) {
    for (path, new, change) in kinds() {
        let app = TestApp::on(engine).await;
        let owner = app.owner("north").await;
        let address = made(&owner, path, &new).await;
        owner.patch(&address, &change).await.expect(200);
        app.clock.advance(DAY);
        owner.delete(&address).await.expect(204);
        let kept = owner.get(&address).await.expect(200).data();
        assert_eq!(kept["archived_at"], "2026-11-15T14:00:00Z", "{engine:?} {path}");
        assert_eq!(total(&owner, path).await, 0, "{engine:?} {path}");
        assert_eq!(total(&owner, &format!("{path}?archived=true")).await, 1, "{engine:?} {path}");
        assert_eq!(total(&owner, &format!("{path}?archived=all")).await, 1, "{engine:?} {path}");
        assert_eq!(total(&owner, &format!("{path}?as_of=2026-11-14")).await, 1, "{engine:?} {path}");
        assert_eq!(total(&owner, &format!("{path}?as_of=2026-11-15")).await, 0, "{engine:?} {path}");
        let refused = owner.patch(&address, &new).await.expect(422).error();
        assert!(refused.contains("restore it before changing it"), "{path}: {refused}");
        owner.delete(&address).await.expect(422);
        owner.post(&format!("{address}/restore"), &json!({})).await.expect(200);
        assert_eq!(total(&owner, path).await, 1, "{engine:?} {path}");
        owner.post(&format!("{address}/archive"), &json!({})).await.expect(200);
        assert_eq!(total(&owner, path).await, 0, "{engine:?} {path}");
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_record_never_used_is_deleted_and_still_there_in_the_past(engine: Engine) {
    for (path, new, _) in kinds() {
        let app = TestApp::on(engine).await;
        let owner = app.owner("north").await;
        let address = made(&owner, path, &new).await;
        app.clock.advance(DAY);
        owner.delete(&address).await.expect(204);
        owner.get(&address).await.expect(404);
        assert_eq!(total(&owner, &format!("{path}?archived=all")).await, 0, "{engine:?} {path}");
        assert_eq!(total(&owner, &format!("{path}?as_of=2026-11-14")).await, 1, "{engine:?} {path}");
    }
}

#[tokio::test]
async fn a_control_that_was_performed_and_a_risk_once_accepted_are_never_lost() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = made(&owner, "/api/v1/controls", &json!({ "title": "Restore test" })).await;
    owner.post(&format!("{address}/performed"), &json!({ "on": "2026-11-01" })).await.expect(200);
    owner.delete(&address).await.expect(204);
    let performed = owner.get(&format!("{address}/performances")).await.expect(200).json();
    assert_eq!(performed["data"][0]["on"], "2026-11-01");
    owner.post(&format!("{address}/performed"), &json!({})).await.expect(422);
    let log = owner.get("/api/v1/audit?kind=controls").await.expect(200).json();
    assert_eq!(log["data"][0]["action"], "control.archived");
}

#[tokio::test]
async fn an_incident_is_archived_once_it_is_closed() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = made(&owner, "/api/v1/incidents", &json!({ "title": "False alarm" })).await;
    let early = owner.post(&format!("{address}/archive"), &json!({})).await.expect(422).error();
    assert!(early.contains("close it before archiving it"), "{early}");
    owner.patch(&address, &json!({ "status": "not_an_incident" })).await.expect(200);
    owner.post(&format!("{address}/archive"), &json!({})).await.expect(200);
    assert_eq!(total(&owner, "/api/v1/incidents").await, 0);
    owner.post(&format!("{address}/restore"), &json!({})).await.expect(200);
}

#[tokio::test]
async fn a_past_state_is_shown_or_refused_and_never_ignored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let mut shown = 0;
    for (method, path, operation) in operations() {
        let is_ours = path.starts_with("/api/v1/") || path.starts_with("/api/v2/");
        if method != "GET" || !is_ours {
            continue;
        }
        let knows =
            operation["parameters"].as_array().into_iter().flatten().any(|one| one["name"] == "as_of");
        // A record is named by anything: the day is refused before it is looked for.
        let named = path.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
        let named = named.collect::<Vec<_>>().join("/");
        let answer = owner.get(&format!("{named}?as_of=2026-06-30")).await;
        if knows {
            answer.expect(200);
            shown += 1;
        } else {
            let refused = answer.expect(422).json();
            let said = refused["details"]["as_of"][0].as_str().unwrap_or_default().to_owned();
            assert!(said.contains("it works at /api/v1/"), "{path}: {refused}");
        }
    }
    assert!(shown >= 18, "{shown} lists are too few");
}

/// Over the table of kinds, so that a new kind is tested too: what is written on a record is never lost by a deletion.
#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_record_of_any_kind_that_was_commented_on_is_archived_or_kept(engine: Engine) {
    let app = TestApp::on(engine).await;
    for (number, kind) in KINDS.iter().enumerate() {
        let tenant = app.tenant(&format!("north-{number}")).await;
        let client = app.client(&app.key(&tenant, "read,write").await);
        person(&app, &tenant, ADA, &format!("ada@north-{number}.example")).await;
        let record = fixture(&client, kind.table).await;
        let text = json!({ "text": "Seen on site" });
        client.post(&format!("{record}/comments"), &text).await.expect(201);
        let answer = client.delete(&record).await;
        match answer.status.as_u16() {
            204 => {
                let kept = client.get(&record).await.expect(200).data();
                assert!(kept["archived_at"].is_string(), "{engine:?}: {} is lost", kind.table);
            }
            422 => assert!(answer.error().contains("kept"), "{engine:?} {}: {answer:?}", kind.table),
            status => assert_eq!(status, 405, "{engine:?} {}", kind.table),
        }
        let comments = client.get(&format!("{record}/comments")).await.expect(200).data();
        assert_eq!(comments[0]["text"], "Seen on site", "{engine:?} {}", kind.table);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn evidence_clauses_and_a_drill_that_was_broken_off_are_not_lost(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let finding = fixture(&owner, "findings").await;
    let evidence = fixture(&owner, "evidence").await;
    let link = json!({ "type": "finding", "id": finding.rsplit('/').next() });
    owner.post(&format!("{evidence}/links"), &link).await.expect(200);
    let refused = owner.delete(&finding).await.expect(422).error();
    assert!(refused.contains("has comments, evidence or results"), "{engine:?}: {refused}");
    owner.delete(&format!("{evidence}/links/finding/{}", finding.rsplit('/').next().unwrap())).await;
    owner.delete(&finding).await.expect(204);

    let arrangement = fixture(&owner, "arrangements").await;
    let provider = owner.get("/api/v1/providers").await.expect(200).data()[0]["id"].clone();
    let clauses = format!(
        "/api/v1/providers/{}/clauses/{}",
        provider.as_str().unwrap(),
        arrangement.rsplit('/').next().unwrap()
    );
    let stated = json!({ "clauses": [{ "clause": "dora-art-30-02-b", "state": "present" }] });
    owner.patch(&clauses, &stated).await.expect(200);
    owner.delete(&arrangement).await.expect(422);

    let run = fixture(&owner, "drill_runs").await;
    owner.post(&format!("{run}/start"), &json!({})).await.expect(200);
    owner.post(&format!("{run}/decisions"), &json!({ "text": "Isolate" })).await.expect(201);
    owner.patch(&run, &json!({ "status": "cancelled" })).await.expect(200);
    let refused = owner.delete(&run).await.expect(422).error();
    assert!(refused.contains("only a run that never started"), "{engine:?}: {refused}");
    let log = owner.get(&format!("{run}/decisions")).await.expect(200).data();
    assert_eq!(log[0]["text"], "Isolate");
}

/// A kind that is archived once it is finished: its list, a fixture, what finishes it, and the refusal before.
fn finished() -> Vec<(&'static str, &'static str, Vec<Value>, &'static str)> {
    vec![
        (
            "/api/v1/programmes",
            "programmes",
            vec![json!({ "status": "active" }), json!({ "status": "completed" })],
            "complete it or put it on hold",
        ),
        (
            "/api/v1/ict-arrangements",
            "arrangements",
            vec![json!({ "ends_on": "2026-11-13" })],
            "has not ended",
        ),
        ("/api/v1/tasks", "tasks", vec![json!({ "status": "done" })], "is not done"),
    ]
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn programmes_arrangements_and_tasks_with_history_are_archived_once_they_are_finished(engine: Engine) {
    for (path, table, steps, unfinished) in finished() {
        let app = TestApp::on(engine).await;
        let owner = app.owner("north").await;
        let address = fixture(&owner, table).await;
        owner.post(&format!("{address}/comments"), &json!({ "text": "Seen" })).await.expect(201);
        let refused = owner.delete(&address).await.expect(422).error();
        assert!(refused.contains("archive it instead of deleting it"), "{engine:?} {path}: {refused}");
        for (number, step) in steps.iter().enumerate() {
            if number + 1 == steps.len() {
                let early = owner.post(&format!("{address}/archive"), &json!({})).await.expect(422).error();
                assert!(early.contains(unfinished), "{engine:?} {path}: {early}");
            }
            owner.patch(&address, step).await.expect(200);
        }
        app.clock.advance(DAY);
        let archived = owner.post(&format!("{address}/archive"), &json!({})).await.expect(200).data();
        assert_eq!(archived["archived_at"], "2026-11-15T14:00:00Z", "{engine:?} {path}");
        let again = owner.delete(&address).await.expect(422).error();
        assert!(again.contains("cannot be deleted"), "{engine:?} {path}: {again}");
        owner.post(&format!("{address}/comments"), &json!({ "text": "Late" })).await.expect(422);
        if path != "/api/v1/tasks" {
            assert_eq!(total(&owner, &format!("{path}?archived=false")).await, 0, "{engine:?} {path}");
            assert_eq!(total(&owner, &format!("{path}?archived=true")).await, 1, "{engine:?} {path}");
            assert_eq!(total(&owner, &format!("{path}?archived=all")).await, 1, "{engine:?} {path}");
            let past = format!("{path}?archived=false&as_of=2026-11-14");
            assert_eq!(total(&owner, &past).await, 1, "{engine:?} {path}");
            let since = format!("{path}?archived=false&as_of=2026-11-15");
            assert_eq!(total(&owner, &since).await, 0, "{engine:?} {path}");
        }
        let restored = owner.post(&format!("{address}/restore"), &json!({})).await.expect(200).data();
        assert_eq!(restored["archived_at"], Value::Null, "{engine:?} {path}");
        let log = owner.get("/api/v1/audit?limit=10").await.expect(200).json().to_string();
        for verb in ["archived", "restored"] {
            let noun = table.trim_end_matches('s');
            assert!(log.contains(&format!("{noun}.{verb}")), "{engine:?} {path}: no {verb} in {log}");
        }
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_programme_is_archived_by_its_status_and_restored_to_the_status_before(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = fixture(&owner, "programmes").await;
    owner.patch(&address, &json!({ "status": "active" })).await.expect(200);
    owner.patch(&address, &json!({ "status": "on_hold" })).await.expect(200);
    let archived = owner.patch(&address, &json!({ "status": "archived" })).await.expect(200).data();
    assert!(archived["archived_at"].is_string(), "{engine:?}: {archived}");
    // Who does not ask about the archive sees all programmes, as before there was one.
    assert_eq!(total(&owner, "/api/v1/programmes").await, 1);
    assert_eq!(total(&owner, "/api/v1/programmes?status=archived").await, 1);
    let restored = owner.post(&format!("{address}/restore"), &json!({})).await.expect(200).data();
    assert_eq!((&restored["status"], &restored["archived_at"]), (&json!("on_hold"), &Value::Null));
    let steps: Vec<_> = restored["history"].as_array().unwrap().iter().map(|step| &step["to"]).collect();
    assert_eq!(steps, ["planned", "active", "on_hold", "archived", "on_hold"], "{engine:?}");
    let events = owner.get("/api/v1/events?kinds=programme&limit=100").await.expect(200).data();
    let types: Vec<_> = events.as_array().unwrap().iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types[1..], vec![json!("programme.status_changed"); 4], "{engine:?}");
}
