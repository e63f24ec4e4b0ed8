//! Records of every kind by the text of their id, for what names records without knowing their kind: the audit log and
//! tasks.

use domain::{key_limits::Verb, right::Right};
use serde_json::Value;
use store::{Reader, TenantScope};

use super::AnyKind;
use crate::{Error, Records, Result, authz::Caller, comment::Subject};

impl AnyKind {
    /// Whether the caller may read records of the kind, by role or permission and by the scopes of a key.
    pub(crate) fn is_open_to(&self, caller: &Caller) -> bool {
        caller.has(self.resource, Right::Read) && caller.require_noun(self.noun, Verb::Read).is_ok()
    }
}

fn fields_of(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<Option<Value>> {
    match AnyKind::of_id(id) {
        Some(kind) => kind.find(reader, scope, id),
        None => Ok(None),
    }
}

pub(crate) fn exists(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<bool> {
    Ok(fields_of(reader, scope, id)?.is_some())
}

pub(crate) fn is_archived(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<bool> {
    let fields = fields_of(reader, scope, id)?;
    Ok(fields.is_some_and(|fields| fields.get("archived_at").is_some_and(|at| !at.is_null())))
}

/// What a record is called by its fields: its title or name; a filing is called after its package.
pub(crate) fn title_of(fields: &Value) -> Option<&str> {
    ["title", "name", "file_name"].into_iter().find_map(|name| fields.get(name).and_then(Value::as_str))
}

/// The reference and the title of a record, as far as its kind has them.
pub(crate) fn name_of(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<Option<String>> {
    let Some(fields) = fields_of(reader, scope, id)? else { return Ok(None) };
    let parts = [fields.get("reference").and_then(Value::as_str), title_of(&fields)];
    let name = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Ok(Some(name).filter(|name| !name.is_empty()))
}

/// Whether the caller may read the record with this id. What is no record has no owner to keep it to.
pub(crate) fn is_reached(reader: &mut Reader<'_>, caller: &Caller, id: &str) -> Result<bool> {
    if AnyKind::of_id(id).is_none_or(|kind| caller.has(kind.resource, Right::Read)) {
        return Ok(true);
    }
    match Subject::new(id).reach(reader, caller) {
        Ok(_) => Ok(true),
        Err(Error::NotFound) => Ok(false),
        Err(error) => Err(error),
    }
}

impl Records {
    /// The name of one of the tenant's records; `None` if there is none that the caller may read.
    pub async fn name_of_record(&self, caller: &Caller, id: String) -> Result<Option<String>> {
        let (caller, scope) = (caller.clone(), *caller.scope());
        let read = move |reader: &mut Reader<'_>| {
            if is_reached(reader, &caller, &id)? { name_of(reader, &scope, &id) } else { Ok(None) }
        };
        self.db.tenant(&scope).read(read).await
    }
}
