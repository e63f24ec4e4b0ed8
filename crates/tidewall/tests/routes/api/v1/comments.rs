//! Comments on records of every kind, and watching a record.

use app::{
    api_key::{KeyRequest, NewKey},
    authz::Caller,
    records::KINDS,
    session::Visitor,
    sign_in::SignInResult,
    user::{UserDraft, UserRow},
};
use domain::{password::Password, permission::Permissions, text::Name, user::Role};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

use super::{
    kinds::{ADA, fixture, person as account},
    seed,
};

const PASSWORD: &str = "the north wind doth blow";
const LATER: i64 = 15 * 60 * 1000;

pub(super) async fn add(app: &TestApp, tenant: &TestTenant, name: &str, role: Role) -> UserRow {
    let email = format!("{}@{}.example", name.to_lowercase().replace(' ', "."), tenant.slug);
    let draft = UserDraft { email: email.parse().unwrap(), name: Name::parse(name).unwrap(), role };
    app.app.people.create_user(&tenant.caller, draft, Password::presented(PASSWORD)).await.unwrap()
}

/// A client with a key that the person makes after signing in.
async fn client_of(app: &TestApp, person: &UserRow) -> Client {
    client_with(app, person, "read,write").await
}

/// The person with this address, signed in.
pub(super) async fn signed_in(app: &TestApp, email: &str) -> Caller {
    let visitor = Visitor { address: "198.51.100.7".parse().unwrap(), agent: "Browser".into(), device: None };
    let signed = app.app.access.sign_in(email, None, Password::presented(PASSWORD), &visitor).await;
    let SignInResult::Open(token) = signed.unwrap() else { panic!("{email} is not signed in") };
    app.app.access.session(&token).await.unwrap().unwrap().caller
}

pub(super) async fn client_with(app: &TestApp, person: &UserRow, permissions: &str) -> Client {
    let caller = signed_in(app, person.email.as_str()).await;
    let request =
        KeyRequest::new(Name::parse("of a person").unwrap(), Permissions::parse(permissions).unwrap());
    let reveal = |new: &NewKey| new.key.reveal().to_owned();
    app.client(&app.app.people.create_key(&caller, request, None, Box::new(reveal)).await.unwrap().body)
}

async fn comment(client: &Client, record: &str, text: &str) -> Value {
    client.post(&format!("{record}/comments"), &json!({ "text": text })).await.expect(201).data()
}

fn address(comment: &Value) -> String {
    format!("/api/v1/comments/{}", comment["id"].as_str().unwrap())
}

async fn finding(client: &Client) -> String {
    seed::at(seed::FINDINGS, &seed::finding(client, &json!({})).await)
}

/// The id in an address with its last digit changed: the right shape, but no record.
fn missing(record: &str) -> String {
    let last = if record.ends_with('0') { '1' } else { '0' };
    format!("{}{last}", &record[..record.len() - 1])
}

async fn every_kind_has_comments_and_shows_them_to_its_own_tenant_only(engine: Engine) {
    let app = TestApp::on(engine).await;
    for (number, kind) in KINDS.iter().enumerate() {
        let table = kind.table;
        let tenant = app.tenant(&format!("north-{number}")).await;
        account(&app, &tenant, ADA, &format!("ada@north-{number}.example")).await;
        let own = app.client(&app.key(&tenant, "read,write,manage_keys").await);
        let other = app.owner(&format!("south-{number}")).await;
        let record = fixture(&own, table).await;
        let comments = format!("{record}/comments");
        let made = comment(&own, &record, "Who decides?").await;
        assert_eq!(record.rsplit('/').next(), made["subject"].as_str(), "{table}");
        assert_eq!((&made["kind"], &made["state"]), (&json!(kind.noun), &json!("open")), "{table}");
        let listed = own.get(&comments).await.expect(200);
        assert_eq!((&listed.data()[0], &listed.json()["meta"]["total"]), (&made, &json!(1)), "{table}");
        other.get(&comments).await.expect(404);
        other.post(&comments, &json!({ "text": "Hello" })).await.expect(404);
        for path in [format!("{}/comments", missing(&record)), "/api/v1/findings/x/comments".to_owned()] {
            own.get(&path).await.expect(404);
            own.post(&path, &json!({ "text": "Hello" })).await.expect(404);
        }
        for call in ["watch", "comments"] {
            own.post(&format!("{}/{call}", missing(&record)), &json!({ "text": "x" })).await.expect(404);
        }
        let wrong = if table == "risks" { "controls" } else { "risks" };
        let id = record.rsplit('/').next().unwrap();
        own.get(&format!("/api/v1/{wrong}/{id}/comments")).await.expect(404);
        assert_eq!(own.get(&comments).await.expect(200).json()["meta"]["total"], 1, "{table}");
    }
}

