use std::fmt::Write as _;

use axum::body::Body;
use domain::event::EventKind;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp};

use super::super::seed::{self, FINDINGS, at, events, pluck};

async fn send(client: &Client, query: &str, kind: &str, bytes: impl Into<Body>) -> Answer {
    let request = Request::post(format!("{FINDINGS}/import{query}")).header(header::CONTENT_TYPE, kind);
    client.request(request.body(bytes.into()).unwrap()).await
}

/// How many were added, changed, reopened, closed and left alone.
fn counts(answer: &Answer) -> [u64; 5] {
    let data = answer.json()["data"].take();
    ["added", "changed", "reopened", "closed", "unchanged"].map(|field| data[field].as_u64().unwrap())
}

async fn total(client: &Client) -> Value {
    client.get(&format!("{FINDINGS}?status=all")).await.expect(200).json()["meta"]["total"].clone()
}

const THREE: &str =
    "external_id,title,severity,owner\n1,Open port,high,Ms Sommer\n2,Old TLS,medium,\n3,=1+1,low,\n";
const SARIF: &str = r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Semgrep"}}, "results": [
    {"ruleId": "sql-injection", "level": "error", "message": {"text": "Query built from input"}},
    {"ruleId": "weak-hash", "level": "note", "message": {"text": "MD5"}}]}]}"#;
const TRIVY: &str = r#"{"SchemaVersion": 2, "ArtifactName": "app:1", "ArtifactType": "container_image", "Results": [
    {"Target": "app:1 (debian 12)", "Class": "os-pkgs", "Type": "debian", "Vulnerabilities": [
        {"VulnerabilityID": "CVE-2024-2961", "PkgName": "libc6", "InstalledVersion": "2.36", "Severity": "HIGH"}]}]}"#;

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// A workbook with this sheet.
fn workbook(heads: &[&str], rows: &[&[&str]]) -> Vec<u8> {
    let mut book = reports::book::Book::new(&std::env::temp_dir()).unwrap();
    let heads = [heads.iter().map(|&head| head.to_owned()).collect()];
    book.sheet("Findings", &heads, rows.iter().map(|row| row.iter())).unwrap();
    book.finish(std::io::Cursor::new(Vec::new())).unwrap().into_inner()
}

