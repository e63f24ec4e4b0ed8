//! What a directory says of the members of a group.

use app::scim::{MOST_MEMBERS, MemberChange};
use domain::{id::UserId, user::Role};
use serde_json::{Map, Value};

use super::{
    error::Failure,
    filter::{Comparison, bare, comparison},
    patch::{Operation, Verb, field},
};

/// The changes that operations make of a group's members, in their order.
pub(super) fn changes(role: Role, operations: &[Operation<'_>]) -> Result<Vec<MemberChange>, Failure> {
    let mut changes = Vec::new();
    for operation in operations {
        match (operation.path, operation.value) {
            (None, Some(Value::Object(fields))) => {
                for (name, value) in fields {
                    changes.extend(change(role, operation.verb, name, Some(value))?);
                }
            }
            (None, _) => return Err(Failure::value("without a path, value must be an object of attributes")),
            (Some(path), value) => changes.extend(change(role, operation.verb, path, value)?),
        }
    }
    bounded(changes)
}

/// A whole group: its members and no others. One without any list of members says nothing about them.
pub(super) fn whole(role: Role, sent: &Map<String, Value>) -> Result<Vec<MemberChange>, Failure> {
    if let Some(name) = field(sent, "displayName") {
        same_name(role, name)?;
    }
    let members = field(sent, "members").map(|value| ids(value, true)).transpose()?;
    bounded(members.map(MemberChange::Replace).into_iter().collect())
}

fn bounded(changes: Vec<MemberChange>) -> Result<Vec<MemberChange>, Failure> {
    let count = |change: &MemberChange| match change {
        MemberChange::Add(ids) | MemberChange::Remove(ids) | MemberChange::Replace(ids) => ids.len(),
    };
    if changes.iter().map(count).sum::<usize>() > MOST_MEMBERS as usize {
        return Err(Failure::value(format!("at most {MOST_MEMBERS} members in one request")));
    }
    Ok(changes)
}

fn change(
    role: Role,
    verb: Verb,
    path: &str,
    value: Option<&Value>,
) -> Result<Option<MemberChange>, Failure> {
    let plain = bare(path);
    match (plain.as_str(), verb, value) {
        ("members", Verb::Add, Some(value)) => Ok(Some(MemberChange::Add(ids(value, true)?))),
        ("members", Verb::Replace, Some(value)) => Ok(Some(MemberChange::Replace(ids(value, true)?))),
        // Entra ID names those to remove in the value.
        ("members", Verb::Remove, Some(value)) => Ok(Some(MemberChange::Remove(ids(value, false)?))),
        ("members", Verb::Remove, None) => Ok(Some(MemberChange::Replace(Vec::new()))),
        ("displayname", Verb::Add | Verb::Replace, Some(value)) => same_name(role, value).map(|()| None),
        ("displayname", ..) => Err(Failure::fixed("displayName cannot be removed: groups are roles")),
        (chosen, Verb::Remove, _) if chosen.starts_with("members[") => {
            Ok(Some(MemberChange::Remove(chosen_member(path)?)))
        }
        (chosen, ..) if chosen.starts_with("members[") => {
            Err(Failure::path("add and replace take the path members"))
        }
        _ => Ok(None),
    }
}

/// The member in `members[value eq "…"]`.
fn chosen_member(path: &str) -> Result<Vec<UserId>, Failure> {
    let inner = path.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
    match inner.and_then(comparison) {
        Some(Comparison { attribute, value: Value::String(id) }) if attribute == "value" => {
            // An account that does not exist is no member already.
            Ok(id.parse().into_iter().collect())
        }
        _ => Err(Failure::path("path must be members or members[value eq \"…\"]")),
    }
}

fn same_name(role: Role, value: &Value) -> Result<(), Failure> {
    let same = value.as_str().is_some_and(|name| name.trim().eq_ignore_ascii_case(role.as_str()));
    if same { Ok(()) } else { Err(Failure::fixed("displayName cannot be changed: groups are roles")) }
}

/// The accounts in a list of members. Unknown ones are refused where they would be added.
fn ids(value: &Value, refuse: bool) -> Result<Vec<UserId>, Failure> {
    let entries = match value {
        Value::Array(entries) => entries.as_slice(),
        Value::Null => &[],
        single => std::slice::from_ref(single),
    };
    let mut ids = Vec::new();
    for entry in entries {
        let id = entry.as_object().map_or(Some(entry), |fields| field(fields, "value"));
        let id =
            id.and_then(Value::as_str).ok_or_else(|| Failure::value("members must have a value each"))?;
        match id.parse() {
            Ok(id) => ids.push(id),
            Err(_) if refuse => {
                let id: String = id.chars().take(80).collect();
                return Err(Failure::value(format!("members {id} is no account of this institution")));
            }
            Err(_) => {}
        }
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::patch::operations, *};

    const ANNA: &str = "usr_01k9x14js0e00000000000000a";

    fn read(operation: &Value) -> Result<Vec<MemberChange>, Failure> {
        let sent = json!({ "Operations": [operation] });
        changes(Role::Manager, &operations(sent.as_object().unwrap())?)
    }

    #[test]
    fn members_in_the_spellings_of_directories() {
        let anna: UserId = ANNA.parse().unwrap();
        let members = json!([{ "value": ANNA }]);
        for (operation, expected) in [
            (json!({ "op": "Add", "path": "members", "value": members }), MemberChange::Add(vec![anna])),
            (json!({ "op": "add", "value": { "members": members } }), MemberChange::Add(vec![anna])),
            (
                json!({ "op": "Remove", "path": "members", "value": members }),
                MemberChange::Remove(vec![anna]),
            ),
            (
                json!({ "op": "remove", "path": format!("members[value eq \"{ANNA}\"]") }),
                MemberChange::Remove(vec![anna]),
            ),
            (json!({ "op": "remove", "path": "members" }), MemberChange::Replace(vec![])),
            (
                json!({ "op": "replace", "path": "members", "value": members }),
                MemberChange::Replace(vec![anna]),
            ),
        ] {
            assert_eq!(read(&operation).unwrap(), [expected], "{operation}");
        }
        let same = json!({ "op": "replace", "value": { "id": "manager", "displayName": "Manager" } });
        assert_eq!(read(&same).unwrap(), []);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let many: Vec<_> = (0..=MOST_MEMBERS).map(|_| json!({ "value": ANNA })).collect();
        for wrong in [
            json!({ "op": "add", "path": "members", "value": [{ "value": "anna" }] }),
            json!({ "op": "add", "path": "members", "value": [{ "display": "Anna" }] }),
            json!({ "op": "add", "path": "members", "value": many }),
            json!({ "op": "add", "path": format!("members[value eq \"{ANNA}\"]"), "value": "x" }),
            json!({ "op": "remove", "path": "members[display eq \"Anna\"]" }),
            json!({ "op": "replace", "path": "displayName", "value": "owner" }),
            json!({ "op": "replace", "value": [] }),
        ] {
            assert!(read(&wrong).is_err(), "{wrong}");
        }
    }
}
