//! Consistency: a change of an arrangement shows in the rows, and a change of rows in the arrangement.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{PATH, package, send};

const ARRANGEMENTS: &str = "/api/v1/ict-arrangements";

async fn arrangement(client: &Client, number: usize) -> (String, Value) {
    let all = client.get(&format!("{ARRANGEMENTS}?sort=reference")).await.expect(200).data();
    let one = all[number].clone();
    (format!("{ARRANGEMENTS}/{}", one["id"].as_str().unwrap()), one)
}

/// The row of a template with this text in a column.
async fn row(client: &Client, template: &str, column: &str, text: &str) -> Value {
    let rows = client.get(&format!("{PATH}/{template}")).await.expect(200).data();
    let found = rows.as_array().unwrap().iter().find(|row| row["cells"][column] == text);
    found.unwrap_or_else(|| panic!("{template} {column} {text}: {rows}")).clone()
}

async fn differing(client: &Client) -> Vec<Value> {
    let checks = client.get(&format!("{PATH}/checks?severity=advice")).await.expect(200).data();
    checks.as_array().unwrap().iter().filter(|check| check["rule"] == "arrangement").cloned().collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn one_change_in_either_shows_in_both(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    send(&owner, "", "application/zip", package()).await.expect(200);
    let (path, before) = arrangement(&owner, 1).await;
    let contract = before["reference"].as_str().unwrap().split(" / ").next().unwrap().to_owned();
    let lei = before["provider"]["lei"].as_str().unwrap().to_owned();
    let changes = json!({
        "provider": { "name": "Nordlicht Cloud SE", "country": "FR" },
        "annual_cost": { "amount": 123_456, "currency": "EUR" },
        "starts_on": "2024-02-01", "ends_on": "2029-01-31",
    });
    owner.patch(&path, &changes).await.expect(200);
    let line = row(&owner, "B_02.02", "c0010", &contract).await;
    assert_eq!(
        (&line["cells"]["c0070"], &line["cells"]["c0080"]),
        (&json!("2024-02-01"), &json!("2029-01-31"))
    );
    let cost = row(&owner, "B_02.01", "c0010", &contract).await;
    assert_eq!((&cost["cells"]["c0040"], &cost["cells"]["c0050"]), (&json!("eba_CU:EUR"), &json!("1234.56")));
    let provider = row(&owner, "B_05.01", "c0010", &lei).await;
    assert_eq!(
        (&provider["cells"]["c0050"], &provider["cells"]["c0080"]),
        (&json!("Nordlicht Cloud SE"), &json!("eba_GA:FR"))
    );
    assert_eq!(differing(&owner).await, Vec::<Value>::new());

    let cells = json!({ "cells": { "c0050": "Other Name plc" } });
    owner
        .patch(&format!("{PATH}/B_05.01/rows/{}", provider["id"].as_str().unwrap()), &cells)
        .await
        .expect(200);
    let after = owner.get(&path).await.expect(200).data();
    assert_eq!(after["provider"]["name"], "Other Name plc");
    assert_eq!(after["annual_cost"], json!({ "amount": 123_456, "currency": "EUR" }));
    assert_eq!(differing(&owner).await, Vec::<Value>::new());

    // Values that no cell can represent stay in the arrangement alone.
    owner.patch(&path, &json!({ "service": "Our data centre", "technology": "Mainframe" })).await.expect(200);
    assert_eq!(differing(&owner).await, Vec::<Value>::new());
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_notice_period_of_a_line_moves_the_day_of_its_contract(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    send(&owner, "", "application/zip", package()).await.expect(200);
    let line = row(&owner, "B_02.02", "c0010", "C-2").await;
    let path = format!("{PATH}/B_02.02/rows/{}", line["id"].as_str().unwrap());
    let due = async || owner.get("/api/v1/tasks?type=arrangement").await.expect(200).data();
    assert_eq!(due().await, json!([]), "{engine:?}: the contract has ended");
    let cells = json!({ "cells": { "c0080": "2028-12-31" } });
    owner.patch(&path, &cells).await.expect(200);
    assert_eq!(due().await[0]["due_on"], "2028-12-01", "{engine:?}: 30 days in the sample");
    owner.patch(&path, &json!({ "cells": { "c0100": "90" } })).await.expect(200);
    assert_eq!(due().await[0]["due_on"], "2028-10-02", "{engine:?}");
    let (arrangement, shown) = arrangement(&owner, 1).await;
    assert_eq!((&shown["reference"], &shown["notice_days"]), (&json!("C-2"), &json!(90)));

    // A change of the arrangement goes back to the cell.
    owner.patch(&arrangement, &json!({ "notice_days": 60 })).await.expect(200);
    assert_eq!(row(&owner, "B_02.02", "c0010", "C-2").await["cells"]["c0100"], "60", "{engine:?}");
    assert_eq!(due().await[0]["due_on"], "2028-11-01", "{engine:?}");
    assert_eq!(differing(&owner).await, Vec::<Value>::new());

    // A cell that says nothing leaves the day to the provider.
    owner.patch(&path, &json!({ "cells": { "c0100": "" } })).await.expect(200);
    assert_eq!(due().await, json!([]), "{engine:?}");
    let provider = shown["provider"]["lei"].as_str().unwrap();
    let list = owner.get(&format!("/api/v1/providers?search={provider}")).await.expect(200).data();
    let provider = format!("/api/v1/providers/{}", list[0]["id"].as_str().unwrap());
    owner.patch(&provider, &json!({ "notice_days": 30 })).await.expect(200);
    assert_eq!(due().await[0]["due_on"], "2028-12-01", "{engine:?}");

    // A number that no contract can mean is kept for the checks, and no day follows from it.
    owner.patch(&path, &json!({ "cells": { "c0100": "4000000000" } })).await.expect(200);
    assert_eq!(due().await[0]["due_on"], "2028-12-01", "{engine:?}");
    assert_eq!(row(&owner, "B_02.02", "c0010", "C-2").await["cells"]["c0100"], "4000000000");
}
