//! The attributes that are kept, as RFC 7643 (7) describes them.

use domain::user::Role;
use serde_json::{Value, json};

use super::{CORE_GROUP, CORE_USER, EXTENSION};

const SCHEMA: &str = "urn:ietf:params:scim:schemas:core:2.0:Schema";

/// An optional attribute that can be read and written; what differs is said beside it.
fn attribute(name: &str, kind: &str, about: &str) -> Value {
    json!({
        "name": name,
        "type": kind,
        "multiValued": false,
        "description": about,
        "required": false,
        "caseExact": false,
        "mutability": "readWrite",
        "returned": "default",
        "uniqueness": "none",
    })
}

fn with(mut attribute: Value, differences: &[(&str, Value)]) -> Value {
    for (name, value) in differences {
        attribute[*name] = value.clone();
    }
    attribute
}

fn read_only(attribute: Value) -> Value {
    with(attribute, &[("mutability", json!("readOnly"))])
}

/// A list of entries with these attributes.
fn many(attribute: Value, parts: &[Value]) -> Value {
    with(attribute, &[("multiValued", json!(true)), ("subAttributes", json!(parts))])
}

pub(super) fn all() -> Vec<Value> {
    vec![user(), group(), extension()]
}

fn user() -> Value {
    let name = with(
        attribute("name", "complex", "The name of the person"),
        &[(
            "subAttributes",
            json!([
                attribute("formatted", "string", "The whole name; displayName is the same"),
                with(
                    attribute("givenName", "string", "Taken with familyName where no whole name is sent"),
                    &[("mutability", json!("writeOnly")), ("returned", json!("never")),]
                ),
                with(
                    attribute("familyName", "string", "Taken with givenName where no whole name is sent"),
                    &[("mutability", json!("writeOnly")), ("returned", json!("never")),]
                ),
            ]),
        )],
    );
    let role = [
        with(attribute("value", "string", "The role"), &[("canonicalValues", json!(Role::WORDS))]),
        read_only(attribute("display", "string", "The role as people read it")),
        attribute("primary", "boolean", "Which of several roles counts: a person has one"),
    ];
    json!({
        "schemas": [SCHEMA],
        "id": CORE_USER,
        "name": "User",
        "description": "The account of a person",
        "attributes": [
            with(attribute("userName", "string", "The email address; an account keeps it"), &[
                ("required", json!(true)),
                ("mutability", json!("immutable")),
                ("uniqueness", json!("server")),
            ]),
            name,
            attribute("displayName", "string", "The name of the person"),
            attribute("active", "boolean", "Whether the account is open"),
            read_only(many(attribute("emails", "complex", "The address in userName"), &address_parts())),
            many(attribute("roles", "complex", "What the person may do; viewer if nothing is sent"), &role),
            read_only(many(attribute("groups", "complex", "The role as a group"), &group_parts())),
        ],
    })
}

fn address_parts() -> [Value; 2] {
    [
        read_only(attribute("value", "string", "The address")),
        read_only(attribute("type", "string", "Always work")),
    ]
}

fn group_parts() -> [Value; 2] {
    let group = read_only(attribute("$ref", "reference", "The address of the group"));
    [
        read_only(attribute("value", "string", "The id of the group")),
        with(group, &[("referenceTypes", json!(["Group"]))]),
    ]
}

fn group() -> Value {
    let member = [
        with(attribute("value", "string", "The id of the account"), &[("mutability", json!("immutable"))]),
        read_only(attribute("display", "string", "The name of the person")),
        with(
            attribute("$ref", "reference", "The address of the account"),
            &[("mutability", json!("immutable")), ("referenceTypes", json!(["User"]))],
        ),
    ];
    json!({
        "schemas": [SCHEMA],
        "id": CORE_GROUP,
        "name": "Group",
        "description": "A role; there are no others, and a person has one",
        "attributes": [
            read_only(attribute("displayName", "string", "The role")),
            many(attribute("members", "complex", "The people who have the role"), &member),
        ],
    })
}

fn extension() -> Value {
    let invite = "Whether a new person gets a mail with a link to choose a password, where mail is sent";
    json!({
        "schemas": [SCHEMA],
        "id": EXTENSION,
        "name": "Tidewall",
        "description": "What Tidewall adds to a user",
        "attributes": [
            with(attribute("invite", "boolean", invite), &[
                ("mutability", json!("writeOnly")),
                ("returned", json!("never")),
            ]),
        ],
    })
}
