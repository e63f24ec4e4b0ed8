//! Stores with very many findings, to show that the cost of a request does not grow with them.
//!
//! The rows are inserted into the database directly, because a million changes with their history, events and audit
//! entries would take longer than everything else here; the product reads them as usual. Only those words of a finding are
//! indexed that the queries here search for.

use std::fmt::Write as _;

use app::authz::Caller;
use catalogue::search::stems_of;
use domain::{
    id::{FindingId, TenantId, Uuid7},
    moment::{Day, Moment},
    text::Name,
};
use rusqlite::{Connection, params};

use crate::{
    copying,
    fixture::{Fixture, Spec},
};

/// Tenants made at the same time, so that they share commits.
const AT_ONCE: usize = 256;

/// How many findings each tenant has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Those of the requesting tenant.
    pub(crate) own: usize,
    pub(crate) others: usize,
    /// Those of each of the others.
    pub(crate) each: usize,
}

impl Shape {
    pub(crate) fn alone(own: usize) -> Self {
        Self { own, others: 0, each: 0 }
    }

    pub(crate) fn total(self) -> usize {
        self.own + self.others * self.each
    }
}

/// A filled store, and the application over it.
pub(crate) struct Store {
    pub(crate) fixture: Fixture,
    pub(crate) shape: Shape,
}

impl Store {
    /// Without the cache of serialised pages.
    pub(crate) async fn new(shape: Shape) -> Self {
        Self::with(Spec { page_bytes: 0, ..Spec::default() }, shape).await
    }

    pub(crate) async fn with(spec: Spec, shape: Shape) -> Self {
        let fixture = Fixture::with(spec).await;
        let own = fixture.caller.tenant();
        let others: Vec<TenantId> =
            tenants(&fixture, shape.others).await.iter().map(Caller::tenant).collect();
        let (path, url) = (fixture.dir.path().join("tidewall.db"), fixture.server_url().map(str::to_owned));
        let fill = move || match url {
            Some(url) => copying::fill(&url, own, &others, shape),
            None => fill(&Connection::open(path).unwrap(), own, &others, shape),
        };
        tokio::task::spawn_blocking(fill).await.unwrap();
        Self { fixture, shape }
    }
}

/// So many more institutions, as their operator.
pub(crate) async fn tenants(fixture: &Fixture, count: usize) -> Vec<Caller> {
    let mut tenants = Vec::with_capacity(count);
    while tenants.len() < count {
        let numbers = tenants.len()..count.min(tenants.len() + AT_ONCE);
        let made = numbers.map(|number| {
            let app = fixture.app.clone();
            let slug = format!("tenant-{number}").parse().unwrap();
            tokio::spawn(async move { app.people.create_tenant(slug, Name::parse("Other").unwrap()).await })
        });
        for tenant in made.collect::<Vec<_>>() {
            tenants.push(Caller::operator(&tenant.await.unwrap().unwrap()));
        }
    }
    tenants
}

/// The id of a tenant's finding; the requesting tenant has place 0.
pub(crate) fn id(number: usize, place: usize) -> FindingId {
    Uuid7::from_parts(START_MS + number as u64, place as u128).into()
}

/// A day on which all of them are there.
pub(crate) fn day_after() -> Day {
    Moment::from_millis(i64::try_from(START_MS).unwrap()).day().plus_days(30)
}

const START_MS: u64 = 1_760_000_000_000;
const SYSTEMS: [&str; 7] =
    ["payments-gateway", "core-ledger", "online-banking", "trading", "loans", "warehouse", "branches"];
const STATES: [(&str, bool); 5] =
    [("open", true), ("in_progress", true), ("closed", false), ("closed", false), ("false_positive", false)];
pub(crate) const DESCRIPTION: &str =
    "An account can change more than its task needs. Seen in the yearly review of rights.";

fn fill(db: &Connection, own: TenantId, others: &[TenantId], shape: Shape) {
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
    for_each(own, others, shape, |doc, made| insert(db, doc, made));
    for (_, definition) in &indexes {
        db.execute_batch(definition).unwrap();
    }
    db.execute_batch(COUNTED).unwrap();
    db.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
}

/// The counts and numbers that the service keeps with every change.
pub(crate) const COUNTED: &str = "
    INSERT INTO finding_counts (tenant_id, parent, status, severity, n)
    SELECT tenant_id, '', status, severity, COUNT(*) FROM findings GROUP BY tenant_id, status, severity;
    INSERT INTO finding_numbers (tenant_id, year, last)
    SELECT tenant_id, year, MAX(number) FROM findings GROUP BY tenant_id, year;";

