//! Deserialises a value of JSON or of a query string; every error names its field.

use std::{fmt, fmt::Display};

use serde::{
    Deserializer,
    de::{
        DeserializeSeed, Error as _, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
        value::StrDeserializer,
    },
    forward_to_deserialize_any,
};
use serde_json::Value;

/// The entries of an object or of a query string.
pub(in crate::extract) type Entries<'a> = Vec<(&'a str, Source<'a>)>;

#[derive(Debug, Clone, Copy)]
pub(in crate::extract) enum Source<'a> {
    Json(&'a Value),
    /// A value of a query string.
    Text(&'a str),
    /// The values of a parameter of a query string. Where one is read, it is the last.
    Texts(&'a [String]),
    /// A value of no type at all, to find out which type is expected.
    Nothing,
}

/// A violation and the field it is about.
#[derive(Debug)]
pub(super) struct Violation {
    /// Relative to the value that is being read; empty for that value itself.
    pub(super) field: String,
    pub(super) message: String,
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
pub(super) struct Path<'a> {
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
pub(super) struct Object<'a, 's> {
    entries: std::vec::IntoIter<(&'a str, Source<'a>)>,
    next: Option<(&'a str, Source<'a>)>,
    path: Option<&'s Path<'s>>,
    skipped: &'s [String],
}

impl<'a, 's> Object<'a, 's> {
    pub(super) fn new(entries: Entries<'a>, path: Option<&'s Path<'s>>, skipped: &'s [String]) -> Self {
        Self { entries: entries.into_iter(), next: None, path, skipped }
    }
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
        let field = Field { source, may_be_absent: true, path, skipped: self.skipped };
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
        let field = Field { source: Source::Json(item), may_be_absent: false, path, skipped: self.skipped };
        seed.deserialize(field).map(Some).map_err(|violation| violation.within_list(index))
    }
}

/// One value.
#[derive(Debug, Clone, Copy)]
struct Field<'a, 's> {
    source: Source<'a>,
    /// Whether the outermost `Option` of its type says that it may be absent.
    may_be_absent: bool,
    path: Path<'s>,
    skipped: &'s [String],
}

impl<'a> Field<'a, '_> {
    fn text(self) -> Result<&'a str, Violation> {
        match self.source {
            Source::Json(Value::String(text)) => Ok(text),
            _ => self.word().ok_or_else(|| Violation::expected("a string")),
        }
    }

    /// The value of a query string.
    fn word(self) -> Option<&'a str> {
        match self.source {
            Source::Text(text) => Some(text),
            Source::Texts(texts) => texts.last().map(String::as_str),
            Source::Json(_) | Source::Nothing => None,
        }
    }

    fn integer(self) -> Option<i64> {
        match self.source {
            Source::Json(value) => whole(value),
            _ => self.word()?.parse().ok(),
        }
    }

    fn number(self) -> Option<f64> {
        match self.source {
            Source::Json(value) => value.as_f64(),
            _ => self.word()?.parse().ok(),
        }
    }

    fn flag(self) -> Option<bool> {
        match self.source {
            Source::Json(value) => value.as_bool(),
            _ => match self.word()? {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            },
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
            Source::Text(_) | Source::Texts(_) => visitor.visit_str(self.text()?),
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
        if self.may_be_absent {
            return visitor.visit_some(Self { may_be_absent: false, ..self });
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
        if let Source::Texts(texts) = self.source {
            return visitor.visit_seq(Repeated(texts.iter()));
        }
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
        visitor.visit_map(Object::new(entries, Some(&self.path), self.skipped))
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

/// The values of a parameter of a query string.
#[derive(Debug)]
struct Repeated<'a>(std::slice::Iter<'a, String>);

impl<'de> SeqAccess<'de> for Repeated<'_> {
    type Error = Violation;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Violation> {
        let Some(text) = self.0.next() else { return Ok(None) };
        let text: StrDeserializer<'_, Violation> = text.as_str().into_deserializer();
        seed.deserialize(text).map(Some)
    }
}

/// A list with an item of no type.
#[derive(Debug)]
struct Unlisted;

impl<'de> SeqAccess<'de> for Unlisted {
    type Error = Violation;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Violation> {
        let path = Path { parent: None, name: "" };
        let field = Field { source: Source::Nothing, may_be_absent: false, path, skipped: &[] };
        seed.deserialize(field).map(Some).map_err(|violation| violation.within_list(0))
    }
}

/// JSON has no integers: 25 and 25.0 are the same number.
pub(super) fn whole(value: &Value) -> Option<i64> {
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    let number = value.as_f64()?;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within the exactly representable range")]
    let exact = (number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0).then_some(number as i64);
    exact
}
