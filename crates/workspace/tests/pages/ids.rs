//! Pages name people, records and entries of the catalogue; ids are for addresses and programs.

use std::collections::{BTreeSet, VecDeque};

use app::catalogue::Edition;
use domain::{audit_action::AuditKind, id::Uuid7, user::Role, wording::Language};
use serde_json::{Value, json};
use testkit::Client;

use crate::{
    House, PASSWORD,
    browser::Browser,
    records::create,
    reports::read_by,
    roles::{addresses, filled},
};

/// Pages that show ids on purpose, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("/workspace/api-keys", "the id and the beginning of an API key are what its owner compares"),
    (
        "/workspace/compliance/measures/",
        "the page of a measure shows its own id, which programs and files use",
    ),
    (
        "/requirements/new",
        "the form of an own requirement takes ids of the library and gives one as an example",
    ),
];

/// The text a reader sees: no tags, no scripts, no values of attributes.
fn visible(body: &str) -> String {
    let mut text = String::new();
    let mut rest = body;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        let hidden = ["script", "style", "datalist"].into_iter().find(|name| tag.starts_with(name));
        rest = match hidden.and_then(|name| tag.split_once(&format!("</{name}>"))) {
            Some((_, after)) => after,
            None => tag.split_once('>').map_or("", |(_, after)| after),
        };
    }
    text + rest
}

/// The words of a text that are ids.
fn ids_in<'t>(text: &'t str, edition: &Edition) -> BTreeSet<&'t str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != '-');
    words
        .filter(|word| {
            let is_entry = word.contains('-') && edition.title_of(word, Language::English).is_some();
            Uuid7::of_id(word).is_some() || is_entry
        })
        .collect()
}

/// Whether the crawl follows a link: pages of the workspace, no files, no end of the session.
fn is_page(href: &str) -> bool {
    href.starts_with("/workspace")
        && !["sign-out", "/assets", ".pdf", ".csv", ".xlsx", "/export", "/content", "/package", "verify"]
            .iter()
            .any(|part| href.contains(part))
}

/// What one person saw.
#[derive(Default)]
struct Crawl {
    /// The addresses that answered.
    seen: BTreeSet<String>,
    reports: BTreeSet<String>,
    /// Where an id is shown.
    found: Vec<String>,
}

impl Crawl {
    /// Notes the ids in a text.
    fn read(&mut self, place: &str, text: &str, edition: &Edition) {
        for id in ids_in(text, edition) {
            let end = text.find(id).unwrap();
            let start = text[..end].char_indices().rev().nth(60).map_or(0, |(start, _)| start);
            let around = text[start..end + id.len()].split_whitespace().collect::<Vec<_>>().join(" ");
            self.found.push(format!("{place}: {around}"));
        }
    }
}

/// Every page that can be reached: each own record, and each kind of address of the catalogue once.
async fn crawled(browser: &mut Browser, edition: &Edition, starts: &[String]) -> Crawl {
    let (mut kinds, mut crawl) = (BTreeSet::new(), Crawl::default());
    let mut ahead: VecDeque<String> = starts.iter().cloned().collect();
    while let Some(address) = ahead.pop_front() {
        let path = address.split(['?', '#']).next().unwrap().to_owned();
        let is_id = |part: &str| {
            let is_own = Uuid7::of_id(part).is_some();
            !is_own && (part.contains('_') || part.bytes().any(|byte| byte.is_ascii_digit()))
        };
        let kind: Vec<&str> = path.split('/').map(|part| if is_id(part) { "_" } else { part }).collect();
        // The log is a page of its own for each kind of record.
        let kind = if path.ends_with("/audit") { address.clone() } else { kind.join("/") };
        if !kinds.insert(kind) || EXCEPTIONS.iter().any(|(page, _)| path.contains(page)) {
            continue;
        }
        let page = browser.get(&address).await;
        if page.status != 200 {
            continue;
        }
        crawl.seen.insert(path.clone());
        crawl.read(&address, &visible(&page.body), edition);
        let links = page.body.split("href=\"").skip(1).filter_map(|rest| rest.split_once('"'));
        let links: Vec<String> = links.map(|(href, _)| href.replace("&amp;", "&")).collect();
        let reports = links.iter().filter(|href| href.starts_with("/workspace") && href.contains(".pdf"));
        crawl.reports.extend(reports.map(|href| href.split('?').next().unwrap().to_owned()));
        ahead.extend(links.into_iter().filter(|href| is_page(href)));
    }
    crawl
}

