//! Functions and template `B_06.01` are the same rows: what is changed in one is read in the other, and filed.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{PATH, TABLES, package, send, unzipped};

const FUNCTIONS: &str = "/api/v1/functions";
const BANK: &str = "529900TIDEWALLBANK74";

async fn rows(client: &Client) -> Vec<Value> {
    let rows = client.get(&format!("{PATH}/B_06.01?limit=100")).await.expect(200).data();
    rows.as_array().unwrap().iter().map(|row| row["cells"].clone()).collect()
}

async fn functions(client: &Client) -> Vec<Value> {
    client
        .get(&format!("{FUNCTIONS}?limit=100&sort=reference"))
        .await
        .expect(200)
        .data()
        .as_array()
        .unwrap()
        .clone()
}

async fn function(client: &Client, name: &str) -> Value {
    functions(client).await.into_iter().find(|one| one["name"] == name).unwrap()
}

fn address(function: &Value) -> String {
    format!("{FUNCTIONS}/{}", function["id"].as_str().unwrap())
}

async fn row_address(client: &Client, column: &str, text: &str) -> String {
    let rows = client.get(&format!("{PATH}/B_06.01?limit=100")).await.expect(200).data();
    let row = rows.as_array().unwrap().iter().find(|row| row["cells"][column] == text).unwrap().clone();
    format!("{PATH}/B_06.01/rows/{}", row["id"].as_str().unwrap())
}

/// What a function says, as the cells of its row.
fn filed(function: &Value) -> Value {
    let word = |field: &str, words: &[(&str, &str)]| {
        let said = function[field].as_str().unwrap();
        words.iter().find(|(word, _)| *word == said).unwrap().1.to_owned()
    };
    let hours = |field: &str| match function[field].as_u64() {
        None => "0".to_owned(),
        Some(minutes) => minutes.div_ceil(60).max(1).to_string(),
    };
    let criticality =
        [("critical_or_important", "eba_BT:x28"), ("other", "eba_BT:x29"), ("not_assessed", "eba_BT:x21")];
    let impact = [
        ("low", "eba_ZZ:x791"),
        ("medium", "eba_ZZ:x792"),
        ("high", "eba_ZZ:x793"),
        ("not_assessed", "eba_ZZ:x799"),
    ];
    json!({
        "c0010": function["reference"], "c0030": function["name"], "c0050": word("criticality", &criticality),
        "c0060": function["reasons"].as_str().unwrap_or_default(), "c0070": function["assessed_on"],
        "c0080": hours("rto_minutes"), "c0090": hours("rpo_minutes"),
        "c0100": word("impact_of_discontinuing", &impact),
    })
}

/// The cells of a row in the same form: an absent cell is empty, and the last day is none.
fn said(row: &Value) -> Value {
    let text = |column: &str| row[column].as_str().unwrap_or_default().to_owned();
    let day = text("c0070");
    let day = if day.is_empty() || day == "9999-12-31" { Value::Null } else { json!(day) };
    json!({
        "c0010": text("c0010"), "c0030": text("c0030"), "c0050": text("c0050"), "c0060": text("c0060"),
        "c0070": day, "c0080": text("c0080"), "c0090": text("c0090"), "c0100": text("c0100"),
    })
}

fn sorted(mut cells: Vec<Value>) -> Vec<Value> {
    cells.sort_by_key(|cells| cells["c0030"].as_str().unwrap().to_owned());
    cells
}

/// The rows of `B_06.01` in the package for the authority.
async fn exported(client: &Client) -> Vec<Value> {
    let query = "?format=package&scope=individual&reference_date=2025-12-31";
    let bytes = client.get(&format!("{PATH}/export{query}")).await.expect(200).body.to_vec();
    let (_, text) = unzipped(&bytes).into_iter().find(|(name, _)| name.ends_with("b_06.01.csv")).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let headings = lines.next().unwrap();
    let row = |cells: Vec<String>| {
        headings.iter().cloned().zip(cells).collect::<std::collections::BTreeMap<_, _>>()
    };
    lines.map(|cells| json!(row(cells))).collect()
}