#[tokio::test]
async fn every_kind_has_comments_and_shows_them_to_its_own_tenant_only_on_sqlite() {
    every_kind_has_comments_and_shows_them_to_its_own_tenant_only(Engine::Sqlite).await;
}

#[tokio::test]
async fn every_kind_has_comments_and_shows_them_to_its_own_tenant_only_on_postgres() {
    every_kind_has_comments_and_shows_them_to_its_own_tenant_only(Engine::Postgres).await;
}

#[tokio::test]
async fn a_review_is_commented_below_its_own_provider_only() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let review = fixture(&client, "provider_reviews").await;
    comment(&client, &review, "Answers are late").await;
    let provider = review.split("/reviews").next().unwrap();
    let other = review.replace(provider, &missing(provider));
    client.get(&format!("{other}/comments")).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_comment_is_answered_as_it_is_stored(engine: Engine) {
    let app = TestApp::on(engine).await;
    let north = app.tenant("north").await;
    let anna = add(&app, &north, "Anna Weber", Role::Manager).await;
    let client = app.client(&app.key(&north, "read,write").await);
    let record = finding(&client).await;
    let body = json!({ "text": "Please look", "mentions": [anna.id, anna.id] });
    let made = client.post(&format!("{record}/comments"), &body).await.expect(201).data();
    let author = made["author"].clone();
    assert!(author["id"].as_str().unwrap().starts_with("key_"), "{author}");
    assert_eq!(author["key"], author["id"], "a key that no person made comments under its own name");
    let expected = json!({
        "id": made["id"], "subject": record.rsplit('/').next(), "kind": "finding", "text": "Please look",
        "mentions": [anna.id], "author": author, "created_at": made["created_at"], "edited_at": null,
        "state": "open", "resolved_by": null, "resolved_at": null,
    });
    assert_eq!(made, expected);
    assert_eq!(client.get(&address(&made)).await.expect(200).data(), made);
}

