//! What a directory is refused, and in which form.

use app::limits::LimitRules;
use domain::{rate::Rules, user::Role};
use http::Method;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{BOTH, GROUPS, USERS, added, directory, filtered, operation, person, scoped};

/// Every route with a method, and something to send.
fn requests(user: &str) -> Vec<(Method, String, Option<Value>)> {
    let patch = operation("replace", "displayName", json!("Max"));
    let members = operation("add", "members", json!([]));
    let new = json!({ "userName": "new@bank.example" });
    let (group, groups) = (format!("{GROUPS}/viewer"), GROUPS.to_owned());
    vec![
        (Method::GET, "/scim/v2/ServiceProviderConfig".into(), None),
        (Method::GET, "/scim/v2/ResourceTypes".into(), None),
        (Method::GET, "/scim/v2/ResourceTypes/User".into(), None),
        (Method::GET, "/scim/v2/Schemas".into(), None),
        (Method::GET, "/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:User".into(), None),
        (Method::GET, USERS.into(), None),
        (Method::GET, user.into(), None),
        (Method::GET, groups.clone(), None),
        (Method::GET, group.clone(), None),
        (Method::POST, USERS.into(), Some(new.clone())),
        (Method::PUT, user.into(), Some(json!({ "displayName": "Max" }))),
        (Method::PATCH, user.into(), Some(patch)),
        (Method::DELETE, user.into(), None),
        (Method::POST, groups, Some(json!({ "displayName": "owners" }))),
        (Method::PUT, group.clone(), Some(json!({ "members": [] }))),
        (Method::PATCH, group.clone(), Some(members)),
        (Method::DELETE, group, None),
    ]
}

async fn statuses(client: &Client, user: &str) -> Vec<u16> {
    let mut statuses = Vec::new();
    for (method, path, body) in requests(user) {
        let answer = client.send(method, &path, body.map(|body| body.to_string())).await;
        if answer.status.as_u16() != 204 {
            assert_eq!(answer.header("content-type"), Some("application/scim+json"), "{path}: {answer}");
        }
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(answer.header("x-api-version"), None, "{path}");
        statuses.push(answer.status.as_u16());
    }
    statuses
}

#[tokio::test]
async fn only_a_key_that_names_accounts_is_answered() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let full = directory(&app, &tenant).await;
    let user = added(&full, "max@bank.example").await;
    let count = requests(&user).len();
    assert_eq!(statuses(&app.anonymous(), &user).await, vec![401; count]);
    let unlimited = app.client(&app.key(&tenant, "read,write,manage_keys").await);
    assert_eq!(statuses(&unlimited, &user).await, vec![403; count]);
    let other = scoped(&app, &tenant, "write,manage_keys", "findings:read,findings:write").await;
    assert_eq!(statuses(&other, &user).await, vec![403; count]);
    let detail = unlimited.get(USERS).await.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("accounts:read") && detail.contains("API keys"), "{detail}");

    let reads = 9;
    let reader = scoped(&app, &tenant, "write,manage_keys", "accounts:read").await;
    let found = statuses(&reader, &user).await;
    assert_eq!((&found[..reads], &found[reads..]), (&[200; 9][..], &vec![403; count - reads][..]));
    let powerless = scoped(&app, &tenant, "read", BOTH).await;
    let found = statuses(&powerless, &user).await;
    assert_eq!((&found[..reads], &found[reads..]), (&[200; 9][..], &vec![403; count - reads][..]));
    let found = statuses(&full, &user).await;
    assert_eq!(found[reads..], [201, 200, 200, 204, 403, 200, 204, 403]);
}

#[tokio::test]
async fn the_key_of_a_directory_reaches_nothing_else() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let client = directory(&app, &tenant).await;
    for path in ["/api/v1/findings", "/api/v1/keys", "/api/v1/audit", "/api/v2/risk-register"] {
        client.get(path).await.expect(403);
    }
    let child = json!({ "name": "child", "permissions": ["write"], "scopes": ["accounts:write"] });
    client.post("/api/v1/keys", &child).await.expect(403);
    // Nor does a key without scopes make one for itself.
    let owner = app.client(&app.key(&tenant, "read,write,manage_keys").await);
    let refused = owner.post("/api/v1/keys", &child).await.expect(422);
    assert!(refused.error().contains("accounts:write is not a scope of the key in use"), "{refused}");
    let parent = scoped(&app, &tenant, "write,manage_keys", "accounts:write,keys:write").await;
    parent.post("/api/v1/keys", &child).await.expect(201);
}

