//! Stages whose information was provided with an earlier one, and the intermediate report on request.

use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::{
    super::seed::at,
    reports::{REPORTS, create},
};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_stage_is_skipped_only_with_a_reason(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = at(REPORTS, &create(&owner, "severe_incident").await);
    let nothing = json!({ "already_provided": { "notification": "It was all said" } });
    let refused = owner.patch(&address, &nothing).await.expect(422).json();
    assert!(refused["details"]["already_provided.notification"].is_array(), "{engine:?}: {refused}");
    owner.patch(&address, &json!({ "status": "early_warning_sent" })).await.expect(200);
    app.clock.advance(3_600_000);
    owner.patch(&address, &json!({ "status": "final_report_sent" })).await.expect(422);
    let empty = json!({ "status": "final_report_sent", "already_provided": { "notification": " " } });
    owner.patch(&address, &empty).await.expect(422);
    let skipped = json!({ "already_provided": { "notification": "The early warning contained it" } });
    let after = owner.patch(&address, &skipped).await.expect(200).data();
    assert_eq!(after["status"], "notification_sent", "{engine:?}");
    let stage = &after["stages"]["notification"];
    assert_eq!(stage["already_provided"], "The early warning contained it");
    assert_eq!(
        (&stage["state"], &stage["submitted_at"]),
        (&json!("submitted"), &json!("2026-11-14T14:00:00Z"))
    );
    assert_eq!(
        after["stages"]["final_report"]["due_at"], "2026-12-14T14:00:00Z",
        "a month after the warning"
    );
    assert_eq!(owner.get(&address).await.expect(200).data(), after);
    let done =
        json!({ "status": "closed", "already_provided": { "final_report": "Nothing was left to say" } });
    let done = owner.patch(&address, &done).await.expect(200).data();
    assert_eq!(
        (&done["status"], &done["stages"]["final_report"]["state"]),
        (&json!("closed"), &json!("submitted"))
    );
}

#[tokio::test]
async fn a_stage_may_be_skipped_and_the_next_one_filed_in_one_request() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = at(REPORTS, &create(&owner, "severe_incident").await);
    owner.patch(&address, &json!({ "status": "early_warning_sent" })).await.expect(200);
    let both = json!({
        "status": "final_report_sent", "submission_reference": "CSIRT-9",
        "already_provided": { "notification": "The early warning contained it" },
    });
    let after = owner.patch(&address, &both).await.expect(200).data();
    assert_eq!(after["status"], "final_report_sent");
    assert_eq!(after["stages"]["final_report"]["reference"], "CSIRT-9");
    assert_eq!(after["stages"]["notification"]["reference"], json!(null));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_intermediate_report_is_owed_from_its_request_until_it_is_sent(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = at(REPORTS, &create(&owner, "severe_incident").await);
    let asked = json!({ "interim_requested_at": "2026-11-14T13:30:00Z" });
    let owed = owner.patch(&address, &asked).await.expect(200).data();
    assert_eq!(owed["interim"]["owed"], true, "{engine:?}");
    let sent = json!({ "interim_submitted_at": "2026-11-14T13:45:00Z", "interim_reference": "CSIRT-7" });
    let sent = owner.patch(&address, &sent).await.expect(200).data();
    assert_eq!(
        sent["interim"],
        json!({ "requested_at": "2026-11-14T13:30:00Z", "submitted_at": "2026-11-14T13:45:00Z",
                "reference": "CSIRT-7", "owed": false })
    );
    let again = owner.patch(&address, &json!({ "interim_requested_at": "2026-11-14T13:50:00Z" })).await;
    assert_eq!(again.expect(200).data()["interim"]["owed"], true, "another request");
}
