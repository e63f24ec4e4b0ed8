//! OSCAL documents: valid against the official schema, the same bytes every time.

use jsonschema::Validator;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

fn schema() -> Validator {
    let text = include_str!("../../data/oscal_complete_schema-1.2.2.json");
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
}

fn assert_valid(schema: &Validator, document: &Value, what: &str) {
    let errors: Vec<_> =
        schema.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {:?}", &errors[..errors.len().min(3)]);
}

#[tokio::test]
async fn every_framework_is_a_valid_catalogue() {
    let (app, schema) = (TestApp::new().await, schema());
    let edition = app.app.catalogue().unwrap();
    for framework in &edition.frameworks {
        let path = format!("/api/oscal/catalogs/{}", framework.id);
        let answer = app.anonymous().get(&path).await.expect(200);
        let document = answer.json();
        assert_valid(&schema, &document, &path);
        let groups = document["catalog"]["groups"].as_array().unwrap();
        let controls: usize = groups.iter().map(|group| group["controls"].as_array().unwrap().len()).sum();
        assert_eq!(controls, edition.requirements_of(framework.id).count(), "{path}");
        assert_eq!(app.anonymous().get(&path).await.expect(200).body, answer.body, "{path}");
    }
}

#[tokio::test]
async fn a_requirement_is_a_control() {
    let app = TestApp::new().await;
    let german = app.anonymous().get("/api/oscal/catalogs/nist-csf?lang=de").await.expect(200);
    assert_eq!(german.header("content-language"), Some("de"));
    let document = german.json();
    assert_eq!(document["catalog"]["metadata"]["oscal-version"], "1.2.2");
    let control = &document["catalog"]["groups"][0]["controls"][0];
    assert_eq!(control["id"], "nist-csf-gv-oc-01");
    assert_eq!(control["props"][0], serde_json::json!({ "name": "label", "value": "GV.OC-01" }));
    assert_eq!(control["links"][0]["href"], "https://doi.org/10.6028/NIST.CSWP.29");
    assert_eq!(control["parts"][0]["name"], "statement");
    assert_eq!(control["parts"][1]["id"], "nist-csf-gv-oc-01_asm-1");
}

#[tokio::test]
async fn the_crosswalks_are_a_valid_mapping_collection() {
    let app = TestApp::new().await;
    let answer = app.anonymous().get("/api/oscal/mappings").await.expect(200);
    let document = answer.json();
    assert_valid(&schema(), &document, "mappings");
    let mappings = document["mapping-collection"]["mappings"].as_array().unwrap();
    let licence = |mapping: &Value| {
        let properties = mapping["props"].as_array().unwrap();
        properties.iter().find(|property| property["name"] == "licence").unwrap()["value"].clone()
    };
    let of_nist = mappings.iter().find(|mapping| licence(mapping) == "Public domain").unwrap();
    assert!(of_nist["maps"].as_array().unwrap().len() > 300);
    assert_eq!(app.anonymous().get("/api/oscal/mappings").await.expect(200).body, answer.body);
}

#[tokio::test]
async fn a_framework_that_is_not_there_is_not_found() {
    let app = TestApp::new().await;
    for name in ["sox", "DORA", "..%2F..", "%00"] {
        app.anonymous().get(&format!("/api/oscal/catalogs/{name}")).await.expect(404);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn assessments_are_valid_results(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (schema, owner) = (schema(), app.owner("north").await);
    let path = "/api/v1/oscal/assessment-results";
    let empty = owner.get(path).await.expect(200).json();
    assert_valid(&schema, &empty, "nothing assessed");
    assert!(empty["assessment-results"]["results"][0]["findings"].is_null());

    let said = json!({ "status": "met", "maturity": 3, "rationale": "<b>Rules</b> of procedure" });
    owner.patch("/api/v1/assessments/dora-art-05-02-a", &said).await.expect(200);
    owner.patch("/api/v1/assessments/dora-art-05-02-b", &json!({ "status": "partly_met" })).await.expect(200);
    let none = json!({ "status": "not_applicable", "rationale": "Not ours" });
    owner.patch("/api/v1/assessments/dora-art-05-02-c", &none).await.expect(200);
    let answer = owner.get(&format!("{path}?framework=dora")).await.expect(200);
    let document = answer.json();
    assert_valid(&schema, &document, "two assessed");
    assert_valid(&schema, &owner.get(&format!("{path}?lang=de")).await.expect(200).json(), "German");
    let results = document["assessment-results"]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{engine:?}");
    assert_eq!(results[0]["start"], "2026-11-14T14:00:00Z");
    let findings = results[0]["findings"].as_array().unwrap();
    let states: Vec<_> = findings
        .iter()
        .map(|finding| (&finding["target"]["target-id"], &finding["target"]["status"]["state"]))
        .collect();
    let (first, second) = (json!("dora-art-05-02-a_smt"), json!("dora-art-05-02-b_smt"));
    assert_eq!(states, [(&first, &json!("satisfied")), (&second, &json!("not-satisfied"))]);
    let again = owner.get(&format!("{path}?framework=dora")).await.expect(200);
    assert_eq!(again.body, answer.body, "byte for byte");

    let other = app.owner("south").await.get(path).await.expect(200).json();
    assert!(!other.to_string().contains("Rules"), "another institution");
    app.anonymous().get(path).await.expect(401);
    owner.get(&format!("{path}?framework=sox")).await.expect(422);
}

#[tokio::test]
async fn a_control_carries_the_official_wording_of_its_provision() {
    let app = TestApp::new().await;
    let document = app.anonymous().get("/api/oscal/catalogs/gdpr").await.expect(200).json();
    let groups = document["catalog"]["groups"].as_array().unwrap();
    let controls = groups.iter().flat_map(|group| group["controls"].as_array().unwrap());
    let control = controls.into_iter().find(|control| control["id"] == "gdpr-art-32-01-a").unwrap();
    let parts = control["parts"].as_array().unwrap();
    let official: Vec<_> = parts.iter().filter(|part| part["class"] == "official-wording").collect();
    assert_eq!(official.len(), 2, "English and German: {control}");
    assert_eq!(official[0]["props"][3], json!({ "name": "at", "value": "Art. 32(1)(a)" }));
    assert!(official[1]["prose"].as_str().unwrap().contains("Pseudonymisierung"), "{control}");
}