#[tokio::test]
async fn a_text_of_no_letter_or_too_many_is_refused_and_a_stranger_is_not_mentioned() {
    let app = TestApp::new().await;
    let (north, south) = (app.tenant("north").await, app.tenant("south").await);
    let stranger = add(&app, &south, "Ben", Role::Viewer).await;
    let client = app.client(&app.key(&north, "read,write").await);
    let comments = format!("{}/comments", finding(&client).await);
    for text in [json!(""), json!(" \n"), json!("x".repeat(4001)), json!(null), json!(7)] {
        let refused = client.post(&comments, &json!({ "text": text })).await.expect(422).json();
        assert!(refused["details"]["text"].is_array(), "{refused}");
    }
    client.post(&comments, &json!({ "text": "ß".repeat(4000) })).await.expect(201);
    for id in [stranger.id.to_string(), "usr_unknown".to_owned()] {
        let refused = client.post(&comments, &json!({ "text": "Look", "mentions": [id] })).await.expect(422);
        assert!(refused.json()["details"]["mentions"].to_string().contains(&id), "{refused}");
    }
    assert_eq!(client.get(&comments).await.expect(200).json()["meta"]["total"], 1);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn comments_are_read_to_the_end_with_a_cursor_oldest_first(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let record = finding(&client).await;
    for number in 1..=5 {
        app.clock.advance(1000);
        comment(&client, &record, &format!("Number {number}")).await;
    }
    let (mut texts, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("{record}/comments?limit=2{cursor}")).await.expect(200).json();
        let data = page["data"].as_array().unwrap();
        texts.extend(data.iter().map(|comment| comment["text"].as_str().unwrap().to_owned()));
        let Some(next) = page["meta"]["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(texts, ["Number 1", "Number 2", "Number 3", "Number 4", "Number 5"], "{engine:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn within_a_quarter_of_an_hour_it_is_changed_or_deleted_and_later_neither(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let record = finding(&client).await;
    let (early, late) = (comment(&client, &record, "First").await, comment(&client, &record, "Second").await);
    app.clock.advance(LATER - 1000);
    let changed = client.patch(&address(&late), &json!({ "text": "Second, corrected" })).await.expect(200);
    assert_eq!(changed.data()["text"], "Second, corrected");
    assert!(changed.data()["edited_at"].is_string());
    client.delete(&address(&early)).await.expect(204);
    client.get(&address(&early)).await.expect(404);
    app.clock.advance(1000);
    let refused = client.patch(&address(&late), &json!({ "text": "Third" })).await.expect(409).json();
    assert_eq!(refused["code"], "conflict");
    assert!(refused["error"].as_str().unwrap().contains("write another one"), "{refused}");
    client.delete(&address(&late)).await.expect(204);
    client.delete(&address(&late)).await.expect(204);
    let listed = client.get(&format!("{record}/comments")).await.expect(200).json();
    assert_eq!(listed["meta"]["total"], 1, "{engine:?}: a withdrawn comment stays in the list");
    assert_eq!(listed["data"][0]["state"], "withdrawn");
    client.patch(&address(&late), &json!({ "text": "Third" })).await.expect(409);
}

#[tokio::test]
async fn what_was_withdrawn_is_read_by_those_who_read_the_audit_log_only() {
    let app = TestApp::new().await;
    let north = app.tenant("north").await;
    let client = app.client(&app.key(&north, "read,write").await);
    let record = finding(&client).await;
    let made = comment(&client, &record, "Ask Quallenfischer").await;
    app.clock.advance(LATER);
    client.delete(&address(&made)).await.expect(204);
    assert_eq!(client.get(&address(&made)).await.expect(200).data()["text"], Value::Null);
    let auditing = app.client(&app.key(&north, "read,manage_keys").await);
    assert_eq!(auditing.get(&address(&made)).await.expect(200).data()["text"], "Ask Quallenfischer");
    for reader in [&client, &auditing] {
        let found = reader.get("/api/v2/search?q=quallenfischer").await.expect(200);
        assert!(!found.to_string().contains("cmt_"), "{found}");
    }
}

#[tokio::test]
async fn only_the_author_changes_a_comment_and_a_key_is_the_person_who_made_it() {
    let app = TestApp::new().await;
    let north = app.tenant("north").await;
    let anna = add(&app, &north, "Anna Weber", Role::Administrator).await;
    let other = app.client(&app.key(&north, "read,write").await);
    let record = finding(&other).await;
    let (first, second) = (client_of(&app, &anna).await, client_of(&app, &anna).await);
    let made = comment(&first, &record, "Mine").await;
    assert_eq!(made["author"]["id"], json!(anna.id), "{made}");
    assert_eq!(made["author"]["name"], "Anna Weber");
    assert!(made["author"]["key"].as_str().unwrap().starts_with("key_"), "{made}");
    other.patch(&address(&made), &json!({ "text": "Yours" })).await.expect(403);
    other.delete(&address(&made)).await.expect(403);
    second.patch(&address(&made), &json!({ "text": "Still mine" })).await.expect(200);
    assert_eq!(first.get(&address(&made)).await.expect(200).data()["text"], "Still mine");
}

#[tokio::test]
async fn it_is_resolved_once() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let record = finding(&client).await;
    let made = comment(&client, &record, "Done?").await;
    let resolve = format!("{}/resolve", address(&made));
    let resolved = client.post(&resolve, &json!({})).await.expect(200).data();
    assert_eq!((&resolved["state"], &resolved["resolved_by"]), (&json!("resolved"), &made["author"]["id"]));
    app.clock.advance(60_000);
    assert_eq!(client.post(&resolve, &json!({})).await.expect(200).data(), resolved);
    app.clock.advance(LATER);
    client.delete(&address(&made)).await.expect(204);
    client.post(&resolve, &json!({})).await.expect(409);
}

#[tokio::test]
async fn a_request_that_is_repeated_comments_once() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let record = finding(&client).await;
    let once = client.with("idempotency-key", "k1");
    let first = comment(&once, &record, "Once").await;
    assert_eq!(comment(&once, &record, "Once").await, first);
    assert_eq!(client.get(&format!("{record}/comments")).await.json()["meta"]["total"], 1);
}

#[tokio::test]
async fn an_archived_record_takes_no_comment_and_a_commented_one_is_archived_instead_of_deleted() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let risk = fixture(&client, "risks").await;
    let made = comment(&client, &risk, "Keep this").await;
    client.delete(&risk).await.expect(204);
    assert!(client.get(&risk).await.expect(200).data()["archived_at"].is_string());
    let refused = client.post(&format!("{risk}/comments"), &json!({ "text": "Too late" })).await.expect(422);
    assert!(refused.error().contains("archived"), "{refused}");
    client.patch(&address(&made), &json!({ "text": "Too late" })).await.expect(422);
    assert_eq!(client.get(&format!("{risk}/comments")).await.expect(200).data()[0]["text"], "Keep this");
}

#[tokio::test]
async fn a_commented_record_is_not_deleted_and_its_comments_stay() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let task = fixture(&client, "tasks").await;
    let made = comment(&client, &task, "Seegurkensalat").await;
    let found = client.get("/api/v2/search?q=seegurkensalat").await.expect(200).data();
    assert_eq!((&found[0]["type"], &found[0]["id"]), (&json!("comment"), &made["id"]), "{found}");
    assert_eq!(found[0]["url"], json!(address(&made)));
    let refused = client.delete(&task).await.expect(422).error();
    assert!(refused.contains("has comments, evidence or results, so it is kept"), "{refused}");
    client.get(&address(&made)).await.expect(200);
    let found = client.get("/api/v2/search?q=seegurkensalat").await.expect(200);
    assert_eq!(found.data()[0]["id"], made["id"], "{found}");
}

