//! Lists that stay flat: a page of a tenant with 100,000 findings in a store of a million, beside the same page of a
//! tenant with 1,000 that has the store to itself.
//!
//! The rows are put into the file directly, because a million changes with their history, events and audit entries
//! would take longer than everything else here; what is read is what the product reads. The cache of serialised pages
//! is not asked. `TIDEWALL_BENCH_FINDINGS` makes the large store smaller for a quick look.

use std::time::Instant;

use app::{
    authz::Caller,
    finding::{FindingFilter, States},
};
use domain::{
    id::{FindingId, TenantId, Uuid7},
    page::PageRequest,
    text::Name,
};
use rusqlite::{Connection, params};

use crate::{
    fixture::Fixture,
    report::{Report, Target, median},
};

/// The tenants the large store is shared by, each with as many findings.
const TENANTS: usize = 10;
const ROUNDS: usize = 7;
const READS: usize = 40;

pub(crate) async fn measure(report: &mut Report) {
    let count = std::env::var("TIDEWALL_BENCH_FINDINGS").ok().and_then(|text| text.parse().ok());
    let count: usize = count.unwrap_or(1_000_000);
    let small = Store::new(1, 1_000).await;
    let started = Instant::now();
    let large = Store::new(TENANTS, count / TENANTS).await;
    let filling = started.elapsed().as_secs_f64();
    let total = large.page(&FindingFilter::default(), 0).await;
    let (first, search) = (FindingFilter::default(), by_reference(count / TENANTS / 2));
    let everything = FindingFilter { states: States::All, ..FindingFilter::default() };
    let (mut few, mut many) = (Vec::new(), Vec::new());
    let (mut deep, mut middle, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        few.push(small.time(&first, 0).await);
        many.push(large.time(&first, 0).await);
        deep.push(large.time(&everything, (count / TENANTS) as u64 - 50).await);
        middle.push(large.time(&first, total / 2).await);
        found.push(large.time(&search, 0).await);
    }
    let base = median(few);
    let middle = median(middle) / base;
    let mut add = |what: &str, measured: f64, most: f64, more: String| {
        let note = format!("{measured:.0} µs, {base:.0} µs with 1,000{more}");
        report.add(what, measured / base, "×", Target::AtMost(most), note);
    };
    let filled = format!("; {count} findings filled in {filling:.0} s");
    add("findings: first page with its total", median(many), 1.3, filled);
    let halfway = format!("; {middle:.1} × in the very middle, from which both ends are as far");
    add("findings: deepest page", median(deep), 10.0, halfway);
    add("findings: search by reference", median(found), 5.0, String::new());
    drop(large);
    grow(report, &small, count).await;
}

