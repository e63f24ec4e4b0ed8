//! Filings: frozen, compared, with feedback, submitted by a second person.

use axum::body::Body;
use domain::user::Role;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp};

use super::super::comments::{add, client_with};
use super::{PATH, package, send, unzipped};

const FILINGS: &str = "/api/v1/register/filings";

async fn institution(engine: Engine) -> (TestApp, Client, Client) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let first = app.client(&app.key(&tenant, "read,write").await);
    let second = app.client(&app.key(&tenant, "read,write").await);
    send(&first, "", "application/zip", package()).await.expect(200);
    (app, first, second)
}

fn wish() -> Value {
    json!({ "scope": "individual", "reference_date": "2025-12-31", "country": "DE" })
}

async fn freeze(client: &Client) -> (String, Value) {
    let made = client.post(FILINGS, &wish()).await.expect(201).data();
    (format!("{FILINGS}/{}", made["id"].as_str().unwrap()), made)
}

async fn moved(client: &Client, path: &str, status: &str) -> Answer {
    client.patch(path, &json!({ "status": status })).await
}

async fn answered(client: &Client, path: &str, text: &str) -> Answer {
    let request =
        Request::post(format!("{path}/feedback")).header(header::CONTENT_TYPE, "text/csv; charset=utf-8");
    client.request(request.body(Body::from(text.to_owned())).unwrap()).await
}

