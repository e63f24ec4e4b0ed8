//! Workbooks for people, changed as a spreadsheet changes them, and imported again: every kind that has an export.

use std::io::{Cursor, Read as _, Write as _};

use app::records::{AnyKind, KINDS};
use domain::user::Role;
use serde_json::{Value, json};
use testkit::Client;
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

use crate::{House, browser::Browser};

const SHEET: &str = "xl/worksheets/sheet1.xml";

/// A list whose tables are imported by the page of its own: records to begin with, and what is changed in the file.
struct Table {
    list: &'static str,
    api: &'static str,
    records: Vec<Value>,
    field: &'static str,
    /// The cell that is changed, as the sheet has it, before and after.
    cells: [&'static str; 2],
    after: &'static str,
}

fn named(list: &'static str, api: &'static str, field: &'static str, record: &Value) -> Table {
    let with = |name: &str| {
        let mut record = record.clone();
        record[field] = json!(name);
        record
    };
    let records = ["First", "Second", "Third"].map(with).to_vec();
    let cells = ["<t>Second</t>", "<t>Second, renamed</t>"];
    Table { list, api, records, field, cells, after: "Second, renamed" }
}

/// What is tested of a kind; `None` for one that has an import of its own, or no table.
fn table(kind: &AnyKind, links: &Links) -> Option<Table> {
    let risk = json!({ "category": "people", "owner": "Anna Weber",
        "inherent": { "likelihood": 3, "impact": 4 }, "review_on": "2027-03-01" });
    let cra = json!({ "kind": "severe_incident", "product": { "name": "App" }, "severity": "high",
        "aware_at": "2026-11-14T11:30:15Z" });
    let drill = json!({ "scenario": "drill-ransomware-core-banking", "planned_for": "2027-03-18",
        "participants": ["Anna Weber", "Bo Lund"] });
    let test_case = json!({ "programme_id": links.programme, "test_type": "tlpt", "due_on": "2027-02-01" });
    let control = json!({ "owner": "Anna Weber", "cadence": "quarterly", "status": "implemented",
        "next_due_on": "2027-01-31", "description": "One line\nand another" });
    let evidence = json!({ "url": "https://example.com/a", "valid_until": "2027-12-31" });
    let request = json!({ "owner": "Anna Weber", "due_on": "2027-01-31" });
    let changed =
        |list, api, field, cells, after| Table { list, api, records: Vec::new(), field, cells, after };
    Some(match kind.noun {
        "control" => named("controls", "controls", "title", &control),
        "cra_report" => named("cra-reports", "cra/reports", "title", &cra),
        "drill_run" => named("drill-runs", "drill-runs", "title", &drill),
        "evidence" => named("evidence", "evidence", "title", &evidence),
        "evidence_request" => named("evidence-requests", "evidence-requests", "text", &request),
        "function" => named("functions", "functions", "name", &json!({ "rto_minutes": 90, "owner": "Bo" })),
        "own_framework" => {
            let mut table = named("own-frameworks", "own-frameworks", "title", &json!({}));
            for (record, key) in table.records.iter_mut().zip(["one", "two", "three"]) {
                record["key"] = json!(key);
            }
            table
        }
        "programme" => {
            let programme =
                json!({ "framework": "dora", "starts_on": "2027-01-01", "functions": ["Payments"] });
            named("programmes", "programmes", "name", &programme)
        }
        "risk" => named("risks", "risks", "title", &risk),
        "test_case" => named("test-cases", "test-cases", "title", &test_case),
        "provider" => {
            changed("providers", "providers", "owner", ["<t>Anna Weber</t>", "<t>Bo Lund</t>"], "Bo Lund")
        }
        "training" => changed(
            "trainings",
            "trainings",
            "due_on",
            // 31 January and 1 March 2027.
            ["<v>46418</v>", "<v>46447</v>"],
            "2027-03-01",
        ),
        // Imports of their own, or decided about and filed elsewhere.
        "finding" | "incident" | "arrangement" | "task" | "review" | "approval" | "register_filing" => {
            return None;
        }
        other => panic!("{other} has neither an import nor a reason to have none"),
    })
}

/// What records refer to.
struct Links {
    programme: String,
}

async fn links(client: &Client) -> Links {
    let programme = json!({ "name": "Yearly programme", "framework": "dora" });
    let made = client.post("/api/v1/programmes", &programme).await.expect(201).data();
    let arrangement = json!({
        "reference": "A-1", "provider": { "name": "Acme", "country": "DE", "sector": "Cloud" },
        "service": "Hosting", "service_type": "S17", "technology": "Cloud", "region": "EU",
        "substitutability": "hard", "starts_on": "2026-01-01", "annual_cost": { "amount": 1, "currency": "EUR" },
    });
    client.post("/api/v1/ict-arrangements", &arrangement).await.expect(201);
    let provider = client.get("/api/v1/providers").await.expect(200).data()[0]["id"].clone();
    let address = format!("/api/v1/providers/{}", provider.as_str().unwrap());
    client.patch(&address, &json!({ "owner": "Anna Weber" })).await.expect(200);
    Links { programme: made["id"].as_str().unwrap().to_owned() }
}

fn parts(book: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(book)).unwrap();
    let read = |place| {
        let mut part = archive.by_index(place).unwrap();
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).unwrap();
        (part.name().unwrap().into_owned(), bytes)
    };
    (0..ZipArchive::new(Cursor::new(book)).unwrap().len()).map(read).collect()
}

