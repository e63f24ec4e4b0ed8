//! The member `custom` of every kind of record that can have own fields, in answers and in requests.

use std::collections::BTreeSet;

use app::records::KINDS;
use serde_json::json;
use utoipa::openapi::{
    Components, Content, OpenApi, RefOr,
    path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem},
    schema::{AdditionalProperties, AllOf, Array, ArrayItems, ObjectBuilder, Schema, SchemaType, Type},
};

use crate::v1;

const SCHEMAS: &str = "#/components/schemas/";
const CUSTOM: &str = domain::custom_field::CUSTOM;

/// The parameter of lists; its last part stands for the key of a field.
pub(crate) const PARAMETER: &str = "custom.KEY";
/// Plain tasks are listed with the work of all kinds.
const WORK: &str = "tasks";

/// Whether it is a parameter for a field of lists that have such parameters.
pub(crate) fn is_filter(name: &str, known: &BTreeSet<String>) -> bool {
    name.strip_prefix(CUSTOM).is_some_and(|rest| rest.starts_with('.')) && known.contains(PARAMETER)
}

fn filter() -> Parameter {
    let schema = ObjectBuilder::new().schema_type(Type::String);
    ParameterBuilder::new()
        .name(PARAMETER)
        .parameter_in(ParameterIn::Query)
        .description(Some(
            "Only records with this value in an own field, whose key stands in place of `KEY`: `custom.region=North`. Texts \
             are compared as a whole, in any case. At most two fields; one that is not defined is refused.",
        ))
        .schema(Some(schema))
        .build()
}

/// Adds it to the schemas that the routes of those kinds refer to.
pub(super) fn add(openapi: &mut OpenApi) {
    let mut names = (BTreeSet::new(), BTreeSet::new());
    let components = openapi.components.get_or_insert_default();
    for kind in KINDS.iter().filter(|kind| kind.has_own_fields) {
        let list = v1::list_of(kind);
        if let Some(operation) = openapi.paths.paths.get_mut(&list).and_then(|item| item.get.as_mut())
            && kind.table != WORK
        {
            operation.parameters.get_or_insert_default().push(filter().into());
        }
        for path in [list.clone(), format!("{list}/{{id}}")] {
            if let Some(item) = openapi.paths.paths.get(&path) {
                collect(item, components, &mut names);
            }
        }
    }
    let (shown, sent): (BTreeSet<_>, BTreeSet<_>) = names;
    for name in shown {
        extend(components, &name, &values(ABOUT_SHOWN, false));
    }
    for name in sent {
        extend(components, &name, &values(ABOUT_SENT, true));
    }
}

const ABOUT_SHOWN: &str = "The values of own fields, by their keys; absent where the record has none.";
const ABOUT_SENT: &str =
    "Values of own fields, by their keys. Fields that are absent keep their values; `null` removes one.";

fn values(about: &str, is_sent: bool) -> RefOr<Schema> {
    let mut types = vec![Type::String, Type::Number, Type::Boolean];
    types.extend(is_sent.then_some(Type::Null));
    let value = ObjectBuilder::new().schema_type(SchemaType::Array(types));
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .additional_properties(Some(AdditionalProperties::RefOr(value.into())))
        .description(Some(about))
        .examples([json!({ "region": "North", "cost_centre": 4711 })])
        .into()
}

/// The names of the schemas of the records in answers, and of those in requests. A request that is not answered with the
/// record, such as an assignment of many, has no values.
fn collect(
    item: &PathItem,
    components: &Components,
    (shown, sent): &mut (BTreeSet<String>, BTreeSet<String>),
) {
    for operation in [&item.post, &item.patch].into_iter().flatten() {
        let records: Vec<_> = answers(operation).filter_map(|name| inner(components, &name)).collect();
        if let (Some(RefOr::T(body)), false) = (&operation.request_body, records.is_empty()) {
            sent.extend(body.content.values().filter_map(schema_of));
        }
        shown.extend(records.iter().map(|name| base(components, name)));
    }
}

/// The record that another schema adds to.
fn base(components: &Components, name: &str) -> String {
    match components.schemas.get(name) {
        Some(RefOr::T(Schema::AllOf(AllOf { items, .. }))) => items.iter().find_map(name_of),
        _ => None,
    }
    .unwrap_or_else(|| name.to_owned())
}

fn schema_of(content: &RefOr<Content>) -> Option<String> {
    match content {
        RefOr::T(content) => name_of(content.schema.as_ref()?),
        RefOr::Ref(_) => None,
    }
}

fn answers(operation: &Operation) -> impl Iterator<Item = String> {
    let successes = operation.responses.responses.iter().filter(|(status, _)| status.starts_with('2'));
    successes.flat_map(|(_, response)| match response {
        RefOr::T(response) => response.content.values().filter_map(schema_of).collect(),
        RefOr::Ref(_) => Vec::new(),
    })
}

fn name_of(schema: &RefOr<Schema>) -> Option<String> {
    match schema {
        RefOr::Ref(reference) => reference.ref_location.strip_prefix(SCHEMAS).map(str::to_owned),
        RefOr::T(_) => None,
    }
}

/// What an envelope contains: a record or a list of them.
fn inner(components: &Components, name: &str) -> Option<String> {
    let RefOr::T(Schema::Object(envelope)) = components.schemas.get(name)? else { return None };
    match envelope.properties.get("data")? {
        RefOr::T(Schema::Array(Array { items: ArrayItems::RefOrSchema(item), .. })) => name_of(item),
        data => name_of(data),
    }
}

fn extend(components: &mut Components, name: &str, custom: &RefOr<Schema>) {
    if let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(name) {
        object.properties.insert(CUSTOM.to_owned(), custom.clone());
    }
}
