//! Reads a request type from JSON or from a query string, and collects every violation instead of stopping at the
//! first.
//!
//! The type that a route documents is the type that it reads. All its fields are optional for the reader; the schema
//! and the record's rules say which are required:
//!
//! - `Option<T>`: a value, or absent. `null` is a violation.
//! - `Option<Option<T>>`: a value, `null` (the inner `None`), or absent (the outer one).
//! - [`Parsed<T>`]: a string that parses as `T`; the error of the parser is the violation.

use std::{fmt, fmt::Display, str::FromStr};

use domain::{
    text::TextError,
    violation::{Complaint, Violations},
};
use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeOwned, DeserializeSeed, Error as _, Expected, IntoDeserializer, MapAccess, SeqAccess,
        Unexpected, Visitor,
        value::{MapAccessDeserializer, StrDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::Value;

/// Reading begins again after each violation, without the field it is about, so their number is limited.
const MAX_VIOLATIONS: usize = 50;

/// The entries of an object or of a query string.
pub(super) type Entries<'a> = Vec<(&'a str, Source<'a>)>;

#[derive(Debug, Clone, Copy)]
pub(super) enum Source<'a> {
    Json(&'a Value),
    /// A value of a query string.
    Text(&'a str),
    /// A value of no type at all, to find out which type is expected.
    Nothing,
}

/// The request; its fields are absent where they violate their types.
pub(super) fn read<T: DeserializeOwned + Default>(entries: &Entries<'_>, violations: &mut Violations) -> T {
    if entries.is_empty() {
        return T::default();
    }
    let mut skipped = Vec::new();
    while skipped.len() < MAX_VIOLATIONS {
        let object =
            Object { entries: entries.clone().into_iter(), next: None, path: None, skipped: &skipped };
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

/// A violation and the field it is about.
#[derive(Debug)]
struct Violation {
    /// Relative to the value that is being read; empty for that value itself.
    field: String,
    message: String,
    /// The expected type, if that is what the message is about.
    expected: Option<&'static str>,
}

impl Violation {
    fn expected(kind: &'static str) -> Self {
        Self { field: String::new(), message: format!("must be {kind}"), expected: Some(kind) }
    }

    fn within(mut self, name: &str) -> Self {
        self.field = if self.field.is_empty() { name.to_owned() } else { format!("{name}.{}", self.field) };
        self
    }

    /// A violation about an item of a list. What is wrong with the item itself is said about the list.
    fn within_list(self, index: usize) -> Self {
        if !self.field.is_empty() {
            return self.within(&index.to_string());
        }
        match self.expected {
            Some(kind) => {
                let noun = kind.split_once(' ').map_or(kind, |(_, noun)| noun);
                Self { message: format!("must be a list of {noun}s"), expected: None, ..self }
            }
            None => self,
        }
    }
}

impl Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for Violation {}

impl serde::de::Error for Violation {
    fn custom<T: Display>(message: T) -> Self {
        Self { field: String::new(), message: message.to_string(), expected: None }
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("must be {expected}"))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("must be {expected}"))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("must be one of {}", expected.join(", ")))
    }
}

/// The way from the request to a value.
#[derive(Debug, Clone, Copy)]
struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    name: &'a str,
}

impl Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            write!(f, "{parent}.")?;
        }
        f.write_str(self.name)
    }
}

#[derive(Debug)]
struct Object<'a, 's> {
    entries: std::vec::IntoIter<(&'a str, Source<'a>)>,
    next: Option<(&'a str, Source<'a>)>,
    path: Option<&'s Path<'s>>,
    skipped: &'s [String],
}

impl<'de> MapAccess<'de> for Object<'_, '_> {
    type Error = Violation;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Violation> {
        self.next = self.entries.find(|(name, _)| {
            let path = Path { parent: self.path, name };
            self.skipped.is_empty() || !self.skipped.contains(&path.to_string())
        });
        let Some((name, _)) = self.next else { return Ok(None) };
        let name: StrDeserializer<'_, Violation> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Violation> {
        let Some((name, source)) = self.next else { return Err(Violation::custom("has no value")) };
        let path = Path { parent: self.path, name };
        let field = Field { source, is_field: true, path, skipped: self.skipped };
        seed.deserialize(field).map_err(|violation| violation.within(name))
    }
}

#[derive(Debug)]
struct List<'a, 's> {
    items: std::slice::Iter<'a, Value>,
    index: usize,
    path: &'s Path<'s>,
    skipped: &'s [String],
}

impl<'de> SeqAccess<'de> for List<'_, '_> {
    type Error = Violation;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Violation> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        let name = index.to_string();
        let path = Path { parent: Some(self.path), name: &name };
        let field = Field { source: Source::Json(item), is_field: false, path, skipped: self.skipped };
        seed.deserialize(field).map(Some).map_err(|violation| violation.within_list(index))
    }
}

