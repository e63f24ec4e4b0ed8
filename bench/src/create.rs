//! Creating findings over HTTP beside bare rusqlite writing the very same rows to a copy of the store, as many of
//! them per commit as clients wait for a response; and on PostgreSQL over several institutions at once.
//!
//! The written rows are read from the file afterwards, so the ceiling follows whatever a creation writes. Only the
//! search tokens cannot be read back: as many are generated as there were.

use std::{path::Path, time::Instant};

use domain::permission::Permissions;
use rusqlite::{Connection, params_from_iter, types::Value};
use testkit::Engine;

use crate::{
    filling,
    fixture::{Fixture, Spec, new_key},
    load::{self, Side},
    report::{Report, Target, median},
};

const CLIENTS: usize = 64;
/// Findings each client creates in a round.
const TIMES: usize = 20;
const ROUNDS: usize = 5;

pub(crate) async fn measure(report: &mut Report) {
    beside_bare_statements(report).await;
    if std::env::var_os("TIDEWALL_TEST_POSTGRES").is_some() {
        over_several_tenants(report).await;
    }
}

/// Clients that take turns with the institutions on PostgreSQL.
async fn over_several_tenants(report: &mut Report) {
    const CLIENTS: usize = 16;
    const TENANTS: usize = 5;
    // No multiple of the institutions, or all clients would change the same one at a time.
    const TIMES: usize = 101;
    let fixture = Fixture::with(Spec { engine: Engine::Postgres, ..Spec::default() }).await;
    let mut requests = vec![load::new_finding(&fixture.key)];
    for tenant in filling::tenants(&fixture, TENANTS - 1).await {
        requests.push(load::new_finding(&new_key(&fixture.app, &tenant, Permissions::all()).await));
    }
    let address = load::serve(fixture.service()).await;
    let clients = Side { connections: CLIENTS, times: TIMES, ..Side::new(address, requests) };
    // Connections are made and statements prepared.
    clients.drive().await;
    let [pace] = load::in_turns(ROUNDS, [&clients]).await;
    let note = format!("p50 {:.1} ms, p99 {:.1} ms", pace.p50 / 1e3, pace.p99 / 1e3);
    let what = format!("creations of findings by {CLIENTS} clients over {TENANTS} tenants, Postgres");
    report.add(&what, pace.per_second, "/s", Target::AtLeast(1500.0), note);
}

async fn beside_bare_statements(report: &mut Report) {
    let fixture = Fixture::new().await;
    let address = load::serve(fixture.service()).await;
    let request = load::new_finding(&fixture.key);
    let clients = Side { connections: CLIENTS, times: TIMES, ..Side::new(address, vec![request]) };
    // The very first finding inserts rows that the others only update.
    load::body_of(address, &clients.requests[0]).await;
    let mut ceiling = Ceiling::beside(&fixture.dir.path().join("tidewall.db"));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(clients.drive().await);
        theirs.push(ceiling.follow(CLIENTS * TIMES));
    }
    let (ours, theirs) = (load::Pace::middle(&ours), median(theirs));
    let note = format!(
        "{:.0}/s with {CLIENTS} clients, {theirs:.0}/s bare ({} statements each, {CLIENTS} to a commit); p50 {:.1} ms, \
         p99 {:.1} ms",
        ours.per_second,
        ceiling.statements,
        ours.p50 / 1e3,
        ours.p99 / 1e3
    );
    report.add("create a finding, Sqlite", ours.per_second / theirs, "×", Target::AtLeast(0.5), note);
}

/// A copy of the store that is updated without our code.
struct Ceiling {
    /// The connection that reads the rows written by the product.
    source: Connection,
    copy: Connection,
    /// The tables of the store, and the last row of each that the copy has.
    tables: Vec<(String, i64)>,
    /// The number of statements of one creation.
    statements: usize,
}

/// What a creation changes besides the rows it adds: counts, numbers, and the end of the audit chain.
const CHANGES: [&str; 3] = [
    "UPDATE finding_numbers SET last = last + 1 WHERE tenant_id = ?1",
    "UPDATE finding_counts SET n = n + 1 WHERE tenant_id = ?1",
    "UPDATE chains SET revision = revision + 1, audit_seq = audit_seq + 1 WHERE name = ?1",
];

/// The rows one creation added: each with the place of its statement.
type Creation = Vec<(usize, Vec<Value>)>;