#[tokio::test]
async fn a_key_for_other_records_neither_reads_nor_finds_a_comment() {
    let app = TestApp::new().await;
    let north = app.tenant("north").await;
    let client = app.client(&app.key(&north, "read,write,manage_keys").await);
    let record = finding(&client).await;
    let made = comment(&client, &record, "Seegurkensalat").await;
    let draft = json!({ "name": "risks", "permissions": ["read", "write"],
        "scopes": ["comments:read", "comments:write", "search:read", "risks:read", "risks:write"] });
    let narrow = client.post("/api/v1/keys", &draft).await.expect(201).data();
    let narrow = app.client(narrow["key"].as_str().unwrap());
    narrow.get(&format!("{record}/comments")).await.expect(403);
    narrow.get(&address(&made)).await.expect(403);
    narrow.delete(&address(&made)).await.expect(403);
    let found = narrow.get("/api/v2/search?q=seegurkensalat").await.expect(200);
    assert_eq!(found.data(), json!([]), "{found}");
}

#[tokio::test]
async fn every_step_of_a_comment_is_in_the_audit_log_without_its_text() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let record = finding(&client).await;
    let made = comment(&client, &record, "Seegurkensalat").await;
    client.patch(&address(&made), &json!({ "text": "Seegurkensuppe" })).await.expect(200);
    client.patch(&address(&made), &json!({ "text": "Seegurkensuppe" })).await.expect(200);
    client.post(&format!("{}/resolve", address(&made)), &json!({})).await.expect(200);
    let gone = comment(&client, &record, "Oops").await;
    client.delete(&address(&gone)).await.expect(204);
    app.clock.advance(LATER);
    client.delete(&address(&made)).await.expect(204);
    let log = client.get("/api/v1/audit?limit=100").await.expect(200).json();
    let entries = log["data"].as_array().unwrap().iter();
    let mut actions: Vec<_> = entries
        .filter(|entry| entry["action"].as_str().unwrap().starts_with("comment."))
        .map(|entry| {
            assert_eq!(entry["record"]["id"].as_str(), record.rsplit('/').next());
            entry["action"].as_str().unwrap().to_owned()
        })
        .collect();
    actions.sort_unstable();
    let expected = ["added", "added", "deleted", "edited", "resolved", "withdrawn"];
    assert_eq!(actions, expected.map(|verb| format!("comment.{verb}")));
    assert!(!log.to_string().contains("Seegurken"), "{log}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn people_watch_a_record_and_a_key_of_no_person_does_not(engine: Engine) {
    let app = TestApp::on(engine).await;
    let north = app.tenant("north").await;
    let anna = add(&app, &north, "Anna Weber", Role::Administrator).await;
    let anonymous = app.client(&app.key(&north, "read,write").await);
    let watch = format!("{}/watch", finding(&anonymous).await);
    let refused = anonymous.post(&watch, &json!({})).await.expect(422);
    assert!(refused.error().contains("person"), "{refused}");
    let client = client_of(&app, &anna).await;
    for _ in 0..2 {
        client.post(&watch, &json!({})).await.expect(204);
    }
    for _ in 0..2 {
        client.delete(&watch).await.expect(204);
    }
}

#[tokio::test]
async fn a_reading_key_reads_comments_only() {
    let app = TestApp::new().await;
    let north = app.tenant("north").await;
    let client = app.client(&app.key(&north, "read,write").await);
    let record = finding(&client).await;
    let made = comment(&client, &record, "Hello").await;
    let reader = app.client(&app.key(&north, "read").await);
    assert_eq!(reader.get(&format!("{record}/comments")).await.expect(200).data()[0], made);
    reader.post(&format!("{record}/comments"), &json!({ "text": "Hi" })).await.expect(403);
    reader.post(&format!("{record}/watch"), &json!({})).await.expect(403);
    reader.post(&format!("{}/resolve", address(&made)), &json!({})).await.expect(403);
}
