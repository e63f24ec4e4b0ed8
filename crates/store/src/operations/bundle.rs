//! Audit bundles, and the sealed key that signs them. A bundle that waits is claimed by the node that makes it; a claim
//! that has ended without a result can be claimed again.

use domain::{
    bundle::{BundleState, BundleWish},
    id::{BundleId, TenantId},
    moment::Moment,
    page::{Page, PageRequest},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{List, Order, Row, cursor_columns},
};

crate::sql! {
    INSERT = "INSERT INTO bundles (id, tenant_id, framework, as_of, from_on, language, state, progress, asked_by, asked_at,
                                   claimed_until)
              VALUES ($1, $2, $3, $4, $5, $6, 'waiting', 0, $7, $8, 0)";
    GET = "SELECT b.id, b.framework, b.as_of, b.from_on, b.language, b.state, b.progress, b.asked_by, b.asked_at,
                  b.made_at, b.content_id, b.bytes, b.sha256, b.problem, b.stamped_at
           FROM bundles b WHERE b.tenant_id = $1 AND b.id = $2";
    OPEN = "SELECT tenant_id, id FROM bundles WHERE state = 'waiting' AND claimed_until = 0 ORDER BY id LIMIT $1";
    LEFT = "SELECT tenant_id, id FROM bundles WHERE state = 'making' AND claimed_until < $1 ORDER BY claimed_until, id
            LIMIT $2";
    CLAIM = "UPDATE bundles SET state = 'making', progress = 0, claim = $3, claimed_until = $4
             WHERE tenant_id = $1 AND id = $2 AND state IN ('waiting', 'making') AND claimed_until < $5";
    PROGRESS = "UPDATE bundles SET progress = $4, claimed_until = $5
                WHERE tenant_id = $1 AND id = $2 AND claim = $3 AND state = 'making'";
    MADE = "UPDATE bundles SET state = 'made', progress = 100, made_at = $4, content_id = $5, bytes = $6, sha256 = $7, stamped_at = $8
            WHERE tenant_id = $1 AND id = $2 AND claim = $3 AND state = 'making'";
    FAILED = "UPDATE bundles SET state = 'failed', problem = $4
              WHERE tenant_id = $1 AND id = $2 AND claim = $3 AND state = 'making'";
    IN_HAND = "SELECT id FROM bundles WHERE tenant_id = $1 AND state IN ('waiting', 'making') ORDER BY id LIMIT 1";
    DELETE = "DELETE FROM bundles WHERE tenant_id = $1 AND id = $2 AND state <> 'making'";
    OLD = "SELECT tenant_id, id FROM bundles WHERE state IN ('made', 'failed') AND asked_at < $1 ORDER BY id LIMIT $2";
    KEY = "SELECT value FROM store_meta WHERE name = 'bundle key'";
    PUT_KEY = "INSERT INTO store_meta (name, value) VALUES ('bundle key', $1) ON CONFLICT (name) DO NOTHING";
    SET_KEY = "UPDATE store_meta SET value = $1 WHERE name = 'bundle key'";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "bundles",
    columns: "b.id, b.framework, b.as_of, b.from_on, b.language, b.state, b.progress, b.asked_by, b.asked_at,
              b.made_at, b.content_id, b.bytes, b.sha256, b.problem, b.stamped_at",
    stamps: None,
    from: "bundles b",
    base: "b.tenant_id = $1",
    filters: &[],
    tagged: None,
    orders: &[Order { name: "-asked_at", by: "b.id DESC", back: "b.id" }],
    found: None,
    cursor: cursor_columns!("b.id", BundleId, "b.asked_at"),
};

/// Where the bytes of a bundle are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleFile {
    pub content_id: String,
    pub bytes: u64,
    pub sha256: String,
    /// The moment that its time stamp states, if it has one.
    pub stamped_at: Option<Moment>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleRow {
    pub id: BundleId,
    pub wish: BundleWish,
    pub state: BundleState,
    /// In percent.
    pub progress: i64,
    pub asked_by: String,
    pub asked_at: Moment,
    pub made_at: Option<Moment>,
    /// There once it is made.
    pub file: Option<BundleFile>,
    /// Why it failed.
    pub problem: Option<String>,
}

impl BundleRow {
    /// A bundle that is asked for now.
    pub fn new(id: BundleId, wish: BundleWish, asked_by: String, now: Moment) -> Self {
        Self {
            id,
            wish,
            state: BundleState::Waiting,
            progress: 0,
            asked_by,
            asked_at: now,
            made_at: None,
            file: None,
            problem: None,
        }
    }
}

