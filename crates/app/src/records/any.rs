//! Records of every kind by the text of their id, for what names records without knowing their kind: the audit log and
//! tasks.

use serde_json::Value;
use store::{Reader, TenantScope, record};

use super::{RecordKind, change::content};
use crate::{App, Result, authz::Caller, words::Kind};

/// The fields of the record with this id; `None` if it is no id of the kind, or if there is no such record.
pub(crate) type Find = fn(&mut Reader<'_>, &TenantScope, &str) -> Result<Option<Value>>;

pub(crate) fn find<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
) -> Result<Option<Value>> {
    let Ok(id) = id.parse::<K::Id>() else { return Ok(None) };
    Ok(record::get::<K>(reader, scope, id)?.map(|row| content(&row)))
}

fn fields_of(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<Option<Value>> {
    for kind in Kind::ALL {
        if let Some(fields) = kind.find()(reader, scope, id)? {
            return Ok(Some(fields));
        }
    }
    Ok(None)
}

pub(crate) fn exists(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<bool> {
    Ok(fields_of(reader, scope, id)?.is_some())
}

pub(crate) fn is_archived(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<bool> {
    let fields = fields_of(reader, scope, id)?;
    Ok(fields.is_some_and(|fields| fields.get("archived_at").is_some_and(|at| !at.is_null())))
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
