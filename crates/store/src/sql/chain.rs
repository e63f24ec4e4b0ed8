//! The row that every transaction of a tenant locks: the tenant's revision and the head of its audit chain.

use domain::audit::{Entry, Hash, Head};

use super::{Error, Reader, Result, Tx};
use crate::params;

/// The chain of changes that belong to no tenant.
pub(crate) const PLATFORM: &str = "platform";

crate::sql! {
    ADVANCE = "UPDATE chains SET revision = revision + 1 WHERE name = $1
               RETURNING revision, audit_seq, audit_hash, audit_key";
    REVISION = "SELECT revision FROM chains WHERE name = $1";
    STORE_HEAD = "UPDATE chains SET audit_seq = $2, audit_hash = $3, audit_key = $4 WHERE name = $1";
    HEAD = "SELECT audit_seq, audit_hash FROM chains WHERE name = $1";
    APPEND = "INSERT INTO audit_entries (chain, seq, at, actor, action, subject, detail, hash, key_id)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
}

/// Where a chain stands when a change begins.
pub(super) struct Start {
    pub(super) revision: i64,
    pub(super) head: Head,
    /// The root key of a keyed chain.
    pub(super) key: Option<String>,
}

pub(super) fn advance(reader: &mut Reader<'_>, name: &str) -> Result<Start> {
    let advanced = reader.query_opt(&ADVANCE, params![name], |row| {
        let head = Head { seq: row.get(1)?, hash: hash_from_hex(row.text(2)?)? };
        Ok(Start { revision: row.get(0)?, head, key: row.get(3)? })
    })?;
    advanced.ok_or_else(|| Error::corrupt(format_args!("there is no chain {name}")))
}

pub(super) fn revision(reader: &mut Reader<'_>, name: &str) -> Result<i64> {
    Ok(reader.query_opt(&REVISION, params![name], |row| row.get(0))?.unwrap_or(0))
}

pub(super) fn append(
    tx: &mut Tx<'_>,
    name: &str,
    head: Head,
    key: Option<&str>,
    entry: &Entry,
) -> Result<()> {
    tx.post(
        &APPEND,
        params![
            name,
            head.seq,
            entry.at,
            &entry.actor,
            &entry.action,
            &entry.subject,
            &entry.detail,
            hex(&head.hash),
            key,
        ],
    )
}

pub(super) fn store_head(tx: &mut Tx<'_>, name: &str, head: Head, key: Option<&str>) -> Result<()> {
    tx.post(&STORE_HEAD, params![name, head.seq, hex(&head.hash), key])
}

pub(crate) fn head(reader: &mut Reader<'_>, name: &str) -> Result<Option<Head>> {
    reader.query_opt(&HEAD, params![name], |row| {
        Ok(Head { seq: row.get(0)?, hash: hash_from_hex(row.text(1)?)? })
    })
}

/// A hash as text.
pub fn hex(hash: &Hash) -> String {
    use std::fmt::Write as _;
    hash.iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Reads a hash from its text.
pub fn hash_from_hex(text: &str) -> Result<Hash> {
    let mut hash = [0; 32];
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return Err(Error::corrupt("a hash of the wrong length"));
    }
    for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
        let pair = std::str::from_utf8(pair).map_err(Error::corrupt)?;
        *byte = u8::from_str_radix(pair, 16).map_err(Error::corrupt)?;
    }
    Ok(hash)
}
