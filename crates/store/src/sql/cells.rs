//! The cells of a row of one kind of record, read as the types of the domain.

use std::{fmt::Display, str::FromStr};

use domain::{
    moment::Day,
    text::{Name, Prose},
    vocabulary::Vocabulary,
};
use serde::de::DeserializeOwned;

use super::{Row, row::Column};
use crate::{Error, Result};

/// The cells of one row, read in the order of the columns. Each read names its column, and a debug build compares the
/// names, so that a test that reads a record at all notices two columns in the wrong order.
#[derive(Debug)]
pub struct Cells<'c, 'r> {
    pub(super) row: &'c Row<'r>,
    pub(super) names: &'c [&'static str],
    pub(super) first: usize,
    pub(super) next: usize,
}

impl Cells<'_, '_> {
    fn place(&mut self, column: &str) -> usize {
        debug_assert_eq!(self.names.get(self.next).copied(), Some(column), "columns are read in their order");
        let place = self.first + self.next;
        self.next += 1;
        place
    }

    pub fn get<T: Column>(&mut self, column: &str) -> Result<T> {
        let place = self.place(column);
        self.row.get(place)
    }

    pub fn parse<T: FromStr<Err: Display>>(&mut self, column: &str) -> Result<T> {
        let place = self.place(column);
        self.row.parse(place)
    }

    pub fn parse_opt<T: FromStr<Err: Display>>(&mut self, column: &str) -> Result<Option<T>> {
        let place = self.place(column);
        self.row.parse_opt(place)
    }

    /// A column whose text `parse` accepts.
    pub fn check<T, E: Display>(
        &mut self,
        column: &str,
        parse: impl FnOnce(&str) -> std::result::Result<T, E>,
    ) -> Result<T> {
        let place = self.place(column);
        self.row.check(place, parse)
    }

    pub fn name(&mut self, column: &str) -> Result<Name> {
        self.check(column, Name::parse)
    }

    pub fn name_opt(&mut self, column: &str) -> Result<Option<Name>> {
        let place = self.place(column);
        self.row.check_opt(place, Name::parse)
    }

    pub fn prose_opt(&mut self, column: &str) -> Result<Option<Prose>> {
        let place = self.place(column);
        self.row.check_opt(place, Prose::parse)
    }

    pub fn day(&mut self, column: &str) -> Result<Option<Day>> {
        let place = self.place(column);
        self.row.day(place)
    }

    pub fn rank<V: Vocabulary>(&mut self, column: &str) -> Result<V> {
        let place = self.place(column);
        self.row.rank(place)
    }

    pub fn json<T: DeserializeOwned>(&mut self, column: &str) -> Result<T> {
        let place = self.place(column);
        self.row.json(place)
    }

    /// A JSON list of texts, each of which `parse` accepts.
    pub fn texts<T, E: Display>(
        &mut self,
        column: &str,
        parse: impl Fn(&str) -> std::result::Result<T, E>,
    ) -> Result<Vec<T>> {
        let texts: Vec<String> = self.json(column)?;
        texts.iter().map(|text| parse(text).map_err(Error::corrupt)).collect()
    }
}
