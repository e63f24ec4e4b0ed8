//! The cross-tenant probe: a request for another tenant's record gets the same response as one that does not exist.

use app::{
    authz::Caller,
    jobs::delivery::{DeliveryOptions, Dispatcher},
    user::UserDraft,
};
use domain::{password::Password, text::Name, user::Role};
use http::Method;
use serde_json::{Value, json};
use testkit::{Answer, Client, TestApp};

use super::openapi::operations;

/// The rows of the one template that the probe uses.
const ROWS: &str = "/api/v1/register/B_01.03/rows";

/// A filing is named by the entity that maintains the register.
const SENDER: &str = "/api/v1/register/B_01.01/rows";

/// Every operation, with the template of the register named: it is no record of a tenant.
fn probed() -> impl Iterator<Item = (String, String)> {
    operations().into_iter().map(|(method, path, _)| (method, path.replace("{template}", "B_01.03")))
}

/// In every text of tenant B; it must never appear outside B.
const CANARY: &str = "canary-of-tenant-b";

/// The records of B whose ids fill path parameters: where to create them, and their bodies. A text that begins with
/// `$` is replaced by the id of the record created there before.
pub(super) fn samples() -> Vec<(&'static str, Value)> {
    let webhook = json!({
        "name": CANARY, "channel": "slack", "events": ["finding.created"],
        "url": format!("https://hooks.slack.com/services/T/B/{CANARY}"),
    });
    let arrangement = json!({
        "reference": CANARY, "provider": { "name": CANARY, "country": "DE", "sector": CANARY },
        "service": CANARY, "service_type": "S17", "technology": CANARY, "region": CANARY,
        "substitutability": "hard", "starts_on": "2026-01-01",
        "annual_cost": { "amount": 1, "currency": "EUR" },
    });
    let test_case = json!({
        "programme_id": "$/api/v1/programmes", "title": CANARY, "test_type": "tlpt", "steps": [CANARY],
    });
    let finding = json!({
        "test_case_id": "$/api/v1/test-cases", "title": CANARY, "severity": "high", "description": CANARY,
    });
    let cra_report = json!({
        "kind": "severe_incident", "product": { "name": CANARY }, "title": CANARY, "severity": "high",
        "aware_at": "2026-11-14T13:00:00Z",
    });
    let mut signed = arrangement.clone();
    signed["reference"] = json!(format!("{CANARY}-2"));
    let simulation = json!({ "name": CANARY, "sign": [signed] });
    vec![
        ("/api/v1/ict-arrangements", arrangement),
        ("/api/v1/webhooks", webhook),
        ("/api/v1/keys", json!({ "name": CANARY })),
        ("/api/v1/programmes", json!({ "name": CANARY, "framework": "dora", "functions": [CANARY] })),
        ("/api/v1/test-cases", test_case),
        ("/api/v1/findings", finding),
        (
            "/api/v1/approvals",
            json!({ "subject": "$/api/v1/findings", "action": "false_positive", "reason": CANARY }),
        ),
        ("/api/v1/cra/reports", cra_report),
        ("/api/v1/functions", json!({ "name": format!("{CANARY} function"), "owner": CANARY })),
        ("/api/v1/incidents", json!({ "title": CANARY, "facts": { "malicious_access": true } })),
        ("/api/v1/controls", json!({ "title": CANARY, "owner": CANARY, "functions": [CANARY] })),
        (
            "/api/v1/drill-runs",
            json!({ "scenario": "drill-ransomware-core-banking", "planned_for": "2027-03-18", "title": CANARY }),
        ),
        ("/api/v1/own-frameworks", json!({ "key": "canary", "title": CANARY, "description": CANARY })),
        ("/api/v1/evidence", json!({ "title": CANARY, "url": format!("https://example.com/{CANARY}") })),
        (
            "/api/v1/risks",
            json!({ "title": CANARY, "category": "people", "inherent": { "likelihood": 3, "impact": 3 } }),
        ),
        ("/api/v1/tasks", json!({ "title": CANARY, "owner": CANARY, "due_on": "2027-01-31" })),
        (
            "/api/v1/evidence-requests",
            json!({ "text": CANARY, "owner": CANARY, "subject": "$/api/v1/findings", "due_on": "2027-01-31" }),
        ),
        ("/api/v1/samples", json!({ "list": "findings", "size": 1, "seed": CANARY, "purpose": CANARY })),
        ("/api/v1/concentration-risk/simulations", simulation),
        (ROWS, json!({ "cells": { "c0030": CANARY } })),
        (
            SENDER,
            json!({ "cells": { "c0010": "529900TIDEWALLBANK74", "c0020": CANARY, "c0030": "eba_GA:DE" } }),
        ),
        ("/api/v1/register/filings", json!({ "owner": CANARY })),
        (
            "/api/v1/report-templates",
            json!({ "name": CANARY, "signatories": [{ "name": CANARY, "function": CANARY }] }),
        ),
        // Switched off, so that the webhook has the only delivery.
        (
            "/api/v1/event-hooks",
            json!({ "name": CANARY, "url": format!("https://events.example/{CANARY}"), "active": false }),
        ),
        ("/api/v1/views", json!({ "list": "findings", "name": CANARY, "shared": true })),
        (
            "/api/v1/custom-fields",
            json!({ "kind": "finding", "type": "choice", "label": CANARY, "choices": [CANARY] }),
        ),
    ]
}

