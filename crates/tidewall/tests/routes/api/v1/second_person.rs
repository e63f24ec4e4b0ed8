//! Decisions need a second person: a key stands for the person at the start of its chain, and none of those who changed a
//! record since its last decision may decide.

use app::api_key::{KeyRequest, NewKey};
use domain::{key_policy::KeyPolicy, permission::Permissions, text::Name, user::Role};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

use super::comments::{add, client_with};

const REQUIREMENT: &str = "/api/v1/assessments/dora-art-05-02-a";
const APPROVE: &str = "/api/v1/assessments/dora-art-05-02-a/approve";
const ALL: &str = "read,write,manage_keys";

/// A key that this one makes, with all of its permissions.
async fn child(app: &TestApp, maker: &Client) -> Client {
    let fields = json!({ "name": "child", "permissions": ["write", "manage_keys"] });
    let made = maker.post("/api/v1/keys", &fields).await.expect(201).data();
    app.client(made["key"].as_str().unwrap())
}

async fn keys(app: &TestApp, tenant: &TestTenant) -> [Client; 3] {
    let [a, b, c] = [app.key(tenant, ALL).await, app.key(tenant, ALL).await, app.key(tenant, ALL).await];
    [a, b, c].map(|key| app.client(&key))
}

fn said(words: &str) -> Value {
    json!({ "status": "met", "rationale": words })
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_key_does_not_approve_what_its_parent_or_its_child_changed(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let [first, second, _] = keys(&app, &tenant).await;
    let below = child(&app, &child(&app, &first).await).await;
    first.patch(REQUIREMENT, &said("By the parent")).await.expect(200);
    let refused = below.post(APPROVE, &json!({})).await.expect(422);
    assert!(refused.error().contains("nor with a key of theirs"), "{refused}");
    below.patch(REQUIREMENT, &said("By the child")).await.expect(200);
    first.post(APPROVE, &json!({})).await.expect(422);
    second.post(APPROVE, &json!({})).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_colleagues_edit_does_not_free_the_author_of_an_assessment(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let [author, colleague, third] = keys(&app, &tenant).await;
    author.patch(REQUIREMENT, &said("In the rules of procedure")).await.expect(200);
    colleague.patch(REQUIREMENT, &said("In the rules of procedure.")).await.expect(200);
    for editor in [&author, &colleague] {
        editor.post(APPROVE, &json!({})).await.expect(422);
    }
    third.post(APPROVE, &json!({})).await.expect(200);
    // An approval begins a new list.
    third.patch(REQUIREMENT, &said("Since 2024 in the rules of procedure")).await.expect(200);
    third.post(APPROVE, &json!({})).await.expect(422);
    author.post(APPROVE, &json!({})).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn none_who_changed_a_grave_risk_accepts_it(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let [author, colleague, third] = keys(&app, &tenant).await;
    let grave = json!({ "likelihood": 5, "impact": 5 });
    let fields = json!({ "title": "Ransomware", "category": "cyber-attack", "inherent": grave });
    let made = author.post("/api/v1/risks", &fields).await.expect(201).data();
    let address = format!("/api/v1/risks/{}", made["id"].as_str().unwrap());
    let proposal = json!({ "acceptance": { "reason": "Replaced in spring", "until": "2026-12-31" } });
    author.patch(&address, &proposal).await.expect(200);
    // The colleague becomes the proposer, which used to free the author.
    let reworded = json!({ "acceptance": { "reason": "Replaced in spring.", "until": "2026-12-31" } });
    colleague.patch(&address, &reworded).await.expect(200);
    let below = child(&app, &author).await;
    for editor in [&author, &colleague, &below] {
        let refused = editor.patch(&address, &json!({ "status": "accepted" })).await.expect(422);
        assert!(refused.error().contains("needs a second person"), "{refused}");
    }
    third.patch(&address, &json!({ "status": "accepted" })).await.expect(200);
}

#[tokio::test]
async fn an_own_framework_is_not_approved_with_a_child_of_the_key_that_changed_it() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let [author, second, _] = keys(&app, &tenant).await;
    let fields = json!({ "key": "house-it", "title": "House rules" });
    let made = author.post("/api/v1/own-frameworks", &fields).await.expect(201).data();
    let address = format!("/api/v1/own-frameworks/{}", made["id"].as_str().unwrap());
    let requirement = json!({ "number": "1", "title": "Changes", "text": "Every change is recorded." });
    author.put(&format!("{address}/requirements/house-it-1"), &requirement).await.expect(200);
    let below = child(&app, &author).await;
    below.patch(&address, &json!({ "status": "approved" })).await.expect(422);
    second.patch(&address, &json!({ "status": "approved" })).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn new_institutions_leave_decisions_to_people(engine: Engine) {
    let app = TestApp::on(engine).await;
    let row = app.app.people.create_tenant("fresh".parse().unwrap(), Name::parse("Fresh").unwrap()).await;
    let caller = app::authz::Caller::operator(&row.unwrap());
    let mut made = Vec::new();
    for _ in 0..2 {
        let request = KeyRequest::new(Name::parse("k").unwrap(), Permissions::all());
        let reveal = |new: &NewKey| new.key.reveal().to_owned();
        let key = app.app.people.create_key(&caller, request, None, Box::new(reveal)).await.unwrap().body;
        made.push(app.client(&key));
    }
    let [first, second] = &made[..] else { panic!() };
    first.patch(REQUIREMENT, &said("In the rules of procedure")).await.expect(200);
    let refused = second.post(APPROVE, &json!({})).await.expect(403);
    assert!(refused.error().starts_with("keys may not decide in this institution"), "{refused}");
    let policy = KeyPolicy { may_decide: true, ..app.app.people.key_policy(&caller).await.unwrap() };
    app.app.people.set_key_policy(&caller, policy).await.unwrap();
    second.post(APPROVE, &json!({})).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_owner_of_a_risk_or_an_own_framework_does_not_decide_what_another_person_proposed(
    engine: Engine,
) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let [author, other, _] = keys(&app, &tenant).await;
    let anna = add(&app, &tenant, "Anna", Role::Administrator).await;
    let hers = client_with(&app, &anna, "read,write").await;
    let grave = json!({ "likelihood": 5, "impact": 5 });
    let fields =
        json!({ "title": "Ransomware", "category": "cyber-attack", "inherent": grave, "owner": anna.id });
    let risk = author.post("/api/v1/risks", &fields).await.expect(201).data();
    let risk = format!("/api/v1/risks/{}", risk["id"].as_str().unwrap());
    let proposal = json!({ "acceptance": { "reason": "Replaced in spring", "until": "2026-12-31" } });
    author.patch(&risk, &proposal).await.expect(200);
    let fields = json!({ "key": "house-it", "title": "House rules", "owner": anna.id });
    let framework = author.post("/api/v1/own-frameworks", &fields).await.expect(201).data();
    let framework = format!("/api/v1/own-frameworks/{}", framework["id"].as_str().unwrap());
    let requirement = json!({ "number": "1", "title": "Changes", "text": "Every change is recorded." });
    author.put(&format!("{framework}/requirements/house-it-1"), &requirement).await.expect(200);
    for (address, status) in [(risk, "accepted"), (framework, "approved")] {
        let decision = json!({ "status": status });
        let refused = hers.patch(&address, &decision).await.expect(422);
        assert!(refused.error().contains("by the owner of the record"), "{refused}");
        assert_ne!(hers.get(&address).await.expect(200).data()["status"], status);
        other.patch(&address, &decision).await.expect(200);
    }
}
