//! Event hooks end to end: signed events of the stream at a real destination that behaves well or badly.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, Reply, START, TestApp};

use super::{Bank, DAY, HOUR, MINUTE};

const HOOKS: &str = "/api/v1/event-hooks";
const EVENTS: &str = "/api/v1/events";

/// A new event hook at this path of the sink: its address and its secret.
async fn hook(bank: &Bank, path: &str, fields: Value) -> (String, String) {
    let mut body = json!({ "name": "Warehouse", "url": bank.sink.url(path) });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let made = bank.client.post(HOOKS, &body).await.expect(201).data();
    (format!("{HOOKS}/{}", made["id"].as_str().unwrap()), made["secret"].as_str().unwrap().to_owned())
}

async fn finding(bank: &Bank, fields: Value) -> String {
    let mut body = json!({ "title": "Backups are not tested", "severity": "high" });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let made = bank.client.post("/api/v1/findings", &body).await.expect(201).data();
    format!("/api/v1/findings/{}", made["id"].as_str().unwrap())
}

/// The names of the events that arrived at a path.
fn names(bank: &Bank, path: &str) -> Vec<String> {
    let messages = bank.sink.messages_at(path);
    messages.iter().map(|message| message.body["type"].as_str().unwrap().to_owned()).collect()
}

