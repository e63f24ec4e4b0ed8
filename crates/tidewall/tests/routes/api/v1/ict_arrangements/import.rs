use std::io::{Cursor, Write as _};

use axum::body::Body;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp};
use zip::{ZipWriter, write::SimpleFileOptions};

use super::PATH;

const TABLES: [(&str, &str); 8] = [
    ("b_01.01.csv", include_str!("package/b_01.01.csv")),
    ("b_01.02.csv", include_str!("package/b_01.02.csv")),
    ("b_02.01.csv", include_str!("package/b_02.01.csv")),
    ("b_02.02.csv", include_str!("package/b_02.02.csv")),
    ("b_05.01.csv", include_str!("package/b_05.01.csv")),
    ("b_05.02.csv", include_str!("package/b_05.02.csv")),
    ("b_06.01.csv", include_str!("package/b_06.01.csv")),
    ("b_07.01.csv", include_str!("package/b_07.01.csv")),
];

pub(super) async fn send(client: &Client, query: &str, kind: &str, bytes: impl Into<Body>) -> Answer {
    let request = Request::post(format!("{PATH}/import{query}")).header(header::CONTENT_TYPE, kind);
    client.request(request.body(bytes.into()).unwrap()).await
}

fn zipped<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn package() -> Vec<u8> {
    let inside = TABLES.map(|(name, text)| (format!("report/reports/{name}"), text));
    let others =
        [("report/META-INF/reportPackage.json", "{}"), ("report/reports/parameters.csv", "name,value\n")];
    zipped(inside.iter().map(|(name, text)| (name.as_str(), *text)).chain(others))
}

async fn total(client: &Client) -> Value {
    client.get(PATH).await.expect(200).json()["meta"]["total"].clone()
}

