use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::seed;

const RUNS: &str = "/api/v1/drill-runs";
const SCENARIO: &str = "drill-ransomware-core-banking";
const MINUTE: i64 = 60 * 1000;

async fn planned(client: &Client, fields: &Value) -> (String, Value) {
    let mut body = json!({ "scenario": SCENARIO, "planned_for": "2026-11-20", "participants": ["Dana Weber", "Kim Roth"] });
    for (field, value) in fields.as_object().unwrap() {
        body[field] = value.clone();
    }
    let run = client.post(RUNS, &body).await.expect(201).data();
    (format!("{RUNS}/{}", run["id"].as_str().unwrap()), run)
}

async fn started(client: &Client, fields: &Value) -> String {
    let (address, _) = planned(client, fields).await;
    act(client, &address, "start", &json!({})).await;
    address
}

async fn act(client: &Client, address: &str, action: &str, body: &Value) -> Value {
    client.post(&format!("{address}/{action}"), body).await.expect(200).data()
}

async fn refused(client: &Client, address: &str, action: &str, body: &Value) -> Value {
    client.post(&format!("{address}/{action}"), body).await.expect(422).json()["details"].clone()
}

fn minutes(run: &Value) -> Vec<u64> {
    run["injects"].as_array().unwrap().iter().map(|inject| inject["at_minute"].as_u64().unwrap()).collect()
}

