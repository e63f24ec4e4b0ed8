//! Several people, or several findings, at once.

use domain::{change::Change, event::EventKind, id::FindingId};
use serde_json::{Value, json};
use testkit::{Engine, TestApp};

use super::super::seed::{self, FINDINGS, at, events};

#[tokio::test]
async fn of_two_people_who_close_a_finding_at_once_one_is_told() {
    for engine in Engine::BOTH {
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

        // Neither says which version was seen: the second learns that there is nothing left to close.
        let (one, other) = tokio::join!(owner.patch(&address, &close), owner.patch(&address, &close));
        let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
        won.expect(200);
        assert!(lost.expect(422).error().contains("is already closed"));
        let closings = events(&app, &tenant.caller).await.split_off(raised);
        let closings = closings.iter().filter(|(_, _, payload)| payload["finding"]["status"] == "closed");
        assert_eq!(closings.count(), 2, "one event for each closing that happened");
    }
}

fn id(finding: &Value) -> FindingId {
    finding["id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn of_many_findings_moved_at_once_each_goes_or_says_why_not() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).await;
        let tenant = app.tenant("north").await;
        let owner = app.client(&app.key(&tenant, "write").await);
        let one = seed::finding(&owner, &json!({})).await;
        let other = seed::finding(&owner, &json!({})).await;
        let closed = seed::finding(&owner, &json!({})).await;
        seed::moved(&owner, &at(FINDINGS, &closed), &["in_progress", "resolved", "closed"]).await;
        let foreign = seed::finding(&app.owner("south").await, &json!({})).await;
        let raised = events(&app, &tenant.caller).await.len();
        let ids = [&one, &other, &closed, &foreign].map(id);
        let note = Change::Set("Sprint 12".to_owned());
        let moved = app.app.move_findings(&tenant.caller, &ids, "in_progress", note).await.unwrap();
        let refusals: Vec<_> = moved.iter().map(|each| each.refusal.as_deref()).collect();
        assert_eq!(refusals[..2], [None, None]);
        assert!(refusals[2].unwrap().contains("cannot go from closed to in_progress"), "{refusals:?}");
        assert_eq!(refusals[3], Some("is gone"));
        let seen = owner.get(&at(FINDINGS, &other)).await.data();
        assert_eq!(
            (&seen["status"], &seen["history"][0]["note"]),
            (&json!("in_progress"), &json!("Sprint 12"))
        );
        let new = events(&app, &tenant.caller).await.split_off(raised);
        assert!(new.iter().all(|(kind, ..)| *kind == EventKind::FindingStatusChanged) && new.len() == 2);
        let many = vec![id(&one); 501];
        assert!(app.app.move_findings(&tenant.caller, &many, "resolved", Change::Keep).await.is_err());
    }
}
