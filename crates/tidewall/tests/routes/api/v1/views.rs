//! Saved views of lists: own or shared, one of them the start of its list.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

const VIEWS: &str = "/api/v1/views";

async fn save(client: &Client, body: Value) -> Value {
    client.post(VIEWS, &body).await.expect(201).data()
}

fn address(view: &Value) -> String {
    format!("{VIEWS}/{}", view["id"].as_str().unwrap())
}

async fn names(client: &Client, query: &str) -> Vec<String> {
    let page = client.get(&format!("{VIEWS}{query}")).await.expect(200).json();
    super::seed::pluck(&page, "name")
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_view_is_answered_as_it_is_stored_and_changed_field_by_field(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let body = json!({
        "list": "findings", "name": "Open and critical", "shared": false, "order": "due",
        "columns": ["severity", "owner"], "filters": "severity=critical&owner=Anna%20Weber&status=",
    });
    let made = save(&client, body).await;
    let expected = json!({
        "id": made["id"], "list": "findings", "name": "Open and critical", "shared": false, "start": false,
        "own": true, "columns": ["severity", "owner"], "filters": "severity=critical&owner=Anna%20Weber",
        "order": "due", "created_at": made["created_at"], "updated_at": made["updated_at"],
    });
    assert_eq!(made, expected);
    assert_eq!(client.get(&address(&made)).await.expect(200).data(), made);
    let after =
        client.patch(&address(&made), &json!({ "name": "Mine", "columns": null })).await.expect(200).data();
    assert_eq!(
        (&after["name"], &after["columns"], &after["order"]),
        (&json!("Mine"), &json!([]), &json!("due"))
    );
    save(&client, json!({ "list": "risks", "name": "High" })).await;
    assert_eq!(names(&client, "").await, ["Mine", "High"]);
    assert_eq!(names(&client, "?list=risks").await, ["High"]);
    client.delete(&address(&made)).await.expect(204);
    client.get(&address(&made)).await.expect(404);
    assert_eq!(names(&client, "").await, ["High"]);
    let log = client.get("/api/v1/audit?limit=500").await.expect(200).data();
    for action in ["view.created", "view.changed", "view.deleted"] {
        assert!(log.as_array().unwrap().iter().any(|entry| entry["action"] == action), "{action}");
    }
}

#[tokio::test]
async fn a_list_has_one_start_view_for_each_person() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let first = save(&client, json!({ "list": "findings", "name": "A", "start": true })).await;
    let other = save(&client, json!({ "list": "risks", "name": "B", "start": true })).await;
    let second = save(&client, json!({ "list": "findings", "name": "C", "start": true })).await;
    assert_eq!(client.get(&address(&first)).await.expect(200).data()["start"], false);
    for view in [&other, &second] {
        assert_eq!(client.get(&address(view)).await.expect(200).data()["start"], true);
    }
    client.patch(&address(&first), &json!({ "start": true })).await.expect(200);
    assert_eq!(client.get(&address(&second)).await.expect(200).data()["start"], false);
}

#[tokio::test]
async fn another_key_sees_shared_views_only_and_another_tenant_none() {
    let app = TestApp::new().await;
    let north = app.tenant("north").await;
    let own = app.client(&app.key(&north, "read,write").await);
    let other = app.client(&app.key(&north, "read").await);
    let south = app.owner("south").await;
    let private = save(&own, json!({ "list": "findings", "name": "Private" })).await;
    let shared = save(&own, json!({ "list": "findings", "name": "Shared", "shared": true })).await;
    assert_eq!(names(&other, "").await, ["Shared"]);
    other.get(&address(&private)).await.expect(404);
    assert_eq!(other.get(&address(&shared)).await.expect(200).data()["own"], false);
    other.delete(&address(&shared)).await.expect(403);
    assert!(names(&south, "").await.is_empty());
    south.patch(&address(&shared), &json!({ "name": "Ours" })).await.expect(404);
}

#[tokio::test]
async fn what_is_no_view_of_a_list_is_refused_with_its_field() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    for (field, value) in [
        ("list", json!("webhooks")),
        ("list", json!(null)),
        ("name", json!(" ")),
        ("filters", json!("sort=due")),
        ("filters", json!("severity=<b>")),
        ("columns", json!(["Severity!"])),
        ("order", json!("due on")),
        ("shared", json!("maybe")),
    ] {
        let mut body = json!({ "list": "findings", "name": "Mine" });
        body[field] = value;
        let refused = client.post(VIEWS, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field}: {refused}");
    }
    let view = save(&client, json!({ "list": "findings", "name": "Mine" })).await;
    client.patch(&address(&view), &json!({ "list": "risks" })).await.expect(422);
    assert_eq!(names(&client, "").await, ["Mine"]);
}