#[tokio::test]
async fn the_first_sheet_of_a_workbook_is_read_like_a_table() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let heads = ["title", "severity", "description"];
    let file = workbook(&heads, &[&["Open port", "high", "8080, \"admin\"\nseen twice"], &["=1+1", "low"]]);
    let dry = send(&owner, "?dry_run=true", XLSX, file.clone()).await.expect(200);
    assert_eq!(counts(&dry), [2, 0, 0, 0, 0], "{dry}");
    assert_eq!(total(&owner).await, 0, "a dry run stores nothing");
    assert_eq!(counts(&send(&owner, "", XLSX, file.clone()).await.expect(200)), [2, 0, 0, 0, 0]);
    let again = send(&owner, "?encoding=windows-1252", "application/octet-stream", file).await.expect(200);
    assert_eq!(counts(&again), [0, 0, 0, 0, 2], "the same file changes nothing, whatever it is sent as");
    let page = owner.get(&format!("{FINDINGS}?sort=created_at")).await.expect(200).json();
    assert_eq!(pluck(&page, "title"), ["Open port", "=1+1"]);
    assert_eq!(pluck(&page, "description")[0], "8080, \"admin\"\nseen twice");

    // A problem is named by the row of the sheet, also below an empty one.
    let wrong = workbook(&heads, &[&["A", "high"], &[], &["B", "huge"]]);
    let refused = send(&owner, "", XLSX, wrong).await.expect(422).json();
    assert_eq!((&refused["total"], &refused["problems"][0]["line"]), (&json!(1), &json!(4)), "{refused}");
    send(&owner, "", XLSX, "PK\u{3}\u{4} but no archive").await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn every_kind_of_file_comes_in_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    for (kind, query, file, results) in [
        ("text/csv", "", THREE, 3),
        ("application/sarif+json", "", SARIF, 2),
        ("application/json", "", TRIVY, 1),
        ("application/octet-stream", "?format=sarif", SARIF, 2),
    ] {
        let before = total(&owner).await.as_u64().unwrap();
        let dry = if query.is_empty() { "?dry_run=true".into() } else { format!("{query}&dry_run=true") };
        let wanted = if before == 6 { [0, 0, 0, 0, results] } else { [results, 0, 0, 0, 0] };
        let counted = send(&owner, &dry, kind, file).await.expect(200);
        assert_eq!(counts(&counted), wanted, "{kind}: {counted}");
        assert_eq!(total(&owner).await, before);
        assert_eq!(counts(&send(&owner, query, kind, file).await.expect(200)), wanted);
        let again = send(&owner, query, kind, file).await.expect(200);
        assert_eq!(counts(&again), [0, 0, 0, 0, results], "{kind}");
    }
    let page = owner.get(&format!("{FINDINGS}?sort=created_at")).await.expect(200).json();
    let references: Vec<_> = (1..=6).map(|number| format!("F-2026-{number:04}")).collect();
    assert_eq!(pluck(&page, "reference"), references);
    assert_eq!(pluck(&page, "title")[2], "=1+1", "a formula is text");
    assert_eq!(pluck(&page, "cve")[5], "CVE-2024-2961");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_same_file_again_changes_nothing_whatever_people_did_meanwhile(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    send(&owner, "", "text/csv", THREE).await.expect(200);
    let page = owner.get(&format!("{FINDINGS}?sort=created_at")).await.json();
    let address = at(FINDINGS, &page["data"][0]);
    owner.patch(&address, &json!({ "severity": "low", "owner": null })).await.expect(200);
    seed::moved(&owner, &address, &["in_progress", "resolved", "closed"]).await;
    let etag = owner.get(FINDINGS).await.header("etag").unwrap().to_owned();
    let raised = events(&app, &tenant.caller).await.len();
    let again = send(&owner, "?close_missing=true", "text/csv", THREE).await.expect(200);
    assert_eq!(counts(&again), [0, 0, 0, 0, 3]);
    assert_eq!(owner.get(FINDINGS).await.header("etag"), Some(etag.as_str()), "nothing was written");
    assert_eq!(events(&app, &tenant.caller).await.len(), raised);
    let seen = owner.get(&address).await.data();
    assert_eq!((&seen["severity"], &seen["status"]), (&json!("low"), &json!("closed")));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_newer_file_renews_reopens_and_closes_by_choice_with_one_event_for_each_move(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    send(&owner, "", "text/csv", THREE).await.expect(200);
    let page = owner.get(&format!("{FINDINGS}?sort=created_at")).await.json();
    let [first, second, third] = [0, 1, 2].map(|place| at(FINDINGS, &page["data"][place]));
    owner.patch(&first, &json!({ "owner": "Mr Winter" })).await.expect(200);
    seed::moved(&owner, &second, &["in_progress", "resolved", "closed"]).await;
    let raised = events(&app, &tenant.caller).await.len();

    // The title of the first is new, the second is reported again, the third is gone.
    let newer = "external_id,title,severity\n1,Open port 22,critical\n2,Old TLS,medium\n";
    let dry = send(&owner, "?close_missing=1&dry_run=1", "text/csv", newer).await.expect(200);
    assert_eq!(counts(&dry), [0, 1, 1, 1, 0]);
    let kept = send(&owner, "?dry_run=1", "text/csv", newer).await.expect(200);
    assert_eq!(counts(&kept), [0, 1, 1, 0, 0], "closing is a choice");
    let done = send(&owner, "?close_missing=1", "text/csv", newer).await.expect(200);
    assert_eq!(counts(&done), [0, 1, 1, 1, 0]);

    let seen = owner.get(&first).await.data();
    assert_eq!((&seen["title"], &seen["severity"]), (&json!("Open port 22"), &json!("critical")));
    assert_eq!(seen["owner"], "Mr Winter", "what the file leaves empty stays");
    let seen = owner.get(&second).await.data();
    assert_eq!((&seen["status"], &seen["closed_at"]), (&json!("open"), &json!(null)));
    assert_eq!(seen["history"].as_array().unwrap().last().unwrap()["note"], "Reported again by a CSV file.");
    let seen = owner.get(&third).await.data();
    let steps: Vec<_> = seen["history"].as_array().unwrap().iter().map(|step| step["to"].clone()).collect();
    assert_eq!(steps, ["open", "in_progress", "resolved", "closed"]);
    let new = events(&app, &tenant.caller).await.split_off(raised);
    let moves: Vec<_> = new
        .iter()
        .map(|(kind, _, payload)| {
            assert_eq!(*kind, EventKind::FindingStatusChanged);
            let word = |value: &Value| value.as_str().unwrap().to_owned();
            (word(&payload["previous_status"]), word(&payload["finding"]["status"]))
        })
        .collect();
    let expected =
        [("closed", "open"), ("open", "in_progress"), ("in_progress", "resolved"), ("resolved", "closed")];
    assert_eq!(moves, expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
    let again = send(&owner, "?close_missing=1", "text/csv", newer).await.expect(200);
    assert_eq!(counts(&again), [0, 0, 0, 0, 2]);
    // A closed one that is reported again is reopened.
    let back = send(&owner, "", "text/csv", THREE).await.expect(200);
    assert_eq!(counts(&back), [0, 1, 1, 0, 1]);
    assert!(app.app.operations.verify_own_audit(&tenant.caller).await.unwrap().outcome.is_ok());
}

/// Over the columns of a file: a new value in any of them is a change, and the same file is none.
#[tokio::test]
async fn a_new_value_in_any_column_of_a_file_is_noticed() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let columns = [
        ("title", "Open port", "Open port 22"),
        ("description", "8080", "9090"),
        ("severity", "high", "low"),
        ("owner", "Ms Sommer", "Mr Winter"),
        ("affected_asset", "web-1", "web-2"),
        ("cve", "CVE-2024-2961", "CVE-2024-2962"),
        ("cvss", "7.1", "7.2"),
        ("remediation", "Close it", "Filter it"),
        ("root_cause", "No review", "No owner"),
        ("requirements", "dora-art-05-02-a", "dora-art-05-02-b"),
        ("due_on", "2027-01-31", "2027-02-28"),
    ];
    let heads: Vec<_> = columns.iter().map(|(name, ..)| *name).collect();
    let mut cells: Vec<_> = columns.iter().map(|(_, first, _)| *first).collect();
    let file = |cells: &[&str]| format!("external_id,{}\n1,{}\n", heads.join(","), cells.join(","));
    assert_eq!(counts(&send(&owner, "", "text/csv", file(&cells)).await.expect(200)), [1, 0, 0, 0, 0]);
    for (place, (name, _, second)) in columns.iter().enumerate() {
        cells[place] = second;
        let changed = send(&owner, "", "text/csv", file(&cells)).await.expect(200);
        assert_eq!(counts(&changed), [0, 1, 0, 0, 0], "a new {name} is a change: {changed}");
        let again = send(&owner, "", "text/csv", file(&cells)).await.expect(200);
        assert_eq!(counts(&again), [0, 0, 0, 0, 1], "{name}");
    }
}

#[tokio::test]
async fn one_wrong_line_keeps_all_out_and_each_is_named() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let file = "title;severity;cvss;due_on\nGood;high;;\nBad;grave;11;yesterday\n;low;;\nGood;high;;\n";
    let refused = send(&owner, "", "text/csv", file).await.expect(422);
    insta::assert_json_snapshot!(refused.json());
    assert_eq!(total(&owner).await, 0);
    let many: String = std::iter::once("title,severity\n".to_owned())
        .chain((0..500).map(|number| format!("{number},nope\n")))
        .collect();
    let refused = send(&owner, "", "text/csv", many).await.expect(422).json();
    assert_eq!((refused["problems"].as_array().unwrap().len(), &refused["total"]), (200, &json!(500)));
}

