//! An own framework in force takes part wherever those of the catalogue do, and only for its own institution.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{import, keys, made, policy, schema};

const SCORES: &str = "/api/v2/compliance-scores?limit=200";

/// A framework `house-it` in force of the tenant `north`, and two of its keys.
async fn in_force(app: &TestApp) -> ([Client; 2], String) {
    let clients = keys(app).await;
    let address = approved(&clients).await;
    (clients, address)
}

async fn approved([first, second]: &[Client; 2]) -> String {
    let address = made(first, "house-it").await;
    import(first, &address, "", policy()).await.expect(200);
    second.patch(&address, &json!({ "status": "approved" })).await.expect(200);
    address
}

/// The items of a list without those that belong to own frameworks.
fn public(list: &Value) -> Vec<Value> {
    let items = list["data"].as_array().unwrap().iter();
    items.filter(|item| item["framework"] != "house-it").cloned().collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn scores_and_programmes_know_it_and_public_scores_stay_the_same(engine: Engine) {
    let app = TestApp::on(engine).await;
    let clients = keys(&app).await;
    let before = clients[0].get(SCORES).await.expect(200).json();
    let address = approved(&clients).await;
    let [first, second] = clients;
    let after = first.get(SCORES).await.expect(200).json();
    assert_eq!(public(&after), public(&before), "{engine:?}");
    let last = after["data"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["framework"], &last["title"]), (&json!("house-it"), &json!("IT security policy")));
    assert_eq!((&last["requirements"], &last["partial"], &last["gap"]), (&json!(3), &json!(1), &json!(2)));
    assert_eq!(after["meta"]["total"].as_u64(), before["meta"]["total"].as_u64().map(|all| all + 1));

    let assessment = "/api/v1/assessments/house-it-1-1";
    first.patch(assessment, &json!({ "status": "met" })).await.expect(200);
    second.post(&format!("{assessment}/approve"), &json!({})).await.expect(200);
    let programme = json!({ "name": "House tests", "framework": "house-it" });
    let programme = first.post("/api/v1/programmes", &programme).await.expect(201).data();
    let id = programme["id"].as_str().unwrap();
    let finding = json!({ "title": "No plan", "severity": "critical", "programme_id": id });
    first.post("/api/v1/findings", &finding).await.expect(201);
    let after = first.get(SCORES).await.expect(200).json();
    let own = after["data"].as_array().unwrap().last().unwrap();
    assert_eq!((&own["basis"]["assessed"], &own["basis"]["open_findings"]), (&json!(1), &json!(1)), "{own}");
    let dora = after["data"].as_array().unwrap().iter().find(|one| one["framework"] == "dora").unwrap();
    assert_eq!(dora["basis"]["open_findings"], 0, "a finding counts for the framework of its programme");

    let path = "/api/v1/programmes?framework=house-it";
    assert_eq!(first.get(path).await.expect(200).json()["meta"]["total"], 1);
    let stranger = app.owner("south").await;
    stranger.get(path).await.expect(422);
    let foreign = json!({ "name": "House tests", "framework": "house-it" });
    stranger.post("/api/v1/programmes", &foreign).await.expect(422);
    assert_eq!(stranger.get(SCORES).await.expect(200).json()["meta"]["total"], before["meta"]["total"]);

    first.patch(&address, &json!({ "status": "retired" })).await.expect(200);
    let retired = first.get(SCORES).await.expect(200).json();
    assert_eq!(retired["meta"]["total"], before["meta"]["total"]);
    let mut counts = retired["data"].as_array().unwrap().iter().map(|one| &one["basis"]["open_findings"]);
    assert!(counts.all(|count| count == 0), "its findings do not move to other frameworks");
    let kept = json!({ "name": "House tests 2", "framework": "house-it" });
    first.patch(&format!("/api/v1/programmes/{id}"), &kept).await.expect(200);
    first.post("/api/v1/programmes", &kept).await.expect(422);
}

