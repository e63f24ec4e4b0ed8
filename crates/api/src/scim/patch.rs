//! The operations of a `PATCH` (RFC 7644, 3.5.2), also in the spelling of Entra ID, which writes them capitalised.

use serde_json::{Map, Value};

use super::error::Failure;

/// The most operations in one request.
const MOST: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Add,
    Replace,
    Remove,
}

/// One change.
#[derive(Debug)]
pub(super) struct Operation<'b> {
    pub verb: Verb,
    /// As it was sent.
    pub path: Option<&'b str>,
    pub value: Option<&'b Value>,
}

/// A field by its name in any case.
pub(super) fn field<'b>(fields: &'b Map<String, Value>, name: &str) -> Option<&'b Value> {
    fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The operations in their order.
pub(super) fn operations(sent: &Map<String, Value>) -> Result<Vec<Operation<'_>>, Failure> {
    let list = field(sent, "Operations").and_then(Value::as_array);
    let list = list.ok_or_else(|| Failure::syntax("Operations is missing: send a list of operations"))?;
    if list.is_empty() || list.len() > MOST {
        return Err(Failure::syntax(format!("Operations must have from 1 to {MOST} entries")));
    }
    list.iter().map(operation).collect()
}

fn operation(sent: &Value) -> Result<Operation<'_>, Failure> {
    let fields = sent.as_object().ok_or_else(|| Failure::syntax("an operation must be an object"))?;
    let verb = match field(fields, "op").and_then(Value::as_str).map(str::to_ascii_lowercase).as_deref() {
        Some("add") => Verb::Add,
        Some("replace") => Verb::Replace,
        Some("remove") => Verb::Remove,
        _ => return Err(Failure::syntax("op must be add, replace or remove")),
    };
    let path = match field(fields, "path") {
        None | Some(Value::Null) => None,
        Some(Value::String(path)) => Some(path.trim()),
        Some(_) => return Err(Failure::path("path must be a text")),
    };
    let operation =
        Operation { verb, path: path.filter(|path| !path.is_empty()), value: field(fields, "value") };
    match operation {
        Operation { verb: Verb::Remove, path: None, .. } => {
            Err(Failure::no_target("remove needs a path that names what to remove"))
        }
        Operation { verb: Verb::Add | Verb::Replace, value: None, .. } => {
            Err(Failure::value("add and replace need a value"))
        }
        operation => Ok(operation),
    }
}