/// The texts of the model solution, none of which may be visible early.
fn solution_texts(app: &TestApp) -> Vec<String> {
    let edition = app.app.catalogue().unwrap();
    let drill = edition.drills.get(SCENARIO).unwrap();
    let solution = drill.solution.as_ref().unwrap();
    let reasons = solution.classification.iter().map(|judged| judged.reason.en.to_string());
    let due = solution.due.iter().map(|due| due.at.en.to_string());
    let decisions = solution.decisions.iter().map(|text| text.en.to_string());
    let notes = drill.facilitator.iter().map(|text| text.en.to_string());
    reasons.chain(due).chain(decisions).chain(notes).chain([solution.result.en.to_string()]).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn injects_come_by_the_clock_and_the_solution_after_the_end(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let (address, run) = planned(&owner, &json!({})).await;
    assert_eq!((&run["reference"], &run["practice"]), (&json!("DR-0001"), &json!(true)), "{engine:?}");
    assert_eq!(run["title"], "Ransomware in the core-banking databases");
    assert_eq!((&run["status"], &run["minute"]), (&json!("planned"), &json!(null)));
    for hidden in ["injects", "tasks", "criteria"] {
        assert_eq!(run[hidden], json!([]), "{hidden}");
    }
    assert_eq!(run["next_inject_in_seconds"], json!(null));
    let hidden = solution_texts(&app);
    let is_clean = |answer: &str| hidden.iter().all(|text| !answer.contains(text.as_str()));

    let run = act(&owner, &address, "start", &json!({})).await;
    assert_eq!((minutes(&run), &run["next_inject_in_seconds"]), (vec![0], &json!(1800)));
    let first = owner.get(&address).await.expect(200);
    app.clock.advance(30 * MINUTE - 1000);
    let run = owner.get(&address).await.expect(200).data();
    assert_eq!((minutes(&run), &run["next_inject_in_seconds"]), (vec![0], &json!(1)), "{engine:?}");
    app.clock.advance(1000);
    let seen = first.header("etag").unwrap().to_owned();
    let answer = owner.with("if-none-match", &seen).get(&address).await.expect(200);
    let run = answer.data();
    assert_eq!((minutes(&run), &run["minute"]), (vec![0, 30], &json!(30)));
    assert_eq!(run["next_inject_in_seconds"], 1800);
    assert_eq!((&run["solution"], &run["score"]), (&json!(null), &json!(null)));
    assert!(run["classification"].as_array().unwrap().iter().all(|c| c["expected"] == json!(null)));
    assert!(is_clean(&String::from_utf8_lossy(&answer.body)), "{engine:?}: the solution was shown");
    assert!(!String::from_utf8_lossy(&answer.body).contains("A board member asks"), "an inject came early");
    let german = owner.get(&format!("{address}?lang=de")).await.expect(200).data();
    assert_eq!(german["notice"], "ÜBUNG – keine Meldung");

    app.clock.advance(300 * MINUTE);
    let run = owner.get(&address).await.expect(200).data();
    assert_eq!((minutes(&run).len(), &run["next_inject_in_seconds"]), (6, &json!(null)));
    let over = act(&owner, &address, "finish", &json!({})).await;
    assert_eq!((&over["status"], &over["score"]), (&json!("finished"), &json!(0)));
    assert!(over["solution"]["decisions"].as_array().unwrap().len() > 1);
    assert_eq!(over["notice"], "EXERCISE — not a report");
    let expected = over["classification"].as_array().unwrap();
    assert!(expected.iter().any(|c| c["criterion"] == "geographical_spread" && c["expected"] == "open"));
    assert_eq!((&over["findings"], &over["test_case_id"]), (&json!([]), &json!(null)));
    app.clock.advance(60 * MINUTE);
    let later = owner.get(&address).await.expect(200).data();
    assert_eq!(later["minute"], 330, "the clock stops with the run");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_run_is_ticked_classified_reported_and_scored(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    let programme = seed::programme(&owner, &json!({})).await;
    let address = started(&owner, &json!({ "programme_id": programme["id"] })).await;

    let early = refused(&owner, &address, "steps/2/done", &json!({})).await;
    assert_eq!(early["step"][0], "is not due before minute 30", "{engine:?}");
    let once = act(&owner, &address, "steps/1/done", &json!({})).await;
    app.clock.advance(5 * MINUTE);
    let twice = act(&owner, &address, "steps/1/done", &json!({})).await;
    assert_eq!(once["injects"][0]["done_at"], twice["injects"][0]["done_at"], "the first time stands");
    let task = twice["tasks"][0]["number"].as_u64().unwrap();
    assert_eq!(task, 7, "tasks are numbered after the injects");
    let ticked = act(&owner, &address, &format!("steps/{task}/done"), &json!({})).await;
    assert!(ticked["tasks"][0]["done_by"].as_str().unwrap().starts_with("key_"));
    for missing in ["steps/0/done", "steps/99/done", "steps/x/done", "criteria/0", "criteria/9"] {
        owner.post(&format!("{address}/{missing}"), &json!({ "result": "met" })).await.expect(404);
    }

    let logged = owner.post(&format!("{address}/decisions"), &json!({ "text": "Isolate" })).await;
    assert_eq!(logged.expect(201).data()["practice"], true);
    owner.post(&format!("{address}/decisions"), &json!({ "text": "Classify" })).await.expect(201);
    let log = owner.get(&format!("{address}/decisions")).await.expect(200).json();
    assert_eq!(seed::pluck(&log, "text"), ["Classify", "Isolate"]);

    let answers = json!({ "critical_services_affected": "met", "geographical_spread": "met" });
    let run = act(&owner, &address, "classification", &answers).await;
    let judged = run["classification"].as_array().unwrap().iter();
    let judged: Vec<_> = judged.filter(|c| c["judgement"] != json!(null)).map(|c| &c["at_minute"]).collect();
    assert_eq!(judged, [5, 5]);
    let report = json!({ "clock": "clock-dora-initial-notification", "due": "07:40", "sent_at_minute": 200 });
    act(&owner, &address, "reports", &report).await;
    let marked = json!({ "clock": "clock-dora-initial-notification", "right": true });
    let run = act(&owner, &address, "reports", &marked).await;
    assert_eq!((&run["reports"][0]["due"], &run["reports"][0]["right"]), (&json!("07:40"), &json!(true)));
    assert_eq!(run["reports"][0]["expected"], json!(null));
    for (number, result) in [(1, "met"), (2, "partly"), (3, "not"), (4, "met")] {
        act(&owner, &address, &format!("criteria/{number}"), &json!({ "result": result })).await;
    }

    let over = act(&owner, &address, "finish", &json!({ "findings": true })).await;
    // 50 × 5/8 + 30 × 1/7 + 20 × 1/3 = 31.25 + 4.29 + 6.67
    assert_eq!(over["score"], 42, "{engine:?}");
    assert_eq!(over["breakdown"]["criteria"], json!({ "reached": 5, "possible": 8 }));
    assert_eq!(over["breakdown"]["classification"], json!({ "reached": 1, "possible": 7 }));
    assert_eq!(over["breakdown"]["reports"], json!({ "reached": 1, "possible": 3 }));
    let findings = over["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 2, "one for what was partly met, one for what was not");
    let second = format!("{}/{}", seed::FINDINGS, findings[1].as_str().unwrap());
    let finding = owner.get(&second).await.expect(200).data();
    assert_eq!((&finding["severity"], &finding["status"]), (&json!("medium"), &json!("open")));
    assert!(finding["title"].as_str().unwrap().starts_with("DR-0001: Lost bookings"));
    assert_eq!(finding["test_case_id"], over["test_case_id"]);
    let test_case = format!("{}/{}", seed::TEST_CASES, over["test_case_id"].as_str().unwrap());
    let test_case = owner.get(&test_case).await.expect(200).data();
    assert_eq!(test_case["test_type"], "scenario_based_test");
    assert_eq!((&test_case["status"], &test_case["programme_id"]), (&json!("failed"), &programme["id"]));
    assert_eq!(test_case["executed_at"], over["finished_at"]);

    let events = seed::events(&app, &tenant.caller).await;
    assert!(events.iter().all(|(_, subject, _)| !subject.starts_with("drn_")), "a run raises no events");
    assert_eq!(events.len(), 2, "{engine:?}: the findings are real");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_is_over_stays_as_it_is(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let (address, _) = planned(&owner, &json!({})).await;
    for action in ["steps/1/done", "classification", "reports", "criteria/1"] {
        let body = json!({ "data_losses": "met", "clock": "clock-dora-final-report", "result": "met" });
        let details = refused(&owner, &address, action, &body).await;
        assert!(details["drill_run"][0].as_str().unwrap().starts_with("is not running"), "{action}");
    }
    refused(&owner, &address, "decisions", &json!({ "text": "x" })).await;
    refused(&owner, &address, "finish", &json!({})).await;
    let moved = owner.patch(&address, &json!({ "status": "running" })).await.expect(422).json();
    assert_eq!(moved["details"]["status"][0], "is reached with POST …/start only");
    let changed = owner.patch(&address, &json!({ "planned_for": "2026-11-27", "title": "Night" })).await;
    assert_eq!(changed.expect(200).data()["planned_for"], "2026-11-27");
    act(&owner, &address, "start", &json!({})).await;
    refused(&owner, &address, "start", &json!({})).await;
    owner.patch(&address, &json!({ "planned_for": "2026-12-01" })).await.expect(422);
    owner.patch(&address, &json!({ "scenario": "drill-poisoned-security-update" })).await.expect(422);
    owner.delete(&address).await.expect(422);
    act(&owner, &address, "finish", &json!({})).await;
    let twice = refused(&owner, &address, "finish", &json!({})).await;
    assert!(twice["status"][0].is_string(), "{engine:?} {twice}");
    owner.patch(&address, &json!({ "title": "Other" })).await.expect(422);
    owner.delete(&address).await.expect(422);
    let versions = owner.get(&format!("{address}/versions")).await.expect(200).json();
    assert_eq!(versions["meta"]["total"], 4);
    let first = owner.get(&format!("{address}/versions/1")).await.expect(200).data();
    assert_eq!((&first["record"]["status"], &first["record"]["practice"]), (&json!("planned"), &json!(true)));

    let (other, _) = planned(&owner, &json!({})).await;
    let cancelled = owner.patch(&other, &json!({ "status": "cancelled", "note": "Snow" })).await;
    assert_eq!(cancelled.expect(200).data()["history"][1]["note"], "Snow");
    refused(&owner, &other, "start", &json!({})).await;
    owner.delete(&other).await.expect(204);
    owner.get(&other).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_named_test_case_gets_the_result(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let other = seed::test_case(&owner, &programme, &json!({ "test_type": "gap_analysis" })).await;
    let body = json!({ "scenario": SCENARIO, "planned_for": "2026-11-20", "test_case_id": other["id"] });
    let wrong = owner.post(RUNS, &body).await.expect(422).json();
    let message = wrong["details"]["test_case_id"][0].as_str().unwrap();
    assert!(message.starts_with("must be a test case of type scenario_based_test"), "{message}");
    let fields = json!({ "test_type": "scenario_based_test" });
    let test_case = seed::test_case(&owner, &programme, &fields).await;
    let (address, run) = planned(&owner, &json!({ "test_case_id": test_case["id"] })).await;
    assert_eq!(run["programme_id"], programme["id"], "{engine:?}: a test case brings its programme");
    let second = seed::programme(&owner, &json!({ "name": "Another" })).await;
    let elsewhere = owner.patch(&address, &json!({ "programme_id": second["id"] })).await.expect(422).json();
    let message = elsewhere["details"]["programme_id"][0].as_str().unwrap();
    assert!(message.starts_with("is not the programme of the test case"), "{message}");
    act(&owner, &address, "start", &json!({})).await;
    for number in 1..=4 {
        act(&owner, &address, &format!("criteria/{number}"), &json!({ "result": "met" })).await;
    }
    let over = act(&owner, &address, "finish", &json!({ "findings": true })).await;
    assert_eq!((&over["score"], &over["findings"]), (&json!(50), &json!([])));
    let done = owner.get(&seed::at(seed::TEST_CASES, &test_case)).await.expect(200).data();
    assert_eq!(done["status"], "passed");
    assert_eq!(done["actual_result"], "Drill run DR-0001: 50 of 100 points.");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn runs_are_listed_filtered_and_kept_apart(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (owner, stranger) = (app.owner("north").await, app.owner("south").await);
    let (address, _) = planned(&owner, &json!({ "title": "Night watch" })).await;
    let later = json!({ "scenario": "drill-poisoned-security-update", "planned_for": "2026-11-18" });
    planned(&owner, &later).await;
    act(&owner, &address, "start", &json!({})).await;
    for (query, references) in [
        ("", vec!["DR-0002", "DR-0001"]),
        ("status=running", vec!["DR-0001"]),
        ("scenario=drill-poisoned-security-update", vec!["DR-0002"]),
        ("sort=planned_for", vec!["DR-0002", "DR-0001"]),
        ("sort=-planned_for", vec!["DR-0001", "DR-0002"]),
        ("search=night", vec!["DR-0001"]),
        ("search=roth", vec!["DR-0002", "DR-0001"]),
    ] {
        let page = owner.get(&format!("{RUNS}?{query}")).await.expect(200).json();
        assert_eq!(seed::pluck(&page, "reference"), references, "{engine:?} {query}");
        assert!(page["data"].as_array().unwrap().iter().all(|run| run["practice"] == true));
    }
    owner.get(&format!("{RUNS}?status=lost")).await.expect(422);
    let (_, theirs) = planned(&stranger, &json!({})).await;
    assert_eq!(theirs["reference"], "DR-0001", "each institution counts its own");
    stranger.get(&address).await.expect(404);
    for action in ["start", "finish", "steps/1/done", "criteria/1", "classification", "reports", "decisions"]
    {
        stranger.post(&format!("{address}/{action}"), &json!({})).await.expect(404);
    }
    let programme = seed::programme(&stranger, &json!({})).await;
    let foreign =
        json!({ "scenario": SCENARIO, "planned_for": "2026-11-20", "programme_id": programme["id"] });
    owner.post(RUNS, &foreign).await.expect(422);
}

#[tokio::test]
async fn wrong_input_is_named_and_nothing_is_stored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let body = json!({
        "scenario": "drill-none", "planned_for": "2026-02-30", "participants": vec!["x"; 51], "title": " ",
    });
    let details = owner.post(RUNS, &body).await.expect(422).json()["details"].clone();
    for field in ["scenario", "planned_for", "participants", "title"] {
        assert!(details[field][0].is_string(), "{field}: {details}");
    }
    assert_eq!(owner.get(RUNS).await.json()["meta"]["total"], 0);
    let address = started(&owner, &json!({})).await;
    let none = refused(&owner, &address, "classification", &json!({})).await;
    assert_eq!(none["classification"][0], "needs at least one criterion with its judgement");
    let unknown = refused(&owner, &address, "classification", &json!({ "data_losses": "perhaps" })).await;
    assert_eq!(unknown["data_losses"][0], "must be one of met, not-met, open");
    let report = json!({ "clock": "clock-cra-final-report", "sent_at_minute": 2161 });
    let report = refused(&owner, &address, "reports", &report).await;
    assert!(report["clock"][0].is_string() && report["sent_at_minute"][0].is_string(), "{report}");
    let result = refused(&owner, &address, "criteria/1", &json!({ "result": "great" })).await;
    assert_eq!(result["result"][0], "must be one of met, partly, not");
    refused(&owner, &address, "decisions", &json!({ "text": "x".repeat(2001) })).await;
    refused(&owner, &address, "decisions", &json!({ "text": " " })).await;
    let viewer = app.client(&app.key(&app.tenant("south").await, "read").await);
    viewer.post(RUNS, &body).await.expect(403);
}

#[tokio::test]
async fn the_decision_log_has_an_end() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    let address = started(&owner, &json!({})).await;
    let id: domain::id::DrillRunId = address.rsplit('/').next().unwrap().parse().unwrap();
    let line = |number: u64| domain::drill_run::DecisionInput {
        text: domain::change::Change::Set(format!("Decision {number}")),
    };
    for number in 1..=domain::drill_run::MAX_DECISIONS {
        app.app.resilience.log_drill_decision(&tenant.caller, id, line(number)).await.unwrap();
    }
    let full = refused(&owner, &address, "decisions", &json!({ "text": "One more" })).await;
    assert_eq!(full["text"][0], "has 500 lines already, the most a run may have");
    let log = owner.get(&format!("{address}/decisions?limit=2")).await.expect(200).json();
    assert_eq!((&log["meta"]["total"], &log["data"][0]["text"]), (&json!(500), &json!("Decision 500")));
}

#[tokio::test]
async fn findings_of_a_drill_need_the_scope_of_findings() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = started(&owner, &json!({})).await;
    act(&owner, &address, "criteria/1", &json!({ "result": "not" })).await;
    for (scopes, status) in
        [(json!(["drill-runs:write"]), 403), (json!(["drill-runs:write", "findings:write"]), 200)]
    {
        let fields = json!({ "name": "scoped", "permissions": ["write"], "scopes": scopes });
        let key = owner.post("/api/v1/keys", &fields).await.expect(201).data()["key"].clone();
        let key = app.client(key.as_str().unwrap());
        key.post(&format!("{address}/finish"), &json!({ "findings": true })).await.expect(status);
    }
}
