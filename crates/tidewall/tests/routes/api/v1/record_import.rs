//! Tables of records of any kind, imported all or nothing.

use std::fmt::Write as _;

use axum::body::Body;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp, percent_encoded};

use super::seed::pluck;
use crate::faults::rounds;

const CONTROLS: &str = "/api/v1/controls";

async fn send(client: &Client, list: &str, query: &str, table: impl Into<Body>) -> Answer {
    let request = Request::post(format!("{list}/import{query}")).header(header::CONTENT_TYPE, "text/csv");
    client.request(request.body(table.into()).unwrap()).await
}

/// How many were created, changed, left alone and refused.
fn counts(answer: &Answer) -> [u64; 4] {
    let data = answer.json()["data"].take();
    ["created", "changed", "unchanged", "refused"].map(|field| data[field].as_u64().unwrap())
}

async fn control(client: &Client, title: &str) -> Value {
    let body = json!({ "title": title, "owner": "Anna Weber", "description": "Kept" });
    client.post(CONTROLS, &body).await.expect(201).data()
}

async fn read(client: &Client, record: &Value) -> Value {
    client.get(&format!("{CONTROLS}/{}", record["id"].as_str().unwrap())).await.expect(200).data()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_line_changes_the_record_it_names_and_another_creates_one(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    let (first, second) = (control(&client, "First").await, control(&client, "Second").await);
    let table = format!(
        "id,reference,title,owner,cadence\r\n{},,First,,none\r\n,{},Renamed,Anna Weber,quarterly\r\n,,New,Bo,none\r\n",
        first["id"].as_str().unwrap(),
        second["reference"].as_str().unwrap(),
    );
    let dry = send(&client, CONTROLS, "?dry_run=true", table.clone()).await.expect(200);
    assert_eq!(counts(&dry), [1, 2, 0, 0], "{dry}");
    let total = client.get(CONTROLS).await.json()["meta"]["total"].clone();
    assert_eq!(total, 2, "a dry run stores nothing");
    assert_eq!(read(&client, &first).await["owner"], "Anna Weber");

    let done = send(&client, CONTROLS, "", table.clone()).await.expect(200);
    assert_eq!(counts(&done), [1, 2, 0, 0], "{done}");
    let lines = done.data()["lines"].clone();
    assert_eq!(lines[0]["changed"], json!(["owner"]), "{lines}");
    assert_eq!(lines[1]["changed"], json!(["title", "cadence"]), "{lines}");
    assert_eq!(lines[2]["result"], "created");
    let changed = read(&client, &first).await;
    assert_eq!(changed["owner"], Value::Null, "an empty cell clears");
    assert_eq!(changed["description"], "Kept", "a column that is missing keeps");
    let made =
        client.get(&format!("{CONTROLS}/{}", lines[2]["id"].as_str().unwrap())).await.expect(200).data();
    assert_eq!((&made["title"], &made["owner"]), (&json!("New"), &json!("Bo")));
    let versions = format!("{CONTROLS}/{}/versions", second["id"].as_str().unwrap());
    assert_eq!(client.get(&versions).await.expect(200).json()["meta"]["total"], 2);
    let log = app.app.operations.audit_after(&tenant.caller.tenant().to_string(), 0).await.unwrap();
    let actions: Vec<_> = log.iter().map(|row| row.entry.action.as_str()).collect();
    assert_eq!(actions.iter().filter(|action| **action == "control.changed").count(), 2, "{actions:?}");
    assert_eq!(actions.last(), Some(&"records.imported"), "{actions:?}");

    let again = send(&client, CONTROLS, "", table).await.expect(200);
    assert_eq!(counts(&again), [0, 0, 3, 0], "the same file again changes nothing: {again}");
    let after = app.app.operations.audit_after(&tenant.caller.tenant().to_string(), 0).await.unwrap();
    assert_eq!(after.len(), log.len());
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn one_line_that_is_not_possible_keeps_everything_from_being_stored(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (client, other) = (app.owner("north").await, app.owner("south").await);
    let (own, foreign) = (control(&client, "Own").await, control(&other, "Foreign").await);
    let id = |record: &Value| record["id"].as_str().unwrap().to_owned();
    let table = format!(
        "id,reference,title,next_due_on,cadence\n{own},,Changed,,none\n{foreign},,Taken over,,none\n,C-0999,X,,none\n\
         {own},,Twice,,none\n,,,,none\n,,Y,31.02.2027,yearly\n,,Z,,sometimes\n",
        own = id(&own),
        foreign = id(&foreign),
    );
    let dry = send(&client, CONTROLS, "?dry_run=true", table.clone()).await.expect(200);
    assert_eq!(counts(&dry), [0, 1, 0, 6], "{dry}");
    let refused = send(&client, CONTROLS, "", table).await.expect(422).json();
    assert_eq!(refused["code"], "validation_failed");
    let places: Vec<_> = refused["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| (problem["line"].as_u64().unwrap(), problem["field"].as_str().unwrap().to_owned()))
        .collect();
    let expected =
        [(3, "id"), (4, "reference"), (5, "line"), (6, "title"), (7, "next_due_on"), (8, "cadence")];
    assert_eq!(places, expected.map(|(line, field)| (line, field.to_owned())), "{refused}");
    assert_eq!(read(&client, &own).await["title"], "Own");
    assert_eq!(read(&other, &foreign).await["title"], "Foreign");
    assert_eq!(client.get(CONTROLS).await.json()["meta"]["total"], 1);
}

#[tokio::test]
async fn headings_and_words_of_both_languages_are_read_and_others_are_assigned_once() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let german =
        "Titel;Verantwortlich;Turnus;Fällig am;Status\nSicherung;Bo;Vierteljährlich;31.01.2027;Umgesetzt\n";
    let done = send(&client, CONTROLS, "", german).await.expect(200);
    assert_eq!(counts(&done), [1, 0, 0, 0], "{done}");
    let made = &client.get(CONTROLS).await.json()["data"][0];
    assert_eq!(
        (&made["cadence"], &made["next_due_on"], &made["status"]),
        (&json!("quarterly"), &json!("2027-01-31"), &json!("implemented"))
    );

    let own = "What;Who;Remark\nPatching;Cy;nothing\n";
    send(&client, CONTROLS, "", own).await.expect(422);
    let mapping = percent_encoded(&json!({ "What": "title", "Who": "owner" }).to_string());
    let dry = send(&client, CONTROLS, &format!("?dry_run=true&mapping={mapping}"), own).await.expect(200);
    let columns = dry.data()["columns"].clone();
    assert_eq!(pluck(&json!({ "data": columns }), "column"), ["title", "owner", "null"]);
    // The next file with these headings needs no mapping; one of another institution does.
    let done = send(&client, CONTROLS, "", "What;Who;Remark\nPatching;Cy;other\n").await.expect(200);
    assert_eq!(counts(&done), [1, 0, 0, 0], "{done}");
    let other = app.owner("south").await;
    send(&other, CONTROLS, "", own).await.expect(422);

    for wrong in [json!({ "What": "titel" }), json!({ "What": "title", "Who": "title" }), json!(["title"])] {
        let query = format!("?mapping={}", percent_encoded(&wrong.to_string()));
        let refused = send(&client, CONTROLS, &query, own).await.expect(422).json();
        assert!(refused["details"]["mapping"].is_array(), "{refused}");
    }
}

#[tokio::test]
async fn an_import_decides_nothing() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    let body = json!({ "key": "house", "title": "House rules" });
    let framework = client.post("/api/v1/own-frameworks", &body).await.expect(201).data();
    let table = format!("id,status\n{},in_force\n", framework["id"].as_str().unwrap());
    send(&client, "/api/v1/own-frameworks", "", table).await.expect(422);
    let risk = json!({ "title": "Fire", "category": "people", "inherent": { "likelihood": 3, "impact": 3 } });
    let risk = client.post("/api/v1/risks", &risk).await.expect(201).data();
    let table = format!("id,status\n{},accepted\n", risk["id"].as_str().unwrap());
    let refused = send(&client, "/api/v1/risks", "", table).await.expect(422).json();
    assert_eq!(refused["problems"][0]["line"], 2, "{refused}");
    let address = format!("/api/v1/risks/{}", risk["id"].as_str().unwrap());
    assert_eq!(client.get(&address).await.data()["status"], risk["status"]);
    // A rating changes in one of its parts, and the other stays.
    let table = format!("id,residual_impact\n{},2\n", risk["id"].as_str().unwrap());
    send(&client, "/api/v1/risks", "", table).await.expect(200);
    let residual = client.get(&address).await.data()["residual"].clone();
    assert_eq!((&residual["likelihood"], &residual["impact"]), (&json!(3), &json!(2)), "{residual}");
}

/// A person adds to a cell and leaves in it what stood there.
#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_stood_in_a_cell_stays_as_it_was(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let (first, second) = (control(&client, "First").await, control(&client, "Second").await);
    let inherent = json!({ "likelihood": 3, "impact": 3 });
    let risk =
        json!({ "title": "Fire", "category": "people", "inherent": inherent, "controls": [first["id"]] });
    let risk = client.post("/api/v1/risks", &risk).await.expect(201).data();
    let archive = format!("{CONTROLS}/{}/archive", first["id"].as_str().unwrap());
    client.post(&archive, &json!({})).await.expect(200);
    let (id, names) = (risk["id"].as_str().unwrap(), [&first, &second].map(|one| &one["reference"]));
    let names = names.map(|name| name.as_str().unwrap()).join("; ");
    let table = format!("id,controls\n{id},{names}\n");
    let done = send(&client, "/api/v1/risks", "", table).await.expect(200);
    assert_eq!(counts(&done), [0, 1, 0, 0], "{done}");
    let risk = client.get(&format!("/api/v1/risks/{id}")).await.expect(200).data();
    assert_eq!(risk["controls"], json!([first["id"], second["id"]]), "the archived one stays");

    // The requirements of its measure are shown with those of a control, and do not become its own.
    let change = json!({ "measure_id": "measure-cra-role-and-class" });
    let address = format!("{CONTROLS}/{}", second["id"].as_str().unwrap());
    let of_measure = client.patch(&address, &change).await.expect(200).data()["requirements"].clone();
    let of_measure: Vec<_> = of_measure.as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    assert!(of_measure.contains(&"dora-art-08-01"), "{of_measure:?}");
    let cell = [&of_measure[..], &["iso-27001-a-8-13"]].concat().join("; ");
    let table = format!("id,requirements\n{},{cell}\n", second["id"].as_str().unwrap());
    let done = send(&client, CONTROLS, "", table).await.expect(200);
    assert_eq!(counts(&done), [0, 1, 0, 0], "{done}");
    let without = client.patch(&address, &json!({ "measure_id": null })).await.expect(200).data();
    assert_eq!(without["requirements"], json!(["iso-27001-a-8-13"]));
}