async fn log(bank: &Bank, hook: &str) -> Vec<Value> {
    let log = bank.client.get(&format!("{hook}/deliveries")).await.expect(200).data();
    log.as_array().unwrap().clone()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn events_arrive_signed_in_order_and_as_the_stream_answers_them(engine: Engine) {
    let mut bank = Bank::on(engine).await;
    finding(&bank, json!({ "title": "Before the hook" })).await;
    let (hook, secret) = hook(&bank, "/a", json!({})).await;
    let record = finding(&bank, json!({})).await;
    bank.client.patch(&record, &json!({ "status": "in_progress" })).await.expect(200);
    bank.client.patch(&record, &json!({ "title": "Restores are not tested" })).await.expect(200);
    assert_eq!(bank.deliver().await, 3, "each event is a message of its own");
    let expected = ["finding.created", "finding.status_changed", "finding.changed"];
    assert_eq!(names(&bank, "/a"), expected);
    let stream = bank.client.get(EVENTS).await.expect(200).data();
    for (message, event) in bank.sink.messages_at("/a").iter().zip(&stream.as_array().unwrap()[1..]) {
        assert_eq!(&message.body, event);
        assert_eq!(message.headers["webhook-id"], event["id"].as_str().unwrap());
        assert_eq!(message.headers["webhook-timestamp"], (START / 1000).to_string());
        assert_eq!(message.headers["webhook-signature"].split(' ').count(), 1);
        assert!(message.is_signed_with(&secret));
        assert!(!message.is_signed_with("whsec_AAAA"));
    }
    let log = log(&bank, &hook).await;
    // All three were made at the same moment.
    let of = |delivery: &Value| delivery["event"]["type"].as_str().unwrap().to_owned();
    let mut logged: Vec<_> = log.iter().map(of).collect();
    logged.sort_unstable();
    assert_eq!(logged, ["finding.changed", "finding.created", "finding.status_changed"]);
    assert!(log.iter().all(|delivery| delivery["state"] == "delivered"), "{log:?}");
    let shown = bank.client.get(&hook).await.expect(200).data();
    assert_eq!(shown["last_delivery"]["outcome"], "delivered");
    assert_eq!(shown["secret"], Value::Null, "the secret is shown once");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn exactly_what_the_hook_asks_for_arrives(engine: Engine) {
    let mut bank = Bank::on(engine).await;
    hook(&bank, "/all", json!({})).await;
    hook(&bank, "/gone", json!({ "events": ["*.deleted", "risk.created"] })).await;
    hook(&bank, "/tasks", json!({ "filter": { "kinds": ["task"] } })).await;
    hook(
        &bank,
        "/severe",
        json!({ "events": ["finding.*"], "filter": { "severity": ["critical", "high"] } }),
    )
    .await;
    hook(&bank, "/ada", json!({ "filter": { "owner": "Ada", "kinds": ["finding"] } })).await;
    let low = finding(&bank, json!({ "severity": "low" })).await;
    bank.client.patch(&low, &json!({ "owner": "Ada" })).await.expect(200);
    bank.client.patch(&low, &json!({ "owner": "Ben" })).await.expect(200);
    let mistake = finding(&bank, json!({ "title": "A mistake" })).await;
    bank.client.delete(&mistake).await.expect(204);
    let risk =
        json!({ "title": "Fire", "category": "physical", "inherent": { "likelihood": 1, "impact": 1 } });
    bank.client.post("/api/v1/risks", &risk).await.expect(201);
    bank.client.post("/api/v1/tasks", &json!({ "title": "Call", "owner": "Ada" })).await.expect(201);
    bank.deliver().await;
    assert_eq!(names(&bank, "/all").len(), 7);
    assert_eq!(names(&bank, "/gone"), ["finding.deleted", "risk.created"]);
    assert_eq!(names(&bank, "/tasks"), ["task.created"]);
    assert_eq!(names(&bank, "/severe"), ["finding.created", "finding.deleted"]);
    assert_eq!(names(&bank, "/ada"), ["finding.changed", "finding.changed"], "also the one that left her");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_hook_for_reports_receives_what_happens_to_them_and_nothing_else(engine: Engine) {
    let mut bank = Bank::on(engine).await;
    let (_, secret) = hook(&bank, "/reports", json!({ "events": ["report.*"] })).await;
    let new = json!({ "title": "Card payments down", "facts": { "malicious_access": true } });
    let made = bank.client.post("/api/v1/incidents", &new).await.expect(201).data();
    let address = format!("/api/v1/incidents/{}", made["id"].as_str().unwrap());
    bank.client.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    let sent = json!({ "incomplete": true });
    bank.client.post(&format!("{address}/reports/dora/initial/submitted"), &sent).await.expect(200);
    bank.deliver().await;
    assert_eq!(names(&bank, "/reports"), ["report.submitted"]);
    let message = bank.sink.messages_at("/reports").remove(0);
    let stream = bank.client.get(EVENTS).await.expect(200).data();
    assert_eq!(Some(&message.body), stream.as_array().unwrap().last());
    assert!(message.is_signed_with(&secret));
}

#[tokio::test]
async fn after_a_rotation_both_secrets_sign_for_a_day() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let (hook, old) = hook(&bank, "/a", json!({})).await;
    let rotated = bank.client.post(&format!("{hook}/secret/rotate"), &json!({})).await.expect(200).data();
    let new = rotated["secret"].as_str().unwrap().to_owned();
    assert_ne!(new, old);
    assert_eq!(rotated["previous_secret_until"], "2026-11-15T14:00:00Z");
    finding(&bank, json!({})).await;
    bank.deliver().await;
    let message = bank.sink.take().remove(0);
    assert!(message.is_signed_with(&new) && message.is_signed_with(&old));
    assert_eq!(message.headers["webhook-signature"].split(' ').count(), 2);
    bank.clock().advance(DAY);
    finding(&bank, json!({})).await;
    bank.deliver().await;
    let message = bank.sink.take().remove(0);
    assert!(message.is_signed_with(&new) && !message.is_signed_with(&old));
    assert_eq!(bank.client.get(&hook).await.expect(200).data()["previous_secret_until"], Value::Null);
    let actions =
        bank.app.app.operations.audit_after(&bank.tenant.caller.tenant().to_string(), 0).await.unwrap();
    assert!(actions.iter().any(|row| row.entry.action == "event_hook.secret_rotated"));
    assert!(actions.iter().all(|row| !row.entry.detail.contains("whsec_")));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_delivery_is_sent_again_on_request_under_its_id(engine: Engine) {
    let mut bank = Bank::on(engine).await;
    let (hook, _) = hook(&bank, "/a", json!({})).await;
    bank.sink.next("/a", [Reply::Status(500), Reply::Status(301)]);
    finding(&bank, json!({})).await;
    bank.deliver().await;
    let failed = log(&bank, &hook).await.remove(0);
    assert_eq!(
        (&failed["state"], &failed["attempts"][0]["outcome"]),
        (&json!("waiting"), &json!("transient"))
    );
    bank.deliver_until(START + MINUTE).await;
    assert_eq!(log(&bank, &hook).await[0]["state"], "failed");
    let replay = format!("{hook}/deliveries/{}/replay", failed["id"].as_str().unwrap());
    for _ in 0..2 {
        // The second time it has arrived already.
        bank.client.post(&replay, &json!({})).await.expect(200);
        bank.deliver().await;
        assert_eq!(log(&bank, &hook).await[0]["state"], "delivered");
    }
    let messages = bank.sink.messages_at("/a");
    assert_eq!(messages.len(), 4);
    assert!(
        messages.iter().all(|message| message.headers["webhook-id"] == messages[0].headers["webhook-id"])
    );
    assert!(messages.iter().all(|message| message.bytes == messages[0].bytes));
    let unknown = replay.replace(failed["id"].as_str().unwrap(), "dlv_00000000000000000000000000");
    bank.client.post(&unknown, &json!({})).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_hook_whose_destination_is_gone_is_switched_off_and_can_catch_up(engine: Engine) {
    let mut bank = Bank::on(engine).await;
    let (hook, _) = hook(&bank, "/a", json!({})).await;
    bank.sink.always("/a", Reply::Status(410));
    for _ in 0..2 {
        finding(&bank, json!({})).await;
        bank.deliver().await;
        bank.clock().advance(10 * MINUTE);
    }
    let shown = bank.client.get(&hook).await.expect(200).data();
    assert_eq!((&shown["active"], &shown["failing"]), (&json!(false), &json!(true)));
    finding(&bank, json!({ "title": "Meanwhile" })).await;
    bank.deliver().await;
    assert_eq!(bank.sink.count(), 2);
    assert_eq!(log(&bank, &hook).await[0]["state"], "skipped");
    bank.sink.always("/a", Reply::Ok);
    let replay = (format!("{hook}/deliveries/replay"), json!({ "since": "2026-11-14T14:00:00Z" }));
    bank.client.post(&replay.0, &replay.1).await.expect(422);
    bank.client.patch(&hook, &json!({ "active": true })).await.expect(200);
    assert_eq!(bank.client.post(&replay.0, &replay.1).await.expect(200).data()["deliveries"], 3);
    bank.deliver_until(START + HOUR).await;
    assert!(log(&bank, &hook).await.iter().all(|delivery| delivery["state"] == "delivered"));
}

#[tokio::test]
async fn a_hook_that_its_tenant_switches_off_misses_what_happens() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let (hook, _) = hook(&bank, "/a", json!({})).await;
    bank.client.patch(&hook, &json!({ "active": false })).await.expect(200);
    finding(&bank, json!({ "title": "Meanwhile" })).await;
    bank.deliver().await;
    bank.client.patch(&hook, &json!({ "active": true })).await.expect(200);
    finding(&bank, json!({ "title": "Afterwards" })).await;
    bank.deliver().await;
    let messages = bank.sink.messages_at("/a");
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].body["data"]["after"]["title"], "Afterwards");
    bank.client.delete(&hook).await.expect(204);
    finding(&bank, json!({})).await;
    bank.deliver().await;
    assert_eq!(bank.sink.count(), 1);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn two_tenants_at_one_address_get_their_own_events_only(engine: Engine) {
    let mut bank = Bank::on(engine).await;
    let other = bank.app.tenant("south").await;
    let south = bank.app.client(&bank.app.key(&other, "read,write").await);
    let (_, ours) = hook(&bank, "/a", json!({})).await;
    let body = json!({ "name": "Theirs", "url": bank.sink.url("/a") });
    let theirs = south.post(HOOKS, &body).await.expect(201).data()["secret"].as_str().unwrap().to_owned();
    finding(&bank, json!({ "title": "Of the north" })).await;
    south.post("/api/v1/findings", &json!({ "title": "Of the south", "severity": "low" })).await.expect(201);
    bank.deliver().await;
    let messages = bank.sink.messages_at("/a");
    assert_eq!(messages.len(), 2);
    for message in messages {
        let is_ours = message.body["data"]["after"]["title"] == "Of the north";
        assert_eq!((message.is_signed_with(&ours), message.is_signed_with(&theirs)), (is_ours, !is_ours));
    }
}

#[tokio::test]
async fn hostile_addresses_and_unknown_events_are_refused() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    for url in [
        "http://events.bank.example/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://10.0.0.8/internal",
        "https://user:secret@events.bank.example/",
        "https://events.bank.example:8443/",
        "https://events.bank.example./",
        "https://EVENTS.bank.example/",
        "https://events.bank.example/a/../b",
        "https://events.bank.example/#fragment",
        "file:///etc/passwd",
        "mailto:ict@bank.example",
        "",
    ] {
        let refused = client.post(HOOKS, &json!({ "name": "Hostile", "url": url })).await;
        assert_eq!(refused.status, 422, "{url}: {refused}");
        assert!(refused.error().contains("url"), "{url}: {refused}");
    }
    let good = "https://events.bank.example/tidewall";
    for (fields, complaint) in [
        (json!({ "events": ["finding.lost"] }), "finding.lost is none"),
        (json!({ "events": ["prose.*"] }), "prose.* is none"),
        (json!({ "filter": { "kinds": ["prose"] } }), "prose is none"),
        (json!({ "filter": { "severity": ["dire"] } }), "severity"),
        (json!({ "name": "" }), "name"),
    ] {
        let mut body = json!({ "name": "Warehouse", "url": good });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let refused = client.post(HOOKS, &body).await.expect(422);
        assert!(refused.error().contains(complaint), "{refused}");
    }
    client.post(HOOKS, &json!({ "name": "Warehouse", "url": good })).await.expect(201);
}

#[tokio::test]
async fn readers_see_the_origin_and_keys_only_what_their_scopes_hold() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let url = "https://events.bank.example/in?token=secret";
    let made = owner.post(HOOKS, &json!({ "name": "Warehouse", "url": url })).await.expect(201).data();
    let fields = json!({ "name": "reader" });
    let key = owner.post("/api/v1/keys", &fields).await.expect(201).data();
    let reader = app.client(key["key"].as_str().unwrap());
    let address = format!("{HOOKS}/{}", made["id"].as_str().unwrap());
    assert_eq!(reader.get(&address).await.expect(200).data()["url"], "https://events.bank.example/***");
    assert_eq!(owner.get(HOOKS).await.expect(200).data()[0]["url"], url);
    reader.post(&format!("{address}/secret/rotate"), &json!({})).await.expect(403);
    let limits = json!({ "name": "scoped", "permissions": ["write"], "scopes": ["event-hooks:write", "findings:read"] });
    let key = owner.post("/api/v1/keys", &limits).await.expect(201).data();
    let scoped = app.client(key["key"].as_str().unwrap());
    let refused = scoped.post(HOOKS, &json!({ "name": "All", "url": url })).await.expect(403);
    assert!(refused.error().contains("the scopes of this key do not include"), "{refused}");
    let own = json!({ "name": "Findings", "url": url, "events": ["finding.*"] });
    let made = scoped.post(HOOKS, &own).await.expect(201).data();
    assert!(made["secret"].as_str().unwrap().starts_with("whsec_") && made["url"].is_null(), "{made}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_key_with_few_scopes_neither_redirects_a_hook_nor_replays_nor_rotates_it(engine: Engine) {
    let mut bank = Bank::on(engine).await;
    let (hook, _) = hook(&bank, "/a", json!({})).await;
    let control = bank.client.post("/api/v1/controls", &json!({ "title": "Alarm" })).await.expect(201);
    assert!(control.data()["id"].is_string());
    bank.deliver().await;
    assert_eq!(names(&bank, "/a"), ["control.created"]);
    let sent = log(&bank, &hook).await.remove(0);
    let maker = bank.app.client(&bank.app.key(&bank.tenant, "read,write,manage_keys").await);
    let limits = json!({ "name": "scoped", "permissions": ["write"], "scopes": ["event-hooks:write", "findings:read"] });
    let key = maker.post("/api/v1/keys", &limits).await.expect(201).data();
    let scoped = bank.app.client(key["key"].as_str().unwrap());
    let away = bank.sink.url("/b");
    for patch in [
        json!({ "url": away, "events": ["finding.*"] }),
        json!({ "url": away, "active": false }),
        json!({ "url": away }),
    ] {
        let refused = scoped.patch(&hook, &patch).await.expect(403);
        assert!(refused.error().contains("the scopes of this key do not include"), "{refused}");
    }
    scoped.post(&format!("{hook}/secret/rotate"), &json!({})).await.expect(403);
    // A hook that once was for everything has sent what the key must not read.
    bank.client.patch(&hook, &json!({ "events": ["finding.*"] })).await.expect(200);
    let one = format!("{hook}/deliveries/{}/replay", sent["id"].as_str().unwrap());
    scoped.post(&one, &json!({})).await.expect(403);
    let since = json!({ "since": "2026-11-14T00:00:00Z" });
    scoped.post(&format!("{hook}/deliveries/replay"), &since).await.expect(403);
    bank.deliver().await;
    assert_eq!((names(&bank, "/a").len(), names(&bank, "/b").len()), (1, 0));
    // What it may read, it may sign anew.
    scoped.post(&format!("{hook}/secret/rotate"), &json!({})).await.expect(200);
    bank.client.patch(&hook, &json!({ "url": away })).await.expect(200);
}
