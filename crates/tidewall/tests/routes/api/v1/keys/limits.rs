//! The limits of a key: its end, its scopes, its networks, and the key that created it.

use domain::{key_limits::resource_of, moment::Moment};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, START, TestApp};

use crate::routes::openapi::operations;

const PATH: &str = "/api/v1/keys";

fn days(count: i64) -> Moment {
    Moment::from_millis(START).plus_seconds(count * 24 * 3600)
}

/// A key that `maker` makes with these further fields.
async fn made(app: &TestApp, maker: &Client, mut fields: Value) -> (Client, Value) {
    fields["name"] = json!("child");
    let data = maker.post(PATH, &fields).await.expect(201).data();
    (app.client(data["key"].as_str().unwrap()), data)
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_key_ends_after_a_year_and_never_after_its_parent(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key_until(&tenant, "manage_keys", Some(days(1000))).await);
    let (_, usual) = made(&app, &owner, json!({})).await;
    assert_eq!(usual["expires_at"], json!(days(365)));
    let short = app.client(&app.key_until(&tenant, "manage_keys", Some(days(1))).await);
    let (_, child) = made(&app, &short, json!({ "expires_at": null })).await;
    assert_eq!(child["expires_at"], json!(days(1)), "no later than its parent");
    let beyond = json!({ "name": "x", "expires_at": days(2) });
    let refused = short.post(PATH, &beyond).await.expect(422);
    assert!(refused.error().contains("must not be after the end of the key in use"), "{refused}");
}

#[tokio::test]
async fn the_maximum_of_the_institution_holds_for_every_new_key() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "manage_keys").await);
    app.app.people.set_key_days(&tenant.caller, Some(30)).await.unwrap();
    assert_eq!(made(&app, &owner, json!({})).await.1["expires_at"], json!(days(30)));
    let refused = owner.post(PATH, &json!({ "name": "x", "expires_at": days(31) })).await.expect(422);
    assert!(refused.error().contains("at most 30 days"), "{refused}");
    made(&app, &owner, json!({ "expires_at": days(30) })).await;
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn scopes_name_resource_and_verb(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let fields = json!({ "permissions": ["write"], "scopes": ["webhooks:write", "findings:read"] });
    let (key, data) = made(&app, &owner, fields).await;
    assert_eq!(data["scopes"], json!(["findings:read", "webhooks:write"]));
    key.get("/api/v1/findings").await.expect(200);
    let refused = key.get("/api/v1/webhooks").await.expect(403);
    assert_eq!(refused.error(), "the scopes of this key do not include webhooks:read");
    key.post("/api/v1/webhooks", &json!({})).await.expect(422);
    key.post("/api/v1/findings", &json!({})).await.expect(403);
    key.get("/api/v2").await.expect(200);
    let unlimited = owner.get(PATH).await.data();
    assert_eq!(unlimited[0]["scopes"], json!(null));
}

#[tokio::test]
async fn no_route_is_reached_with_a_scope_of_another_resource() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    // Cached responses must not be served to a scoped key either.
    owner.get("/api/v1/dora/measures").await.expect(200);
    let all = json!(["write", "manage_keys"]);
    let (lists, _) =
        made(&app, &owner, json!({ "permissions": all, "scopes": ["findings:read", "findings:write"] }))
            .await;
    let (others, _) =
        made(&app, &owner, json!({ "permissions": all, "scopes": ["webhooks:read", "webhooks:write"] }))
            .await;
    for (method, path, _) in operations() {
        let Some(resource) = resource_of(&path) else { continue };
        assert!(domain::key_limits::RESOURCES.contains(&resource), "name {resource} in RESOURCES");
        let outside = if resource == "findings" { &others } else { &lists };
        let path: Vec<_> =
            path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect();
        let body = ["POST", "PUT", "PATCH"].contains(&method.as_str()).then(|| "{".to_owned());
        let answer = outside.send(method.parse().unwrap(), &path.join("/"), body).await;
        assert_eq!(answer.status.as_u16(), 403, "{method} {}", path.join("/"));
    }
}

#[tokio::test]
async fn networks_admit_by_address() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    // Requests of tests come from 127.0.0.1.
    let (inside, data) = made(&app, &owner, json!({ "networks": ["127.0.0.9/8", "2001:db8::/32"] })).await;
    assert_eq!(data["networks"], json!(["127.0.0.0/8", "2001:db8::/32"]));
    let (outside, _) = made(&app, &owner, json!({ "networks": ["192.0.2.0/24"] })).await;
    for path in ["/api/v1/webhooks", "/api/v1/dora/measures", "/api/v2/risk-register"] {
        inside.get(path).await.expect(200);
        for _ in 0..2 {
            let refused = outside.get(path).await.expect(403);
            assert!(refused.error().contains("may not be used from this address"), "{refused}");
            assert_eq!(refused.header("x-ratelimit-remaining"), None, "it must not count for the owner");
        }
    }
}

#[tokio::test]
async fn a_child_is_never_wider_than_its_parent() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let limits = json!({
        "permissions": ["manage_keys"], "scopes": ["keys:read", "keys:write", "findings:read"],
        "networks": ["127.0.0.0/8"],
    });
    let (parent, _) = made(&app, &owner, limits).await;
    let (_, child) = made(&app, &parent, json!({})).await;
    assert_eq!(child["scopes"], json!(["findings:read", "keys:read", "keys:write"]), "inherited");
    assert_eq!(child["networks"], json!(["127.0.0.0/8"]), "inherited");
    for (field, wide) in [
        ("scopes", json!(["findings:write"])),
        ("scopes", json!([])),
        ("scopes", json!(["moons:read"])),
        ("networks", json!(["0.0.0.0/0"])),
        ("networks", json!(["127.0.0.1", "192.0.2.1"])),
        ("networks", json!([])),
        ("networks", json!("127.0.0.1")),
    ] {
        let refused = parent.post(PATH, &json!({ "name": "x", field: wide })).await.expect(422);
        assert!(refused.json()["details"][field].is_array(), "{field}: {refused}");
    }
    made(&app, &parent, json!({ "scopes": ["findings:read"], "networks": ["127.0.0.1"] })).await;
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_list_says_who_made_a_key(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    made(&app, &owner, json!({})).await;
    let keys = owner.get(PATH).await.expect(200).data();
    assert_eq!(keys[0]["created_by"], json!({ "type": "operator", "id": null, "name": null }));
    let by = json!({ "type": "key", "id": keys[0]["id"], "name": "test" });
    assert_eq!(keys[1]["created_by"], by);
}
