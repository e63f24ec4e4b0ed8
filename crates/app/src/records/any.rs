//! Records of every kind by the text of their id, for what names records without knowing their kind: the audit log and
//! tasks.

use domain::{
    arrangement::Entry, control::Control, cra_report::CraReport, drill_run::DrillRun, evidence::Evidence,
    finding::Finding, function::Function, incident::Incident, own_framework::OwnFramework,
    programme::Programme, provider::Provider, register_filing::RegisterFiling, risk::Risk, task::Task,
    test_case::TestCase,
};
use serde_json::Value;
use store::{Reader, TenantScope, record};

use super::RecordKind;
use crate::{App, Result, authz::Caller};

type Find = fn(&mut Reader<'_>, &TenantScope, &str) -> Result<Option<Value>>;

const KINDS: [Find; 15] = [
    find::<Control>,
    find::<CraReport>,
    find::<DrillRun>,
    find::<Entry>,
    find::<Evidence>,
    find::<Finding>,
    find::<Function>,
    find::<Incident>,
    find::<OwnFramework>,
    find::<Programme>,
    find::<Provider>,
    find::<RegisterFiling>,
    find::<Risk>,
    find::<Task>,
    find::<TestCase>,
];

/// An id of another kind is none of this one, because every kind has its own prefix.
fn find<K: RecordKind>(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<Option<Value>> {
    let Ok(id) = id.parse::<K::Id>() else { return Ok(None) };
    Ok(record::get::<K>(reader, scope, id)?.map(|row| row.record.fields()))
}

fn fields_of(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<Option<Value>> {
    for find in KINDS {
        if let Some(fields) = find(reader, scope, id)? {
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
