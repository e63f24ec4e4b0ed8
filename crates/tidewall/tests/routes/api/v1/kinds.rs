//! What holds for every kind of record, over the table of kinds itself: a new kind fails here until it has a fixture,
//! and with it everything that goes over all kinds.

use std::collections::BTreeSet;

use app::{
    records::{AnyKind, KINDS},
    user::UserDraft,
};
use domain::{
    event::EventKind,
    id::UserId,
    key_resources::{resource_of_noun, resources_of_event},
    text::Name,
};
use serde_json::{Value, json};
use store::work;
use testkit::{Client, Engine, TestApp, TestTenant};

use super::seed::{self, events};

pub(super) const ADA: &str = "Ada Leaver";
const WORD: &str = "Quallenfischer";
/// Seven days after the start of the tests' clock, within a lead time.
const DUE: &str = "2026-11-20";

async fn posted(client: &Client, path: &str, body: Value) -> String {
    let made = client.post(path, &body).await.expect(201).data();
    format!("{path}/{}", made["id"].as_str().unwrap())
}

/// Makes a record of the kind, owned by Ada, with a day that is near where the kind has one, and with the word in its
/// title. Returns its address.
pub(super) async fn fixture(client: &Client, table: &str) -> String {
    let title = format!("One {WORD}");
    match table {
        "incidents" => posted(client, "/api/v1/incidents", json!({ "title": title, "owner": ADA })).await,
        "findings" => {
            let body = json!({ "title": title, "severity": "high", "owner": ADA, "due_on": DUE });
            posted(client, "/api/v1/findings", body).await
        }
        "test_cases" => {
            let programme = seed::programme(client, &json!({})).await;
            let body = json!({ "programme_id": programme["id"], "title": title, "test_type": "scenario_based_test",
                "assignee": ADA, "due_on": DUE });
            posted(client, "/api/v1/test-cases", body).await
        }
        "programmes" => {
            let body = json!({ "name": title, "framework": "dora", "owner": ADA, "ends_on": DUE });
            posted(client, "/api/v1/programmes", body).await
        }
        "controls" => {
            let body = json!({ "title": title, "status": "implemented", "cadence": "weekly", "owner": ADA });
            posted(client, "/api/v1/controls", body).await
        }
        "own_frameworks" => {
            let body = json!({ "key": "own", "title": title, "edition": "2027", "owner": ADA });
            posted(client, "/api/v1/own-frameworks", body).await
        }
        "cra_reports" => {
            let body = json!({ "kind": "severe_incident", "product": { "name": "App" }, "title": title,
                "severity": "high", "aware_at": "2026-11-13T13:00:00Z", "owner": ADA });
            posted(client, "/api/v1/cra/reports", body).await
        }
        "drill_runs" => {
            let body = json!({ "scenario": "drill-ransomware-core-banking", "title": title,
                "planned_for": DUE, "participants": [] });
            posted(client, "/api/v1/drill-runs", body).await
        }
        "arrangements" => arrangement(client, "C-7").await,
        "providers" => {
            arrangement(client, "C-8").await;
            let provider = provider(client).await;
            client.patch(&provider, &json!({ "owner": ADA, "next_review_on": DUE })).await.expect(200);
            provider
        }
        "provider_reviews" => {
            arrangement(client, "C-9").await;
            posted(client, &format!("{}/reviews", provider(client).await), json!({})).await
        }
        "risks" => {
            let body = json!({ "title": title, "category": "physical", "owner": ADA, "review_on": DUE,
                "inherent": { "likelihood": 1, "impact": 1 } });
            posted(client, "/api/v1/risks", body).await
        }
        "evidence" => {
            let body =
                json!({ "title": title, "url": "https://example.com/r", "owner": ADA, "valid_until": DUE });
            posted(client, "/api/v1/evidence", body).await
        }
        "tasks" => {
            posted(client, "/api/v1/tasks", json!({ "title": title, "owner": ADA, "due_on": DUE })).await
        }
        "functions" => posted(client, "/api/v1/functions", json!({ "name": title, "owner": ADA })).await,
        "register_filings" => {
            let cells = json!({ "cells": { "c0010": "529900TIDEWALLBANK74", "c0020": "Bank", "c0030": "eba_GA:DE" } });
            client.post("/api/v1/register/B_01.01/rows", &cells).await.expect(201);
            posted(client, "/api/v1/register/filings", json!({ "owner": ADA, "due_on": DUE })).await
        }
        "approvals" => {
            let finding =
                client.post("/api/v1/findings", &json!({ "title": title, "severity": "high" })).await;
            let subject = finding.expect(201).data()["id"].clone();
            let body = json!({ "subject": subject, "action": "false_positive", "reason": "Not ours" });
            posted(client, "/api/v1/approvals", body).await
        }
        "trainings" => training(client, &title).await,
        "evidence_requests" => {
            let body = json!({ "text": title, "owner": ADA, "due_on": DUE });
            posted(client, "/api/v1/evidence-requests", body).await
        }
        new => panic!("{new} has no fixture: add one, so that what holds for every kind is tested for it"),
    }
}

/// A training is for an account instead of a name.
async fn training(client: &Client, title: &str) -> String {
    let people = client.get("/api/v1/people").await.expect(200).data();
    let ada = people.as_array().unwrap().iter().find(|person| person["name"] == ADA).unwrap();
    let body = json!({ "title": title, "people": [ada["id"]], "due_on": DUE });
    let made = client.post("/api/v1/trainings", &body).await.expect(201).data();
    format!("/api/v1/trainings/{}", made[0]["id"].as_str().unwrap())
}

