//! Arrangements that stand in no template: they keep the register from being ready, and are taken over with one request.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::PATH;

const ARRANGEMENTS: &str = "/api/v1/ict-arrangements";
const BANK: &str = "529900TIDEWALLBANK74";
const PROVIDER: &str = "529900EXAMPLECLOUD34";

fn arrangement(reference: &str, lei: Option<&str>) -> Value {
    json!({
        "reference": reference, "service": "Hosting", "service_type": "S17", "technology": "Kubernetes",
        "provider": { "name": format!("Cloud {reference}"), "lei": lei, "country": "IE", "sector": "Cloud" },
        "region": "Dublin", "substitutability": "easy", "exit_plan": true, "starts_on": "2026-01-01",
        "annual_cost": { "amount": 123_450, "currency": "EUR" },
        "functions": [{ "name": "Payments", "critical": true }],
    })
}

async fn standing(client: &Client) -> (u64, u64, Value) {
    let data = client.get(PATH).await.expect(200).data();
    let number = |field: &str| data[field].as_u64().unwrap();
    (number("readiness_pct"), number("waiting"), data["problems"].clone())
}

/// A register with its sender alone.
async fn sender(client: &Client) {
    let maintainer = json!({ "cells": {
        "c0010": BANK, "c0020": "Bank", "c0030": "eba_GA:DE", "c0040": "eba_CT:x12", "c0050": "BaFin", "c0060": "2025-12-31",
    }});
    client.post(&format!("{PATH}/B_01.01/rows"), &maintainer).await.expect(201);
    let entity = json!({ "cells": {
        "c0010": BANK, "c0020": "Bank", "c0030": "eba_GA:DE", "c0040": "eba_CT:x12", "c0050": "eba_RP:x53", "c0060": BANK,
        "c0070": "2025-12-01", "c0080": "2025-01-17", "c0090": "9999-12-31", "c0100": "eba_CU:EUR", "c0110": "1000",
    }});
    client.post(&format!("{PATH}/B_01.02/rows"), &entity).await.expect(201);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_register_is_not_ready_while_arrangements_wait(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let refused = owner.post(&format!("{PATH}/take-over"), &json!({})).await.expect(422).json();
    assert!(refused["details"]["register"][0].as_str().unwrap().contains("B_01.01"), "{refused}");
    sender(&owner).await;
    assert_eq!(standing(&owner).await.0, 100, "{engine:?}");
    owner.post(ARRANGEMENTS, &arrangement("C-1", Some(PROVIDER))).await.expect(201);
    owner.post(ARRANGEMENTS, &arrangement("C-2", None)).await.expect(201);
    // Two rows and two arrangements without any.
    let (ready, waiting, problems) = standing(&owner).await;
    assert_eq!((ready, waiting), (50, 2), "{engine:?}: {problems}");
    assert_eq!(problems["refused"], 0);
    let advice = owner.get(&format!("{PATH}/checks?severity=advice")).await.expect(200).data();
    assert_eq!(advice[0]["rule"], "arrangement");
    assert!(advice[0]["remedy"].as_str().unwrap().contains("take the arrangement over"), "{advice}");

    let taken = owner.post(&format!("{PATH}/take-over"), &json!({})).await.expect(200).data();
    assert_eq!((&taken["arrangements"], &taken["left"]), (&json!(1), &json!(1)), "{engine:?}: {taken}");
    assert_eq!(taken["left_out"], json!([{ "reference": "C-2", "company": "Cloud C-2" }]));
    assert_eq!(taken["problems"]["refused"], 0, "{taken}");
    let contract = owner.get(&format!("{PATH}/B_02.01")).await.expect(200).data();
    assert_eq!(
        contract[0]["cells"],
        json!({ "c0010": "C-1", "c0020": "eba_CO:x1", "c0040": "eba_CU:EUR", "c0050": "1234.50" })
    );
    let (ready, waiting, _) = standing(&owner).await;
    assert_eq!(waiting, 1, "{engine:?}");
    assert!((90..100).contains(&ready), "{engine:?}: {ready}");

    // Once the template knows the company without a LEI, its arrangement follows; a second request adds nothing.
    let company = json!({ "cells": { "c0010": "IECRO.1", "c0020": "eba_qCO:qx2002", "c0050": "Cloud C-2" } });
    owner.post(&format!("{PATH}/B_05.01/rows"), &company).await.expect(201);
    let taken = owner.post(&format!("{PATH}/take-over"), &json!({})).await.expect(200).data();
    assert_eq!((&taken["arrangements"], &taken["readiness_pct"]), (&json!(1), &json!(100)), "{taken}");
    let again = owner.post(&format!("{PATH}/take-over"), &json!({})).await.expect(200).data();
    assert_eq!((&again["arrangements"], &again["rows"]), (&json!(0), &json!(0)), "{engine:?}");
    assert_eq!(standing(&owner).await.1, 0);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_arrangement_keeps_what_its_rows_do_not_say(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    sender(&owner).await;
    let mut body = arrangement("C-1", Some(PROVIDER));
    body["substitutability"] = json!("hard");
    body["supply_chain"] = json!([{ "supplier": { "name": "Power plc" }, "recipient": { "name": "Cloud C-1", "lei": PROVIDER } }]);
    let made = owner.post(ARRANGEMENTS, &body).await.expect(201).data();
    owner.post(&format!("{PATH}/take-over"), &json!({})).await.expect(200);
    // The function gets its activity, so that the rows can be read for the first time.
    let row = owner.get(&format!("{PATH}/B_06.01")).await.expect(200).data()[0].clone();
    let at = format!("{PATH}/B_06.01/rows/{}", row["id"].as_str().unwrap());
    owner.patch(&at, &json!({ "cells": { "c0020": "eba_TA:x28" } })).await.expect(200);
    let path = format!("{ARRANGEMENTS}/{}", made["id"].as_str().unwrap());
    let after = owner.get(&path).await.expect(200).data();
    for field in ["substitutability", "supply_chain", "exit_plan", "service", "annual_cost"] {
        assert_eq!(after[field], made[field], "{engine:?} {field}");
    }
}
