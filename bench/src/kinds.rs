//! Lists, lists as of a day, pages, files, the queue of approvals and the inbox, with 1,000 and with a million records of a
//! kind; then with 1,000 records of each kind alone and among 10,000 tenants.
//!
//! The first record is made as a client makes it; the others are copies of its rows, inserted into the file directly. The
//! cache of serialised pages is off.

use std::ops::Range;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::{
    filling,
    fixture::Fixture,
    report::{Report, Target},
    size,
    visitor::{self, Visitor},
    whole, workspace,
};

const FEW: usize = 1_000;
/// Records of each kind of every other tenant.
const EACH: usize = 10;
const ROUNDS: usize = 25;
/// The copies are this much older than their original, so that a list as of yesterday has them.
const OLDER_MS: i64 = 30 * 24 * 3_600_000;

struct Kind {
    table: &'static str,
    /// Where the record is made, and listed unless `lists` says otherwise.
    path: &'static str,
    body: Value,
    /// Where a record is made first, with which body, and the field that is given its id, if one is.
    needs: Option<(&'static str, Value, Option<&'static str>)>,
    /// What is asked for.
    lists: Vec<String>,
    /// The list as a file.
    file: Option<String>,
}

/// A record with a list of its own, one as of a day, a page, and a file.
fn listed(table: &'static str, path: &'static str, body: Value) -> Kind {
    let yesterday = app::clock::Clock::system().now().day().plus_days(-1);
    let name = match table {
        "cra_reports" => "cra-reports",
        _ => path.trim_start_matches("/api/v1/"),
    };
    let lists = vec![
        format!("{path}?limit=20"),
        format!("{path}?as_of={yesterday}&limit=20"),
        format!("/workspace/{name}"),
    ];
    Kind { table, path, body, needs: None, lists, file: Some(format!("/workspace/{name}.csv")) }
}

/// A record with these lists alone.
fn only(table: &'static str, path: &'static str, body: Value, lists: &[&str]) -> Kind {
    let lists = lists.iter().map(|&list| list.to_owned()).collect();
    Kind { table, path, body, needs: None, lists, file: None }
}

impl Kind {
    fn needing(self, path: &'static str, body: Value, field: Option<&'static str>) -> Self {
        Self { needs: Some((path, body, field)), ..self }
    }

    fn with_file(self, file: &str) -> Self {
        Self { file: Some(file.to_owned()), ..self }
    }
}

fn kinds() -> Vec<Kind> {
    let scale = json!({ "likelihood": 3, "impact": 4 });
    let finding = json!({ "title": "Old cipher accepted", "severity": "high", "owner": workspace::EMAIL });
    let programme = json!({ "name": "Tests", "framework": "dora" });
    let due = "2099-01-31";
    let mut kinds = vec![
        listed(
            "risks",
            "/api/v1/risks",
            json!({ "title": "Flood", "category": "physical", "inherent": scale }),
        ),
        listed("incidents", "/api/v1/incidents", json!({ "title": "Outage of payments" })),
        listed("controls", "/api/v1/controls", json!({ "title": "Review of rights" })),
        listed("evidence", "/api/v1/evidence", json!({ "title": "Report", "url": "https://bank.example/r" })),
        listed("evidence_requests", "/api/v1/evidence-requests", json!({ "text": "Report", "due_on": due })),
        listed("programmes", "/api/v1/programmes", programme.clone()),
        listed("test_cases", "/api/v1/test-cases", json!({ "title": "Restore", "test_type": "tlpt" }))
            .needing("/api/v1/programmes", programme, Some("programme_id")),
        listed("functions", "/api/v1/functions", json!({ "name": "Payments" })),
        listed(
            "own_frameworks",
            "/api/v1/own-frameworks",
            json!({ "key": "house-it", "title": "House rules" }),
        ),
        listed("trainings", "/api/v1/trainings", json!({ "title": "Crisis workshop", "due_on": due })),
        listed(
            "drill_runs",
            "/api/v1/drill-runs",
            json!({ "scenario": "drill-ransomware-core-banking", "planned_for": due }),
        ),
        listed(
            "cra_reports",
            "/api/v1/cra/reports",
            json!({ "kind": "severe_incident", "product": { "name": "App" }, "title": "Key published",
                    "severity": "high", "aware_at": "2026-11-14T13:00:00Z" }),
        ),
    ];
    kinds.extend(of_third_parties());
    kinds.extend([
        only(
            "tasks",
            "/api/v1/tasks",
            json!({ "title": "Call", "owner": workspace::EMAIL, "due_on": due }),
            &["/api/v1/tasks?limit=20", "/workspace/work"],
        )
        .with_file("/workspace/work.csv"),
        only(
            "approvals",
            "/api/v1/approvals",
            json!({ "action": "false_positive", "reason": "Not ours" }),
            &["/api/v1/approvals?limit=20", "/workspace/approvals"],
        )
        .needing(
            "/api/v1/findings",
            json!({ "title": "Old cipher accepted", "severity": "high" }),
            Some("subject"),
        ),
        only("inbox", "/api/v1/findings", finding.clone(), &["/workspace/inbox"]),
        only("audit_entries", "/api/v1/findings", finding, &["/api/v1/audit?limit=20", "/workspace/audit"]),
    ]);
    kinds
}

