//! A long weekend of a bank, from Friday morning to Monday night: at the end the API shows everything that happened,
//! whatever failed in between.

mod bank;

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use testkit::{Engine, Reply};

use self::bank::{Bank, at};
use crate::faults::figure;

const FINDINGS: &str = "/api/v1/findings";
const REPORTS: &str = "/api/v1/cra/reports";
const ANALYSIS: &str = "/api/v1/concentration-risk";
const WEBHOOKS: &str = "/api/v1/webhooks";

const SCAN: &str = r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Semgrep"}}, "results": [
    {"ruleId": "sql-injection", "level": "error", "message": {"text": "Query built from input"}},
    {"ruleId": "weak-hash", "level": "note", "message": {"text": "MD5"}}]}]}"#;
const REGISTER: &str = include_str!("../../src/demo/register.csv");

/// The expected state of the weekend.
#[derive(Default)]
struct Memory {
    webhook: Value,
    programme: Value,
    test_case: Value,
    finding: Value,
    incident: Value,
    report: Value,
}

async fn the_weekend(engine: Engine) {
    let mut bank = Bank::open(engine, "2026-11-13T06:45:00Z").await;
    let mut memory = Memory::default();
    friday_morning(&mut bank, &mut memory).await;
    friday_afternoon(&mut bank).await;
    friday_night(&mut bank, &mut memory).await;
    let mut bank = saturday(bank, &mut memory).await;
    sunday_morning(&mut bank).await;
    let mut bank = sunday_disaster(bank).await;
    monday(&mut bank, &memory).await;
    the_state_is_what_they_remember(&bank, &memory).await;
    everybody_was_reported_once(&bank, &memory).await;
}

/// The register and a scan are imported, a test fails and leads to a finding.
async fn friday_morning(bank: &mut Bank, memory: &mut Memory) {
    let events =
        ["finding.created", "finding.status_changed", "test_case.status_changed", "deadline.approaching"];
    let webhook =
        json!({ "name": "Duty", "channel": "slack", "url": bank.chat.url("/duty"), "events": events });
    memory.webhook = bank.created(WEBHOOKS, &webhook).await;
    let register = bank.imported("/api/v1/ict-arrangements", "text/csv", REGISTER).await;
    assert_eq!(register["added"], REGISTER.lines().count() - 1);
    bank.until("2026-11-13T08:00:00Z").await;
    assert_eq!(bank.imported(FINDINGS, "application/sarif+json", SCAN).await["added"], 2);
    assert_eq!(bank.imported(FINDINGS, "application/sarif+json", SCAN).await["unchanged"], 2, "sent twice");

    bank.until("2026-11-13T09:00:00Z").await;
    let programme = json!({ "name": "Resilience 2026", "framework": "dora", "functions": ["Payments"] });
    memory.programme = bank.created("/api/v1/programmes", &programme).await;
    bank.moved("/api/v1/programmes", &memory.programme, &["active"]).await;
    let test_case = json!({ "programme_id": memory.programme["id"], "title": "Restore of core banking",
                            "test_type": "scenario_based_test", "due_on": "2026-11-20" });
    memory.test_case = bank.created("/api/v1/test-cases", &test_case).await;
    bank.moved("/api/v1/test-cases", &memory.test_case, &["ready", "in_progress", "failed"]).await;
    let finding = json!({ "test_case_id": memory.test_case["id"], "title": "Restore takes nine hours",
                          "severity": "critical", "owner": "Ms Sommer", "due_on": "2026-11-16" });
    memory.finding = bank.created(FINDINGS, &finding).await;
    assert_eq!(memory.finding["reference"], "F-2026-0003");
}

/// The concentration of providers exceeds its limit, and the chat is out of order.
async fn friday_afternoon(bank: &mut Bank) {
    bank.until("2026-11-13T13:00:00Z").await;
    let thresholds = json!({ "provider_concentration_pct": 5 });
    bank.client.patch(&format!("{ANALYSIS}/thresholds"), &thresholds).await.expect(200);
    let analysis =
        bank.client.post(&format!("{ANALYSIS}/analyze"), &json!({ "basis": "arrangements" })).await;
    assert!(analysis.expect(201).data()["breaches"].as_u64().unwrap() > 0);
    bank.until("2026-11-13T15:00:00Z").await;
    bank.chat.always("/duty", Reply::Status(503));
}

