//! `/scim/v2/Groups`: the roles as groups. A person is in one of them, and in that of viewers if nothing else is said.

use app::{
    App, Error,
    authz::Caller,
    scim::{self, AccountRow},
};
use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use domain::{key_limits::Verb, user::Role, vocabulary::Vocabulary as _};
use http::StatusCode;
use serde_json::{Value, json};

use super::{
    CORE_GROUP,
    caller::Directory,
    error::Failure,
    filter::{Comparison, comparison},
    form::{Sent, answer},
    location, member, patch,
    query::ListParameters,
};

type Answer = Result<Response, Failure>;

/// The role with its first members, if they are wanted.
async fn resource(app: &App, caller: &Caller, role: Role, asked: &ListParameters) -> Result<Value, Failure> {
    let mut resource = json!({
        "schemas": [CORE_GROUP],
        "id": role.as_str(),
        "displayName": role.as_str(),
        "meta": { "resourceType": "Group", "location": location(app, &format!("Groups/{}", role.as_str())) },
    });
    if asked.wants("members") {
        let members = app.people.role_members(caller, role).await?;
        let member = |account: &AccountRow| {
            json!({
                "value": account.id,
                "display": account.name.as_str(),
                "type": "User",
                "$ref": location(app, &format!("Users/{}", account.id)),
            })
        };
        resource["members"] = members.iter().map(member).collect();
    }
    Ok(resource)
}

fn role(id: &str) -> Result<Role, Failure> {
    Role::find(id).ok_or(Failure::App(Error::NotFound))
}

/// The groups a filter asks for.
fn wanted(filter: Option<&str>) -> Result<Vec<Role>, Failure> {
    let Some(text) = filter else { return Ok(Role::ALL.to_vec()) };
    match comparison(text) {
        Some(Comparison { attribute, value: Value::String(name) })
            if ["displayname", "id"].contains(&attribute.as_str()) =>
        {
            let fits = |role: &&Role| role.as_str().eq_ignore_ascii_case(&name);
            Ok(Role::ALL.iter().filter(fits).copied().collect())
        }
        _ => Err(Failure::filter("filter must be displayName eq \"…\": nothing else is understood")),
    }
}

pub(super) async fn list(
    State(app): State<App>,
    Directory(caller): Directory,
    asked: ListParameters,
) -> Answer {
    let (limit, before) = asked.page()?;
    let roles = wanted(asked.filter.as_deref())?;
    let (skipped, most) = (usize::try_from(before).unwrap_or(usize::MAX), limit as usize);
    let mut resources = Vec::new();
    for role in roles.iter().skip(skipped).take(most) {
        resources.push(resource(&app, &caller, *role, &asked).await?);
    }
    Ok(answer(StatusCode::OK, &asked.listed(resources, roles.len() as u64, before)))
}

pub(super) async fn read(
    State(app): State<App>,
    Directory(caller): Directory,
    Path(id): Path<String>,
    asked: ListParameters,
) -> Answer {
    let group = resource(&app, &caller, role(&id)?, &asked).await?;
    Ok(answer(StatusCode::OK, &asked.shown(group)))
}

pub(super) async fn replace(
    State(app): State<App>,
    Directory(caller): Directory,
    Path(id): Path<String>,
    asked: ListParameters,
    Sent(sent): Sent,
) -> Answer {
    // The answer shows the members, so the key must be allowed to read them before anything is changed.
    scim::require(&caller, Verb::Read)?;
    let role = role(&id)?;
    app.people.change_role_members(&caller, role, member::whole(role, &sent)?).await?;
    let group = resource(&app, &caller, role, &asked).await?;
    Ok(answer(StatusCode::OK, &asked.shown(group)))
}

pub(super) async fn patch(
    State(app): State<App>,
    Directory(caller): Directory,
    Path(id): Path<String>,
    Sent(sent): Sent,
) -> Answer {
    let role = role(&id)?;
    let changes = member::changes(role, &patch::operations(&sent)?)?;
    app.people.change_role_members(&caller, role, changes).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

pub(super) async fn fixed(_: Directory) -> Failure {
    let detail = format!("groups are the roles of Tidewall: link yours to {}", Role::WORDS.join(", "));
    Failure::refused(StatusCode::FORBIDDEN, detail)
}
