//! Where imported findings came from, so that the same result is recognised in the next file.

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

/// What the last file said of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginRow {
    pub finding: FindingId,
    pub scope: String,
    /// Stands for everything the file said of it.
    pub content: Fingerprint,
    /// Stands for the file itself.
    pub file: Fingerprint,
}

/// The finding a result became before, with what was said of it then.
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

/// Notes where a finding came from, or what a newer file says of it.
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

/// Notes that this file decided over a result although it does not have it: whichever has it next brings it back.
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

/// Hands on every result that came from one scope.
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

/// The names of the sources these findings came from; one that was entered by hand has none.
pub fn sources(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    findings: &[FindingId],
) -> Result<Vec<(FindingId, String)>> {
    let ids: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let params = params![scope.tenant(), Value::json(&ids)];
    reader.query(&OF_FINDINGS, params, |row| Ok((row.parse(0)?, row.get(1)?)))
}

/// Forgets where a finding came from that is deleted.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, finding: FindingId) -> Result<()> {
    tx.execute(&FORGET, params![scope.tenant(), finding])?;
    Ok(())
}