/// Friday, 22:40: payments stop. The chat does not deliver the message.
async fn friday_night(bank: &mut Bank, memory: &mut Memory) {
    bank.until("2026-11-13T22:40:00Z").await;
    let before = output(bank).len();
    let incident =
        json!({ "title": "Payments stopped", "severity": "critical", "affected_asset": "Payments" });
    memory.incident = bank.created(FINDINGS, &incident).await;
    let report = json!({
        "kind": "severe_incident", "product": { "name": "Payments gateway", "version": "4.2" },
        "title": "Payments stopped", "severity": "critical", "aware_at": bank.now(), "member_states": ["DE"],
    });
    memory.report = bank.created(REPORTS, &report).await;
    bank.moved(FINDINGS, &memory.incident, &["in_progress"]).await;
    bank.until("2026-11-14T00:30:00Z").await;
    assert_eq!(output(bank).len(), before, "the chat confirmed nothing");
    let log = bank.list(&format!("{}/deliveries?state=waiting", at(WEBHOOKS, &memory.webhook))).await;
    assert!(log.len() >= 2, "what happened waits: {log:?}");
    bank.chat.always("/duty", Reply::Ok);
}

/// The chat is back, the clocks of the report are announced, the early warning is sent in time; then a restart.
async fn saturday(mut bank: Bank, memory: &mut Memory) -> Bank {
    bank.until("2026-11-14T19:00:00Z").await;
    let seen = bank.client.get(&at(REPORTS, &memory.report)).await.expect(200).data();
    assert_eq!(seen["stages"]["early_warning"]["state"], "due_soon");
    let sent = bank.moved(REPORTS, &memory.report, &["early_warning_sent"]).await;
    assert_eq!(sent["stages"]["early_warning"]["state"], "submitted");
    let bank = bank.restarted().await;
    bank.moved(FINDINGS, &memory.incident, &["resolved"]).await;
    bank
}

async fn sunday_morning(bank: &mut Bank) {
    bank.until("2026-11-15T01:00:00Z").await;
}

/// After the nightly backup one finding is created; then the store is lost, the backup restored, and the client,
/// which does not know the outcome of its request, sends it again with the same key.
async fn sunday_disaster(mut bank: Bank) -> Bank {
    let file = bank.backed_up().await;
    bank.until("2026-11-15T02:00:00Z").await;
    let late = json!({ "title": "Runbook outdated", "severity": "medium" });
    let client = bank.client.with("idempotency-key", "night-shift-1");
    let first = client.post(FINDINGS, &late).await.expect(201);
    assert_eq!(client.post(FINDINGS, &late).await.header("idempotency-replayed"), Some("true"));

    let mut bank = bank.restored(file).await;
    let again = bank.client.with("idempotency-key", "night-shift-1").post(FINDINGS, &late).await.expect(201);
    assert_eq!(again.header("idempotency-replayed"), None, "the restored store has not heard of it");
    assert_eq!(again.data()["reference"], first.data()["reference"], "no number is left out");
    bank.until("2026-11-15T12:00:00Z").await;
    bank
}

/// The notification is sent within 72 hours, and the incident is closed.
async fn monday(bank: &mut Bank, memory: &Memory) {
    bank.until("2026-11-16T20:00:00Z").await;
    bank.moved(REPORTS, &memory.report, &["notification_sent"]).await;
    bank.moved(FINDINGS, &memory.incident, &["closed"]).await;
    bank.moved("/api/v1/test-cases", &memory.test_case, &["in_progress", "passed"]).await;
    bank.until("2026-11-16T21:00:00Z").await;
}