/// A finding, and the words by which it is found.
pub(crate) struct Made {
    pub(crate) id: String,
    pub(crate) tenant: String,
    pub(crate) number: i64,
    pub(crate) title: String,
    pub(crate) severity: i64,
    pub(crate) status: &'static str,
    pub(crate) open: bool,
    pub(crate) system: &'static str,
    pub(crate) at: i64,
    pub(crate) tokens: String,
}

impl Made {
    fn new(number: usize, place: usize, tenant: TenantId, texts: &Texts) -> Self {
        let (tenant, (status, open)) = (tenant.to_string(), STATES[number % STATES.len()]);
        let ordinal = i64::try_from(number).unwrap();
        Self {
            id: id(number, place).to_string(),
            number: ordinal,
            title: format!("Finding {number} in {}: access wider than its purpose", texts.system),
            severity: ordinal / 5 % 5 + 1,
            status,
            open,
            system: texts.system,
            at: i64::try_from(START_MS).unwrap() + ordinal,
            tokens: texts.tokens(&tenant, number),
            tenant,
        }
    }
}

/// All findings with their numbers in the index. Those of all tenants are mixed, as in a real store.
pub(crate) fn for_each(own: TenantId, others: &[TenantId], shape: Shape, mut insert: impl FnMut(i64, &Made)) {
    let texts = SYSTEMS.map(Texts::new);
    let mut doc = 0;
    for number in 1..=shape.own.max(shape.each) {
        let all = std::iter::once((own, shape.own)).chain(others.iter().map(|other| (*other, shape.each)));
        for (place, (tenant, _)) in all.enumerate().filter(|(_, (_, count))| number <= *count) {
            doc += 1;
            insert(doc, &Made::new(number, place, tenant, &texts[number % SYSTEMS.len()]));
        }
    }
}

/// What is the same in all findings of one system.
struct Texts {
    system: &'static str,
    words: Vec<String>,
    stems: Vec<String>,
}

impl Texts {
    fn new(system: &'static str) -> Self {
        let text = format!("f 2026 finding in {system} access wider than its purpose");
        let words: Vec<String> = text.split([' ', '-']).map(str::to_owned).collect();
        let stems = words.iter().flat_map(|word| stems_of(word)).collect();
        Self { system, words, stems }
    }

    /// Under the letter of findings, of stems and of stems in headings.
    fn tokens(&self, tenant: &str, number: usize) -> String {
        let mark = &tenant[tenant.len() - 8..];
        let (number, reference) = (number.to_string(), format!("{number:04}"));
        let mut tokens = format!("{mark}f{number} {mark}s{number} {mark}k{number}");
        if number != reference {
            write!(tokens, " {mark}f{reference} {mark}s{reference} {mark}k{reference}").unwrap();
        }
        for word in &self.words {
            write!(tokens, " {mark}f{word}").unwrap();
        }
        for stem in &self.stems {
            write!(tokens, " {mark}s{stem} {mark}k{stem}").unwrap();
        }
        tokens
    }
}

fn insert(db: &Connection, doc: i64, made: &Made) {
    let Made { id, tenant, number, title, severity, status, open, system, at, tokens } = made;
    db.prepare_cached(
        "INSERT INTO findings (id, tenant_id, year, number, title, description, severity, status, open, owner,
                               affected_asset, remediation, measures, detected_at, due_on, version, created_at,
                               updated_at)
         VALUES (?1, ?2, 2026, ?3, ?4, ?5, ?6, ?7, ?8, 'Anna Brandt', ?9, ?5, '[]', ?10, '2027-01-31', 1, ?10, ?10)",
    )
    .unwrap()
    .execute(params![id, tenant, number, title, DESCRIPTION, severity, status, open, system, at])
    .unwrap();
    db.prepare_cached("INSERT INTO documents (doc, tenant_id, record_id) VALUES (?1, ?2, ?3)")
        .unwrap()
        .execute(params![doc, tenant, id])
        .unwrap();
    db.prepare_cached("INSERT INTO document_texts (rowid, tokens) VALUES (?1, ?2)")
        .unwrap()
        .execute(params![doc, tokens])
        .unwrap();
}
