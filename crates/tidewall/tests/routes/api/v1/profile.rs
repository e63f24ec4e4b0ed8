use insta::assert_json_snapshot;
use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

const PATH: &str = "/api/v1/profile";

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_untouched_profile_says_what_is_unknown(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let mut untouched = owner.get(PATH).await.expect(200).json();
    untouched["data"]["legal_name"] = json!("[name]");
    let types = untouched["data"].as_object_mut().unwrap().remove("evidence_types").unwrap();
    assert!(types.as_array().unwrap().contains(&json!("pdf")), "{types}");
    insta::allow_duplicates! {
        assert_json_snapshot!(untouched, @r#"
        {
          "data": {
            "authority": null,
            "country": null,
            "currency": "EUR",
            "entity_kind": null,
            "holidays": null,
            "large_investment_firm": null,
            "legal_name": "[name]",
            "lei": null,
            "mail_domains": [],
            "nis2_entity": null,
            "npl_from_5_percent": null,
            "real_estate_thresholds": null,
            "regime": {
              "derived": true,
              "reason": "The kind of entity is not known.",
              "value": null
            },
            "relief_excluded_since": null,
            "roles": null,
            "significant": null,
            "size": null,
            "small_non_complex": null,
            "time_zone": "Europe/Berlin",
            "tlpt_identified": null,
            "trading_venue_operator": null,
            "updated_at": null
          }
        }
        "#);
    }
    let change = json!({
        "legal_name": "North Bank AG", "lei": "529900T8BM49AURSDO55", "country": "DE",
        "entity_kind": "credit-institution", "size": "large", "significant": true, "currency": "CHF",
        "time_zone": "Europe/Vienna", "authority": "BaFin", "roles": ["manufacturer"],
        "nis2_entity": true, "relief_excluded_since": "2026-07-01", "trading_venue_operator": true,
        "tlpt_identified": true, "large_investment_firm": false, "npl_from_5_percent": true,
        "real_estate_thresholds": false, "small_non_complex": true,
    });
    let changed = owner.patch(PATH, &change).await.expect(200).data();
    for (field, value) in change.as_object().unwrap() {
        assert_eq!(&changed[field], value, "{field} on {engine:?}");
    }
    assert_eq!(changed["holidays"], "DE", "by the country");
    assert_eq!(changed["regime"]["value"], "full");
    assert_eq!(owner.get(PATH).await.expect(200).data(), changed);
    let cleared = owner.patch(PATH, &json!({ "significant": null, "roles": null })).await.expect(200).data();
    assert_eq!((&cleared["significant"], &cleared["roles"]), (&json!(null), &json!(null)));
    let entry = &owner.get("/api/v1/audit?action=profile.changed").await.expect(200).json()["data"][0];
    assert_eq!(entry["detail"]["significant"], json!([true, null]), "{entry}");
}

#[tokio::test]
async fn a_change_needs_write_and_the_version_it_was_made_for() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    let reader = app.client(&app.key(&tenant, "read").await);
    reader.get(PATH).await.expect(200);
    reader.patch(PATH, &json!({ "size": "micro" })).await.expect(403);
    let first = owner.get(PATH).await.expect(200);
    let etag = first.headers["etag"].to_str().unwrap().to_owned();
    let named = owner.with("if-match", &etag);
    named.patch(PATH, &json!({ "size": "micro" })).await.expect(200);
    named.patch(PATH, &json!({ "size": "small" })).await.expect(412);
    assert_eq!(owner.get(PATH).await.expect(200).data()["size"], "micro");
    assert_eq!(app.owner("south").await.get(PATH).await.expect(200).data()["size"], json!(null));
}

#[tokio::test]
async fn what_cannot_be_is_refused_all_at_once() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let wrong = json!({
        "legal_name": null, "lei": "529900T8BM49AURSDO56", "country": "Deutschland", "entity_kind": "bank",
        "size": "tiny", "significant": "yes", "time_zone": "Berlin", "holidays": "CH", "currency": "Euro",
        "roles": ["banker"], "regime": { "value": "light" }, "colour": "red",
    });
    let refused = owner.patch(PATH, &wrong).await.expect(422).json();
    assert!(refused["details"].as_object().is_some_and(|details| !details.is_empty()), "{refused}");
    for (field, value) in [
        ("legal_name", json!(null)),
        ("lei", json!("529900T8BM49AURSDO56")),
        ("country", json!("Deutschland")),
        ("entity_kind", json!("bank")),
        ("size", json!("tiny")),
        ("significant", json!("yes")),
        ("time_zone", json!("Berlin")),
        ("holidays", json!("CH")),
        ("currency", json!("Euro")),
        ("roles", json!(["banker"])),
    ] {
        let refused = owner.patch(PATH, &json!({ field: value })).await.expect(422).json();
        assert!(refused["details"][field][0].is_string(), "{field}: {refused}");
    }
    let refused = owner.patch(PATH, &json!({ "regime": { "value": "simplified" } })).await.expect(422).json();
    assert!(refused["details"]["regime.reason"][0].is_string(), "{refused}");
    assert_eq!(owner.get(PATH).await.expect(200).data()["updated_at"], json!(null));
}

