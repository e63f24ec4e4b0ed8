//! A result row, read by position in the same way on both engines.

use std::{fmt::Display, str::FromStr};

use domain::{
    moment::{Day, Moment},
    vocabulary::Vocabulary,
};
use serde::de::DeserializeOwned;

use super::{Error, Result};

/// The stored form of a day that is not set: it sorts after every day on both engines.
pub(super) const NO_DAY: &str = "none";

#[derive(Debug)]
pub struct Row<'r>(pub(super) Engine<'r>);

#[derive(Debug)]
pub(super) enum Engine<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r tokio_postgres::Row),
}

/// The types a column can be read as.
pub trait Column: Sized {
    fn read(row: &Row<'_>, index: usize) -> Result<Self>;
}

macro_rules! columns {
    ($($ty:ty),*) => {$(
        impl Column for $ty {
            fn read(row: &Row<'_>, index: usize) -> Result<Self> {
                match row.0 {
                    Engine::Sqlite(row) => Ok(row.get(index)?),
                    Engine::Postgres(row) => Ok(row.try_get(index)?),
                }
            }
        }
    )*};
}

columns!(i64, f64, String, Vec<u8>, Option<i64>, Option<f64>, Option<String>);

impl Column for bool {
    fn read(row: &Row<'_>, index: usize) -> Result<Self> {
        Ok(row.get::<i64>(index)? != 0)
    }
}

impl Column for u64 {
    fn read(row: &Row<'_>, index: usize) -> Result<Self> {
        u64::try_from(row.get::<i64>(index)?).map_err(Error::corrupt)
    }
}

impl Column for Moment {
    fn read(row: &Row<'_>, index: usize) -> Result<Self> {
        row.get(index).map(Self::from_millis)
    }
}

impl Column for Option<Moment> {
    fn read(row: &Row<'_>, index: usize) -> Result<Self> {
        Ok(row.get::<Option<i64>>(index)?.map(Moment::from_millis))
    }
}

impl Row<'_> {
    pub fn get<T: Column>(&self, index: usize) -> Result<T> {
        T::read(self, index)
    }

    /// How many columns there are.
    pub(super) fn len(&self) -> usize {
        match self.0 {
            Engine::Sqlite(row) => row.as_ref().column_count(),
            Engine::Postgres(row) => row.len(),
        }
    }

    /// The column's text without copying it.
    pub fn text(&self, index: usize) -> Result<&str> {
        match self.0 {
            Engine::Sqlite(row) => {
                row.get_ref(index)?.as_str().map_err(|error| Error::Engine(Box::new(error)))
            }
            Engine::Postgres(row) => Ok(row.try_get(index)?),
        }
    }

    fn opt_text(&self, index: usize) -> Result<Option<&str>> {
        match self.0 {
            Engine::Sqlite(row) => {
                row.get_ref(index)?.as_str_or_null().map_err(|error| Error::Engine(Box::new(error)))
            }
            Engine::Postgres(row) => Ok(row.try_get(index)?),
        }
    }

    /// A column that holds the text form of a domain type.
    pub fn parse<T: FromStr<Err: Display>>(&self, index: usize) -> Result<T> {
        let text = self.text(index)?;
        text.parse().map_err(|error| Error::corrupt(format_args!("{text:?} {error}")))
    }

    pub fn parse_opt<T: FromStr<Err: Display>>(&self, index: usize) -> Result<Option<T>> {
        let Some(text) = self.opt_text(index)? else { return Ok(None) };
        text.parse().map(Some).map_err(|error| Error::corrupt(format_args!("{text:?} {error}")))
    }

    /// A column whose text `parse` accepts.
    pub fn check<T, E: Display>(&self, index: usize, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<T> {
        let text = self.text(index)?;
        parse(text).map_err(|error| Error::corrupt(format_args!("{text:?} {error}")))
    }

    pub fn check_opt<T, E: Display>(
        &self,
        index: usize,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>> {
        let Some(text) = self.opt_text(index)? else { return Ok(None) };
        parse(text).map(Some).map_err(|error| Error::corrupt(format_args!("{text:?} {error}")))
    }

    /// A day, or none, as [`Value::day`](super::Value::day) writes it.
    pub fn day(&self, index: usize) -> Result<Option<Day>> {
        if self.text(index)? == NO_DAY { Ok(None) } else { self.parse(index).map(Some) }
    }

    /// A word, as [`Value::rank`](super::Value::rank) writes it.
    pub fn rank<V: Vocabulary>(&self, index: usize) -> Result<V> {
        let rank: i64 = self.get(index)?;
        let place = usize::try_from(rank - 1).ok();
        let word = place.and_then(|place| V::ALL.get(place).copied());
        word.ok_or_else(|| Error::corrupt(format_args!("{rank} is the rank of nothing")))
    }

    /// A list or an object kept as JSON.
    pub fn json<T: DeserializeOwned>(&self, index: usize) -> Result<T> {
        serde_json::from_str(self.text(index)?).map_err(Error::corrupt)
    }
}
