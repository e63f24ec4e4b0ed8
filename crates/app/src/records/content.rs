//! The content of a record with its own fields: as versions keep it, what changed in it, and the words in it.

use domain::custom_field::CUSTOM;
use serde_json::{Map, Value, json};
use store::record::RecordRow;

use super::RecordKind;
use crate::{change_log::member_differences, words::Words};

/// The content of a record in its versions.
pub(crate) fn content<K: RecordKind>(row: &RecordRow<K>) -> Value {
    let mut fields = row.record.fields();
    if K::TABLE.archives {
        fields["archived_at"] = json!(row.archived_at);
    }
    row.custom.within(fields)
}

/// What changed from one content to another: the fields of the kind as it names them, own fields one by one.
pub(crate) fn changes<K: RecordKind>(mut before: Value, mut after: Value) -> Value {
    let (old, new) = (own_fields(&mut before), own_fields(&mut after));
    let mut changes = K::changes(&before, &after);
    if let Value::Object(all) = &mut changes {
        all.extend(member_differences(CUSTOM, &old, &new));
    }
    changes
}

/// Takes the values of own fields out of the content of a record.
fn own_fields(content: &mut Value) -> Map<String, Value> {
    match content.as_object_mut().and_then(|fields| fields.remove(CUSTOM)) {
        Some(Value::Object(values)) => values,
        _ => Map::new(),
    }
}

/// The words that a record is found by, without its tags.
pub(crate) fn words_of<K: RecordKind>(row: &RecordRow<K>) -> Words {
    row.record.texts().words().and(row.custom.texts())
}