/// Whether an address is one of the router's.
fn is_at(address: &str, path: &str) -> bool {
    let (mine, theirs): (Vec<_>, Vec<_>) = (address.split('/').collect(), path.split('/').collect());
    mine.len() == theirs.len() && mine.iter().zip(&theirs).all(|(one, of)| of.starts_with('{') || one == of)
}

async fn made(client: &Client, path: &str, body: &Value) -> String {
    client.post(path, body).await.expect(201).data()["id"].as_str().unwrap().to_owned()
}

/// One record of every kind, linked with each other.
async fn fill(client: &Client) {
    let programme =
        json!({ "name": "Yearly tests", "framework": "dora", "functions": ["Payments", "Lending"] });
    let programme = made(client, "/api/v1/programmes", &programme).await;
    let test = json!({ "programme_id": programme, "title": "Restore", "test_type": "tlpt" });
    let test = made(client, "/api/v1/test-cases", &test).await;
    let measure = client.get("/api/v1/dora/measures?limit=1").await.expect(200).data()[0]["id"].clone();
    let finding = json!({
        "title": "No restore", "severity": "high", "test_case_id": test, "measures": [measure],
        "due_on": "2026-11-20",
    });
    let finding = made(client, "/api/v1/findings", &finding).await;
    client.patch(&format!("/api/v1/findings/{finding}"), &json!({ "test_case_id": null })).await.expect(200);
    client.patch(&format!("/api/v1/findings/{finding}"), &json!({ "test_case_id": test })).await.expect(200);
    let comment = json!({ "text": "Is this still open?" });
    client.post(&format!("/api/v1/findings/{finding}/comments"), &comment).await.expect(201);
    let function = json!({ "name": "Custody", "criticality": "critical_or_important" });
    let function = made(client, "/api/v1/functions", &function).await;
    let control = json!({ "title": "Alarm test", "measure_id": measure, "functions": ["Custody"] });
    let control = made(client, "/api/v1/controls", &control).await;
    client.post(&format!("/api/v1/controls/{control}/performed"), &json!({})).await.expect(200);
    let risk = json!({
        "title": "Ransomware", "category": "people", "inherent": { "likelihood": 3, "impact": 3 },
        "functions": [function], "controls": [control], "findings": [finding],
    });
    made(client, "/api/v1/risks", &risk).await;
    let evidence = json!({ "title": "Report", "url": "https://example.com/report" });
    let evidence = made(client, "/api/v1/evidence", &evidence).await;
    let links = format!("/api/v1/evidence/{evidence}/links");
    client.post(&links, &json!({ "type": "finding", "id": finding })).await.expect(200);
    client.post(&links, &json!({ "type": "assessment", "id": "dora-art-05-02-a" })).await.expect(200);
    let answer = json!({ "status": "met", "rationale": "Done" });
    client.patch("/api/v1/assessments/dora-art-05-02-a", &answer).await.expect(200);
    let asked =
        json!({ "text": "Test reports", "subject": finding, "owner": "Dana", "due_on": "2026-12-01" });
    let asked =
        format!("/api/v1/evidence-requests/{}", made(client, "/api/v1/evidence-requests", &asked).await);
    client.patch(&asked, &json!({ "subject": control })).await.expect(200);
    let answer = json!({ "text": "Attached", "evidence": [evidence] });
    client.post(&format!("{asked}/answer"), &answer).await.expect(200);
    let sample =
        json!({ "list": "findings", "filter": { "programme_id": programme }, "size": 1, "purpose": "Audit" });
    made(client, "/api/v1/samples", &sample).await;
    let incident =
        json!({ "title": "Outage", "regimes": ["dora", "gdpr"], "facts": { "malicious_access": true } });
    let incident = made(client, "/api/v1/incidents", &incident).await;
    client.post(&format!("/api/v1/incidents/{incident}/classify"), &json!({})).await.expect(200);
    let run =
        json!({ "scenario": "drill-ransomware-core-banking", "planned_for": "2027-03-18", "title": "Drill" });
    made(client, "/api/v1/drill-runs", &run).await;
    let cra = json!({
        "kind": "severe_incident", "product": { "name": "Banking app" }, "title": "Breach", "severity": "high",
        "aware_at": "2026-11-14T13:00:00Z",
    });
    made(client, "/api/v1/cra/reports", &cra).await;
    let cra = client.get("/api/v1/cra/reports").await.expect(200).data()[0]["id"].clone();
    let sent = json!({ "status": "early_warning_sent", "submission_reference": "CSIRT-1" });
    client.patch(&format!("/api/v1/cra/reports/{}", cra.as_str().unwrap()), &sent).await.expect(200);
    made(client, "/api/v1/own-frameworks", &json!({ "key": "house", "title": "House rules" })).await;
    made(client, "/api/v1/tasks", &json!({ "title": "Call", "owner": "Dana", "about": finding })).await;
    let arrangement = json!({
        "reference": "V-1", "provider": { "name": "Cloud AG", "country": "DE", "sector": "IT" },
        "service": "Hosting", "service_type": "S17", "technology": "Cloud", "region": "Frankfurt",
        "substitutability": "hard", "starts_on": "2026-01-01", "functions": [{ "name": "Payments", "critical": true }],
        "annual_cost": { "amount": 100, "currency": "EUR" },
    });
    made(client, "/api/v1/ict-arrangements", &arrangement).await;
    client.post("/api/v1/concentration-risk/analyze", &json!({})).await.expect(201);
    let provider =
        client.get("/api/v1/providers").await.expect(200).data()[0]["id"].as_str().unwrap().to_owned();
    client.post(&format!("/api/v1/providers/{provider}/reviews"), &json!({})).await.expect(201);
    let cells = json!({ "c0010": "529900TIDEWALLBANK74", "c0020": "North Bank AG", "c0030": "eba_GA:DE" });
    made(client, "/api/v1/register/B_01.01/rows", &json!({ "cells": cells })).await;
    made(client, "/api/v1/register/filings", &json!({ "owner": "Dana" })).await;
    let gone = made(client, "/api/v1/findings", &json!({ "title": "Mistake", "severity": "low" })).await;
    client.patch(&format!("/api/v1/findings/{gone}"), &json!({ "severity": "high" })).await.expect(200);
    client.delete(&format!("/api/v1/findings/{gone}")).await.expect(204);
}