#[tokio::test]
async fn a_key_gives_no_role_beyond_its_own_permissions() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    person(&app, &tenant, "ada@bank.example", Role::Administrator).await;
    let bob = person(&app, &tenant, "bob@bank.example", Role::Administrator).await;
    let (bob, narrow) = (format!("{USERS}/{}", bob.id), scoped(&app, &tenant, "write", BOTH).await);
    let max = added(&narrow, "max@bank.example").await;
    let members = json!([{ "value": max.rsplit('/').next().unwrap() }]);
    for role in ["auditor", "administrator"] {
        let new = json!({ "userName": "eva@bank.example", "roles": [{ "value": role }] });
        narrow.post(USERS, &new).await.expect(403);
        narrow.patch(&max, &operation("replace", "roles", json!([role]))).await.expect(403);
        narrow.put(&max, &json!({ "roles": [{ "value": role }] })).await.expect(403);
        let group = format!("{GROUPS}/{role}");
        narrow.patch(&group, &operation("add", "members", members.clone())).await.expect(403);
        narrow.put(&group, &json!({ "members": members })).await.expect(403);
    }
    for role in ["contributor", "manager"] {
        narrow.patch(&max, &operation("replace", "roles", json!([role]))).await.expect(200);
    }
    // Who leaves is closed at once, but only a key that could make an administrator brings one back.
    narrow.patch(&bob, &operation("replace", "active", json!(false))).await.expect(200);
    narrow.patch(&bob, &operation("replace", "active", json!(true))).await.expect(403);
    let wide = directory(&app, &tenant).await;
    wide.patch(&bob, &operation("replace", "active", json!(true))).await.expect(200);
    wide.patch(&max, &operation("replace", "roles", json!(["administrator"]))).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_administrator_stays(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let ada = person(&app, &tenant, "ada@bank.example", Role::Administrator).await;
    let (client, path) = (directory(&app, &tenant).await, format!("{USERS}/{}", ada.id));
    let group = format!("{GROUPS}/administrator");
    let answers = [
        client.delete(&path).await,
        client.patch(&path, &operation("replace", "active", json!(false))).await,
        client.patch(&path, &operation("replace", "roles", json!(["viewer"]))).await,
        client.put(&path, &json!({ "userName": "ada@bank.example", "active": false })).await,
        client.patch(&group, &operation("remove", "members", json!([{ "value": ada.id }]))).await,
        client.put(&group, &json!({ "members": [] })).await,
    ];
    for answer in answers {
        let detail = answer.expect(409).json()["detail"].take();
        assert!(detail.as_str().unwrap().contains("the last administrator"), "{detail}");
    }
    let kept = client.get(&path).await.expect(200).json();
    assert_eq!((&kept["active"], &kept["roles"][0]["value"]), (&json!(true), &json!("administrator")));
}

