//! What a directory says of a user, attribute by attribute, before it is an account or a change of one.
//!
//! Attributes that Tidewall does not keep are ignored, as RFC 7644 (3.5.2) leaves to the service: directories send
//! telephone numbers and departments to everyone.

use app::scim::{AccountChange, NewAccount};
use domain::{
    change::Change,
    text::Name,
    user::{Email, NotAnEmail, Role},
    vocabulary::Vocabulary as _,
};
use serde_json::{Map, Value};

use super::{
    EXTENSION,
    error::Failure,
    filter::{bare, truth},
    patch::{Operation, Verb, field},
};

#[derive(Debug, Default)]
pub(super) struct Draft {
    user_name: Option<String>,
    display: Option<String>,
    formatted: Option<String>,
    given: Option<String>,
    family: Option<String>,
    active: Option<bool>,
    external_id: Change<String>,
    role: Option<Role>,
    invite: bool,
}

/// A text without blanks around it; one that is empty, or none at all, says nothing.
fn text(name: &str, value: &Value) -> Result<Option<String>, Failure> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        _ => Err(Failure::value(format!("{name} must be a text"))),
    }
}

fn named(word: &str) -> Result<Role, Failure> {
    let known = Role::find(&word.trim().to_ascii_lowercase());
    known.ok_or_else(|| Failure::value(format!("roles must be one of {}", Role::WORDS.join(", "))))
}

/// The one role among those that are sent: a person has one. Without any they are a viewer.
fn role(value: &Value) -> Result<Role, Failure> {
    let entries = match value {
        Value::Array(entries) => entries.as_slice(),
        single => std::slice::from_ref(single),
    };
    let word = |entry: &Value| {
        let value = entry.as_object().map_or(Some(entry), |fields| field(fields, "value"));
        value.and_then(Value::as_str).map(str::to_owned)
    };
    let is_first = |entry: &&Value| entry["primary"] == true || entry["primary"] == "True";
    let chosen: Vec<&Value> = match entries.iter().find(is_first) {
        Some(first) => vec![first],
        None => entries.iter().filter(|entry| !entry.is_null()).collect(),
    };
    let roles = chosen.into_iter().map(|entry| named(&word(entry).unwrap_or_default()));
    let mut roles = roles.collect::<Result<Vec<_>, _>>()?;
    roles.sort_unstable();
    roles.dedup();
    match roles[..] {
        [] => Ok(Role::Viewer),
        [role] => Ok(role),
        _ => Err(Failure::value("roles must be one role: mark one of them as primary")),
    }
}

impl Draft {
    /// A whole resource.
    pub(super) fn whole(sent: &Map<String, Value>) -> Result<Self, Failure> {
        let mut draft = Self::default();
        draft.set_all(sent)?;
        Ok(draft)
    }

