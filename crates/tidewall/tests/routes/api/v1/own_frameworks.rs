mod in_use;

use app::workbook::{self, TextSheet};
use axum::body::Body;
use http::Request;
use jsonschema::Validator;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp};

const LIST: &str = "/api/v1/own-frameworks";

/// Clients of one tenant with a key each.
async fn keys<const N: usize>(app: &TestApp) -> [Client; N] {
    let tenant = app.tenant("north").await;
    let mut clients = Vec::new();
    for _ in 0..N {
        clients.push(app.client(&app.key(&tenant, "read,write").await));
    }
    clients.try_into().unwrap()
}

async fn made(client: &Client, key: &str) -> String {
    let body = json!({ "key": key, "title": "IT security policy", "edition": "2027", "owner": "Dana Weber" });
    let made = client.post(LIST, &body).await.expect(201).data();
    assert_eq!(
        (&made["status"], &made["content"], &made["in_force"]),
        (&json!("draft"), &json!(0), &json!(null))
    );
    format!("{LIST}/{}", made["id"].as_str().unwrap())
}

async fn sent(client: &Client, path: &str, kind: &str, bytes: Vec<u8>) -> Answer {
    let request = Request::post(path).header("content-type", kind).body(Body::from(bytes)).unwrap();
    client.request(request).await
}

async fn import(client: &Client, address: &str, query: &str, bytes: Vec<u8>) -> Answer {
    sent(client, &format!("{address}/import{query}"), "application/octet-stream", bytes).await
}

/// A workbook with these rows below the heads.
fn book(heads: &[&str], rows: &[&[&str]]) -> Vec<u8> {
    let texts = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    let sheet = TextSheet {
        name: "Policy".to_owned(),
        heads: vec![texts(heads)],
        rows: rows.iter().map(|row| texts(row)).collect(),
    };
    workbook::to_bytes(&[sheet], &std::env::temp_dir()).unwrap()
}

fn policy() -> Vec<u8> {
    book(
        &["Kapitel", "Nummer", "Titel", "Text", "based_on"],
        &[
            &["Backups", "1.1", "Backup plan", "Every system has a plan.", "dora-art-12-01"],
            &["Backups", "1.2", "Restore drills", "=A1 is text, not a formula", ""],
            &["Access", "2.1", "Joiners", "Rights follow the role.", ""],
        ],
    )
}

