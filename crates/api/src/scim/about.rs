//! How the surface describes itself: what it can do, which resources it has, and their attributes.

use app::{App, Error};
use axum::{
    extract::{Path, State},
    response::Response,
};
use http::StatusCode;
use serde_json::{Value, json};

use super::{
    CORE_GROUP, CORE_USER, EXTENSION,
    caller::Directory,
    error::Failure,
    form::answer,
    location,
    query::{ListParameters, MOST},
    schema,
};

type Answer = Result<Response, Failure>;

pub(super) async fn config(State(app): State<App>, _: Directory) -> Response {
    let config = json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        "patch": { "supported": true },
        "bulk": { "supported": false, "maxOperations": 0, "maxPayloadSize": 0 },
        "filter": { "supported": true, "maxResults": MOST },
        "changePassword": { "supported": false },
        "sort": { "supported": false },
        "etag": { "supported": true },
        "authenticationSchemes": [{
            "type": "oauthbearertoken",
            "name": "API key",
            "description": "An API key of Tidewall whose scopes name accounts:read and accounts:write",
            "specUri": "https://www.rfc-editor.org/info/rfc6750",
            "primary": true,
        }],
        "meta": {
            "resourceType": "ServiceProviderConfig",
            "location": location(&app, "ServiceProviderConfig"),
        },
    });
    answer(StatusCode::OK, &config)
}

fn resource_types(app: &App) -> Vec<Value> {
    let kinds = [
        (
            "User",
            "Users",
            CORE_USER,
            "Accounts of people",
            json!([{ "schema": EXTENSION, "required": false }]),
        ),
        ("Group", "Groups", CORE_GROUP, "The roles of the institution", json!([])),
    ];
    let described = kinds.into_iter().map(|(name, place, core, about, extensions)| {
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
            "id": name,
            "name": name,
            "description": about,
            "endpoint": format!("/{place}"),
            "schema": core,
            "schemaExtensions": extensions,
            "meta": { "resourceType": "ResourceType", "location": location(app, &format!("ResourceTypes/{name}")) },
        })
    });
    described.collect()
}

fn all_schemas(app: &App) -> Vec<Value> {
    let located = schema::all().into_iter().map(|mut schema| {
        let place = format!("Schemas/{}", schema["id"].as_str().unwrap_or_default());
        schema["meta"] = json!({ "resourceType": "Schema", "location": location(app, &place) });
        schema
    });
    located.collect()
}

/// Everything on one page: a filter is refused, as RFC 7644 (4) asks.
fn listed(asked: &ListParameters, found: Vec<Value>) -> Answer {
    if asked.filter.is_some() {
        return Err(Failure::refused(StatusCode::FORBIDDEN, "this list takes no filter"));
    }
    let total = found.len() as u64;
    Ok(answer(StatusCode::OK, &asked.listed(found, total, 0)))
}

fn one(found: Vec<Value>, id: &str) -> Answer {
    let found = found.into_iter().find(|resource| resource["id"] == id);
    found.map(|resource| answer(StatusCode::OK, &resource)).ok_or(Failure::App(Error::NotFound))
}

pub(super) async fn types(State(app): State<App>, _: Directory, asked: ListParameters) -> Answer {
    listed(&asked, resource_types(&app))
}

pub(super) async fn one_type(State(app): State<App>, _: Directory, Path(id): Path<String>) -> Answer {
    one(resource_types(&app), &id)
}

pub(super) async fn schemas(State(app): State<App>, _: Directory, asked: ListParameters) -> Answer {
    listed(&asked, all_schemas(&app))
}

pub(super) async fn one_schema(State(app): State<App>, _: Directory, Path(id): Path<String>) -> Answer {
    one(all_schemas(&app), &id)
}
