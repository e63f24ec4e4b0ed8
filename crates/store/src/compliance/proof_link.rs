//! What findings, test cases and risks name: requirements, measures and own controls, by the ids of both. Updated with
//! every change of such a record, so that a list finds what belongs to a requirement.

use std::collections::BTreeSet;

use crate::{Result, TenantScope, Tx, params};

crate::sql! {
    FORGET = "DELETE FROM proof_links WHERE tenant_id = $1 AND record_id = $2";
    PUT = "INSERT INTO proof_links (tenant_id, record_id, key) VALUES ($1, $2, $3)
           ON CONFLICT (tenant_id, record_id, key) DO NOTHING";
}

/// The condition of lists of records that name one of several keys, joined to one text.
pub(crate) const NAMING: &str = "EXISTS (SELECT 1 FROM proof_links k WHERE k.tenant_id = r.tenant_id
                                 AND k.record_id = r.id AND ? LIKE '%|' || k.key || '|%')";

/// Stores what a record names, if that is something else than before.
pub(crate) fn put(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    record: &str,
    before: &BTreeSet<String>,
    after: &BTreeSet<String>,
) -> Result<()> {
    if before == after {
        return Ok(());
    }
    if !before.is_empty() {
        tx.execute(&FORGET, params![scope.tenant(), record])?;
    }
    for key in after {
        tx.execute(&PUT, params![scope.tenant(), record, key])?;
    }
    Ok(())
}
