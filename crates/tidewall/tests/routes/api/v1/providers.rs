use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

const PROVIDERS: &str = "/api/v1/providers";
const ARRANGEMENTS: &str = "/api/v1/ict-arrangements";
const LEI: &str = "529900TIDEWALLBANK74";

fn arrangement(reference: &str, provider: &Value, critical: bool) -> Value {
    json!({
        "reference": reference, "provider": provider, "service": format!("Service {reference}"),
        "service_type": "S17", "technology": "Kubernetes", "region": "Frankfurt", "substitutability": "hard",
        "starts_on": "2026-01-01", "ends_on": "2027-12-31",
        "annual_cost": { "amount": 100, "currency": "EUR" },
        "functions": [{ "name": format!("Function {reference}"), "critical": critical }],
    })
}

fn named(name: &str) -> Value {
    json!({ "name": name, "country": "DE", "sector": "Cloud" })
}

async fn signed(client: &Client, body: &Value) -> String {
    client.post(ARRANGEMENTS, body).await.expect(201).data()["id"].as_str().unwrap().to_owned()
}

async fn names(client: &Client, query: &str) -> Vec<String> {
    let list = client.get(&format!("{PROVIDERS}?sort=name{query}")).await.expect(200).data();
    list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

/// The address of the only provider with this name.
async fn address(client: &Client, name: &str) -> String {
    let list = client.get(&format!("{PROVIDERS}?search={name}")).await.expect(200).data();
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    format!("{PROVIDERS}/{}", list[0]["id"].as_str().unwrap())
}

async fn refused(client: &Client, path: &str, body: &Value) -> Value {
    client.patch(path, body).await.expect(422).json()["details"].clone()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn providers_are_made_from_the_register_and_follow_it(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    assert_eq!(names(&owner, "").await, [""; 0], "{engine:?}");
    let first = signed(&owner, &arrangement("C-1", &named("Nordlicht"), true)).await;
    let second = signed(&owner, &arrangement("C-2", &named("Nordlicht"), false)).await;
    signed(&owner, &arrangement("C-3", &named("Isar"), false)).await;
    assert_eq!(names(&owner, "").await, ["Isar", "Nordlicht"], "{engine:?}");
    assert_eq!(names(&owner, "&critical=true").await, ["Nordlicht"]);
    assert_eq!(names(&owner, "&critical=false").await, ["Isar"]);
    let nordlicht = address(&owner, "nordlicht").await;
    let shown = owner.get(&nordlicht).await.expect(200).data();
    assert_eq!((&shown["arrangements"], &shown["functions"]), (&json!(2), &json!(2)), "{engine:?}");
    assert_eq!((&shown["share_pct"], &shown["country"]), (&json!(66.67), &json!("DE")));
    assert_eq!((&shown["scores"], &shown["parent"]), (&json!(null), &json!(null)));
    assert_eq!(shown["review"], json!({ "last_on": null, "next_on": null, "state": "not_reviewed" }));
    assert_eq!(shown["contracts"][0]["reference"], "C-1");

    // A LEI that is added later does not create another provider.
    let known =
        json!({ "provider": { "name": "Nordlicht", "lei": LEI, "country": "DE", "sector": "Cloud" } });
    owner.patch(&format!("{ARRANGEMENTS}/{first}"), &known).await.expect(200);
    let shown = owner.get(&nordlicht).await.expect(200).data();
    assert_eq!((&shown["lei"], &shown["arrangements"]), (&json!(LEI), &json!(2)), "{engine:?}");
    // Another name beside the same LEI is the same provider under its new name.
    let renamed = json!({ "provider": { "name": "Nordlicht Cloud SE", "lei": LEI, "country": "LU", "sector": "Cloud" } });
    owner.patch(&format!("{ARRANGEMENTS}/{first}"), &renamed).await.expect(200);
    let shown = owner.get(&nordlicht).await.expect(200).data();
    assert_eq!((&shown["name"], &shown["country"]), (&json!("Nordlicht Cloud SE"), &json!("LU")));

    // A provider without arrangements is deleted, unless something was recorded about it.
    owner.patch(&nordlicht, &json!({ "owner": "Dana Weber" })).await.expect(200);
    owner.delete(&format!("{ARRANGEMENTS}/{first}")).await.expect(204);
    owner.delete(&format!("{ARRANGEMENTS}/{second}")).await.expect(204);
    assert_eq!(names(&owner, "").await, ["Isar", "Nordlicht Cloud SE"], "{engine:?}");
    assert_eq!(owner.get(&nordlicht).await.expect(200).data()["arrangements"], 0);
    let moved = json!({ "provider": named("Alster") });
    let list = owner.get(ARRANGEMENTS).await.expect(200).data();
    let third = list[0]["id"].as_str().unwrap();
    owner.patch(&format!("{ARRANGEMENTS}/{third}"), &moved).await.expect(200);
    assert_eq!(names(&owner, "").await, ["Alster", "Nordlicht Cloud SE"], "{engine:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn own_fields_are_changed_and_the_register_is_not(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    signed(&owner, &arrangement("C-1", &named("Nordlicht"), true)).await;
    let path = address(&owner, "nordlicht").await;
    let etag = owner.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    let change = json!({
        "owner": "Dana Weber", "rating": "high", "review_months": 12, "notice_days": 90,
        "next_review_on": "2026-11-01", "note": "Watch the chain.",
    });
    let changed = owner.with("if-match", &etag).patch(&path, &change).await.expect(200).data();
    assert_eq!((&changed["owner"], &changed["rating"]), (&json!("Dana Weber"), &json!("high")));
    assert_eq!(changed["review"]["state"], "overdue", "{engine:?}");
    owner.with("if-match", &etag).patch(&path, &json!({ "owner": null })).await.expect(412);
    let shown = owner.get(&path).await.expect(200).data();
    assert_eq!(shown["contracts"][0]["notice_by"], "2027-10-02", "{engine:?}");
    assert_eq!(names(&owner, "&review=overdue").await, ["Nordlicht"]);
    assert_eq!(names(&owner, "&review=due_soon").await, [""; 0]);
    assert_eq!(names(&owner, "&owner=Dana%20Weber").await, ["Nordlicht"]);
    let details = refused(&owner, &path, &json!({ "name": "Other", "notice_days": -1 })).await;
    assert!(details["name"][0].as_str().unwrap().contains("comes from the register"), "{details}");
    assert!(details["notice_days"].is_array(), "{details}");
    let versions = owner.get(&format!("{path}/versions")).await.expect(200).data();
    assert_eq!(versions.as_array().unwrap().len(), 2);
    assert_eq!(versions[1]["record"]["owner"], json!(null));
    let due = owner.get("/api/v1/tasks?type=provider").await.expect(200).data();
    assert_eq!((&due[0]["title"], &due[0]["action"]), (&json!("Nordlicht"), &json!("review")));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn clauses_are_those_of_the_law_and_counted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let plain = signed(&owner, &arrangement("C-1", &named("Nordlicht"), false)).await;
    let critical = signed(&owner, &arrangement("C-2", &named("Nordlicht"), true)).await;
    let path = address(&owner, "nordlicht").await;
    let count = |of: &Value| of["clauses"].as_array().unwrap().len();
    let of_plain = owner.get(&format!("{path}/clauses/{plain}")).await.expect(200).data();
    let of_critical = owner.get(&format!("{path}/clauses/{critical}")).await.expect(200).data();
    // Points (a) to (i) of (2); of (3) points (a) to (d), four rights under (e) and two duties under (f); points
    // (a) to (l) of (EU) 2025/532 Art. 4(1).
    assert_eq!((count(&of_plain), count(&of_critical)), (9, 31), "{engine:?}");
    let said = json!({ "clauses": [
        { "clause": "dora-art-30-02-a", "state": "present" },
        { "clause": "dora-art-30-02-b", "state": "missing", "note": "No countries are named." },
        { "clause": "dora-art-30-02-c", "state": "not_needed" },
    ]});
    let changed = owner.patch(&format!("{path}/clauses/{plain}"), &said).await.expect(200).data();
    assert_eq!(changed["clauses"][1]["note"], "No countries are named.");
    let shown = owner.get(&path).await.expect(200).data();
    assert_eq!(
        shown["contract_clauses"],
        json!({ "required": 39, "present": 1, "not_assessed": 37, "missing": ["dora-art-30-02-b"] }),
        "{engine:?}"
    );
    let back = json!({ "clauses": [{ "clause": "dora-art-30-02-b", "state": null }] });
    owner.patch(&format!("{path}/clauses/{plain}"), &back).await.expect(200);
    assert_eq!(owner.get(&path).await.expect(200).data()["contract_clauses"]["missing"], json!([]));
    for wrong in ["dora-art-30-03-a", "dora-art-28-01", "no-clause"] {
        let body = json!({ "clauses": [{ "clause": wrong, "state": "present" }] });
        refused(&owner, &format!("{path}/clauses/{plain}"), &body).await;
    }
    let other = signed(&owner, &arrangement("C-3", &named("Isar"), false)).await;
    owner.get(&format!("{path}/clauses/{other}")).await.expect(404);
    // A change of what another person changed meanwhile is refused.
    let clauses = format!("{path}/clauses/{plain}");
    let etag = owner.get(&clauses).await.expect(200).header("etag").unwrap().to_owned();
    let first = json!({ "clauses": [{ "clause": "dora-art-30-02-d", "state": "present" }] });
    let changed = owner.with("if-match", &etag).patch(&clauses, &first).await.expect(200);
    let second = json!({ "clauses": [{ "clause": "dora-art-30-02-d", "state": "missing" }] });
    owner.with("if-match", &etag).patch(&clauses, &second).await.expect(412);
    assert_eq!(changed.data()["clauses"][3]["state"], "present", "{engine:?}");
    let newer = changed.header("etag").unwrap().to_owned();
    owner.with("if-match", &newer).patch(&clauses, &second).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_review_is_answered_completed_scored_and_compared(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    signed(&owner, &arrangement("C-1", &named("Nordlicht"), false)).await;
    let path = address(&owner, "nordlicht").await;
    owner.patch(&path, &json!({ "review_months": 12 })).await.expect(200);
    let reviews = format!("{path}/reviews");
    let begun = owner.post(&reviews, &json!({})).await.expect(201);
    let review = begun.header("location").unwrap().to_owned();
    let begun = begun.data();
    assert_eq!((&begun["status"], &begun["answered"]), (&json!("draft"), &json!(0)), "{engine:?}");
    let weights = begun["answers"].as_array().unwrap().iter().map(|one| one["weight"].as_u64().unwrap());
    assert_eq!(weights.min(), Some(4), "a provider behind no critical function is asked less");
    let again = owner.post(&reviews, &json!({})).await.expect(422).json();
    assert!(again["details"]["review"].is_array(), "{again}");

    let answers = json!({ "answers": [
        { "question": "question-exit-plan", "answer": "no", "note": "None was written." },
        { "question": "question-transition-period", "answer": "partly" },
    ]});
    let answered = owner.patch(&review, &answers).await.expect(200).data();
    assert_eq!((&answered["answered"], &answered["scores"]), (&json!(2), &json!(null)));
    let finding = json!({ "question": "question-exit-plan" });
    let found = owner.post(&format!("{review}/findings"), &finding).await.expect(200).data();
    let id = found["findings"]["question-exit-plan"].as_str().unwrap();
    let made = owner.get(&format!("/api/v1/findings/{id}")).await.expect(200).data();
    assert_eq!(made["severity"], "high", "{made}");
    for wrong in ["question-exit-plan", "question-transition-period", "question-exit-test"] {
        owner.post(&format!("{review}/findings"), &json!({ "question": wrong })).await.expect(422);
    }
    let done = owner.patch(&review, &json!({ "status": "completed" })).await.expect(200).data();
    // Of the exit questions from weight 4 on: plan 5 × 0, transition period 4 × 1, of 18 points.
    assert_eq!((&done["scores"]["exit"], &done["scores"]["security"]), (&json!(22), &json!(0)));
    let shown = owner.get(&path).await.expect(200).data();
    assert_eq!(shown["open_findings"], 1, "{engine:?}");
    assert_eq!((&shown["scores"]["exit"], &shown["review"]["state"]), (&json!(22), &json!("current")));
    assert_eq!(shown["review"]["last_on"], done["completed_on"]);
    refused(&owner, &review, &answers).await;
    owner.get(&format!("{reviews}/comparison")).await.expect(404);

    let second = owner.post(&reviews, &json!({ "questions": "all" })).await.expect(201);
    let review = second.header("location").unwrap().to_owned();
    let answers = json!({
        "answers": [{ "question": "question-exit-plan", "answer": "yes" }], "status": "completed",
    });
    owner.patch(&review, &answers).await.expect(200);
    let compared = owner.get(&format!("{reviews}/comparison")).await.expect(200).data();
    let exit = compared["scores"].as_array().unwrap().iter().find(|one| one["dimension"] == "exit").unwrap();
    // Of all exit questions with yes or no: plan 5 × 2 of 18 points.
    assert_eq!((&exit["before"], &exit["after"], &exit["difference"]), (&json!(22), &json!(56), &json!(34)));
    let questions: Vec<_> =
        compared["answers"].as_array().unwrap().iter().map(|one| &one["question"]).collect();
    assert_eq!(questions, ["question-exit-plan", "question-transition-period"], "{engine:?}");
    assert_eq!(owner.get(&reviews).await.expect(200).data().as_array().unwrap().len(), 2);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_link_is_given_once_and_a_review_belongs_to_its_provider(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    signed(&owner, &arrangement("C-1", &named("Nordlicht"), true)).await;
    signed(&owner, &arrangement("C-2", &named("Isar"), true)).await;
    let (path, other) = (address(&owner, "nordlicht").await, address(&owner, "isar").await);
    let begun = owner.post(&format!("{path}/reviews"), &json!({})).await.expect(201).data();
    let id = begun["id"].as_str().unwrap();
    owner.get(&format!("{other}/reviews/{id}")).await.expect(404);
    owner.patch(&format!("{other}/reviews/{id}"), &json!({ "status": "cancelled" })).await.expect(404);
    owner.post(&format!("{other}/reviews/{id}/send"), &json!({})).await.expect(404);
    let review = format!("{path}/reviews/{id}");
    let sent = owner.post(&format!("{review}/send"), &json!({})).await.expect(200).data();
    assert!(sent["url"].as_str().unwrap().contains("/due-diligence/"), "{sent}");
    assert_eq!(sent["review"]["status"], "sent", "{engine:?}");
    let seen = owner.get(&review).await.expect(200);
    assert!(!seen.to_string().contains("/due-diligence/"), "the link is shown once");
    refused(&owner, &review, &json!({ "status": "submitted" })).await;
    owner.patch(&review, &json!({ "status": "cancelled" })).await.expect(200);
    owner.post(&format!("{review}/send"), &json!({})).await.expect(422);
}

#[tokio::test]
async fn incidents_of_a_provider_are_counted() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    signed(&owner, &arrangement("C-1", &named("Nordlicht"), true)).await;
    let path = address(&owner, "nordlicht").await;
    let id = path.rsplit('/').next().unwrap();
    for providers in [json!([id]), json!(["Nordlicht"]), json!(["Unknown"])] {
        let body = json!({ "title": "Outage", "providers": providers });
        owner.post("/api/v1/incidents", &body).await.expect(201);
    }
    let shown = owner.get(&path).await.expect(200).data();
    assert_eq!((&shown["incidents"], shown["incident_ids"].as_array().unwrap().len()), (&json!(2), 2));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_last_day_to_terminate_is_a_task_of_the_owner(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let first = signed(&owner, &arrangement("C-1", &named("Nordlicht"), true)).await;
    let path = address(&owner, "nordlicht").await;
    let tasks = "/api/v1/tasks?type=arrangement";
    assert_eq!(owner.get(tasks).await.expect(200).data(), json!([]), "{engine:?}");
    owner.patch(&path, &json!({ "owner": "Dana Weber", "notice_days": 90 })).await.expect(200);
    signed(&owner, &arrangement("C-2", &named("Nordlicht"), false)).await;
    let due = owner.get(&format!("{tasks}&owner=dana%20weber")).await.expect(200).data();
    assert_eq!(due.as_array().unwrap().len(), 2, "{engine:?}: {due}");
    assert_eq!(
        (&due[0]["title"], &due[0]["action"], &due[0]["due_on"]),
        (&json!("Nordlicht: Service C-1"), &json!("terminate"), &json!("2027-10-02")),
        "{due}"
    );
    assert_eq!(due[0]["id"], json!(first));
    // Another end and another notice period move the day; without either there is none.
    owner.patch(&format!("{ARRANGEMENTS}/{first}"), &json!({ "ends_on": "2027-06-30" })).await.expect(200);
    owner.patch(&path, &json!({ "notice_days": 30 })).await.expect(200);
    let due = owner.get(tasks).await.expect(200).data();
    assert_eq!(due[0]["due_on"], "2027-05-31", "{engine:?}");
    owner.patch(&format!("{ARRANGEMENTS}/{first}"), &json!({ "ends_on": null })).await.expect(200);
    assert_eq!(owner.get(tasks).await.expect(200).data().as_array().unwrap().len(), 1);
    owner.patch(&path, &json!({ "notice_days": null })).await.expect(200);
    assert_eq!(owner.get(tasks).await.expect(200).data(), json!([]), "{engine:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_notice_period_of_a_contract_comes_before_the_one_of_its_provider(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let mut body = arrangement("C-1", &named("Nordlicht"), true);
    body["notice_days"] = json!(180);
    let first = signed(&owner, &body).await;
    signed(&owner, &arrangement("C-2", &named("Nordlicht"), false)).await;
    let days = async || {
        let due = owner.get("/api/v1/tasks?type=arrangement").await.expect(200).data();
        let days: Vec<String> =
            due.as_array().unwrap().iter().map(|one| one["due_on"].as_str().unwrap().to_owned()).collect();
        days
    };
    assert_eq!(days().await, ["2027-07-04"], "{engine:?}: without a period of the provider");
    let path = address(&owner, "nordlicht").await;
    owner.patch(&path, &json!({ "notice_days": 90 })).await.expect(200);
    assert_eq!(days().await, ["2027-07-04", "2027-10-02"], "{engine:?}");
    let shown = owner.get(&path).await.expect(200).data();
    let output: Vec<&Value> =
        shown["contracts"].as_array().unwrap().iter().map(|one| &one["notice_by"]).collect();
    assert_eq!(output, ["2027-07-04", "2027-10-02"], "{engine:?}");
    // Another name of the provider stands in the titles of all its contracts.
    let renamed = json!({ "provider": { "name": "Nordlicht SE", "lei": LEI } });
    owner.patch(&format!("{ARRANGEMENTS}/{first}"), &renamed).await.expect(200);
    owner.patch(&path, &json!({ "notice_days": null })).await.expect(200);
    let due = owner.get("/api/v1/tasks?type=arrangement").await.expect(200).data();
    assert_eq!((due.as_array().unwrap().len(), &due[0]["title"]), (1, &json!("Nordlicht SE: Service C-1")));
    owner.patch(&format!("{ARRANGEMENTS}/{first}"), &json!({ "notice_days": null })).await.expect(200);
    assert_eq!(days().await, [""; 0], "{engine:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_provider_is_held_against_an_archetype_of_the_catalogue(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    signed(&owner, &arrangement("C-1", &named("Nordlicht"), true)).await;
    let path = address(&owner, "nordlicht").await;
    assert_eq!(owner.get(&path).await.expect(200).data()["archetype"], json!(null));
    let change = json!({ "archetype": "vendor-hyperscale-cloud", "contact": "Kim@Nordlicht.example" });
    let changed = owner.patch(&path, &change).await.expect(200).data();
    assert_eq!(changed["archetype"]["id"], "vendor-hyperscale-cloud", "{engine:?}");
    assert_eq!(changed["archetype"]["security"], 88);
    assert!(changed["archetype"]["overall"].as_f64().is_some_and(|score| score > 0.0), "{changed}");
    assert_eq!(changed["contact"], "kim@nordlicht.example");
    let details =
        refused(&owner, &path, &json!({ "archetype": "vendor-of-nothing", "contact": "kim" })).await;
    assert!(details["contact"].is_array(), "{details}");
    refused(&owner, &path, &json!({ "archetype": "vendor-of-nothing" })).await;
    let cleared = owner.patch(&path, &json!({ "archetype": null, "contact": null })).await.expect(200).data();
    assert_eq!((&cleared["archetype"], &cleared["contact"]), (&json!(null), &json!(null)));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_subcontractor_gets_a_record_of_its_own(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let mut body = arrangement("C-1", &named("Nordlicht"), true);
    body["supply_chain"] = json!([
        { "supplier": { "name": "Rhein Rechenzentrum" }, "recipient": { "name": "Nordlicht" } },
        { "supplier": { "name": "Isar" }, "recipient": { "name": "Rhein Rechenzentrum" } },
    ]);
    signed(&owner, &body).await;
    signed(&owner, &arrangement("C-2", &named("Isar"), false)).await;
    let (path, isar) = (address(&owner, "nordlicht").await, address(&owner, "isar").await);
    let behind = owner.get(&path).await.expect(200).data()["subcontractors"].clone();
    assert_eq!(behind.as_array().unwrap().len(), 2, "{engine:?}: {behind}");
    assert_eq!(behind[0]["provider_id"], json!(isar.rsplit('/').next().unwrap()));
    assert_eq!(
        (&behind[1]["name"], &behind[1]["provider_id"]),
        (&json!("Rhein Rechenzentrum"), &json!(null))
    );
    assert_eq!(behind[1]["contracts"], json!(["C-1"]));
    let address = format!("{path}/subcontractors");
    let asked = json!({ "name": "Rhein Rechenzentrum" });
    let details = owner.post(&address, &asked).await.expect(422).json()["details"].clone();
    assert!(details["country"].is_array(), "{engine:?}: no template names it: {details}");
    owner.post(&address, &json!({ "name": "Weser", "country": "DE" })).await.expect(422);
    let row =
        json!({ "cells": { "c0010": "DEX1.HRB1", "c0050": "Rhein Rechenzentrum", "c0080": "eba_GA:LU" } });
    owner.post("/api/v1/register/B_05.01/rows", &row).await.expect(201);
    let made = owner.post(&address, &asked).await.expect(200).data();
    assert_eq!((&made["country"], &made["arrangements"]), (&json!("LU"), &json!(0)), "{engine:?}");
    let again = owner.post(&address, &asked).await.expect(200).data();
    assert_eq!(again["id"], made["id"], "a record is made once");
    assert_eq!(names(&owner, "").await, ["Isar", "Nordlicht", "Rhein Rechenzentrum"], "{engine:?}");
    let behind = owner.get(&path).await.expect(200).data()["subcontractors"].clone();
    assert_eq!(behind[1]["provider_id"], made["id"]);
}

#[tokio::test]
async fn a_finding_of_a_review_needs_the_scope_of_findings() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    signed(&owner, &arrangement("C-1", &named("Nordlicht"), false)).await;
    let reviews = format!("{}/reviews", address(&owner, "nordlicht").await);
    let begun = owner.post(&reviews, &json!({})).await.expect(201);
    let review = begun.header("location").unwrap().to_owned();
    let answers =
        json!({ "answers": [{ "question": "question-exit-plan", "answer": "no", "note": "None." }] });
    owner.patch(&review, &answers).await.expect(200);
    let finding = json!({ "question": "question-exit-plan" });
    for (scopes, status) in
        [(json!(["providers:write"]), 403), (json!(["providers:write", "findings:write"]), 200)]
    {
        let fields = json!({ "name": "scoped", "permissions": ["write"], "scopes": scopes });
        let key = owner.post("/api/v1/keys", &fields).await.expect(201).data()["key"].clone();
        let key = app.client(key.as_str().unwrap());
        key.post(&format!("{review}/findings"), &finding).await.expect(status);
    }
}
