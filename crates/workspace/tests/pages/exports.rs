//! Exports under concurrent writes: every record that exists throughout occurs in the file once.

use std::{
    io::{Cursor, Read as _},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::body::Body;
use domain::user::Role;
use http::{Request, header};
use serde_json::json;
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use crate::{House, odd_text::is_full};

/// The text of the one sheet of a workbook.
fn sheet(bytes: Vec<u8>) -> String {
    let mut parts = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    parts.by_name("xl/worksheets/sheet1.xml").unwrap().read_to_string(&mut text).unwrap();
    text
}

/// README names exactly the lists and pages that have a PDF, and those that have none.
#[tokio::test]
async fn readme_says_which_pages_have_a_pdf() {
    let readme = include_str!("../../../../README.md");
    let line = readme.lines().find(|line| line.contains("as PDF the lists of")).expect("a line about PDF");
    let (with, without) = line.split_once("no PDF of").expect("what has no PDF");
    let (_, with) = with.split_once("as PDF the lists of").unwrap();
    let without = without.split(';').next().unwrap();
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    for (list, name) in [
        ("/programmes", "programmes"),
        ("/test-cases", "test cases"),
        ("/findings", "findings"),
        ("/controls", "controls"),
        ("/risks", "risks"),
        ("/functions", "functions"),
        ("/evidence", "evidence"),
        ("/incidents", "incidents"),
        ("/cra-reports", "CRA reports"),
        ("/trainings", "trainings"),
        ("/evidence-requests", "requests for evidence"),
        ("/statement-of-applicability", "the statement of applicability"),
        ("/ict-arrangements", "arrangements"),
        ("/providers", "the list of providers"),
        ("/drill-runs", "the list of drill runs"),
        ("/own-frameworks", "own frameworks"),
        ("/work", "tasks"),
        ("/assessments", "assessments"),
        ("/register", "the register"),
        ("/audit", "the audit log"),
        ("", "the dashboard"),
    ] {
        let status = browser.fetch(&format!("/workspace{list}.pdf")).await.status.as_u16();
        let page = browser.get(&format!("/workspace{list}")).await.status;
        assert_eq!(page, 200, "there is no page {list}");
        match status {
            200 => assert!(with.contains(name) && !without.contains(name), "{name} has a PDF: {line}"),
            404 => assert!(without.contains(name), "{name} has no PDF: {line}"),
            other => panic!("{list}: {other}"),
        }
    }
}

/// Every list of records is also a workbook, with the filters of its page.
#[tokio::test]
async fn every_list_is_a_workbook_too() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    for (title, severity) in [("=1+1", "low"), ("Left out", "high")] {
        client.post("/api/v1/findings", &json!({ "title": title, "severity": severity })).await.expect(201);
    }
    client.post("/api/v1/controls", &json!({ "title": "Restore test" })).await.expect(201);
    let mut browser = house.signed_in(Role::Viewer).await;
    for (list, shown) in [
        ("findings.xlsx?severity=low", "<t>=1+1</t>"),
        ("controls.xlsx", "<t>Restore test</t>"),
        ("test-cases.xlsx", "<t>Type of test</t>"),
        ("programmes.xlsx", "<t>Name</t>"),
        ("cra-reports.xlsx", "<t>ID</t>"),
        ("incidents.xlsx", "<t>Reference</t>"),
        ("functions.xlsx", "<t>RTO (minutes)</t>"),
        ("risks.xlsx", "<t>Treatment</t>"),
        ("evidence.xlsx", "<t>SHA-256</t>"),
        ("ict-arrangements.xlsx", "<t>Provider LEI</t>"),
        ("statement-of-applicability.xlsx", "<t>A.8.28</t>"),
        ("assessments/dora/assessments.xlsx?search=testing", "<t>dora-art-"),
    ] {
        let file = browser.fetch(&format!("/workspace/{list}")).await.expect(200);
        let kind = file.headers["content-type"].to_str().unwrap();
        assert!(kind.ends_with("spreadsheetml.sheet"), "{list}: {kind}");
        let named = file.headers["content-disposition"].to_str().unwrap();
        assert!(named.starts_with("attachment") && named.ends_with(".xlsx\""), "{list}: {named}");
        let text = sheet(file.bytes);
        assert!(text.contains(shown) && !text.contains("<f>"), "{list}: {text}");
        assert!(!text.contains("Left out"), "{list}: filtered like its page");
    }
    browser.fetch("/workspace/assessments/unknown/assessments.xlsx").await.expect(404);
    let page = browser.get("/workspace/controls").await;
    page.shows("/workspace/controls.csv").shows("/workspace/controls.xlsx");
}

async fn import(client: &Client, findings: usize) {
    let rows: String =
        (0..findings).fold(String::new(), |all, number| all + &format!("{number},keep-{number},low\n"));
    let request = Request::post("/api/v1/findings/import").header(header::CONTENT_TYPE, "text/csv");
    let body = Body::from(format!("external_id,title,severity\n{rows}"));
    client.request(request.body(body).unwrap()).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_table_shows_one_moment_however_much_is_written_meanwhile(engine: Engine) {
    let house = House::of(TestApp::on(engine).await, "http://127.0.0.1:8080").await;
    let key = house.test.key(&house.north, "read,write").await;
    // More than are read at a time, and again more than that.
    let stay = if is_full() { 2_300 } else { 1_100 };
    import(&house.test.client(&key), stay).await;
    let done = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..3)
        .map(|_| {
            let (client, done) = (house.test.client(&key), Arc::clone(&done));
            tokio::spawn(async move {
                while !done.load(Ordering::Relaxed) {
                    let body = json!({ "title": "comes and goes", "severity": "high" });
                    let made = client.post("/api/v1/findings", &body).await.expect(201);
                    client.delete(made.header("location").unwrap()).await.expect(204);
                }
            })
        })
        .collect();
    let mut browser = house.signed_in(Role::Viewer).await;
    for sort in ["", "?sort=created_at", "?sort=severity", "?sort=-due_on", "?search=keep"] {
        let table = browser.fetch(&format!("/workspace/findings.csv{sort}")).await.expect(200);
        let text = String::from_utf8(table.bytes).unwrap();
        let mut times = vec![0; stay];
        for title in text.lines().filter_map(|line| line.split(',').nth(1)) {
            if let Some(number) = title.strip_prefix("keep-") {
                times[number.parse::<usize>().unwrap()] += 1;
            }
        }
        let wrong = times.iter().filter(|times| **times != 1).count();
        assert_eq!(wrong, 0, "{engine:?} {sort}: {wrong} of {stay} records are missing or repeated");
    }
    done.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }
}
