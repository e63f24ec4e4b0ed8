//! Test programmes. Their counts are kept apart, in `test_case_count` and `finding_count`.

use domain::{
    id::ProgrammeId,
    moment::Moment,
    page::{Page, PageRequest},
    programme::{Programme, ProgrammeStatus},
    sort::ProgrammeSort,
    text::{Name, Prose},
    vocabulary::Framework,
};

use crate::{
    Reader, Result, TenantScope, Tx, document, params,
    sql::{Filter, Found, List, Order, Row, Search, Value, walk},
};

crate::sql! {
    INSERT = "INSERT INTO programmes (id, tenant_id, name, description, framework, status, running, owner, starts_on,
                                      ends_on, functions, version, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
    GET = "SELECT p.id, p.name, p.description, p.framework, p.status, p.owner, p.starts_on, p.ends_on, p.functions,
                  p.version, p.created_at, p.updated_at
           FROM programmes p WHERE p.tenant_id = $1 AND p.id = $2";
    FUNCTIONS = "SELECT id, functions FROM programmes WHERE tenant_id = $1 ORDER BY id";
    UPDATE = "UPDATE programmes SET name = $4, description = $5, framework = $6, status = $7, running = $8, owner = $9,
                                    starts_on = $10, ends_on = $11, functions = $12, version = version + 1,
                                    updated_at = $13
              WHERE tenant_id = $1 AND id = $2 AND version = $3";
    DELETE = "DELETE FROM programmes WHERE tenant_id = $1 AND id = $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "programmes",
    columns:
        "p.id, p.name, p.description, p.framework, p.status, p.owner, p.starts_on, p.ends_on, p.functions,
              p.version, p.created_at, p.updated_at",
    stamps: None,
    from: "programmes p",
    base: "p.tenant_id = $1",
    filters: &[
        Filter { name: "status", condition: "p.status = ?" },
        Filter { name: "framework", condition: "p.framework = ?" },
        Filter { name: "owner", condition: "p.owner = ?" },
    ],
    orders: &[
        Order { name: "-created_at", by: "p.id DESC", back: "p.id" },
        Order { name: "created_at", by: "p.id", back: "p.id DESC" },
        Order { name: "name", by: "LOWER(p.name), p.id", back: "LOWER(p.name) DESC, p.id DESC" },
        Order { name: "-name", by: "LOWER(p.name) DESC, p.id DESC", back: "LOWER(p.name), p.id" },
        Order { name: "starts_on", by: "p.starts_on, p.id", back: "p.starts_on DESC, p.id DESC" },
        Order { name: "-starts_on", by: "p.starts_on DESC, p.id DESC", back: "p.starts_on, p.id" },
        Order { name: "ends_on", by: "p.ends_on, p.id", back: "p.ends_on DESC, p.id DESC" },
        Order { name: "-ends_on", by: "p.ends_on DESC, p.id DESC", back: "p.ends_on, p.id" },
    ],
    found: Some(Found { on: "p.id = d.record_id" }),
    walk: walk!("p.id", ProgrammeId, "p.updated_at"),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgrammeRow {
    pub id: ProgrammeId,
    pub programme: Programme,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

/// Which programmes, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgrammeQuery {
    pub status: Option<ProgrammeStatus>,
    pub framework: Option<Framework>,
    pub owner: Option<String>,
    pub search: Option<Search>,
    pub sort: Option<ProgrammeSort>,
}

fn read(row: &Row<'_>) -> Result<ProgrammeRow> {
    let functions: Vec<String> = row.json(8)?;
    Ok(ProgrammeRow {
        id: row.parse(0)?,
        programme: Programme {
            name: row.check(1, Name::parse)?,
            description: row.check_opt(2, Prose::parse)?,
            framework: row.parse(3)?,
            status: row.parse(4)?,
            owner: row.check_opt(5, Name::parse)?,
            starts_on: row.day(6)?,
            ends_on: row.day(7)?,
            functions: functions
                .iter()
                .map(|name| Name::parse(name).map_err(crate::Error::corrupt))
                .collect::<Result<_>>()?,
        },
        version: row.get(9)?,
        created_at: row.get(10)?,
        updated_at: row.get(11)?,
    })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &ProgrammeRow) -> Result<()> {
    let programme = &row.programme;
    tx.execute(
        &INSERT,
        params![
            row.id,
            scope.tenant(),
            &programme.name,
            programme.description.as_ref(),
            programme.framework.as_str(),
            programme.status.as_str(),
            programme.status.is_running(),
            programme.owner.as_ref(),
            Value::day(programme.starts_on),
            Value::day(programme.ends_on),
            Value::json(&programme.functions),
            row.version,
            row.created_at,
            row.updated_at,
        ],
    )?;
    Ok(())
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: ProgrammeId) -> Result<Option<ProgrammeRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    query: &ProgrammeQuery,
    request: PageRequest,
) -> Result<Page<ProgrammeRow>> {
    LIST.query(scope)
        .filter_opt("status", query.status.map(ProgrammeStatus::as_str))
        .filter_opt("framework", query.framework.as_ref().map(Framework::as_str))
        .filter_opt("owner", query.owner.as_deref())
        .search(query.search.clone())
        .order_opt(query.sort.map(ProgrammeSort::as_str))
        .page(reader, request, read)
}

/// Hands on the functions of every programme, oldest first.
pub fn for_each_functions(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    mut each: impl FnMut(ProgrammeId, Vec<String>),
) -> Result<()> {
    reader.for_each(&FUNCTIONS, params![scope.tenant()], |row| {
        each(row.parse(0)?, row.json(1)?);
        Ok(())
    })
}

/// Stores the changed programme if its version is still the one it was read with.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, row: &ProgrammeRow) -> Result<bool> {
    let programme = &row.programme;
    let changed = tx.execute(
        &UPDATE,
        params![
            scope.tenant(),
            row.id,
            row.version,
            &programme.name,
            programme.description.as_ref(),
            programme.framework.as_str(),
            programme.status.as_str(),
            programme.status.is_running(),
            programme.owner.as_ref(),
            Value::day(programme.starts_on),
            Value::day(programme.ends_on),
            Value::json(&programme.functions),
            row.updated_at,
        ],
    )?;
    if changed == 0 {
        return Ok(false);
    }
    document::mark(tx, scope, &row.id.to_string())?;
    Ok(true)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: ProgrammeId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), id])? > 0)
}
