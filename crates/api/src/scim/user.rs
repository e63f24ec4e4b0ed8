//! `/scim/v2/Users`: the accounts of the tenant.

use app::{App, scim::AccountRow};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::id::UserId;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use super::{
    CORE_USER,
    caller::Directory,
    draft::Draft,
    error::Failure,
    filter,
    form::{Sent, answer},
    location, patch,
    query::ListParameters,
};
use crate::extract::{IdPath, IfMatch, IfNoneMatch};

type Answer = Result<Response, Failure>;

/// The account as a directory reads it.
fn resource(app: &App, account: &AccountRow) -> Value {
    let role = account.role.as_str();
    let mut resource = json!({
        "schemas": [CORE_USER],
        "id": account.id,
        "userName": account.email.as_str(),
        "displayName": account.name.as_str(),
        "name": { "formatted": account.name.as_str() },
        "active": account.is_active(),
        "emails": [{ "value": account.email.as_str(), "type": "work", "primary": true }],
        "roles": [{ "value": role, "display": account.role.label().en, "primary": true }],
        "groups": [{ "value": role, "display": role, "type": "direct", "$ref": location(app, &format!("Groups/{role}")) }],
        "meta": {
            "resourceType": "User",
            "created": account.created_at,
            "lastModified": account.updated_at,
            "version": tag(app, account),
            "location": address(app, account),
        },
    });
    if let Some(id) = &account.external_id {
        resource["externalId"] = json!(id.as_str());
    }
    resource
}

fn address(app: &App, account: &AccountRow) -> String {
    location(app, &format!("Users/{}", account.id))
}

/// Weak: the same account may be written with other attributes chosen.
fn tag(app: &App, account: &AccountRow) -> String {
    format!("W/\"{}\"", app.people.account_validator(account))
}

/// One account, with its validator and its address.
fn one(app: &App, status: StatusCode, account: &AccountRow, asked: &ListParameters) -> Response {
    let mut response = answer(status, &asked.shown(resource(app, account)));
    let headers = response.headers_mut();
    insert(headers, header::ETAG, &tag(app, account));
    insert(headers, header::LOCATION, &address(app, account));
    response
}

/// Ids, digits and the public address always make a header's value.
fn insert(headers: &mut HeaderMap, name: http::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

pub(super) async fn list(
    State(app): State<App>,
    Directory(caller): Directory,
    asked: ListParameters,
) -> Answer {
    let (limit, offset) = asked.page()?;
    let (accounts, total) = match filter::users(asked.filter.as_deref())? {
        Some(wanted) => app.people.directory_accounts(&caller, wanted, (limit, offset)).await?,
        None => (Vec::new(), 0),
    };
    let resources = accounts.iter().map(|account| resource(&app, account)).collect();
    Ok(answer(StatusCode::OK, &asked.listed(resources, total, offset)))
}

pub(super) async fn create(
    State(app): State<App>,
    Directory(caller): Directory,
    asked: ListParameters,
    Sent(sent): Sent,
) -> Answer {
    let account = app.people.add_directory_account(&caller, Draft::whole(&sent)?.new_account()?).await?;
    Ok(one(&app, StatusCode::CREATED, &account, &asked))
}

pub(super) async fn read(
    State(app): State<App>,
    Directory(caller): Directory,
    IdPath(id): IdPath<UserId>,
    held: IfNoneMatch,
    asked: ListParameters,
) -> Answer {
    let account = app.people.directory_account(&caller, id).await?;
    if held.fits(&app.people.account_validator(&account)) {
        let mut response = StatusCode::NOT_MODIFIED.into_response();
        insert(response.headers_mut(), header::ETAG, &tag(&app, &account));
        return Ok(response);
    }
    Ok(one(&app, StatusCode::OK, &account, &asked))
}

/// What a `PUT` leaves out stays: directories send only what they map.
pub(super) async fn replace(
    State(app): State<App>,
    Directory(caller): Directory,
    IdPath(id): IdPath<UserId>,
    IfMatch(precondition): IfMatch,
    asked: ListParameters,
    Sent(sent): Sent,
) -> Answer {
    let change = Draft::whole(&sent)?.change()?;
    let account = app.people.change_directory_account(&caller, id, precondition, change).await?;
    Ok(one(&app, StatusCode::OK, &account, &asked))
}

pub(super) async fn patch(
    State(app): State<App>,
    Directory(caller): Directory,
    IdPath(id): IdPath<UserId>,
    IfMatch(precondition): IfMatch,
    asked: ListParameters,
    Sent(sent): Sent,
) -> Answer {
    let change = Draft::patched(&patch::operations(&sent)?)?.change()?;
    let account = app.people.change_directory_account(&caller, id, precondition, change).await?;
    Ok(one(&app, StatusCode::OK, &account, &asked))
}

pub(super) async fn remove(
    State(app): State<App>,
    Directory(caller): Directory,
    IdPath(id): IdPath<UserId>,
    IfMatch(precondition): IfMatch,
) -> Answer {
    app.people.remove_directory_account(&caller, id, precondition).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
