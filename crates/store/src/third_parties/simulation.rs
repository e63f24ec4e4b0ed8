//! Saved simulations. They are never changed, only deleted.

use domain::{
    id::SimulationId,
    moment::Moment,
    page::{Page, PageRequest},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{List, Order, Row, cursor_columns},
};

crate::sql! {
    INSERT = "INSERT INTO simulations (id, tenant_id, name, made_at, made_by, level_before, level_after, content)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    GET = "SELECT id, name, made_at, made_by, level_before, level_after, content
           FROM simulations WHERE tenant_id = $1 AND id = $2";
    DELETE = "DELETE FROM simulations WHERE tenant_id = $1 AND id = $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "simulations",
    columns: "s.id, s.name, s.made_at, s.made_by, s.level_before, s.level_after",
    stamps: None,
    from: "simulations s",
    base: "s.tenant_id = $1",
    filters: &[],
    orders: &[Order { name: "-made_at", by: "s.id DESC", back: "s.id" }],
    found: None,
    tagged: None,
    cursor: cursor_columns!("s.id", SimulationId, "s.made_at"),
};

/// The values of a simulation that the list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulationHead {
    pub id: SimulationId,
    pub name: String,
    pub made_at: Moment,
    pub made_by: String,
    /// Empty when there was nothing to analyse.
    pub level_before: String,
    pub level_after: String,
}

fn read(row: &Row<'_>) -> Result<SimulationHead> {
    Ok(SimulationHead {
        id: row.parse(0)?,
        name: row.get(1)?,
        made_at: row.get(2)?,
        made_by: row.get(3)?,
        level_before: row.get(4)?,
        level_after: row.get(5)?,
    })
}

/// Stores a simulation; `content` is its input and its result, as JSON.
pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, head: &SimulationHead, content: &str) -> Result<()> {
    tx.execute(
        &INSERT,
        params![
            head.id,
            scope.tenant(),
            &head.name,
            head.made_at,
            &head.made_by,
            &head.level_before,
            &head.level_after,
            content,
        ],
    )?;
    Ok(())
}

/// Newest first, without their contents.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    request: PageRequest,
) -> Result<Page<SimulationHead>> {
    LIST.query(scope).page(reader, request, read)
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: SimulationId,
) -> Result<Option<(SimulationHead, String)>> {
    reader.query_opt(&GET, params![scope.tenant(), id], |row| Ok((read(row)?, row.get(6)?)))
}

/// Returns whether it existed.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: SimulationId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), id])? > 0)
}