#[tokio::test]
async fn what_cannot_be_done_is_said_in_the_form_of_scim() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let client = directory(&app, &tenant).await;
    let user = added(&client, "max@bank.example").await;
    let new = |fields: Value| (Method::POST, USERS.to_owned(), Some(fields));
    let patch =
        |op: &str, path: &str, value: Value| (Method::PATCH, user.clone(), Some(operation(op, path, value)));
    let get = |path: String| (Method::GET, path, None);
    let group = |fields: Value| (Method::PATCH, format!("{GROUPS}/manager"), Some(fields));
    let stranger = json!([{ "value": "usr_01k9x14js0e00000000000000a" }]);
    for ((method, path, body), status, kind) in [
        (new(json!({ "userName": "MAX@bank.example" })), 409, "uniqueness"),
        (new(json!({ "displayName": "Max" })), 400, "invalidValue"),
        (new(json!({ "userName": "max" })), 400, "invalidValue"),
        (new(json!({ "userName": "eva@bank.example", "roles": ["owner"] })), 400, "invalidValue"),
        (new(json!({ "userName": "eva@bank.example", "externalId": "x".repeat(256) })), 400, "invalidValue"),
        (new(json!({ "userName": "eva@bank.example", "displayName": "a\u{0}b" })), 400, "invalidValue"),
        (new(json!([])), 400, "invalidSyntax"),
        (patch("replace", "userName", json!("maximilian@bank.example")), 400, "mutability"),
        (patch("remove", "active", json!(null)), 400, "mutability"),
        (patch("move", "active", json!(true)), 400, "invalidSyntax"),
        (patch("replace", "active", json!("perhaps")), 400, "invalidValue"),
        (patch("remove", "", json!(null)), 400, "noTarget"),
        (get(filtered(USERS, "userName co \"max\"")), 400, "invalidFilter"),
        (get(filtered(USERS, "userName eq \"a\" or active eq true")), 400, "invalidFilter"),
        (get(filtered(GROUPS, "members eq \"x\"")), 400, "invalidFilter"),
        (get(format!("{USERS}?count=all")), 400, "invalidValue"),
        (group(operation("add", "members", stranger)), 400, "invalidValue"),
        (group(operation("replace", "displayName", json!("owners"))), 400, "mutability"),
        (group(operation("add", "members[value eq \"x\"]", json!("x"))), 400, "invalidPath"),
        (get(format!("{USERS}/usr_01k9x14js0e00000000000000a")), 404, ""),
        (get(format!("{USERS}/max")), 404, ""),
        (get(format!("{GROUPS}/owner")), 404, ""),
        (get("/scim/v2/Bulk".into()), 404, ""),
        ((Method::DELETE, USERS.to_owned(), None), 405, ""),
        ((Method::POST, GROUPS.to_owned(), Some(json!({ "displayName": "x" }))), 403, ""),
        ((Method::DELETE, format!("{GROUPS}/viewer"), None), 403, ""),
        (new(json!({ "userName": "eva@bank.example", "title": "x".repeat(300_000) })), 413, ""),
    ] {
        let what = format!("{method} {path} {body:?}").chars().take(200).collect::<String>();
        let answer = client.send(method, &path, body.map(|body| body.to_string())).await;
        let error = answer.json();
        assert_eq!(answer.status.as_u16(), status, "{what}: {answer}");
        assert_eq!(error["schemas"], json!(["urn:ietf:params:scim:api:messages:2.0:Error"]), "{what}");
        assert_eq!(error["scimType"].as_str().unwrap_or_default(), kind, "{what}: {answer}");
        assert_eq!(answer.header("content-type"), Some("application/scim+json"), "{what}");
    }
    client.send(Method::POST, USERS, Some("{".into())).await.expect(400);
    assert_eq!(client.get(USERS).await.json()["totalResults"], 1, "nothing was added");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_accounts_of_another_tenant_do_not_exist(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.tenant("north").await, app.tenant("south").await);
    let (client, foreign) = (directory(&app, &north).await, directory(&app, &south).await);
    let max = json!({ "userName": "max@bank.example", "externalId": "max", "roles": ["manager"] });
    let max = client.post(USERS, &max).await.expect(201).json();
    let (id, path) = (&max["id"], format!("{USERS}/{}", max["id"].as_str().unwrap()));
    foreign.get(&path).await.expect(404);
    foreign.put(&path, &json!({ "displayName": "x" })).await.expect(404);
    foreign.patch(&path, &operation("replace", "active", json!(false))).await.expect(404);
    foreign.delete(&path).await.expect(404);
    assert_eq!(foreign.get(USERS).await.json()["totalResults"], 0);
    for filter in ["userName eq \"max@bank.example\"", "externalId eq \"max\"", "active eq true"] {
        assert_eq!(foreign.get(&filtered(USERS, filter)).await.json()["totalResults"], 0, "{filter}");
    }
    let managers = format!("{GROUPS}/manager");
    assert_eq!(foreign.get(&managers).await.json()["members"], json!([]));
    foreign.patch(&managers, &operation("add", "members", json!([{ "value": id }]))).await.expect(400);
    foreign.patch(&managers, &operation("remove", "members", json!([{ "value": id }]))).await.expect(204);
    foreign.put(&managers, &json!({ "members": [] })).await.expect(200);
    assert_eq!(client.get(&path).await.expect(200).json(), max, "untouched");
}

#[tokio::test]
async fn too_many_requests_are_answered_in_the_form_of_scim() {
    let few = Rules { standard: 2, burst: 2, ..Rules::V1 };
    let app = TestApp::with_limits(Engine::Sqlite, LimitRules { v1: few, ..LimitRules::default() }).await;
    let tenant = app.tenant("north").await;
    let client = directory(&app, &tenant).await;
    for _ in 0..2 {
        client.get(USERS).await.expect(200);
    }
    let refused = client.get(USERS).await.expect(429);
    assert_eq!(refused.json()["status"], "429");
    assert!(refused.header("retry-after").is_some() && refused.header("x-ratelimit-limit").is_some());
}
