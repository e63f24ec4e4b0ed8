//! Tags on records of every kind: stored, found, filtered by, and kept apart.

use app::records::KINDS;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{
    kinds::{ADA, fixture, person as account},
    seed,
};

async fn tag(client: &Client, record: &str, tags: &[&str]) -> Value {
    client.put(&format!("{record}/tags"), &json!({ "tags": tags })).await.expect(200).data()
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

async fn every_kind_has_tags_and_lists_by_them(engine: Engine) {
    let app = TestApp::on(engine).await;
    for (number, kind) in KINDS.iter().enumerate() {
        let table = kind.table;
        let tenant = app.tenant(&format!("north-{number}")).await;
        account(&app, &tenant, ADA, &format!("ada@north-{number}.example")).await;
        let own = app.client(&app.key(&tenant, "read,write,manage_keys").await);
        let other = app.owner(&format!("south-{number}")).await;
        let record = fixture(&own, table).await;
        assert_eq!(
            own.get(&format!("{record}/tags")).await.expect(200).data(),
            json!({ "tags": [] }),
            "{table}"
        );
        let set = tag(&own, &record, &["Prüfung 2026", "dora", "DORA"]).await;
        assert_eq!(set, json!({ "tags": ["dora", "Prüfung 2026"] }), "{table}");
        assert_eq!(own.get(&format!("{record}/tags")).await.expect(200).data(), set, "{table}");
        other.get(&format!("{record}/tags")).await.expect(404);
        other.put(&format!("{record}/tags"), &json!({ "tags": ["x"] })).await.expect(404);
        // Tasks are one list with the work of all kinds, and reviews are listed below their provider.
        if !["tasks", "provider_reviews"].contains(&table) {
            let list = record.rsplit_once('/').unwrap().0;
            let found = ids(&own, &format!("{list}?tag=pr%C3%BCfung%202026")).await;
            assert_eq!(found, [id_of(&record)], "{table}");
            assert!(ids(&own, &format!("{list}?tag=other")).await.is_empty(), "{table}");
            assert!(ids(&other, &format!("{list}?tag=dora")).await.is_empty(), "{table}");
            tag(&own, &record, &[]).await;
            assert!(
                ids(&own, &format!("{list}?tag=dora")).await.is_empty(),
                "{table}: a removed tag finds nothing"
            );
        }
    }
}

#[tokio::test]
async fn every_kind_has_tags_and_lists_by_them_on_sqlite() {
    every_kind_has_tags_and_lists_by_them(Engine::Sqlite).await;
}

#[tokio::test]
async fn every_kind_has_tags_and_lists_by_them_on_postgres() {
    every_kind_has_tags_and_lists_by_them(Engine::Postgres).await;
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_tag_narrows_together_with_other_filters_search_and_cursors(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let mut tagged = Vec::new();
    for number in 0..5 {
        let severity = if number % 2 == 0 { "high" } else { "low" };
        let made =
            seed::finding(&client, &json!({ "title": format!("Gate {number}"), "severity": severity })).await;
        let record = seed::at(seed::FINDINGS, &made);
        if number < 4 {
            tag(&client, &record, &["Audit"]).await;
            tagged.push(id_of(&record));
        }
    }
    let list = "/api/v1/findings?sort=created_at";
    assert_eq!(ids(&client, &format!("{list}&tag=audit")).await, tagged);
    let high = ids(&client, &format!("{list}&tag=audit&severity=high")).await;
    assert_eq!(high, [tagged[0].clone(), tagged[2].clone()]);
    assert_eq!(ids(&client, &format!("{list}&tag=audit&search=gate")).await, tagged);
    assert_eq!(ids(&client, "/api/v1/findings?tag=audit&updated_since=2020-01-01T00:00:00Z").await.len(), 4);
    let first = client.get(&format!("{list}&tag=audit&limit=3")).await.expect(200).json();
    let cursor = first["meta"]["next_cursor"].as_str().unwrap();
    let rest = client.get(&format!("{list}&tag=audit&limit=3&cursor={cursor}")).await.expect(200).json();
    assert_eq!(seed::pluck(&rest, "id"), [tagged[3].clone()]);
    let day = ids(&client, "/api/v1/findings?tag=audit&as_of=2026-11-14").await;
    assert_eq!(day.len(), 4, "the tags of a past list are those of today");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_record_is_found_by_its_tags_also_after_its_texts_change(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let record = seed::at(seed::FINDINGS, &seed::finding(&client, &json!({ "title": "Old cipher" })).await);
    tag(&client, &record, &["Quartalsprüfung"]).await;
    let found = "/api/v1/findings?search=quartalsprufung";
    assert_eq!(ids(&client, found).await, [id_of(&record)]);
    client.patch(&record, &json!({ "title": "Weak cipher" })).await.expect(200);
    assert_eq!(ids(&client, found).await, [id_of(&record)]);
    assert_eq!(ids(&client, "/api/v1/findings?search=weak").await, [id_of(&record)]);
    tag(&client, &record, &["Other"]).await;
    assert!(ids(&client, found).await.is_empty());
    assert_eq!(ids(&client, "/api/v1/findings?search=weak").await, [id_of(&record)]);
}

#[tokio::test]
async fn a_change_of_tags_is_in_the_audit_log_and_leaves_the_version() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let record = seed::at(seed::FINDINGS, &seed::finding(&client, &json!({})).await);
    tag(&client, &record, &["one"]).await;
    tag(&client, &record, &["one"]).await;
    tag(&client, &record, &["two"]).await;
    let log = client.get("/api/v1/audit?limit=500").await.expect(200).data();
    let tagged: Vec<_> =
        log.as_array().unwrap().iter().filter(|entry| entry["action"] == "tags.changed").collect();
    assert_eq!(tagged.len(), 2, "to set the same tags again is no change");
    assert!(tagged.iter().all(|entry| entry["record"]["id"] == id_of(&record).as_str()), "{tagged:?}");
    let versions = client.get(&format!("{record}/versions")).await.expect(200).json();
    assert_eq!(versions["meta"]["total"], 1, "a tag is no field of the record");
}

#[tokio::test]
async fn tags_that_are_too_many_too_long_or_no_list_are_refused() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let record = seed::at(seed::FINDINGS, &seed::finding(&client, &json!({})).await);
    let many: Vec<String> = (0..21).map(|number| format!("tag {number}")).collect();
    let long = "x".repeat(41);
    for tags in
        [json!(many), json!([long]), json!(["a,b"]), json!([" "]), json!(null), json!("one"), json!([1])]
    {
        let refused =
            client.put(&format!("{record}/tags"), &json!({ "tags": tags })).await.expect(422).json();
        assert!(refused["details"].to_string().contains("tags"), "{refused}");
    }
    client.put(&format!("{record}/tags"), &json!({})).await.expect(422);
    client.get(&format!("/api/v1/findings?tag={long}")).await.expect(422);
    assert_eq!(client.get(&format!("{record}/tags")).await.expect(200).data(), json!({ "tags": [] }));
    tag(&client, &record, &["ß".repeat(40).as_str()]).await;
}

#[tokio::test]
async fn an_archived_record_takes_no_tags_and_a_deleted_one_leaves_none() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let body = json!({ "title": "Alarm" });
    let made = client.post("/api/v1/controls", &body).await.expect(201).data();
    let control = format!("/api/v1/controls/{}", made["id"].as_str().unwrap());
    tag(&client, &control, &["kept"]).await;
    client.post(&format!("{control}/archive"), &json!({})).await.expect(200);
    client.put(&format!("{control}/tags"), &json!({ "tags": ["new"] })).await.expect(422);
    assert_eq!(client.get(&format!("{control}/tags")).await.expect(200).data(), json!({ "tags": ["kept"] }));
    let made = client.post("/api/v1/controls", &json!({ "title": "Lock" })).await.expect(201).data();
    let control = format!("/api/v1/controls/{}", made["id"].as_str().unwrap());
    tag(&client, &control, &["gone"]).await;
    assert_eq!(ids(&client, "/api/v1/controls?tag=gone").await.len(), 1);
    client.delete(&control).await.expect(204);
    client.get(&format!("{control}/tags")).await.expect(404);
    assert!(ids(&client, "/api/v1/controls?tag=gone").await.is_empty());
}

#[tokio::test]
async fn a_key_that_only_reads_changes_no_tags() {
    let app = TestApp::new().await;
    let north = app.tenant("north").await;
    let writer = app.client(&app.key(&north, "read,write").await);
    let reader = app.client(&app.key(&north, "read").await);
    let record = seed::at(seed::FINDINGS, &seed::finding(&writer, &json!({})).await);
    tag(&writer, &record, &["one"]).await;
    reader.put(&format!("{record}/tags"), &json!({ "tags": [] })).await.expect(403);
    assert_eq!(reader.get(&format!("{record}/tags")).await.expect(200).data(), json!({ "tags": ["one"] }));
}