#[tokio::test]
async fn files_that_are_no_import_are_refused_with_the_remedy() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let deep = format!("{{\"version\": \"2.1.0\", \"runs\": {}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    let utf16 = |text: &str| -> Vec<u8> {
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    for (what, query, kind, bytes, remedy) in [
        ("deep", "", "application/sarif+json", deep.into_bytes(), "nested more than 100 levels deep"),
        ("zip", "", "text/csv", b"PK\x03\x04rest".to_vec(), "unpack it"),
        ("gzip", "", "application/json", b"\x1f\x8brest".to_vec(), "unpack it"),
        ("empty", "", "text/csv", Vec::new(), "is empty"),
        ("osv", "", "application/json", b"{\"results\": []}".to_vec(), "tidewall import scan"),
        ("other JSON", "", "application/json", b"{}".to_vec(), "send CSV, SARIF 2.1.0"),
        ("not JSON", "?format=trivy", "application/json", b"hello".to_vec(), "not valid JSON"),
        ("no header", "", "text/csv", b"a,b\n1,2\n".to_vec(), "The columns are"),
        ("old Macintosh", "", "text/csv", b"title,severity\nPr\x9ffung,low\n".to_vec(), "save it as"),
        (
            "UTF-16 without a mark",
            "",
            "text/csv",
            utf16("title,severity\nA,low\n")[2..].to_vec(),
            "CSV UTF-8",
        ),
        ("wrong encoding", "?encoding=latin", "text/csv", b"x".to_vec(), "must be one of utf-8"),
        (
            "wrong format",
            "?format=osv-scanner",
            "text/csv",
            b"x".to_vec(),
            "must be one of csv, sarif, trivy",
        ),
        ("wrong switch", "?close_missing=maybe", "text/csv", b"x".to_vec(), "must be true or false"),
        ("wrong type", "", "application/pdf", b"x".to_vec(), "send Content-Type: text/csv"),
    ] {
        let refused = send(&owner, query, kind, bytes).await.expect(422);
        assert!(refused.error().contains(remedy), "{what}: {refused}");
    }
    let packed = owner.with("content-encoding", "gzip");
    send(&packed, "", "text/csv", THREE).await.expect(422);
    assert_eq!(total(&owner).await, 0);
}

