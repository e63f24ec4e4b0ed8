//! A JSON document as a tree, within a budget: every value is counted while it is read.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::{Error, Result, budget::Budget};

/// The document; `invalid` is the error of bytes that are no JSON.
pub(crate) fn tree(bytes: &[u8], budget: &mut Budget, invalid: impl FnOnce() -> Error) -> Result<Value> {
    let mut spent = None;
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = Tree { budget, spent: &mut spent }.deserialize(&mut reader);
    match (read.and_then(|value| reader.end().map(|()| value)), spent) {
        (_, Some(error)) => Err(error),
        (Ok(value), None) => Ok(value),
        (Err(_), None) => Err(invalid()),
    }
}

struct Tree<'b> {
    budget: &'b mut Budget,
    /// Why reading stopped, if the budget was spent.
    spent: &'b mut Option<Error>,
}

impl Tree<'_> {
    fn again(&mut self) -> Tree<'_> {
        Tree { budget: self.budget, spent: self.spent }
    }

    fn take<E: serde::de::Error>(&mut self, bytes: usize) -> Result<(), E> {
        let taken = self.budget.entry().and_then(|()| self.budget.bytes(bytes));
        taken.map_err(|error| {
            *self.spent = Some(error);
            E::custom("the budget is spent")
        })
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E: serde::de::Error>(mut self, value: bool) -> Result<Value, E> {
        self.take(0).map(|()| value.into())
    }

    fn visit_i64<E: serde::de::Error>(mut self, value: i64) -> Result<Value, E> {
        self.take(0).map(|()| value.into())
    }

    fn visit_u64<E: serde::de::Error>(mut self, value: u64) -> Result<Value, E> {
        self.take(0).map(|()| value.into())
    }

    fn visit_f64<E: serde::de::Error>(mut self, value: f64) -> Result<Value, E> {
        self.take(0).map(|()| value.into())
    }

    fn visit_unit<E: serde::de::Error>(mut self) -> Result<Value, E> {
        self.take(0).map(|()| Value::Null)
    }

    fn visit_str<E: serde::de::Error>(mut self, value: &str) -> Result<Value, E> {
        self.take(value.len()).map(|()| value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Value, A::Error> {
        self.take(0)?;
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(self.again())? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        self.take(0)?;
        let mut values = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            self.take(name.len())?;
            let value = members.next_value_seed(self.again())?;
            values.insert(name, value);
        }
        Ok(Value::Object(values))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use domain::import::FileComplaint;

    use super::*;
    use crate::{budget::Limits, costly::WorkContext};

    fn read(text: &str) -> Result<Value> {
        let context = WorkContext::for_tests(Duration::from_mins(1));
        let mut budget = Budget::new(Limits { bytes: 100, cells: 0, entries: 20 }, &context);
        tree(text.as_bytes(), &mut budget, || Error::invalid("file", FileComplaint::NotUtf8))
    }

    #[test]
    fn a_document_is_read_as_it_stands() {
        let text = r#"{"a":[1,-2,2.5,true,null,"x\n"],"b":{"c":{}}}"#;
        assert_eq!(read(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn more_values_or_text_than_the_budget_allows_are_refused_as_too_large() {
        for text in ["[0".to_owned() + &",0".repeat(30) + "]", format!("\"{}\"", "x".repeat(101))] {
            assert!(read(&text).unwrap_err().to_string().contains("too large"), "{text}");
        }
        for text in ["", "{", "[1] 2", &"[".repeat(10)] {
            assert!(!read(text).unwrap_err().to_string().contains("too large"), "{text}");
        }
    }
}
