//! Reads the audit log. Entries are appended in each change's own transaction, by `sql`.

use domain::{
    audit::{Entry, Hash, Head},
    moment::Moment,
};

use crate::{
    Reader, Result, Tx, params,
    sql::{self, PLATFORM, hash_from_hex},
};

crate::sql! {
    AFTER = "SELECT seq, at, actor, action, subject, detail, hash, key_id FROM audit_entries
             WHERE chain = $1 AND seq > $2 ORDER BY seq LIMIT $3";
    /// In a copy of a store from before there were keys.
    AFTER_PLAIN = "SELECT seq, at, actor, action, subject, detail, hash FROM audit_entries
                   WHERE chain = $1 AND seq > $2 ORDER BY seq LIMIT $3";
    OF_SUBJECT = "SELECT seq, at, actor, action, subject, detail, hash, key_id FROM audit_entries
                  WHERE chain = $1 AND subject = $2 ORDER BY seq DESC LIMIT $3";
    BEFORE = "SELECT seq, at, actor, action, subject, detail, hash, key_id FROM audit_entries
              WHERE chain = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3";
    OF_SUBJECT_BEFORE = "SELECT seq, at, actor, action, subject, detail, hash, key_id FROM audit_entries
                         WHERE chain = $1 AND subject = $4 AND seq < $2 ORDER BY seq DESC LIMIT $3";
    OF_ACTOR_BEFORE = "SELECT seq, at, actor, action, subject, detail, hash, key_id FROM audit_entries
                       WHERE chain = $1 AND actor = $4 AND seq < $2 ORDER BY seq DESC LIMIT $3";
    TIME_OF = "SELECT at FROM audit_entries WHERE chain = $1 AND seq = $2";
    MAILED = "INSERT INTO store_meta (name, value) VALUES ('audit heads mailed', $1)
              ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE store_meta.value < excluded.value";
    CHAINS = whole("verifying everything means walking every chain", "SELECT name FROM chains ORDER BY name");
}

/// One entry with its place in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    pub seq: i64,
    pub hash: Hash,
    /// The root key it was hashed with; nothing for a plain hash.
    pub key: Option<String>,
    pub entry: Entry,
}

fn read(row: &sql::Row<'_>) -> Result<AuditRow> {
    Ok(AuditRow { key: row.get(7)?, ..read_plain(row)? })
}

fn read_plain(row: &sql::Row<'_>) -> Result<AuditRow> {
    Ok(AuditRow {
        key: None,
        seq: row.get(0)?,
        entry: Entry {
            at: row.get(1)?,
            actor: row.get(2)?,
            action: row.get(3)?,
            subject: row.get(4)?,
            detail: row.get(5)?,
        },
        hash: hash_from_hex(row.text(6)?)?,
    })
}

/// The names of all chains: one for each tenant, and the platform's.
pub fn chains(reader: &mut Reader<'_>) -> Result<Vec<String>> {
    reader.query(&CHAINS, &[], |row| row.get(0))
}

pub fn platform_chain() -> &'static str {
    PLATFORM
}

pub fn head(reader: &mut Reader<'_>, chain: &str) -> Result<Head> {
    Ok(sql::head(reader, chain)?.unwrap_or(Head::EMPTY))
}

/// The entries after `seq`, oldest first, at most `limit`.
pub fn after(reader: &mut Reader<'_>, chain: &str, seq: i64, limit: u32) -> Result<Vec<AuditRow>> {
    reader.query(&AFTER, params![chain, seq, limit], read)
}

/// The same in a copy of a store from before there were keys.
pub(crate) fn after_plain(
    reader: &mut Reader<'_>,
    chain: &str,
    seq: i64,
    limit: u32,
) -> Result<Vec<AuditRow>> {
    reader.query(&AFTER_PLAIN, params![chain, seq, limit], read_plain)
}

/// Which entries are read: all, those about one record, or those of one actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditSelection<'w> {
    All,
    Subject(&'w str),
    Actor(&'w str),
}

/// The entries before `seq`, newest first, at most `limit`.
pub fn before(
    reader: &mut Reader<'_>,
    chain: &str,
    selection: AuditSelection<'_>,
    seq: i64,
    limit: u32,
) -> Result<Vec<AuditRow>> {
    match selection {
        AuditSelection::All => reader.query(&BEFORE, params![chain, seq, limit], read),
        AuditSelection::Subject(subject) => {
            reader.query(&OF_SUBJECT_BEFORE, params![chain, seq, limit, subject], read)
        }
        AuditSelection::Actor(actor) => {
            reader.query(&OF_ACTOR_BEFORE, params![chain, seq, limit, actor], read)
        }
    }
}

/// When an entry was made.
pub fn time_of(reader: &mut Reader<'_>, chain: &str, seq: i64) -> Result<Option<Moment>> {
    reader.query_opt(&TIME_OF, params![chain, seq], |row| row.get(0))
}

/// The newest entries about one record first.
pub fn of_subject(reader: &mut Reader<'_>, chain: &str, subject: &str, limit: u32) -> Result<Vec<AuditRow>> {
    reader.query(&OF_SUBJECT, params![chain, subject, limit], read)
}

/// Notes that the heads were mailed on this day, in the form `2026-11-14`. Says whether it is the first time.
pub fn note_mailed(tx: &mut Tx<'_>, day: &str) -> Result<bool> {
    Ok(tx.execute(&MAILED, params![day])? > 0)
}
