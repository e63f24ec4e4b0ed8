//! What a change did, field by field, as the audit log keeps it.

use serde_json::{Map, Value, json};

/// Values longer than this are not repeated in the audit log; that they changed is.
const LONGEST: usize = 200;

/// The difference of two records, each given as an object: `{"field": [before, after]}`.
pub(crate) fn difference(before: &Value, after: &Value) -> Value {
    let empty = Map::new();
    let fields = |value: &'_ Value| value.as_object().cloned().unwrap_or_default();
    let (before, after) = (fields(before), fields(after));
    let mut changed = empty;
    for (field, new) in &after {
        let old = before.get(field).unwrap_or(&Value::Null);
        if old != new {
            changed.insert(field.clone(), json!([shortened(old), shortened(new)]));
        }
    }
    Value::Object(changed)
}

fn shortened(value: &Value) -> Value {
    let length =
        value.as_str().map_or_else(|| value.to_string().chars().count(), |text| text.chars().count());
    if length <= LONGEST { value.clone() } else { json!(format!("({length} characters)")) }
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
}
