//! A row on its way out, read by position, the same on both engines.

use std::{fmt::Display, str::FromStr};

use domain::moment::Moment;

use super::{Error, Result};

#[derive(Debug)]
pub struct Row<'r>(pub(super) Engine<'r>);

#[derive(Debug)]
pub(super) enum Engine<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r postgres::Row),
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

columns!(i64, f64, String, Option<i64>, Option<f64>, Option<String>);

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
}
