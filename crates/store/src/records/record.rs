//! Records of tenants of any kind: inserted, read, listed, changed and deleted in one way.
//!
//! A kind names its columns once, in its [`Table`], and reads them in the same order.

use std::{fmt, hash::Hash, str::FromStr};

use domain::{
    custom_field::CustomValues,
    id::Uuid7,
    moment::Moment,
    page::{Page, PageRequest},
    record_event::RecordVerb,
};

use crate::{
    Error, Reader, Result, TenantScope, Tx, custom_field, document,
    sql::{CUSTOM, Cells, FEW, ListQuery, Row, Search, Table, TableStatements, Value, stream::RecordWrite},
    version::PastCells,
};

/// A kind of record.
pub trait Kind: Clone + PartialEq + fmt::Debug + Send + Sync + Sized + 'static {
    type Id: Copy
        + Eq
        + Hash
        + Send
        + Sync
        + fmt::Debug
        + fmt::Display
        + FromStr<Err: fmt::Display>
        + From<Uuid7>
        + Into<Uuid7>
        + 'static;
    /// Which records of the kind, in which order.
    type Filter: Clone + Default + PartialEq + fmt::Debug + Send + Sync + 'static;

    const TABLE: Table<Self>;

    /// The statements composed from the table, kept in a static of the kind's module.
    fn statements() -> &'static TableStatements;

    /// Reads the record's own columns, in the order of the table.
    fn read(cells: &mut Cells<'_, '_>) -> Result<Self>;

    /// Adds the conditions and the order of the filter; the search is added separately.
    fn narrow<'q>(filter: &'q Self::Filter, list: ListQuery<'q>) -> ListQuery<'q>;

    /// The same for a filter that so many records match that searching an index for them would be slower than reading
    /// them in order.
    fn narrow_many<'q>(filter: &'q Self::Filter, list: ListQuery<'q>) -> ListQuery<'q> {
        Self::narrow(filter, list)
    }

    /// How many records match the filter, where a counter knows it; the search is not part of it.
    fn total(reader: &mut Reader<'_>, scope: &TenantScope, filter: &Self::Filter) -> Result<Option<u64>> {
        let _ = (reader, scope, filter);
        Ok(None)
    }

    /// Updates the counters of records. `before` is `None` for a new record, `after` for a deleted one.
    fn count(
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        before: Option<&RecordRow<Self>>,
        after: Option<&RecordRow<Self>>,
    ) -> Result<()> {
        let _ = (tx, scope, before, after);
        Ok(())
    }
}

/// A record as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRow<K: Kind> {
    pub id: K::Id,
    pub record: K,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
    /// The values of own fields.
    pub custom: CustomValues,
    /// Set exactly while the record is archived.
    pub archived_at: Option<Moment>,
}

impl<K: Kind> RecordRow<K> {
    /// A record created now.
    pub fn new(id: K::Id, record: K, now: Moment) -> Self {
        let custom = CustomValues::default();
        Self { id, record, version: 1, created_at: now, updated_at: now, custom, archived_at: None }
    }
}

fn read<K: Kind>(row: &Row<'_>) -> Result<RecordRow<K>> {
    let statements = K::statements();
    let common = statements.common(row)?;
    Ok(RecordRow {
        id: common.id,
        record: K::read(&mut statements.cells(row))?,
        version: common.version,
        created_at: common.created_at,
        updated_at: common.updated_at,
        custom: common.custom,
        archived_at: common.archived_at,
    })
}

fn archive_values<'v, K: Kind>(row: &RecordRow<K>) -> impl Iterator<Item = Value<'v>> + use<'v, K> {
    let values = [Value::from(row.archived_at.is_some()), Value::from(row.archived_at)];
    values.into_iter().filter(|_| K::TABLE.archives)
}

pub fn insert<K: Kind>(tx: &mut Tx<'_>, scope: &TenantScope, row: &RecordRow<K>) -> Result<()> {
    let table = K::TABLE;
    let mut values = vec![Value::Owned(row.id.to_string()), Value::from(scope.tenant())];
    values.extend(table.inserted(&row.record));
    values.extend(archive_values(row));
    values.push(row.custom.stored().into());
    values.extend([Value::from(row.version), Value::from(row.created_at), Value::from(row.updated_at)]);
    tx.execute(&K::statements().insert, &values)?;
    custom_field::index(tx, scope, (K::TABLE.name, &row.id.to_string()), None, &row.custom)?;
    note_write(tx, scope, row, row.version, RecordVerb::Created)?;
    K::count(tx, scope, None, Some(row))
}

pub fn get<K: Kind>(reader: &mut Reader<'_>, scope: &TenantScope, id: K::Id) -> Result<Option<RecordRow<K>>> {
    let values = [Value::from(scope.tenant()), Value::Owned(id.to_string())];
    reader.query_opt(&K::statements().get, &values, read)
}

/// The record with this value in the unique column of its kind.
pub fn by_key<K: Kind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    key: &str,
) -> Result<Option<RecordRow<K>>> {
    let statement = K::statements().by_key();
    debug_assert!(statement.is_some(), "{} has no key", K::TABLE.name);
    let Some(statement) = statement else { return Ok(None) };
    reader.query_opt(statement, &[Value::from(scope.tenant()), Value::from(key)], read)
}

/// The records with these ids, in any order.
pub fn get_many<K: Kind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    ids: &[K::Id],
) -> Result<Vec<RecordRow<K>>> {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    reader.query(&K::statements().get_many, &[Value::from(scope.tenant()), Value::json(&ids)], read)
}

pub fn list<K: Kind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &K::Filter,
    search: Option<Search>,
    request: PageRequest,
) -> Result<Page<RecordRow<K>>> {
    page::<K, _>(reader, scope, (filter, search), request, |list| list, read)
}