/// One value.
#[derive(Debug, Clone, Copy)]
struct Field<'a, 's> {
    source: Source<'a>,
    /// Whether the outermost `Option` of its type says that it may be absent.
    is_field: bool,
    path: Path<'s>,
    skipped: &'s [String],
}

impl<'a> Field<'a, '_> {
    fn text(self) -> Result<&'a str, Violation> {
        match self.source {
            Source::Json(Value::String(text)) => Ok(text),
            Source::Text(text) => Ok(text),
            _ => Err(Violation::expected("a string")),
        }
    }

    fn integer(self) -> Option<i64> {
        match self.source {
            Source::Json(value) => whole(value),
            Source::Text(text) => text.parse().ok(),
            Source::Nothing => None,
        }
    }

    fn number(self) -> Option<f64> {
        match self.source {
            Source::Json(value) => value.as_f64(),
            Source::Text(text) => text.parse().ok(),
            Source::Nothing => None,
        }
    }

    fn flag(self) -> Option<bool> {
        match self.source {
            Source::Json(value) => value.as_bool(),
            Source::Text("true" | "1") => Some(true),
            Source::Text("false" | "0") => Some(false),
            Source::Text(_) | Source::Nothing => None,
        }
    }
}

impl<'de> Deserializer<'de> for Field<'_, '_> {
    type Error = Violation;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violation> {
        match self.source {
            Source::Json(Value::Null) | Source::Nothing => visitor.visit_unit(),
            Source::Json(Value::Bool(flag)) => visitor.visit_bool(*flag),
            Source::Json(Value::Number(number)) => match (number.as_i64(), number.as_u64()) {
                (Some(number), _) => visitor.visit_i64(number),
                (None, Some(number)) => visitor.visit_u64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Source::Json(Value::String(text)) => visitor.visit_str(text),
            Source::Json(Value::Array(_)) => self.deserialize_seq(visitor),
            Source::Json(Value::Object(_)) => self.deserialize_map(visitor),
            Source::Text(text) => visitor.visit_str(text),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violation> {
        visitor.visit_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violation> {
        self.deserialize_str(visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violation> {
        visitor.visit_i64(self.integer().ok_or_else(|| Violation::expected("a whole number"))?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violation> {
        visitor.visit_f64(self.number().ok_or_else(|| Violation::expected("a number"))?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violation> {
        visitor.visit_bool(self.flag().ok_or_else(|| Violation::expected("true or false"))?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violation> {
        if self.is_field {
            return visitor.visit_some(Self { is_field: false, ..self });
        }
        match self.source {
            Source::Json(Value::Null) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Violation> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violation> {
        if let Source::Json(Value::Array(items)) = self.source {
            return visitor.visit_seq(List {
                items: items.iter(),
                index: 0,
                path: &self.path,
                skipped: self.skipped,
            });
        }
        // An item of no type makes the visitor say which type it expects of an item.
        visitor.visit_seq(Unlisted)?;
        Err(Violation::custom("must be a list"))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violation> {
        let Source::Json(Value::Object(map)) = self.source else {
            return Err(Violation::expected("an object"));
        };
        let entries: Entries<'_> =
            map.iter().map(|(name, value)| (name.as_str(), Source::Json(value))).collect();
        let path = Some(&self.path);
        visitor.visit_map(Object { entries: entries.into_iter(), next: None, path, skipped: self.skipped })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Violation> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Violation> {
        let word: StrDeserializer<'_, Violation> = self.text()?.into_deserializer();
        visitor.visit_enum(word)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 char bytes byte_buf unit unit_struct tuple tuple_struct identifier
        ignored_any
    }
}

/// A list with an item of no type.
#[derive(Debug)]
struct Unlisted;

impl<'de> SeqAccess<'de> for Unlisted {
    type Error = Violation;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Violation> {
        let path = Path { parent: None, name: "" };
        let field = Field { source: Source::Nothing, is_field: false, path, skipped: &[] };
        seed.deserialize(field).map(Some).map_err(|violation| violation.within_list(0))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, Deserialize)]
    struct Inner {
        name: Option<Option<String>>,
        count: Option<i64>,
    }

    #[derive(Debug, Default, Deserialize)]
    struct Request {
        text: Option<String>,
        nullable: Option<Option<String>>,
        number: Option<f64>,
        flag: Option<bool>,
        switch: Option<Switch>,
        parsed: Option<Parsed<u8>>,
        texts: Option<Option<Vec<String>>>,
        pairs: Option<BTreeMap<String, String>>,
        any: Option<Option<serde_json::Map<String, Value>>>,
        inner: Option<Option<Inner>>,
        list: Option<Vec<Inner>>,
    }

    fn read_json(value: &Value) -> (Request, String) {
        let mut violations = Violations::default();
        let entries =
            value.as_object().unwrap().iter().map(|(name, value)| (name.as_str(), Source::Json(value)));
        let request = read(&entries.collect(), &mut violations);
        (request, said(&violations))
    }

    fn read_query(pairs: &[(&'static str, &'static str)]) -> (Request, String) {
        let mut violations = Violations::default();
        let entries = pairs.iter().map(|(name, text)| (*name, Source::Text(text))).collect();
        let request = read(&entries, &mut violations);
        (request, said(&violations))
    }

    fn said(violations: &Violations) -> String {
        let lines = violations
            .fields()
            .flat_map(|(field, messages)| messages.iter().map(move |message| format!("{field} {message}")));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn absent_null_and_a_value_differ() {
        let (request, said) = read_json(&json!({ "nullable": null, "text": "a", "unknown": [1] }));
        assert_eq!(said, "");
        assert_eq!(request.nullable, Some(None));
        assert_eq!(request.text.as_deref(), Some("a"));
        assert!(request.inner.is_none() && request.texts.is_none());
        let (request, said) = read_json(&json!({ "nullable": "b" }));
        assert_eq!((request.nullable, said.as_str()), (Some(Some("b".to_owned())), ""));
    }

    #[test]
    fn reads_every_type() {
        let (request, said) = read_json(&json!({
            "number": 3, "flag": true, "switch": "1", "parsed": "7", "texts": ["a", "b"], "pairs": { "a": "b" },
            "any": { "deep": [1.5, { "x": null }] }, "inner": { "name": "n", "count": 25.0 }, "list": [{ "count": 2 }],
        }));
        assert_eq!(said, "");
        assert_eq!((request.number, request.flag), (Some(3.0), Some(true)));
        assert!(matches!(request.switch, Some(Switch(true))));
        assert_eq!(request.parsed, Some(Parsed(7)));
        assert_eq!(request.texts, Some(Some(vec!["a".to_owned(), "b".to_owned()])));
        assert_eq!(request.pairs.unwrap()["a"], "b");
        assert_eq!(request.any.unwrap().unwrap()["deep"], json!([1.5, { "x": null }]));
        let inner = request.inner.unwrap().unwrap();
        assert_eq!((inner.name, inner.count), (Some(Some("n".to_owned())), Some(25)));
        assert_eq!(request.list.unwrap()[0].count, Some(2));
    }

    #[test]
    fn names_every_field_that_violates_its_type() {
        let (request, said) = read_json(&json!({
            "text": null, "nullable": 5, "number": "3", "flag": 1, "switch": 2, "parsed": "300", "texts": ["a", 1],
            "pairs": { "a": 1 }, "any": [], "inner": { "name": 1, "count": 1.5 }, "list": [{}, { "count": "x" }],
        }));
        assert_eq!(
            said,
            "any must be an object\n\
             flag must be true or false\n\
             inner.count must be a whole number\n\
             inner.name must be a string\n\
             list.1.count must be a whole number\n\
             nullable must be a string\n\
             number must be a number\n\
             pairs.a must be a string\n\
             parsed number too large to fit in target type\n\
             switch must be one of true, false, 0, 1, \"0\", \"1\"\n\
             text must be a string\n\
             texts must be a list of strings"
        );
        assert!(request.text.is_none() && request.texts.is_none());
        assert_eq!(request.list.unwrap().len(), 2, "the rest is read");
    }

    #[test]
    fn says_what_a_list_must_hold() {
        let (_, said) = read_json(&json!({ "texts": "a", "list": 1, "inner": [] }));
        assert_eq!(
            said,
            "inner must be an object\nlist must be a list of objects\ntexts must be a list of strings"
        );
        let (_, said) = read_json(&json!({ "list": [{}, 1] }));
        assert_eq!(said, "list must be a list of objects");
    }

    #[test]
    fn reads_query_strings() {
        let (request, said) = read_query(&[("text", "5"), ("flag", "1"), ("parsed", "9"), ("number", "1.5")]);
        assert_eq!(said, "");
        assert_eq!(
            (request.text.as_deref(), request.flag, request.number),
            (Some("5"), Some(true), Some(1.5))
        );
        assert_eq!(request.parsed, Some(Parsed(9)));
        let (_, said) = read_query(&[("flag", "yes"), ("parsed", "x")]);
        assert_eq!(said, "flag must be true or false\nparsed invalid digit found in string");
    }

    #[test]
    fn the_number_of_violations_is_limited() {
        let items: Vec<Value> = (0..10_000).map(|_| json!({ "count": "x" })).collect();
        let (request, said) = read_json(&json!({ "list": items }));
        assert_eq!(said.lines().count(), MAX_VIOLATIONS);
        assert!(request.list.is_none());
    }
}
