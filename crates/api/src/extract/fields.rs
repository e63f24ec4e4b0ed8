//! Reads the fields of a JSON object one by one, collecting every violation instead of stopping at the first.

use std::{fmt::Display, str::FromStr};

use app::Error;
use domain::{
    change::Change,
    violation::{Complaint, FieldComplaint, Violations},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::request::{self, Source};
use crate::ApiError;

/// Parses fields into domain types. Unknown fields are ignored.
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

    pub(crate) fn has(&self, field: &str) -> bool {
        self.map.contains_key(field)
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

    fn take<T>(&mut self, field: &str, kind: &str, read: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let value = self.map.get(field)?;
        let read = read(value);
        if read.is_none() {
            self.complain(field, format_args!("must be {kind}"));
        }
        read
    }

    /// A string; `None` if absent, anything else is a violation.
    pub(crate) fn text(&mut self, field: &str) -> Option<String> {
        self.take(field, "a string", |value| value.as_str().map(str::to_owned))
    }

    /// A string or null: absent is the outer `None`, null the inner one.
    pub(crate) fn nullable_text(&mut self, field: &str) -> Option<Option<String>> {
        self.take(field, "a string or null", |value| match value {
            Value::Null => Some(None),
            Value::String(text) => Some(Some(text.clone())),
            _ => None,
        })
    }

    pub(crate) fn integer(&mut self, field: &str) -> Option<i64> {
        self.take(field, "a whole number", whole)
    }

    /// The values that the contract accepts as a switch: true, false, 0, 1, "0", "1".
    pub(crate) fn switch(&mut self, field: &str) -> Option<bool> {
        self.take(field, "one of true, false, 0, 1, \"0\", \"1\"", |value| match value {
            Value::Bool(on) => Some(*on),
            Value::Number(_) => match whole(value) {
                Some(0) => Some(false),
                Some(1) => Some(true),
                _ => None,
            },
            Value::String(text) if text == "0" => Some(false),
            Value::String(text) if text == "1" => Some(true),
            _ => None,
        })
    }

    pub(crate) fn texts(&mut self, field: &str) -> Option<Vec<String>> {
        self.take(field, "a list of strings", |value| {
            value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
        })
    }

    /// The change of a field: absent, null, or a value of the right type.
    fn change<T>(&mut self, field: &str, kind: &str, read: impl FnOnce(&Value) -> Option<T>) -> Change<T> {
        match self.map.get(field) {
            None => Change::Keep,
            Some(Value::Null) => Change::Clear,
            Some(_) => self.take(field, kind, read).map_or(Change::Keep, Change::Set),
        }
    }

    /// A string, null or absent. The record's rules decide whether it may be null.
    pub(crate) fn text_change(&mut self, field: &str) -> Change<String> {
        self.change(field, "a string", |value| value.as_str().map(str::to_owned))
    }

    pub(crate) fn texts_change(&mut self, field: &str) -> Change<Vec<String>> {
        self.change(field, "a list of strings", |value| {
            value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
        })
    }

    /// An object that the record's own rules parse.
    pub(crate) fn map_change(&mut self, field: &str) -> Change<Map<String, Value>> {
        self.change(field, "an object", |value| value.as_object().cloned())
    }

    pub(crate) fn number_change(&mut self, field: &str) -> Change<f64> {
        self.change(field, "a number", Value::as_f64)
    }

    pub(crate) fn flag_change(&mut self, field: &str) -> Change<bool> {
        self.change(field, "true, false or null", Value::as_bool)
    }

    /// Objects whose own fields `read` parses; their violations contain the list's name and the position.
    pub(crate) fn objects_change<T>(
        &mut self,
        field: &str,
        mut read: impl FnMut(&mut Self) -> T,
    ) -> Change<Vec<T>> {
        let list = |value: &Value| -> Option<Vec<Self>> {
            value.as_array()?.iter().map(|item| item.as_object().cloned().map(Self::new)).collect()
        };
        let mut items = match self.change(field, "a list of objects", list) {
            Change::Set(items) => items,
            Change::Clear => return Change::Clear,
            Change::Keep => return Change::Keep,
        };
        let values = items.iter_mut().map(&mut read).collect();
        for (index, item) in items.iter().enumerate() {
            self.absorb(&format!("{field}.{index}"), item);
        }
        Change::Set(values)
    }

    /// An object whose own fields `read` parses; its violations contain the object's name.
    pub(crate) fn object_change<T>(&mut self, field: &str, read: impl FnOnce(&mut Self) -> T) -> Change<T> {
        let map = match self.change(field, "an object", |value| value.as_object().cloned()) {
            Change::Set(map) => map,
            Change::Clear => return Change::Clear,
            Change::Keep => return Change::Keep,
        };
        let mut inner = Self::new(map);
        let value = read(&mut inner);
        self.absorb(field, &inner);
        Change::Set(value)
    }

    /// A string that parses as `T`.
    pub(crate) fn parse<T: FromStr<Err: Display>>(&mut self, field: &str) -> Option<T> {
        let text = self.text(field)?;
        self.keep(field, text.parse())
    }

    /// A string that `check` accepts.
    pub(crate) fn checked<T, E: Display>(
        &mut self,
        field: &str,
        check: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = self.text(field)?;
        self.keep(field, check(&text))
    }

    /// A whole number that converts to `T`.
    pub(crate) fn number<T: TryFrom<i64, Error: Display>>(&mut self, field: &str) -> Option<T> {
        let number = self.integer(field)?;
        self.keep(field, T::try_from(number))
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

    /// The value, unless there was a violation.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, ApiError> {
        self.violations.or(value).map_err(|violations| Error::Invalid(violations).into())
    }
}

/// Objects within the object.
impl Fields {
    /// An object, to be read field by field and then passed to [`absorb`](Self::absorb).
    pub(crate) fn object(&mut self, field: &str) -> Option<Self> {
        self.take(field, "an object", |value| value.as_object().cloned().map(Self::new))
    }

    pub(crate) fn objects(&mut self, field: &str) -> Option<Vec<Self>> {
        self.take(field, "a list of objects", |value| {
            value.as_array()?.iter().map(|item| item.as_object().cloned().map(Self::new)).collect()
        })
    }

    /// An object whose values are all strings.
    pub(crate) fn text_pairs(&mut self, field: &str) -> Option<Vec<(String, String)>> {
        self.take(field, "an object whose values are strings", |value| {
            let pairs = value.as_object()?.iter();
            pairs.map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
        })
    }

    /// Adds the violations of an inner object, prefixed with its name.
    pub(crate) fn absorb(&mut self, name: &str, inner: &Self) {
        self.complain_all(name, &inner.violations);
    }

    pub(crate) fn complain_all(&mut self, within: &str, violations: &Violations) {
        for (field, messages) in violations.fields() {
            for message in messages {
                self.violations.add(format!("{within}.{field}"), message.clone());
            }
        }
    }
}

/// JSON has no integers: 25 and 25.0 are the same number.
fn whole(value: &Value) -> Option<i64> {
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    let number = value.as_f64()?;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within the exactly representable range")]
    let exact = (number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0).then_some(number as i64);
    exact
}
