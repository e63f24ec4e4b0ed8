use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, FINDINGS, at, pluck};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn filters_combine_and_totals_are_true(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let neighbour = app.owner("south").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let test_case = seed::test_case(&owner, &programme, &json!({})).await;
    seed::finding(&neighbour, &json!({ "title": "Fremder Befund" })).await;
    for (number, (fields, through)) in [
        (json!({ "severity": "low", "due_on": "2026-11-14" }), vec![]),
        (json!({ "severity": "critical", "programme_id": programme["id"] }), vec!["in_progress"]),
        (json!({ "severity": "high", "test_case_id": test_case["id"], "due_on": "2026-12-24" }), vec![]),
        (
            json!({ "severity": "critical", "due_on": "2026-11-20" }),
            vec!["in_progress", "resolved", "closed"],
        ),
        (json!({ "severity": "info", "cve": "CVE-2026-99999" }), vec!["risk_accepted"]),
    ]
    .into_iter()
    .enumerate()
    {
        let mut fields = fields;
        fields["title"] = json!(format!("Maßnahme {number}"));
        let finding = seed::finding(&owner, &fields).await;
        seed::moved(&owner, &at(FINDINGS, &finding), &through).await;
    }
    app.clock.advance(86_400_000);
    let of_programme = format!("programme_id={}", programme["id"].as_str().unwrap());
    let of_test_case = format!("test_case_id={}", test_case["id"].as_str().unwrap());
    let of_both = format!("{of_programme}&{of_test_case}");
    for (query, numbers) in [
        ("", vec![2, 1, 0]),
        ("status=all", vec![4, 3, 2, 1, 0]),
        ("status=closed", vec![3]),
        ("status=open&sort=created_at", vec![0, 2]),
        ("severity=critical", vec![1]),
        ("severity=critical&status=all", vec![3, 1]),
        ("severity=critical&status=closed", vec![3]),
        ("sort=severity", vec![1, 2, 0]),
        ("sort=-severity&status=all", vec![4, 0, 2, 3, 1]),
        ("sort=due_on&status=all", vec![0, 3, 2, 1, 4]),
        ("sort=-due_on", vec![1, 2, 0]),
        ("overdue=true", vec![0]),
        ("overdue=true&status=all", vec![0]),
        ("overdue=true&severity=high", vec![]),
        ("overdue=false", vec![2, 1]),
        ("overdue=false&status=all", vec![4, 3, 2, 1]),
        ("overdue=1&status=closed", vec![]),
        (of_programme.as_str(), vec![2, 1]),
        (of_test_case.as_str(), vec![2]),
        (of_both.as_str(), vec![2]),
        ("programme_id=prg_00000000000000000000000000", vec![]),
        ("search=massnahme", vec![2, 1, 0]),
        ("search=MASSNAHME%204&status=all", vec![4]),
        ("search=cve-2026-9&status=all", vec![4]),
        ("search=f-2026-0002", vec![1]),
        ("search=befund&status=all", vec![]),
        ("search=ma%C3%9F&severity=low", vec![0]),
        ("search=massnahme&overdue=true&sort=due_on", vec![0]),
    ] {
        let page = owner.get(&format!("{FINDINGS}?{query}")).await.expect(200).json();
        let titles: Vec<_> = numbers.iter().map(|number| format!("Maßnahme {number}")).collect();
        assert_eq!(pluck(&page, "title"), titles, "{query}");
        assert_eq!(page["meta"]["total"], numbers.len(), "{query}");
    }
}

#[tokio::test]
async fn a_wrong_filter_names_the_right_values() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (query, says) in [
        (
            "status=done",
            "status must be one of open, in_progress, resolved, closed, risk_accepted, false_positive, all",
        ),
        ("severity=High", "severity must be one of critical, high, medium, low, info"),
        ("overdue=yes", "overdue must be true or false"),
        ("programme_id=fnd_00000000000000000000000000", "programme_id must be the id of a programme"),
        (
            "sort=title",
            "sort must be one of -created_at, created_at, severity, -severity, due_on, -due_on, urgency, detected_at, \
             -detected_at",
        ),
    ] {
        let refused = owner.get(&format!("{FINDINGS}?{query}")).await.expect(422);
        assert_eq!(refused.error(), says);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn pages_cover_everything_once_from_either_end(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    for number in 0..23 {
        let severity = ["critical", "high", "medium", "low", "info"][number % 5];
        seed::finding(&owner, &json!({ "severity": severity })).await;
    }
    for query in ["", "&sort=severity", "&sort=-severity", "&sort=due_on", "&search=admin"] {
        let whole = owner.get(&format!("{FINDINGS}?limit=500{query}")).await.json();
        let mut pieces = Vec::new();
        for offset in (0..28).step_by(4) {
            let page = owner.get(&format!("{FINDINGS}?limit=4&offset={offset}{query}")).await.json();
            assert_eq!(page["meta"]["total"], 23);
            pieces.extend(pluck(&page, "id"));
        }
        assert_eq!(pieces, pluck(&whole, "id"), "{query}");
    }
}

#[tokio::test]
async fn what_is_overdue_changes_at_midnight_although_nothing_was_written() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    seed::finding(&owner, &json!({ "due_on": "2026-11-14" })).await;
    let overdue = format!("{FINDINGS}?overdue=true");
    let before = owner.get(&overdue).await;
    assert_eq!(before.json()["meta"]["total"], 0);
    let poll = owner.with("if-none-match", before.header("etag").unwrap());
    poll.get(&overdue).await.expect(304);
    app.clock.advance(10 * 3_600_000);
    let after = poll.get(&overdue).await.expect(200);
    assert_eq!(after.json()["meta"]["total"], 1);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_changed_word_is_found_and_the_old_one_is_not(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = at(FINDINGS, &seed::finding(&owner, &json!({ "title": "Firewall" })).await);
    let found = async |word: &str| {
        owner.get(&format!("{FINDINGS}?search={word}")).await.json()["meta"]["total"].clone()
    };
    assert_eq!((found("firewall").await, found("proxy").await), (json!(1), json!(0)));
    owner.patch(&address, &json!({ "title": "Proxy" })).await.expect(200);
    assert_eq!((found("firewall").await, found("proxy").await), (json!(0), json!(1)));
    owner.delete(&address).await.expect(204);
    assert_eq!(found("proxy").await, json!(0));
}