    /// What operations change.
    pub(super) fn patched(operations: &[Operation<'_>]) -> Result<Self, Failure> {
        let mut draft = Self::default();
        for operation in operations {
            match (operation.verb, operation.path, operation.value) {
                (Verb::Remove, Some(path), _) => draft.remove(path)?,
                (_, Some(path), Some(value)) => draft.set(path, value)?,
                (_, None, Some(Value::Object(fields))) => draft.set_all(fields)?,
                _ => return Err(Failure::value("without a path, value must be an object of attributes")),
            }
        }
        Ok(draft)
    }

    fn set_all(&mut self, fields: &Map<String, Value>) -> Result<(), Failure> {
        fields.iter().try_for_each(|(name, value)| self.set(name, value))
    }

    fn set(&mut self, path: &str, value: &Value) -> Result<(), Failure> {
        let path = bare(path);
        match path.as_str() {
            "username" => self.user_name = text("userName", value)?,
            "displayname" => self.display = text("displayName", value)?,
            "name" => {
                for (part, value) in value.as_object().into_iter().flatten() {
                    self.set(&format!("name.{part}"), value)?;
                }
            }
            "name.formatted" => self.formatted = text("name.formatted", value)?,
            "name.givenname" => self.given = text("name.givenName", value)?,
            "name.familyname" => self.family = text("name.familyName", value)?,
            "active" => {
                let active = truth(value).ok_or_else(|| Failure::value("active must be true or false"))?;
                self.active = Some(active);
            }
            "externalid" => {
                self.external_id = text("externalId", value)?.map_or(Change::Clear, Change::Set);
            }
            "roles" | "roles.value" => self.role = Some(role(value)?),
            roles if roles.starts_with("roles[") => self.role = Some(role(value)?),
            own if own.eq_ignore_ascii_case(EXTENSION) => {
                let invite = value.as_object().and_then(|fields| field(fields, "invite"));
                self.invite = invite.and_then(truth).unwrap_or(false);
            }
            _ => {}
        }
        Ok(())
    }

    fn remove(&mut self, path: &str) -> Result<(), Failure> {
        let path = bare(path);
        match path.as_str() {
            "externalid" => self.external_id = Change::Clear,
            "roles" | "roles.value" => self.role = Some(Role::Viewer),
            roles if roles.starts_with("roles[") => self.role = Some(Role::Viewer),
            "username" | "displayname" | "name" | "name.formatted" | "active" => {
                return Err(Failure::fixed(format!("{path} cannot be removed: replace it")));
            }
            _ => {}
        }
        Ok(())
    }

    fn email(&self) -> Result<Option<Email>, Failure> {
        let parsed = self.user_name.as_deref().map(str::parse).transpose();
        parsed.map_err(|error: NotAnEmail| Failure::value(format!("userName {error}")))
    }

    /// The name people see: as it is displayed, else as it is written out, else both of its parts.
    fn name(&self) -> Result<Option<Name>, Failure> {
        let parts = self.given.as_ref().zip(self.family.as_ref());
        let joined = parts.map(|(given, family)| format!("{given} {family}"));
        let name = self.display.clone().or_else(|| self.formatted.clone()).or(joined);
        checked("displayName", name.as_deref())
    }

    fn kept_id(&self) -> Result<Change<Name>, Failure> {
        let Change::Set(id) = &self.external_id else {
            return Ok(if self.external_id == Change::Clear { Change::Clear } else { Change::Keep });
        };
        Ok(checked("externalId", Some(id))?.map_or(Change::Clear, Change::Set))
    }

    pub(super) fn new_account(self) -> Result<NewAccount, Failure> {
        let missing = || Failure::value("userName is missing: send the email address of the person");
        Ok(NewAccount {
            email: self.email()?.ok_or_else(missing)?,
            name: self.name()?,
            role: self.role,
            active: self.active.unwrap_or(true),
            external_id: match self.kept_id()? {
                Change::Set(id) => Some(id),
                Change::Keep | Change::Clear => None,
            },
            invite: self.invite,
        })
    }

    pub(super) fn change(self) -> Result<AccountChange, Failure> {
        Ok(AccountChange {
            email: self.email()?,
            name: self.name()?,
            role: self.role,
            active: self.active,
            external_id: match self.kept_id()? {
                Change::Keep => None,
                Change::Clear => Some(None),
                Change::Set(id) => Some(Some(id)),
            },
        })
    }
}

fn checked(attribute: &str, text: Option<&str>) -> Result<Option<Name>, Failure> {
    let parsed = text.map(Name::parse).transpose();
    parsed.map_err(|error| Failure::value(format!("{attribute} {error}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::patch::operations, *};

    fn patched(sent: &Value) -> Result<AccountChange, Failure> {
        Draft::patched(&operations(sent.as_object().unwrap())?)?.change()
    }

    fn one(operation: &Value) -> Result<AccountChange, Failure> {
        patched(&json!({ "Operations": [operation] }))
    }

    #[test]
    fn operations_in_the_spellings_of_directories() {
        let off = [
            json!({ "op": "Replace", "path": "active", "value": "False" }),
            json!({ "op": "replace", "value": { "active": false } }),
            json!({ "op": "add", "path": "urn:ietf:params:scim:schemas:core:2.0:User:active", "value": false }),
        ];
        for operation in off {
            let change = AccountChange { active: Some(false), ..AccountChange::default() };
            assert_eq!(one(&operation).unwrap(), change, "{operation}");
        }
        let roles = [
            json!({ "op": "Add", "path": "roles[primary eq \"True\"].value", "value": "manager" }),
            json!({ "op": "replace", "path": "roles", "value": [{ "value": "Manager" }] }),
            json!({ "op": "replace", "value": { "roles": ["viewer", { "value": "manager", "primary": true }] } }),
        ];
        for operation in roles {
            assert_eq!(one(&operation).unwrap().role, Some(Role::Manager), "{operation}");
        }
        let names = json!({ "Operations": [
            { "op": "replace", "path": "name.givenName", "value": "Anna" },
            { "op": "replace", "path": "name.familyName", "value": "Weber" },
            { "op": "replace", "path": "addresses[type eq \"work\"].locality", "value": "Berlin" },
        ] });
        assert_eq!(patched(&names).unwrap().name.unwrap().as_str(), "Anna Weber");
        let gone = one(&json!({ "op": "remove", "path": "externalId" })).unwrap();
        assert_eq!(gone.external_id, Some(None));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for wrong in [
            json!({ "op": "move", "path": "active", "value": true }),
            json!({ "op": "replace", "path": "active", "value": "perhaps" }),
            json!({ "op": "replace", "path": "active" }),
            json!({ "op": "replace", "value": true }),
            json!({ "op": "replace", "path": 7, "value": true }),
            json!({ "op": "remove" }),
            json!({ "op": "remove", "path": "active" }),
            json!({ "op": "replace", "path": "roles", "value": ["owner"] }),
            json!({ "op": "replace", "path": "roles", "value": ["viewer", "manager"] }),
            json!({ "op": "replace", "path": "userName", "value": "no address" }),
            json!({ "op": "replace", "path": "displayName", "value": "a\u{0}b" }),
        ] {
            assert!(one(&wrong).is_err(), "{wrong}");
        }
        assert!(patched(&json!({})).is_err() && patched(&json!({ "Operations": [] })).is_err());
        assert!(Draft::whole(&Map::new()).unwrap().new_account().is_err(), "without a userName");
    }
}