async fn agree(client: &Client, after: &str) {
    let known = sorted(functions(client).await.iter().map(filed).collect());
    assert_eq!(sorted(rows(client).await.iter().map(said).collect()), known, "after {after}");
    assert_eq!(sorted(exported(client).await.iter().map(said).collect()), known, "filed after {after}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_imported_package_fills_the_functions(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    // F2 on the page is another function than in the file, and one of the file is known by another reference.
    for name in ["Leasing", "Canteen"] {
        owner.post(FUNCTIONS, &json!({ "name": name, "owner": "Jo", "rpo_minutes": 30 })).await.expect(201);
    }
    send(&owner, "", "application/zip", package()).await.expect(200);
    let leasing = function(&owner, "Leasing").await;
    assert_eq!(
        (&leasing["reference"], &leasing["rto_minutes"], &leasing["rpo_minutes"], &leasing["owner"]),
        (&json!("F2"), &json!(4320), &json!(1440), &json!("Jo")),
        "{engine:?}"
    );
    let payments = function(&owner, "Payments").await;
    let expected = json!({
        "reference": "F1", "criticality": "critical_or_important", "reasons": "Settlement deadlines",
        "assessed_on": "2025-09-15", "rto_minutes": 120, "rpo_minutes": 60, "impact_of_discontinuing": "high",
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&payments[field], value, "{field} on {engine:?}");
    }
    // The function that the file does not know gives way, and is in no row.
    assert_eq!(function(&owner, "Canteen").await["reference"], "F4");
    assert_eq!(rows(&owner).await.len(), 2);
}

#[tokio::test]
async fn one_table_fills_the_functions_too() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (_, table) = TABLES.iter().find(|(name, _)| *name == "b_06.01").unwrap();
    send(&owner, "?template=B_06.01", "text/csv", *table).await.expect(200);
    assert_eq!(function(&owner, "Leasing").await["rto_minutes"], 4320);
    assert_eq!(functions(&owner).await.len(), 2);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_change_of_a_function_is_filed_and_a_change_of_a_cell_is_the_functions(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    send(&owner, "", "application/zip", package()).await.expect(200);
    let path = address(&function(&owner, "Payments").await);
    let change = json!({ "reference": "F7", "rto_minutes": 30, "impact_of_discontinuing": "low", "assessed_on": "2026-10-01" });
    owner.patch(&path, &change).await.expect(200);
    agree(&owner, "a change of the function").await;
    // The lines that named the function by its identifier still do.
    let lines = owner.get(&format!("{PATH}/B_02.02?limit=100")).await.expect(200).data();
    let named =
        |id: &str| lines.as_array().unwrap().iter().filter(|line| line["cells"]["c0050"] == id).count();
    assert!(named("F7") > 0 && named("F1") == 0, "{lines}");
    let taken = owner.patch(&path, &json!({ "reference": "F2" })).await.expect(422).json();
    assert!(taken["details"]["reference"][0].is_string(), "{taken}");

    let row = row_address(&owner, "c0010", "F7").await;
    let cells = json!({ "cells": { "c0050": "eba_BT:x29", "c0080": "8", "c0070": "2026-11-01", "c0100": "eba_ZZ:x793" } });
    owner.patch(&row, &cells).await.expect(200);
    let payments = owner.get(&path).await.expect(200).data();
    assert_eq!(
        (&payments["criticality"], &payments["rto_minutes"], &payments["assessed_on"]),
        (&json!("other"), &json!(480), &json!("2026-11-01")),
        "{engine:?}"
    );
    agree(&owner, "a change of the row").await;
    // What the function is not known to be is not filed as if it were.
    owner
        .patch(&path, &json!({ "criticality": "critical_or_important", "assessed_on": null }))
        .await
        .expect(200);
    let checks = owner.get(&format!("{PATH}/checks?template=B_06.01")).await.expect(200).data();
    let asked = checks
        .as_array()
        .unwrap()
        .iter()
        .any(|check| check["column"] == "c0070" && check["rule"] == "v8880_m");
    assert!(asked, "the day of the assessment is asked for: {checks}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_function_that_is_added_or_deleted_is_a_row_that_is(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    owner.post(FUNCTIONS, &json!({ "name": "Before the register" })).await.expect(201);
    assert_eq!(rows(&owner).await.len(), 0, "no entity maintains a register");
    send(&owner, "", "application/zip", package()).await.expect(200);
    let lending =
        owner.post(FUNCTIONS, &json!({ "name": "Lending", "rto_minutes": 61 })).await.expect(201).data();
    let row = rows(&owner).await.into_iter().find(|row| row["c0030"] == "Lending").unwrap();
    assert_eq!(
        (&row["c0010"], &row["c0040"], &row["c0080"]),
        (&lending["reference"], &json!(BANK), &json!("2"))
    );
    let cells = json!({ "cells": { "c0010": "F40", "c0030": "Custody", "c0040": BANK } });
    owner.post(&format!("{PATH}/B_06.01/rows"), &cells).await.expect(201);
    assert_eq!(function(&owner, "Custody").await["reference"], "F40", "{engine:?}");
    // A renamed row is the same function.
    let id = function(&owner, "Custody").await["id"].clone();
    owner
        .patch(&row_address(&owner, "c0010", "F40").await, &json!({ "cells": { "c0030": "Safekeeping" } }))
        .await
        .expect(200);
    assert_eq!(function(&owner, "Safekeeping").await["id"], id);
    owner.delete(&address(&lending)).await.expect(204);
    assert!(rows(&owner).await.iter().all(|row| row["c0030"] != "Lending"), "{engine:?}");
}

/// A small generator, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.roll(values.len())]
    }
}

