//! Every change of one record, from the audit log and its versions, for the page of that record.

use std::fmt::Display;

use domain::{
    audit_action::{AuditAction, AuditKind, is_change},
    moment::Moment,
    page::PageRequest,
};
use serde_json::Value;
use store::{Reader, TenantScope, audit as rows};

use crate::{
    Records, Result,
    audit::{Who, who},
    authz::Caller,
    records::{RecordKind, changes as changes_of, versions},
};

/// The maximum number of changes on a page; the audit log contains all.
const MOST: u32 = 500;

/// One change of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordChange {
    pub at: Moment,
    pub actor: String,
    pub who: Who,
    pub kind: ChangeKind,
    /// Empty for a new record: its page shows the values.
    pub fields: Vec<FieldChange>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Created,
    Archived,
    Restored,
    Changed,
    /// What happened to a comment on the record.
    Comment(AuditAction),
}

/// One field before and after, as in the audit log: long texts only by their length.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldChange {
    pub field: String,
    pub before: Value,
    pub after: Value,
}

impl Records {
    /// The changes of a record that the caller has read, newest first.
    pub async fn record_changes(&self, caller: &Caller, record: impl Display) -> Result<Vec<RecordChange>> {
        let (scope, record) = (*caller.scope(), record.to_string());
        self.db.tenant(&scope).read(move |r| logged(r, &scope, &record)).await
    }

    /// The same with the changes that have no audit entry of their own, because an import or a row of the register
    /// changed many records at once. Those follow from the versions of the record.
    pub async fn all_changes<K: RecordKind>(&self, caller: &Caller, id: K::Id) -> Result<Vec<RecordChange>> {
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .read(move |r| {
                let mut changes = logged(r, &scope, &id.to_string())?;
                add_unlogged::<K>(r, &scope, id, &mut changes)?;
                changes.sort_by_key(|change| std::cmp::Reverse(change.at));
                Ok(changes)
            })
            .await
    }
}

fn logged(reader: &mut Reader<'_>, scope: &TenantScope, record: &str) -> Result<Vec<RecordChange>> {
    let entries = rows::of_subject(reader, &scope.tenant().to_string(), record, MOST)?;
    let mut changes: Vec<RecordChange> = Vec::with_capacity(entries.len());
    for row in entries {
        let kind = kind_of(&row.entry.action);
        let detail = if is_change(&row.entry.action) {
            serde_json::from_str(&row.entry.detail).unwrap_or_default()
        } else {
            Value::Null
        };
        let who = named(reader, scope, &changes, &row.entry.actor)?;
        changes.push(RecordChange {
            at: row.entry.at,
            actor: row.entry.actor,
            who,
            kind,
            fields: fields(detail),
        });
    }
    Ok(changes)
}

fn add_unlogged<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: K::Id,
    changes: &mut Vec<RecordChange>,
) -> Result<()> {
    let versions = versions::<K>(reader, scope, id, PageRequest::part(MOST, 0))?.items;
    for (newer, older) in versions.iter().zip(versions.iter().skip(1)) {
        let Some(actor) = older.replaced_by.clone() else { continue };
        if changes.iter().any(|change| change.at == newer.from && change.actor == actor) {
            continue;
        }
        let who = named(reader, scope, changes, &actor)?;
        let fields = fields(changes_of::<K>(older.fields.clone(), newer.fields.clone()));
        changes.push(RecordChange { at: newer.from, actor, who, kind: ChangeKind::Changed, fields });
    }
    Ok(())
}

/// Who an actor is; one that made another of the changes is not read again.
fn named(reader: &mut Reader<'_>, scope: &TenantScope, changes: &[RecordChange], actor: &str) -> Result<Who> {
    match changes.iter().find(|change| change.actor == actor) {
        Some(change) => Ok(change.who.clone()),
        None => who(reader, scope, actor),
    }
}

fn kind_of(action: &str) -> ChangeKind {
    if let (AuditKind::Comments, Some(known)) = (AuditKind::of(action), AuditAction::known(action)) {
        return ChangeKind::Comment(known);
    }
    match action.rsplit('.').next() {
        Some("created") => ChangeKind::Created,
        Some("archived") => ChangeKind::Archived,
        Some("restored") => ChangeKind::Restored,
        _ => ChangeKind::Changed,
    }
}

/// The parts of the detail of the form `"field": [before, after]`; anything else is no change of a field.
fn fields(detail: Value) -> Vec<FieldChange> {
    let Value::Object(detail) = detail else { return Vec::new() };
    detail
        .into_iter()
        .filter_map(|(field, change)| match change {
            Value::Array(pair) => {
                let [before, after] = <[Value; 2]>::try_from(pair).ok()?;
                Some(FieldChange { field, before, after })
            }
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_pairs_are_changes_of_fields() {
        let detail = json!({ "owner": [null, "A"], "reference": "F-2026-0001", "list": ["a", "b", "c"] });
        let read = fields(detail);
        assert_eq!(read, [FieldChange { field: "owner".into(), before: Value::Null, after: json!("A") }]);
        assert_eq!(fields(Value::Null), []);
    }
}
