//! Records of every kind by the text of their id, for what names records without knowing their kind: the audit log and
//! tasks.

use domain::page::PageRequest;
use serde_json::Value;
use store::{Reader, TenantScope, record, sql::Search};

use super::{Pick, RecordKind};
use crate::{App, Result, authz::Caller, words::Kind};

/// What is done with records of a kind that is known only while running.
pub(crate) struct AnyKind {
    pub(crate) noun: &'static str,
    pub(crate) find: Find,
    pub(crate) list: List,
}

impl AnyKind {
    pub(crate) const fn of<K: RecordKind>() -> Self {
        Self { noun: K::NOUN, find: find::<K>, list: list::<K> }
    }
}

/// Records that match a search, newest first, as they are named.
pub(crate) type List = fn(&mut Reader<'_>, &TenantScope, Option<Search>, PageRequest) -> Result<Vec<Pick>>;

fn list<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    search: Option<Search>,
    request: PageRequest,
) -> Result<Vec<Pick>> {
    let page = record::list::<K>(reader, scope, &K::Filter::default(), search, request)?;
    let pick = |row: record::RecordRow<K>| {
        let fields = row.record.fields();
        let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
        let (reference, title) = (text("reference"), text("title").or_else(|| text("name")));
        Pick { id: row.id.to_string(), reference, title }
    };
    Ok(page.items.into_iter().map(pick).collect())
}

/// The fields of the record with this id; `None` if it is no id of the kind, or if there is no such record.
pub(crate) type Find = fn(&mut Reader<'_>, &TenantScope, &str) -> Result<Option<Value>>;

fn find<K: RecordKind>(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<Option<Value>> {
    let Ok(id) = id.parse::<K::Id>() else { return Ok(None) };
    Ok(record::get::<K>(reader, scope, id)?.map(|row| row.record.fields()))
}

fn fields_of(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<Option<Value>> {
    for kind in Kind::ALL {
        if let Some(fields) = (kind.any().find)(reader, scope, id)? {
            return Ok(Some(fields));
        }
    }
    Ok(None)
}

pub(crate) fn exists(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<bool> {
    Ok(fields_of(reader, scope, id)?.is_some())
}

/// The reference and the title of a record, as far as its kind has them.
pub(crate) fn name_of(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<Option<String>> {
    let Some(fields) = fields_of(reader, scope, id)? else { return Ok(None) };
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let parts = [text("reference"), text("title").or_else(|| text("name"))];
    let name = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Ok(Some(name).filter(|name| !name.is_empty()))
}

impl App {
    /// The name of one of the tenant's records; `None` if there is no such record.
    pub async fn name_of_record(&self, caller: &Caller, id: String) -> Result<Option<String>> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |reader| name_of(reader, &scope, &id)).await
    }
}
