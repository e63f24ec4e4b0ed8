//! The register as a workbook, and what changed since a filing as a table.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{PATH, TABLES, package, send, unzipped, zipped};

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

async fn workbook(client: &Client) -> Vec<u8> {
    let answer = client.get(&format!("{PATH}/export?format=xlsx")).await.expect(200);
    assert_eq!(answer.header("content-type"), Some(XLSX));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"register.xlsx\""));
    answer.body.to_vec()
}

/// The workbook with a part changed.
fn with(bytes: &[u8], name: &str, from: &str, to: &str) -> Vec<u8> {
    let mut files = unzipped(bytes);
    let part = files.iter_mut().find(|(path, _)| path == name).unwrap();
    assert!(part.1.contains(from), "{from}");
    part.1 = part.1.replacen(from, to, 1);
    zipped(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_workbook_comes_out_as_it_went_in(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    send(&owner, "", "application/zip", package()).await.expect(200);
    let bytes = workbook(&owner).await;
    assert_eq!(workbook(&owner).await, bytes, "the same bytes again");
    let sheets = &unzipped(&bytes).into_iter().find(|(path, _)| path == "xl/workbook.xml").unwrap().1;
    for (name, _) in TABLES {
        assert!(sheets.contains(&format!("name=\"{}\"", name.to_uppercase())), "{name}: {sheets}");
    }
    // Another institution imports it, cell by cell.
    let other = app.owner("south").await;
    let dry = send(&other, "?dry_run=true", XLSX, bytes.clone()).await.expect(200).data();
    assert_eq!((&dry["dry_run"], &dry["readiness_pct"]), (&json!(true), &json!(100)), "{dry}");
    assert_eq!(other.get(PATH).await.expect(200).data()["rows"], 0, "a dry run stores nothing");
    let done = send(&other, "", XLSX, bytes.clone()).await.expect(200).data();
    assert_eq!(done["checks"], json!([]), "{done}");
    assert_eq!(done["templates"].as_array().unwrap().len(), 15);
    assert_eq!(done["arrangements"], json!({ "added": 2, "changed": 0 }));
    let package = other.get(&format!("{PATH}/export")).await.expect(200).body;
    for ((_, exported), (name, original)) in unzipped(&package)[4..].iter().zip(TABLES) {
        assert_eq!(exported, original, "{name}");
    }
    assert_eq!(workbook(&other).await, bytes);
}

#[tokio::test]
async fn what_a_spreadsheet_did_to_a_cell_is_said_and_nothing_is_stored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    send(&owner, "", "application/zip", package()).await.expect(200);
    let bytes = workbook(&owner).await;
    let sheet = "xl/worksheets/sheet4.xml";
    let before = owner.get(&format!("{PATH}/B_02.01")).await.expect(200).data();
    let merged = with(
        &bytes,
        sheet,
        "</sheetData>",
        "</sheetData><mergeCells><mergeCell ref=\"A3:A4\"/></mergeCells>",
    );
    let refused = send(&owner, "", XLSX, merged).await.expect(422).json();
    let problem = &refused["problems"][0];
    assert_eq!(
        (&problem["rule"], &problem["template"]),
        (&json!("workbook"), &json!("B_02.01")),
        "{refused}"
    );
    assert!(problem["message"].as_str().unwrap().contains("A3:A4"), "{refused}");
    let heading = with(&bytes, sheet, "<t>c0050</t>", "<t>Cost</t>");
    let refused = send(&owner, "?dry_run=true", XLSX, heading).await.expect(422).json();
    assert_eq!(refused["problems"][0]["rule"], "801", "{refused}");
    let renamed = with(&bytes, "xl/workbook.xml", "name=\"B_02.01\"", "name=\"Contracts\"");
    let done = send(&owner, "?dry_run=true", XLSX, renamed).await.expect(200).data();
    let advice = done["checks"].as_array().unwrap().iter().find(|check| check["rule"] == "workbook").unwrap();
    assert_eq!(advice["severity"], "advice");
    assert!(advice["message"].as_str().unwrap().contains("\"Contracts\" is no template"), "{advice}");
    assert_eq!(owner.get(&format!("{PATH}/B_02.01")).await.expect(200).data(), before);
    // A sheet that was not in the file is not touched.
    assert_eq!(done["templates"].as_array().unwrap().len(), 14);
}

#[tokio::test]
async fn files_that_are_no_sound_workbook_are_refused() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest".to_vec();
    let refused = send(&owner, "", XLSX, old).await.expect(422).json();
    assert!(refused["details"]["file"][0].as_str().unwrap().contains("older kind"), "{refused}");
    let blanks = " ".repeat(65 * 1024 * 1024);
    let bomb = zipped([("xl/workbook.xml", blanks.as_str())]);
    assert!(bomb.len() < 200_000);
    let refused = send(&owner, "", XLSX, bomb).await.expect(422).json();
    assert!(refused["details"]["file"][0].as_str().unwrap().contains("too large"), "{refused}");
    for no_workbook in [b"no archive".to_vec(), vec![0; 64], zipped([("a.txt", "a")])] {
        let refused = send(&owner, "", XLSX, no_workbook).await.expect(422).json();
        assert!(refused["details"]["file"][0].as_str().unwrap().contains("is no workbook"), "{refused}");
    }
    // Under no type of its own, what is no text was meant as a workbook, and a text needs its template.
    let refused = send(&owner, "", "application/octet-stream", vec![0; 64]).await.expect(422).json();
    assert!(refused["details"]["file"][0].as_str().unwrap().contains("is no workbook"), "{refused}");
    let refused = send(&owner, "", "application/octet-stream", "c0010,c0020").await.expect(422).json();
    assert!(refused["details"]["template"].is_array(), "{refused}");
    let reader = app.client(&app.key(&app.tenant("west").await, "read").await);
    send(&reader, "", XLSX, zipped([("xl/workbook.xml", "<workbook/>")])).await.expect(403);
    assert_eq!(owner.get(PATH).await.expect(200).data()["rows"], 0);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_changed_since_a_filing_is_one_line_for_each_cell(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let changes = format!("{PATH}/export?since=last");
    let none = owner.get(&changes).await.expect(422).json();
    assert!(none["details"]["since"][0].as_str().unwrap().contains("no filing"), "{none}");
    send(&owner, "", "application/zip", package()).await.expect(200);
    let filing = owner.post(&format!("{PATH}/filings"), &json!({})).await.expect(201).data();
    let id = filing["id"].as_str().unwrap();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let heads = "template,change,key,column,title,before,after";
    let same = owner.get(&changes).await.expect(200);
    assert_eq!(lines(&String::from_utf8_lossy(&same.body)), [heads]);
    let row: Value = owner.get(&format!("{PATH}/B_02.01")).await.expect(200).data()[0].clone();
    let path = format!("{PATH}/B_02.01/rows/{}", row["id"].as_str().unwrap());
    owner.patch(&path, &json!({ "cells": { "c0050": "=7" } })).await.expect(200);
    let answer = owner.get(&format!("{PATH}/export?since={id}&format=csv")).await.expect(200);
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"register-changes.csv\""));
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    let key = row["cells"]["c0010"].as_str().unwrap();
    assert!(lines(&text)[1].starts_with(&format!("B_02.01,changed,{key},c0050,")), "{text}");
    assert!(lines(&text)[1].ends_with(",'=7"), "a formula is kept from running: {text}");
    assert_eq!(lines(&text).len(), 2);
    let sheet = owner.get(&format!("{PATH}/export?since=last&format=xlsx")).await.expect(200);
    assert_eq!(sheet.header("content-type"), Some(XLSX));
    let only = owner.get(&format!("{PATH}/export?since=last&template=B_05.01")).await.expect(200);
    assert_eq!(lines(&String::from_utf8_lossy(&only.body)), [heads]);
    for wrong in ["format=package&since=last", "since=yesterday"] {
        owner.get(&format!("{PATH}/export?{wrong}")).await.expect(422);
    }
    // Another institution's filing is not found.
    let other = app.owner("south").await;
    other.get(&format!("{PATH}/export?since={id}")).await.expect(404);
}