/// The first row of a template.
async fn first_row(client: &Client, template: &str) -> (String, Value) {
    let row = client.get(&format!("{PATH}/{template}")).await.expect(200).data()[0].clone();
    (format!("{PATH}/{template}/rows/{}", row["id"].as_str().unwrap()), row)
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_filing_keeps_its_package_whatever_becomes_of_the_register(engine: Engine) {
    let (_app, owner, _) = institution(engine).await;
    let (path, made) = freeze(&owner).await;
    assert_eq!((&made["status"], &made["edition"]), (&json!("drafted"), &json!(1)), "{made}");
    assert_eq!(made["problems"], json!({ "refused": 0, "noted": 0, "advice": 0 }));
    assert_eq!(made["readiness_pct"], 100);
    let exported = owner.get(&format!("{PATH}/export?reference_date=2025-12-31")).await.expect(200);
    let file = owner.get(&format!("{path}/package")).await.expect(200);
    assert_eq!(file.body, exported.body, "the same bytes as the export of that moment");
    assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(file.header("content-type"), Some("application/zip"));
    let name = made["file_name"].as_str().unwrap();
    assert_eq!(file.header("content-disposition").unwrap(), format!("attachment; filename=\"{name}\""));
    assert_eq!(unzipped(&file.body).len(), 19);
    let etag = file.header("etag").unwrap().to_owned();
    assert_eq!(etag, format!("\"{}\"", made["sha256"].as_str().unwrap()));
    owner.with("if-none-match", &etag).get(&format!("{path}/package")).await.expect(304);
    let (row, _) = first_row(&owner, "B_02.01").await;
    owner.patch(&row, &json!({ "cells": { "c0050": "1" } })).await.expect(200);
    let again = owner.get(&format!("{path}/package")).await.expect(200);
    assert_eq!(again.body, file.body, "a change of the register does not reach what was frozen");
    owner.get(&format!("{path}/package?edition=2")).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn another_pair_of_eyes_submits_and_only_what_would_be_accepted(engine: Engine) {
    let (_app, first, second) = institution(engine).await;
    let (path, _) = freeze(&first).await;
    let same = moved(&first, &path, "submitted").await.expect(422).json();
    assert!(
        same["details"]["status"][0].as_str().unwrap().contains("another person must check it"),
        "{same}"
    );
    let sent = moved(&second, &path, "submitted").await.expect(200).data();
    assert!(sent["submitted_by"].as_str().unwrap().starts_with("key_"), "{sent}");
    moved(&second, &path, "drafted").await.expect(422);
    moved(&first, &path, "accepted").await.expect(200);
    moved(&first, &path, "refused").await.expect(422);
    first.delete(&path).await.expect(422);
    let log = first.get(&path).await.expect(200).data();
    let steps: Vec<_> =
        log["history"].as_array().unwrap().iter().map(|step| step["to"].as_str().unwrap()).collect();
    assert_eq!(steps, ["drafted", "submitted", "accepted"]);

    // A draft may have problems, but cannot be submitted with them.
    let (row, _) = first_row(&first, "B_02.01").await;
    first.patch(&row, &json!({ "cells": { "c0020": "nonsense" } })).await.expect(200);
    let (bad, made) = freeze(&first).await;
    assert!(made["problems"]["refused"].as_u64().unwrap() > 0, "{made}");
    let refused = moved(&second, &bad, "submitted").await.expect(422).json();
    assert!(refused["details"]["status"][0].as_str().unwrap().contains("problems"), "{refused}");
    first.delete(&bad).await.expect(204);
    first.get(&bad).await.expect(404);
}

#[tokio::test]
async fn what_was_refused_is_frozen_again_as_the_next_edition() {
    let (_app, first, second) = institution(Engine::Sqlite).await;
    let (path, made) = freeze(&first).await;
    moved(&second, &path, "submitted").await.expect(200);
    moved(&first, &path, "refused").await.expect(200);
    let (row, _) = first_row(&first, "B_02.01").await;
    first.patch(&row, &json!({ "cells": { "c0050": "7" } })).await.expect(200);
    let again = moved(&first, &path, "drafted").await.expect(200).data();
    assert_eq!((&again["edition"], &again["submitted_at"]), (&json!(2), &Value::Null));
    assert_ne!(again["sha256"], made["sha256"]);
    assert_eq!(again["earlier_editions"][0]["sha256"], made["sha256"]);
    let old = first.get(&format!("{path}/package?edition=1")).await.expect(200);
    assert_eq!(old.header("etag").unwrap().trim_matches('"'), made["sha256"]);
    assert_eq!(first.get(&format!("{path}/versions")).await.expect(200).json()["meta"]["total"], 4);
    // A submitted filing is kept.
    first.delete(&path).await.expect(422);
}

#[tokio::test]
async fn two_filings_differ_by_the_rows_that_changed() {
    let (_app, owner, _) = institution(Engine::Sqlite).await;
    let (before, _) = freeze(&owner).await;
    let (row, kept) = first_row(&owner, "B_02.01").await;
    owner.patch(&row, &json!({ "cells": { "c0050": "7" } })).await.expect(200);
    let added = json!({ "cells": { "c0010": "C-NEW", "c0020": "eba_CO:x1" } });
    owner.post(&format!("{PATH}/B_02.01/rows"), &added).await.expect(201);
    let (branch, _) = first_row(&owner, "B_01.03").await;
    owner.delete(&branch).await.expect(204);
    let difference = owner.get(&format!("{before}/difference")).await.expect(200);
    let (after, made) = freeze(&owner).await;
    let id = made["id"].as_str().unwrap();
    let same = owner.get(&format!("{before}/difference?to={id}")).await.expect(200);
    assert_eq!(same.json(), difference.json(), "without a filing, the register itself is compared");
    let rows = same.data();
    let kinds: Vec<_> =
        rows.as_array().unwrap().iter().map(|row| (&row["template"], &row["change"])).collect();
    let (branches, contracts) = (json!("B_01.03"), json!("B_02.01"));
    let (gone, changed, new) = (json!("gone"), json!("changed"), json!("added"));
    assert_eq!(kinds, [(&branches, &gone), (&contracts, &changed), (&contracts, &new)], "{rows}");
    assert_eq!(rows[1]["key"]["c0010"], kept["cells"]["c0010"]);
    assert_eq!(rows[1]["cells"]["c0050"], json!([kept["cells"]["c0050"], "7"]));
    let part =
        owner.get(&format!("{before}/difference?to={id}&change=added&limit=1")).await.expect(200).json();
    assert_eq!((&part["meta"]["total"], &part["data"][0]["key"]["c0010"]), (&json!(1), &json!("C-NEW")));
    owner.get(&format!("{after}/difference?to={id}")).await.expect(422);
    owner.get(&format!("{after}/difference?to=fil_x")).await.expect(422);
    let missing = "fil_00000000000000000000000000";
    owner.get(&format!("{after}/difference?to={missing}")).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn feedback_lies_on_the_rows_it_is_about(engine: Engine) {
    let (app, owner, _) = institution(engine).await;
    let (path, _) = freeze(&owner).await;
    let (_, row) = first_row(&owner, "B_02.01").await;
    let name = row["cells"]["c0010"].as_str().unwrap();
    let text = format!(
        "templateCode,rowCode/rowNumber,columnCode,ruleCode,message,offendingValue\r\n\
         b_02_01,1,c0010,807,\"<b>not found</b>\",{name}\r\n\
         b_02_01,4711,c0010,807,unknown row,Z\r\n\
         b_77_77,1,c0010,807,unknown template,\r\n"
    );
    let read = answered(&owner, &path, &text).await.expect(200).data();
    assert_eq!((&read["feedback"]["lines"], &read["feedback"]["placed"]), (&json!(3), &json!(1)), "{read}");
    let lines = owner.get(&format!("{path}/feedback")).await.expect(200).json();
    assert_eq!(lines["meta"]["total"], 3);
    assert_eq!(
        lines["data"][0],
        json!({
            "line": 1, "template": "B_02.01", "row": "1", "row_number": 1, "row_id": row["id"],
            "column": "c0010", "rule": "807", "message": "<b>not found</b>", "value": name,
        })
    );
    assert_eq!((&lines["data"][1]["row_number"], &lines["data"][2]["row_id"]), (&Value::Null, &Value::Null));
    // Feedback that is read again replaces the earlier one.
    answered(&owner, &path, "templateCode,rowNumber,message\nb_02_01,1,x\n").await.expect(200);
    assert_eq!(owner.get(&format!("{path}/feedback")).await.expect(200).json()["meta"]["total"], 1);
    answered(&owner, &path, "a,b\n1,2\n").await.expect(422);
    let other = app.owner("south").await;
    answered(&other, &path, &text).await.expect(404);
    other.get(&format!("{path}/feedback")).await.expect(404);
    other.get(&format!("{path}/package")).await.expect(404);
    other.get(&format!("{path}/difference")).await.expect(404);
}

#[tokio::test]
async fn wrong_wishes_are_named_by_their_field() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let empty = owner.post(FILINGS, &wish()).await.expect(422).json();
    assert!(empty["details"]["register"][0].as_str().unwrap().contains("B_01.01"), "{empty}");
    send(&owner, "", "application/zip", package()).await.expect(200);
    for (field, value) in [
        ("scope", json!("both")),
        ("reference_date", json!("2099-12-31")),
        ("country", json!("XX")),
        ("due_on", json!("soon")),
        ("status", json!("submitted")),
    ] {
        let mut body = wish();
        body[field] = value;
        let refused = owner.post(FILINGS, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field}: {refused}");
    }
    let mut austrian = wish();
    austrian["country"] = json!("AT");
    let made = owner.post(FILINGS, &austrian).await.expect(201).data();
    assert!(made["file_name"].as_str().unwrap().contains(".IND_AT_DORA"), "{made}");
    let path = format!("{FILINGS}/{}", made["id"].as_str().unwrap());
    owner.patch(&path, &json!({ "country": "DE" })).await.expect(422);
    let changed =
        owner.patch(&path, &json!({ "owner": "Ida Braun", "due_on": "2026-03-31" })).await.expect(200);
    assert_eq!(
        (&changed.data()["owner"], &changed.data()["due_on"]),
        (&json!("Ida Braun"), &json!("2026-03-31"))
    );
    let stale = owner.with("if-match", "\"v1-r1\"").patch(&path, &json!({ "owner": "X" })).await;
    assert_eq!(stale.status.as_u16(), 412, "{stale}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_was_recorded_about_a_submission_is_corrected_and_the_first_value_is_kept(engine: Engine) {
    let (app, first, second) = institution(engine).await;
    let (path, _) = freeze(&first).await;
    let correction =
        |field: &str, value: &str| json!({ "field": field, "value": value, "reason": "Receipt" });
    let to = format!("{path}/corrections");
    first.post(&to, &correction("reference", "BaFin-1")).await.expect(422);
    let sent = moved(&second, &path, "submitted").await.expect(200).data();
    app.clock.advance(3_600_000);
    let at = app.clock.now().to_string();
    let after = first.post(&to, &correction("submitted_at", &at)).await.expect(200).data();
    assert_eq!(after["submitted_at"], at, "{engine:?}");
    assert_eq!(after["corrections"][0]["first_value"], sent["submitted_at"]);
    assert_eq!(after["corrections"][0]["recorded_by"], sent["submitted_by"]);
    let after = first.post(&to, &correction("reference", "BaFin-1")).await.expect(200).data();
    assert_eq!(after["submission_reference"], "BaFin-1");
    assert_eq!(after["status"], "submitted");
    first.post(&to, &correction("submitted_at", "2020-01-01T00:00:00Z")).await.expect(422);
}

#[tokio::test]
async fn the_owner_of_a_filing_does_not_submit_it() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let [first, second] = [app.key(&tenant, "read,write").await, app.key(&tenant, "read,write").await];
    let (first, second) = (app.client(&first), app.client(&second));
    send(&first, "", "application/zip", package()).await.expect(200);
    let anna = add(&app, &tenant, "Anna", Role::Administrator).await;
    let hers = client_with(&app, &anna, "read,write").await;
    let (path, _) = freeze(&first).await;
    first.patch(&path, &json!({ "owner": anna.id })).await.expect(200);
    let refused = moved(&hers, &path, "submitted").await.expect(422);
    assert!(refused.error().contains("by the owner of the record"), "{refused}");
    moved(&second, &path, "submitted").await.expect(200);
}
