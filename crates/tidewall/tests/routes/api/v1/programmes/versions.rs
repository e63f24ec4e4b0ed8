use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, PROGRAMMES, at};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn every_change_keeps_the_version_before(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({ "name": "Payments", "functions": ["Cards"] })).await;
    let address = at(PROGRAMMES, &programme);
    app.clock.advance(60_000);
    owner.patch(&address, &json!({ "status": "active", "note": "Go" })).await.expect(200);
    app.clock.advance(60_000);
    owner.patch(&address, &json!({ "name": "Payments 2027", "functions": [] })).await.expect(200);
    // A change without effect creates no version.
    owner.patch(&address, &json!({ "name": "Payments 2027" })).await.expect(200);

    let list = owner.get(&format!("{address}/versions")).await.expect(200).json();
    let numbers: Vec<_> = list["data"].as_array().unwrap().iter().map(|v| v["version"].clone()).collect();
    assert_eq!(numbers, [3, 2, 1], "{engine:?}");
    assert_eq!(list["meta"]["total"], 3);
    let first = &list["data"][2];
    assert_eq!(first["record"]["name"], "Payments");
    assert_eq!(
        (&first["record"]["status"], &first["record"]["functions"]),
        (&json!("planned"), &json!(["Cards"]))
    );
    assert_eq!(
        (&first["from"], &first["until"]),
        (&json!("2026-11-14T14:00:00Z"), &json!("2026-11-14T14:01:00Z"))
    );
    assert_eq!(list["data"][1]["from"], first["until"], "versions follow one another");
    assert!(first["replaced_by"].as_str().unwrap().starts_with("key_"), "{first}");
    assert_eq!((&list["data"][0]["until"], &list["data"][0]["replaced_by"]), (&json!(null), &json!(null)));

    let part = owner.get(&format!("{address}/versions?limit=1&offset=1")).await.expect(200).json();
    assert_eq!(part["data"], json!([list["data"][1]]));
    let one = owner.get(&format!("{address}/versions/1")).await.expect(200).data();
    assert_eq!(one, *first);
    assert_eq!(owner.get(&format!("{address}/versions/3")).await.expect(200).data(), list["data"][0]);
    for absent in ["0", "4", "x", "-1"] {
        owner.get(&format!("{address}/versions/{absent}")).await.expect(404);
    }
    owner.delete(&address).await.expect(204);
    owner.get(&format!("{address}/versions")).await.expect(404);
}
