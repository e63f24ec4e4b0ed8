//! `/scim/v2`: a directory keeps the accounts of a tenant.

mod life;
mod refused;

use app::{
    api_key::{KeyRequest, NewKey},
    user::{UserDraft, UserRow},
};
use domain::{key_limits::KeyLimits, password::Password, permission::Permissions, text::Name, user::Role};
use serde_json::{Value, json};
use testkit::{Client, TestApp, TestTenant, percent_encoded};

const USERS: &str = "/scim/v2/Users";
const GROUPS: &str = "/scim/v2/Groups";
const BOTH: &str = "accounts:read,accounts:write";

/// A client with a key that is limited to these scopes.
async fn scoped(app: &TestApp, tenant: &TestTenant, permissions: &str, scopes: &str) -> Client {
    let request = KeyRequest {
        name: Name::parse("directory").unwrap(),
        permissions: Permissions::parse(permissions).unwrap(),
        limits: KeyLimits { scopes: Some(scopes.parse().unwrap()), ..KeyLimits::default() },
    };
    let reveal = |new: &NewKey| new.key.reveal().to_owned();
    let made = app.app.people.create_key(&tenant.caller, request, None, Box::new(reveal)).await.unwrap();
    app.client(&made.body)
}

/// A directory that may also make administrators.
async fn directory(app: &TestApp, tenant: &TestTenant) -> Client {
    scoped(app, tenant, "write,manage_keys", BOTH).await
}

/// A person with a password of their own.
async fn person(app: &TestApp, tenant: &TestTenant, email: &str, role: Role) -> UserRow {
    let name = Name::parse(email.split('@').next().unwrap()).unwrap();
    let draft = UserDraft { email: email.parse().unwrap(), name, role };
    let password = Password::presented("correct horse battery staple");
    app.app.people.create_user(&tenant.caller, draft, password).await.unwrap()
}

fn filtered(path: &str, filter: &str) -> String {
    format!("{path}?filter={}", percent_encoded(filter))
}

#[expect(clippy::needless_pass_by_value, reason = "callers make the value on the spot")]
fn operation(op: &str, path: &str, value: Value) -> Value {
    json!({
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
        "Operations": [{ "op": op, "path": path, "value": value }],
    })
}

/// The path of a new user with this address.
async fn added(client: &Client, email: &str) -> String {
    let user = client.post(USERS, &json!({ "userName": email })).await.expect(201).json();
    format!("{USERS}/{}", user["id"].as_str().unwrap())
}
