//! `/api/v1/reports` and `/api/v1/report-templates`.

mod board;
mod expected;
mod review;
mod templates;

use std::{
    io::Write as _,
    process::{Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

const REPORTS: &str = "/api/v1/reports";
const TEMPLATES: &str = "/api/v1/report-templates";
const DAY: i64 = 24 * 3_600_000;

fn wish(kind: &str) -> Value {
    json!({ "kind": kind, "from": "2026-10-01", "until": "2026-11-14", "language": "en" })
}

/// Waits until a report is made, and gives its record.
async fn made(client: &Client, id: &str) -> Value {
    for _ in 0..1200 {
        let report = client.get(&format!("{REPORTS}/{id}")).await.expect(200).data();
        assert_ne!(report["state"], "failed", "{report}");
        if report["state"] == "made" {
            return report;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the report was never made");
}

async fn asked(client: &Client, wish: &Value) -> (Value, Vec<u8>) {
    let asked = client.post(REPORTS, wish).await.expect(202);
    let id = asked.data()["id"].as_str().unwrap().to_owned();
    assert_eq!(asked.header("location"), Some(format!("{REPORTS}/{id}").as_str()));
    let report = made(client, &id).await;
    (report, content(client, &id).await)
}

async fn content(client: &Client, id: &str) -> Vec<u8> {
    let content = client.get(&format!("{REPORTS}/{id}/content")).await.expect(200);
    assert_eq!(content.header("content-type"), Some("application/pdf"));
    content.body.to_vec()
}

/// The words of a PDF, cell by cell, with single spaces.
fn text(pdf: &[u8]) -> String {
    let output = piped("pdftotext", &["-raw", "-", "-"], pdf);
    output.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn pages(pdf: &[u8]) -> usize {
    piped("pdftotext", &["-raw", "-", "-"], pdf).matches('\u{c}').count()
}

fn piped(program: &str, arguments: &[&str], input: &[u8]) -> String {
    let mut reader =
        Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    reader.stdin.take().unwrap().write_all(input).unwrap();
    String::from_utf8(reader.wait_with_output().unwrap().stdout).unwrap()
}

/// The same bytes for ever, whatever happens to the records and the templates.
async fn frozen(app: TestApp) {
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write,manage_keys").await);
    let finding = json!({ "title": "Backups", "severity": "high" });
    let finding = client.post("/api/v1/findings", &finding).await.expect(201).data();
    let template = client.post(TEMPLATES, &json!({ "name": "Plain" })).await.expect(201).data();
    let mut wish = wish("board");
    wish["template"] = template["id"].clone();
    let (report, bytes) = asked(&client, &wish).await;
    let address = format!("{REPORTS}/{}", report["id"].as_str().unwrap());
    assert_eq!((&report["released_at"], &report["bytes"]), (&Value::Null, &json!(bytes.len())));
    assert!(text(&bytes).contains("On 14 Nov 2026, 1 finding is open"), "{}", text(&bytes));

    let released = client.post(&format!("{address}/release"), &json!({})).await.expect(200).data();
    assert!(released["released_by"].as_str().unwrap().starts_with("key_"));
    app.clock.advance(DAY);
    let again = client.post(&format!("{address}/release"), &json!({})).await.expect(200).data();
    assert_eq!(again["released_at"], released["released_at"], "the first release counts");

    let change = json!({ "title": "Other", "severity": "low" });
    client.patch(&format!("/api/v1/findings/{}", finding["id"].as_str().unwrap()), &change).await.expect(200);
    client.delete(&format!("{TEMPLATES}/{}", template["id"].as_str().unwrap())).await.expect(204);
    let refused = client.delete(&address).await.expect(409);
    assert!(refused.to_string().contains("is released"), "{refused}");
    app.clock.advance(400 * DAY);
    app.app.period_report.prune_reports().await.unwrap();
    // The key has ended by then.
    let client = app.client(&app.key(&tenant, "read,write,manage_keys").await);
    let id = report["id"].as_str().unwrap();
    assert_eq!(content(&client, id).await, bytes);
    assert_eq!(client.get(&address).await.expect(200).data()["sha256"], report["sha256"]);
    let log = client.get(&format!("/api/v1/audit?record={id}")).await.expect(200).to_string();
    for action in ["report.asked", "report.made", "report.released"] {
        assert!(log.contains(action), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_released_report_stays_the_same_on_sqlite() {
    frozen(TestApp::on(Engine::Sqlite).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_released_report_stays_the_same_on_postgres() {
    frozen(TestApp::on(Engine::Postgres).await).await;
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_report_that_is_not_released_is_deleted_by_hand_or_after_thirty_days(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let (report, _) = asked(&client, &wish("testing")).await;
    let address = format!("{REPORTS}/{}", report["id"].as_str().unwrap());
    client.delete(&address).await.expect(204);
    client.get(&address).await.expect(404);
    client.get(&format!("{address}/content")).await.expect(404);
    client.post(&format!("{address}/release"), &json!({})).await.expect(404);
    let (report, _) = asked(&client, &wish("incidents")).await;
    let address = format!("{REPORTS}/{}", report["id"].as_str().unwrap());
    app.clock.advance(29 * DAY);
    app.app.period_report.prune_reports().await.unwrap();
    client.get(&address).await.expect(200);
    app.clock.advance(2 * DAY);
    assert_eq!(app.app.period_report.prune_reports().await.unwrap(), 1);
    client.get(&address).await.expect(404);
}

#[tokio::test]
async fn what_cannot_be_asked_for_is_refused_by_its_field() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let with = |field: &str, value: Value| {
        let mut wish = wish("board");
        wish[field] = value;
        wish
    };
    for (wish, field) in [
        (json!({}), "kind"),
        (json!({ "kind": "board", "from": "2026-10-01" }), "until"),
        (with("kind", json!("weather")), "kind"),
        (with("until", json!("2026-11-16")), "until"),
        (with("until", json!("2026-09-30")), "until"),
        (with("from", json!("2020-01-01")), "until"),
        (with("from", json!("yesterday")), "from"),
        (with("language", json!("fr")), "language"),
        (with("framework", json!("dora")), "framework"),
        (with("kind", json!("framework")), "framework"),
        (with("template", json!("rpt_01k9x14js0e00000000000000a")), "template"),
        (with("template", json!("' OR 1=1")), "template"),
    ] {
        let refused = client.post(REPORTS, &wish).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{wish}: {refused}");
    }
    assert_eq!(client.get(REPORTS).await.expect(200).data(), json!([]));
}

#[tokio::test]
async fn a_report_needs_a_key_that_reads_every_kind_of_record() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let with_all_but = async |missing: &str| {
        let resources =
            domain::key_limits::RESOURCES.iter().filter(|name| **name != missing && **name != "accounts");
        let scopes: Vec<_> =
            resources.flat_map(|name| [format!("{name}:read"), format!("{name}:write")]).collect();
        let limits = json!({ "name": "scoped", "permissions": ["write", "manage_keys"], "scopes": scopes });
        let key = client.post("/api/v1/keys", &limits).await.expect(201).data();
        app.client(key["key"].as_str().unwrap())
    };
    for missing in ["reports", "risks", "approvals", "concentration-risk", "test-coverage"] {
        let scoped = with_all_but(missing).await;
        let refused = scoped.post(REPORTS, &wish("board")).await.expect(403);
        assert!(refused.error().contains(missing), "{refused}");
        scoped.get(REPORTS).await.expect(403);
    }
    with_all_but("alerts").await.get(REPORTS).await.expect(200);
}

#[tokio::test]
async fn a_report_of_an_institution_without_records_says_so_in_both_languages() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let (_, english) = asked(&client, &wish("board")).await;
    let english = text(&english);
    for part in [
        "No decision is asked for on 14 Nov 2026.",
        "No requirement is assessed on 14 Nov 2026.",
        "No risk is recorded on 14 Nov 2026.",
        "No incident was detected in this period.",
        "No finding is open on 14 Nov 2026.",
        "No test is recorded on 14 Nov 2026.",
        "The register contains no arrangement on 14 Nov 2026.",
        "No analysis of concentration was made by 14 Nov 2026.",
        "No training is assigned on 14 Nov 2026.",
    ] {
        assert!(english.contains(part), "no {part:?} in {english}");
    }
    let mut german = wish("board");
    german["language"] = json!("de");
    let (_, german) = asked(&client, &german).await;
    let german = text(&german);
    for part in
        ["Bericht an das Leitungsorgan", "ist kein Risiko erfasst.", "wird keine Entscheidung erbeten."]
    {
        assert!(german.contains(part), "no {part:?} in {german}");
    }
}

#[tokio::test]
async fn each_kind_shows_its_parts_alone() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    for (kind, has, lacks) in [
        ("third_parties", "Third parties, concentration and filings", "Decisions asked for"),
        ("incidents", "Incidents", "Concentration"),
        ("testing", "Tests and coverage", "Trainings of the management body"),
    ] {
        let (report, pdf) = asked(&client, &wish(kind)).await;
        let pdf = text(&pdf);
        assert!(pdf.contains(has) && !pdf.contains(lacks), "{kind}: {pdf}");
        assert_eq!(report["kind"], kind);
    }
    let mut dora = wish("framework");
    dora["framework"] = json!("dora");
    let (report, pdf) = asked(&client, &dora).await;
    assert_eq!(report["framework"], "dora");
    assert!(text(&pdf).contains("Report on a framework: DORA"), "{}", text(&pdf));
}