async fn ids(client: &Client, address: &str, query: &str) -> Vec<String> {
    let page = client.get(&format!("{address}/requirements{query}")).await.expect(200).json();
    page["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_framework_is_imported_approved_by_another_key_and_assessed(engine: Engine) {
    let app = TestApp::on(engine).await;
    let [first, second] = keys(&app).await;
    let address = made(&first, "house-it").await;
    let checked = import(&first, &address, "?dry_run=true", policy()).await.expect(200).data();
    assert_eq!(checked["created"], json!(["house-it-1-1", "house-it-1-2", "house-it-2-1"]), "{engine:?}");
    assert_eq!(
        (&checked["dry_run"], first.get(&address).await.data()["content"].as_i64()),
        (&json!(true), Some(0))
    );
    import(&first, &address, "", policy()).await.expect(200);
    assert_eq!(ids(&first, &address, "?limit=2").await, ["house-it-1-1", "house-it-1-2"]);

    let assessment = "/api/v1/assessments/house-it-1-1";
    first.get(assessment).await.expect(404);
    let own = first.patch(&address, &json!({ "status": "approved" })).await.expect(422).json();
    assert!(own["details"]["status"][0].as_str().unwrap().contains("ask another one"), "{own}");
    let both = json!({ "status": "approved", "title": "Other" });
    second.patch(&address, &both).await.expect(422);
    let approved = second.patch(&address, &json!({ "status": "approved" })).await.expect(200).data();
    assert_eq!(
        (&approved["in_force"]["content"], &approved["editors"]),
        (&json!(1), &json!([])),
        "{engine:?}"
    );

    let found = first.get(assessment).await.expect(200).data();
    assert_eq!(found["requirement"]["framework"], "house-it");
    assert_eq!(found["requirement"]["title"], "Backup plan");
    assert_eq!((&found["applies"], &found["status"]), (&json!(true), &json!("not_assessed")));
    first.patch(assessment, &json!({ "status": "met", "rationale": "Plan of 2026" })).await.expect(200);
    second.post(&format!("{assessment}/approve"), &json!({})).await.expect(200);
    let list = first.get("/api/v1/assessments?framework=house-it").await.expect(200).json();
    assert_eq!((&list["meta"]["total"], &list["data"][0]["status"]), (&json!(3), &json!("met")));
    let found = first.get("/api/v1/assessments?framework=house-it&search=joiners").await.expect(200).json();
    assert_eq!(found["data"][0]["requirement"]["id"], "house-it-2-1", "{engine:?}");
    let all = first.get("/api/v1/assessments?limit=1").await.expect(200).json();
    let shared = app.app.catalogue().unwrap().requirements.len() as u64;
    assert_eq!(all["meta"]["total"], shared + 3);
    let summary = first.get("/api/v1/assessments/summary?framework=house-it").await.expect(200).data();
    assert_eq!(summary[0]["requirements"], 3, "{summary}");
    assert_eq!(first.get(&format!("{assessment}/versions")).await.expect(200).json()["meta"]["total"], 2);
    let control = json!({ "title": "Backup run", "requirements": ["house-it-1-1"] });
    let control = first.post("/api/v1/controls", &control).await.expect(201).data();
    assert_eq!(control["requirements"], json!(["house-it-1-1"]));
    assert_eq!(first.get(assessment).await.data()["controls"].as_array().unwrap().len(), 1);

    let stranger = app.owner("south").await;
    stranger.get(assessment).await.expect(404);
    stranger.get(&address).await.expect(404);
    assert_eq!(stranger.get("/api/v1/assessments?limit=1").await.json()["meta"]["total"], shared);
}

#[tokio::test]
async fn a_change_takes_effect_only_when_it_is_approved() {
    let app = TestApp::new().await;
    let [first, second, third] = keys(&app).await;
    let address = made(&first, "house-it").await;
    import(&first, &address, "", policy()).await.expect(200);
    second.patch(&address, &json!({ "status": "approved" })).await.expect(200);
    let handed = first.patch(&address, &json!({ "owner": "Kim Roth" })).await.expect(200).data();
    assert_eq!(handed["status"], "approved", "the owner is no part of what is approved");
    let put = json!({ "chapter": "Access", "number": "2.2", "title": "Leavers", "text": "Rights end." });
    let changed = second.put(&format!("{address}/requirements/house-it-2-2"), &put).await.expect(200).data();
    assert_eq!((&changed["status"], &changed["content"]), (&json!("draft"), &json!(2)));
    assert_eq!((&changed["in_force"]["content"], &changed["requirements"]), (&json!(1), &json!(4)));
    first.get("/api/v1/assessments/house-it-2-2").await.expect(404);
    first.delete(&format!("{address}/requirements/house-it-1-2")).await.expect(200);
    first.get("/api/v1/assessments/house-it-1-2").await.expect(200);
    for client in [&first, &second] {
        client.patch(&address, &json!({ "status": "approved" })).await.expect(422);
    }
    third.patch(&address, &json!({ "status": "approved" })).await.expect(200);
    first.get("/api/v1/assessments/house-it-2-2").await.expect(200);
    first.get("/api/v1/assessments/house-it-1-2").await.expect(404);
    assert_eq!(ids(&first, &address, "?content=1").await, ["house-it-1-1", "house-it-1-2", "house-it-2-1"]);
    assert_eq!(
        ids(&first, &address, "?content=in_force").await,
        ["house-it-1-1", "house-it-2-1", "house-it-2-2"]
    );
    first.get(&format!("{address}/requirements?content=9")).await.expect(404);
    first.get(&format!("{address}/requirements?content=x")).await.expect(422);
    let versions = first.get(&format!("{address}/versions")).await.expect(200).json();
    let contents: Vec<_> =
        versions["data"].as_array().unwrap().iter().map(|one| one["record"]["content"].clone()).collect();
    assert_eq!(contents, [3, 3, 2, 1, 1, 1, 0].map(Value::from), "every change keeps the version before");

    first.delete(&address).await.expect(422);
    first.patch(&address, &json!({ "status": "retired" })).await.expect(200);
    first.get("/api/v1/assessments/house-it-2-2").await.expect(404);
    first.put(&format!("{address}/requirements/house-it-3-1"), &put).await.expect(422);
    first.delete(&address).await.expect(204);
    assert!(first.get(&address).await.expect(200).data()["archived_at"].is_string(), "it has a history");
}

#[tokio::test]
async fn keys_must_be_apart_from_other_frameworks() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    made(&owner, "house-it").await;
    for key in ["dora", "dora-house", "iso", "house-it", "house-it-2", "house", "27001", "Bad"] {
        let refused = owner.post(LIST, &json!({ "key": key, "title": "x" })).await.expect(422).json();
        assert!(refused["details"]["key"].is_array(), "{key}: {refused}");
    }
    made(&app.owner("south").await, "house-it").await;
}

