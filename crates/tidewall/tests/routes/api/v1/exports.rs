use std::fs;

use http::Method;
use serde_json::json;
use testkit::{Engine, TestApp, TestOptions, copy_of_catalogue};

const CSV: &str = "/api/v1/exports/measures/csv";
const JSON: &str = "/api/v1/exports/measures/json";

#[tokio::test]
async fn csv_reads_back_as_the_measures() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let measures = app.anonymous().get("/api/measures?lang=de").await.expect(200).data();
    let answer = owner.get(&format!("{CSV}?lang=de")).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"measures.csv\""));
    assert_eq!(answer.header("content-length"), None, "streamed");
    let text = std::str::from_utf8(&answer.body).unwrap();
    assert_eq!(text.matches("\r\n").count(), 1 + measures.as_array().unwrap().len());
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let header = table.headers().unwrap().clone();
    assert_eq!((&header[0], &header[1], header.len()), ("id", "title", 15));
    for (row, measure) in table.records().zip(measures.as_array().unwrap()) {
        let row = row.unwrap();
        for (column, cell) in header.iter().zip(&row) {
            match &measure[column] {
                serde_json::Value::String(text) => assert_eq!(cell, text, "{column}"),
                serde_json::Value::Null => assert_eq!(cell, "", "{column}"),
                serde_json::Value::Array(items) if column != "mappings" => {
                    let items: Vec<_> = items.iter().map(|item| item.as_str().unwrap()).collect();
                    assert_eq!(cell, items.join(" | "), "{column}");
                }
                other => {
                    let count = other.as_array().unwrap().len();
                    assert_eq!(cell.split(" | ").filter(|part| !part.is_empty()).count(), count, "{column}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_cell_that_a_spreadsheet_would_run_becomes_text() {
    let folder = copy_of_catalogue();
    let file = folder.path().join("measures/sharing.toml");
    let text = fs::read_to_string(&file).unwrap();
    let title = text.lines().find(|line| line.starts_with("title = ")).unwrap();
    let evil = "title = { en = \"=HYPERLINK(\\\"https://evil.example\\\")\", de = \"@SUM(A)\" }";
    fs::write(&file, text.replacen(title, evil, 1)).unwrap();
    let options = TestOptions { catalogue_dir: Some(folder.path().to_owned()), ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let owner = app.owner("north").await;
    let english = String::from_utf8(owner.get(CSV).await.expect(200).body.to_vec()).unwrap();
    assert!(english.contains(",\"'=HYPERLINK(\"\"https://evil.example\"\")\","), "{english}");
    let german =
        String::from_utf8(owner.get(&format!("{CSV}?lang=de")).await.expect(200).body.to_vec()).unwrap();
    assert!(german.contains(",'@SUM(A),"));
}

#[tokio::test]
async fn json_is_all_measures_with_when_and_from_what() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let answer = owner.get(JSON).await.expect(200);
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"measures.json\""));
    let body = answer.json();
    let version = app.app.catalogue().unwrap().version.to_string();
    let count = app.app.catalogue().unwrap().measures.len();
    let exported_at = "2026-11-14T14:00:00Z";
    assert_eq!(body["meta"], json!({ "count": count, "exported_at": exported_at, "version": version }));
    let listed = owner.get("/api/v1/dora/measures?limit=500").await.expect(200).data();
    assert_eq!(body["data"], listed);
}

#[tokio::test]
async fn head_answers_without_the_body() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for path in [CSV, JSON] {
        let head = owner.send(Method::HEAD, path, None).await.expect(200);
        assert!(head.body.is_empty() && head.header("content-disposition").is_some());
    }
}