/// Creates B's records: the collection and id of each.
pub(super) async fn fill(victim: &Client) -> Vec<(&'static str, String)> {
    let mut ids: Vec<(&'static str, String)> = Vec::new();
    for (collection, mut body) in samples() {
        for value in body.as_object_mut().unwrap().values_mut() {
            let before = value.as_str().and_then(|text| text.strip_prefix('$'));
            if let Some((_, id)) = before.and_then(|path| ids.iter().find(|(at, _)| *at == path)) {
                *value = json!(id);
            }
        }
        let created = victim.post(collection, &body).await.expect(201).data();
        ids.push((collection, created["id"].as_str().unwrap().to_owned()));
    }
    // Providers are made by arrangements, and no request creates one.
    let provider = victim.get(PROVIDERS).await.expect(200).data()[0]["id"].as_str().unwrap().to_owned();
    ids.push((PROVIDERS, provider));
    // A comment is written on a record.
    let (_, finding) = ids.iter().find(|(at, _)| *at == "/api/v1/findings").unwrap();
    let comments = format!("/api/v1/findings/{finding}/comments");
    let comment = victim.post(&comments, &json!({ "text": CANARY })).await.expect(201).data();
    let tags = format!("/api/v1/findings/{finding}/tags");
    victim.put(&tags, &json!({ "tags": [CANARY] })).await.expect(200);
    ids.push((COMMENTS, comment["id"].as_str().unwrap().to_owned()));
    ids
}

const COMMENTS: &str = "/api/v1/comments";

const PROVIDERS: &str = "/api/v1/providers";
const TRAININGS: &str = "/api/v1/trainings";
const BUNDLES: &str = "/api/v1/bundles";
const REPORTS: &str = "/api/v1/reports";

/// A training of B, whose person is an account of B.
async fn training(app: &TestApp, slug: &str, victim: &Client) -> String {
    let tenants = app.app.people.tenants().await.unwrap();
    let tenant = tenants.iter().find(|tenant| tenant.slug.as_str() == slug).unwrap();
    let draft = UserDraft {
        email: "canary@b.example".parse().unwrap(),
        name: Name::parse(CANARY).unwrap(),
        role: Role::Viewer,
    };
    let password = Password::presented("the north wind doth blow");
    let person = app.app.people.create_user(&Caller::operator(tenant), draft, password).await.unwrap().id;
    let body = json!({ "title": CANARY, "people": [person], "due_on": "2027-01-31" });
    let made = victim.post(TRAININGS, &body).await.expect(201).data();
    made[0]["id"].as_str().unwrap().to_owned()
}

/// A bundle of B that is made, so that nothing of it changes any more.
async fn bundle(app: &TestApp, victim: &Client) -> String {
    let made = victim.post(BUNDLES, &json!({ "as_of": "2026-11-13" })).await.expect(202).data();
    let path = format!("{BUNDLES}/{}", made["id"].as_str().unwrap());
    for _ in 0..600 {
        Box::pin(app.app.bundle.make_bundles()).await.unwrap();
        let state = victim.get(&path).await.expect(200).data()["state"].clone();
        if state == "made" {
            return made["id"].as_str().unwrap().to_owned();
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the bundle was never made");
}

/// A report of B that is made.
async fn report(app: &TestApp, victim: &Client) -> String {
    let wish = json!({ "kind": "board", "from": "2026-10-01", "until": "2026-11-13" });
    let made = victim.post(REPORTS, &wish).await.expect(202).data();
    let path = format!("{REPORTS}/{}", made["id"].as_str().unwrap());
    for _ in 0..600 {
        Box::pin(app.app.period_report.make_reports()).await.unwrap();
        if victim.get(&path).await.expect(200).data()["state"] == "made" {
            return made["id"].as_str().unwrap().to_owned();
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the report was never made");
}

/// B's arrangement and a review of its provider, for the second parameters of the routes of providers.
async fn below_provider(victim: &Client, ids: &[(&'static str, String)]) -> (String, String) {
    let of = |path: &str| ids.iter().find(|(collection, _)| *collection == path).unwrap().1.clone();
    let reviews = format!("{PROVIDERS}/{}/reviews", of(PROVIDERS));
    let review = victim.post(&reviews, &json!({})).await.expect(201).data();
    (of("/api/v1/ict-arrangements"), review["id"].as_str().unwrap().to_owned())
}

/// Routes whose parameter is no tenant's record.
const SHARED: &[&str] =
    &["/api/v1/dora/measures/{id}", "/api/oscal/catalogs/{framework}", "/api/requirements/{requirement}"];

/// Their parameter is a requirement of the catalogue or the number of a version; their own tests check the separation of
/// tenants.
const BY_REQUIREMENT: [&str; 3] = [
    "/api/v1/assessments/{requirement}",
    "/api/v1/requirements/{requirement}",
    "/api/v1/statement-of-applicability/versions/{version}",
];

async fn send(client: &Client, method: &str, path: &str) -> Answer {
    let body = ["POST", "PUT", "PATCH"].contains(&method).then(|| "{}".to_owned());
    client.send(method.parse::<Method>().unwrap(), path, body).await
}

/// Everything about a response that could distinguish two cases.
fn fingerprint(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let volatile = ["x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "date"];
    let headers = answer.headers.iter().filter(|(name, _)| !volatile.contains(&name.as_str()));
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    (answer.status.as_u16(), headers.collect(), String::from_utf8_lossy(&answer.body).into_owned())
}

#[tokio::test]
async fn foreign_records_are_answered_like_missing_ones_and_stay_untouched() {
    let app = TestApp::new().await;
    let attacker = app.owner("a").await;
    let victim = app.owner("b").await;
    let mut ids = fill(&victim).await;
    ids.push((TRAININGS, training(&app, "b", &victim).await));
    ids.push((BUNDLES, Box::pin(bundle(&app, &victim)).await));
    ids.push((REPORTS, Box::pin(report(&app, &victim)).await));
    let delivery = delivery_of(&app, &victim, &ids).await;
    let (arrangement, review) = below_provider(&victim, &ids).await;
    let before = snapshot(&victim).await;
    for (method, path) in probed() {
        if !path.contains('{')
            || SHARED.contains(&path.as_str())
            || BY_REQUIREMENT.iter().any(|shared| path.starts_with(shared))
        {
            continue;
        }
        let prefix = &path[..path.find('{').unwrap()];
        let sample = ids.iter().find(|(collection, _)| *collection == prefix.trim_end_matches('/'));
        let (_, id) = sample.unwrap_or_else(|| panic!("{method} {path} has no sample in the probe"));
        let rest = path[prefix.len()..].split_once('/').map_or(String::new(), |(_, rest)| format!("/{rest}"));
        let rest = rest.replace("{id}", &delivery).replace("{version}", "1").replace("{number}", "1");
        let rest = rest.replace("{regime}", "dora").replace("{stage}", "initial");
        let rest = rest.replace("{type}", "finding").replace("{target}", &delivery);
        let rest = rest.replace("{arrangement}", &arrangement).replace("{review}", &review);
        let rest = rest.replace("{requirement}", "canary-1");
        assert!(!rest.contains('{'), "{method} {path} has no sample for its second parameter");
        // The last digit changed: the right shape, but no record.
        let last = if id.ends_with('0') { '1' } else { '0' };
        let missing = format!("{}{last}", &id[..id.len() - 1]);
        let foreign = send(&attacker, &method, &format!("{prefix}{id}{rest}")).await;
        let absent = send(&attacker, &method, &format!("{prefix}{missing}{rest}")).await;
        assert_eq!(fingerprint(&foreign), fingerprint(&absent), "{method} {path}");
        // An empty object can be invalid before any record is looked up; then both get that error.
        assert!([404, 422].contains(&foreign.status.as_u16()), "{method} {path}: {foreign}");
    }
    assert_eq!(snapshot(&victim).await, before, "nothing of B may change");
}

#[tokio::test]
async fn no_list_of_one_tenant_shows_another() {
    let app = TestApp::new().await;
    let attacker = app.owner("a").await;
    let victim = app.owner("b").await;
    fill(&victim).await;
    training(&app, "b", &victim).await;
    for (method, path) in probed() {
        if method != "GET" || path.contains('{') {
            continue;
        }
        for query in ["", "?limit=500", &format!("?search={CANARY}"), &format!("?q={CANARY}")] {
            let answer = attacker.get(&format!("{path}{query}")).await;
            assert!(
                !answer.to_string().contains(CANARY) || path == "/api/v2/search",
                "{path}{query}: {answer}"
            );
        }
    }
}

/// The delivery of B's finding to B's webhook.
async fn delivery_of(app: &TestApp, victim: &Client, ids: &[(&'static str, String)]) -> String {
    let dispatcher = Dispatcher::new(app.app.clone(), DeliveryOptions::default());
    assert_eq!(dispatcher.fan_out().await.unwrap(), 1);
    let (_, webhook) = ids.iter().find(|(collection, _)| *collection == "/api/v1/webhooks").unwrap();
    let log = victim.get(&format!("/api/v1/webhooks/{webhook}/deliveries")).await.expect(200).data();
    log[0]["id"].as_str().unwrap().to_owned()
}

/// Everything B can see of itself.
async fn snapshot(victim: &Client) -> Vec<Value> {
    let mut seen = Vec::new();
    for (collection, _) in samples() {
        // The rows of a template are listed by the template itself.
        seen.push(victim.get(collection.trim_end_matches("/rows")).await.expect(200).json());
    }
    seen.push(victim.get(PROVIDERS).await.expect(200).json());
    for finding in victim.get("/api/v1/findings").await.expect(200).data().as_array().unwrap() {
        let path = format!("/api/v1/findings/{}/comments", finding["id"].as_str().unwrap());
        seen.push(victim.get(&path).await.expect(200).json());
        seen.push(victim.get(&path.replace("/comments", "/tags")).await.expect(200).json());
    }
    seen.push(victim.get(TRAININGS).await.expect(200).json());
    for webhook in victim.get("/api/v1/webhooks").await.data().as_array().unwrap() {
        let path = format!("/api/v1/webhooks/{}/deliveries", webhook["id"].as_str().unwrap());
        seen.push(victim.get(&path).await.expect(200).json());
    }
    seen
}
