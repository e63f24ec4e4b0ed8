//! The requirements, own controls and the root cause of findings.

use axum::body::Body;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp};

use super::super::seed::{self, FINDINGS, at, pluck};

const REQUIREMENT: &str = "dora-art-05-02-a";

async fn control(client: &Client) -> Value {
    client.post("/api/v1/controls", &json!({ "title": "Restore test" })).await.expect(201).data()
}

async fn send(client: &Client, table: &str) -> Answer {
    let request = Request::post(format!("{FINDINGS}/import")).header(header::CONTENT_TYPE, "text/csv");
    client.request(request.body(Body::from(table.to_owned())).unwrap()).await
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_finding_names_requirements_and_controls_and_its_root_cause(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let control = control(&owner).await;
    let fields = json!({
        "requirements": [REQUIREMENT, REQUIREMENT], "controls": [control["id"]],
        "root_cause": "The firewall rules were never reviewed",
    });
    let finding = seed::finding(&owner, &fields).await;
    assert_eq!(finding["requirements"], json!([REQUIREMENT]), "each once");
    assert_eq!(finding["root_cause"], "The firewall rules were never reviewed");
    let address = at(FINDINGS, &finding);
    assert_eq!(owner.get(&address).await.expect(200).data()["requirements"], json!([REQUIREMENT]));
    seed::finding(&owner, &json!({ "title": "Another" })).await;

    let id = control["id"].as_str().unwrap();
    for (query, found) in [
        (format!("?requirement={REQUIREMENT}"), 1),
        ("?requirement=dora-art-05-02".to_owned(), 0),
        ("?requirement=%25".to_owned(), 0),
        (format!("?control={id}"), 1),
        ("?search=firewall".to_owned(), 1),
        (format!("?requirement={REQUIREMENT}&as_of=2026-11-14"), 1),
    ] {
        let page = owner.get(&format!("{FINDINGS}{query}")).await.expect(200).json();
        assert_eq!(page["meta"]["total"], found, "{query}: {page}");
        assert_eq!(page["data"].as_array().unwrap().len(), found, "{query}");
    }
    owner.get(&format!("{FINDINGS}?control=C-0001")).await.expect(422);

    // The requirement counts the finding while it is open.
    let assessment = format!("/api/v1/assessments/{REQUIREMENT}");
    assert_eq!(owner.get(&assessment).await.expect(200).data()["open_findings"], 1);
    let cleared = json!({ "requirements": null, "root_cause": null, "controls": [] });
    let after = owner.patch(&address, &cleared).await.expect(200).data();
    assert_eq!((&after["requirements"], &after["root_cause"]), (&json!([]), &json!(null)));
    assert_eq!(owner.get(&assessment).await.expect(200).data()["open_findings"], 0);
    let first = owner.get(&format!("{address}/versions/1")).await.expect(200).data();
    assert_eq!(first["record"]["requirements"], json!([REQUIREMENT]), "{first}");
}

#[tokio::test]
async fn what_a_finding_names_must_exist() {
    let app = TestApp::new().await;
    let (owner, neighbour) = (app.owner("north").await, app.owner("south").await);
    let foreign = control(&neighbour).await;
    for (field, value) in [
        ("requirements", json!(["dora-art-999"])),
        ("requirements", json!([7])),
        ("controls", json!([foreign["id"]])),
        ("controls", json!(["C-0001"])),
        ("root_cause", json!("x".repeat(10_001))),
    ] {
        let mut body = json!({ "title": "F", "severity": "low" });
        body[field] = value.clone();
        let refused = owner.post(FINDINGS, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field} = {value}: {refused}");
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_table_names_requirements_and_controls_by_reference_or_id(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let control = control(&owner).await;
    let table = format!(
        "external_id,title,severity,root_cause,requirements,controls\n\
         1,Open port,high,No review,{REQUIREMENT} dora-art-05-02-b,C-0001\n\
         2,Old TLS,low,,,{}\n",
        control["id"].as_str().unwrap()
    );
    assert_eq!(send(&owner, &table).await.expect(200).data()["added"], 2);
    let page = owner.get(&format!("{FINDINGS}?sort=created_at")).await.expect(200).json();
    assert_eq!(pluck(&page, "root_cause"), ["No review", "null"]);
    assert_eq!(page["data"][0]["requirements"], json!([REQUIREMENT, "dora-art-05-02-b"]));
    for number in 0..2 {
        assert_eq!(page["data"][number]["controls"], json!([control["id"]]));
    }
    assert_eq!(send(&owner, &table).await.expect(200).data()["unchanged"], 2);
    // What the file leaves out stays.
    let newer = "external_id,title,severity\n1,Open port on the console,high\n";
    assert_eq!(send(&owner, newer).await.expect(200).data()["changed"], 1);
    let kept = owner.get(&at(FINDINGS, &page["data"][0])).await.expect(200).data();
    assert_eq!(kept["requirements"], json!([REQUIREMENT, "dora-art-05-02-b"]));
    assert_eq!(kept["controls"], json!([control["id"]]));

    let wrong = "title,severity,requirements,controls\nA,low,dora-art-999,C-0099\n";
    let refused = send(&owner, wrong).await.expect(422).json();
    let fields: Vec<_> = refused["problems"].as_array().unwrap().iter().map(|one| &one["field"]).collect();
    assert_eq!(fields, ["controls", "requirements"], "{refused}");
}
