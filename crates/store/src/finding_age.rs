//! How old the open findings are. Identifiers sort by when they were made, so an index answers it.

use domain::{
    id::{FindingId, Uuid7},
    moment::Moment,
    vocabulary::Severity,
};

use crate::{Reader, Result, TenantScope, params};

crate::sql! {
    AGES = "SELECT severity, SUM(CASE WHEN id >= $2 THEN 1 ELSE 0 END),
                   SUM(CASE WHEN id < $2 AND id >= $3 THEN 1 ELSE 0 END),
                   SUM(CASE WHEN id < $3 AND id >= $4 THEN 1 ELSE 0 END),
                   SUM(CASE WHEN id < $4 THEN 1 ELSE 0 END)
            FROM findings WHERE tenant_id = $1 AND open = 1 GROUP BY severity";
}

/// The open findings of one severity, from the youngest group to the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ages {
    pub severity: Severity,
    pub groups: [u64; 4],
}

/// Open findings by severity, divided at three moments: since the first, since the second, since the third, before.
pub fn open(reader: &mut Reader<'_>, scope: &TenantScope, since: [Moment; 3]) -> Result<Vec<Ages>> {
    // No finding made at that moment or later has a smaller identifier.
    let [recent, older, oldest] = since.map(|at| FindingId::from(Uuid7::first_at(at)));
    reader.query(&AGES, params![scope.tenant(), recent, older, oldest], |row| {
        Ok(Ages { severity: row.rank(0)?, groups: [row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?] })
    })
}
