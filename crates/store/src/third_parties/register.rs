//! The rows of the register of information, template by template, and when they were last changed.

use domain::{
    id::RegisterRowId,
    moment::Moment,
    page::{Page, PageRequest},
    register::{
        Template,
        sheets::{SheetRow, Sheets},
    },
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Filter, List, Order, Row, cursor_columns},
};

crate::sql! {
    INSERT = "INSERT INTO register_rows (id, tenant_id, template, cells, version, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7)";
    GET = "SELECT id, template, cells, version, created_at, updated_at
           FROM register_rows WHERE tenant_id = $1 AND template = $2 AND id = $3";
    UPDATE = "UPDATE register_rows SET cells = $5, version = version + 1, updated_at = $6
              WHERE tenant_id = $1 AND template = $2 AND id = $3 AND version = $4";
    DELETE = "DELETE FROM register_rows WHERE tenant_id = $1 AND template = $2 AND id = $3";
    CLEAR = "DELETE FROM register_rows WHERE tenant_id = $1 AND template = $2";
    ALL = "SELECT id, template, cells FROM register_rows WHERE tenant_id = $1 ORDER BY template, id";
    STATE = "SELECT changed_at FROM register_states WHERE tenant_id = $1";
    PUT_STATE = "INSERT INTO register_states (tenant_id, changed_at) VALUES ($1, $2)
                 ON CONFLICT (tenant_id) DO UPDATE SET changed_at = excluded.changed_at";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "register_rows",
    columns: "r.id, r.template, r.cells, r.version, r.created_at, r.updated_at",
    stamps: None,
    from: "register_rows r",
    base: "r.tenant_id = $1",
    filters: &[Filter { name: "template", condition: "r.template = ?" }],
    orders: &[Order { name: "created_at", by: "r.id", back: "r.id DESC" }],
    found: None,
    tagged: None,
    cursor: cursor_columns!("r.id", RegisterRowId, "r.updated_at"),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterRow {
    pub id: RegisterRowId,
    pub template: Template,
    /// Its name is the id.
    pub content: SheetRow,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

fn template(row: &Row<'_>, column: usize) -> Result<Template> {
    Template::from_name(row.text(column)?).ok_or_else(|| Error::corrupt("a row of an unknown template"))
}

fn content(row: &Row<'_>, template: Template, name: usize, cells: usize) -> Result<SheetRow> {
    SheetRow::from_json(row.text(name)?, template, row.text(cells)?).map_err(Error::corrupt)
}

fn read(row: &Row<'_>) -> Result<RegisterRow> {
    let template = template(row, 1)?;
    Ok(RegisterRow {
        id: row.parse(0)?,
        template,
        content: content(row, template, 0, 2)?,
        version: row.get(3)?,
        created_at: row.get(4)?,
        updated_at: row.get(5)?,
    })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &RegisterRow) -> Result<()> {
    let cells = row.content.to_json(row.template);
    let params = params![
        row.id,
        scope.tenant(),
        row.template.id(),
        cells,
        row.version,
        row.created_at,
        row.updated_at,
    ];
    tx.execute(&INSERT, params)?;
    Ok(())
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    template: Template,
    id: RegisterRowId,
) -> Result<Option<RegisterRow>> {
    reader.query_opt(&GET, params![scope.tenant(), template.id(), id], read)
}

/// Those of the rows that exist.
pub fn get_many(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    wanted: &[(Template, RegisterRowId)],
) -> Result<Vec<RegisterRow>> {
    let set =
        |(template, id): &(Template, RegisterRowId)| params![scope.tenant(), template.id(), *id].to_vec();
    let sets: Vec<_> = wanted.iter().map(set).collect();
    Ok(reader.query_many(&GET, &sets, read)?.into_iter().flatten().collect())
}

/// Stores the changed row if its version is still the one it was read with.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, row: &RegisterRow) -> Result<bool> {
    let cells = row.content.to_json(row.template);
    let params = params![scope.tenant(), row.template.id(), row.id, row.version, cells, row.updated_at];
    Ok(tx.execute(&UPDATE, params)? > 0)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, template: Template, id: RegisterRowId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), template.id(), id])? > 0)
}

/// Deletes every row of a template.
pub fn clear(tx: &mut Tx<'_>, scope: &TenantScope, template: Template) -> Result<()> {
    tx.execute(&CLEAR, params![scope.tenant(), template.id()])?;
    Ok(())
}

/// The rows of a template, oldest first.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    template: Template,
    request: PageRequest,
) -> Result<Page<RegisterRow>> {
    LIST.query(scope).filter_opt("template", Some(template.id())).page(reader, request, read)
}

/// The whole register.
pub fn sheets(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Sheets> {
    let mut sheets = Sheets::default();
    reader.for_each(&ALL, params![scope.tenant()], |row| {
        let template = template(row, 1)?;
        sheets.push(template, content(row, template, 0, 2)?);
        Ok(())
    })?;
    Ok(sheets)
}

/// When the rows were last changed; `None` if there never were any.
pub fn changed_at(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<Moment>> {
    reader.query_opt(&STATE, params![scope.tenant()], |row| row.get(0))
}

pub fn note_change(tx: &mut Tx<'_>, scope: &TenantScope, at: Moment) -> Result<()> {
    tx.execute(&PUT_STATE, params![scope.tenant(), at])?;
    Ok(())
}