impl Ceiling {
    fn beside(path: &Path) -> Self {
        let source = Connection::open(path).unwrap();
        let copied = path.with_file_name("ceiling.db");
        source.execute("VACUUM INTO ?1", [copied.to_str().unwrap()]).unwrap();
        let copy = Connection::open(copied).unwrap();
        copy.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
            .unwrap();
        let names = table_names(&copy);
        let tables = names.into_iter().map(|name| {
            let seen = last(&source, &name);
            (name, seen)
        });
        Self { tables: tables.collect(), source, copy, statements: 0 }
    }

    /// Writes the rows that the product has written since, and returns the creations per second.
    fn follow(&mut self, creations: usize) -> f64 {
        let (inserts, rows) = self.added(creations);
        let words = self.words();
        let tenant: String = self.source.query_row("SELECT id FROM tenants", [], |row| row.get(0)).unwrap();
        self.statements = rows[0].len() + 1 + CHANGES.len();
        let started = Instant::now();
        for shared in rows.chunks(CLIENTS) {
            self.copy.execute_batch("BEGIN IMMEDIATE").unwrap();
            for creation in shared {
                self.write(creation, &inserts, &words, &tenant);
            }
            self.copy.execute_batch("COMMIT").unwrap();
        }
        creations as f64 / started.elapsed().as_secs_f64()
    }

    fn write(&self, creation: &Creation, inserts: &[String], words: &str, tenant: &str) {
        for (place, row) in creation {
            let mut insert = self.copy.prepare_cached(&inserts[*place]).unwrap();
            assert_eq!(insert.execute(params_from_iter(row)).unwrap(), 1);
        }
        let mut index = self
            .copy
            .prepare_cached("INSERT INTO document_texts (rowid, tokens) SELECT MAX(doc), ?1 FROM documents")
            .unwrap();
        index.execute([words]).unwrap();
        for change in CHANGES {
            let changed = self.copy.prepare_cached(change).unwrap().execute([tenant]).unwrap();
            assert!(changed > 0, "{change}");
        }
    }

    /// The rows that are in the store and not yet in the copy, creation by creation, and their insert statements.
    fn added(&mut self, creations: usize) -> (Vec<String>, Vec<Creation>) {
        let (mut inserts, mut added) = (Vec::new(), vec![Creation::new(); creations]);
        for (name, seen) in &mut self.tables {
            let mut statement = self
                .source
                .prepare(&format!("SELECT * FROM {name} WHERE rowid > ?1 ORDER BY rowid"))
                .unwrap();
            let columns = statement.column_count();
            let values = |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get(column)).collect();
            let rows: Vec<Vec<Value>> =
                statement.query_map([*seen], values).unwrap().map(Result::unwrap).collect();
            assert_eq!(rows.len() % creations, 0, "{} rows of {name} for {creations} creations", rows.len());
            let each = rows.len() / creations;
            for (row, values) in rows.into_iter().enumerate() {
                added[row / each].push((inserts.len(), values));
            }
            inserts.push(format!("INSERT INTO {name} VALUES (?{})", ", ?".repeat(columns - 1)));
            *seen = last(&self.source, name);
        }
        (inserts, added)
    }

    /// As many tokens as the last finding has.
    fn words(&self) -> String {
        let count: Vec<u8> = self
            .source
            .query_row("SELECT sz FROM document_texts_docsize ORDER BY id DESC LIMIT 1", [], |row| row.get(0))
            .unwrap();
        // A variable-length integer: seven bits per byte, the highest first.
        let count = count.iter().fold(0, |sum, byte| sum << 7 | usize::from(byte & 0x7f));
        (0..count).map(|number| format!("0000000{}word{number}", number % 5)).collect::<Vec<_>>().join(" ")
    }
}

fn last(db: &Connection, table: &str) -> i64 {
    db.query_row(&format!("SELECT COALESCE(MAX(rowid), 0) FROM {table}"), [], |row| row.get(0)).unwrap()
}

fn table_names(db: &Connection) -> Vec<String> {
    let mut names = db
        .prepare(
            // Rows are followed by their number, which a few tables do not have.
            "SELECT m.name FROM sqlite_master m JOIN pragma_table_list l ON l.name = m.name AND l.schema = 'main'
             WHERE m.type = 'table' AND l.wr = 0 AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'document_texts%'
             ORDER BY m.rowid",
        )
        .unwrap();
    names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}
