use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::seed::{self, TEST_CASES, at};

const COVERAGE: &str = "/api/v1/test-coverage";

fn arrangement(reference: &str, functions: &Value) -> Value {
    json!({
        "reference": reference, "provider": { "name": "Cloud AG", "country": "DE", "sector": "cloud" },
        "service": "Hosting", "service_type": "S01", "technology": "Kubernetes", "region": "Frankfurt",
        "functions": functions, "substitutability": "hard",
        "annual_cost": { "amount": 100, "currency": "EUR" }, "starts_on": "2026-01-01",
    })
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn shows_what_was_tested_what_was_not_and_when_the_next_threat_led_test_is_due(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let functions =
        json!([{ "name": "Payments", "critical": true }, { "name": "Canteen", "critical": false }]);
    owner.post("/api/v1/ict-arrangements", &arrangement("A-1", &functions)).await.expect(201);
    let more = json!([{ "name": "payments ", "critical": true }, { "name": "Cards", "critical": true }]);
    owner.post("/api/v1/ict-arrangements", &arrangement("A-2", &more)).await.expect(201);
    let programme = seed::programme(&owner, &json!({ "functions": ["PAYMENTS", "Canteen"] })).await;
    for (test_type, executed_at, result) in [
        ("tlpt", "2024-02-29T10:00:00Z", "passed"),
        ("penetration_testing", "2026-03-01T10:00:00Z", "failed"),
        ("gap_analysis", "2026-05-05T10:00:00Z", "passed"),
    ] {
        let named = json!({ "test_type": test_type, "functions": ["payments"] });
        let test_case = seed::test_case(&owner, &programme, &named).await;
        let address = at(TEST_CASES, &test_case);
        seed::moved(&owner, &address, &["ready", "in_progress"]).await;
        let done = json!({ "status": result, "executed_at": executed_at });
        owner.patch(&address, &done).await.expect(200);
    }
    let planned =
        json!({ "test_type": "gap_analysis", "due_on": "2026-12-01", "functions": ["PAYMENTS", "Canteen"] });
    seed::test_case(&owner, &programme, &planned).await;

    let seen = owner.get(COVERAGE).await.expect(200).data();
    assert_eq!((&seen["year"], &seen["as_of"]), (&json!(2026), &json!("2026-11-14")));
    assert_eq!((&seen["source"], &seen["untested"]), (&json!("register"), &json!(["Cards"])));
    let names: Vec<_> = seen["functions"].as_array().unwrap().iter().map(|f| f["name"].clone()).collect();
    assert_eq!(names, ["Cards", "Payments"]);
    let payments = &seen["functions"][1];
    assert_eq!(payments["tests"]["gap_analysis"], json!({ "planned": 1, "passed": 1, "failed": 0 }));
    assert_eq!(payments["tests"]["penetration_testing"], json!({ "planned": 0, "passed": 0, "failed": 1 }));
    assert_eq!(payments["tests"]["tlpt"], json!({ "planned": 0, "passed": 0, "failed": 0 }));
    assert_eq!(payments["tests"].as_object().unwrap().len(), 13);
    assert_eq!(
        (&payments["last_passed_on"], &payments["covered_until"]),
        (&json!("2026-05-05"), &json!("2027-05-05"))
    );
    let cycle = json!({ "last_on": "2024-02-29", "due_on": "2027-02-28", "overdue": false });
    assert_eq!(payments["tlpt"], cycle);
    let before = owner.get(&format!("{COVERAGE}?year=2024")).await.expect(200).data();
    assert_eq!(before["functions"][1]["tests"]["tlpt"]["passed"], 1);

    // Nearly a year on (keys end after one), nothing was tested any more.
    app.clock.advance(364 * 86_400_000);
    let later = owner.get(COVERAGE).await.expect(200).data();
    assert_eq!(later["untested"], json!(["Cards", "Payments"]));
    assert_eq!(later["functions"][1]["tlpt"]["overdue"], true);
}

#[tokio::test]
async fn without_a_register_the_functions_of_the_programmes_are_taken() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    seed::programme(&owner, &json!({ "functions": ["Cards", "Payments"] })).await;
    seed::programme(&owner, &json!({ "functions": ["cards"] })).await;
    let seen = owner.get(COVERAGE).await.expect(200).data();
    assert_eq!((&seen["source"], &seen["untested"]), (&json!("programmes"), &json!(["Cards", "Payments"])));
    for wrong in ["year=x", "year=26", "year=1999", "year=02026", "year="] {
        owner.get(&format!("{COVERAGE}?{wrong}")).await.expect(422);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_test_does_not_count_for_functions_that_it_does_not_name(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({ "functions": ["Cards", "Payments"] })).await;
    let untested = async || owner.get(COVERAGE).await.expect(200).data();
    let passed = json!({ "status": "passed", "executed_at": "2026-05-05T10:00:00Z" });
    for functions in [json!([]), json!(["cards"])] {
        let fields = json!({ "test_type": "gap_analysis", "functions": functions });
        let test_case = seed::test_case(&owner, &programme, &fields).await;
        let address = at(TEST_CASES, &test_case);
        seed::moved(&owner, &address, &["ready", "in_progress"]).await;
        owner.patch(&address, &passed).await.expect(200);
    }
    let seen = untested().await;
    assert_eq!(seen["untested"], json!(["Payments"]), "{engine:?}");
    assert_eq!(seen["tests_without_function"], 1);
    // Until a person names the function.
    let list = owner.get(TEST_CASES).await.expect(200).json();
    let nameless = list["data"].as_array().unwrap().iter().find(|test| test["functions"] == json!([]));
    let address = at(TEST_CASES, nameless.unwrap());
    let changed = owner.patch(&address, &json!({ "functions": ["Payments"] })).await.expect(200).data();
    assert_eq!(changed["functions"], json!(["Payments"]));
    let seen = untested().await;
    assert_eq!((&seen["untested"], &seen["tests_without_function"]), (&json!([]), &json!(0)));
}
