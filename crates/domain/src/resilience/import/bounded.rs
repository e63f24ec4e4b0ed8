//! Bounded parsing of lists and texts from untrusted files.
//!
//! Two bytes of JSON can take a hundred in memory, so a file of modest size could exhaust it. Lists that are needed
//! in full are refused when they are too long; of others only the beginning is kept.

use std::{collections::BTreeMap, fmt, marker::PhantomData};

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::text::clipped;

/// A list of at most `MAX` items; `null` is an empty one.
pub(super) fn at_most<'de, D, T, const MAX: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_option(List { max: MAX, strict: true, items: PhantomData })
}

/// The first `MAX` items of a list; `null` is an empty one.
pub(super) fn first<'de, D, T, const MAX: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_option(List { max: MAX, strict: false, items: PhantomData })
}

struct List<T> {
    max: usize,
    strict: bool,
    items: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {} items", self.max)
    }

    fn visit_none<E>(self) -> Result<Vec<T>, E> {
        Ok(Vec::new())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        while items.len() < self.max {
            match seq.next_element()? {
                Some(item) => items.push(item),
                None => return Ok(items),
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {
            if self.strict {
                return Err(A::Error::invalid_length(self.max + 1, &self));
            }
        }
        Ok(items)
    }
}

/// The first `MAX` entries of an object; `null` is an empty one.
pub(super) fn first_entries<'de, D, T, const MAX: usize>(
    deserializer: D,
) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_option(Entries { max: MAX, values: PhantomData })
}

struct Entries<T> {
    max: usize,
    values: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(BTreeMap::new())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = BTreeMap::new();
        while entries.len() < self.max {
            match map.next_entry()? {
                Some((key, value)) => drop(entries.insert(key, value)),
                None => return Ok(entries),
            }
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(entries)
    }
}

/// A text of which only the first `MAX` characters are kept. A number is taken as written; any other value is an
/// empty text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clipped<const MAX: usize>(pub(super) String);

impl<'de, const MAX: usize> Deserialize<'de> for Clipped<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Scalar).map(|text| Self(clipped(&text, MAX)))
    }
}

struct Scalar;

impl<'de> Visitor<'de> for Scalar {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_string<E>(self, text: String) -> Result<String, E> {
        Ok(text)
    }

    fn visit_u64<E>(self, number: u64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_i64<E>(self, number: i64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_f64<E>(self, number: f64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_bool<E>(self, truth: bool) -> Result<String, E> {
        Ok(truth.to_string())
    }

    fn visit_unit<E>(self) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<String, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(String::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<String, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(String::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Sample {
        #[serde(default, deserialize_with = "at_most::<_, _, 2>")]
        strict: Vec<u8>,
        #[serde(default, deserialize_with = "first::<_, _, 2>")]
        lax: Vec<u8>,
        #[serde(default, deserialize_with = "first_entries::<_, _, 2>")]
        entries: BTreeMap<String, Clipped<3>>,
    }

    fn read(json: &str) -> Result<Sample, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_keep_their_bounds() {
        let full = read(r#"{"strict": [1, 2], "lax": [1, 2, 3, 4]}"#).unwrap();
        assert_eq!((full.strict, full.lax), (vec![1, 2], vec![1, 2]));
        assert!(read(r#"{"strict": [1, 2, 3]}"#).unwrap_err().contains("a list of at most 2 items"));
        let empty = read(r#"{"strict": null, "lax": null, "entries": null}"#).unwrap();
        assert_eq!(empty, read("{}").unwrap());
        assert!(read(r#"{"lax": "x"}"#).is_err());
    }

    #[test]
    fn objects_keep_their_bounds_and_texts_are_clipped() {
        let sample = read(r#"{"entries": {"a": "abcd", "b": 7.5, "c": true}}"#).unwrap();
        let values: Vec<_> = sample.entries.values().map(|value| value.0.as_str()).collect();
        assert_eq!(values, ["ab…", "7.5"]);
        let odd = read(r#"{"entries": {"a": [1, [2]], "b": {"x": {}}}}"#).unwrap();
        assert!(odd.entries.values().all(|value| value.0.is_empty()));
    }
}
