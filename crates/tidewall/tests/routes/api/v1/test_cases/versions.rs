use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, TEST_CASES, at};

/// Archiving is a change as well: the version before has no `archived_at`, the current one has it.
#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn changes_and_the_archive_keep_the_version_before(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let test_case = seed::test_case(&owner, &programme, &json!({ "steps": ["Stop it", "Start it"] })).await;
    let address = at(TEST_CASES, &test_case);
    owner.patch(&address, &json!({ "steps": ["Stop it"], "priority": "high" })).await.expect(200);
    owner.patch(&address, &json!({ "status": "cancelled" })).await.expect(200);
    app.clock.advance(60_000);
    owner.post(&format!("{address}/archive"), &json!({})).await.expect(200);

    let versions = owner.get(&format!("{address}/versions")).await.expect(200).data();
    let shown = |field: &str| -> Vec<Value> {
        versions.as_array().unwrap().iter().map(|version| version["record"][field].clone()).collect()
    };
    assert_eq!(shown("status"), ["cancelled", "cancelled", "draft", "draft"], "{engine:?}");
    assert_eq!(shown("steps")[2..], [json!(["Stop it"]), json!(["Stop it", "Start it"])]);
    let archived = json!("2026-11-14T14:01:00Z");
    assert_eq!(shown("archived_at"), [archived, json!(null), json!(null), json!(null)]);
    assert_eq!(owner.get(&format!("{address}/versions/4")).await.expect(200).data(), versions[0]);

    let other = app.owner("south").await;
    other.get(&format!("{address}/versions")).await.expect(404);
    other.get(&format!("{address}/versions/1")).await.expect(404);
}