#[tokio::test]
async fn every_problem_of_a_file_is_named_and_nothing_is_stored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = made(&owner, "house").await;
    let wrong = book(
        &["id", "number", "title", "text", "measures"],
        &[
            &["house-1", "1", "Fine", "Text", ""],
            &["other-1", "2", "Wrong id", "Text", ""],
            &["house-1", "3", "Twice", "Text", ""],
            &["", "", "No id", "Text", ""],
            &["house-5", "5", "", "Text", "measure-none"],
        ],
    );
    let refused = import(&owner, &address, "", wrong).await.expect(422).json();
    let places: Vec<_> = refused["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| (problem["line"].as_u64().unwrap(), problem["field"].as_str().unwrap()))
        .collect();
    assert_eq!(places, [(3, "id"), (4, "id"), (5, "id"), (6, "measures"), (6, "title")], "{refused}");
    assert_eq!(owner.get(&address).await.data()["content"], 0);
    for (bytes, word) in [
        (book(&["title", "colour", "text"], &[]), "colour"),
        (book(&["title", "titel", "text"], &[]), "twice"),
        (book(&["title"], &[]), "title and text"),
        (b"PK\x03\x04 no archive".to_vec(), "no workbook"),
        (b"{\"catalog\": {}}".to_vec(), "OSCAL catalogue"),
        (b"not json".to_vec(), "OSCAL catalogue"),
    ] {
        let refused = import(&owner, &address, "", bytes).await.expect(422).json();
        assert!(refused["details"]["file"][0].as_str().unwrap().contains(word), "{word}: {refused}");
    }
    let long = book(&["id", "title", "text"], &[&["house-1", "Long", &"x".repeat(7_000)]]);
    let refused = import(&owner, &address, "", long).await.expect(422).json();
    assert_eq!(refused["problems"][0]["field"], "text", "{refused}");
}

fn schema() -> Validator {
    let text = include_str!("../../../data/oscal_complete_schema-1.2.2.json");
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
}

#[tokio::test]
async fn exports_are_valid_and_come_back_as_they_were() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = made(&owner, "house").await;
    let measure = app.app.catalogue().unwrap().measures.as_slice()[0].id.to_string();
    let put = json!({
        "chapter": "Cloud", "number": "A.1", "title": "Exit plan", "text": "There is a plan.\nIt is tested.",
        "applicability": "Critical functions only", "measures": [measure], "based_on": ["dora-art-28-08"],
    });
    owner.put(&format!("{address}/requirements/house-a-1"), &put).await.expect(200);
    let put = json!({ "title": "Loose", "text": "Without a chapter." });
    owner.put(&format!("{address}/requirements/house-b"), &put).await.expect(200);
    let before = owner.get(&format!("{address}/requirements")).await.expect(200).data();
    let schema = schema();
    for format in ["oscal", "xlsx"] {
        let path = format!("{address}/export?format={format}");
        let file = owner.get(&path).await.expect(200);
        assert_eq!(owner.get(&path).await.expect(200).body, file.body, "{format}: the same bytes");
        if format == "oscal" {
            let document = file.json();
            let errors: Vec<_> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}");
            assert_eq!(document["catalog"]["groups"][0]["controls"][0]["id"], "house-a-1");
        }
        let again = import(&owner, &address, "?dry_run=true", file.body.to_vec()).await.expect(200).data();
        assert_eq!(again["unchanged"], 2, "{format}: {again}");
        assert_eq!((&again["created"], &again["removed"]), (&json!([]), &json!([])), "{format}");
        let other_owner = app.owner(&format!("{format}-bank")).await;
        let other = made(&other_owner, "house").await;
        import(&other_owner, &other, "", file.body.to_vec()).await.expect(200);
        let mut after = other_owner.get(&format!("{other}/requirements")).await.expect(200).data();
        let mut expected = before.clone();
        for list in [&mut after, &mut expected] {
            list.as_array_mut().unwrap().sort_by_key(|one| one["id"].to_string());
        }
        assert_eq!(after, expected, "{format}");
    }
    owner.get(&format!("{address}/export?format=pdf")).await.expect(422);
}

#[tokio::test]
async fn a_catalogue_of_another_tool_is_read_and_what_is_left_alone_is_named() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = made(&owner, "sp-800").await;
    let document = json!({ "catalog": {
        "uuid": "6e6b5f5e-0000-4000-8000-000000000000",
        "metadata": { "title": "x", "last-modified": "2026-01-01T00:00:00Z", "version": "1", "oscal-version": "1.1.2" },
        "x-tool": { "exported-by": "someone" },
        "groups": [{ "id": "ac", "title": "Access Control", "controls": [{
            "id": "ac-1", "title": "Policy and Procedures",
            "params": [{ "id": "ac-1_prm_1", "label": "organization-defined personnel" }],
            "props": [{ "name": "label", "value": "AC-1" }],
            "parts": [{ "id": "ac-1_smt", "name": "statement", "parts": [
                { "id": "ac-1_smt.a", "name": "item", "props": [{ "name": "label", "value": "a." }],
                  "prose": "Disseminate to {{ insert: param, ac-1_prm_1 }}" },
            ] }],
        }] }],
    } });
    let done = import(&owner, &address, "", document.to_string().into_bytes()).await.expect(200).data();
    assert_eq!(done["created"], json!(["sp-800-ac-1"]));
    assert!(done["ignored"].as_array().unwrap().contains(&json!("catalog.x-tool")), "{done}");
    let kept = owner.get(&format!("{address}/requirements")).await.data()[0].clone();
    assert_eq!((&kept["chapter"], &kept["number"]), (&json!("Access Control"), &json!("AC-1")));
    assert_eq!(kept["text"], "a. Disseminate to [organization-defined personnel]");
    let found = owner.get("/api/v2/search?q=security+policy&limit=200").await.expect(200).json();
    let hits = found["data"].as_array().unwrap();
    assert!(hits.iter().any(|hit| hit["url"] == address.as_str()), "{found}");
}

