use domain::event::EventKind;
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, FINDINGS, events};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn answers_201_with_the_record_and_its_address(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let body = json!({
        "title": "Admin console reachable from the internet", "severity": "critical", "cvss": 9.8,
        "cve": "CVE-2026-12345", "description": "Found by scanning", "owner": "IT operations",
        "affected_asset": "console.bank.example", "remediation": "Restrict access", "due_on": "2026-11-30",
        "detected_at": "2026-11-14T10:00:00+01:00", "measures": ["measure-testing-scenario-exercises"],
    });
    let answer = owner.post(FINDINGS, &body).await.expect(201);
    insta::allow_duplicates! {
        assert_json_snapshot!(answer.scrubbed(&["/data/id", "/data/history/0/by"]), @r#"
        {
          "data": {
            "acceptance": null,
            "affected_asset": "console.bank.example",
            "archived_at": null,
            "closed_at": null,
            "controls": [],
            "created_at": "2026-11-14T14:00:00Z",
            "cve": "CVE-2026-12345",
            "cvss": 9.8,
            "description": "Found by scanning",
            "detected_at": "2026-11-14T09:00:00Z",
            "due_on": "2026-11-30",
            "history": [
              {
                "at": "2026-11-14T14:00:00Z",
                "by": "…",
                "from": null,
                "note": null,
                "to": "open"
              }
            ],
            "id": "…",
            "measures": [
              "measure-testing-scenario-exercises"
            ],
            "owner": "IT operations",
            "programme_id": null,
            "reference": "F-2026-0001",
            "remediation": "Restrict access",
            "requirements": [],
            "root_cause": null,
            "severity": "critical",
            "status": "open",
            "test_case_id": null,
            "title": "Admin console reachable from the internet",
            "updated_at": "2026-11-14T14:00:00Z"
          }
        }
        "#);
    }
    let address = answer.header("location").unwrap().to_owned();
    assert_eq!(owner.get(&address).await.expect(200).json(), answer.json());
}

#[tokio::test]
async fn wrong_values_are_refused_by_field() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (field, value) in [
        ("title", json!("a\tb")),
        ("severity", json!("blocker")),
        ("severity", json!(null)),
        ("status", json!("closed")),
        ("cve", json!("CVE-26-1")),
        ("cvss", json!(10.1)),
        ("cvss", json!("9.8")),
        ("cvss", json!(9.85)),
        ("due_on", json!("2026-11-13")),
        ("detected_at", json!("2027-01-01T00:00:00Z")),
        ("acceptance", json!({ "reason": "x", "until": "2027-01-01" })),
        ("acceptance", json!("x")),
        ("measures", json!(["dora"])),
        ("programme_id", json!("tst_00000000000000000000000000")),
        ("test_case_id", json!(1)),
    ] {
        let mut body = json!({ "title": "F", "severity": "low" });
        body[field] = value.clone();
        let refused = owner.post(FINDINGS, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field} = {value}: {refused}");
    }
    let page = owner.get(&format!("{FINDINGS}?status=all")).await.json();
    assert_eq!(page["meta"]["total"], 0, "nothing may be stored");
    // Nor may a refused one use up a number.
    assert_eq!(seed::finding(&owner, &json!({})).await["reference"], "F-2026-0001");
}

#[tokio::test]
async fn foreign_links_are_answered_like_none_at_all() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let neighbour = app.owner("south").await;
    let programme = seed::programme(&neighbour, &json!({})).await;
    let test_case = seed::test_case(&neighbour, &programme, &json!({})).await;
    for (field, foreign, missing) in [
        ("programme_id", &programme["id"], "prg_00000000000000000000000000"),
        ("test_case_id", &test_case["id"], "tst_00000000000000000000000000"),
    ] {
        let refused = async |id: Value| {
            let mut body = json!({ "title": "F", "severity": "low" });
            body[field] = id;
            owner.post(FINDINGS, &body).await.expect(422).json()
        };
        assert_eq!(refused(foreign.clone()).await, refused(json!(missing)).await);
    }
    // A test case of another programme than the one named.
    let mine = seed::programme(&owner, &json!({})).await;
    let other = seed::programme(&owner, &json!({})).await;
    let of_mine = seed::test_case(&owner, &mine, &json!({})).await;
    let body = json!({ "title": "F", "severity": "low", "programme_id": other["id"], "test_case_id": of_mine["id"] });
    let refused = owner.post(FINDINGS, &body).await.expect(422).error();
    assert!(refused.contains("must be the programme of the test case"), "{refused}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn references_have_no_gaps_however_many_create_at_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    let creators = (0..8).map(|creator| {
        let owner = owner.clone();
        tokio::spawn(async move {
            for number in 0..12 {
                let title = format!("{creator}-{number}");
                owner.post(FINDINGS, &json!({ "title": title, "severity": "low" })).await.expect(201);
                // In between, some that fail and must not use up a number.
                let wrong = json!({ "title": title, "severity": "low", "due_on": "2020-01-01" });
                owner.post(FINDINGS, &wrong).await.expect(422);
            }
        })
    });
    for creator in creators.collect::<Vec<_>>() {
        creator.await.unwrap();
    }
    let page = owner.get(&format!("{FINDINGS}?limit=500&sort=created_at")).await.json();
    let mut references = seed::pluck(&page, "reference");
    references.sort_unstable();
    let expected: Vec<_> = (1..=96).map(|number| format!("F-2026-{number:04}")).collect();
    assert_eq!(references, expected);
    // One event for each, in the order they happened.
    let events = events(&app, &tenant.caller).await;
    assert_eq!(events.len(), 96);
    assert!(events.iter().all(|(kind, ..)| *kind == EventKind::FindingCreated));
    let mut subjects: Vec<_> = events.into_iter().map(|(_, subject, _)| subject).collect();
    subjects.sort_unstable();
    let mut ids = seed::pluck(&page, "id");
    ids.sort_unstable();
    assert_eq!(subjects, ids);
}

#[tokio::test]
async fn references_count_per_tenant_and_year_and_are_not_given_out_again() {
    let app = TestApp::new().await;
    let north = app.owner("north").await;
    let south = app.owner("south").await;
    let first = seed::finding(&north, &json!({})).await;
    north.delete(&seed::at(FINDINGS, &first)).await.expect(204);
    assert_eq!(seed::finding(&north, &json!({})).await["reference"], "F-2026-0002");
    assert_eq!(seed::finding(&south, &json!({})).await["reference"], "F-2026-0001");
    app.clock.advance(60 * 86_400_000);
    assert_eq!(seed::finding(&north, &json!({})).await["reference"], "F-2027-0001");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_resent_request_creates_nothing_twice(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await).with("idempotency-key", "one");
    let body = json!({ "title": "F", "severity": "low" });
    let first = owner.post(FINDINGS, &body).await.expect(201);
    let second = owner.post(FINDINGS, &body).await.expect(201);
    assert_eq!((first.json(), first.header("location")), (second.json(), second.header("location")));
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    assert_eq!(events(&app, &tenant.caller).await.len(), 1);
}
