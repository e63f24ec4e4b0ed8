//! Which fields are required. A response has all its fields, null if there is no value; a request may leave out
//! optional ones. The generator only supports the latter.

use std::collections::BTreeSet;

use serde_json::Value;
use utoipa::openapi::{
    OpenApi, RefOr,
    schema::{AllOf, Object, Schema},
};

const SCHEMAS: &str = "#/components/schemas/";

/// Makes the nullable fields of every schema required that no request uses.
pub(super) fn require_nullable(openapi: &mut OpenApi) {
    let sent = schemas_of_requests(openapi);
    let components = openapi.components.get_or_insert_default();
    for (name, schema) in &mut components.schemas {
        if !sent.contains(name) {
            complete(schema);
        }
    }
}

fn complete(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => require(object),
        RefOr::T(Schema::AllOf(AllOf { items, .. })) => items.iter_mut().for_each(complete),
        _ => {}
    }
}

fn require(object: &mut Object) {
    for (name, property) in &object.properties {
        if is_nullable(&serde_json::to_value(property).unwrap_or_default()) && !object.required.contains(name)
        {
            object.required.push(name.clone());
        }
    }
}

fn is_nullable(property: &Value) -> bool {
    let has_null = |list: &Value| list.as_array().is_some_and(|types| types.iter().any(|one| *one == "null"));
    let options = property["oneOf"].as_array();
    has_null(&property["type"]) || options.is_some_and(|all| all.iter().any(|one| one["type"] == "null"))
}

/// The names of the schemas that request bodies refer to, directly or through others.
fn schemas_of_requests(openapi: &OpenApi) -> BTreeSet<String> {
    let mut waiting = Vec::new();
    for item in openapi.paths.paths.values() {
        for operation in [&item.post, &item.put, &item.patch].into_iter().flatten() {
            refer(&serde_json::to_value(&operation.request_body).unwrap_or_default(), &mut waiting);
        }
    }
    let mut sent = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        let schema = openapi.components.as_ref().and_then(|components| components.schemas.get(&name));
        if sent.insert(name) {
            refer(&serde_json::to_value(schema).unwrap_or_default(), &mut waiting);
        }
    }
    sent
}

/// The schemas that a part of the document refers to.
fn refer(part: &Value, found: &mut Vec<String>) {
    if let Some(name) = part["$ref"].as_str().and_then(|reference| reference.strip_prefix(SCHEMAS)) {
        found.push(name.to_owned());
    }
    match part {
        Value::Object(members) => members.values().for_each(|member| refer(member, found)),
        Value::Array(items) => items.iter().for_each(|item| refer(item, found)),
        _ => {}
    }
}