fn sheet(book: &[u8]) -> String {
    let (_, bytes) = parts(book).into_iter().find(|(name, _)| name == SHEET).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The workbook with another cell.
fn with_cell(book: &[u8], [before, after]: [&str; 2]) -> Vec<u8> {
    let mut written = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, mut bytes) in parts(book) {
        if name == SHEET {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains(before), "{before} is not in {text}");
            bytes = text.replacen(before, after, 1).into_bytes();
        }
        written.start_file(name, SimpleFileOptions::default()).unwrap();
        written.write_all(&bytes).unwrap();
    }
    written.finish().unwrap().into_inner()
}

async fn send(browser: &mut Browser, list: &str, step: &str, book: &[u8]) -> crate::browser::Page {
    let address = format!("/workspace/{list}/import");
    let token = browser.get(&address).await.expect(200).hidden();
    let (name, value) = token.iter().find(|(name, _)| name == "form_token").unwrap();
    browser.upload_bytes(&address, &[(name, value), ("step", step)], "a.xlsx", book).await
}

/// The records of a list by their ids, with their versions.
async fn contents(client: &Client, api: &str) -> Vec<Value> {
    let mut records = client.get(&format!("/api/v1/{api}?limit=500")).await.expect(200).data();
    records.as_array_mut().unwrap().drain(..).collect()
}

fn different(before: &[Value], after: &[Value]) -> Vec<Value> {
    after.iter().filter(|record| !before.contains(record)).cloned().collect()
}