#[tokio::test]
async fn assessment_results_refer_to_the_set_in_force() {
    let app = TestApp::new().await;
    let ([first, _], address) = in_force(&app).await;
    let path = "/api/v1/oscal/assessment-results";
    let said = json!({ "status": "partly_met", "rationale": "Two of three" });
    first.patch("/api/v1/assessments/house-it-1-1", &said).await.expect(200);
    let (schema, answer) = (schema(), first.get(path).await.expect(200));
    let document = answer.json();
    let errors: Vec<_> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(first.get(path).await.expect(200).body, answer.body, "byte for byte");
    let result = document["assessment-results"]["results"].as_array().unwrap().last().unwrap();
    assert_eq!(result["title"], "IT security policy");
    let href = result["reviewed-controls"]["links"][0]["href"].as_str().unwrap();
    assert_eq!(href, format!("{address}/export?content=1"));
    let target = &result["findings"][0]["target"]["target-id"];
    let catalog = first.get(href).await.expect(200).json();
    let parts = &catalog["catalog"]["groups"][0]["controls"][0]["parts"];
    assert_eq!(&parts[0]["id"], target, "the statement is in the catalogue that is referred to");
    let one = first.get(&format!("{path}?framework=house-it")).await.expect(200).json();
    assert_eq!(one["assessment-results"]["results"].as_array().unwrap().len(), 1);
    let other = app.owner("south").await;
    other.get(&format!("{path}?framework=house-it")).await.expect(422);
    assert!(!other.get(path).await.expect(200).json().to_string().contains("house-it"));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn controls_and_the_statement_of_applicability_are_narrowed_to_it(engine: Engine) {
    let app = TestApp::on(engine).await;
    let measure = app.app.catalogue().unwrap().measures.as_slice()[0].id.to_string();
    let ([first, second], address) = in_force(&app).await;
    let put = json!({ "chapter": "Access", "number": "2.2", "title": "Leavers", "text": "Rights end.",
        "measures": [measure] });
    first.put(&format!("{address}/requirements/house-it-2-2"), &put).await.expect(200);
    second.patch(&address, &json!({ "status": "approved" })).await.expect(200);
    for (title, requirement) in [("Backup run", "house-it-1-1"), ("Board", "dora-art-05-02-a")] {
        let control = json!({ "title": title, "requirements": [requirement] });
        first.post("/api/v1/controls", &control).await.expect(201);
    }
    let adopted =
        first.post("/api/v1/controls/adopt", &json!({ "framework": "house-it" })).await.expect(200).data();
    assert_eq!((&adopted["created"], &adopted["skipped"]), (&json!(1), &json!(0)), "{engine:?}");
    let found = first.get("/api/v1/controls?framework=house-it").await.expect(200).json();
    let measures: Vec<_> =
        found["data"].as_array().unwrap().iter().map(|one| one["measure_id"].clone()).collect();
    assert_eq!(measures, [json!(measure), json!(null)], "{engine:?}");
    let found = first.get("/api/v1/controls?requirement=house-it-2-2").await.expect(200).json();
    assert_eq!(found["meta"]["total"], 1);
    first.get("/api/v1/controls?framework=house-it&requirement=house-it-2-2").await.expect(422);

    let path = "/api/v1/statement-of-applicability?framework=house-it";
    let none = json!({ "status": "not_applicable", "rationale": "No joiners" });
    first.patch("/api/v1/assessments/house-it-2-1", &none).await.expect(200);
    let statement = first.get(path).await.expect(200).data();
    let listed: Vec<_> = statement
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["id"].as_str().unwrap(), one["applicable"].as_bool()))
        .collect();
    let expected = [
        ("house-it-1-1", None),
        ("house-it-1-2", None),
        ("house-it-2-1", Some(false)),
        ("house-it-2-2", None),
    ];
    assert_eq!(listed, expected, "{engine:?}");

    let stranger = app.owner("south").await;
    for path in [path, "/api/v1/controls?framework=house-it"] {
        stranger.get(path).await.expect(422);
    }
    stranger.post("/api/v1/controls/adopt", &json!({ "framework": "house-it" })).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn its_requirements_are_found_by_their_words(engine: Engine) {
    let app = TestApp::on(engine).await;
    let ([first, _], address) = in_force(&app).await;
    let path = "/api/v2/search?q=joiners";
    let hit = first.get(path).await.expect(200).json()["data"][0].clone();
    assert_eq!((&hit["type"], &hit["id"]), (&json!("own_requirement"), &json!("house-it-2-1")), "{engine:?}");
    assert_eq!(hit["url"], "/api/v1/assessments/house-it-2-1");
    first.get(hit["url"].as_str().unwrap()).await.expect(200);
    let found = app.owner("south").await.get(path).await.expect(200).json();
    assert!(!found.to_string().contains("house-it"), "{engine:?}: {found}");
    first.patch(&address, &json!({ "status": "retired" })).await.expect(200);
    let found = first.get(path).await.expect(200).json();
    assert!(!found.to_string().contains("house-it-2-1"), "{engine:?}: {found}");
}