/// Decisions, corrections and what people keep for themselves, so that their pages have something to show.
async fn fill_more(house: &House, client: &Client, manager: &mut Browser) {
    let id_of = |record: &Value| record["id"].as_str().unwrap().to_owned();
    let critical = json!({ "title": "Console open", "severity": "critical", "owner": "Dana" });
    let critical = made(client, "/api/v1/findings", &critical).await;
    let retest = json!({ "result": "failed", "performed_on": "2026-11-14", "actual_result": "Still open" });
    client.post(&format!("/api/v1/findings/{critical}/retests"), &retest).await.expect(201);
    for action in ["false_positive", "accept"] {
        let mut ask = json!({ "subject": critical, "action": action, "reason": "Only in the lab" });
        if action == "accept" {
            ask["until"] = json!("2026-12-31");
        }
        let asked = made(client, "/api/v1/approvals", &ask).await;
        if action == "false_positive" {
            let page = format!("/workspace/approvals/{asked}");
            manager
                .submit(&page, &format!("{page}/refuse"), &[("note", "It is in production")])
                .await
                .expect(303);
        }
    }
    client.put(&format!("/api/v1/findings/{critical}/tags"), &json!({ "tags": ["audit"] })).await.expect(200);
    let adopted = client.get("/api/v1/dora/measures?limit=1").await.expect(200).data()[0]["id"].clone();
    client.post("/api/v1/controls/adopt", &json!({ "measures": [adopted] })).await.expect(200);
    let control = id_of(&client.get("/api/v1/controls?search=alarm").await.expect(200).data()[0]);
    let wrong = json!({ "field": "note", "value": "By hand", "reason": "Was missing" });
    client.post(&format!("/api/v1/controls/{control}/performances/1/corrections"), &wrong).await.expect(200);
    let task = json!({ "title": "Answer the auditor", "about": "dora-art-05-02-a" });
    made(client, "/api/v1/tasks", &task).await;
    let gone = made(client, "/api/v1/findings", &json!({ "title": "Mistake", "severity": "low" })).await;
    made(client, "/api/v1/tasks", &json!({ "title": "Look again", "about": gone })).await;
    client.delete(&format!("/api/v1/findings/{gone}")).await.expect(204);
    made(client, "/api/v1/views", &json!({ "list": "findings", "name": "Mine", "shared": true })).await;
    let arrangement = json!({
        "reference": "V-2", "provider": { "name": "Polar AG", "country": "DE", "sector": "IT" },
        "service": "Hosting", "service_type": "S17", "technology": "Cloud", "region": "Frankfurt",
        "substitutability": "hard", "starts_on": "2026-01-01", "annual_cost": { "amount": 100, "currency": "EUR" },
    });
    let simulation = json!({ "name": "With Polar", "sign": [arrangement] });
    made(client, "/api/v1/concentration-risk/simulations", &simulation).await;
    let hook = json!({ "name": "SIEM", "url": "https://events.example/x", "active": false });
    made(client, "/api/v1/event-hooks", &hook).await;
    let webhook = json!({
        "name": "Chat", "channel": "slack", "events": ["finding.created"],
        "url": "https://hooks.slack.com/services/T/B/x",
    });
    made(client, "/api/v1/webhooks", &webhook).await;
    let incident = id_of(&client.get("/api/v1/incidents").await.expect(200).data()[0]);
    let sent = json!({ "incomplete": true, "reference": "BA-1" });
    let report = format!("/api/v1/incidents/{incident}/reports/dora/initial");
    client.post(&format!("{report}/submitted"), &sent).await.expect(200);
    let receipt = id_of(&client.get("/api/v1/evidence").await.expect(200).data()[0]);
    let receipt = json!({ "field": "receipt", "value": receipt, "reason": "Came by mail" });
    client.post(&format!("{report}/corrections"), &receipt).await.expect(200);
    let run = id_of(&client.get("/api/v1/drill-runs").await.expect(200).data()[0]);
    client.post(&format!("/api/v1/drill-runs/{run}/start"), &json!({})).await.expect(200);
    client
        .post(&format!("/api/v1/drill-runs/{run}/decisions"), &json!({ "text": "Isolate" }))
        .await
        .expect(201);
    let mut auditor = house.signed_in(Role::Auditor).await;
    let page = format!("/workspace/findings/{critical}");
    auditor
        .submit(&page, &format!("/workspace/records/{critical}/notes"), &[("text", "Ask for the log")])
        .await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let wish = [("as_of", "2026-11-13"), ("from", ""), ("framework", "")];
    administrator.submit("/workspace/bundles", "/workspace/bundles", &wish).await.expect(303);
}

