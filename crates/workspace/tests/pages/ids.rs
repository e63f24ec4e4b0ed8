//! Pages name people, records and entries of the catalogue; ids are for addresses and programs.

use std::collections::{BTreeSet, VecDeque};

use app::catalogue::Edition;
use domain::{id::Uuid7, user::Role, wording::Language};
use serde_json::{Value, json};
use testkit::Client;

use crate::{House, PASSWORD, browser::Browser, records::create};

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

/// Every page that can be reached, each kind of address once, with the ids it shows.
async fn shown_ids(browser: &mut Browser, edition: &Edition) -> (usize, Vec<String>) {
    let (mut kinds, mut found) = (BTreeSet::new(), Vec::new());
    let mut ahead = VecDeque::from(["/workspace".to_owned()]);
    while let Some(address) = ahead.pop_front() {
        let path = address.split(['?', '#']).next().unwrap().to_owned();
        let is_id = |part: &str| part.contains('_') || part.bytes().any(|byte| byte.is_ascii_digit());
        let kind: Vec<&str> = path.split('/').map(|part| if is_id(part) { "_" } else { part }).collect();
        if !kinds.insert(kind.join("/")) || EXCEPTIONS.iter().any(|(page, _)| path.contains(page)) {
            continue;
        }
        let page = browser.get(&address).await;
        if page.status != 200 {
            continue;
        }
        let text = visible(&page.body);
        for id in ids_in(&text, edition) {
            let place = text.find(id).unwrap();
            let around = text[..place].char_indices().rev().nth(60).map_or(0, |(start, _)| start);
            let around = text[around..place + id.len()].split_whitespace().collect::<Vec<_>>().join(" ");
            found.push(format!("{path}: {around}"));
        }
        let links = page.body.split("href=\"").skip(1).filter_map(|rest| rest.split_once('"'));
        ahead.extend(links.map(|(href, _)| href.replace("&amp;", "&")).filter(|href| is_page(href)));
    }
    (kinds.len(), found)
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_page_shows_an_id_where_there_is_a_name() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
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
    house.test.app.raise_deadlines().await.unwrap();
    let edition = house.test.app.catalogue().unwrap();
    for role in Role::ALL {
        let mut browser = match role {
            Role::Manager => house.browser().signed_in("manager@north.example", PASSWORD).await,
            other => house.signed_in(*other).await,
        };
        let page = browser.get(&risk).await.expect(200).shows("manager");
        assert_eq!(ids_in(&visible(&page.body), &edition), BTreeSet::new(), "{role} {risk}");
        let (pages, found) = shown_ids(&mut browser, &edition).await;
        assert!(pages > 40, "{role} reached only {pages} pages");
        assert_eq!(found, Vec::<String>::new(), "{role}");
    }
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
