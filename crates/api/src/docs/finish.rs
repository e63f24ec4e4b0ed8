//! Completes the generated document: names, descriptions, headers and references that follow from rules.

use std::collections::BTreeSet;

use utoipa::{
    IntoParams,
    openapi::{
        Components, ContentBuilder, OpenApi, Ref, RefOr, Response,
        path::{Operation, Parameter, ParameterIn, PathItem},
        schema::{ArrayItems, KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type},
    },
};

use super::{failures, headers, names, names::Enveloped, own_fields, presence};
use crate::{
    extract::{LanguageParams, PageParams},
    public,
    reference::SearchParams,
    schema::word,
};

const SCHEMAS: &str = "#/components/schemas/";

pub(super) fn finish(mut openapi: OpenApi) -> OpenApi {
    let components = openapi.components.get_or_insert_default();
    components.schemas.extend(word::all());
    failures::declare(components);
    headers::declare(components);
    let shared = shared_parameters();
    for parameter in &shared {
        components.parameters.insert(parameter.name.clone(), parameter.clone().into());
    }
    unfold_envelopes(components);
    let addressed: BTreeSet<String> = openapi
        .paths
        .paths
        .iter()
        .filter(|(_, item)| item.get.is_some())
        .filter_map(|(path, _)| collection(path))
        .collect();
    for (path, item) in &mut openapi.paths.paths {
        let addressed = addressed.contains(path);
        for (method, operation) in operations(item) {
            complete(method, path, operation);
            headers::apply(path, operation, addressed);
            share(operation, &shared);
        }
    }
    presence::require_nullable(&mut openapi);
    own_fields::add(&mut openapi);
    openapi
}

/// The operations of a path, by method.
pub(super) fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let all = [
        ("GET", &mut item.get),
        ("POST", &mut item.post),
        ("PUT", &mut item.put),
        ("PATCH", &mut item.patch),
        ("DELETE", &mut item.delete),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// `/api/v1/findings` of `/api/v1/findings/{id}`.
fn collection(path: &str) -> Option<String> {
    let (collection, last) = path.rsplit_once('/')?;
    last.starts_with('{').then(|| collection.to_owned())
}

fn complete(method: &str, path: &str, operation: &mut Operation) {
    let is_list = rename_bodies(operation);
    describe_files(operation);
    operation.operation_id = Some(names::operation_id(method, path, operation, is_list));
    if !public::in_contract(method, path) {
        operation.extensions.get_or_insert_default().insert("x-extension".to_owned(), true.into());
    }
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response
            && response.description.is_empty()
        {
            response.description = described(method, status, response, is_list).to_owned();
        }
    }
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && parameter.parameter_in == ParameterIn::Path
            && parameter.description.is_none()
        {
            parameter.description = Some("The id of the record.".to_owned());
        }
    }
}

/// The description of a success, if the handler has none.
fn described(method: &str, status: &str, response: &Response, is_list: bool) -> &'static str {
    let is_file = response.content.keys().any(|media_type| media_type != "application/json");
    match (method, status) {
        (_, "201") => "The created record.",
        ("DELETE", _) => "Deleted. No body.",
        ("PUT" | "PATCH", _) => "The changed record.",
        ("POST", _) => "The result.",
        _ if is_file => "The file.",
        _ if is_list => "The list, or one page of it.",
        _ => "The requested record.",
    }
}

/// Renames the bodies of an operation, and returns whether one is a list.
fn rename_bodies(operation: &mut Operation) -> bool {
    let mut is_list = false;
    for response in operation.responses.responses.values_mut() {
        let RefOr::T(response) = response else { continue };
        for content in response.content.values_mut() {
            let RefOr::T(content) = content else { continue };
            if let Some(RefOr::Ref(reference)) = &mut content.schema
                && let Some(enveloped) =
                    reference.ref_location.strip_prefix(SCHEMAS).and_then(Enveloped::parse)
            {
                is_list |= enveloped.is_list;
                let name = enveloped.name();
                *reference = Ref::from_schema_name(name);
            }
        }
    }
    is_list
}

/// A body that may be something else than JSON is a file, and its JSON is the format of another tool.
fn describe_files(operation: &mut Operation) {
    let Some(RefOr::T(body)) = &mut operation.request_body else { return };
    if body.content.keys().all(|media_type| media_type == "application/json") {
        return;
    }
    for (media_type, content) in &mut body.content {
        let schema = ObjectBuilder::new();
        let schema = if media_type.ends_with("json") {
            schema.schema_type(SchemaType::AnyValue)
        } else {
            schema.schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        };
        *content = ContentBuilder::new().schema(Some(schema)).build().into();
    }
}

/// The generator copies the content of an envelope; a reference avoids the copy.
fn unfold_envelopes(components: &mut Components) {
    let generated: Vec<String> =
        components.schemas.keys().filter(|name| Enveloped::parse(name).is_some()).cloned().collect();
    for name in generated {
        let (Some(enveloped), Some(mut schema)) = (Enveloped::parse(&name), components.schemas.remove(&name))
        else {
            continue;
        };
        if let RefOr::T(Schema::Object(object)) = &mut schema
            && let Some(data) = object.properties.get_mut("data")
        {
            let inner = RefOr::Ref(Ref::from_schema_name(enveloped.inner));
            match data {
                RefOr::T(Schema::Array(array)) => array.items = ArrayItems::RefOrSchema(Box::new(inner)),
                other => *other = inner,
            }
        }
        components.schemas.insert(enveloped.name(), schema);
    }
}

/// Query parameters that many operations have.
fn shared_parameters() -> Vec<Parameter> {
    let query = || Some(ParameterIn::Query);
    let groups = [
        PageParams::into_params(query),
        LanguageParams::into_params(query),
        SearchParams::into_params(query),
    ];
    groups.into_iter().flatten().collect()
}

/// Refers to the shared parameters instead of repeating them.
fn share(operation: &mut Operation, shared: &[Parameter]) {
    for parameter in operation.parameters.iter_mut().flatten() {
        let same = match parameter {
            RefOr::T(own) => shared.iter().find(|shared| *shared == own),
            RefOr::Ref(_) => None,
        };
        if let Some(same) = same {
            *parameter = headers::parameter(&same.name);
        }
    }
}
