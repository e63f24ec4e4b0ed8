//! The words of records, for searching. What a word is, and how it is folded, the caller decides.

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Search, Text, Tokens, Value},
};

crate::sql! {
    NUMBER = "SELECT doc FROM documents WHERE tenant_id = $1 AND record_id = $2";
    /// There is one writer on SQLite; on PostgreSQL a sequence keeps writers of different tenants apart.
    NEXT = differs("SQLite has no sequences, PostgreSQL writers do not line up",
        sqlite "SELECT COALESCE(MAX(doc), 0) + 1 FROM documents",
        postgres "SELECT nextval('document_numbers')");
    INSERT = "INSERT INTO documents (doc, tenant_id, record_id) VALUES ($1, $2, $3)";
    DELETE = "DELETE FROM documents WHERE tenant_id = $1 AND doc = $2";
    INDEX = differs("each engine has its own full-text index",
        sqlite "INSERT INTO document_texts (rowid, tokens) VALUES ($1, $2)",
        postgres "INSERT INTO document_texts (rowid, tokens) VALUES ($1, array_to_tsvector(string_to_array($2, ' ')))");
    FORGET = "DELETE FROM document_texts WHERE rowid = $1";
    COUNT = differs("each engine has its own full-text index",
        sqlite "SELECT COUNT(*) FROM document_texts WHERE document_texts MATCH $1",
        postgres "SELECT COUNT(*) FROM document_texts WHERE tokens @@ CAST(CAST($1 AS TEXT) AS TSQUERY)");
    /// FTS5 hands out the newest first by itself. PostgreSQL would rather walk back through all numbers than ask
    /// the index, if it were not made to do that first.
    FIND = differs("each engine has its own full-text index",
        sqlite "SELECT d.record_id FROM document_texts CROSS JOIN documents d
                WHERE document_texts MATCH $2 AND d.doc = document_texts.rowid AND d.tenant_id = $1
                ORDER BY document_texts.rowid DESC LIMIT $3 OFFSET $4",
        postgres "WITH found AS MATERIALIZED (
                      SELECT rowid AS doc FROM document_texts WHERE tokens @@ CAST(CAST($2 AS TEXT) AS TSQUERY)),
                  page AS (SELECT doc FROM found ORDER BY doc DESC LIMIT $3 OFFSET $4)
                  SELECT d.record_id FROM page JOIN documents d ON d.doc = page.doc AND d.tenant_id = $1
                  ORDER BY d.doc DESC");
}

/// How the full-text index is asked, after `document_texts` and `documents d`.
pub(crate) const CONDITION: Text = Text::Differs {
    why: "each engine has its own full-text index",
    sqlite: "document_texts MATCH ?",
    postgres: "document_texts.tokens @@ CAST(CAST(? AS TEXT) AS TSQUERY)",
};

/// Puts a new record into the index.
pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, record: &str, tokens: &Tokens) -> Result<()> {
    let doc: i64 = tx.query_one(&NEXT, &[], |row| row.get(0))?;
    tx.execute(&INSERT, params![doc, scope.tenant(), record])?;
    tx.execute(&INDEX, params![doc, tokens.as_str()])?;
    Ok(())
}

/// Indexes a changed record anew.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, record: &str, tokens: &Tokens) -> Result<()> {
    let doc = tx.query_opt(&NUMBER, params![scope.tenant(), record], |row| row.get::<i64>(0))?;
    let Some(doc) = doc else { return insert(tx, scope, record, tokens) };
    tx.execute(&FORGET, params![doc])?;
    tx.execute(&INDEX, params![doc, tokens.as_str()])?;
    Ok(())
}

/// Forgets the words of a record that is deleted.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, record: &str) -> Result<()> {
    let doc = tx.query_opt(&NUMBER, params![scope.tenant(), record], |row| row.get::<i64>(0))?;
    if let Some(doc) = doc {
        tx.execute(&FORGET, params![doc])?;
        tx.execute(&DELETE, params![scope.tenant(), doc])?;
    }
    Ok(())
}

/// How many records the search finds. Counted in the index alone, where words are marked with their tenant:
/// to look at every record would take longer than to find it.
pub fn count(reader: &mut Reader<'_>, search: &Search) -> Result<u64> {
    if search.is_empty() {
        return Ok(0);
    }
    reader.query_one(&COUNT, &[Value::Search(search.clone())], |row| row.get(0))
}

/// The ids of the records the search finds, newest first.
pub fn find(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    search: &Search,
    limit: u64,
    offset: u64,
) -> Result<Vec<String>> {
    if search.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let params =
        [scope.tenant().into(), Value::Search(search.clone()), Value::from(limit), Value::from(offset)];
    reader.query(&FIND, &params, |row| row.get(0))
}