#[tokio::test]
async fn every_kind_that_is_exported_is_imported_again_and_changes_what_was_changed_in_it() {
    for language in ["en", "de"] {
        let house = House::new().await;
        let client = house.test.client(&house.test.key(&house.north, "read,write").await);
        let mut browser = house.signed_in(Role::Administrator).await.with("accept-language", language);
        let links = links(&client).await;
        let people = client.get("/api/v1/people").await.expect(200).data();
        let training = json!({ "title": "Phishing", "people": [people[0]["id"]], "due_on": "2027-01-31" });
        client.post("/api/v1/trainings", &training).await.expect(201);
        let mut tried = 0;
        for kind in &KINDS {
            let Some(table) = table(kind, &links) else { continue };
            for record in &table.records {
                client.post(&format!("/api/v1/{}", table.api), record).await.expect(201);
            }
            let file = browser.fetch(&format!("/workspace/{}.xlsx", table.list)).await.expect(200);
            let named = file.headers["content-disposition"].to_str().unwrap().to_owned();
            assert!(named.contains(&format!("{}-2026-11-", table.list)), "{named}");
            let text = sheet(&file.bytes);
            let before = contents(&client, table.api).await;
            // The id stands in the last column alone, which is hidden.
            let ids = text.matches(&format!("<t>{}_", kind.prefix)).count();
            assert_eq!(ids, before.len(), "{}: {text}", kind.noun);
            assert!(text.contains("hidden=\"1\"") && !text.contains("<f>"), "{text}");
            assert!(!text.contains(&links.programme) || kind.noun == "programme", "{}: {text}", kind.noun);
            let id_heading = if language == "de" { "<t>Kennung</t>" } else { "<t>ID</t>" };
            assert!(text.contains(id_heading), "{}: {text}", kind.noun);

            let unchanged = send(&mut browser, table.list, "import", &file.bytes).await.expect(200);
            let none =
                if language == "de" { "Angelegt: 0, geändert: 0," } else { "Created: 0, changed: 0," };
            unchanged.shows(none);
            assert_eq!(
                different(&before, &contents(&client, table.api).await),
                [] as [Value; 0],
                "{}",
                kind.noun
            );

            let edited = with_cell(&file.bytes, table.cells);
            send(&mut browser, table.list, "columns", &edited)
                .await
                .expect(200)
                .shows("<select name=\"column\"");
            let one = if language == "de" { "Angelegt: 0, geändert: 1," } else { "Created: 0, changed: 1," };
            send(&mut browser, table.list, "check", &edited).await.expect(200).shows(one);
            assert_eq!(
                different(&before, &contents(&client, table.api).await),
                [] as [Value; 0],
                "{}",
                kind.noun
            );
            send(&mut browser, table.list, "import", &edited).await.expect(200).shows(one);
            let changed = different(&before, &contents(&client, table.api).await);
            assert_eq!(changed.len(), 1, "{}: {changed:?}", kind.noun);
            assert_eq!(changed[0][table.field], table.after, "{}", kind.noun);
            send(&mut browser, table.list, "import", &edited).await.expect(200).shows(none);
            tried += 1;
        }
        assert_eq!(tried, 12);
    }
}

#[tokio::test]
async fn findings_come_in_again_from_their_workbook() {
    for language in ["en", "de"] {
        let house = House::new().await;
        let client = house.test.client(&house.test.key(&house.north, "read,write").await);
        let mut browser = house.signed_in(Role::Manager).await.with("accept-language", language);
        let links = links(&client).await;
        for title in ["First", "Second"] {
            let finding = json!({ "title": title, "severity": "high", "cvss": 9.1, "due_on": "2027-01-31",
                "programme_id": links.programme, "detected_at": "2026-11-14T11:30:15Z", "owner": "Anna Weber" });
            client.post("/api/v1/findings", &finding).await.expect(201);
        }
        client.post("/api/v1/findings", &json!({ "title": "Third", "severity": "low" })).await.expect(201);
        let file = browser.fetch("/workspace/findings.xlsx").await.expect(200);
        let text = sheet(&file.bytes);
        assert!(text.contains("<t>Yearly programme</t>") && !text.contains(&links.programme), "{text}");
        assert!(text.contains("<v>9.1</v>") && text.contains("<v>46418</v>"), "{text}");
        let before = contents(&client, "findings").await;
        let import = "/workspace/findings/import";
        for (book, changed) in [
            (file.bytes.clone(), 0),
            (with_cell(&file.bytes, ["<t>Second</t>", "<t>Second, renamed</t>"]), 1),
        ] {
            let hidden = browser.get(import).await.hidden();
            let mut fields: Vec<_> =
                hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            fields.push(("step", "import"));
            browser.upload_bytes(import, &fields, "a.xlsx", &book).await.expect(200);
            let after = contents(&client, "findings").await;
            assert_eq!(different(&before, &after).len(), changed, "{after:?}");
        }
    }
}

