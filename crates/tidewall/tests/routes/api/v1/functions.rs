use insta::assert_json_snapshot;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

const FUNCTIONS: &str = "/api/v1/functions";

async fn one(client: &Client, name: &str) -> Value {
    let list = client.get(&format!("{FUNCTIONS}?search={name}")).await.expect(200).json();
    assert_eq!(list["meta"]["total"], 1, "{list}");
    list["data"][0].clone()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_function_is_made_changed_and_deleted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let made = owner.post(FUNCTIONS, &json!({ "name": "Payments", "rto_minutes": 240 })).await.expect(201);
    let mut shown = made.json();
    shown["data"]["id"] = json!("[id]");
    insta::allow_duplicates! {
        assert_json_snapshot!(shown, @r#"
        {
          "data": {
            "archived_at": null,
            "assessed_on": null,
            "counts": {
              "arrangements": 0,
              "incidents": 0,
              "open_findings": 0,
              "programmes": 0,
              "risks": 0,
              "test_cases": 0
            },
            "created_at": "2026-11-14T14:00:00Z",
            "criticality": "not_assessed",
            "id": "[id]",
            "impact_of_discontinuing": "not_assessed",
            "licensed_activity": null,
            "name": "Payments",
            "owner": null,
            "reasons": null,
            "reference": "F1",
            "rpo_minutes": null,
            "rto_minutes": 240,
            "updated_at": "2026-11-14T14:00:00Z"
          }
        }
        "#);
    }
    let address = format!("{FUNCTIONS}/{}", made.data()["id"].as_str().unwrap());
    let change = json!({
        "name": "Card payments", "criticality": "critical_or_important", "reasons": "Payroll",
        "assessed_on": "2026-10-01", "rpo_minutes": 15, "impact_of_discontinuing": "high",
        "licensed_activity": "Payment services", "owner": "Head of payments",
    });
    let changed = owner.patch(&address, &change).await.expect(200).data();
    for (field, value) in change.as_object().unwrap() {
        assert_eq!(&changed[field], value, "{field} on {engine:?}");
    }
    assert_eq!(
        owner.post(FUNCTIONS, &json!({ "name": "Lending" })).await.expect(201).data()["reference"],
        "F2"
    );
    owner.post(FUNCTIONS, &json!({ "name": "Card payments" })).await.expect(422);
    let critical = owner.get(&format!("{FUNCTIONS}?criticality=critical_or_important")).await.expect(200);
    assert_eq!(critical.json()["meta"]["total"], 1);
    let sorted = owner.get(&format!("{FUNCTIONS}?sort=-reference")).await.expect(200).json();
    assert_eq!(sorted["data"][0]["reference"], "F2");
    assert_eq!(one(&owner, "HEAD%20of").await["reference"], "F1", "found by its owner, whatever the case");
    owner.delete(&address).await.expect(204);
    assert!(owner.get(&address).await.expect(200).data()["archived_at"].is_string(), "it has a history");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn names_and_ids_of_records_are_functions_and_are_counted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let made = owner.post(FUNCTIONS, &json!({ "name": "Payments" })).await.expect(201).data();
    let id = made["id"].as_str().unwrap();
    // By id and by a name that is new.
    let programme = json!({ "name": "2027", "framework": "dora", "functions": [id, "Lending"] });
    let programme = owner.post("/api/v1/programmes", &programme).await.expect(201).data();
    assert_eq!(programme["functions"], json!(["Payments", "Lending"]), "{engine:?}");
    let case = json!({ "programme_id": programme["id"], "title": "Restore", "test_type": "tlpt", "functions": [id] });
    let case = owner.post("/api/v1/test-cases", &case).await.expect(201).data();
    let finding = json!({ "test_case_id": case["id"], "title": "Slow", "severity": "high" });
    owner.post("/api/v1/findings", &finding).await.expect(201);
    owner.post("/api/v1/incidents", &json!({ "title": "Down", "functions": [id] })).await.expect(201);
    let arrangement = json!({
        "reference": "A-1", "provider": { "name": "Cloud", "country": "DE", "sector": "cloud" },
        "service": "Hosting", "service_type": "S17", "technology": "cloud", "region": "eu",
        "functions": [{ "name": "Payments", "critical": true }, { "name": "Clearing", "critical": true }],
        "substitutability": "hard", "starts_on": "2026-01-01",
        "annual_cost": { "amount": 1, "currency": "EUR" },
    });
    let arrangement = owner.post("/api/v1/ict-arrangements", &arrangement).await.expect(201).data();
    let counted = json!({
        "programmes": 1, "arrangements": 1, "test_cases": 1, "open_findings": 1, "risks": 0, "incidents": 1,
    });
    assert_eq!(owner.get(&format!("{FUNCTIONS}/{id}")).await.expect(200).data()["counts"], counted);
    // What the programme names is planned, not tested.
    assert_eq!(one(&owner, "Lending").await["counts"]["test_cases"], 0);
    assert_eq!(one(&owner, "Lending").await["counts"]["open_findings"], 0);
    let clearing = one(&owner, "Clearing").await;
    assert_eq!(clearing["criticality"], "critical_or_important", "the register says so");

    let refused =
        owner.patch(&format!("{FUNCTIONS}/{id}"), &json!({ "name": "Giro" })).await.expect(422).json();
    assert!(refused["details"]["name"][0].as_str().unwrap().contains("(4)"), "{refused}");
    owner.delete(&format!("{FUNCTIONS}/{id}")).await.expect(422);
    let path = format!("/api/v1/ict-arrangements/{}", arrangement["id"].as_str().unwrap());
    owner.delete(&path).await.expect(204);
    let path = format!("/api/v1/programmes/{}", programme["id"].as_str().unwrap());
    owner.patch(&path, &json!({ "functions": ["Lending"] })).await.expect(200);
    let left = owner.get(&format!("{FUNCTIONS}/{id}")).await.expect(200).data();
    let counted = json!({
        "programmes": 0, "arrangements": 0, "test_cases": 1, "open_findings": 1, "risks": 0, "incidents": 1,
    });
    assert_eq!(left["counts"], counted);
}

#[tokio::test]
async fn ids_of_other_tenants_and_wrong_values_are_refused() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let other = app.owner("south").await;
    let foreign = other.post(FUNCTIONS, &json!({ "name": "Payments" })).await.expect(201).data();
    for (path, body) in [
        ("/api/v1/programmes", json!({ "name": "2027", "framework": "dora", "functions": [foreign["id"]] })),
        ("/api/v1/incidents", json!({ "title": "Down", "functions": [foreign["id"]] })),
    ] {
        let refused = owner.post(path, &body).await.expect(422).json();
        assert!(refused["details"]["functions"][0].is_string(), "{refused}");
    }
    assert_eq!(owner.get(FUNCTIONS).await.expect(200).json()["meta"]["total"], 0);
    for (field, value) in [
        ("name", json!("")),
        ("criticality", json!("high")),
        ("criticality", json!(null)),
        ("impact_of_discontinuing", json!("huge")),
        ("rto_minutes", json!(-1)),
        ("rto_minutes", json!(1.5)),
        ("rpo_minutes", json!(525_601)),
        ("assessed_on", json!("tomorrow")),
    ] {
        let mut body = json!({ "name": "Payments" });
        body[field] = value;
        let refused = owner.post(FUNCTIONS, &body).await.expect(422).json();
        assert!(refused["details"][field][0].is_string(), "{refused}");
    }
}
