//! What imports of tables keep: which column of a file was meant by which heading, and which records its lines created.

use domain::moment::Moment;

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    MAPPING = "SELECT mapping FROM import_mappings WHERE tenant_id = $1 AND list = $2 AND shape = $3";
    REMEMBER = "INSERT INTO import_mappings (tenant_id, list, shape, mapping, used_at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (tenant_id, list, shape) DO UPDATE SET mapping = excluded.mapping,
                    used_at = excluded.used_at";
    FORGET = "DELETE FROM import_mappings WHERE tenant_id = $1 AND list = $2 AND shape NOT IN
              (SELECT shape FROM import_mappings WHERE tenant_id = $1 AND list = $2
               ORDER BY used_at DESC, shape LIMIT $3)";
    CREATED = "SELECT record_id FROM import_lines WHERE tenant_id = $1 AND list = $2 AND digest = $3";
    CREATE = "INSERT INTO import_lines (tenant_id, list, digest, record_id) VALUES ($1, $2, $3, $4)
              ON CONFLICT (tenant_id, list, digest) DO UPDATE SET record_id = excluded.record_id";
}

/// How many shapes of files are remembered for a list.
const REMEMBERED: u32 = 100;

/// The columns that the headings of a file with this shape were assigned to, as JSON.
pub fn mapping(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    list: &str,
    shape: &str,
) -> Result<Option<String>> {
    reader.query_opt(&MAPPING, params![scope.tenant(), list, shape], |row| row.get(0))
}

/// Remembers them, and forgets those that were not used for longest.
pub fn remember(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    (list, shape): (&str, &str),
    mapping: &str,
    now: Moment,
) -> Result<()> {
    tx.execute(&REMEMBER, params![scope.tenant(), list, shape, mapping, now])?;
    tx.execute(&FORGET, params![scope.tenant(), list, i64::from(REMEMBERED)])?;
    Ok(())
}

/// The record that a line with this digest created.
pub fn created(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    list: &str,
    digest: &str,
) -> Result<Option<String>> {
    reader.query_opt(&CREATED, params![scope.tenant(), list, digest], |row| row.get(0))
}

pub fn note_created(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    (list, digest): (&str, &str),
    record: &str,
) -> Result<()> {
    tx.execute(&CREATE, params![scope.tenant(), list, digest, record])?;
    Ok(())
}
