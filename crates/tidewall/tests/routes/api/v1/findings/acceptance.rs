use domain::event::EventKind;
use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, FINDINGS, at, events};

const DAY: i64 = 86_400_000;

#[tokio::test]
async fn needs_a_reason_and_an_end_in_the_future() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
    for (acceptance, field) in [
        (json!(null), "acceptance"),
        (json!({}), "acceptance.reason"),
        (json!({ "reason": "x" }), "acceptance.until"),
        (json!({ "reason": " ", "until": "2027-01-01" }), "acceptance.reason"),
        (json!({ "reason": "x", "until": "2026-11-14" }), "acceptance.until"),
        (json!({ "reason": "x", "until": 7 }), "acceptance.until"),
    ] {
        let body = json!({ "status": "risk_accepted", "acceptance": acceptance });
        let refused = owner.patch(&address, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{acceptance}: {refused}");
    }
    let refused = owner.patch(&address, &json!({ "status": "risk_accepted" })).await.expect(422).json();
    assert!(refused["details"]["acceptance"].is_array(), "{refused}");
    let good = json!({ "status": "risk_accepted", "acceptance": { "reason": "x", "until": "2026-11-15" } });
    let accepted = owner.patch(&address, &good).await.expect(200).data();
    assert_eq!(accepted["acceptance"], json!({ "reason": "x", "until": "2026-11-15" }));
    // The end can be moved while the acceptance is valid, and is removed with it.
    let later = json!({ "acceptance": { "until": "2026-12-31" } });
    let moved = owner.patch(&address, &later).await.expect(200).data();
    assert_eq!(moved["acceptance"], json!({ "reason": "x", "until": "2026-12-31" }));
    let reopened = owner.patch(&address, &json!({ "status": "open" })).await.expect(200).data();
    assert_eq!(reopened["acceptance"], json!(null));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn opens_again_by_itself_the_day_after_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    let address = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
    let until =
        |day: &str| json!({ "status": "risk_accepted", "acceptance": { "reason": "x", "until": day } });
    owner.patch(&address, &until("2026-11-16")).await.expect(200);
    let other = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
    owner.patch(&other, &until("2026-11-17")).await.expect(200);

    app.clock.advance(2 * DAY);
    assert_eq!(app.app.expire_acceptances().await.unwrap(), 0, "the last day still holds");
    app.clock.advance(DAY);
    assert_eq!(app.app.expire_acceptances().await.unwrap(), 1);
    assert_eq!(app.app.expire_acceptances().await.unwrap(), 0);

    let seen = owner.get(&address).await.data();
    assert_eq!((&seen["status"], &seen["acceptance"]), (&json!("open"), &json!(null)));
    let last = seen["history"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["by"], &last["note"]),
        (&json!("system"), &json!("The risk was accepted until 16 Nov 2026."))
    );
    assert_eq!(owner.get(&other).await.data()["status"], "risk_accepted");
    let (kind, subject, data) = events(&app, &tenant.caller).await.pop().unwrap();
    assert_eq!((kind, subject.as_str()), (EventKind::FindingStatusChanged, seen["id"].as_str().unwrap()));
    assert_eq!(data["previous_status"], "risk_accepted");
    assert_eq!(owner.get(FINDINGS).await.json()["meta"]["total"], 1);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_nodes_open_each_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    for _ in 0..20 {
        let address = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
        seed::moved(&owner, &address, &["risk_accepted"]).await;
    }
    app.clock.advance(60 * DAY);
    let nodes = (0..4).map(|_| {
        let app = app.app.clone();
        tokio::spawn(async move { app.expire_acceptances().await.unwrap() })
    });
    let mut opened = 0;
    for node in nodes.collect::<Vec<_>>() {
        opened += node.await.unwrap();
    }
    assert_eq!(opened, 20);
    let reopened = events(&app, &tenant.caller).await;
    let reopened = reopened.iter().filter(|(.., data)| data["previous_status"] == "risk_accepted").count();
    assert_eq!(reopened, 20);
}

#[tokio::test]
async fn a_german_institution_reads_german_notes_of_the_service() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    app.app.people.set_language(&tenant.caller, domain::wording::Language::German).await.unwrap();
    let owner = app.client(&app.key(&tenant, "write").await);
    let address = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
    let accepted =
        json!({ "status": "risk_accepted", "acceptance": { "reason": "x", "until": "2026-11-16" } });
    owner.patch(&address, &accepted).await.expect(200);
    app.clock.advance(3 * DAY);
    assert_eq!(app.app.expire_acceptances().await.unwrap(), 1);
    let seen = owner.get(&address).await.data();
    let last = seen["history"].as_array().unwrap().last().unwrap();
    assert_eq!(last["note"], "Das Risiko war bis zum 16.11.2026 akzeptiert.");
}