/// The same page when there are ever more other tenants, up to as many findings in all.
async fn grow(report: &mut Report, small: &Store, count: usize) {
    for (tenants, each) in [(100, count / 1_000), (10_000, count / 10_000)] {
        let store = Store::new(tenants, each.max(60)).await;
        let (filter, mut few, mut many) = (FindingFilter::default(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            few.push(small.time(&filter, 0).await);
            many.push(store.time(&filter, 0).await);
        }
        let (few, many) = (median(few), median(many));
        let what = format!("findings: first page among {tenants} tenants");
        let note = format!("{many:.0} µs, {few:.0} µs with one tenant; {each} findings each");
        report.add(&what, many / few, "×", Target::AtMost(1.3), note);
    }
}

fn by_reference(number: usize) -> FindingFilter {
    let search = Some(format!("F-2026-{number:04}"));
    FindingFilter { states: States::All, search, ..FindingFilter::default() }
}

struct Store {
    fixture: Fixture,
}

impl Store {
    /// Findings of the first tenant are mixed with those of the others, as they would come in.
    async fn new(tenants: usize, each: usize) -> Self {
        let fixture = Fixture::keeping(0).await;
        let mut owners = vec![fixture.caller.tenant()];
        for number in 1..tenants {
            let slug = format!("tenant-{number}").parse().unwrap();
            let row = fixture.app.create_tenant(slug, Name::parse("Other").unwrap()).await.unwrap();
            owners.push(Caller::operator(&row).tenant());
        }
        let path = fixture.dir.path().join("tidewall.db");
        tokio::task::spawn_blocking(move || fill(&Connection::open(path).unwrap(), &owners, each))
            .await
            .unwrap();
        Self { fixture }
    }

    /// How long the list is.
    async fn page(&self, filter: &FindingFilter, offset: u64) -> u64 {
        let request = PageRequest::new(Some(50), Some(offset)).unwrap();
        let page = self.fixture.app.findings(&self.fixture.caller, filter, request).await.unwrap();
        assert!(!page.items.is_empty());
        page.total
    }

    /// Microseconds for one page, on average.
    async fn time(&self, filter: &FindingFilter, offset: u64) -> f64 {
        let started = Instant::now();
        for _ in 0..READS {
            self.page(filter, offset).await;
        }
        started.elapsed().as_secs_f64() * 1e6 / READS as f64
    }
}

const SYSTEMS: [&str; 7] =
    ["payments-gateway", "core-ledger", "online-banking", "trading", "loans", "warehouse", "branches"];
const STATES: [(&str, bool); 5] =
    [("open", true), ("in_progress", true), ("closed", false), ("closed", false), ("false_positive", false)];

fn fill(db: &Connection, tenants: &[TenantId], each: usize) {
    db.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN").unwrap();
    // Sorting a whole index at its end is many times faster than keeping it sorted.
    let indexes: Vec<(String, String)> = db
        .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'findings' AND sql IS NOT NULL")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (name, _) in &indexes {
        db.execute_batch(&format!("DROP INDEX {name}")).unwrap();
    }
    let mut doc = 0;
    for number in 1..=each {
        for (place, tenant) in tenants.iter().enumerate() {
            doc += 1;
            insert(db, doc, (number, place), *tenant);
        }
    }
    for (_, definition) in &indexes {
        db.execute_batch(definition).unwrap();
    }
    db.execute_batch(
        "INSERT INTO finding_counts (tenant_id, parent, status, severity, n)
         SELECT tenant_id, '', status, severity, COUNT(*) FROM findings GROUP BY tenant_id, status, severity;
         COMMIT; PRAGMA wal_checkpoint(TRUNCATE);",
    )
    .unwrap();
}

fn insert(db: &Connection, doc: i64, (number, place): (usize, usize), tenant: TenantId) {
    let tenant = tenant.to_string();
    let millis = 1_760_000_000_000 + number as u64;
    let id = FindingId::from(Uuid7::from_parts(millis, place as u128)).to_string();
    let system = SYSTEMS[number % SYSTEMS.len()];
    let (status, open) = STATES[number % STATES.len()];
    let title = format!("Finding {number} in {system}: access wider than its purpose");
    let description = "An account can change more than its task needs. Seen in the yearly review of rights.";
    let (millis, ordinal) = (i64::try_from(millis).unwrap(), i64::try_from(number).unwrap());
    db.prepare_cached(
        "INSERT INTO findings (id, tenant_id, year, number, title, description, severity, status, open, owner,
                               affected_asset, remediation, measures, detected_at, due_on, version, created_at,
                               updated_at)
         VALUES (?1, ?2, 2026, ?3, ?4, ?5, ?6, ?7, ?8, 'Anna Brandt', ?9, ?5, '[]', ?10, '2027-01-31', 1, ?10, ?10)",
    )
    .unwrap()
    .execute(params![id, tenant, ordinal, title, description, ordinal % 5 + 1, status, open, system, millis])
    .unwrap();
    db.prepare_cached("INSERT INTO documents (doc, tenant_id, record_id) VALUES (?1, ?2, ?3)")
        .unwrap()
        .execute(params![doc, tenant, id])
        .unwrap();
    let mark = format!("{}f", &tenant[tenant.len() - 8..]);
    let words = format!(
        "f 2026 {number:04} finding {number} in {system} access wider than its purpose account change rights"
    );
    let tokens: Vec<String> = words.split([' ', '-']).map(|word| format!("{mark}{word}")).collect();
    db.prepare_cached("INSERT INTO document_texts (rowid, tokens) VALUES (?1, ?2)")
        .unwrap()
        .execute(params![doc, tokens.join(" ")])
        .unwrap();
}
