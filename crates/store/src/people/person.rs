//! The people of a tenant as a list that programs read with a cursor.

use domain::{
    id::UserId,
    moment::{Day, Moment},
    page::{Page, PageRequest},
    text::Name,
    user::{Email, Role},
};

use crate::{
    Reader, Result, TenantScope,
    sql::{Error, List, Order, Row, cursor_columns},
};

pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "people",
    columns: "u.id, u.name, COALESCE(u.address, u.email), u.role, u.disabled_at, u.ends_on, u.updated_at",
    stamps: None,
    from: "users u",
    base: "u.tenant_id = $1",
    filters: &[],
    orders: &[Order { name: "created_at", by: "u.id", back: "u.id DESC" }],
    found: None,
    tagged: None,
    cursor: cursor_columns!("u.id", UserId, "u.updated_at"),
};

/// A person as others meet them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonRow {
    pub id: UserId,
    pub name: Name,
    pub email: Email,
    pub role: Role,
    pub disabled_at: Option<Moment>,
    /// The last day on which the account is open, if it is limited.
    pub ends_on: Option<Day>,
    pub updated_at: Moment,
}

fn read(row: &Row<'_>) -> Result<PersonRow> {
    Ok(PersonRow {
        id: row.parse(0)?,
        name: Name::parse(row.text(1)?).map_err(Error::corrupt)?,
        email: row.parse(2)?,
        role: row.parse(3)?,
        disabled_at: row.get(4)?,
        ends_on: row.parse_opt(5)?,
        updated_at: row.get(6)?,
    })
}

/// The oldest accounts come first.
pub fn list(reader: &mut Reader<'_>, scope: &TenantScope, request: PageRequest) -> Result<Page<PersonRow>> {
    LIST.query(scope).page(reader, request, read)
}