#[tokio::test]
async fn assessments_come_in_again_from_their_workbook() {
    for (language, none, one) in [
        ("en", "Created: 0, changed: 0,", "Created: 0, changed: 1,"),
        ("de", "Angelegt: 0, geändert: 0,", "Angelegt: 0, geändert: 1,"),
    ] {
        let house = House::new().await;
        let client = house.test.client(&house.test.key(&house.north, "read,write").await);
        let mut browser = house.signed_in(Role::Manager).await.with("accept-language", language);
        let said = json!({ "status": "partly_met", "rationale": "=Rules from 1998", "owner": "Anna Weber",
            "due_on": "2027-01-31", "applies": true });
        let address = "/api/v1/assessments/dora-art-05-02-a";
        client.patch(address, &said).await.expect(200);
        let list = "/workspace/assessments/dora";
        browser.get(list).await.expect(200).shows("/workspace/assessments/import");
        let file = browser.fetch(&format!("{list}/assessments.xlsx")).await.expect(200);
        let text = sheet(&file.bytes);
        assert!(text.contains("<v>46418</v>") && text.contains("<t>dora-art-05-02-a</t>"), "{text}");
        let before = contents(&client, "assessments").await;
        send(&mut browser, "assessments", "import", &file.bytes).await.expect(200).shows(none);
        assert_eq!(contents(&client, "assessments").await, before);
        let edited = with_cell(&file.bytes, ["<t>Anna Weber</t>", "<t>Bo Lund</t>"]);
        send(&mut browser, "assessments", "columns", &edited)
            .await
            .expect(200)
            .shows("<select name=\"column\"");
        send(&mut browser, "assessments", "check", &edited).await.expect(200).shows(one);
        assert_eq!(client.get(address).await.data()["owner"], "Anna Weber");
        send(&mut browser, "assessments", "import", &edited).await.expect(200).shows(one);
        assert_eq!(client.get(address).await.data()["owner"], "Bo Lund");
        send(&mut browser, "assessments", "import", &edited).await.expect(200).shows(none);
    }
    let house = House::new().await;
    for role in [Role::Viewer, Role::Contributor] {
        let mut browser = house.signed_in(role).await;
        browser.get("/workspace/assessments/import").await.expect(403);
        browser.get("/workspace/assessments/dora").await.expect(200).lacks("/workspace/assessments/import");
    }
}

#[tokio::test]
async fn a_refused_line_is_explained_and_the_file_is_kept_until_it_is_imported() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let address = "/workspace/controls/import";
    browser.get("/workspace/controls").await.shows("/workspace/controls/import");
    let table = "What;Due\nRestore test;soon\n";
    let page = browser.upload(address, &[("step", "columns")], table).await.expect(200);
    page.shows("Restore test").shows("<select name=\"column\"");
    // The columns are assigned, the second one to a day.
    let fields = [("step", "check"), ("column", "title"), ("column", "next_due_on")];
    let page = browser.upload(address, &fields, table).await.expect(422);
    page.shows("refused: 1.").shows("Due on: ").shows("2026-11-14");
    browser.get("/workspace/controls").await.lacks("Restore test");
    let fields = [("step", "check"), ("column", "title"), ("column", "")];
    let page = browser.upload(address, &fields, table).await.expect(200);
    let page = page.shows("Created: 1, changed: 0, unchanged: 0, refused: 0.");
    let kept = page.hidden().into_iter().find(|(name, _)| name == "checked").unwrap().1;
    let fields = [("step", "import"), ("checked", kept.as_str()), ("column", "title"), ("column", "")];
    browser.upload(address, &fields, "").await.expect(200).shows("The file is imported");
    browser.get("/workspace/controls").await.shows("Restore test");
    // The next file with these headings is read in the same way.
    browser
        .upload(address, &[("step", "check")], "What;Due\nOther test;x\n")
        .await
        .expect(200)
        .shows("Created: 1");

    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(address).await.expect(403);
    viewer.get("/workspace/controls").await.lacks("/workspace/controls/import");
}
