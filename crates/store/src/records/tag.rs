//! The tags of records of every kind, in one table. Lists find them by the condition in [`crate::sql::Table`].

use domain::tag::Tag;

use crate::{Reader, Result, TenantScope, Tx, document, params, sql::Error};

crate::sql! {
    OF = "SELECT tag FROM record_tags WHERE tenant_id = $1 AND record_id = $2 ORDER BY folded";
    PUT = "INSERT INTO record_tags (tenant_id, record_id, kind, folded, tag) VALUES ($1, $2, $3, $4, $5)";
    FORGET = "DELETE FROM record_tags WHERE tenant_id = $1 AND record_id = $2";
    USED = "SELECT MIN(tag) FROM record_tags WHERE tenant_id = $1 AND kind = $2
            GROUP BY folded ORDER BY folded LIMIT $3";
    BEGINNING = "SELECT kind, MIN(tag) FROM record_tags WHERE tenant_id = $1 AND folded >= $2 AND folded < $3
                 GROUP BY folded, kind ORDER BY folded, kind LIMIT $4";
}

/// The tags of a record, in alphabetical order.
pub fn of(reader: &mut Reader<'_>, scope: &TenantScope, record: &str) -> Result<Vec<Tag>> {
    let texts: Vec<String> = reader.query(&OF, params![scope.tenant(), record], |row| row.get(0))?;
    texts.iter().map(|text| Tag::parse(text).map_err(|_| Error::corrupt(format!("tag {text}")))).collect()
}

/// Replaces the tags of a record of this kind.
pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, record: &str, kind: &str, tags: &[Tag]) -> Result<()> {
    forget(tx, scope, record)?;
    for tag in tags {
        tx.execute(&PUT, params![scope.tenant(), record, kind, tag.folded(), tag.as_str()])?;
    }
    // The cached sets of filters contain the records of each tag.
    document::mark(tx, scope, record)?;
    Ok(())
}

/// Of a record that is deleted.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, record: &str) -> Result<()> {
    tx.execute(&FORGET, params![scope.tenant(), record])?;
    Ok(())
}

/// The tags that begin with these letters, folded, and the kinds of the records that have them, in alphabetical order.
pub fn beginning(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    letters: &str,
    most: u32,
) -> Result<Vec<(String, String)>> {
    // No letter sorts after the last one.
    let end = format!("{letters}{}", char::MAX);
    let values = params![scope.tenant(), letters, end, i64::from(most)];
    reader.query(&BEGINNING, values, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The tags of the records of a kind, in alphabetical order.
pub fn used(reader: &mut Reader<'_>, scope: &TenantScope, kind: &str, most: u32) -> Result<Vec<String>> {
    reader.query(&USED, params![scope.tenant(), kind, i64::from(most)], |row| row.get(0))
}
