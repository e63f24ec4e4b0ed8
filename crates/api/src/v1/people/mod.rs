//! The people of the tenant.

pub(crate) mod keys;

use app::{App, person::Person as AppPerson};
use axum::{extract::State, response::Response};
use domain::{id::UserId, moment::Moment, user::Role};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::{
    ApiError,
    extract::{ListParams, ListQuery, Reader},
    respond::{self, List},
    v1::{
        Subject,
        wire::{KeyedErrors, words},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "people",
    about: "The people of the tenant, by the ids that records and histories name.",
    list: None,
    routes: |router| router.routes(routes!(list)),
};

words! {
    PersonRole = Role, "What the person may do.";
}

/// A person of the tenant.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Person {
    #[schema(value_type = String, example = "usr_01k9x14js0e00000000000000a")]
    id: UserId,
    #[schema(example = "Anna Weber")]
    name: String,
    role: PersonRole,
    /// Null for keys without the permission `manage_keys`.
    #[schema(format = "email", example = "anna.weber@bank.example")]
    email: Option<String>,
    /// Whether the person can sign in. Null for keys without the permission `manage_keys`.
    active: Option<bool>,
    /// The groups of the directory (SCIM) that the person is in: one for each role. Null for keys without the
    /// permission `manage_keys`.
    groups: Option<Vec<PersonRole>>,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

impl From<&AppPerson> for Person {
    fn from(person: &AppPerson) -> Self {
        let account = person.account.as_ref();
        Self {
            id: person.id,
            name: person.name.to_string(),
            role: person.role.into(),
            email: account.map(|account| account.email.to_string()),
            active: account.map(|account| account.active),
            groups: account.map(|_| vec![person.role.into()]),
            updated_at: person.updated_at,
        }
    }
}

/// Lists the people of the tenant.
///
/// The oldest accounts come first. Every key reads names and roles; addresses, states and groups need the permission
/// `manage_keys`.
#[utoipa::path(get, path = "/api/v1/people", tag = "people", params(ListParams),
    responses((status = 200, body = List<Person>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
) -> Result<Response, ApiError> {
    let page = app.people.people_page(&caller, query.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<Person>::of(&page))))
}
