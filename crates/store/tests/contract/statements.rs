//! Every statement of the store, on both engines: it can be prepared, it uses an index, it exists once.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use store::{
    LISTS,
    sql::{Dialect, Location, Statement, Text},
};
use testkit::{Engine, Scratch};

/// Tables that stay small, and lists that a statement is given: reading one of them whole is cheap.
const SMALL_TABLES: &[&str] = &[
    "store_meta",
    "signals",
    "migrations",
    "json_each",
    "json_measures",
    "in_turn",
    "pragma_page_count",
    "pragma_page_size",
];
/// The full-text index: a virtual table on SQLite, with tables of its own, an ordinary one on PostgreSQL.
const FULL_TEXT: &str = "document_texts";

fn all() -> impl Iterator<Item = &'static Statement> {
    let composed = store::tables().flat_map(store::sql::TableStatements::every);
    store::registry().chain(composed)
}

/// Every text that can run on one engine, with its name: the statements, and each variant of each list.
fn texts(dialect: Dialect, wanted: impl Fn(&Statement) -> bool) -> Vec<(String, String)> {
    let of = |text: Text| match dialect {
        Dialect::Sqlite => text.sqlite(),
        Dialect::Postgres => text.postgres(),
    };
    let statements = all().filter(|statement| wanted(statement));
    let statements = statements.map(|statement| (statement.name.to_owned(), of(statement.text).to_owned()));
    let composed = store::tables().flat_map(|table| [&table.list, table.past(dialect)]);
    let lists = LISTS.iter().flat_map(|lists| lists.iter().copied()).chain(composed);
    let variants = lists.flat_map(|list| {
        list.variants(dialect).into_iter().map(|text| (format!("{}: {text}", list.name), text))
    });
    statements.chain(variants).collect()
}

fn sqlite() -> (Scratch, rusqlite::Connection) {
    let scratch = Scratch::migrated(Engine::Sqlite);
    let Location::File { path, .. } = &scratch.location else { unreachable!() };
    let connection = rusqlite::Connection::open(path).unwrap();
    (scratch, connection)
}

pub(crate) fn postgres() -> (Scratch, postgres::Client) {
    let scratch = Scratch::migrated(Engine::Postgres);
    let Location::Server { url, .. } = &scratch.location else { unreachable!() };
    let client = postgres::Client::connect(url, postgres::NoTls).unwrap();
    (scratch, client)
}

#[test]
fn every_module_with_statements_is_registered() {
    let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    let mut modules = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read_to_string(&path).unwrap().contains("\ncrate::sql! {") {
                modules += 1;
                assert_registered(&path);
            }
        }
    }
    assert!(modules > 40, "only {modules} modules with statements were found");
}

#[track_caller]
fn assert_registered(source: &Path) {
    let module = source.file_stem().unwrap().to_str().unwrap();
    let folder = source.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let module = if module == "mod" { folder } else { module };
    let name = format!("::{module}::");
    assert!(
        all().any(|statement| statement.name.contains(&name)),
        "{module} is not in the registry of its folder"
    );
}

#[test]
fn every_statement_prepares_on_both_engines() {
    let (_sqlite_scratch, connection) = sqlite();
    let (_postgres_scratch, mut client) = postgres();
    for (name, text) in texts(Dialect::Sqlite, |_| true) {
        let prepared = connection.prepare(&text);
        prepared.unwrap_or_else(|error| panic!("{name} on SQLite: {error}"));
    }
    // The others are planned on PostgreSQL by `postgres_has_an_index_for_every_statement`, which prepares them.
    let whole = all().filter(|statement| statement.whole_table.is_some());
    for (name, text) in whole.map(|statement| (statement.name, statement.text.postgres())) {
        client.prepare(text).unwrap_or_else(|error| panic!("{name} on PostgreSQL: {error}"));
    }
}

#[test]
fn no_statement_reads_a_growing_table_whole() {
    let (_scratch, connection) = sqlite();
    for (name, text) in texts(Dialect::Sqlite, |statement| statement.whole_table.is_none()) {
        for step in steps(&connection, &text) {
            let scanned = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
            // A virtual table is queried through its own index if something follows the colon.
            let asked =
                step.split_once(" VIRTUAL TABLE INDEX ").is_some_and(|(_, plan)| !plan.ends_with(':'));
            // A statement without a table is one constant row.
            let nothing = step == "SCAN CONSTANT ROW";
            // The rows of both parts of a list as of a day; how each part is read is a step of its own.
            let nothing = nothing || (step == "SCAN r" && text.contains("UNION ALL"));
            let harmless = |table: &str| nothing || SMALL_TABLES.contains(&table) || table.starts_with('(');
            assert!(scanned.is_none_or(|table| asked || harmless(table)), "{name}: {step}");
        }
    }
}

/// What SQLite does to run a statement.
fn steps(connection: &rusqlite::Connection, text: &str) -> Vec<String> {
    let text = format!("EXPLAIN QUERY PLAN {text}");
    let mut plan = connection.prepare(&text).unwrap();
    let nulls = vec![rusqlite::types::Null; plan.parameter_count()];
    plan.query_map(rusqlite::params_from_iter(nulls), |row| row.get(3))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

/// Sorted, a page would cost as much as the whole list, and an audit bundle the square of it.
#[test]
fn sqlite_reads_lists_as_of_a_day_in_order_without_sorting_them() {
    let (_scratch, connection) = sqlite();
    let asked = "WHERE r.tenant_id = $1 AND r.past_from <= $2 AND r.past_until > $2 ORDER BY r.id";
    for table in store::tables() {
        let texts = table.past(Dialect::Sqlite).variants(Dialect::Sqlite);
        let in_order: Vec<_> = texts.iter().filter(|text| text.contains(asked)).collect();
        assert!(!in_order.is_empty(), "{}", table.list.name);
        for text in in_order {
            let steps = steps(&connection, text);
            assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:?}: {text}");
        }
    }
}

