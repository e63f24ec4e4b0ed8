//! Concurrent changes by several users, or of several findings.

use app::finding::BulkOutcome;
use domain::{change::Change, event::EventKind, finding::FindingInput, id::FindingId};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, FINDINGS, at, events};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn of_two_people_who_close_a_finding_at_once_one_is_reported(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    let address = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
    seed::moved(&owner, &address, &["in_progress", "resolved"]).await;
    let raised = events(&app, &tenant.caller).await.len();
    let etag = owner.get(&address).await.header("etag").unwrap().to_owned();
    let close = json!({ "status": "closed" });

    // Both have seen the same version.
    let careful = owner.with("if-match", &etag);
    let (one, other) = tokio::join!(careful.patch(&address, &close), careful.patch(&address, &close));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412]);
    owner.patch(&address, &json!({ "status": "open" })).await.expect(200);
    seed::moved(&owner, &address, &["in_progress", "resolved"]).await;

    // Without a precondition, the second caller learns that the finding is already closed.
    let (one, other) = tokio::join!(owner.patch(&address, &close), owner.patch(&address, &close));
    let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
    won.expect(200);
    assert!(lost.expect(422).error().contains("is already closed"));
    let closings = events(&app, &tenant.caller).await.split_off(raised);
    let closings = closings.iter().filter(|(_, _, payload)| payload["finding"]["status"] == "closed");
    assert_eq!(closings.count(), 2, "one event for each closing that happened");
}

fn id(finding: &Value) -> FindingId {
    finding["id"].as_str().unwrap().parse().unwrap()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn many_findings_change_together_or_not_at_all(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    let one = seed::finding(&owner, &json!({})).await;
    let other = seed::finding(&owner, &json!({})).await;
    let closed = seed::finding(&owner, &json!({})).await;
    seed::moved(&owner, &at(FINDINGS, &closed), &["in_progress", "resolved", "closed"]).await;
    let foreign = seed::finding(&app.owner("south").await, &json!({})).await;
    let raised = events(&app, &tenant.caller).await.len();
    let change = async |findings: &[&Value], input: FindingInput| {
        let findings = findings.iter().map(|finding| id(finding)).collect();
        app.app.resilience.change_findings(&tenant.caller, findings, input).await
    };
    let start = || FindingInput {
        status: Change::Set("in_progress".into()),
        owner: Change::Set("Ms Sommer".into()),
        due_on: Change::Set("2026-12-24".into()),
        ..FindingInput::default()
    };

    let BulkOutcome::Refused(refused) = change(&[&one, &other, &closed, &foreign], start()).await.unwrap()
    else {
        panic!("a closed and a foreign finding cannot be started");
    };
    let named: Vec<_> = refused.iter().map(|(finding, _)| *finding).collect();
    assert_eq!(named, [id(&closed), id(&foreign)]);
    assert!(refused[0].1.to_string().contains("cannot go from closed to in_progress"), "{}", refused[0].1);
    assert_eq!(owner.get(&at(FINDINGS, &one)).await.data()["status"], "open");
    assert_eq!(events(&app, &tenant.caller).await.len(), raised);

    let done = change(&[&one, &other], start()).await.unwrap();
    assert_eq!(done, BulkOutcome::Done { changed: 2, unchanged: 0 });
    let seen = owner.get(&at(FINDINGS, &other)).await.data();
    assert_eq!((&seen["status"], &seen["owner"]), (&json!("in_progress"), &json!("Ms Sommer")));
    let new = events(&app, &tenant.caller).await.split_off(raised);
    assert!(new.iter().all(|(kind, ..)| *kind == EventKind::FindingStatusChanged) && new.len() == 2);
    let same = FindingInput { owner: Change::Set("Ms Sommer".into()), ..FindingInput::default() };
    let done = change(&[&one, &other], same).await.unwrap();
    assert_eq!(done, BulkOutcome::Done { changed: 0, unchanged: 2 });
    assert!(change(&[], start()).await.is_err());
}
