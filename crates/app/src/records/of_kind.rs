//! What is done with a record of a kind without naming the kind, as functions over its type. The table of kinds holds
//! them.

use catalogue::search::Asked;
use domain::{custom_field::CustomInput, moment::Moment, page::PageRequest, text::Name};
use serde_json::Value;
use store::{Reader, TenantScope, Tx, record, sql::Search};

use super::{
    Pick, RecordKind,
    any::title_of,
    content::{content, words_of},
    kinds::{Announced, Content, PastRecord, Shown},
};
use crate::{Error, Result, author::Author, pages::Precondition, words::Words};

pub(super) fn list<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    search: Option<Search>,
    request: PageRequest,
) -> Result<Vec<Pick>> {
    let page = record::list::<K>(reader, scope, &K::Filter::default(), search, request)?;
    let pick = |row: record::RecordRow<K>| {
        let fields = row.record.fields();
        let reference = fields.get("reference").and_then(Value::as_str).map(str::to_owned);
        let title = title_of(&fields).map(str::to_owned);
        Pick { id: row.id.to_string(), reference, title }
    };
    Ok(page.items.into_iter().map(pick).collect())
}

pub(super) fn each_past<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    at: Moment,
    each: &mut dyn FnMut(PastRecord) -> Result<()>,
) -> Result<()> {
    record::each_as_of::<K, Error>(reader, scope, at, |row| {
        each(PastRecord { id: row.id.to_string(), version: row.version, cells: record::cells(&row) })
    })
}

pub(super) fn find<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
) -> Result<Option<Value>> {
    let Ok(id) = id.parse::<K::Id>() else { return Ok(None) };
    Ok(record::get::<K>(reader, scope, id)?.map(|row| content(&row)))
}

pub(super) fn contents<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    ids: &[&str],
) -> Result<Vec<Content>> {
    let ids: Vec<K::Id> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    let rows = record::get_many::<K>(reader, scope, &ids)?;
    Ok(rows.iter().map(|row| (row.id.to_string(), row.version, content(row))).collect())
}

pub(super) fn own_words<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
) -> Result<Option<Words>> {
    let Ok(id) = id.parse::<K::Id>() else { return Ok(None) };
    Ok(record::get::<K>(reader, scope, id)?.map(|row| words_of(&row)))
}

pub(super) fn shown<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
    asked: &Asked,
) -> Result<Option<Shown>> {
    let Ok(id) = id.parse::<K::Id>() else { return Ok(None) };
    Ok(record::get::<K>(reader, scope, id)?.map(|row| Shown {
        title: row.record.shown_as(),
        snippet: row.record.texts().snippet(asked).to_html(),
        status: row.record.status(),
    }))
}

pub(super) fn announced<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
) -> Result<Option<Announced>> {
    let Ok(id) = id.parse::<K::Id>() else { return Ok(None) };
    K::deadline_of(reader, scope, id)
}

pub(super) fn hand_over<K: RecordKind>(
    author: &Author,
    tx: &mut Tx<'_>,
    id: &str,
    heir: &Name,
) -> Result<()> {
    let (Ok(id), Some(change)) = (id.parse::<K::Id>(), K::with_owner(heir)) else { return Ok(()) };
    author.change::<K>(tx, id, &change, &Precondition::None).map(|_| ())
}

pub(super) fn fill_in<K: RecordKind>(
    author: &Author,
    tx: &mut Tx<'_>,
    id: &str,
    custom: &CustomInput,
    precondition: &Precondition,
) -> Result<()> {
    let id = id.parse::<K::Id>().map_err(|_| Error::NotFound)?;
    author.change_with::<K>(tx, id, (None, custom), precondition).map(|_| ())
}
