//! Lists, lists as of a day, pages, the queue of approvals and the inbox, with 1,000 and with a million records of a kind.
//!
//! The first record is made as a client makes it; the others are copies of its rows, inserted into the file directly. The
//! cache of serialised pages is off.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::{
    fixture::Fixture,
    report::{Report, Target},
    size,
    visitor::{self, Visitor},
    workspace,
};

const FEW: usize = 1_000;
const ROUNDS: usize = 25;
/// The copies are this much older than their original, so that a list as of yesterday has them.
const OLDER_MS: i64 = 30 * 24 * 3_600_000;

struct Kind {
    table: &'static str,
    /// Where the record is made, and listed unless `lists` says otherwise.
    path: &'static str,
    body: Value,
    /// What is asked for.
    lists: Vec<String>,
}

/// A record with a list of its own, one as of a day, and a page.
fn listed(table: &'static str, name: &str, path: &'static str, body: Value) -> Kind {
    let yesterday = app::clock::Clock::system().now().day().plus_days(-1);
    let lists = vec![
        format!("{path}?limit=20"),
        format!("{path}?as_of={yesterday}&limit=20"),
        format!("/workspace/{name}"),
    ];
    Kind { table, path, body, lists }
}

fn kinds() -> Vec<Kind> {
    let scale = json!({ "likelihood": 3, "impact": 4 });
    let arrangement = json!({
        "reference": "C-1", "provider": { "name": "Nordlicht SE", "country": "DE", "sector": "Cloud" },
        "service": "Hosting", "service_type": "S17", "technology": "Kubernetes", "region": "Frankfurt",
        "functions": [{ "name": "Payments", "critical": true }], "substitutability": "hard",
        "annual_cost": { "amount": 100, "currency": "EUR" }, "starts_on": "2026-01-01",
    });
    let finding = json!({ "title": "Old cipher accepted", "severity": "high", "owner": workspace::EMAIL });
    vec![
        listed(
            "risks",
            "risks",
            "/api/v1/risks",
            json!({ "title": "Flood", "category": "physical", "inherent": scale }),
        ),
        listed("incidents", "incidents", "/api/v1/incidents", json!({ "title": "Outage of payments" })),
        listed("controls", "controls", "/api/v1/controls", json!({ "title": "Review of rights" })),
        listed(
            "evidence",
            "evidence",
            "/api/v1/evidence",
            json!({ "title": "Report", "url": "https://bank.example/r" }),
        ),
        listed(
            "programmes",
            "programmes",
            "/api/v1/programmes",
            json!({ "name": "Tests", "framework": "dora" }),
        ),
        listed("functions", "functions", "/api/v1/functions", json!({ "name": "Payments" })),
        listed("arrangements", "ict-arrangements", "/api/v1/ict-arrangements", arrangement),
        Kind {
            table: "tasks",
            path: "/api/v1/tasks",
            body: json!({ "title": "Call", "owner": workspace::EMAIL, "due_on": "2099-01-31" }),
            lists: ["/api/v1/tasks?limit=20", "/workspace/work"].map(str::to_owned).to_vec(),
        },
        Kind {
            table: "approvals",
            path: "/api/v1/approvals",
            body: json!({ "action": "false_positive", "reason": "Not ours" }),
            lists: ["/api/v1/approvals?limit=20", "/workspace/approvals"].map(str::to_owned).to_vec(),
        },
        Kind {
            table: "inbox",
            path: "/api/v1/findings",
            body: finding,
            lists: vec!["/workspace/inbox".to_owned()],
        },
    ]
}

pub(crate) async fn measure(report: &mut Report) {
    let count = size::at_most(1_000_000).max(FEW);
    for kind in kinds() {
        let small = filled(&kind, FEW).await;
        let large = filled(&kind, count).await;
        for path in &kind.lists {
            let (few, many) = visitor::in_turns(&small.1, &large.1, path, ROUNDS).await;
            let note = format!("{many:.2} ms with {count}, {few:.2} ms with {FEW}, one at a time");
            report.add(
                &format!("growth in {}: {path}", kind.table),
                many / few,
                "×",
                Target::AtMost(1.3),
                note,
            );
        }
    }
}

async fn filled(kind: &Kind, count: usize) -> (Fixture, Visitor) {
    let fixture = Fixture::keeping(0).await;
    fixture.app.reload_catalogue().await.unwrap().unwrap();
    let visitor = Visitor::new(&fixture).await;
    let mut body = kind.body.clone();
    if kind.table == "approvals" {
        let finding = json!({ "title": "Old cipher accepted", "severity": "high" });
        body["subject"] = visitor.create("/api/v1/findings", &finding).await["id"].take();
    }
    visitor.create(kind.path, &body).await;
    let (path, table) = (fixture.dir.path().join("tidewall.db"), kind.table);
    let multiply = move || multiply(&Connection::open(path).unwrap(), table, count - 1);
    tokio::task::spawn_blocking(multiply).await.unwrap();
    (fixture, visitor)
}

/// Inserts copies of the only row of a table, which differ in their ids, in whatever else must differ, and in their times.
fn multiply(db: &Connection, table: &str, copies: usize) {
    db.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000").unwrap();
    let read = |text: &str| -> Vec<(String, String)> {
        let mut statement = db.prepare(text).unwrap();
        let rows = statement.query_map([table], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let columns = read("SELECT name, type FROM pragma_table_info(?1) ORDER BY cid");
    let unique = read(
        "SELECT column.name, index_.name FROM pragma_index_list(?1) index_, pragma_index_info(index_.name) column
         WHERE index_.\"unique\" AND column.name <> 'tenant_id'",
    );
    let value = |(name, kind): &(String, String)| match (name.as_str(), kind.as_str()) {
        ("id", _) => "substr(id, 1, length(id) - 7) || printf('%07d', n)".to_owned(),
        ("created_at" | "updated_at", _) => format!("{name} - {OLDER_MS} + n"),
        // A person, and the reason of a notice, are the same in all.
        ("user_id" | "reason", _) => name.clone(),
        (name, kind) if unique.iter().any(|(column, _)| column == name) => {
            if kind == "BIGINT" {
                format!("{name} + n")
            } else {
                format!("{name} || '-' || n")
            }
        }
        (name, _) => name.to_owned(),
    };
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let values: Vec<String> = columns.iter().map(value).collect();
    db.execute_batch(&format!(
        "BEGIN;
         WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < {copies})
         INSERT INTO {table} ({names}) SELECT {values} FROM many, (SELECT * FROM {table} LIMIT 1);
         COMMIT; PRAGMA wal_checkpoint(TRUNCATE);",
        names = names.join(", "),
        values = values.join(", "),
    ))
    .unwrap();
}