async fn arrangement(client: &Client, reference: &str) -> String {
    let body = json!({
        "reference": reference, "provider": { "name": format!("{WORD} SE"), "country": "DE", "sector": "Cloud" },
        "service": "Hosting", "service_type": "S17", "technology": "Kubernetes", "region": "Frankfurt",
        "functions": [{ "name": "Payments", "critical": true }], "substitutability": "hard",
        "annual_cost": { "amount": 100, "currency": "EUR" }, "starts_on": "2026-01-01",
    });
    posted(client, "/api/v1/ict-arrangements", body).await
}

async fn provider(client: &Client) -> String {
    let providers = client.get("/api/v1/providers").await.expect(200).data();
    format!("/api/v1/providers/{}", providers[0]["id"].as_str().unwrap())
}

pub(super) async fn person(app: &TestApp, tenant: &TestTenant, name: &str, address: &str) -> UserId {
    let draft = UserDraft {
        email: address.parse().unwrap(),
        name: Name::parse(name).unwrap(),
        role: "manager".parse().unwrap(),
    };
    let owner = domain::password::Owner { email: &draft.email, names: &[] };
    let password = app::user::chosen_password("password", "correct horse battery staple", &owner);
    app.app.people.create_user(&tenant.caller, draft, password.unwrap()).await.unwrap().id
}

/// The days of a kind's records: whether it has one, and whether one is announced.
fn days(kind: &AnyKind) -> (bool, bool) {
    let days = work::of_table(kind.table).map_or(&[][..], |work| work.days);
    (!days.is_empty(), days.iter().any(|day| day.is_announced))
}

async fn every_kind_is_work_announced_found_and_handed_over(engine: Engine) {
    let app = TestApp::on(engine).await;
    for (number, kind) in KINDS.iter().enumerate() {
        let table = kind.table;
        let tenant = app.tenant(&format!("north-{number}")).await;
        let client = app.client(&app.key(&tenant, "read,write").await);
        let ada = person(&app, &tenant, ADA, &format!("ada@north-{number}.example")).await;
        let heir = person(&app, &tenant, "Eva Heir", &format!("eva@north-{number}.example")).await;
        let record = fixture(&client, table).await;
        let (has_day, is_announced) = days(kind);

        let tasks = client.get("/api/v1/tasks?owner=ada%20leaver").await.expect(200);
        if let (true, Some(task)) = (has_day, kind.task) {
            let listed = tasks.data().as_array().unwrap().iter().any(|one| one["type"] == task.as_str());
            assert!(listed, "{table} is in no list of work: {}", tasks.json());
        }

        app.app.raise_deadlines().await.unwrap();
        let was_announced = events(&app, &tenant.caller).await.into_iter().any(|(event, _, data)| {
            let of_kind = kind.task.is_some_and(|task| data[task.as_str()].is_object());
            event == EventKind::DeadlineApproaching && of_kind
        });
        assert_eq!(was_announced, is_announced, "{table}: whether its deadline is announced");

        if let Some(word) = kind.found {
            let hits = client.get("/api/v2/search?q=quallenfisch&limit=100").await.expect(200);
            let found = hits.data().as_array().unwrap().iter().any(|hit| hit["type"] == word);
            assert!(found, "{table} is not found: {}", hits.json());
        }

        app.app.people.close_user(&tenant.caller, ada, Some(heir), false).await.unwrap();
        let shown = client.get(&record).await.expect(200).data();
        let owner = shown.get("owner").or_else(|| shown.get("assignee")).cloned();
        if table == "trainings" {
            // What a person has not learnt, their successor cannot learn for them.
            assert!(shown["archived_at"].is_string(), "an open training of a person who left");
        } else if work::of_table(table).is_some() {
            assert_eq!(owner, Some(json!("Eva Heir")), "{table} stays with the person who left");
        }
    }
}

#[tokio::test]
async fn every_kind_is_work_announced_found_and_handed_over_on_sqlite() {
    every_kind_is_work_announced_found_and_handed_over(Engine::Sqlite).await;
}

#[tokio::test]
async fn every_kind_is_work_announced_found_and_handed_over_on_postgres() {
    every_kind_is_work_announced_found_and_handed_over(Engine::Postgres).await;
}

/// A client made from the document knows the record of every deadline that is announced.
#[test]
fn every_announced_kind_is_in_the_schema_of_the_event() {
    let document: Value =
        serde_json::from_str(include_str!("../../../../../../openapi/tidewall.json")).unwrap();
    let schema = &document["components"]["schemas"]["DeadlineApproaching"]["properties"];
    for kind in KINDS.iter().filter(|kind| days(kind).1) {
        let name = kind.task.unwrap().as_str();
        assert!(schema[name].is_object(), "{name} is missing in {schema}");
    }
}

/// Keys of a narrow scope see nothing of a kind whose resource is known; of one that is not, they would see everything.
#[test]
fn every_kind_has_a_resource_that_scopes_of_keys_name() {
    for kind in &KINDS {
        for noun in [Some(kind.noun), kind.found].into_iter().flatten() {
            assert!(resource_of_noun(noun).is_some(), "{noun} is not in domain/src/records/noun.rs");
        }
    }
    let of_deadlines = resources_of_event(EventKind::DeadlineApproaching);
    for kind in KINDS.iter().filter(|kind| days(kind).1) {
        let resource = resource_of_noun(kind.noun).unwrap();
        assert!(of_deadlines.contains(&resource), "{resource} is announced without being asked for");
    }
}

/// The store explains the statements of the same kinds that everything else goes over.
#[test]
fn every_kind_is_among_the_tables_of_the_store() {
    let known: BTreeSet<&str> = KINDS.iter().map(|kind| kind.table).collect();
    assert_eq!((known.len(), store::tables().count()), (KINDS.len(), KINDS.len()), "{known:?}");
}
