//! Parameters of statements: the few types that both engines support.

use std::error::Error as StdError;

use domain::{
    delivery::HookId,
    id::{Id, Identified},
    moment::{Day, Moment},
    text::{Name, Prose},
    vocabulary::Vocabulary,
};
use rusqlite::types::{ToSqlOutput, ValueRef};
use tokio_postgres::types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked};

use super::{Term, row::NO_DAY};

#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    Null,
    Int(i64),
    Real(f64),
    Text(&'a str),
    Owned(String),
    /// Bytes of a file.
    Bytes(&'a [u8]),
    /// A term for the full-text index; each engine has its own syntax for it.
    Term(Term),
    /// The values of a filter, of one type: an array on PostgreSQL, a JSON list on SQLite.
    List(Vec<Self>),
}

/// The parameters of one execution.
pub type Params<'p> = Vec<Value<'p>>;

impl Value<'_> {
    /// A day, or none, in a column that is sorted by.
    pub fn day(day: Option<Day>) -> Self {
        day.map_or(Self::Text(NO_DAY), Self::from)
    }

    /// A vocabulary word by its position, so that sorting by the column puts the worst first.
    pub fn rank<V: Vocabulary>(word: V) -> Self {
        let place = V::ALL.iter().position(|other| *other == word).unwrap_or_default();
        Self::from(place as u64 + 1)
    }

    /// The value without borrowed parts; none for the bytes of a file, which are not copied.
    pub(super) fn owned(&self) -> Option<Value<'static>> {
        Some(match self {
            Self::Null => Value::Null,
            Self::Int(number) => Value::Int(*number),
            Self::Real(number) => Value::Real(*number),
            Self::Text(text) => Value::Owned((*text).to_owned()),
            Self::Owned(text) => Value::Owned(text.clone()),
            Self::Bytes(_) => return None,
            Self::Term(term) => Value::Term(term.clone()),
            Self::List(values) => Value::List(values.iter().map(Self::owned).collect::<Option<_>>()?),
        })
    }

    /// The value in a JSON object. No record has a column of bytes or search terms.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Null | Self::Bytes(_) | Self::Term(_) => serde_json::Value::Null,
            Self::Int(number) => (*number).into(),
            Self::Real(number) => (*number).into(),
            Self::Text(text) => (*text).into(),
            Self::Owned(text) => text.as_str().into(),
            Self::List(values) => values.iter().map(Self::to_json).collect(),
        }
    }

    /// Texts as a JSON list.
    pub fn json<T: AsRef<str>>(texts: &[T]) -> Self {
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        Self::Owned(serde_json::Value::from(texts).to_string())
    }
}

/// Turns each argument into a [`Value`].
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::Value::from($value)),*] };
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Value<'_> {
            fn from(value: $integer) -> Self {
                Self::Int(i64::from(value))
            }
        }
    )*};
}

from_integers!(i64, i32, u32, u16, u8, bool);

impl From<u64> for Value<'_> {
    /// Counts and offsets: beyond the signed range there can be no rows.
    fn from(value: u64) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(value: &'a String) -> Self {
        Self::Text(value)
    }
}

impl From<String> for Value<'_> {
    fn from(value: String) -> Self {
        Self::Owned(value)
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(value)
    }
}

impl From<Moment> for Value<'_> {
    fn from(value: Moment) -> Self {
        Self::Int(value.millis())
    }
}

impl From<Day> for Value<'_> {
    fn from(value: Day) -> Self {
        Self::Owned(value.to_string())
    }
}

impl<'a> From<&'a Name> for Value<'a> {
    fn from(value: &'a Name) -> Self {
        Self::Text(value.as_str())
    }
}

impl<'a> From<&'a Prose> for Value<'a> {
    fn from(value: &'a Prose) -> Self {
        Self::Text(value.as_str())
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<HookId> for Value<'_> {
    fn from(id: HookId) -> Self {
        Self::Owned(id.to_string())
    }
}

impl<K: Identified> From<Id<K>> for Value<'_> {
    fn from(id: Id<K>) -> Self {
        Self::Owned(id.to_string())
    }
}

impl rusqlite::ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Real(value) => ValueRef::Real(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Owned(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
            Self::Term(term) => return Ok(ToSqlOutput::from(term.fts5())),
            Self::List(_) => return Ok(ToSqlOutput::from(self.to_json().to_string())),
        }))
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) => match *ty {
                Type::INT4 => i32::try_from(*value)?.to_sql(ty, out),
                Type::INT2 => i16::try_from(*value)?.to_sql(ty, out),
                _ => value.to_sql(ty, out),
            },
            Self::Real(value) => value.to_sql(ty, out),
            Self::Text(value) => value.to_sql(ty, out),
            Self::Owned(value) => value.to_sql(ty, out),
            Self::Bytes(value) => value.to_sql(ty, out),
            Self::Term(term) => term.tsquery().to_sql(ty, out),
            Self::List(values) => values.to_sql(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