pub(super) async fn template(client: &Client) -> String {
    let answer = client.get(&format!("{PATH}/template")).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    String::from_utf8(answer.body.to_vec()).unwrap()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_template_can_be_sent_back_and_changes_nothing_the_second_time(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let table = template(&owner).await;
    let dry = send(&owner, "?dry_run=true", "text/csv", table.clone()).await.expect(200).data();
    assert_eq!((&dry["added"], &dry["dry_run"]), (&json!(2), &json!(true)));
    assert_eq!(total(&owner).await, 0);
    let first = send(&owner, "", "text/csv", table.clone()).await.expect(200).data();
    assert_eq!((&first["added"], &first["changed"]), (&json!(2), &json!(0)));
    let second = send(&owner, "", "text/csv", table.clone()).await.expect(200).data();
    assert_eq!((&second["added"], &second["unchanged"]), (&json!(0), &json!(2)));
    let third = send(&owner, "", "text/csv", table.replace("18000", "19000")).await.expect(200).data();
    assert_eq!((&third["changed"], &third["unchanged"]), (&json!(1), &json!(1)));
    let kept = owner.get(&format!("{PATH}?search=datacentres%20cloud")).await.expect(200).data();
    assert_eq!(kept, json!([]), "subcontractors are not words of the record");
    let kept = owner.get(&format!("{PATH}?search=C%202026%20001")).await.expect(200).data();
    assert_eq!(kept[0]["supply_chain"][1]["supplier"]["name"], "Example Power SA");
    assert_eq!(kept[0]["places"]["storage"], json!(["DE", "IE"]));
    assert_eq!(kept[0]["ultimate_parent"]["name"], "Example Cloud Inc.");
}

#[tokio::test]
async fn every_problem_names_row_column_rule_and_remedy_and_nothing_is_stored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let table = template(&owner).await;
    for (from, to, row, column, rule) in [
        ("18000", "0", 3, "annual_cost", "amount"),
        ("18000", "-5", 3, "annual_cost", "amount"),
        ("2028-06-30", "2024-06-30", 3, "ends_on", "period"),
        ("S11", "S99", 3, "service_type", "code-list"),
        ("Example Networks GmbH,,", "Example Networks GmbH,529900D6BF99LW9R2E69,", 3, "provider_lei", "lei"),
        ("C-2026-002", "C-2026-001", 3, "reference", "duplicate-key"),
        ("Example Power SA", "Example Cloud Ireland Ltd", 2, "subcontractors", "cycle"),
        (
            "Example Networks GmbH,,DE,Telecommunications,,",
            "Example Cloud Ireland Ltd,,DE,Telecommunications,Another Parent,",
            3,
            "parent_name",
            "two-parents",
        ),
    ] {
        assert!(table.contains(from), "{from}");
        let refused = send(&owner, "", "text/csv", table.replacen(from, to, 1)).await.expect(422).json();
        let problem = &refused["problems"][0];
        assert_eq!((&problem["row"], &problem["column"]), (&json!(row), &json!(column)), "{refused}");
        assert_eq!(problem["rule"], rule, "{refused}");
        assert!(!problem["remedy"].as_str().unwrap().is_empty());
    }
    assert_eq!(total(&owner).await, 0);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_report_package_is_read_whole_and_single_templates_replace_their_part(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let done = send(&owner, "", "application/zip", package()).await.expect(200).data();
    assert_eq!(done["added"], done["arrangements"]);
    assert!(done["added"].as_u64().unwrap() >= 3, "{done}");
    let contracts = TABLES[2].1.replace("90000", "95000");
    let changed = send(&owner, "?template=B_02.01", "text/csv", contracts).await.expect(200).data();
    assert_eq!((&changed["changed"], &changed["added"]), (&json!(1), &json!(0)), "{changed}");
    let loose = TABLES[3].1.replacen("C-2,", "C-9,", 1);
    let refused = send(&owner, "?template=b_02.02", "text/csv", loose).await.expect(422).json();
    assert!(refused["problems"].as_array().unwrap().iter().any(|each| each["rule"] == "broken-reference"));
}

#[tokio::test]
async fn a_package_that_is_not_sound_is_refused() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let incomplete = zipped(TABLES.into_iter().take(7));
    let refused = send(&owner, "", "application/zip", incomplete).await.expect(422).json();
    assert_eq!(refused["problems"][0]["template"], "B_07.01");
    assert_eq!(refused["problems"][0]["rule"], "missing-template");
    for (what, bytes) in [
        ("path", zipped([("../b_02.01.csv", "c0010\n")])),
        ("absolute path", zipped([("/etc/b_02.01.csv", "c0010\n")])),
        ("no template", zipped([("readme.txt", "hello")])),
        ("twice", zipped([("a/b_02.01.csv", "c0010\n"), ("b/b_02.01.csv", "c0010\n")])),
        ("cut off", package()[..200].to_vec()),
        ("empty archive", zipped([])),
    ] {
        let refused = send(&owner, "", "application/zip", bytes).await.expect(422).json();
        assert!(refused["details"]["file"].is_array(), "{what}: {refused}");
    }
    assert_eq!(total(&owner).await, 0);
}

#[tokio::test]
async fn what_unpacks_to_too_much_is_refused_without_unpacking_it() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let huge = "0".repeat(65 * 1024 * 1024);
    let bomb = zipped([("b_02.01.csv", huge.as_str())]);
    assert!(bomb.len() < 1024 * 1024);
    let refused = send(&owner, "", "application/zip", bomb).await.expect(422).json();
    assert!(refused["details"]["file"].is_array(), "{refused}");
    send(&owner, "", "text/csv", huge).await.expect(413);
}

#[tokio::test]
async fn other_bodies_and_parameters_are_refused() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (query, kind, text) in [
        ("", "application/json", "{}"),
        ("", "text/csv", ""),
        ("", "text/csv", "reference,nonsense\n1,2\n"),
        ("?template=B_99.01", "text/csv", "c0010\n"),
        ("?dry_run=maybe", "text/csv", "reference\n"),
        ("?template=B_02.01", "text/csv", TABLES[2].1),
    ] {
        send(&owner, query, kind, text).await.expect(422);
    }
    send(&owner, "", "text/csv", b"reference\n\xff\xfe\n".to_vec()).await.expect(422);
    assert_eq!(total(&owner).await, 0);
}

