//! The rows of `filling`, copied into PostgreSQL.

use std::{fmt::Write as _, io::Write as _};

use domain::id::TenantId;
use postgres::{Client, NoTls};

use crate::filling::{self, COUNTED, DESCRIPTION, Made, Shape};

const TABLES: [&str; 5] = ["findings", "documents", "document_texts", "finding_counts", "finding_numbers"];
const COPIES: [&str; 3] = [
    "COPY findings (id, tenant_id, year, number, title, description, severity, status, open, owner, affected_asset,
                    remediation, measures, detected_at, due_on, version, created_at, updated_at) FROM STDIN",
    "COPY documents (doc, tenant_id, record_id) FROM STDIN",
    "COPY document_texts (rowid, tenant_id, tokens) FROM STDIN",
];
/// Rows of each table that are copied at once.
const AT_ONCE: i64 = 100_000;

/// Blocks.
pub(crate) fn fill(url: &str, own: TenantId, others: &[TenantId], shape: Shape) {
    let mut client = Client::connect(url, NoTls).unwrap();
    let begin =
        "BEGIN; SET LOCAL maintenance_work_mem = '1GB'; SELECT set_config('tidewall.tenant', '*', true)";
    client.batch_execute(begin).unwrap();
    // The server copies nothing into a table with row-level security; its owner may do without for a while.
    secure(&mut client, "NO FORCE");
    let indexes = client
        .query(
            "SELECT indexname, indexdef FROM pg_indexes
             WHERE tablename IN ('findings', 'document_texts') AND indexdef NOT LIKE 'CREATE UNIQUE%'",
            &[],
        )
        .unwrap();
    for index in &indexes {
        client.batch_execute(&format!("DROP INDEX {}", index.get::<_, &str>(0))).unwrap();
    }
    let (mut lines, mut last) = ([const { String::new() }; 3], 0);
    filling::for_each(own, others, shape, |doc, made| {
        add(&mut lines, doc, made);
        last = doc;
        if doc % AT_ONCE == 0 {
            copy(&mut client, &mut lines);
        }
    });
    copy(&mut client, &mut lines);
    for index in &indexes {
        client.batch_execute(index.get(1)).unwrap();
    }
    client.batch_execute(COUNTED).unwrap();
    client.batch_execute(&format!("SELECT setval('document_numbers', {last})")).unwrap();
    secure(&mut client, "FORCE");
    client.batch_execute("COMMIT; ANALYZE").unwrap();
}

fn secure(client: &mut Client, force: &str) {
    for table in TABLES {
        client.batch_execute(&format!("ALTER TABLE {table} {force} ROW LEVEL SECURITY")).unwrap();
    }
}

/// No value has a tab, a line break or a backslash.
fn add([findings, documents, texts]: &mut [String; 3], doc: i64, made: &Made) {
    let Made { id, tenant, number, title, severity, status, open, system, at, tokens } = made;
    let open = u8::from(*open);
    writeln!(
        findings,
        "{id}\t{tenant}\t2026\t{number}\t{title}\t{DESCRIPTION}\t{severity}\t{status}\t{open}\tAnna Brandt\t{system}\t\
         {DESCRIPTION}\t[]\t{at}\t2027-01-31\t1\t{at}\t{at}"
    )
    .unwrap();
    writeln!(documents, "{doc}\t{tenant}\t{id}").unwrap();
    writeln!(texts, "{doc}\t{tenant}\t{tokens}").unwrap();
}

fn copy(client: &mut Client, lines: &mut [String; 3]) {
    for (statement, lines) in COPIES.iter().zip(lines) {
        let mut copied = client.copy_in(*statement).unwrap();
        copied.write_all(lines.as_bytes()).unwrap();
        copied.finish().unwrap();
        lines.clear();
    }
}
