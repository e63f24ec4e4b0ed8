//! `GET /api/v1/people`: who the ids in records stand for.

use app::user::UserDraft;
use domain::{password::Password, text::Name, user::Role};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp, TestTenant};

const PEOPLE: &str = "/api/v1/people";

async fn add(app: &TestApp, tenant: &TestTenant, name: &str, role: Role) -> String {
    let email = format!("{}@{}.example", name.to_lowercase(), tenant.slug);
    let draft = UserDraft { email: email.parse().unwrap(), name: Name::parse(name).unwrap(), role };
    let password = Password::presented("the north wind doth blow");
    app.app.people.create_user(&tenant.caller, draft, password).await.unwrap().id.to_string()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn readers_see_names_and_roles_and_key_managers_whole_accounts(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.tenant("north").await, app.tenant("south").await);
    let anna = add(&app, &north, "Anna", Role::Manager).await;
    add(&app, &south, "Ben", Role::Viewer).await;
    let reader = app.client(&app.key(&north, "read").await);
    let seen = reader.get(PEOPLE).await.expect(200).json();
    assert_eq!(seen["meta"]["total"], 1, "{engine:?}: the people of another tenant are not listed");
    let person = &seen["data"][0];
    assert_eq!(
        (&person["id"], &person["name"], &person["role"]),
        (&json!(anna), &json!("Anna"), &json!("manager"))
    );
    assert_eq!(
        (&person["email"], &person["active"], &person["groups"]),
        (&json!(null), &json!(null), &json!(null))
    );
    let manager = app.client(&app.key(&north, "read,manage_keys").await);
    let person = manager.get(PEOPLE).await.expect(200).data()[0].clone();
    assert_eq!(
        (&person["email"], &person["active"], &person["groups"]),
        (&json!("anna@north.example"), &json!(true), &json!(["manager"]))
    );
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_cursor_reads_all_of_them_once_and_updated_since_only_the_changed(engine: Engine) {
    let app = TestApp::on(engine).await;
    let north = app.tenant("north").await;
    for name in ["Anna", "Ben", "Carla"] {
        add(&app, &north, name, Role::Viewer).await;
    }
    let reader = app.client(&app.key(&north, "read").await);
    let (mut names, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = reader.get(&format!("{PEOPLE}?limit=2{cursor}")).await.expect(200).json();
        let data = page["data"].as_array().unwrap();
        names.extend(data.iter().map(|person| person["name"].as_str().unwrap().to_owned()));
        let Some(next) = page["meta"]["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(names, ["Anna", "Ben", "Carla"], "{engine:?}");
    app.clock.advance(60_000);
    add(&app, &north, "Dana", Role::Viewer).await;
    let since = "?updated_since=2026-11-14T14:00:30Z";
    let changed: Value = reader.get(&format!("{PEOPLE}{since}")).await.expect(200).json();
    assert_eq!(changed["meta"]["total"], 1);
    assert_eq!(changed["data"][0]["name"], "Dana");
}

#[tokio::test]
async fn a_key_limited_to_other_resources_does_not_read_people() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (scope, status) in [("people:read", 200), ("findings:read", 403)] {
        let made = json!({ "name": "mirror", "permissions": ["read"], "scopes": [scope] });
        let made = owner.post("/api/v1/keys", &made).await.expect(201).data();
        let limited = app.client(made["key"].as_str().unwrap());
        limited.get(PEOPLE).await.expect(status);
    }
}