#[tokio::test]
async fn a_problem_names_the_line_of_the_file_however_lines_end() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let table =
        template(&owner).await.replacen("S11", "S99", 1).replacen("\nC-2026-002", "\n\nC-2026-002", 1);
    for end in ["\n", "\r\n", "\r"] {
        let refused = send(&owner, "", "text/csv", table.replace('\n', end)).await.expect(422).json();
        assert_eq!(refused["problems"][0]["row"], 4, "{end:?}: {refused}");
    }
    let contracts = format!("{}\n\nC-9,eba_CO:x9,,eba_CU:EUR,1\n", TABLES[2].1.trim_end());
    let lines = contracts.lines().count();
    for end in ["\n", "\r\n"] {
        let body = contracts.replace('\n', end);
        let refused = send(&owner, "?template=B_02.01", "text/csv", body).await.expect(422).json();
        assert_eq!(refused["problems"][0]["row"], lines, "{end:?}: {refused}");
    }
}

#[tokio::test]
async fn the_other_templates_are_kept_and_what_is_worth_knowing_is_noted() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let branches = "c0010,c0020,c0030,c0040\nB1,x,y,z\n\nB2,x,y,z\n";
    let others = [("b_01.03.csv", branches), ("b_99.01.csv", "c0010\n"), ("notes.txt", "x")];
    let package = zipped(TABLES.into_iter().chain(others));
    for query in ["?dry_run=true", ""] {
        let done = send(&owner, query, "application/zip", package.clone()).await.expect(200).data();
        let notices = done["notices"].as_array().unwrap();
        assert!(notices[0]["message"].as_str().unwrap().ends_with("notes this as v8852_m"), "{done}");
        assert_eq!(notices.len(), 1, "{done}");
        let kept = owner.get("/api/v1/register/B_01.03").await.expect(200).json();
        assert_eq!(kept["meta"]["total"], if query.is_empty() { 2 } else { 0 });
    }
    let table = template(&owner).await.replacen("18000,EUR", "18000,MRU", 1);
    let done = send(&owner, "?dry_run=true", "text/csv", table).await.expect(200).data();
    assert!(done["notices"][0]["message"].as_str().unwrap().contains("eba_CU:x46"), "{done}");
}

#[tokio::test]
async fn rows_and_headings_keep_their_bounds() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    // One template alone also lacks the seven others.
    for (query, total) in [("", 1), ("?template=B_02.01", 8)] {
        let wide = send(&owner, query, "text/csv", ",".repeat(100)).await.expect(422).json();
        assert_eq!(
            (&wide["total"], &wide["problems"][0]["rule"]),
            (&json!(total), &json!("unknown-column")),
            "{wide}"
        );
        let wider = send(&owner, query, "text/csv", ",".repeat(300)).await.expect(422).json();
        assert_eq!((&wider["total"], &wider["problems"][0]["rule"]), (&json!(1), &json!("field-count")));
    }
    let long = send(&owner, "", "text/csv", ",".repeat(2 << 20)).await.expect(422).json();
    assert_eq!(long["problems"][0]["finding"], "the row is longer than 1 MiB", "{long}");
    let long = send(&owner, "?template=B_02.01", "text/csv", ",".repeat(2 << 20)).await.expect(422).json();
    assert!(long["details"]["file"][0].as_str().unwrap().contains("more than 1 MiB"), "{long}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_archived_contract_stays_in_the_figures_and_comes_back_when_an_import_changes_it(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let table = template(&owner).await;
    send(&owner, "", "text/csv", table.clone()).await.expect(200);
    let first = owner.get(PATH).await.expect(200).data()[0].clone();
    let address = format!("{PATH}/{}", first["id"].as_str().unwrap());
    owner.patch(&address, &json!({ "ends_on": "2026-11-13" })).await.expect(200);
    let providers = owner.get("/api/v1/providers").await.expect(200).data();
    owner.post(&format!("{address}/archive"), &json!({})).await.expect(200);
    assert_eq!(total(&owner).await, 1, "{engine:?}");
    assert_eq!(owner.get("/api/v1/providers").await.expect(200).data(), providers, "{engine:?}");
    let refused = owner.patch(&address, &json!({ "service": "Backups" })).await.expect(422).error();
    assert!(refused.contains("restore it before changing it"), "{engine:?}: {refused}");
    let report = send(&owner, "", "text/csv", table).await.expect(200).data();
    assert_eq!((&report["changed"], &report["unchanged"]), (&json!(1), &json!(1)), "{engine:?}");
    let back = owner.get(&address).await.expect(200).data();
    assert_eq!((&back["ends_on"], &back["archived_at"]), (&first["ends_on"], &Value::Null), "{engine:?}");
    assert_eq!(total(&owner).await, 2, "{engine:?}");
}
