//! LEIs compared with a golden copy loaded by the operator.

use std::{fmt::Write as _, fs::File, io::Write as _};

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{PATH, package, send, zipped};

const HEAD: &str = "LEI,Entity.LegalName,Entity.LegalAddress.Country,Entity.EntityStatus,\
                    Registration.RegistrationStatus,Registration.NextRenewalDate\n";

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    std::io::Seek::rewind(&mut file).unwrap();
    file
}

async fn advice(client: &Client) -> Vec<(Value, Value)> {
    let checks = client.get(&format!("{PATH}/checks?severity=advice")).await.expect(200).data();
    let named = |check: &Value| check["rule"].as_str().is_some_and(|rule| rule.starts_with("lei-"));
    let found = checks.as_array().unwrap().iter().filter(|check| named(check));
    found.map(|check| (check["rule"].clone(), check["value"].clone())).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_golden_copy_says_which_leis_lapsed_and_which_names_drifted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    send(&owner, "", "application/zip", package()).await.expect(200);
    assert_eq!(advice(&owner).await, Vec::new(), "nothing is said before a copy is loaded");
    let providers = owner.get(&format!("{PATH}/B_05.01")).await.expect(200).data();
    let mut table = HEAD.to_owned();
    let (mut lapsed, mut renamed) = (Value::Null, Value::Null);
    for (number, row) in providers.as_array().unwrap().iter().enumerate() {
        let (lei, name) = (row["cells"]["c0010"].as_str().unwrap(), row["cells"]["c0050"].as_str().unwrap());
        let (status, name) = match number {
            0 => ("LAPSED", name.to_uppercase()),
            1 => ("ISSUED", "Quite Another Name".to_owned()),
            _ => ("ISSUED", name.to_lowercase()),
        };
        match number {
            0 => lapsed = json!(lei),
            1 => renamed = row["cells"]["c0050"].clone(),
            _ => {}
        }
        writeln!(table, "{lei},\"{name}\",DE,ACTIVE,{status},2099-01-01T00:00:00Z").unwrap();
    }
    for template in ["B_01.01", "B_01.02"] {
        for row in owner.get(&format!("{PATH}/{template}")).await.expect(200).data().as_array().unwrap() {
            let cells = &row["cells"];
            let (lei, name) = (cells["c0010"].as_str().unwrap(), cells["c0020"].as_str().unwrap());
            writeln!(table, "{lei},\"{name}\",DE,ACTIVE,ISSUED,2099-01-01T00:00:00Z").unwrap();
        }
    }
    // An LEI that is not in use is skipped.
    table += "5493001KJTIIGC8Y1R12,Other Corp,US,ACTIVE,ISSUED,2099-01-01T00:00:00Z\n";
    let archive = zipped([("20261116-golden-copy.csv", table.as_str())]);
    let report = app.app.third_parties.import_gleif(file(&archive)).await.unwrap();
    assert_eq!(report.in_use, report.found, "{report:?}");
    let found = advice(&owner).await;
    assert_eq!(found, [(json!("lei-status"), lapsed), (json!("lei-name"), renamed)]);

    // A copy without an LEI in use reports it.
    let report = app.app.third_parties.import_gleif(file(HEAD.as_bytes())).await.unwrap();
    assert_eq!((report.rows, report.found), (0, 0));
    assert!(advice(&owner).await.iter().all(|(rule, _)| rule == "lei-status"));
    assert!(app.app.third_parties.import_gleif(file(b"a,b\n1,2\n")).await.is_err());
}
