//! The values of own fields of a record.

use std::{collections::BTreeMap, fmt};

use serde_json::{Map, Value, json};

use super::{CUSTOM, CustomFieldComplaint};

/// A finite number, as it is written in JSON: 5 and not 5.0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decimal(f64);

impl Eq for Decimal {}

impl Decimal {
    /// Up to here, every whole number is stored exactly.
    const LARGEST: f64 = 1e15;

    pub fn new(number: f64) -> Result<Self, CustomFieldComplaint> {
        if number.is_finite() && number.abs() <= Self::LARGEST {
            // Without the sign of a zero.
            Ok(Self(number + 0.0))
        } else {
            Err(CustomFieldComplaint::NumberTooLarge)
        }
    }

    /// A number as people write it, with a point or a comma.
    pub(super) fn typed(text: &str) -> Result<Self, CustomFieldComplaint> {
        let plain = text.trim().replacen(',', ".", 1);
        let is_plain = plain.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'));
        match plain.parse::<f64>() {
            Ok(number) if is_plain => Self::new(number),
            _ => Err(CustomFieldComplaint::NotANumber),
        }
    }

    pub fn number(self) -> f64 {
        self.0
    }

    fn to_json(self) -> Value {
        let text = self.to_string();
        text.parse::<i64>().map_or_else(|_| json!(self.0), Value::from)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The value of a field. Days, choices and people are texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CustomValue {
    Text(String),
    Number(Decimal),
    Flag(bool),
}

impl CustomValue {
    pub fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Number(number) => number.to_json(),
            Self::Flag(flag) => (*flag).into(),
        }
    }

    /// `None` for a list, an object, `null` or a number that is too large.
    pub fn of_json(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Number(number) => Some(Self::Number(Decimal::new(number.as_f64()?).ok()?)),
            Value::Bool(flag) => Some(Self::Flag(*flag)),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

impl fmt::Display for CustomValue {
    /// As programs write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => number.fmt(f),
            Self::Flag(flag) => flag.fmt(f),
        }
    }
}

/// The values of a record by the keys of their fields, in alphabetical order. A field without a value is not among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CustomValues(pub(super) BTreeMap<String, CustomValue>);

impl CustomValues {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, key: &str) -> Option<&CustomValue> {
        self.0.get(key)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &CustomValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The texts among the values, for the search.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.values().filter_map(|value| match value {
            CustomValue::Text(text) => Some(text.as_str()),
            CustomValue::Number(_) | CustomValue::Flag(_) => None,
        })
    }

    pub fn to_json(&self) -> Map<String, Value> {
        self.0.iter().map(|(key, value)| (key.clone(), value.to_json())).collect()
    }

    /// The fields of a record with these values, if there are any.
    #[must_use]
    pub fn within(&self, mut fields: Value) -> Value {
        if let Some(object) = fields.as_object_mut().filter(|_| !self.is_empty()) {
            object.insert(CUSTOM.to_owned(), Value::Object(self.to_json()));
        }
        fields
    }

    /// The stored form; `None` without values.
    pub fn stored(&self) -> Option<String> {
        (!self.is_empty()).then(|| Value::Object(self.to_json()).to_string())
    }

    /// Reads the stored form.
    pub fn of_stored(text: &str) -> Result<Self, serde_json::Error> {
        Ok(Self::of_json(&serde_json::from_str(text)?))
    }

    /// The values of an object; what cannot be a value is left out.
    pub fn of_json(fields: &Map<String, Value>) -> Self {
        let value = |(key, value): (&String, &Value)| Some((key.clone(), CustomValue::of_json(value)?));
        Self(fields.iter().filter_map(value).collect())
    }
}
