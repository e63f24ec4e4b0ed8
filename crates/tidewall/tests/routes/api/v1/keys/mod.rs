mod limits;
mod rotate;
mod scopes;

use domain::moment::Moment;
use insta::assert_json_snapshot;
use serde_json::json;
use test_case::test_case;
use testkit::{Engine, START, TestApp};

const PATH: &str = "/api/v1/keys";

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_new_key_reads_only_and_is_shown_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let created =
        owner.post(PATH, &json!({ "name": "reporting", "redirect_to": "api-keys" })).await.expect(201);
    insta::allow_duplicates! {
        assert_json_snapshot!(created.scrubbed(&["/data/id", "/data/key", "/data/prefix"]), @r#"
        {
          "data": {
            "created_at": "2026-11-14T14:00:00Z",
            "expires_at": "2027-11-14T14:00:00Z",
            "id": "…",
            "key": "…",
            "name": "reporting",
            "networks": null,
            "permissions": [
              "read"
            ],
            "prefix": "…",
            "redirect_to": "/workspace/api-keys",
            "scopes": null
          }
        }
        "#);
    }
    let key = created.data()["key"].as_str().unwrap().to_owned();
    let holder = app.client(&key);
    holder.get("/api/v1/webhooks").await.expect(200);
    holder.post(PATH, &json!({ "name": "x" })).await.expect(403);
    let listed = owner.get(PATH).await.expect(200);
    assert!(!listed.to_string().contains(&key));
    assert_eq!(listed.json()["meta"]["total"], 2);
}

#[tokio::test]
async fn nobody_gives_away_what_they_do_not_hold() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let manager = app.client(&app.key(&tenant, "manage_keys").await);
    let wanted = |permissions: &[&str]| json!({ "name": "x", "permissions": permissions });
    manager.post(PATH, &wanted(&["read"])).await.expect(201);
    manager.post(PATH, &wanted(&["manage_keys"])).await.expect(201);
    let refused = manager.post(PATH, &wanted(&["write"])).await.expect(403);
    assert_eq!(refused.error(), "this needs the permission write");
    manager.post(PATH, &wanted(&["admin"])).await.expect(422);
    // manage_keys does not imply write.
    manager.patch("/api/v1/concentration-risk/thresholds", &json!({})).await.expect(403);
}

#[tokio::test]
async fn fields_are_checked() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for body in [
        json!({}),
        json!({ "name": "x".repeat(256) }),
        json!({ "name": "x", "redirect_to": "home" }),
        json!({ "name": "x", "redirect_to": 1 }),
        json!({ "name": "x", "expires_at": "tomorrow" }),
        json!({ "name": "x", "expires_at": Moment::from_millis(START) }),
        json!({ "name": "x", "permissions": "write" }),
    ] {
        owner.post(PATH, &body).await.expect(422);
    }
    for redirect in [json!("profile"), json!("api-keys"), json!(null)] {
        owner.post(PATH, &json!({ "name": "x", "redirect_to": redirect })).await.expect(201);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn expired_and_revoked_keys_are_answered_like_unknown_ones(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "manage_keys").await);
    let soon = Moment::from_millis(START).plus_seconds(1);
    let expiring = app.client(&app.key_until(&tenant, "read", Some(soon)).await);
    expiring.get("/api/v1/webhooks").await.expect(200);
    app.clock.advance(1_000);
    let expired = expiring.get("/api/v1/webhooks").await.expect(401);

    let created = owner.post(PATH, &json!({ "name": "x" })).await.data();
    let holder = app.client(created["key"].as_str().unwrap());
    holder.get("/api/v1/webhooks").await.expect(200);
    let address = format!("{PATH}/{}", created["id"].as_str().unwrap());
    owner.delete(&address).await.expect(204);
    let revoked = holder.get("/api/v1/webhooks").await.expect(401);
    owner.delete(&address).await.expect(404);

    let unknown = app.client("tw_00000000_unknown").get("/api/v1/webhooks").await.expect(401);
    assert_eq!((&expired.body, &revoked.body), (&unknown.body, &unknown.body));
    assert_eq!(unknown.header("www-authenticate"), Some("Bearer"));
}

#[tokio::test]
async fn last_use_is_noted_off_the_request_path() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    assert_eq!(owner.get(PATH).await.data()[0]["last_used_at"], json!(null));
    app.app.people.note_key_use().await.unwrap();
    assert_eq!(owner.get(PATH).await.data()[0]["last_used_at"], "2026-11-14T14:00:00Z");
}