async fn the_state_is_what_they_remember(bank: &Bank, memory: &Memory) {
    let report = bank.client.get(&at(REPORTS, &memory.report)).await.expect(200).data();
    let stage =
        |name: &str| (report["stages"][name]["state"].clone(), report["stages"][name]["due_at"].clone());
    assert_eq!(stage("early_warning"), (json!("submitted"), json!("2026-11-14T22:40:00Z")));
    assert_eq!(stage("notification"), (json!("submitted"), json!("2026-11-16T22:40:00Z")));
    assert_eq!(stage("final_report"), (json!("pending"), json!("2026-12-16T20:00:00Z")), "a month after it");

    let open = bank.list(&format!("{FINDINGS}?sort=created_at")).await;
    let open: Vec<_> = open.iter().map(|finding| finding["reference"].as_str().unwrap()).collect();
    assert_eq!(open, ["F-2026-0001", "F-2026-0002", "F-2026-0003", "F-2026-0005"], "the incident is closed");
    let incident = bank.client.get(&at(FINDINGS, &memory.incident)).await.expect(200).data();
    let path: Vec<_> = incident["history"].as_array().unwrap().iter().map(|step| &step["to"]).collect();
    assert_eq!(path, ["open", "in_progress", "resolved", "closed"]);
    let overdue = bank.list(&format!("{FINDINGS}?overdue=true")).await;
    assert!(overdue.is_empty(), "due today is not overdue: {overdue:?}");

    let programme = bank.client.get(&at("/api/v1/programmes", &memory.programme)).await.expect(200).data();
    assert_eq!(programme["test_cases"]["by_status"]["passed"], 1);
    assert_eq!((&programme["findings"]["open"], &programme["findings"]["total"]), (&json!(1), &json!(1)));
    let arrangements = bank.client.get("/api/v1/ict-arrangements").await.expect(200).json();
    assert_eq!(arrangements["meta"]["total"], REGISTER.lines().count() - 1);
    let latest = bank.client.get(&format!("{ANALYSIS}/latest")).await.expect(200).data();
    assert_eq!(latest["analysed_at"], "2026-11-13T13:00:00Z");
    let breaches = bank.list(&format!("{ANALYSIS}/breaches")).await;
    assert_eq!(latest["breaches"], breaches.len());
    assert!(breaches.iter().any(|breach| breach["dimension"] == "provider"), "{breaches:?}");
    let alerts = bank.list("/api/v2/alerts?limit=100").await;
    assert!(!alerts.is_empty(), "the breaches are alerts");
}

/// The ids of the events that the chat confirmed, each time it did.
fn output(bank: &Bank) -> Vec<String> {
    let confirmed = bank.chat.messages_at("/duty").into_iter().filter(|message| message.reply == Reply::Ok);
    confirmed.flat_map(|message| message.events()).collect()
}

/// The restore lost the record of messages sent since the backup; nothing else may have been sent twice.
async fn everybody_was_reported_once(bank: &Bank, memory: &Memory) {
    let webhook = bank.client.get(&at(WEBHOOKS, &memory.webhook)).await.expect(200).data();
    assert_eq!((&webhook["active"], &webhook["failing"]), (&json!(true), &json!(false)), "{webhook}");
    assert_eq!(webhook["last_delivery"]["outcome"], "delivered");
    let log = bank.list(&format!("{}/deliveries?limit=500", at(WEBHOOKS, &memory.webhook))).await;
    assert!(log.iter().all(|delivery| delivery["state"] == "delivered"), "{log:?}");
    let mut times: HashMap<String, usize> = HashMap::new();
    for event in output(bank) {
        *times.entry(event).or_default() += 1;
    }
    let logged: HashSet<&str> =
        log.iter().map(|delivery| delivery["event"]["id"].as_str().unwrap()).collect();
    assert!(logged.iter().all(|event| times.contains_key(*event)), "confirmed, but never sent");
    let twice: Vec<_> = times.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "delivered twice: {twice:?}");
    // Two deadlines of the report were near before each stage went out, a third for the notification.
    let kinds = |kind: &str| log.iter().filter(|delivery| delivery["event"]["type"] == kind).count();
    assert_eq!(kinds("finding.status_changed"), 3, "the incident's moves");
    assert!(kinds("deadline.approaching") >= 4, "{} deadlines", kinds("deadline.approaching"));
    figure(format_args!("{} deliveries over the weekend, each event delivered once", log.len()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_weekend_on_sqlite() {
    the_weekend(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_weekend_on_postgres() {
    the_weekend(Engine::Postgres).await;
}