#[tokio::test]
async fn the_regime_follows_from_the_kind_until_a_person_sets_it() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let derived = owner.patch(PATH, &json!({ "entity_kind": "payment-institution", "size": "micro" })).await;
    let regime = &derived.expect(200).data()["regime"];
    assert_eq!((&regime["value"], &regime["derived"]), (&json!("full"), &json!(true)), "{regime}");
    let reason = "Exempted under Art. 32 of Directive (EU) 2015/2366";
    let set = json!({ "regime": { "value": "simplified", "reason": reason } });
    let set = owner.patch(PATH, &set).await.expect(200).data();
    assert_eq!(set["regime"], json!({ "value": "simplified", "derived": false, "reason": reason }));
    let back = owner.patch(PATH, &json!({ "regime": null })).await.expect(200).data();
    assert_eq!(back["regime"]["derived"], true);
}

/// The clock of the tests stands at 14:00 UTC on Saturday, 14 November 2026. An insurer has relief at weekends, a
/// credit institution has none (2025/301 Art. 5(4) and (5)).
#[tokio::test]
async fn due_times_and_reports_of_incidents_know_who_files_them() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let who = json!({
        "legal_name": "North Insurance SE", "entity_kind": "insurance-undertaking", "country": "DE",
        "lei": "529900T8BM49AURSDO55",
    });
    owner.patch(PATH, &who).await.expect(200);
    let incident = json!({
        "title": "Portal down",
        "facts": { "critical_services": true, "clients_affected": 1001, "clients_total": 10_000,
            "member_states": ["DE", "AT"] },
    });
    let created = owner.post("/api/v1/incidents", &incident).await.expect(201).data();
    let address = format!("/api/v1/incidents/{}", created["id"].as_str().unwrap());
    let classified = owner.post(&format!("{address}/classify"), &json!({})).await.expect(200).data();
    let initial =
        classified["reports"].as_array().unwrap().iter().find(|report| report["stage"] == "initial");
    assert_eq!(initial.unwrap()["due_at"], "2026-11-16T11:00:00Z", "noon on Monday in Berlin");
    let content = owner.get(&format!("{address}/reports/dora/initial")).await.expect(200).data();
    let value = |number: &str| {
        let fields = content["fields"].as_array().unwrap();
        fields.iter().find(|field| field["field"] == number).unwrap()["value"].clone()
    };
    assert_eq!(value("1.2"), "North Insurance SE");
    assert_eq!(value("1.4"), json!(["insurance_and_reinsurance_undertaking"]));
    for (without, why) in [
        (
            json!({ "nis2_entity": true }),
            "because essential and important entities under NIS2 have no relief",
        ),
        (
            json!({ "nis2_entity": false, "relief_excluded_since": "2026-11-01" }),
            "because the authority decided that there is no relief for this entity",
        ),
        (
            json!({ "relief_excluded_since": null, "trading_venue_operator": true }),
            "because credit institutions, central counterparties and operators of trading venues have no relief",
        ),
    ] {
        owner.patch(PATH, &without).await.expect(200);
        let now = owner.get(&address).await.expect(200).data();
        let initial = now["reports"].as_array().unwrap().iter().find(|report| report["stage"] == "initial");
        let initial = initial.unwrap();
        assert_eq!(initial["due_at"], "2026-11-14T18:00:00Z", "{without}");
        assert!(initial["relief"].as_str().unwrap().contains(why), "{initial}");
    }
    let again = json!({ "nis2_entity": null, "relief_excluded_since": null, "trading_venue_operator": null });
    owner.patch(PATH, &again).await.expect(200);
    owner.patch(PATH, &json!({ "entity_kind": "credit-institution" })).await.expect(200);
    let now = owner.get(&address).await.expect(200).data();
    let initial = now["reports"].as_array().unwrap().iter().find(|report| report["stage"] == "initial");
    assert_eq!(initial.unwrap()["due_at"], "2026-11-14T18:00:00Z", "four hours without relief");
}
