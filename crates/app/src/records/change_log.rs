//! The differences between two versions of a record, field by field, for the audit log.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Longer values are not copied to the audit log; only the fact that they changed is.
const LONGEST: usize = 200;

/// The difference of two records, each given as an object: `{"field": [before, after]}`.
pub(crate) fn difference(before: &Value, after: &Value) -> Value {
    let empty = Map::new();
    let fields = |value: &'_ Value| value.as_object().cloned().unwrap_or_default();
    let (before, after) = (fields(before), fields(after));
    let mut changed = empty;
    for (field, new) in &after {
        let old = before.get(field).unwrap_or(&Value::Null);
        if old == new {
            continue;
        }
        match (old, new) {
            // Of an object that is too long, the members are compared one by one.
            (Value::Object(_), Value::Object(_)) if is_long(old) || is_long(new) => {
                let inner = difference(old, new);
                let members = inner.as_object().into_iter().flatten();
                changed.extend(members.map(|(name, pair)| (format!("{field}.{name}"), pair.clone())));
            }
            _ => {
                changed.insert(field.clone(), json!([shortened(old), shortened(new)]));
            }
        }
    }
    Value::Object(changed)
}

/// The difference of the members of a field that is an object: `{"field.member": [before, after]}`.
pub(crate) fn member_differences(
    field: &str,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
) -> Map<String, Value> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let pair = |name: &String| {
        let value = |members: &Map<String, Value>| members.get(name).cloned().unwrap_or_default();
        let (old, new) = (value(before), value(after));
        (old != new).then(|| (format!("{field}.{name}"), json!([shortened(&old), shortened(&new)])))
    };
    names.into_iter().filter_map(pair).collect()
}

fn length(value: &Value) -> usize {
    value.as_str().map_or_else(|| value.to_string().chars().count(), |text| text.chars().count())
}

fn is_long(value: &Value) -> bool {
    length(value) > LONGEST
}

fn shortened(value: &Value) -> Value {
    if is_long(value) { json!(format!("({} characters)", length(value))) } else { value.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_changed_and_nothing_else() {
        let before = json!({ "title": "A", "owner": null, "text": "x".repeat(300) });
        let after = json!({ "title": "B", "owner": null, "text": "" });
        assert_eq!(
            difference(&before, &after),
            json!({ "text": ["(300 characters)", ""], "title": ["A", "B"] })
        );
    }

    #[test]
    fn members_that_came_changed_or_went_are_named() {
        let of = |value: Value| value.as_object().cloned().unwrap();
        let (before, after) =
            (of(json!({ "a": 1, "b": 2, "c": 3 })), of(json!({ "b": 2, "c": 4, "d": "x".repeat(300) })));
        let said = Value::Object(member_differences("custom", &before, &after));
        assert_eq!(
            said,
            json!({ "custom.a": [1, null], "custom.c": [3, 4], "custom.d": [null, "(300 characters)"] })
        );
    }

    #[test]
    fn members_of_a_long_object_are_distinguished() {
        let facts = |clients: Value| json!({ "facts": { "clients": clients, "note": "x".repeat(300) } });
        let said = difference(&facts(Value::Null), &facts(json!(5)));
        assert_eq!(said, json!({ "facts.clients": [null, 5] }));
    }
}