#[test]
fn postgres_has_an_index_for_every_statement() {
    let (_scratch, mut client) = postgres();
    // An empty table is always scanned; with scans forbidden, a plan that still scans has no index to use.
    client.batch_execute("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan").unwrap();
    let texts = texts(Dialect::Postgres, |statement| statement.whole_table.is_none());
    for (name, text) in texts {
        let parameters = (1..100).take_while(|number| text.contains(&format!("${number}"))).count();
        let nulls = vec!["NULL"; parameters].join(", ");
        let arguments = if nulls.is_empty() { String::new() } else { format!("({nulls})") };
        let explain = format!("PREPARE s AS {text}; EXPLAIN EXECUTE s{arguments}; DEALLOCATE s");
        let plan = client.simple_query(&explain).unwrap_or_else(|error| panic!("{name}: {error}"));
        for message in plan {
            let postgres::SimpleQueryMessage::Row(row) = message else { continue };
            let line = row.get(0).unwrap_or("");
            let scanned = line.split_once("Seq Scan on ").and_then(|(_, rest)| rest.split(' ').next());
            assert!(scanned.is_none_or(|table| SMALL_TABLES.contains(&table)), "{name}: {line}");
        }
    }
}

#[test]
fn the_tables_of_both_engines_are_the_same() {
    let (_sqlite_scratch, connection) = sqlite();
    let (_postgres_scratch, mut client) = postgres();
    let mut in_sqlite = BTreeMap::new();
    let mut columns = connection
        .prepare(
            "SELECT m.name, c.name, c.type, c.\"notnull\" OR c.pk > 0 FROM sqlite_master m, pragma_table_info(m.name) c
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid",
        )
        .unwrap();
    let rows = columns.query_map([], |row| {
        Ok((
            row.get::<_, String>(0)?,
            (row.get::<_, String>(1)?, row.get::<_, String>(2)?, row.get::<_, bool>(3)?),
        ))
    });
    for (table, column) in
        rows.unwrap().map(Result::unwrap).filter(|(table, _)| !table.starts_with(FULL_TEXT))
    {
        in_sqlite.entry(table).or_insert_with(Vec::new).push(column);
    }
    let mut in_postgres = BTreeMap::new();
    let rows = client
        .query(
            "SELECT table_name::text, column_name::text, upper(data_type::text), is_nullable = 'NO'
             FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position",
            &[],
        )
        .unwrap();
    for row in rows.iter().filter(|row| row.get::<_, String>(0) != FULL_TEXT) {
        let column = (row.get::<_, String>(1), row.get::<_, String>(2), row.get::<_, bool>(3));
        in_postgres.entry(row.get::<_, String>(0)).or_insert_with(Vec::new).push(column);
    }
    assert_eq!(in_sqlite, in_postgres);
}

#[test]
fn statements_that_differ_between_engines_are_counted() {
    let differing: Vec<_> =
        all().filter(|statement| matches!(statement.text, Text::Differs { .. })).map(|s| s.name).collect();
    // Every kind of record has one such statement, composed from its table.
    let (composed, differing): (Vec<_>, Vec<_>) =
        differing.into_iter().partition(|name| name.ends_with("::get_many"));
    assert_eq!(composed.len(), store::tables().count(), "{composed:?}");
    assert_eq!(
        differing,
        [
            "tidewall_store::compliance::assessment::GET_MANY",
            "tidewall_store::compliance::evidence_link::OF_MANY",
            "tidewall_store::compliance::evidence_link::OF_TARGETS",
            "tidewall_store::compliance::function::COUNTS",
            "tidewall_store::compliance::measure_use::OPEN",
            "tidewall_store::compliance::measure_use::FINDINGS",
            "tidewall_store::messages::delivery_log::ATTEMPTS",
            "tidewall_store::messages::destination::READY",
            "tidewall_store::messages::outbox::LOCK",
            "tidewall_store::operations::health::DATABASE_SIZE",
            "tidewall_store::records::document::NEXT",
            "tidewall_store::records::document::INDEX",
            "tidewall_store::records::document::MERGE",
            "tidewall_store::records::document::CHANGES",
            "tidewall_store::records::document::RECORDS",
            "tidewall_store::resilience::finding_count::OF_MANY",
            "tidewall_store::resilience::finding_origin::OF_FINDINGS",
            "tidewall_store::resilience::incident::OF_CRA_REPORTS",
            "tidewall_store::resilience::test_case_count::OF_MANY",
            "tidewall_store::third_parties::provider::FACTS",
            "tidewall_store::third_parties::provider::COUNTS",
            "tidewall_store::third_parties::provider::KNOWN",
            "tidewall_store::third_parties::provider_clause::COUNTS",
            "tidewall_store::sql::documents::MATCHING",
            "tidewall_store::sql::documents::MATCHING_BETWEEN",
            "tidewall_store::sql::documents::SET_WORDS",
            "tidewall_store::sql::stream::APPEND",
            "tidewall_store::time::NOW",
        ],
        "each one needs a reason and a place in this list"
    );
}
