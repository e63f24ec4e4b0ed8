//! `POST /api/v1/keys/{id}/rotate`: a new key beside the old one, which ends soon.

use domain::moment::Moment;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, START, TestApp};

const PATH: &str = "/api/v1/keys";
const HOOKS: &str = "/api/v1/webhooks";

fn hours(count: i64) -> Moment {
    Moment::from_millis(START).plus_seconds(count * 3600)
}

async fn made(app: &TestApp, maker: &Client, fields: &Value) -> (Client, String) {
    let data = maker.post(PATH, fields).await.expect(201).data();
    (app.client(data["key"].as_str().unwrap()), format!("{PATH}/{}", data["id"].as_str().unwrap()))
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn both_keys_work_until_the_overlap_is_over(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let fields = json!({ "name": "ci", "permissions": ["write"], "scopes": ["webhooks:read"],
                         "networks": ["127.0.0.0/8"] });
    let (old, address) = made(&app, &owner, &fields).await;
    old.get(HOOKS).await.expect(200);
    let rotated = owner.post(&format!("{address}/rotate"), &json!({})).await.expect(201).data();
    assert_eq!((&rotated["name"], &rotated["permissions"]), (&json!("ci"), &json!(["read", "write"])));
    assert_eq!(rotated["scopes"], json!(["webhooks:read"]));
    assert_eq!(rotated["networks"], json!(["127.0.0.0/8"]));
    assert_eq!(rotated["expires_at"], json!(hours(365 * 24)));
    let id = address.rsplit('/').next().unwrap();
    assert_eq!(rotated["replaces"], json!({ "id": id, "expires_at": hours(24) }));
    let new = app.client(rotated["key"].as_str().unwrap());
    for key in [&old, &new] {
        key.get(HOOKS).await.expect(200);
    }
    let listed = owner.get(&format!("{PATH}?limit=500")).await.data();
    let listed = listed.as_array().unwrap().iter().find(|key| key["id"] == id).unwrap();
    assert_eq!((&listed["replaced_by"], &listed["expires_at"]), (&rotated["id"], &json!(hours(24))));
    app.clock.advance(24 * 3_600_000);
    old.get(HOOKS).await.expect(401);
    new.get(HOOKS).await.expect(200);
}

#[tokio::test]
async fn a_rotated_key_is_not_rotated_again_and_without_overlap_ends_at_once() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (first, address) = made(&app, &owner, &json!({ "name": "a" })).await;
    owner.post(&format!("{address}/rotate"), &json!({ "overlap_hours": 1 })).await.expect(201);
    let again = owner.post(&format!("{address}/rotate"), &json!({})).await.expect(422);
    assert!(again.error().contains("was rotated before"), "{again}");
    first.get(HOOKS).await.expect(200);
    let fields = json!({ "name": "b", "permissions": ["manage_keys"] });
    let (second, address) = made(&app, &owner, &fields).await;
    second.get(HOOKS).await.expect(200);
    for wrong in
        [json!({ "overlap_hours": -1 }), json!({ "overlap_hours": 721 }), json!({ "overlap_hours": "1" })]
    {
        owner.post(&format!("{address}/rotate"), &wrong).await.expect(422);
    }
    second.post(&format!("{address}/rotate"), &json!({ "overlap_hours": 0 })).await.expect(201);
    second.get(HOOKS).await.expect(401);
    owner.post(&format!("{address}/rotate"), &json!({})).await.expect(404);
}

#[tokio::test]
async fn rotating_widens_nothing_and_lengthens_no_life_beyond_the_key_in_use() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write,manage_keys").await);
    let (_, writer) = made(&app, &owner, &json!({ "name": "writer", "permissions": ["write"] })).await;
    let manager = json!({ "name": "m", "permissions": ["manage_keys"], "expires_at": hours(2) });
    let (manager, own) = made(&app, &owner, &manager).await;
    let refused = manager.post(&format!("{writer}/rotate"), &json!({})).await.expect(403);
    assert_eq!(refused.error(), "this needs the permission write");
    let rotated = manager.post(&format!("{own}/rotate"), &json!({})).await.expect(201).data();
    assert_eq!(rotated["expires_at"], json!(hours(2)), "rotating itself does not prolong it");
    // A key that is limited to a network cannot get one that is not.
    let (wide, address) = made(&app, &owner, &json!({ "name": "wide" })).await;
    wide.get(HOOKS).await.expect(200);
    let narrow = json!({ "name": "n", "permissions": ["manage_keys"], "networks": ["127.0.0.0/8"] });
    let (narrow, _) = made(&app, &owner, &narrow).await;
    let refused = narrow.post(&format!("{address}/rotate"), &json!({})).await.expect(422);
    assert!(refused.error().contains("has wider limits than the key in use"), "{refused}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_key_about_to_end_gives_no_key_a_life_beyond_its_own(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let ending = json!({ "name": "m", "permissions": ["manage_keys"], "expires_at": hours(2) });
    let (ending, _) = made(&app, &owner, &ending).await;
    let (_, lasting) = made(&app, &owner, &json!({ "name": "lasting" })).await;
    let rotated = ending.post(&format!("{lasting}/rotate"), &json!({})).await.expect(201).data();
    assert_eq!(rotated["expires_at"], json!(hours(2)), "no later than the key that rotates");
    let (_, short) = made(&app, &owner, &json!({ "name": "short", "expires_at": hours(1) })).await;
    let rotated = owner.post(&format!("{short}/rotate"), &json!({})).await.expect(201).data();
    assert_eq!(rotated["expires_at"], json!(hours(1)), "no later than the key that is rotated");
}

#[tokio::test]
async fn another_key_leaves_the_users_of_a_key_an_hour() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (old, address) = made(&app, &owner, &json!({ "name": "ci" })).await;
    let refused = owner.post(&format!("{address}/rotate"), &json!({ "overlap_hours": 0 })).await.expect(422);
    assert!(refused.error().contains("at least 1 when a key rotates another one"), "{refused}");
    old.get(HOOKS).await.expect(200);
    owner.post(&format!("{address}/rotate"), &json!({ "overlap_hours": 1 })).await.expect(201);
    old.get(HOOKS).await.expect(200);
    app.clock.advance(3_600_000);
    old.get(HOOKS).await.expect(401);
}

#[tokio::test]
async fn sent_twice_it_makes_one_key() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (_, address) = made(&app, &owner, &json!({ "name": "a" })).await;
    let client = owner.with("idempotency-key", "r");
    let first = client.post(&format!("{address}/rotate"), &json!({})).await.expect(201);
    let again = client.post(&format!("{address}/rotate"), &json!({})).await.expect(201);
    assert_eq!(first.body, again.body);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
}
