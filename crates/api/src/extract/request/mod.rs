//! Reads a request type from JSON or from a query string, and collects every violation instead of stopping at the
//! first.
//!
//! The type that a route documents is the type that it reads. All its fields are optional for the reader; the schema
//! and the record's rules say which are required:
//!
//! - `Option<T>`: a value, or absent. `null` is a violation.
//! - `Option<Option<T>>`: a value, `null` (the inner `None`), or absent (the outer one).
//! - [`Parsed<T>`]: a string that parses as `T`; the error of the parser is the violation.

use std::{fmt::Display, str::FromStr};

use domain::{
    any_of::{AnyOf, UNSET},
    text::TextError,
    violation::{Complaint, Violations},
};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _, value::MapAccessDeserializer},
};
use serde_json::Value;

use self::value::{Object, whole};
pub(super) use self::{
    names::names,
    value::{Entries, Source},
};

mod names;
#[cfg(test)]
mod tests;
mod value;

/// Reading begins again after each violation, without the field it is about, so their number is limited.
const MAX_VIOLATIONS: usize = 50;

/// The request; its fields are absent where they violate their types.
pub(super) fn read<T: DeserializeOwned + Default>(entries: &Entries<'_>, violations: &mut Violations) -> T {
    if entries.is_empty() {
        return T::default();
    }
    let mut skipped = Vec::new();
    while skipped.len() < MAX_VIOLATIONS {
        let object = Object::new(entries.clone(), None, &skipped);
        match T::deserialize(MapAccessDeserializer::new(object)) {
            Ok(request) => return request,
            Err(violation) if skipped.contains(&violation.field) => break,
            Err(violation) => {
                // A query is read once for each type that documents a part of it.
                let known = violations.fields().get(&violation.field);
                let complaint = Complaint::protocol(&violation.message);
                if !known.is_some_and(|known| known.contains(&complaint)) {
                    violations.add(violation.field.as_str(), complaint);
                }
                skipped.push(violation.field);
            }
        }
    }
    T::default()
}

/// A string that parses as `T`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parsed<T>(pub T);

impl<T> Parsed<T> {
    pub(crate) fn value(self) -> T {
        self.0
    }
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

/// The most values of one filter.
const MOST_VALUES: usize = 100;

/// A filter by words: the parameter is sent once for each of them, or with several between commas.
#[derive(Debug, Clone)]
pub(crate) struct Words<T>(Vec<T>);

impl<T: PartialEq> Words<T> {
    pub(crate) fn any(words: Option<Self>) -> AnyOf<T> {
        words.map(|Self(words)| AnyOf::new(words)).unwrap_or_default()
    }
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Words<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts: Vec<String> = Vec::deserialize(deserializer)?;
        let words = texts.iter().flat_map(|text| text.split(','));
        let words: Vec<T> =
            words.map(|word| word.parse().map_err(D::Error::custom)).collect::<Result<_, _>>()?;
        at_most(words).map(Self).map_err(D::Error::custom)
    }
}

/// The same for a field that need not be set: the word `none` stands for records without one.
#[derive(Debug, Clone)]
pub(crate) struct WordsOrNone<T> {
    words: Vec<T>,
    or_none: bool,
}

impl<T: PartialEq> WordsOrNone<T> {
    pub(crate) fn any(sent: Option<Self>) -> AnyOf<T> {
        sent.map(|sent| AnyOf::new(sent.words).or_unset(sent.or_none)).unwrap_or_default()
    }
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for WordsOrNone<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts: Vec<String> = Vec::deserialize(deserializer)?;
        let texts = texts.iter().flat_map(|text| text.split(','));
        let (none, words): (Vec<_>, Vec<_>) = texts.partition(|text| *text == UNSET);
        let words =
            words.into_iter().map(|word| word.parse().map_err(D::Error::custom)).collect::<Result<_, _>>()?;
        Ok(Self { words: at_most(words).map_err(D::Error::custom)?, or_none: !none.is_empty() })
    }
}

/// A filter by exact texts, one for each time the parameter is sent. A blank one asks for nothing.
#[derive(Debug, Clone)]
pub(crate) struct Names(Vec<String>);

impl Names {
    pub(crate) fn any(names: Option<Self>) -> AnyOf<String> {
        names.map(|Self(names)| AnyOf::names(names)).unwrap_or_default()
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        at_most(Vec::deserialize(deserializer)?).map(Self).map_err(D::Error::custom)
    }
}

fn at_most<T>(values: Vec<T>) -> Result<Vec<T>, String> {
    if values.len() > MOST_VALUES { Err(format!("must be at most {MOST_VALUES} values")) } else { Ok(values) }
}

/// A filter by an exact text; `None` if it is empty.
#[expect(clippy::needless_pass_by_value, reason = "for `Option::and_then`")]
pub(crate) fn exactly(text: String) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The values that the contract accepts as a switch: true, false, 0, 1, "0", "1".
#[derive(Debug, Clone, Copy)]
pub(crate) struct Switch(pub bool);

impl<'de> Deserialize<'de> for Switch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let on = match Value::deserialize(deserializer)? {
            Value::Bool(on) => Some(on),
            Value::String(text) => {
                [("0", false), ("1", true)].into_iter().find(|(word, _)| *word == text).map(|(_, on)| on)
            }
            number => {
                whole(&number).and_then(|number| [false, true].get(usize::try_from(number).ok()?).copied())
            }
        };
        on.map(Self).ok_or_else(|| D::Error::custom("must be one of true, false, 0, 1, \"0\", \"1\""))
    }
}

/// Words to search for.
#[derive(Debug, Clone)]
pub(crate) struct Search(String);

impl Search {
    /// A longer search is refused.
    const MAX: usize = 200;

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// `None` without any words.
    pub(crate) fn words(self) -> Option<String> {
        (!self.0.is_empty()).then_some(self.0)
    }
}

impl<'de> Deserialize<'de> for Search {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Parsed::deserialize(deserializer).map(Parsed::value)
    }
}

impl FromStr for Search {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let text = text.trim();
        if text.chars().count() > Self::MAX {
            Err(TextError::TooLong(Self::MAX))
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}
