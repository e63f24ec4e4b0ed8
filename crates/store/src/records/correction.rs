//! Corrections of what was recorded, in one table for all kinds of records. Nothing changes or deletes a row.

use domain::{
    correction::{Corrected, Correction},
    text::Prose,
};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    APPEND = "INSERT INTO corrections (tenant_id, record_id, seq, place, field, first_value, value, reason, recorded_by,
                                       recorded_at, corrected_by, corrected_at)
              SELECT $1, $2, COALESCE(MAX(seq), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10, $11
              FROM corrections WHERE tenant_id = $1 AND record_id = $2";
    OF = "SELECT place, field, first_value, value, reason, recorded_by, recorded_at, corrected_by, corrected_at
          FROM corrections WHERE tenant_id = $1 AND record_id = $2 ORDER BY seq";
}

pub fn append(tx: &mut Tx<'_>, scope: &TenantScope, record: &str, correction: &Correction) -> Result<()> {
    let Correction { value, field, reason, corrected_by, corrected_at } = correction;
    let Corrected { place, before, after, recorded_by, recorded_at } = value;
    let values = params![
        scope.tenant(),
        record,
        place,
        field.as_str(),
        before.as_deref(),
        after.as_deref(),
        reason,
        recorded_by.as_deref(),
        *recorded_at,
        corrected_by,
        *corrected_at
    ];
    tx.execute(&APPEND, values)?;
    Ok(())
}

/// The corrections of one record, oldest first.
pub fn of(reader: &mut Reader<'_>, scope: &TenantScope, record: &str) -> Result<Vec<Correction>> {
    reader.query(&OF, params![scope.tenant(), record], |row| {
        Ok(Correction {
            value: Corrected {
                place: row.get(0)?,
                before: row.get(2)?,
                after: row.get(3)?,
                recorded_by: row.get(5)?,
                recorded_at: row.get(6)?,
            },
            field: row.parse(1)?,
            reason: row.check(4, Prose::parse)?,
            corrected_by: row.get(7)?,
            corrected_at: row.get(8)?,
        })
    })
}