#[tokio::test]
async fn functions_and_rows_that_are_changed_in_any_order_never_differ() {
    for (engine, steps, seed) in [(Engine::Sqlite, 60, 7), (Engine::Postgres, 25, 11)] {
        let app = TestApp::on(engine).await;
        let owner = app.owner("north").await;
        send(&owner, "", "application/zip", package()).await.expect(200);
        let mut dice = Dice(seed);
        for step in 0..steps {
            let known = functions(&owner).await;
            let one = dice.pick(&known).clone();
            let row = row_address(&owner, "c0030", one["name"].as_str().unwrap()).await;
            let number = 100 + step;
            let what = match dice.roll(4) {
                0 => {
                    let change = match dice.roll(6) {
                        0 => {
                            json!({ "rto_minutes": dice.pick(&[None, Some(0), Some(61), Some(240)]) })
                        }
                        1 => json!({ "rpo_minutes": dice.pick(&[None, Some(15), Some(600)]) }),
                        2 => {
                            json!({ "criticality": dice.pick(&["critical_or_important", "other", "not_assessed"]) })
                        }
                        3 => json!({ "assessed_on": dice.pick(&[None, Some("2026-02-03")]) }),
                        4 => {
                            json!({ "impact_of_discontinuing": dice.pick(&["low", "medium", "high", "not_assessed"]), "reasons": "Why" })
                        }
                        _ => json!({ "reference": format!("F{number}") }),
                    };
                    owner.patch(&address(&one), &change).await.expect(200);
                    format!("{change} of {one}")
                }
                1 => {
                    let cells = match dice.roll(6) {
                        0 => json!({ "c0080": dice.pick(&["0", "1", "4", "72"]) }),
                        1 => json!({ "c0090": dice.pick(&["0", "1", "24"]) }),
                        2 => json!({ "c0050": dice.pick(&["eba_BT:x28", "eba_BT:x29", "eba_BT:x21"]) }),
                        3 => json!({ "c0070": dice.pick(&["9999-12-31", "2026-04-05"]) }),
                        4 => json!({ "c0100": dice.pick(&["eba_ZZ:x791", "eba_ZZ:x799"]), "c0060": "" }),
                        _ => json!({ "c0010": format!("F{number}") }),
                    };
                    owner.patch(&row, &json!({ "cells": cells })).await.expect(200);
                    format!("{cells} of {one}")
                }
                2 => {
                    let name = format!("Function {number}");
                    owner.post(FUNCTIONS, &json!({ "name": name, "rto_minutes": 90 })).await.expect(201);
                    name
                }
                _ => {
                    let cells = json!({
                        "c0010": format!("F{number}"), "c0020": "eba_TA:x276", "c0030": format!("Row {number}"),
                        "c0040": BANK, "c0050": "eba_BT:x29", "c0070": "2026-01-01", "c0080": "3", "c0090": "0",
                        "c0100": "eba_ZZ:x792",
                    });
                    owner.post(&format!("{PATH}/B_06.01/rows"), &json!({ "cells": cells })).await.expect(201);
                    cells.to_string()
                }
            };
            agree(&owner, &format!("step {step} with seed {seed} on {engine:?}: {what}")).await;
        }
    }
}