fn read(row: &Row<'_>) -> Result<BundleRow> {
    let bytes = row.get::<Option<i64>>(11)?.and_then(|bytes| u64::try_from(bytes).ok());
    let file = row.get::<Option<String>>(10)?.zip(bytes).zip(row.get::<Option<String>>(12)?);
    let stamped_at = row.get(14)?;
    Ok(BundleRow {
        id: row.parse(0)?,
        wish: BundleWish {
            framework: row.parse_opt(1)?,
            as_of: row.parse(2)?,
            from: row.parse_opt(3)?,
            language: row.parse(4)?,
        },
        state: row.parse(5)?,
        progress: row.get(6)?,
        asked_by: row.get(7)?,
        asked_at: row.get(8)?,
        made_at: row.get(9)?,
        file: file.map(|((content_id, bytes), sha256)| BundleFile { content_id, bytes, sha256, stamped_at }),
        problem: row.get(13)?,
    })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &BundleRow) -> Result<()> {
    let BundleWish { framework, as_of, from, language } = &row.wish;
    let framework = framework.map(|framework| framework.to_string());
    let from = from.map(|day| day.to_string());
    tx.execute(
        &INSERT,
        params![
            row.id,
            scope.tenant(),
            framework.as_deref(),
            *as_of,
            from.as_deref(),
            language.as_str(),
            &row.asked_by,
            row.asked_at,
        ],
    )?;
    Ok(())
}

/// Newest first.
pub fn list(reader: &mut Reader<'_>, scope: &TenantScope, request: PageRequest) -> Result<Page<BundleRow>> {
    LIST.query(scope).page(reader, request, read)
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: BundleId) -> Result<Option<BundleRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// Bundles of all tenants that no node makes: those that wait, and those whose node went away.
pub fn open(reader: &mut Reader<'_>, now: Moment, limit: u32) -> Result<Vec<(TenantId, BundleId)>> {
    let both = |row: &Row<'_>| Ok((row.parse(0)?, row.parse(1)?));
    let mut found = reader.query(&LEFT, params![now, limit], both)?;
    found.extend(reader.query(&OPEN, params![limit], both)?);
    Ok(found)
}

/// The bundle of the tenant that waits or is being made.
pub fn in_hand(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<BundleRow>> {
    match reader.query_opt(&IN_HAND, params![scope.tenant()], |row| row.parse::<BundleId>(0))? {
        Some(id) => get(reader, scope, id),
        None => Ok(None),
    }
}

/// Finished bundles of all tenants that were asked for before a moment.
pub fn old(reader: &mut Reader<'_>, before: Moment, limit: u32) -> Result<Vec<(TenantId, BundleId)>> {
    reader.query(&OLD, params![before, limit], |row| Ok((row.parse(0)?, row.parse(1)?)))
}

/// Deletes a bundle, but not its bytes. Says whether it was there and not being made.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: BundleId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), id])? > 0)
}

/// Claims a bundle. Says whether no other node has it.
pub fn claim(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: BundleId,
    claim: &str,
    (now, until): (Moment, Moment),
) -> Result<bool> {
    Ok(tx.execute(&CLAIM, params![scope.tenant(), id, claim, until, now])? > 0)
}

/// Notes how far it is, and holds the claim longer. Says whether the claim still holds.
pub fn progress(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: BundleId,
    claim: &str,
    (percent, until): (i64, Moment),
) -> Result<bool> {
    Ok(tx.execute(&PROGRESS, params![scope.tenant(), id, claim, percent, until])? > 0)
}

/// Ends the work with its file. Says whether the claim still held.
pub fn made(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: BundleId,
    claim: &str,
    (file, now): (&BundleFile, Moment),
) -> Result<bool> {
    let BundleFile { content_id, bytes, sha256, stamped_at } = file;
    let values = params![scope.tenant(), id, claim, now, content_id, *bytes, sha256, *stamped_at];
    Ok(tx.execute(&MADE, values)? > 0)
}

/// Ends the work without one.
pub fn failed(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: BundleId,
    claim: &str,
    problem: &str,
) -> Result<bool> {
    Ok(tx.execute(&FAILED, params![scope.tenant(), id, claim, problem])? > 0)
}

/// The sealed seed of the key that signs bundles.
pub fn key(reader: &mut Reader<'_>) -> Result<Option<String>> {
    reader.query_opt(&KEY, &[], |row| row.get(0))
}

/// Stores the key of a store that has none yet.
pub fn put_key(tx: &mut Tx<'_>, sealed: &str) -> Result<()> {
    tx.execute(&PUT_KEY, params![sealed])?;
    Ok(())
}

/// Stores the same key, sealed with another vault key.
pub fn set_key(tx: &mut Tx<'_>, sealed: &str) -> Result<()> {
    tx.execute(&SET_KEY, params![sealed])?;
    Ok(())
}
