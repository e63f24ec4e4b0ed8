use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::{PATH, created, of, sample, with};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_arrangement_comes_back_as_it_was_sent(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let answer = owner.post(PATH, &sample()).await.expect(201);
    let address = answer.header("location").unwrap().to_owned();
    let data = answer.data();
    assert!(data["id"].as_str().unwrap().starts_with("arr_"));
    for field in ["reference", "service", "service_type", "annual_cost", "starts_on", "ends_on", "provider"] {
        assert_eq!(data[field], sample()[field], "{field}");
    }
    assert_eq!(
        data["functions"],
        json!([{ "name": "Payments", "critical": true }, { "name": "Intranet", "critical": false }])
    );
    assert_eq!(owner.get(&address).await.expect(200).data(), data);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_change_keeps_what_it_does_not_name_and_needs_a_fitting_etag(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let id = created(&owner, &sample()).await["id"].as_str().unwrap().to_owned();
    let address = format!("{PATH}/{id}");
    let etag = owner.get(&address).await.header("etag").unwrap().to_owned();
    let change = json!({ "region": "Helsinki", "provider": { "lei": null }, "annual_cost": { "amount": 7 } });
    let changed = owner.with("if-match", &etag).patch(&address, &change).await.expect(200).data();
    assert_eq!(changed["region"], "Helsinki");
    assert_eq!(changed["provider"]["lei"], json!(null));
    assert_eq!(changed["provider"]["name"], "Nordlicht Cloud SE");
    assert_eq!(changed["annual_cost"], json!({ "amount": 7, "currency": "EUR" }));
    owner.with("if-match", &etag).patch(&address, &change).await.expect(412);
    owner.with("if-match", &etag).delete(&address).await.expect(412);
    owner.delete(&address).await.expect(204);
    owner.get(&address).await.expect(404);
    let tenant = app.app.operations.audit_chains().await.unwrap();
    for chain in tenant {
        assert!(app.app.operations.verify_audit(&chain, None).await.unwrap().outcome.is_ok());
    }
}

#[tokio::test]
async fn every_wrong_value_is_named_and_nothing_is_stored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (pointer, value, field) in [
        ("/provider/lei", json!("529900D6BF99LW9R2E69"), "provider.lei"),
        ("/provider/country", json!("XX"), "provider.country"),
        ("/provider", json!("Nordlicht"), "provider"),
        ("/service_type", json!("S20"), "service_type"),
        ("/annual_cost/amount", json!(0), "annual_cost.amount"),
        ("/annual_cost/amount", json!(-1), "annual_cost.amount"),
        ("/annual_cost/currency", json!("XXX"), "annual_cost.currency"),
        ("/ends_on", json!("2025-12-31"), "ends_on"),
        ("/starts_on", json!("2026-02-30"), "starts_on"),
        ("/substitutability", json!("maybe"), "substitutability"),
        ("/functions/1/name", json!("Payments"), "functions"),
        ("/functions/0/critical", json!("yes"), "functions.0.critical"),
        ("/reference", json!(""), "reference"),
    ] {
        let refused = owner.post(PATH, &with(pointer, value)).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{pointer}: {refused}");
    }
    assert_eq!(owner.get(PATH).await.json()["meta"]["total"], 0);
}

#[tokio::test]
async fn a_reference_belongs_to_one_arrangement() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    created(&owner, &sample()).await;
    let refused = owner.post(PATH, &sample()).await.expect(422).json();
    assert!(refused["details"]["reference"].is_array(), "{refused}");
    let other = created(&owner, &of("C-2", "Other AG", 1)).await;
    let address = format!("{PATH}/{}", other["id"].as_str().unwrap());
    owner.patch(&address, &json!({ "reference": "C-2026-001" })).await.expect(422);
    let neighbour = app.owner("south").await;
    created(&neighbour, &sample()).await;
}

#[tokio::test]
async fn a_repeated_creation_is_answered_again() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await.with("idempotency-key", "once");
    let first = owner.post(PATH, &sample()).await.expect(201);
    let second = owner.post(PATH, &sample()).await.expect(201);
    assert_eq!(first.body, second.body);
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_the_register_knows_beyond_the_flat_record_can_be_set_and_cleared(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let mut body = sample();
    body["exit_plan"] = json!(false);
    body["notice_days"] = json!(90);
    body["places"] = json!({ "storage": ["US", "DE"] });
    body["supply_chain"] = json!([{ "supplier": { "name": "Rhein RZ", "lei": null } }]);
    body["ultimate_parent"] = json!({ "name": "Polar Holding Oyj" });
    let record = created(&owner, &body).await;
    assert_eq!((&record["exit_plan"], &record["notice_days"]), (&json!(false), &json!(90)));
    assert_eq!(record["places"], json!({ "provision": [], "storage": ["DE", "US"], "processing": [] }));
    assert_eq!(record["supply_chain"][0]["recipient"]["name"], "Nordlicht Cloud SE");
    assert_eq!(record["ultimate_parent"], json!({ "name": "Polar Holding Oyj", "lei": null }));
    let address = format!("{PATH}/{}", record["id"].as_str().unwrap());
    let change = json!({ "exit_plan": null, "notice_days": null, "places": { "processing": ["FR"] },
                         "provider": { "name": "Polarlicht SE" }, "ultimate_parent": null });
    let changed = owner.patch(&address, &change).await.expect(200).data();
    assert_eq!((&changed["exit_plan"], &changed["notice_days"]), (&json!(null), &json!(null)));
    let places = json!({ "provision": [], "storage": ["DE", "US"], "processing": ["FR"] });
    assert_eq!(changed["places"], places);
    assert_eq!(changed["supply_chain"][0]["recipient"]["name"], "Polarlicht SE");
    assert_eq!(changed["ultimate_parent"], json!(null));
    let same = owner.patch(&address, &json!({ "supply_chain": changed["supply_chain"] })).await.expect(200);
    assert_eq!(same.data()["updated_at"], changed["updated_at"]);
}

#[tokio::test]
async fn wrong_facts_are_named_with_their_place() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (field, value, complaint) in [
        ("exit_plan", json!("maybe"), "exit_plan"),
        ("notice_days", json!(1826), "notice_days"),
        ("notice_days", json!(0.5), "notice_days"),
        ("notice_days", json!("90"), "notice_days"),
        ("places", json!({ "storage": ["Germany"] }), "places.storage"),
        ("places", json!(["DE"]), "places"),
        ("supply_chain", json!([{}]), "supply_chain.0.supplier"),
        ("supply_chain", json!([{ "supplier": { "name": 1 } }]), "supply_chain.0.supplier.name"),
        ("supply_chain", json!([{ "supplier": { "name": "Nordlicht Cloud SE" } }]), "supply_chain"),
        ("ultimate_parent", json!({ "name": "P", "lei": "X" }), "ultimate_parent"),
    ] {
        let mut body = sample();
        body[field] = value;
        let refused = owner.post(PATH, &body).await.expect(422).json();
        assert!(refused["details"][complaint].is_array(), "{field}: {refused}");
    }
    assert_eq!(owner.get(PATH).await.json()["meta"]["total"], 0);
}
