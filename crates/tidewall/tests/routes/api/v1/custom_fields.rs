//! Own fields: defined by administrators, and kept with the records of every kind that has them.

use app::records::KINDS;
use futures_util::future::join_all;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{
    kinds::{ADA, fixture, person as account},
    seed,
};

const FIELDS: &str = "/api/v1/custom-fields";
/// In milliseconds, as the clock of the tests is advanced.
const HOUR: i64 = 3_600_000;

async fn define(client: &Client, body: Value) -> Value {
    client.post(FIELDS, &body).await.expect(201).data()
}

/// A field of a type, with the type as its key.
async fn of_type(client: &Client, kind: &str, field_type: &str) -> Value {
    let mut body =
        json!({ "kind": kind, "type": field_type, "label": format!("Own {field_type}"), "key": field_type });
    if field_type == "choice" {
        body["choices"] = json!(["North", "South"]);
    }
    define(client, body).await
}

async fn every_type(client: &Client, kind: &str) {
    for field_type in ["text", "number", "day", "choice", "person", "flag"] {
        of_type(client, kind, field_type).await;
    }
}

fn address(field: &Value) -> String {
    format!("{FIELDS}/{}", field["id"].as_str().unwrap())
}

async fn keys(client: &Client, query: &str) -> Vec<String> {
    seed::pluck(&client.get(&format!("{FIELDS}{query}")).await.expect(200).json(), "key")
}

async fn ids(client: &Client, list: &str) -> Vec<String> {
    let page = client.get(list).await.expect(200);
    let ids = seed::pluck(&page.json(), "id");
    assert_eq!(page.json()["meta"]["total"], ids.len(), "{list}: the total counts the same records");
    ids
}

fn id_of(record: &str) -> String {
    record.rsplit('/').next().unwrap().to_owned()
}

fn values() -> Value {
    json!({
        "choice": "North", "day": "2026-11-30", "flag": true, "number": 12.5, "person": "Anna Weber",
        "text": "Quartalsabschluss",
    })
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_field_is_defined_changed_ordered_and_deleted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let body = json!({
        "kind": "finding", "type": "choice", "label": "Größe", "label_de": "Umfang", "choices": ["S", "L"],
    });
    let made = define(&client, body).await;
    let expected = json!({
        "id": made["id"], "kind": "finding", "key": "grosse", "type": "choice", "label": "Größe",
        "label_de": "Umfang", "choices": ["S", "L"], "place": 1, "used": false, "archived_at": null,
        "created_at": made["created_at"], "updated_at": made["updated_at"],
    });
    assert_eq!(made, expected);
    assert_eq!(client.get(&address(&made)).await.expect(200).data(), made);
    of_type(&client, "finding", "text").await;
    let last = of_type(&client, "finding", "day").await;
    of_type(&client, "risk", "flag").await;
    let moved = client.patch(&address(&last), &json!({ "place": 1, "label": "Since" })).await.expect(200);
    assert_eq!((&moved.data()["place"], &moved.data()["label"]), (&json!(1), &json!("Since")));
    assert_eq!(keys(&client, "?kind=finding").await, ["day", "grosse", "text"]);
    assert_eq!(keys(&client, "").await, ["day", "grosse", "text", "flag"]);
    client.patch(&address(&made), &json!({ "archived": true })).await.expect(200);
    assert_eq!(keys(&client, "?kind=finding").await, ["day", "text", "grosse"], "archived ones come last");
    client.delete(&address(&made)).await.expect(204);
    client.get(&address(&made)).await.expect(404);
    let log = client.get("/api/v1/audit?limit=500").await.expect(200).data();
    let logged =
        |action: &str| log.as_array().unwrap().iter().filter(|entry| entry["action"] == action).count();
    assert_eq!(
        ["created", "changed", "deleted"].map(|verb| logged(&format!("custom_field.{verb}"))),
        [4, 2, 1]
    );
}