/// Pages that the crawl reaches in no role, and why.
const OUT_OF_REACH: &[(&str, &str)] = &[
    ("/sign-", "before signing in"),
    ("/link", "of one person, with a token"),
    ("/assets", "no page"),
    ("/inbox/{id}", "leads on to the record"),
    ("/comments/{id}", "leads on to the record"),
    ("/profile/", "steps of a second factor, without records"),
    ("/users/{id}/", "results of a step"),
    ("/content", "a file"),
    ("/package", "a file"),
    ("/audit/verify", "a result without records, which takes long"),
    ("/concentration-risk/compare", "compares two analyses, which this institution does not have"),
    ("/own-frameworks/{id}/requirements/", "a form that takes ids of the library"),
    ("/work/tasks/{id}/edit", "the form of a task again, which its page shows as well"),
    ("/trainings/{id}/result", "the form of a course held elsewhere, without records"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_page_report_or_entry_of_the_log_shows_an_id_where_there_is_a_name() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write,manage_keys").await);
    fill(&client).await;
    let mut manager = house.signed_in(Role::Manager).await;
    let risk = accepted_risk(&mut manager).await;
    let people = client.get("/api/v1/people").await.expect(200).data();
    let training = json!({
        "module": "training-dora-essentials", "people": [people[0]["id"]], "due_on": "2026-11-20",
    });
    let training = client.post("/api/v1/trainings", &training).await.expect(201).data();
    let training = format!("/api/v1/trainings/{}", training[0]["id"].as_str().unwrap());
    client.patch(&training, &json!({ "management_body": true })).await.expect(200);
    fill_more(&house, &client, &mut manager).await;
    let field = json!({ "kind": "finding", "type": "text", "label": "Cost centre" });
    client.post("/api/v1/custom-fields", &field).await.expect(201);
    house.test.app.raise_deadlines().await.unwrap();
    let edition = house.test.app.catalogue().unwrap();
    let mut seen = BTreeSet::new();
    for role in Role::ALL {
        let mut browser = match role {
            Role::Manager | Role::Auditor | Role::Administrator => {
                house.browser().signed_in(&format!("{role}@north.example"), PASSWORD).await
            }
            other => house.signed_in(*other).await,
        };
        let page = browser.get(&risk).await.expect(200).shows("manager");
        assert_eq!(ids_in(&visible(&page.body), &edition), BTreeSet::new(), "{role} {risk}");
        let logs = AuditKind::ALL.iter().map(|kind| format!("/workspace/audit?kind={kind}"));
        // The own fields of a kind are at the address of the list of kinds.
        let first = ["/workspace", "/workspace/settings/own-fields?kind=finding"].map(str::to_owned);
        let starts: Vec<String> = first.into_iter().chain(logs).collect();
        let mut crawl = crawled(&mut browser, &edition, &starts).await;
        assert!(crawl.seen.len() > 40, "{role} reached only {} pages", crawl.seen.len());
        if *role == Role::Manager {
            for path in crawl.reports.clone() {
                let file = browser.fetch(&path).await.expect(200);
                crawl.read(&path, &read_by("pdftotext", &["-raw", "-", "-"], &file.bytes), &edition);
            }
            assert!(crawl.reports.len() >= 20, "{:?}", crawl.reports);
        }
        assert_eq!(crawl.found, Vec::<String>::new(), "{role}");
        seen.extend(crawl.seen);
    }
    let mut browser = house.browser().signed_in("administrator@north.example", PASSWORD).await;
    let mut unseen = Vec::new();
    for path in addresses(&house) {
        let excepted = EXCEPTIONS.iter().any(|(page, _)| format!("/workspace{path}").contains(page));
        let is_left_out = excepted || OUT_OF_REACH.iter().any(|(part, _)| path.contains(part));
        let is_seen = seen.iter().any(|one| is_at(one, &format!("/workspace{path}")));
        if is_left_out || is_seen || path.contains('.') {
            continue;
        }
        // An address that takes forms only is no page.
        let answer = browser.fetch(&filled(&path)).await;
        let is_page =
            answer.headers.get("content-type").is_some_and(|kind| kind == "text/html; charset=utf-8");
        if answer.status != 405 && is_page {
            unseen.push(path);
        }
    }
    assert_eq!(unseen, Vec::<String>::new(), "pages that no crawl looks at");
}

/// A risk of the library with a proposal to accept it.
async fn accepted_risk(browser: &mut Browser) -> String {
    let adopt = "/workspace/risks/adopt";
    let done = browser.submit(adopt, adopt, &[("risks", "risk-data-centre-failure")]).await.expect(303);
    let list = browser.get(done.location()).await;
    let id = format!("rsk_{}", list.between("href=\"/workspace/risks/rsk_", "\""));
    let risk = format!("/workspace/risks/{id}");
    let proposal = [("acceptance.reason", "Replaced in spring"), ("acceptance.until", "2027-03-31")];
    browser.submit(&risk, &format!("{risk}/acceptance"), &proposal).await.expect(303);
    risk
}

#[tokio::test]
async fn the_log_shows_lists_as_lists_changes_as_changes_and_names_for_ids() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    fill(&client).await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let finding = [("title", "Backups fail"), ("severity", "low")];
    create(&mut browser, "/workspace/findings", &finding).await;
    let log = visible(&browser.get("/workspace/audit?kind=programmes").await.expect(200).body);
    assert!(log.contains("Payments, Lending") && !log.contains("Payments → Lending"), "{log}");
    let log = visible(&browser.get("/workspace/audit?kind=findings").await.expect(200).body);
    assert!(!log.contains("Contract reference") && log.contains("Reference"), "{log}");
    assert!(log.contains("Low → High"), "{log}");
    let created = log.split("finding.created").nth(1).unwrap();
    assert!(!created.split("finding.").next().unwrap().contains("not set"), "{created}");
    let log = visible(&browser.get("/workspace/audit?kind=controls").await.expect(200).body);
    assert!(!log.contains("dora-art-05-02-a"), "{log}");
    browser.get("/workspace/audit?kind=programme").await.expect(422);
    browser.get("/workspace/audit.csv?kind=programme").await.expect(422);
}
