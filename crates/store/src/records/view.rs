//! Saved views of lists.

use domain::{id::ViewId, moment::Moment, text::Name, view::ListView};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    INSERT = "INSERT INTO list_views (id, tenant_id, owner, list, name, is_shared, is_start, shown_columns, filters,
                                      sort, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)";
    UPDATE = "UPDATE list_views SET name = $3, is_shared = $4, is_start = $5, shown_columns = $6, filters = $7,
                                    sort = $8, updated_at = $9
              WHERE tenant_id = $1 AND id = $2";
    GET = "SELECT id, owner, list, name, is_shared, is_start, shown_columns, filters, sort, created_at, updated_at
           FROM list_views WHERE tenant_id = $1 AND id = $2";
    VISIBLE = "SELECT id, owner, list, name, is_shared, is_start, shown_columns, filters, sort, created_at, updated_at
               FROM list_views WHERE tenant_id = $1 AND (owner = $2 OR is_shared = 1) ORDER BY list, id";
    UNSET_START = "UPDATE list_views SET is_start = 0
                   WHERE tenant_id = $1 AND owner = $2 AND list = $3 AND id <> $4 AND is_start = 1";
    DELETE = "DELETE FROM list_views WHERE tenant_id = $1 AND id = $2";
}

/// A view with the person or key that saved it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewRow {
    pub id: ViewId,
    pub owner: String,
    pub view: ListView,
    pub created_at: Moment,
    pub updated_at: Moment,
}

fn read(row: &Row<'_>) -> Result<ViewRow> {
    Ok(ViewRow {
        id: row.parse(0)?,
        owner: row.get(1)?,
        view: ListView {
            list: row.get(2)?,
            name: row.check(3, Name::parse)?,
            is_shared: row.get(4)?,
            is_start: row.get(5)?,
            columns: row.json(6)?,
            filters: row.get(7)?,
            order: row.get(8)?,
        },
        created_at: row.get(9)?,
        updated_at: row.get(10)?,
    })
}

fn columns(view: &ListView) -> Result<String> {
    serde_json::to_string(&view.columns).map_err(Error::corrupt)
}

/// Stores a new view. If its list opens with it, it no longer opens with another one of the person.
pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &ViewRow) -> Result<()> {
    let view = &row.view;
    tx.execute(
        &INSERT,
        params![
            row.id,
            scope.tenant(),
            row.owner.as_str(),
            view.list.as_str(),
            &view.name,
            view.is_shared,
            view.is_start,
            columns(view)?,
            view.filters.as_str(),
            view.order.as_deref(),
            row.created_at
        ],
    )?;
    unset_start(tx, scope, row)
}

/// The same for a changed view.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, row: &ViewRow) -> Result<()> {
    let view = &row.view;
    tx.execute(
        &UPDATE,
        params![
            scope.tenant(),
            row.id,
            &view.name,
            view.is_shared,
            view.is_start,
            columns(view)?,
            view.filters.as_str(),
            view.order.as_deref(),
            row.updated_at
        ],
    )?;
    unset_start(tx, scope, row)
}

fn unset_start(tx: &mut Tx<'_>, scope: &TenantScope, row: &ViewRow) -> Result<()> {
    if row.view.is_start {
        let values = params![scope.tenant(), row.owner.as_str(), row.view.list.as_str(), row.id];
        tx.execute(&UNSET_START, values)?;
    }
    Ok(())
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: ViewId) -> Result<Option<ViewRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// The views of a person or key, and those that all people see.
pub fn visible(reader: &mut Reader<'_>, scope: &TenantScope, owner: &str) -> Result<Vec<ViewRow>> {
    reader.query(&VISIBLE, params![scope.tenant(), owner], read)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: ViewId) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), id])?;
    Ok(())
}
