//! The search tokens of records. The caller decides how text is tokenised and folded.
//!
//! Every change of a record marks its document with the tenant's revision of that change. The sets that words and
//! filters match are cached, and refreshed by reading only the documents marked since.

use crate::{
    Error, Reader, Result, TenantScope, Tx, params,
    sql::{Search, Tokens, Value},
};

pub use crate::sql::Documents;

crate::sql! {
    /// There is one writer on SQLite; on PostgreSQL a sequence keeps writers of different tenants apart.
    NEXT = differs("SQLite has no sequences, PostgreSQL writers do not line up",
        sqlite "SELECT COALESCE(MAX(doc), 0) + 1 FROM documents",
        postgres "SELECT nextval('document_numbers')");
    INSERT = "INSERT INTO documents (doc, tenant_id, record_id, changed_in) VALUES ($1, $2, $3, $4)";
    MARK = "UPDATE documents SET changed_in = $3 WHERE tenant_id = $1 AND record_id = $2 RETURNING doc";
    INDEX = differs("each engine has its own full-text index",
        sqlite "INSERT INTO document_texts (rowid, tokens) VALUES ($1, $2)",
        postgres "INSERT INTO document_texts (rowid, tenant_id, tokens)
                  SELECT d.doc, d.tenant_id, array_to_tsvector(string_to_array($2, ' ')) FROM documents d
                  WHERE d.doc = $1");
    FORGET = "DELETE FROM document_texts WHERE rowid = $1";
    MERGE = differs("PostgreSQL looks after its index by itself",
        sqlite "INSERT INTO document_texts (document_texts, rank) VALUES ('merge', $1)",
        postgres "SELECT CAST($1 AS BIGINT)");
    CHANGES = differs("PostgreSQL looks after its index by itself",
        sqlite "SELECT total_changes()",
        postgres "SELECT CAST(0 AS BIGINT)");
    RECORDS = differs("each engine has its own way to bind a list",
        sqlite "SELECT d.record_id FROM json_each('[' || $2 || ']') CROSS JOIN documents d
                WHERE d.doc = json_each.value AND d.tenant_id = $1
                ORDER BY d.doc DESC",
        postgres "SELECT d.record_id FROM documents d
                  WHERE d.doc = ANY(CAST(string_to_array($2, ',') AS BIGINT[])) AND d.tenant_id = $1
                  ORDER BY d.doc DESC");
}

/// Adds a new record to the index.
pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, record: &str, tokens: &Tokens) -> Result<()> {
    let doc: i64 = tx.query_one(&NEXT, &[], |row| row.get(0))?;
    let revision = revision(tx)?;
    tx.post(&INSERT, params![doc, scope.tenant(), record, revision])?;
    tx.post(&INDEX, params![doc, tokens.as_str()])?;
    Ok(())
}

/// Replaces the tokens of a changed record.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, record: &str, tokens: &Tokens) -> Result<()> {
    let Some(doc) = mark(tx, scope, record)? else { return insert(tx, scope, record, tokens) };
    tx.post(&FORGET, params![doc])?;
    tx.post(&INDEX, params![doc, tokens.as_str()])?;
    Ok(())
}

/// Deletes the tokens of a deleted record. Its number stays, marked as changed.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, record: &str) -> Result<()> {
    if let Some(doc) = mark(tx, scope, record)? {
        tx.post(&FORGET, params![doc])?;
    }
    Ok(())
}

/// Marks the document of a changed record, so that cached filter sets are refreshed.
pub(crate) fn mark(tx: &mut Tx<'_>, scope: &TenantScope, record: &str) -> Result<Option<i64>> {
    let revision = revision(tx)?;
    tx.query_opt(&MARK, params![scope.tenant(), record, revision], |row| row.get(0))
}

/// Merges segments of the index, writing about this many pages, and returns whether there may be more to merge.
///
/// Every commit adds a segment. While changes arrive only small segments are merged, so that in a large index no
/// writer waits for a large merge.
pub fn merge(tx: &mut Tx<'_>, pages: u32) -> Result<bool> {
    let before: i64 = tx.query_one(&CHANGES, &[], |row| row.get(0))?;
    tx.execute(&MERGE, params![i64::from(pages)])?;
    let after: i64 = tx.query_one(&CHANGES, &[], |row| row.get(0))?;
    // The statement itself counts as one change.
    Ok(after - before > 1)
}

fn revision(tx: &Tx<'_>) -> Result<i64> {
    tx.revision().ok_or(Error::Unaudited)
}

/// The documents that match the search.
pub fn find(reader: &mut Reader<'_>, scope: &TenantScope, search: &Search) -> Result<Documents> {
    reader.find(scope, search)
}

/// The ids of some of the records that were found, newest first.
pub fn records(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    found: &Documents,
    limit: u64,
    offset: u64,
) -> Result<Vec<String>> {
    let part = found.newest(limit, offset);
    if part.is_empty() {
        return Ok(Vec::new());
    }
    reader.query(&RECORDS, &[scope.tenant().into(), Value::from(&part)], |row| row.get(0))
}
