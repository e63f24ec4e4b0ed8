//! The fields of a JSON object, and the violations found in them.

use std::{fmt::Display, str::FromStr};

use app::Error;
use domain::violation::{Complaint, FieldComplaint, Violations};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::request::{self, Source};
use crate::ApiError;

/// Unknown fields are ignored.
#[derive(Debug)]
pub(crate) struct Fields {
    map: Map<String, Value>,
    violations: Violations,
}

impl Fields {
    pub(crate) fn new(map: Map<String, Value>) -> Self {
        Self { map, violations: Violations::default() }
    }

    pub(crate) fn complain(&mut self, field: &str, message: impl Display) {
        self.violations.add(field, Complaint::protocol(message));
    }

    /// Adds a violation if a nested field is absent and none was reported for it.
    pub(crate) fn require_value<T>(&mut self, field: &str, value: Option<&T>) {
        if value.is_none() && !self.violations.fields().contains_key(field) {
            self.violations.add(field, FieldComplaint::Required);
        }
    }

    pub(crate) fn has(&self, field: &str) -> bool {
        self.map.contains_key(field)
    }

    /// Takes the members of a field that is an object of names that no type knows.
    pub(crate) fn members(&mut self, field: &str) -> Map<String, Value> {
        match self.map.remove(field) {
            None => Map::new(),
            Some(Value::Object(members)) => members,
            Some(_) => {
                self.complain(field, "must be an object");
                Map::new()
            }
        }
    }

    /// The request; its fields are absent where they violate their types.
    pub(crate) fn read<T: DeserializeOwned + Default>(&mut self) -> T {
        let entries = self.map.iter().map(|(name, value)| (name.as_str(), Source::Json(value))).collect();
        request::read(&entries, &mut self.violations)
    }

    /// A text of the request that parses as `T`; a violation if it does not.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(&mut self, field: &str, text: Option<&str>) -> Option<T> {
        let parsed = text?.parse();
        self.keep(field, parsed)
    }

    /// A whole number of the request that converts to `T`; a violation if it does not.
    pub(crate) fn converted<T: TryFrom<i64, Error: Display>>(
        &mut self,
        field: &str,
        number: Option<i64>,
    ) -> Option<T> {
        let converted = T::try_from(number?);
        self.keep(field, converted)
    }

    /// Adds a violation if the field is absent; an invalid one was reported already.
    pub(crate) fn require(&mut self, field: &str) {
        if !self.has(field) {
            self.violations.add(field, FieldComplaint::Required);
        }
    }

    pub(crate) fn keep<T, E: Display>(&mut self, field: &str, parsed: Result<T, E>) -> Option<T> {
        self.violations.keep(field, parsed.map_err(Complaint::protocol))
    }

    /// What several fields of the request say together; their violations if there are any.
    pub(crate) fn keep_all<T>(&mut self, read: Result<T, Violations>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(found) => {
                self.violations = std::mem::take(&mut self.violations).and(Some(found));
                None
            }
        }
    }

    /// The value, unless there was a violation.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, ApiError> {
        self.violations.or(value).map_err(|violations| Error::Invalid(violations).into())
    }

    /// Adds the violations of an inner object, prefixed with its name.
    pub(crate) fn complain_all(&mut self, within: &str, violations: &Violations) {
        for (field, messages) in violations.fields() {
            for message in messages {
                self.violations.add(format!("{within}.{field}"), message.clone());
            }
        }
    }
}