fn of_third_parties() -> [Kind; 3] {
    let arrangement = json!({
        "reference": "C-1", "provider": { "name": "Nordlicht SE", "country": "DE", "sector": "Cloud" },
        "service": "Hosting", "service_type": "S17", "technology": "Kubernetes", "region": "Frankfurt",
        "functions": [{ "name": "Payments", "critical": true }], "substitutability": "hard",
        "annual_cost": { "amount": 100, "currency": "EUR" }, "starts_on": "2026-01-01",
    });
    let mut other = arrangement.clone();
    other["reference"] = json!("C-2");
    let sender =
        json!({ "cells": { "c0010": "529900TIDEWALLBANK74", "c0020": "Bank", "c0030": "eba_GA:DE" } });
    let filings = "/api/v1/register/filings";
    [
        // Arrangements make providers.
        only(
            "providers",
            "/api/v1/ict-arrangements",
            other,
            &["/api/v1/providers?limit=20", "/workspace/providers"],
        )
        .with_file("/workspace/providers.csv"),
        listed("arrangements", "/api/v1/ict-arrangements", arrangement),
        only(
            "register_filings",
            filings,
            json!({ "owner": "Anna Brandt" }),
            &["/api/v1/register/filings?limit=20", "/workspace/register/filings"],
        )
        .needing("/api/v1/register/B_01.01/rows", sender, None),
    ]
}

pub(crate) async fn measure(report: &mut Report) {
    let count = size::at_most(1_000_000).max(FEW);
    for kind in kinds() {
        let small = Filled::with(std::slice::from_ref(&kind), FEW, 1).await;
        let large = Filled::with(std::slice::from_ref(&kind), count, 1).await;
        let sizes = [FEW, count];
        growth(report, &format!("growth in {}", kind.table), &kind, [&small, &large], sizes).await;
        if let Some(path) = &kind.file {
            let what = format!("growth in {}: {path}", kind.table);
            whole::file(report, &what, path, [&small.visitor, &large.visitor], sizes).await;
        }
    }
    let (kinds, tenants) = (kinds(), size::at_most(10_000).max(2));
    let alone = Filled::with(&kinds, FEW, 1).await;
    let among = Filled::with(&kinds, FEW, tenants).await;
    for kind in &kinds {
        growth(report, "growth in tenants", kind, [&alone, &among], [1, tenants]).await;
    }
}

/// What is asked for in a small and in a large store, which take turns.
async fn growth(report: &mut Report, what: &str, kind: &Kind, stores: [&Filled; 2], sizes: [usize; 2]) {
    for path in &kind.lists {
        let (few, many) = visitor::in_turns(&stores[0].visitor, &stores[1].visitor, path, ROUNDS).await;
        let note = format!("{many:.2} ms with {}, {few:.2} ms with {}, one at a time", sizes[1], sizes[0]);
        report.add(&format!("{what}: {path}"), many / few, "×", Target::AtMost(1.3), note);
    }
}

/// A store with so many records of each of these kinds.
struct Filled {
    visitor: Visitor,
    _fixture: Fixture,
}

impl Filled {
    /// The other tenants have a few records of each.
    async fn with(kinds: &[Kind], count: usize, tenants: usize) -> Self {
        let fixture = Fixture::keeping(0).await;
        fixture.app.reload_catalogue().await.unwrap().unwrap();
        filling::tenants(&fixture, tenants - 1).await;
        let visitor = Visitor::new(&fixture).await;
        for kind in kinds {
            first(&visitor, kind).await;
        }
        let (path, own) = (fixture.dir.path().join("tidewall.db"), fixture.caller.tenant());
        let tables: Vec<&str> = kinds.iter().map(|kind| kind.table).collect();
        let others = tenants - 1;
        let fill = move || {
            let db = Connection::open(path).unwrap();
            // Records refer to others of their tenant, which the copies for other tenants lack.
            db.execute_batch(&format!(
                "PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; PRAGMA foreign_keys = OFF;
                 CREATE TEMP TABLE others AS SELECT id FROM tenants WHERE id <> '{own}'"
            ))
            .unwrap();
            for table in tables {
                multiply(&db, table, &format!("'{own}'"), 1..count);
                if others > 0 {
                    let tenant = format!("(SELECT id FROM others WHERE rowid = 1 + n % {others})");
                    multiply(&db, table, &tenant, count..count + EACH * others);
                }
            }
            db.execute_batch(&format!("UPDATE test_case_counts SET n = {count}")).unwrap();
        };
        tokio::task::spawn_blocking(fill).await.unwrap();
        Self { visitor, _fixture: fixture }
    }
}

/// Makes the record that is copied.
async fn first(visitor: &Visitor, kind: &Kind) {
    let mut body = kind.body.clone();
    if let Some((path, needed, field)) = &kind.needs {
        let id = visitor.create(path, needed).await["id"].take();
        if let Some(field) = field {
            body[*field] = id;
        }
    }
    if kind.table == "trainings" {
        let people: Value = serde_json::from_slice(&visitor.get("/api/v1/people").await).unwrap();
        body["people"] = json!([people["data"][0]["id"]]);
    }
    visitor.create(kind.path, &body).await;
}

/// Inserts copies of the newest row of a table, which differ in their tenant, their ids, in whatever else must differ, and in
/// their times.
fn multiply(db: &Connection, table: &str, tenant: &str, numbers: Range<usize>) {
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
        // The chain of an audit entry has the name of its tenant.
        ("tenant_id" | "chain", _) => tenant.to_owned(),
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
         WITH RECURSIVE many (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM many WHERE n < {last})
         INSERT INTO {table} ({names}) SELECT {values} FROM many, (SELECT * FROM {table} ORDER BY rowid DESC LIMIT 1);
         COMMIT; PRAGMA wal_checkpoint(TRUNCATE);",
        first = numbers.start,
        last = numbers.end - 1,
        names = names.join(", "),
        values = values.join(", "),
    ))
    .unwrap();
}
