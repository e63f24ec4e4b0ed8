//! Where imported findings came from, so that the same result is recognised in the next file.

use domain::{
    id::FindingId,
    import::{Fingerprint, Origin, Source},
};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    FIND = "SELECT finding_id, scope FROM finding_origins
            WHERE tenant_id = $1 AND source = $2 AND fingerprint = $3";
    PUT = "INSERT INTO finding_origins (tenant_id, source, fingerprint, scope, finding_id)
           VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (tenant_id, source, fingerprint) DO UPDATE SET scope = excluded.scope";
    OF_SCOPE = "SELECT fingerprint, finding_id FROM finding_origins
                WHERE tenant_id = $1 AND source = $2 AND scope = $3 ORDER BY finding_id";
    FORGET = "DELETE FROM finding_origins WHERE tenant_id = $1 AND finding_id = $2";
}

/// The finding a result became before, with the scope it had then.
pub fn find(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    origin: &Origin,
) -> Result<Option<(FindingId, String)>> {
    let params = params![scope.tenant(), origin.source.as_str(), origin.fingerprint.to_string()];
    reader.query_opt(&FIND, params, |row| Ok((row.parse(0)?, row.get(1)?)))
}

pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, origin: &Origin, finding: FindingId) -> Result<()> {
    let fingerprint = origin.fingerprint.to_string();
    tx.execute(&PUT, params![scope.tenant(), origin.source.as_str(), fingerprint, &origin.scope, finding])?;
    Ok(())
}

/// Hands on every result that came from one scope.
pub fn of_scope(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    source: Source,
    import_scope: &str,
    mut each: impl FnMut(Fingerprint, FindingId),
) -> Result<()> {
    reader.for_each(&OF_SCOPE, params![scope.tenant(), source.as_str(), import_scope], |row| {
        each(row.parse(0)?, row.parse(1)?);
        Ok(())
    })
}

/// Forgets where a finding came from that is deleted.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, finding: FindingId) -> Result<()> {
    tx.execute(&FORGET, params![scope.tenant(), finding])?;
    Ok(())
}
