//! The words of records, for searching. What a word is, and how it is folded, the caller decides.

use crate::{
    Result, TenantScope, Tx, params,
    sql::{Mark, Text},
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
}

/// How the full-text index is asked, after `document_texts` and `documents d`.
pub(crate) const CONDITION: Text = Text::Differs {
    why: "each engine has its own full-text index",
    sqlite: "document_texts MATCH ?",
    postgres: "document_texts.tokens @@ CAST(CAST(? AS TEXT) AS TSQUERY)",
};

/// Indexes a new record under these words.
pub fn insert<'w>(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    record: &str,
    mark: &Mark,
    words: impl Iterator<Item = &'w str>,
) -> Result<()> {
    let doc: i64 = tx.query_one(&NEXT, &[], |row| row.get(0))?;
    tx.execute(&INSERT, params![doc, scope.tenant(), record])?;
    tx.execute(&INDEX, params![doc, mark.tokens(words)])?;
    Ok(())
}

/// Indexes a changed record anew.
pub fn update<'w>(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    record: &str,
    mark: &Mark,
    words: impl Iterator<Item = &'w str>,
) -> Result<()> {
    let doc = tx.query_opt(&NUMBER, params![scope.tenant(), record], |row| row.get::<i64>(0))?;
    let Some(doc) = doc else { return insert(tx, scope, record, mark, words) };
    tx.execute(&FORGET, params![doc])?;
    tx.execute(&INDEX, params![doc, mark.tokens(words)])?;
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