#[tokio::test]
async fn a_framework_of_many_requirements_is_kept_and_one_more_is_refused() {
    let app = TestApp::new().await;
    let [first, second] = keys(&app).await;
    let address = made(&first, "big").await;
    let rows: Vec<[String; 3]> =
        (0..1_501).map(|n| [format!("{n}"), format!("Title {n}"), format!("Text of {n}")]).collect();
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let lines: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
    let heads = ["number", "title", "text"];
    let refused = import(&first, &address, "", book(&heads, &lines)).await.expect(422).json();
    assert!(refused["details"]["requirements"][0].as_str().unwrap().contains("1500"), "{refused}");
    import(&first, &address, "", book(&heads, &lines[..1_500])).await.expect(200);
    second.patch(&address, &json!({ "status": "approved" })).await.expect(200);
    let page = first.get("/api/v1/assessments?framework=big&limit=500&offset=1400").await.expect(200).json();
    assert_eq!((&page["meta"]["total"], page["data"].as_array().unwrap().len()), (&json!(1_500), 100));
}

/// Three levels of parameters, each with so many inserts of the next.
fn nested_parameters(inserts: usize) -> Value {
    let all = |name: &str| format!("{{{{ insert: param, {name} }}}}").repeat(inserts);
    json!({ "catalog": { "controls": [{
        "id": "a", "title": "A",
        "params": [
            { "id": "p", "label": all("q") }, { "id": "q", "label": all("r") },
            { "id": "r", "label": "x".repeat(1_000) },
        ],
        "parts": [{ "name": "statement", "prose": all("p") }],
    }] } })
}

#[tokio::test]
async fn a_small_catalogue_that_stands_for_a_text_without_end_is_refused_before_it_is_written_out() {
    let app = TestApp::new().await;
    let [client] = keys(&app).await;
    let address = made(&client, "house-it").await;
    // Written out, the last one would have a billion letters.
    for inserts in [3, 100] {
        let file = nested_parameters(inserts).to_string().into_bytes();
        assert!(file.len() < 20_000, "{}", file.len());
        let refused = import(&client, &address, "", file).await.expect(422).json();
        assert!(refused.to_string().contains("at most 10000 characters"), "{refused}");
    }
    let file = nested_parameters(1).to_string().into_bytes();
    import(&client, &address, "?dry_run=true", file).await.expect(200);
    let inside = json!({ "catalog": { "controls": [{
        "id": "a", "title": "A", "params": [{ "id": "p", "label": "p is {{ insert: param, p }}" }],
        "parts": [{ "name": "statement", "prose": "{{ insert: param, p }}" }],
    }] } });
    import(&client, &address, "", inside.to_string().into_bytes()).await.expect(200);
    let kept = client.get(&format!("{address}/export?format=oscal")).await.expect(200).json();
    assert_eq!(kept["catalog"]["controls"][0]["parts"][0]["prose"], "[p is [p]]");
}

#[tokio::test]
async fn files_of_very_many_small_things_are_refused() {
    let app = TestApp::new().await;
    let [client] = keys(&app).await;
    let address = made(&client, "house-it").await;
    let objects = format!("{{\"catalog\":{{\"controls\":[{}{{}}]}}}}", "{\"a\":1},".repeat(150_000));
    let large = format!("{{\"catalog\":\"{}\"}}", "x".repeat(4 * 1024 * 1024));
    let wide = book(&["title", "text", "a", "b", "c", "d", "e", "f", "g"], &[]);
    let row = ["x", "y"];
    let rows: Vec<&[&str]> = (0..60_000).map(|_| &row[..]).collect();
    let long = book(&["title", "text"], &rows);
    for (file, said) in [
        (objects.into_bytes(), "too large"),
        (large.into_bytes(), "larger than 4 MiB"),
        (wide, "more than 8 columns"),
        (long, "too large"),
    ] {
        let refused = import(&client, &address, "?dry_run=true", file).await.expect(422).json();
        assert!(refused["details"]["file"][0].as_str().unwrap().contains(said), "{refused}");
    }
}
