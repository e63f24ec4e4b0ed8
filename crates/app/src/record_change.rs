//! Every change of one record, from the audit log, for the page of that record.

use std::fmt::Display;

use domain::moment::Moment;
use serde_json::Value;
use store::audit as rows;

use crate::{
    App, Result,
    audit::{Who, who},
    authz::Caller,
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
}

/// One field before and after, as in the audit log: long texts only by their length.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldChange {
    pub field: String,
    pub before: Value,
    pub after: Value,
}

impl App {
    /// The changes of a record that the caller has read, newest first.
    pub async fn record_changes(&self, caller: &Caller, record: impl Display) -> Result<Vec<RecordChange>> {
        let (scope, record) = (*caller.scope(), record.to_string());
        self.db
            .tenant(&scope)
            .read(move |r| {
                let chain = scope.tenant().to_string();
                let entries = rows::of_subject(r, &chain, &record, MOST)?;
                let mut changes: Vec<RecordChange> = Vec::with_capacity(entries.len());
                for row in entries {
                    let known = changes.iter().find(|change| change.actor == row.entry.actor);
                    let who = match known {
                        Some(change) => change.who.clone(),
                        None => who(r, &scope, &row.entry.actor)?,
                    };
                    let kind = kind_of(&row.entry.action);
                    let fields =
                        if kind == ChangeKind::Created { Vec::new() } else { fields(&row.entry.detail) };
                    changes.push(RecordChange {
                        at: row.entry.at,
                        actor: row.entry.actor,
                        who,
                        kind,
                        fields,
                    });
                }
                Ok(changes)
            })
            .await
    }
}

fn kind_of(action: &str) -> ChangeKind {
    match action.rsplit('.').next() {
        Some("created") => ChangeKind::Created,
        Some("archived") => ChangeKind::Archived,
        Some("restored") => ChangeKind::Restored,
        _ => ChangeKind::Changed,
    }
}

/// The parts of the detail of the form `"field": [before, after]`; anything else is no change of a field.
fn fields(detail: &str) -> Vec<FieldChange> {
    let Ok(Value::Object(detail)) = serde_json::from_str(detail) else { return Vec::new() };
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
        let read = fields(r#"{"owner":[null,"A"],"reference":"F-2026-0001","list":["a","b","c"]}"#);
        assert_eq!(read, [FieldChange { field: "owner".into(), before: Value::Null, after: json!("A") }]);
        assert_eq!(fields("no JSON"), []);
    }
}
