//! The demo tenant: every GET of the contract answers, and there is something to see in every state.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

async fn filled(engine: Engine) -> (TestApp, Client) {
    let app = TestApp::on(engine).await;
    let mut output = Vec::new();
    tidewall::demo::fill(&app.app, "http://127.0.0.1:8080", &mut output).await.unwrap();
    let output = String::from_utf8(output).unwrap();
    let key = output.lines().find_map(|line| line.trim().strip_prefix("API key")).unwrap().trim().to_owned();
    let client = app.client(&key);
    (app, client)
}

async fn page(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).json()
}

fn by_status(page: &Value) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for record in page["data"].as_array().unwrap() {
        *counts.entry(record["status"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    counts
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn shows_a_year_and_a_half_of_work_in_every_state(engine: Engine) {
    let (_app, client) = filled(engine).await;
    let programmes = page(&client, "/api/v1/programmes").await;
    assert_eq!(programmes["meta"]["total"], 4);
    assert_eq!(by_status(&programmes).len(), 4);
    let register = page(&client, "/api/v1/register").await["data"].clone();
    assert_eq!((&register["readiness_pct"], &register["waiting"]), (&json!(100), &json!(0)), "{register}");
    assert_eq!(register["problems"]["refused"], 0);
    let of = |id: &str| {
        let templates = register["templates"].as_array().unwrap();
        templates.iter().find(|one| one["template"] == id).unwrap()["rows"].as_u64().unwrap()
    };
    assert_eq!((of("B_02.01"), of("B_06.01"), of("B_07.01")), (80, 13, 33), "{register}");
    let problems = page(&client, "/api/v1/register/checks?limit=500").await;
    assert_eq!(problems["meta"]["total"], 1, "a provider in Norway has no LEI: {problems}");
    let test_cases = page(&client, "/api/v1/test-cases?limit=500").await;
    assert_eq!(test_cases["meta"]["total"], 60);
    assert_eq!(by_status(&test_cases).len(), 7, "{:?}", by_status(&test_cases));
    let findings = page(&client, "/api/v1/findings?status=all&limit=500&sort=created_at").await;
    assert_eq!(findings["meta"]["total"], 120);
    assert_eq!(by_status(&findings).len(), 6, "{:?}", by_status(&findings));
    assert_eq!(findings["data"][0]["detected_at"], "2025-06-02T08:00:00Z", "530 days ago");
    assert_eq!(findings["data"][0]["reference"], "F-2025-0001");
    assert_eq!(findings["data"][119]["detected_at"], "2026-11-13T08:00:00Z");
    assert!(page(&client, "/api/v1/findings?overdue=true").await["meta"]["total"].as_u64().unwrap() >= 3);
    let reports = page(&client, "/api/v1/cra/reports").await;
    assert_eq!((reports["meta"]["total"].as_u64(), by_status(&reports).len()), (Some(3), 3));
    let trainings = page(&client, "/api/v1/trainings/summary").await;
    let (all, members) = (&trainings["data"]["all"], &trainings["data"]["management_body"]);
    assert_eq!((&all["passed"], &all["late"], &all["assigned"]), (&2.into(), &1.into(), &1.into()));
    assert_eq!(members["total"], 2);
    let coverage = page(&client, "/api/v1/test-coverage").await;
    assert_eq!(coverage["data"]["functions"].as_array().unwrap().len(), 6);
    // Only the tests that name a function count for it.
    let untested = coverage["data"]["untested"].as_array().unwrap();
    assert!(!untested.is_empty() && untested.len() < 6, "{untested:?}");
    assert_eq!(coverage["data"]["tests_without_function"], 0);
    // What the page of a function says is what the package says.
    let functions = page(&client, "/api/v1/functions?search=Core%20banking").await;
    let rows = page(&client, "/api/v1/register/B_06.01?limit=100").await;
    let core = rows["data"].as_array().unwrap().iter().find(|row| row["cells"]["c0030"] == "Core banking");
    let (said, filed) = (&functions["data"][0], &core.unwrap()["cells"]);
    assert_eq!((&said["rto_minutes"], &filed["c0080"]), (&240.into(), &"4".into()));
    assert_eq!((&said["reference"], &said["assessed_on"]), (&filed["c0010"], &filed["c0070"]));
    for row in rows["data"].as_array().unwrap() {
        let assessed = row["cells"]["c0050"] != "eba_BT:x21";
        assert_eq!(assessed, row["cells"]["c0070"] != "9999-12-31", "{row}");
    }
    a_month_is_shown(&client).await;
    an_audit_is_shown(&client).await;
}

/// What the auditor did: requests in every state, a sample, and a note that was released as a comment.
async fn an_audit_is_shown(client: &Client) {
    let requests = page(client, "/api/v1/evidence-requests").await;
    let states = ["answered", "closed", "open"].map(|state| (state.to_owned(), 1));
    assert_eq!(by_status(&requests), BTreeMap::from(states));
    let samples = page(client, "/api/v1/samples").await;
    let sample = &samples["data"][0];
    assert_eq!(
        (&samples["meta"]["total"], &sample["size"], &sample["population"]),
        (&json!(1), &json!(5), &json!(120))
    );
    let full = page(client, &format!("/api/v1/samples/{}", sample["id"].as_str().unwrap())).await;
    let first = full["data"]["drawn"][0]["id"].as_str().unwrap();
    let comments = page(client, &format!("/api/v1/findings/{first}/comments")).await;
    assert!(comments.to_string().contains("No exception."), "{comments}");
    let body = json!({ "list": "findings", "filter": { "status": "all" }, "size": 5, "seed": "demo-2026",
        "purpose": "Drawn again" });
    let again = client.post("/api/v1/samples", &body).await.expect(201).data();
    assert_eq!(again["drawn"], full["data"]["drawn"], "the sample can be repeated");
}

#[tokio::test]
async fn every_read_of_the_contract_answers_at_once() {
    let (_app, client) = filled(Engine::Sqlite).await;
    for path in [
        "/api/v1/programmes",
        "/api/v1/test-cases",
        "/api/v1/findings",
        "/api/v1/compliance-status",
        "/api/v1/dora/measures",
        "/api/v1/compliance-timeline",
        "/api/v1/concentration-risk/latest",
        "/api/v1/concentration-risk/breaches",
        "/api/v1/concentration-risk/thresholds",
        "/api/v1/vulnerability-scan/latest",
        "/api/v1/webhooks",
        "/api/v2/alerts",
    ] {
        client.get(path).await.expect(200);
    }
    for collection in ["/api/v1/programmes", "/api/v1/test-cases", "/api/v1/findings", "/api/v1/cra/reports"]
    {
        let first = page(&client, collection).await["data"][0]["id"].as_str().unwrap().to_owned();
        client.get(&format!("{collection}/{first}")).await.expect(200);
    }
    let scan = page(&client, "/api/v1/vulnerability-scan/latest").await;
    assert_eq!(scan["data"]["summary"]["high"], 3);
}

/// A person of each role can sign in, and the records are theirs.
#[tokio::test]
async fn has_an_account_for_every_role_and_records_that_are_theirs() {
    let app = TestApp::new().await;
    let mut output = Vec::new();
    tidewall::demo::fill(&app.app, "http://127.0.0.1:8080", &mut output).await.unwrap();
    let output = String::from_utf8(output).unwrap();
    let printed = output.lines().filter(|line| line.contains("@demo.example") && line.contains(" password "));
    assert_eq!(printed.count(), 5, "{output}");
    let key = output.lines().find_map(|line| line.trim().strip_prefix("API key")).unwrap().trim().to_owned();
    let client = app.client(&key);
    let people = page(&client, "/api/v1/people").await;
    let mut roles = BTreeMap::new();
    for person in people["data"].as_array().unwrap() {
        roles
            .insert(person["name"].as_str().unwrap().to_owned(), person["role"].as_str().unwrap().to_owned());
    }
    let mut all: Vec<_> = roles.values().map(String::as_str).collect();
    all.sort_unstable();
    assert_eq!(all, ["administrator", "auditor", "contributor", "manager", "viewer"]);
    for list in ["findings?status=all", "controls?status=implemented", "risks", "incidents"] {
        let records = page(&client, &format!("/api/v1/{list}")).await;
        for record in records["data"].as_array().unwrap() {
            if let Some(owner) = record["owner"].as_str() {
                assert!(roles.contains_key(owner), "{list}: {owner} has no account");
            }
        }
    }
    let waiting = page(&client, "/api/v1/assessments?framework=dora&status=met&approved=false").await;
    assert!(!waiting["data"].as_array().unwrap().is_empty(), "an assessment waits for approval");
}

/// The people work together: requests in every state that a month brings, and one that waits for each who decides.
async fn a_month_is_shown(client: &Client) {
    let approvals = page(client, "/api/v1/approvals?limit=500").await;
    let mut states = BTreeMap::<&str, usize>::new();
    for approval in approvals["data"].as_array().unwrap() {
        if approval["kind"] == "finding" {
            *states.entry(approval["state"].as_str().unwrap()).or_default() += 1;
        }
    }
    let expected = [("asked", 3), ("granted", 1), ("lapsed", 1), ("refused", 1)];
    assert_eq!(states, BTreeMap::from(expected), "{approvals}");
    let people = page(client, "/api/v1/people").await;
    for name in ["Anna Weber", "Jonas Keller", "Miriam Vogt"] {
        let person = people["data"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
        let id = person["id"].as_str().unwrap();
        let waiting = page(client, &format!("/api/v1/approvals?state=asked&approver={id}")).await;
        assert_ne!(waiting["meta"]["total"], 0, "something waits for {name}: {waiting}");
    }
    let is_granted = |one: &&Value| one["state"] == "granted" && one["kind"] == "finding";
    let granted = approvals["data"].as_array().unwrap().iter().find(is_granted);
    let discussed = granted.unwrap()["subject"].as_str().unwrap();
    let said = page(client, &format!("/api/v1/findings/{discussed}/comments")).await;
    assert_eq!(said["meta"]["total"], 3, "{said}");
}
