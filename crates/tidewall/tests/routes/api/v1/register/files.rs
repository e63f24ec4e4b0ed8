//! Importing and exporting packages and tables, cell by cell.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{NAME, PATH, TABLES, package, send, unzipped, zipped};

async fn export(client: &Client, query: &str) -> (String, Vec<u8>) {
    let answer = client.get(&format!("{PATH}/export{query}")).await.expect(200);
    (answer.header("content-disposition").unwrap().to_owned(), answer.body.to_vec())
}

async fn arrangements(client: &Client) -> Value {
    client.get("/api/v1/ict-arrangements?sort=reference").await.expect(200).data()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_package_comes_out_as_it_came_in(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let dry = send(&owner, "?dry_run=true", "application/zip", package()).await.expect(200).data();
    assert_eq!((&dry["dry_run"], &dry["readiness_pct"]), (&json!(true), &json!(100)), "{dry}");
    assert_eq!(owner.get(PATH).await.expect(200).data()["rows"], 0);
    let done = send(&owner, "", "application/zip", package()).await.expect(200).data();
    assert_eq!(done["problems"], json!({ "refused": 0, "noted": 0, "advice": 0 }), "{done}");
    assert_eq!(done["arrangements"], json!({ "added": 2, "changed": 0 }));
    assert_eq!(done["templates"].as_array().unwrap().len(), 15);
    let (name, bytes) = export(&owner, "?reference_date=2025-12-31").await;
    let files = unzipped(&bytes);
    let root = files[0].0.split('/').next().unwrap().to_owned();
    assert_eq!(name, format!("attachment; filename=\"{root}.zip\""));
    assert_eq!(root[..root.len() - 17], NAME[..NAME.len() - 17]);
    let original = unzipped(&package());
    assert_eq!(files.len(), original.len());
    for ((path, text), (old_path, old_text)) in files.iter().zip(&original) {
        assert_eq!(path.split_once('/').unwrap().1, old_path.split_once('/').unwrap().1);
        assert_eq!(text, old_text, "{path}");
    }
    assert_eq!(export(&owner, "?reference_date=2025-12-31").await.1, bytes, "the same bytes again");
    // Sent in once more, nothing changes.
    let again = send(&owner, "", "application/zip", bytes).await.expect(200).data();
    assert_eq!(again["arrangements"], json!({ "added": 0, "changed": 0 }));
    assert_eq!(again["checks"], json!([]));
}

#[tokio::test]
async fn a_consolidated_package_says_so() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    send(&owner, "", "application/zip", package()).await.expect(200);
    let (name, bytes) = export(&owner, "?scope=consolidated&format=package").await;
    assert!(name.contains(".CON_DE_DORA010100_DORA_2025-12-31_"), "{name}");
    let files = unzipped(&bytes);
    let parameters = &files.iter().find(|(path, _)| path.ends_with("parameters.csv")).unwrap().1;
    assert!(
        parameters.contains("entityID,rs:529900TIDEWALLBANK74.CON\r\nrefPeriod,2025-12-31\r\n"),
        "{parameters}"
    );
    for (query, field) in [
        ("?reference_date=2099-12-31", "reference_date"),
        ("?reference_date=soon", "reference_date"),
        ("?scope=both", "scope"),
        ("?format=xml", "format"),
        ("?format=csv&template=B_09.09", "template"),
    ] {
        let refused = owner.get(&format!("{PATH}/export{query}")).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{query}: {refused}");
    }
}

#[tokio::test]
async fn without_a_sender_there_is_no_package() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let refused = owner.get(&format!("{PATH}/export")).await.expect(422).json();
    assert!(refused["details"]["register"][0].as_str().unwrap().contains("B_01.01"), "{refused}");
    let row = json!({ "cells": { "c0010": "../../etc/passwd0000", "c0030": "eba_GA:DE" } });
    owner.post(&format!("{PATH}/B_01.01/rows"), &row).await.expect(201);
    let refused = owner.get(&format!("{PATH}/export")).await.expect(422).json();
    assert!(refused["details"]["register"][0].as_str().unwrap().contains("LEI"), "{refused}");
    // Tables are exported all the same.
    let (_, bytes) = export(&owner, "?format=csv").await;
    assert_eq!(unzipped(&bytes).len(), 15);
}

