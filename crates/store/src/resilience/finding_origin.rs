//! The source of each imported finding, so that the same result is recognised in the next file.

use domain::{
    id::FindingId,
    import::{Fingerprint, Origin, SourceName},
};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Value};

crate::sql! {
    FIND = "SELECT finding_id, scope, content, file FROM finding_origins
            WHERE tenant_id = $1 AND source = $2 AND fingerprint = $3";
    PUT = "INSERT INTO finding_origins (tenant_id, source, fingerprint, scope, finding_id, content, file)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (tenant_id, source, fingerprint)
           DO UPDATE SET scope = excluded.scope, content = excluded.content, file = excluded.file";
    DECIDED = "UPDATE finding_origins SET file = $4 WHERE tenant_id = $1 AND source = $2 AND fingerprint = $3";
    OF_SCOPE = "SELECT fingerprint, finding_id FROM finding_origins
                WHERE tenant_id = $1 AND source = $2 AND scope = $3 ORDER BY finding_id";
    OF_FINDINGS = differs("each engine has its own way to bind a list",
        sqlite "SELECT o.finding_id, o.source FROM json_each($2) CROSS JOIN finding_origins o
                WHERE o.finding_id = json_each.value AND o.tenant_id = $1",
        postgres "SELECT o.finding_id, o.source FROM finding_origins o
                  WHERE o.tenant_id = $1
                    AND o.finding_id IN (SELECT jsonb_array_elements_text(CAST(CAST($2 AS TEXT) AS JSONB)))");
    FORGET = "DELETE FROM finding_origins WHERE tenant_id = $1 AND finding_id = $2";
}

/// The latest imported state of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginRow {
    pub finding: FindingId,
    pub scope: String,
    /// Fingerprint of the result's content.
    pub content: Fingerprint,
    /// Fingerprint of the file.
    pub file: Fingerprint,
}

/// The finding that a result was imported as, with the state at that time.
pub fn find(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    source: &SourceName,
    origin: &Origin,
) -> Result<Option<OriginRow>> {
    let params = params![scope.tenant(), source.as_str(), origin.fingerprint.to_string()];
    reader.query_opt(&FIND, params, |row| {
        Ok(OriginRow {
            finding: row.parse(0)?,
            scope: row.get(1)?,
            content: row.parse(2)?,
            file: row.parse(3)?,
        })
    })
}

/// Stores the source of a finding, or its newer state.
pub fn put(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    source: &SourceName,
    origin: &Origin,
    row: &OriginRow,
) -> Result<()> {
    tx.execute(
        &PUT,
        params![
            scope.tenant(),
            source.as_str(),
            origin.fingerprint.to_string(),
            &row.scope,
            row.finding,
            row.content.to_string(),
            row.file.to_string(),
        ],
    )?;
    Ok(())
}

/// Records that this file decided about a result by leaving it out; a later file that contains the result brings it
/// back.
pub fn decided(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    source: &SourceName,
    fingerprint: Fingerprint,
    file: Fingerprint,
) -> Result<()> {
    let (fingerprint, file) = (fingerprint.to_string(), file.to_string());
    tx.execute(&DECIDED, params![scope.tenant(), source.as_str(), fingerprint, file])?;
    Ok(())
}

/// Calls `each` for every result of one scope.
pub fn of_scope(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    source: &SourceName,
    import_scope: &str,
    mut each: impl FnMut(Fingerprint, FindingId),
) -> Result<()> {
    reader.for_each(&OF_SCOPE, params![scope.tenant(), source.as_str(), import_scope], |row| {
        each(row.parse(0)?, row.parse(1)?);
        Ok(())
    })
}

/// The names of the sources these findings were imported from; findings entered by hand have none.
pub fn sources(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    findings: &[FindingId],
) -> Result<Vec<(FindingId, String)>> {
    let ids: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let params = params![scope.tenant(), Value::json(&ids)];
    reader.query(&OF_FINDINGS, params, |row| Ok((row.parse(0)?, row.get(1)?)))
}

/// Deletes the source of a deleted finding.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, finding: FindingId) -> Result<()> {
    tx.execute(&FORGET, params![scope.tenant(), finding])?;
    Ok(())
}
