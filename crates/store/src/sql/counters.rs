//! Counters that are updated with every change. A transaction of many changes, such as an import, adds to the same few
//! counters again and again: it collects the sums and writes each of them once.

use std::collections::BTreeMap;

use super::{Error, Result, Statement, Tx, Value};

/// A value that identifies the row of a counter.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum KeyPart {
    Int(i64),
    Text(String),
}

impl KeyPart {
    /// `None` for values that are never part of a key.
    fn of(value: &Value<'_>) -> Option<Self> {
        match value {
            Value::Int(number) => Some(Self::Int(*number)),
            Value::Text(text) => Some(Self::Text((*text).to_owned())),
            Value::Owned(text) => Some(Self::Text(text.clone())),
            Value::Null | Value::Real(_) | Value::Bytes(_) | Value::Term(_) | Value::List(_) => None,
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Int(number) => Value::Int(*number),
            Self::Text(text) => Value::Text(text),
        }
    }
}

/// The sums of a transaction by the statement that adds them and the values that identify the row.
#[derive(Debug, Default)]
pub(super) struct Counters(BTreeMap<(&'static str, Vec<KeyPart>), (Statement, i64)>);

impl Tx<'_> {
    /// Adds to a counter, at once or at the end of [`Tx::counting`]. The statement takes the values that identify the
    /// row, then the number to add.
    pub fn count(&mut self, add: &Statement, row: &[Value<'_>], by: i64) -> Result<()> {
        let key: Option<Vec<KeyPart>> = row.iter().map(KeyPart::of).collect();
        match (&mut self.counters, key) {
            (Some(Counters(sums)), Some(key)) => {
                sums.entry((add.name, key)).or_insert((*add, 0)).1 += by;
                Ok(())
            }
            _ => self.add(add, row.to_vec(), by),
        }
    }

    /// Runs `changes` and writes the counters they add to once, at the end. Until then, counters have their values
    /// from before.
    pub fn counting<T, E: From<Error>>(
        &mut self,
        changes: impl FnOnce(&mut Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        if self.counters.is_some() {
            return changes(self);
        }
        self.counters = Some(Counters::default());
        let done = changes(self);
        let Counters(sums) = self.counters.take().unwrap_or_default();
        let done = done?;
        for ((_, row), (add, by)) in sums.iter().filter(|(_, (_, by))| *by != 0) {
            self.add(add, row.iter().map(KeyPart::value).collect(), *by)?;
        }
        Ok(done)
    }

    fn add(&mut self, add: &Statement, mut values: Vec<Value<'_>>, by: i64) -> Result<()> {
        values.push(Value::from(by));
        self.post(add, &values)?;
        Ok(())
    }
}
