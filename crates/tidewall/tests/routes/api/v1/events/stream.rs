//! What stands in the stream, for how long, and for which keys.

use app::records::KINDS;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::{
    super::{
        kinds,
        seed::{self, FINDINGS, at, moved},
    },
    EVENTS, all_after, types,
};

const DAY: i64 = 24 * 60 * 60 * 1000;

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_record_of_every_kind_is_announced_with_its_content(engine: Engine) {
    let app = TestApp::on(engine).await;
    for (number, kind) in KINDS.iter().enumerate() {
        let tenant = app.tenant(&format!("north-{number}")).await;
        let client = app.client(&app.key(&tenant, "read,write").await);
        kinds::person(&app, &tenant, kinds::ADA, &format!("ada@north-{number}.example")).await;
        let address = kinds::fixture(&client, kind.table).await;
        let (events, _) = all_after(&client, None).await;
        let id = address.rsplit('/').next().unwrap();
        let of_it: Vec<_> = events.iter().filter(|event| event["subject"]["id"] == id).collect();
        assert!(!of_it.is_empty(), "no event of {}", kind.table);
        assert_eq!(of_it[0]["type"], format!("{}.created", kind.noun));
        assert_eq!(of_it[0]["subject"]["kind"], kind.noun);
        assert_eq!(of_it[0]["data"]["before"], Value::Null);
        let last = of_it.last().unwrap();
        assert!(last["data"]["after"].is_object(), "{last}");
        assert!(last["actor"].as_str().unwrap().starts_with("key_"), "{last}");
        if kind.noun != "review" {
            let current = client.get(&format!("{address}/versions")).await.expect(200).data();
            assert_eq!(last["data"]["after"], current[0]["record"], "{}", kind.table);
            assert_eq!(last["subject"]["version"], current[0]["version"], "{}", kind.table);
        }
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_events_of_a_record_go_from_its_creation_to_its_deletion(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let kept = at(FINDINGS, &seed::finding(&client, &json!({ "title": "First" })).await);
    client.patch(&kept, &json!({ "title": "Second" })).await.expect(200);
    client.patch(&kept, &json!({ "title": "Second" })).await.expect(200);
    moved(&client, &kept, &["in_progress", "resolved", "closed"]).await;
    client.post(&format!("{kept}/archive"), &json!({})).await.expect(200);
    let deleted = at(FINDINGS, &seed::finding(&client, &json!({ "title": "Mistake" })).await);
    client.delete(&deleted).await.expect(204);
    let (events, _) = all_after(&client, None).await;
    let expected = ["created", "changed", "status_changed", "status_changed", "status_changed", "archived"];
    let expected: Vec<_> = expected.iter().chain(&["created", "deleted"]).collect();
    assert_eq!(types(&events), expected.iter().map(|verb| format!("finding.{verb}")).collect::<Vec<_>>());
    let change = &events[1];
    assert_eq!(change["data"]["before"]["title"], "First");
    assert_eq!(change["data"]["after"]["title"], "Second");
    assert_eq!(change["subject"]["reference"], "F-2026-0001");
    assert_eq!((&change["subject"]["version"], &change["at"]), (&json!(2), &json!("2026-11-14T14:00:00Z")));
    let end = events.last().unwrap();
    assert_eq!(end["data"]["before"]["title"], "Mistake");
    assert_eq!((&end["data"]["after"], &end["subject"]["reference"]), (&Value::Null, &json!("F-2026-0002")));
    // What followed each change is what the next one found.
    for pair in events[..6].windows(2) {
        assert_eq!(pair[0]["data"]["after"], pair[1]["data"]["before"]);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn records_that_others_make_or_change_are_in_the_stream(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let arrangement = kinds::fixture(&client, "arrangements").await;
    let named = |name: &str| json!({ "provider": { "name": name, "country": "DE", "sector": "Cloud" } });
    let (events, cursor) = all_after(&client, None).await;
    let mut made = types(&events);
    made.sort_unstable();
    assert_eq!(made, ["arrangement.created", "function.created", "provider.created"]);
    client.patch(&arrangement, &named("Hafen SE")).await.expect(200);
    let (events, cursor) = all_after(&client, Some(&cursor)).await;
    let provider = |events: &[Value], verb: &str| {
        let name = format!("provider.{verb}");
        events.iter().find(|event| event["type"] == *name).cloned().unwrap_or_else(|| panic!("{events:?}"))
    };
    assert_eq!(provider(&events, "created")["data"]["after"]["name"], "Hafen SE");
    let gone = provider(&events, "deleted");
    assert_eq!(gone["data"]["before"]["name"], "Quallenfischer SE");
    client.delete(&arrangement).await.expect(204);
    let (events, _) = all_after(&client, Some(&cursor)).await;
    assert_eq!(provider(&events, "deleted")["data"]["before"]["name"], "Hafen SE");
}

#[tokio::test]
async fn an_empty_answer_has_a_cursor_to_go_on_with() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let empty = client.get(EVENTS).await.expect(200).json();
    assert_eq!((&empty["data"], &empty["meta"]["more"]), (&json!([]), &json!(false)));
    let cursor = empty["meta"]["next_cursor"].as_str().unwrap().to_owned();
    seed::finding(&client, &json!({})).await;
    let (events, behind) = all_after(&client, Some(&cursor)).await;
    assert_eq!(types(&events), ["finding.created"]);
    assert_eq!(all_after(&client, Some(&behind)).await.0, [Value::Null; 0]);
    let latest = client.get(&format!("{EVENTS}?after=latest")).await.expect(200).json();
    assert_eq!(latest["data"], json!([]));
    let latest = latest["meta"]["next_cursor"].as_str().unwrap().to_owned();
    seed::finding(&client, &json!({ "title": "Later" })).await;
    let (events, _) = all_after(&client, Some(&latest)).await;
    assert_eq!(events[0]["data"]["after"]["title"], "Later");
    assert_eq!(events.len(), 1);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_cursor_that_is_too_old_is_gone_and_a_strange_one_is_refused(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    seed::finding(&client, &json!({ "title": "Old" })).await;
    let (_, cursor) = all_after(&client, None).await;
    app.clock.advance(29 * DAY);
    seed::finding(&client, &json!({ "title": "New" })).await;
    let (events, _) = all_after(&client, Some(&cursor)).await;
    assert_eq!(events[0]["data"]["after"]["title"], "New");
    app.clock.advance(DAY + 1);
    let gone = client.get(&format!("{EVENTS}?after={cursor}")).await.expect(410).json();
    assert_eq!(gone["code"], "cursor_expired");
    // From the beginning means from 30 days ago, whether the older ones are deleted already or not.
    let (events, _) = all_after(&client, None).await;
    assert_eq!(events.len(), 1);
    app.clock.advance(DAY);
    assert_eq!(app.app.messages.prune_events().await.unwrap(), 1);
    assert_eq!(all_after(&client, None).await.0.len(), 1);
    for strange in ["7", "x.y.z", "a.b", "..", "0.0.0.0", "0.-1.0"] {
        let refused = client.get(&format!("{EVENTS}?after={strange}")).await;
        assert_eq!(refused.status, 422, "{strange}: {refused}");
    }
    let restored = format!("0000{}", &cursor[4..]);
    client.get(&format!("{EVENTS}?after={restored}")).await.expect(410);
}

#[tokio::test]
async fn kinds_and_scopes_limit_what_is_read() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    seed::finding(&owner, &json!({})).await;
    seed::programme(&owner, &json!({})).await;
    let only = owner.get(&format!("{EVENTS}?kinds=programme,risk")).await.expect(200).json();
    assert_eq!(types(only["data"].as_array().unwrap()), ["programme.created"]);
    let refused = owner.get(&format!("{EVENTS}?kinds=prose")).await.expect(422);
    assert!(refused.error().contains("prose is no kind of record"), "{refused}");
    let fields = json!({ "name": "scoped", "scopes": ["events:read", "findings:read"] });
    let made = owner.post("/api/v1/keys", &fields).await.expect(201).data();
    let scoped = app.client(made["key"].as_str().unwrap());
    assert_eq!(types(&all_after(&scoped, None).await.0), ["finding.created"]);
    let refused = scoped.get(&format!("{EVENTS}?kinds=programme")).await.expect(403);
    assert!(refused.error().contains("programmes:read"), "{refused}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn another_institution_sees_nothing(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (one, other) = (app.owner("north").await, app.owner("south").await);
    let (_, start) = all_after(&other, None).await;
    seed::finding(&one, &json!({})).await;
    let (_, cursor) = all_after(&one, None).await;
    for after in [None, Some(start.as_str()), Some(cursor.as_str())] {
        assert_eq!(all_after(&other, after).await.0, [Value::Null; 0], "{after:?}");
    }
}