/// The same list, but only the id and the version of each record.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is for one lifetime, the parameter for all"
)]
pub fn stamps<K: Kind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &K::Filter,
    search: Option<Search>,
    request: PageRequest,
) -> Result<Page<(K::Id, i64)>> {
    let read = |row: &Row<'_>| Ok((row.parse(0)?, row.get(1)?));
    page::<K, _>(reader, scope, (filter, search), request, |list| list.stamps(), read)
}

fn page<K: Kind, T>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    (filter, search): (&K::Filter, Option<Search>),
    request: PageRequest,
    columns: for<'q> fn(ListQuery<'q>) -> ListQuery<'q>,
    read: fn(&Row<'_>) -> Result<T>,
) -> Result<Page<T>> {
    let total =
        if search.is_some() || request.is_narrowed() { None } else { K::total(reader, scope, filter)? };
    let narrow = if total.is_some_and(|total| total > FEW) { K::narrow_many } else { K::narrow };
    let query = columns(narrow(filter, K::statements().list.query(scope))).search(search);
    match total {
        Some(total) => query.page_of(reader, request, total, read),
        None => query.page(reader, request, read),
    }
}

/// The list as it was at a moment, with the records that were archived or deleted since.
pub fn list_as_of<K: Kind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &K::Filter,
    at: Moment,
    request: PageRequest,
) -> Result<Page<RecordRow<K>>> {
    let list = K::statements().past(reader.dialect()).query(scope).filter("as_of", at);
    K::narrow(filter, list).page(reader, request, read)
}

/// Calls `each` with every record as it was at a moment, archived ones too, in the order of their ids.
pub fn each_as_of<K: Kind, E: From<Error>>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    at: Moment,
    mut each: impl FnMut(RecordRow<K>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let list = K::statements().past(reader.dialect()).query(scope).filter("as_of", at);
    let mut failure = None;
    list.order_opt(Some("created_at")).each_while(reader, &mut |row| {
        failure = each(read(row)?).err();
        Ok(failure.is_none())
    })?;
    failure.map_or(Ok(()), Err)
}

/// The columns of a row that is about to be replaced, for lists as of a day.
pub fn past<K: Kind>(row: &RecordRow<K>) -> PastCells {
    PastCells { kind: K::TABLE.name, cells: serde_json::Value::Object(cells(row)).to_string() }
}

/// The columns of a row by their names.
pub fn cells<K: Kind>(row: &RecordRow<K>) -> serde_json::Map<String, serde_json::Value> {
    let table = K::TABLE;
    let own = table.names().zip(table.inserted(&row.record));
    let archive = table.archive_columns().iter().copied().zip(archive_values(row));
    let others = [(CUSTOM, row.custom.stored().into()), ("created_at", Value::from(row.created_at))];
    own.chain(archive).chain(others).map(|(name, value)| (name.to_owned(), value.to_json())).collect()
}

/// The names of those columns, in their order.
pub fn past_columns<K: Kind>() -> Vec<&'static str> {
    let table = K::TABLE;
    table.names().chain(table.archive_columns().iter().copied()).chain([CUSTOM, "created_at"]).collect()
}

/// Stores the changed record if its version is still the one `before` was read with.
pub fn update<K: Kind>(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    before: &RecordRow<K>,
    after: &RecordRow<K>,
) -> Result<bool> {
    let (table, id) = (K::TABLE, after.id.to_string());
    let mut values = vec![Value::from(scope.tenant()), Value::from(&id), Value::from(before.version)];
    values.extend(table.updated(&after.record));
    values.extend(archive_values(after));
    values.push(after.custom.stored().into());
    values.push(Value::from(after.updated_at));
    if tx.execute(&K::statements().update, &values)? == 0 {
        return Ok(false);
    }
    custom_field::index(tx, scope, (table.name, &id), Some(&before.custom), &after.custom)?;
    document::mark(tx, scope, &id)?;
    note_write(tx, scope, after, before.version + 1, verb_of(before, after))?;
    K::count(tx, scope, Some(before), Some(after))?;
    Ok(true)
}

/// The columns that hold the state of a record.
const STATES: [&str; 2] = ["status", "state"];

/// What a change did, as the stream calls it.
fn verb_of<K: Kind>(before: &RecordRow<K>, after: &RecordRow<K>) -> RecordVerb {
    let table = K::TABLE;
    let is_same = |column: &&str| table.value(column, &before.record) == table.value(column, &after.record);
    let status = table.value("status", &after.record);
    // A kind whose archive is a status says so by its status.
    let by_status = status == Some(Value::from("archived")) && !is_same(&"status");
    if before.archived_at.is_none() && after.archived_at.is_some() && !by_status {
        RecordVerb::Archived
    } else if STATES.iter().all(is_same) {
        RecordVerb::Changed
    } else {
        RecordVerb::StatusChanged
    }
}

fn note_write<K: Kind>(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    row: &RecordRow<K>,
    version: i64,
    verb: RecordVerb,
) -> Result<()> {
    let (record, at) = (row.id.to_string(), row.updated_at);
    let (table, what) = (K::TABLE.name, verb.into());
    tx.note_write(scope, RecordWrite { table, record, what, version, recomputed: false, detail: None, at })
}

pub fn delete<K: Kind>(tx: &mut Tx<'_>, scope: &TenantScope, row: &RecordRow<K>) -> Result<()> {
    let id = row.id.to_string();
    tx.execute(&K::statements().delete, &[Value::from(scope.tenant()), Value::from(&id)])?;
    custom_field::index(tx, scope, (K::TABLE.name, &id), Some(&row.custom), &CustomValues::default())?;
    note_write(tx, scope, row, row.version, RecordVerb::Deleted)?;
    K::count(tx, scope, Some(row), None)
}