#[tokio::test]
async fn a_definition_that_is_not_possible_is_refused_by_field() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let made = of_type(&client, "finding", "text").await;
    for (body, field) in [
        (json!({ "kind": "approval", "type": "text", "label": "X" }), "kind"),
        (json!({ "kind": "finding", "type": "colour", "label": "X" }), "type"),
        (json!({ "kind": "finding", "type": "text" }), "label"),
        (json!({ "kind": "finding", "type": "text", "label": "own TEXT" }), "label"),
        (json!({ "kind": "finding", "type": "text", "label": "X", "key": "Big" }), "key"),
        (json!({ "kind": "finding", "type": "text", "label": "X", "key": "text" }), "key"),
        (json!({ "kind": "finding", "type": "choice", "label": "X" }), "choices"),
        (json!({ "kind": "finding", "type": "text", "label": "X", "choices": ["a"] }), "choices"),
    ] {
        let refused = client.post(FIELDS, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field}: {refused}");
    }
    for (body, field) in [
        (json!({ "type": "day" }), "type"),
        (json!({ "key": "other" }), "key"),
        (json!({ "place": 2 }), "place"),
    ] {
        let refused = client.patch(&address(&made), &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field}: {refused}");
    }
    client.get(&format!("{FIELDS}?kind=approval")).await.expect(422);
    for number in 2..=30 {
        define(&client, json!({ "kind": "finding", "type": "flag", "label": format!("F {number}") })).await;
    }
    let more = json!({ "kind": "finding", "type": "flag", "label": "One more" });
    let refused = client.post(FIELDS, &more).await.expect(422).json();
    assert!(refused["details"]["kind"][0].as_str().unwrap().contains("30 fields"), "{refused}");
    client.patch(&address(&made), &json!({ "archived": true })).await.expect(200);
    define(&client, more).await;
    client.patch(&address(&made), &json!({ "archived": false })).await.expect(422);
}

#[tokio::test]
async fn keys_need_manage_keys_to_define_and_write_to_fill_in() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write,manage_keys").await);
    let writer = app.client(&app.key(&tenant, "read,write").await);
    let field = of_type(&owner, "finding", "text").await;
    assert_eq!(keys(&writer, "").await, ["text"]);
    writer.post(FIELDS, &json!({ "kind": "risk", "type": "text", "label": "X" })).await.expect(403);
    writer.patch(&address(&field), &json!({ "label": "X" })).await.expect(403);
    writer.delete(&address(&field)).await.expect(403);
    let made = seed::finding(&writer, &json!({ "custom": { "text": "a" } })).await;
    assert_eq!(made["custom"], json!({ "text": "a" }));
    let other = app.owner("south").await;
    assert!(keys(&other, "").await.is_empty());
    other.get(&address(&field)).await.expect(404);
    other.patch(&address(&field), &json!({ "label": "X" })).await.expect(404);
    other.delete(&address(&field)).await.expect(404);
    let body = json!({ "title": "A", "severity": "low", "custom": { "text": "a" } });
    other.post(seed::FINDINGS, &body).await.expect(422);
}

async fn bytes(client: &Client, path: &str) -> String {
    String::from_utf8(client.get(path).await.expect(200).body.to_vec()).unwrap()
}

async fn every_kind_keeps_lists_and_versions_its_values(engine: Engine) {
    let app = TestApp::on(engine).await;
    for (number, kind) in KINDS.iter().enumerate().filter(|(_, kind)| kind.has_own_fields) {
        let (table, noun) = (kind.table, kind.noun);
        let tenant = app.tenant(&format!("north-{number}")).await;
        account(&app, &tenant, ADA, &format!("ada@north-{number}.example")).await;
        let own = app.client(&app.key(&tenant, "read,write,manage_keys").await);
        let record = fixture(&own, table).await;
        let list = record.rsplit_once('/').unwrap().0.to_owned();
        let plain = (bytes(&own, &record).await, bytes(&own, &list).await);
        assert!(!plain.0.contains("\"custom\""), "{table}");
        every_type(&own, noun).await;
        let again = (bytes(&own, &record).await, bytes(&own, &list).await);
        assert_eq!(again, plain, "{table}: definitions alone change no answer");
        let set = own.patch(&record, &json!({ "custom": values() })).await.expect(200).data();
        assert_eq!(set["custom"], values(), "{table}");
        let read = own.get(&record).await.expect(200);
        assert_eq!(read.data()["custom"], values(), "{table}");
        let stripped = {
            let mut data = read.data();
            data.as_object_mut().unwrap().remove("custom");
            data
        };
        assert!(!stripped.to_string().contains("Quartalsabschluss"), "{table}");
        let same = own.patch(&record, &json!({ "custom": values() })).await.expect(200).data();
        assert_eq!(same["updated_at"], set["updated_at"], "{table}: the same values are no change");
        let after =
            own.patch(&record, &json!({ "custom": { "text": null, "number": 3 } })).await.expect(200).data();
        let mut left = values();
        left.as_object_mut().unwrap().remove("text");
        left["number"] = json!(3);
        assert_eq!(after["custom"], left, "{table}");
        let versions = own.get(&format!("{record}/versions")).await.expect(200).data();
        assert_eq!(versions[0]["record"]["custom"], left, "{table}");
        assert_eq!(versions[1]["record"]["custom"], values(), "{table}");
        let oldest = versions.as_array().unwrap().last().unwrap();
        assert!(oldest["record"].get("custom").is_none(), "{table}: versions from before have none");
        // Tasks are one list with the work of all kinds.
        if table == "tasks" {
            continue;
        }
        let page = own.get(&list).await.expect(200).data();
        assert_eq!(page[0]["custom"], left, "{table}");
        assert_eq!(ids(&own, &format!("{list}?custom.choice=north&custom.number=3")).await, [id_of(&record)]);
        for none in ["custom.choice=South", "custom.number=12.5", "custom.text=Quartalsabschluss"] {
            assert!(ids(&own, &format!("{list}?{none}")).await.is_empty(), "{table} {none}");
        }
    }
}

