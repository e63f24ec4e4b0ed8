//! Imports under a name of their own, and files that name the findings they are about.

use axum::body::Body;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp};

use super::super::seed::{self, FINDINGS, at, pluck};

async fn send(client: &Client, query: &str, file: &'static str) -> Answer {
    let request = Request::post(format!("{FINDINGS}/import{query}")).header(header::CONTENT_TYPE, "text/csv");
    client.request(request.body(Body::from(file)).unwrap()).await
}

/// The source, and how many were added, changed, closed and left alone.
fn counts(answer: &Answer) -> Value {
    let data = answer.json()["data"].take();
    json!([data["source"], data["added"], data["changed"], data["closed"], data["unchanged"]])
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn results_are_recognised_and_closed_within_their_source(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let two = "external_id,title,severity\n1,Open port,high\n2,Old TLS,low\n";
    let one = "external_id,title,severity\n1,Open port,high\n";
    assert_eq!(counts(&send(&owner, "", two).await.expect(200)), json!(["csv", 2, 0, 0, 0]));
    let named = "?source=Red%20team&close_missing=true";
    assert_eq!(counts(&send(&owner, named, one).await.expect(200)), json!(["Red team", 1, 0, 0, 0]));
    assert_eq!(counts(&send(&owner, named, one).await.expect(200)), json!(["Red team", 0, 0, 0, 1]));
    let closing = send(&owner, "?close_missing=true&source=csv", one).await.expect(200);
    assert_eq!(counts(&closing), json!(["csv", 0, 0, 1, 1]), "the kind of file is the name of old imports");
    let open = owner.get(FINDINGS).await.json();
    assert_eq!(pluck(&open, "title"), ["Open port", "Open port"]);
    let long = format!("?source={}", "x".repeat(101));
    assert!(send(&owner, &long, one).await.expect(422).error().contains("at most 100 characters"));
    send(&owner, "?source=", one).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_line_with_a_reference_changes_that_finding(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (owner, neighbour) = (app.owner("north").await, app.owner("south").await);
    let finding = seed::finding(&owner, &json!({})).await;
    seed::finding(&neighbour, &json!({})).await;
    let file = "reference,title,severity\nF-2026-0001,Renamed,low\n";
    assert_eq!(counts(&send(&owner, "", file).await.expect(200)), json!(["csv", 0, 1, 0, 0]));
    assert_eq!(owner.get(&at(FINDINGS, &finding)).await.data()["title"], "Renamed");
    let theirs = neighbour.get(FINDINGS).await.json();
    assert_eq!(pluck(&theirs, "title"), ["Admin console reachable"], "a reference is the tenant's own");
    assert_eq!(counts(&send(&owner, "", file).await.expect(200)), json!(["csv", 0, 0, 0, 1]));
    let wrong = send(&owner, "", "id,title,severity\nnone,A,low\n").await.expect(422);
    assert!(wrong.error().contains("must be the id of a finding"), "{wrong}");
}