#[tokio::test]
async fn spreadsheets_of_other_encodings_are_read() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let windows = b"title;severity\nPr\xfcfung \x80;low\n".to_vec();
    let utf16: Vec<u8> = std::iter::once(0xFEFF)
        .chain("title\tseverity\nBefund ß\tlow\n".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    for bytes in [windows, utf16] {
        assert_eq!(counts(&send(&owner, "", "text/csv", bytes).await.expect(200))[0], 1);
    }
    let page = owner.get(&format!("{FINDINGS}?sort=created_at")).await.json();
    assert_eq!(pluck(&page, "title"), ["Prüfung €", "Befund ß"]);
}

#[tokio::test]
async fn a_gibibyte_is_refused_while_it_comes_in() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let declared = owner.with("content-length", "1073741824");
    send(&declared, "", "text/csv", "title").await.expect(413);
    // The length is not declared, and it never ends.
    let endless = Body::new(http_body_util::StreamBody::new(futures_util::stream::repeat_with(|| {
        Ok::<_, std::convert::Infallible>(http_body::Frame::data(bytes::Bytes::from(vec![b'x'; 65_536])))
    })));
    let refused = send(&owner, "", "text/csv", endless).await.expect(413);
    assert!(refused.error().contains("64 MiB"), "{refused}");
}

#[tokio::test]
async fn progress_is_reported_line_by_line() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await.with("accept", "application/x-ndjson");
    let mut file = "title,severity\n".to_owned();
    for number in 0..10_000 {
        writeln!(file, "Finding {number},low").unwrap();
    }
    let output = send(&owner, "", "text/csv", file).await.expect(200);
    assert_eq!(output.header("content-type"), Some("application/x-ndjson"));
    let lines: Vec<Value> = String::from_utf8_lossy(&output.body)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0], json!({ "progress": { "step": "read", "rows": 10_000 } }));
    assert_eq!(lines[1], json!({ "progress": { "step": "stored", "rows": 10_000 } }));
    assert_eq!((lines.len(), &lines[2]["data"]["added"]), (3, &json!(10_000)));
    let refused = send(&owner, "", "text/csv", "title,severity\nA,nope\n").await.expect(200);
    let last: Value = serde_json::from_slice(&refused.body).unwrap();
    assert_eq!((last["error"].is_string(), &last["total"]), (true, &json!(1)));
    let refused = send(&owner, "", "text/csv", "PK\x03\x04").await.expect(200);
    let last: Value = serde_json::from_slice(&refused.body).unwrap();
    assert!(last["error"].as_str().unwrap().contains("unpack it"), "{last}");
}

#[tokio::test]
async fn the_template_can_be_sent_back() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let template = owner.get(&format!("{FINDINGS}/template")).await.expect(200);
    assert_eq!(template.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(counts(&send(&owner, "", "text/csv", template.body).await.expect(200))[0], 1);
}

#[tokio::test]
async fn two_tenants_with_the_same_file_have_their_own_findings() {
    let app = TestApp::new().await;
    let (north, south) = (app.owner("north").await, app.owner("south").await);
    for client in [&north, &south] {
        assert_eq!(
            counts(&send(client, "?close_missing=1", "application/json", TRIVY).await.expect(200))[0],
            1
        );
    }
    let none =
        r#"{"SchemaVersion": 2, "ArtifactName": "app:2", "ArtifactType": "container_image", "Results": []}"#;
    let closed = send(&north, "?close_missing=1", "application/json", none).await.expect(200);
    assert_eq!(counts(&closed)[3], 1, "the next build of the image no longer has it");
    assert_eq!(south.get(FINDINGS).await.json()["meta"]["total"], 1);
}