#[tokio::test]
async fn a_table_for_a_spreadsheet_runs_nothing_and_comes_back_unchanged() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let table = "c0010,c0020,c0031\r\n\"=cmd|' /C calc'!A0\",\"two, \"\"three\"\"\",true\r\n";
    send(&owner, "?template=B_03.03", "text/csv", table).await.expect(200);
    let (name, bytes) = export(&owner, "?format=csv&template=B_03.03").await;
    assert_eq!(name, "attachment; filename=\"b_03.03.csv\"");
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text, "c0010,c0020,c0031\r\n'=cmd|' /C calc'!A0,\"two, \"\"three\"\"\",true\r\n");
    send(&owner, "?template=B_03.03", "text/csv", text).await.expect(200);
    let rows = owner.get(&format!("{PATH}/B_03.03")).await.expect(200).data();
    assert_eq!(
        rows[0]["cells"],
        json!({ "c0010": "=cmd|' /C calc'!A0", "c0020": "two, \"three\"", "c0031": "true" })
    );
}

#[tokio::test]
async fn the_import_lists_what_the_receiving_system_would_say() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let with = |name: &str, from: &str, to: &str| {
        let files: Vec<_> = unzipped(&package())
            .into_iter()
            .map(|(path, text)| {
                let text = if path.ends_with(name) {
                    assert!(text.contains(from), "{name}: {from}");
                    text.replacen(from, to, 1)
                } else {
                    text
                };
                (path, text)
            })
            .collect();
        zipped(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
    };
    for (name, from, to, rule) in [
        ("parameters.csv", "2025-12-31", "2024-12-31", "320"),
        ("report.json", "/4.0/", "/3.0/", "505"),
        ("FilingIndicators.csv", "B_99.01,true\r\n", "B_99.01,true\r\nB_09.01,true\r\n", "510"),
        ("parameters.csv", ".IND", ".XXX", "514"),
        ("FilingIndicators.csv", "templateID,", "template,", "702"),
        ("FilingIndicators.csv", "B_99.01,true\r\n", "B_99.01,true\r\nB_99.01,true\r\n", "703"),
        ("FilingIndicators.csv", "B_99.01,true", "B_99.01,yes", "704"),
        ("FilingIndicators.csv", "B_99.01,true\r\n", "", "705"),
        ("parameters.csv", ".IND", ".CON", "714"),
        ("parameters.csv", "name,value", "value,name", "723"),
        ("FilingIndicators.csv", "B_99.01,true", "B_99.01,false", "808"),
    ] {
        let done =
            send(&owner, "?dry_run=true", "application/zip", with(name, from, to)).await.expect(200).data();
        let rules: Vec<_> = done["checks"].as_array().unwrap().iter().map(|check| &check["rule"]).collect();
        assert_eq!(rules, [&json!(rule)], "{rule}: {done}");
        assert_eq!(done["checks"][0]["severity"], "refused");
    }
    let renamed = |root: &str| {
        let files: Vec<_> = unzipped(&package())
            .into_iter()
            .map(|(path, text)| (path.replacen(NAME, root, 1), text))
            .collect();
        zipped(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
    };
    for (root, rule) in [
        (NAME.replace("_DE_", "_D\u{e9}_"), "104"),
        (NAME.replace("_DE_", "_DEU_"), "105"),
        (NAME.replace("DORA010100", "DORA010200"), "106"),
        (NAME.replace("2025-12-31", "2025-12-41"), "109"),
    ] {
        let done = send(&owner, "?dry_run=true", "application/zip", renamed(&root)).await.expect(200).data();
        let rules: Vec<_> = done["checks"].as_array().unwrap().iter().map(|check| &check["rule"]).collect();
        assert_eq!(rules, [&json!(rule)], "{root}: {done}");
    }
    let mut files = unzipped(&package());
    files.push((format!("{NAME}/reports/notes.txt"), "x".to_owned()));
    files.retain(|(path, _)| !path.ends_with("reportPackage.json"));
    let odd = zipped(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let done = send(&owner, "?dry_run=true", "application/zip", odd).await.expect(200).data();
    let rules: Vec<_> = done["checks"].as_array().unwrap().iter().map(|check| &check["rule"]).collect();
    assert_eq!(rules, [&json!("103"), &json!("720")], "{done}");
}

#[tokio::test]
async fn tables_that_cannot_be_read_are_refused_and_nothing_is_stored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (text, rule, row) in [
        ("c0010,c0015\r\nC-1,x\r\n", "801", json!(null)),
        ("c0010,c0010\r\nC-1,x\r\n", "802", json!(null)),
        ("c0010,c0020\r\nC-1,eba_CO:x1\r\nC-2\r\n", "809", json!("3")),
    ] {
        let refused = send(&owner, "?template=B_02.01", "text/csv", text).await.expect(422).json();
        assert_eq!(
            (&refused["problems"][0]["rule"], &refused["problems"][0]["row"]),
            (&json!(rule), &row),
            "{refused}"
        );
    }
    send(&owner, "", "text/csv", TABLES[0].1).await.expect(422);
    send(&owner, "?template=B_09.01", "text/csv", TABLES[0].1).await.expect(422);
    send(&owner, "?template=B_01.01", "application/json", "{}").await.expect(422);
    send(&owner, "?template=B_01.01", "text/csv", b"c0010\n\xff\n".to_vec()).await.expect(422);
    assert_eq!(owner.get(PATH).await.expect(200).data()["rows"], 0);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn rows_and_arrangements_are_one_register(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    // The import of arrangements keeps every template as well.
    let request = http::Request::post("/api/v1/ict-arrangements/import")
        .header("content-type", "application/zip")
        .body(axum::body::Body::from(package()))
        .unwrap();
    owner.request(request).await.expect(200);
    let (_, bytes) = export(&owner, "").await;
    for ((_, exported), (name, original)) in unzipped(&bytes)[4..].iter().zip(TABLES) {
        assert_eq!(exported, original, "{name}");
    }
    let list = arrangements(&owner).await;
    let cards = list.as_array().unwrap().iter().find(|each| each["reference"] == "C-2").unwrap().clone();
    // Values beyond the official register stay when a row changes the rest.
    let at = format!("/api/v1/ict-arrangements/{}", cards["id"].as_str().unwrap());
    owner.patch(&at, &json!({ "technology": "Card switch" })).await.expect(200);
    let contracts = owner.get(&format!("{PATH}/B_02.01")).await.expect(200).data();
    let row = contracts.as_array().unwrap().iter().find(|row| row["cells"]["c0010"] == "C-2").unwrap();
    let row = format!("{PATH}/B_02.01/rows/{}", row["id"].as_str().unwrap());
    owner.patch(&row, &json!({ "cells": { "c0050": "95000" } })).await.expect(200);
    let changed = owner.get(&at).await.expect(200).data();
    assert_eq!(changed["annual_cost"]["amount"], 9_500_000);
    assert_eq!(changed["technology"], "Card switch");
    assert_eq!(owner.get(&format!("{PATH}/checks")).await.expect(200).data(), json!([]));
    // A change on the other side is noticed.
    owner.patch(&at, &json!({ "substitutability": "hard" })).await.expect(200);
    let checks = owner.get(&format!("{PATH}/checks")).await.expect(200).data();
    assert_eq!((&checks[0]["rule"], &checks[0]["severity"]), (&json!("arrangement"), &json!("advice")));
    assert_eq!(
        checks[0]["message"],
        "the arrangement C-2 says something else than the templates: substitutability"
    );
}