#[tokio::test]
async fn every_kind_keeps_lists_and_versions_its_values_on_sqlite() {
    every_kind_keeps_lists_and_versions_its_values(Engine::Sqlite).await;
}

#[tokio::test]
async fn every_kind_keeps_lists_and_versions_its_values_on_postgres() {
    every_kind_keeps_lists_and_versions_its_values(Engine::Postgres).await;
}

#[tokio::test]
async fn values_are_judged_by_their_types_together_with_the_other_fields() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    every_type(&client, "finding").await;
    for (key, bad) in [
        ("text", json!("x".repeat(501))),
        ("text", json!(1)),
        ("number", json!("12")),
        ("day", json!("30.11.2026")),
        ("choice", json!("East")),
        ("flag", json!("yes")),
        ("person", json!({})),
        ("colour", json!("red")),
    ] {
        let body = json!({ "severity": "worst", "custom": { key: bad } });
        let refused = client.post(seed::FINDINGS, &body).await.expect(422).json();
        let details = &refused["details"];
        assert!(details[format!("custom.{key}")].is_array() && details["severity"].is_array(), "{refused}");
    }
    for odd in [json!([]), json!("text"), Value::Null] {
        let body = json!({ "title": "A", "severity": "low", "custom": odd });
        client.post(seed::FINDINGS, &body).await.expect(422);
    }
    let approval = client.post("/api/v1/approvals", &json!({ "custom": { "text": "a" } })).await.expect(422);
    assert!(approval.json()["details"].get("custom.text").is_none(), "approvals have no own fields");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_used_field_is_archived_and_its_values_stay(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let field = of_type(&client, "finding", "text").await;
    let made = seed::finding(&client, &json!({ "custom": { "text": "kept" } })).await;
    let record = seed::at(seed::FINDINGS, &made);
    client.delete(&address(&field)).await.expect(204);
    let after = client.get(&address(&field)).await.expect(200).data();
    assert_eq!((after["used"].clone(), after["archived_at"].is_string()), (json!(true), true));
    assert_eq!(client.get(&record).await.expect(200).data()["custom"], json!({ "text": "kept" }));
    client.patch(&record, &json!({ "custom": { "text": "kept" }, "title": "Renamed" })).await.expect(200);
    client.patch(&record, &json!({ "custom": { "text": "new" } })).await.expect(422);
    assert_eq!(ids(&client, "/api/v1/findings?custom.text=KEPT").await, [id_of(&record)]);
    client.patch(&record, &json!({ "custom": { "text": null } })).await.expect(200);
    assert!(client.get(&record).await.expect(200).data().get("custom").is_none());
    assert!(ids(&client, "/api/v1/findings?custom.text=kept").await.is_empty());
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_list_as_of_a_day_shows_the_values_of_that_day(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    every_type(&client, "finding").await;
    let made = seed::finding(&client, &json!({ "custom": { "text": "early" } })).await;
    let record = seed::at(seed::FINDINGS, &made);
    app.clock.advance(48 * HOUR);
    client.patch(&record, &json!({ "custom": { "text": "late", "number": 7 } })).await.expect(200);
    let at = |day: &str| format!("/api/v1/findings?as_of={day}");
    let early = client.get(&at("2026-11-14")).await.expect(200).data();
    assert_eq!(early[0]["custom"], json!({ "text": "early" }));
    let late = client.get(&at("2026-11-16")).await.expect(200).data();
    assert_eq!(late[0]["custom"], json!({ "text": "late", "number": 7 }));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_record_is_found_by_its_texts_and_the_log_names_each_field(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    every_type(&client, "risk").await;
    let body = json!({ "title": "Flood", "category": "physical", "inherent": { "likelihood": 1, "impact": 1 },
            "custom": { "text": "Rückversicherer" } });
    let made = client.post("/api/v1/risks", &body).await.expect(201).data();
    let record = seed::at("/api/v1/risks", &made);
    let found = "/api/v1/risks?search=ruckversicherer";
    assert_eq!(ids(&client, found).await, [id_of(&record)]);
    client.put(&format!("{record}/tags"), &json!({ "tags": ["audit"] })).await.expect(200);
    assert_eq!(ids(&client, found).await, [id_of(&record)], "tags do not displace them");
    client.patch(&record, &json!({ "custom": { "text": "Makler", "flag": false } })).await.expect(200);
    assert!(ids(&client, found).await.is_empty());
    assert_eq!(ids(&client, "/api/v1/risks?search=makler").await, [id_of(&record)]);
    let log = client.get("/api/v1/audit?limit=500").await.expect(200).data();
    let entry = log.as_array().unwrap().iter().find(|entry| entry["action"] == "risk.changed").unwrap();
    assert_eq!(
        entry["detail"],
        json!({ "custom.flag": [null, false], "custom.text": ["Rückversicherer", "Makler"] })
    );
    let made = log.as_array().unwrap().iter().find(|entry| entry["action"] == "risk.created").unwrap();
    assert_eq!(made["detail"]["custom"], json!({ "text": "Rückversicherer" }));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn many_records_get_a_value_at_once_and_a_refused_one_keeps_its_own(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    every_type(&client, "finding").await;
    let mut all = Vec::new();
    for text in ["a", "b"] {
        let made = seed::finding(&client, &json!({ "custom": { "text": text } })).await;
        all.push(made["id"].clone());
    }
    let bulk = "/api/v1/findings/bulk";
    let change = |change: Value| json!({ "filter": "custom.text=a", "change": change });
    let done =
        client.post(bulk, &change(json!({ "custom": { "text": "c", "flag": true } }))).await.expect(200);
    assert_eq!((&done.data()["changed"], &done.data()["results"][0]["id"]), (&json!(1), &all[0]));
    let both = json!({ "ids": all, "change": { "owner": "Anna", "custom": { "choice": "South" } } });
    assert_eq!(client.post(bulk, &both).await.expect(200).data()["changed"], 2);
    let first =
        client.get(&format!("{}/{}", seed::FINDINGS, all[0].as_str().unwrap())).await.expect(200).data();
    assert_eq!(first["custom"], json!({ "choice": "South", "flag": true, "text": "c" }));
    assert_eq!(first["owner"], "Anna");
    let bad = json!({ "ids": all, "change": { "custom": { "choice": "East" } } });
    let refused = client.post(bulk, &bad).await.expect(200).data();
    assert_eq!(refused["refused"], 2);
    assert!(refused["results"][0]["details"]["custom.choice"].is_array(), "{refused}");
    client
        .post(bulk, &json!({ "filter": "custom.colour=red", "change": { "owner": "X" } }))
        .await
        .expect(422);
}

#[tokio::test]
async fn a_filter_that_names_no_field_or_too_many_is_refused() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let list = "/api/v1/findings";
    client.get(&format!("{list}?custom.text=a")).await.expect(422);
    every_type(&client, "finding").await;
    client.get(&format!("{list}?custom.text=a&custom.colour=b")).await.expect(422);
    client.get(&format!("{list}?custom.number=many")).await.expect(422);
    client.get(&format!("{list}?custom.text=a&custom.text=b")).await.expect(422);
    let many = "custom.text=a&custom.number=1&custom.flag=true";
    client.get(&format!("{list}?{many}")).await.expect(422);
    assert!(ids(&client, &format!("{list}?custom.text=")).await.is_empty());
}

#[tokio::test]
async fn of_fields_defined_at_once_thirty_become_fields() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).await;
        let client = app.owner("north").await;
        let defined = (0..34).map(|number| {
            let body = json!({ "kind": "risk", "type": "text", "label": format!("Own {number}"), "key": format!("own_{number}") });
            let client = &client;
            async move { client.post(FIELDS, &body).await.status.as_u16() }
        });
        let mut statuses = join_all(defined).await;
        statuses.sort_unstable();
        assert_eq!((statuses[29], statuses[30], statuses[33]), (201, 422, 422), "{engine:?}: {statuses:?}");
        let kept = client.get(&format!("{FIELDS}?kind=risk")).await.expect(200).data();
        assert_eq!(kept.as_array().unwrap().len(), 30);
    }
}