#[tokio::test]
async fn a_file_is_bounded_and_a_table() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let mut long = "title\n".to_owned();
    for number in 0..10_001 {
        writeln!(long, "Control {number}").unwrap();
    }
    let refused = send(&client, CONTROLS, "", long).await.expect(422).json();
    assert!(refused["details"]["file"][0].as_str().unwrap().contains("10000"), "{refused}");
    for file in ["", "colour,weather\nred,fine\n", "PK\u{3}\u{4} but no archive", "title\n\"open"] {
        let answer = send(&client, CONTROLS, "", file).await;
        assert!(answer.status == 422 || file.contains("open"), "{file:?}: {answer}");
    }
    let wide = format!("title\n{}\n", ",".repeat(300));
    send(&client, CONTROLS, "", wide).await.expect(422);
    let request =
        Request::post(format!("{CONTROLS}/import")).header(header::CONTENT_TYPE, "application/json");
    client.request(request.body(Body::from("{}")).unwrap()).await.expect(422);
    // Nothing is created by an import of a kind that no request creates.
    let refused = send(&client, "/api/v1/providers", "", "name,owner\nAcme,Bo\n").await.expect(422).json();
    assert_eq!(refused["problems"][0]["field"], "id", "{refused}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn very_many_lines_are_one_import(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    // As many as a file may have, or a few hundred.
    let count = rounds(300, 10_000);
    let mut table = "title,owner\n".to_owned();
    for number in 0..count {
        writeln!(table, "Task {number},Anna Weber").unwrap();
    }
    let done = send(&client, "/api/v1/tasks", "", table.clone()).await.expect(200);
    assert_eq!(counts(&done), [count as u64, 0, 0, 0]);
    let again = send(&client, "/api/v1/tasks", "", table).await.expect(200);
    assert_eq!(counts(&again), [0, 0, count as u64, 0]);
    let mut changed = "id,owner\n".to_owned();
    for (number, line) in done.data()["lines"].as_array().unwrap().iter().enumerate() {
        let owner = if number % 10 == 0 { "Bo Lund" } else { "Anna Weber" };
        writeln!(changed, "{},{owner}", line["id"].as_str().unwrap()).unwrap();
    }
    let done = send(&client, "/api/v1/tasks", "", changed).await.expect(200);
    let every_tenth = count.div_ceil(10) as u64;
    assert_eq!(counts(&done), [0, every_tenth, count as u64 - every_tenth, 0]);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn assessments_are_changed_by_their_requirement(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    let list = "/api/v1/assessments";
    let said = |id: &str| format!("{list}/{id}");
    let before = json!({ "status": "partly_met", "rationale": "Rules are from 1998", "maturity": 2 });
    client.patch(&said("dora-art-05-02-a"), &before).await.expect(200);
    let table = "requirement,title,status,rationale,owner,due_on\n\
         dora-art-05-02-a,Other,met,Rules are from 1998,Anna Weber,2027-01-31\n";
    let dry = send(&client, list, "?dry_run=true", table).await.expect(200);
    assert_eq!(counts(&dry), [0, 1, 0, 0], "{dry}");
    assert_eq!(client.get(&said("dora-art-05-02-a")).await.data()["status"], "partly_met");
    let done = send(&client, list, "", table).await.expect(200);
    assert_eq!(counts(&done), [0, 1, 0, 0], "{done}");
    assert_eq!(done.data()["lines"][0]["id"], "dora-art-05-02-a");
    assert_eq!(done.data()["lines"][0]["changed"], json!(["status", "owner", "due_on"]), "{done}");
    let german = "Anforderung;Status;Verantwortlich\ndora-art-05-02-b;Teilweise erfüllt;Bo\n";
    assert_eq!(counts(&send(&client, list, "", german).await.expect(200)), [0, 1, 0, 0]);
    let first = client.get(&said("dora-art-05-02-a")).await.data();
    assert_eq!((&first["status"], &first["owner"]), (&json!("met"), &json!("Anna Weber")));
    assert_eq!(first["maturity"], 2, "a column that is missing keeps");
    let second = client.get(&said("dora-art-05-02-b")).await.data();
    assert_eq!((&second["status"], &second["owner"]), (&json!("partly_met"), &json!("Bo")));
    // To leave a requirement out is a decision, which an import does not make; what was left out before stays so.
    let out = "requirement,status,rationale,applies,applies_reason\n\
         dora-art-05-02-c,not_applicable,Done by the group,yes,\n\
         dora-art-05-02-d,met,,no,Done by the group\n";
    let refused = send(&client, list, "", out).await.expect(422).json();
    assert_eq!(pluck(&json!({ "data": refused["problems"] }), "field"), ["status", "status"], "{refused}");
    assert_eq!(client.get(&said("dora-art-05-02-d")).await.data()["status"], "not_assessed");
    let decided = json!({ "status": "not_applicable", "rationale": "Done by the group" });
    client.patch(&said("dora-art-05-02-c"), &decided).await.expect(200);
    let owner = "requirement,status,owner\ndora-art-05-02-c,not_applicable,Bo\n";
    assert_eq!(counts(&send(&client, list, "", owner).await.expect(200)), [0, 1, 0, 0]);
    assert_eq!(
        client.get(&format!("{}/versions", said("dora-art-05-02-a"))).await.json()["meta"]["total"],
        2
    );
    for table in [table, german] {
        let again = send(&client, list, "", table).await.expect(200);
        assert_eq!(counts(&again), [0, 0, 1, 0], "{again}");
    }
    let south = app.owner("south").await;
    assert_eq!(south.get(&said("dora-art-05-02-a")).await.data()["status"], "not_assessed");

    let wrong = "requirement,status,applies,maturity\n,met,,\ndora-art-999,met,,\ndora-art-05-02-g,not_applicable,,\n\
         dora-art-05-02-d,met,false,\ndora-art-05-02-e,splendid,,\ndora-art-05-02-f,met,,9\n\
         dora-art-05-02-a,not_met,,\ndora-art-05-02-a,met,,\n";
    let refused = send(&client, list, "", wrong).await.expect(422).json();
    let places: Vec<_> = refused["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| (problem["line"].as_u64().unwrap(), problem["field"].as_str().unwrap()))
        .collect();
    let expected = [
        (2, "requirement"),
        (3, "requirement"),
        (4, "rationale"),
        (5, "applies_reason"),
        (6, "status"),
        (7, "maturity"),
        (9, "line"),
    ];
    assert_eq!(places, expected, "{refused}");
    assert_eq!(client.get(&said("dora-art-05-02-a")).await.data()["status"], "met");
}
