//! An upgrade from the version before with data in every part of the product, and the way back by restoring the backup
//! that was taken before it.
//!
//! `scripts/test --full` builds that version from the repository's own history and names it in `TIDEWALL_TEST_BEFORE`;
//! `TIDEWALL_TEST_UPGRADE_FROM` chooses another commit.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use store::sql::Location;
use test_case::test_case;
use testkit::{Engine, Intruder};

use super::{
    figure,
    service::{Service, client, this_version},
    two_versions::version_before,
    upgrade::{location, store},
};

/// The lists of an institution's own records, complete. Assessments are left out: they follow the catalogue, which grows.
const LISTS: [&str; 15] = [
    "controls?limit=500",
    "cra/reports?limit=500",
    "drill-runs?limit=500",
    "evidence?limit=500",
    "findings?status=all&limit=500",
    "functions?limit=500",
    "ict-arrangements?limit=500",
    "incidents?limit=500",
    "own-frameworks?limit=500",
    "programmes?limit=500",
    "providers?limit=500",
    "register/filings?limit=500",
    "risks?limit=500",
    "test-cases?limit=500",
    "webhooks?limit=500",
];

/// Values that are computed when they are read, by rules that change with a version, by the catalogue and by the time.
const COMPUTED: [&str; 6] =
    ["classification", "contract_clauses", "counts", "reports", "requirements", "stages"];

/// Tables whose rows migrations rewrite: a function and its row of template `B_06.01` became one.
const REWRITTEN: [&str; 2] = ["functions", "register_rows"];

/// A restore is an entry of the audit log, and has its own state of the store.
const WRITTEN_BY_A_RESTORE: [&str; 3] = ["audit_entries", "chains", "store_meta"];

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn full_size_nothing_is_lost_by_an_upgrade_and_by_the_way_back(engine: Engine) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (mut service, scratch) = store(engine);
    service.program = version_before();
    let [key, ..] = service.start_demo();
    let records = runtime.block_on(lists(&service, &key));
    runtime.block_on(stop(&mut service));
    let place = location(&service, &scratch);
    let rows = contents(&place, None);
    let backup = service.dir.path().join("before");
    let backup = backup.to_str().unwrap();
    service.verb(&["backup", "--output", backup]);

    service.program = this_version();
    service.verb(&["migrate"]);
    let migrated = contents(&place, Some(&rows));
    for (name, table) in &rows {
        let after: BTreeSet<&String> = migrated[name].rows.iter().collect();
        let gone: Vec<&String> = table.rows.iter().filter(|row| !after.contains(row)).collect();
        assert!(gone.is_empty() || REWRITTEN.contains(&name.as_str()), "the rows of {name}: {gone:#?}");
        assert!(after.len() >= table.rows.len(), "{name} has fewer rows");
    }
    service.start();
    let upgraded = runtime.block_on(lists(&service, &key));
    for (list, before) in &records {
        extends(before, &upgraded[list], list);
    }
    runtime.block_on(stop(&mut service));
    service.verb(&["audit", "verify"]);

    // The version before refuses the store, and takes the backup.
    service.program = version_before();
    let refused = service.try_verb(&["tenant", "list"]);
    assert!(!refused.status.success(), "it does not know the migrations");
    service.verb(&["restore", "--replace", "--yes", backup]);
    let restored = contents(&place, None);
    assert_eq!(restored.keys().collect::<Vec<_>>(), rows.keys().collect::<Vec<_>>(), "the tables");
    for (name, table) in rows.iter().filter(|(name, _)| !WRITTEN_BY_A_RESTORE.contains(&name.as_str())) {
        assert_eq!(table.rows, restored[name].rows, "the rows of {name} after the restore");
    }
    service.verb(&["audit", "verify"]);
    service.start();
    let again = runtime.block_on(lists(&service, &key));
    for (list, before) in &records {
        extends(before, &again[list], list);
    }
    let filled = rows.values().filter(|table| !table.rows.is_empty()).count();
    let total: usize = rows.values().map(|table| table.rows.len()).sum();
    figure(format_args!("{engine:?}: {total} rows in {filled} of {} tables, there and back", rows.len()));
}

async fn stop(service: &mut Service) {
    service.signal("TERM");
    assert!(service.ended().await.0.success());
}

pub(super) async fn lists(service: &Service, key: &str) -> BTreeMap<&'static str, Value> {
    let (client, mut found) = (client(key), BTreeMap::new());
    for list in LISTS {
        let answer = client.get(service.url(&format!("/api/v1/{list}"))).send().await.unwrap();
        assert!(answer.status().is_success(), "{list}: {}", answer.status());
        let mut body: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        found.insert(list, body["data"].take());
    }
    found
}

/// What clients of the version before read is still there: the API changes only by addition. What was unknown may be known.
pub(super) fn extends(before: &Value, after: &Value, path: &str) {
    match (before, after) {
        (Value::Null, _) => {}
        (Value::Object(before), Value::Object(after)) => {
            for (name, value) in before.iter().filter(|(name, _)| !COMPUTED.contains(&name.as_str())) {
                let path = format!("{path}.{name}");
                let after = after.get(name).unwrap_or_else(|| panic!("{path} is gone"));
                extends(value, after, &path);
            }
        }
        (Value::Array(before), Value::Array(after)) => {
            assert_eq!(before.len(), after.len(), "{path}");
            for (place, (before, after)) in before.iter().zip(after).enumerate() {
                extends(before, after, &format!("{path}[{place}]"));
            }
        }
        _ => assert_eq!(before, after, "{path}"),
    }
}

#[derive(Debug)]
struct Table {
    columns: Vec<String>,
    /// As text, sorted.
    rows: Vec<String>,
}

/// The rows of every table; of the columns that the tables had before, if they are given. The tables of the full-text
/// index are left out: they follow from the others.
fn contents(place: &Location, before: Option<&BTreeMap<String, Table>>) -> BTreeMap<String, Table> {
    // The role of the service sees only the rows of one institution.
    let (mut intruder, is_file) = match place {
        Location::File { .. } => (Intruder::at(place), true),
        Location::Server { url, connections } => {
            let url = url.replacen("tidewall@", "postgres@", 1);
            (Intruder::at(&Location::Server { url, connections: *connections }), false)
        }
    };
    let (tables, columns_of) = if is_file {
        (
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
             AND name NOT LIKE 'document_texts%'",
            "SELECT name FROM pragma_table_info('",
        )
    } else {
        (
            "SELECT table_name::text FROM information_schema.tables
             WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
            "SELECT column_name::text FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name = ('",
        )
    };
    let mut all = BTreeMap::new();
    for name in intruder.texts(tables) {
        let columns = match before.map(|before| before.get(&name)) {
            Some(Some(table)) => table.columns.clone(),
            Some(None) => continue,
            None => intruder.texts(&format!("{columns_of}{name}')")),
        };
        let row = if is_file {
            let quoted: Vec<String> = columns.iter().map(|column| format!("quote(\"{column}\")")).collect();
            quoted.join(" || ', ' || ")
        } else {
            let quoted: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
            format!("ROW({})::text", quoted.join(", "))
        };
        let mut rows = intruder.texts(&format!("SELECT {row} FROM \"{name}\""));
        rows.sort_unstable();
        all.insert(name, Table { columns, rows });
    }
    all
}
