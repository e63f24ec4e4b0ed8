//! Candidates for incidents out of a CSV file.

use axum::body::Body;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp};

use super::INCIDENTS;

async fn sent(client: &Client, query: &str, table: &str) -> Answer {
    let request =
        Request::post(format!("{INCIDENTS}/import{query}")).header(header::CONTENT_TYPE, "text/csv");
    client.request(request.body(Body::from(table.to_owned())).unwrap()).await
}

const TABLE: &str = "title;detected_at;regimes;root_cause\n\
    Card payments down;2026-11-14T01:10:00Z;dora|gdpr;Expired certificate\n\
    Portal slow;2026-11-14T02:00:00Z;;\n\
    Portal slow;2026-11-14T02:00:00Z;;\n";

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_file_is_checked_then_opens_an_incident_for_every_new_line(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let counted = |added: u64, skipped: u64, dry_run: bool| json!({ "lines": 3, "added": added, "skipped": skipped, "dry_run": dry_run });
    let total = async || owner.get(INCIDENTS).await.expect(200).json()["meta"]["total"].clone();
    let checked = sent(&owner, "?dry_run=true", TABLE).await.expect(200).data();
    assert_eq!((checked, total().await), (counted(2, 1, true), json!(0)), "{engine:?}");
    assert_eq!(sent(&owner, "", TABLE).await.expect(200).data(), counted(2, 1, false));
    assert_eq!(sent(&owner, "", TABLE).await.expect(200).data(), counted(0, 3, false));
    assert_eq!(total().await, json!(2));
    let found = owner.get(&format!("{INCIDENTS}?regime=gdpr")).await.expect(200).json();
    assert_eq!(found["data"][0]["root_cause"], "Expired certificate");
}

#[tokio::test]
async fn what_is_wrong_is_named_by_its_line_and_nothing_is_stored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let table = "title,detected_at,regimes\nFine,2026-11-14T01:10:00Z,dora\n,2026-02-30T00:00:00Z,sox\n";
    let refused = sent(&owner, "", table).await.expect(422).json();
    let problems: Vec<(&Value, &Value)> = refused["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| (&problem["line"], &problem["field"]))
        .collect();
    let line = json!(3);
    assert_eq!(
        problems,
        [(&line, &json!("detected_at")), (&line, &json!("regimes")), (&line, &json!("title"))]
    );
    let unknown = sent(&owner, "", "title,weather\nx,bad\n").await.expect(422).json();
    assert!(unknown["details"]["file"][0].as_str().unwrap().contains("weather"), "{unknown}");
    sent(&owner, "", "").await.expect(422);
    assert_eq!(owner.get(INCIDENTS).await.expect(200).json()["meta"]["total"], 0);
}

#[tokio::test]
async fn the_first_sheet_of_a_workbook_is_read_like_a_table() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let mut book = reports::book::Book::new(&std::env::temp_dir()).unwrap();
    let heads = [["title", "detected_at"].map(str::to_owned).to_vec()];
    book.sheet("Candidates", &heads, [["Card payments down", "2026-11-14T01:10:00Z"]]).unwrap();
    let file = book.finish(std::io::Cursor::new(Vec::new())).unwrap().into_inner();
    let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    let request = Request::post(format!("{INCIDENTS}/import")).header(header::CONTENT_TYPE, kind);
    let done = owner.request(request.body(Body::from(file)).unwrap()).await.expect(200).data();
    assert_eq!(done["added"], 1, "{done}");
    let found = owner.get(INCIDENTS).await.expect(200).json();
    assert_eq!(found["data"][0]["detected_at"], "2026-11-14T01:10:00Z");
}
