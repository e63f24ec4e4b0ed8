use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, FINDINGS, TEST_CASES, at, pluck};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn filters_combine_and_totals_are_true(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let neighbour = app.owner("south").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let other = seed::programme(&owner, &json!({})).await;
    for (number, (of, test_type, priority, due)) in [
        (&programme, "tlpt", "low", json!("2027-01-01")),
        (&programme, "gap_analysis", "critical", json!("2026-12-01")),
        (&other, "tlpt", "high", json!(null)),
        (&other, "tlpt", "medium", json!("2026-11-20")),
    ]
    .into_iter()
    .enumerate()
    {
        let title = format!("Nachweis Prüfung {number}");
        let fields = json!({ "title": title, "test_type": test_type, "priority": priority, "due_on": due });
        let test_case = seed::test_case(&owner, of, &fields).await;
        if number == 3 {
            seed::moved(&owner, &at(TEST_CASES, &test_case), &["ready", "in_progress", "passed"]).await;
        }
    }
    let first = programme["id"].as_str().unwrap();
    let programme_filter = format!("programme_id={first}");
    let both = format!("programme_id={first}&test_type=tlpt");
    let foreign =
        format!("programme_id={}", seed::programme(&neighbour, &json!({})).await["id"].as_str().unwrap());
    for (query, numbers) in [
        ("", vec![3, 2, 1, 0]),
        ("sort=created_at", vec![0, 1, 2, 3]),
        ("sort=due_on", vec![3, 1, 0, 2]),
        ("sort=-due_on", vec![2, 0, 1, 3]),
        ("sort=priority", vec![1, 2, 3, 0]),
        ("sort=-priority", vec![0, 3, 2, 1]),
        ("test_type=tlpt", vec![3, 2, 0]),
        (programme_filter.as_str(), vec![1, 0]),
        (both.as_str(), vec![0]),
        ("status=passed", vec![3]),
        ("status=draft&test_type=tlpt", vec![2, 0]),
        (foreign.as_str(), vec![]),
        ("search=prufung", vec![3, 2, 1, 0]),
        ("search=PRÜF%20nachw&sort=created_at", vec![0, 1, 2, 3]),
        ("search=gap", vec![1]),
        ("search=prufung&status=passed", vec![3]),
    ] {
        let page = owner.get(&format!("{TEST_CASES}?{query}")).await.expect(200).json();
        let titles: Vec<_> = numbers.iter().map(|number| format!("Nachweis Prüfung {number}")).collect();
        assert_eq!(pluck(&page, "title"), titles, "{query}");
        assert_eq!(page["meta"]["total"], numbers.len(), "{query}");
    }
    for wrong in ["programme_id=x", "test_type=x", "status=all", "sort=title"] {
        owner.get(&format!("{TEST_CASES}?{wrong}")).await.expect(422);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn shows_how_many_findings_each_has(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let quiet = seed::test_case(&owner, &programme, &json!({})).await;
    let loud = seed::test_case(&owner, &programme, &json!({})).await;
    for _ in 0..3 {
        seed::finding(&owner, &json!({ "test_case_id": loud["id"] })).await;
    }
    let last = seed::finding(&owner, &json!({ "test_case_id": loud["id"] })).await;
    seed::moved(&owner, &at(FINDINGS, &last), &["in_progress", "resolved", "closed"]).await;
    let page = owner.get(TEST_CASES).await.json();
    assert_eq!(page["data"][0]["findings"], json!({ "open": 3, "total": 4 }));
    assert_eq!(page["data"][1]["findings"], json!({ "open": 0, "total": 0 }));
    // A finding that moves to another test case is counted there.
    owner.patch(&at(FINDINGS, &last), &json!({ "test_case_id": quiet["id"] })).await.expect(200);
    let page = owner.get(TEST_CASES).await.json();
    assert_eq!(page["data"][0]["findings"], json!({ "open": 3, "total": 3 }));
    assert_eq!(page["data"][1]["findings"], json!({ "open": 0, "total": 1 }));
}
