//! What is done with a whole list: the same change to many of its records, an import, a sample. The `SUBJECT` of a list
//! declares it, and the routes of all lists follow.

use std::pin::Pin;

use app::records::{Importable, RecordKind};
use axum::response::Response;

use super::{
    SUBJECTS,
    record::Noun,
    records::{bulk, comments::list_of_table, import, samples},
};
use crate::ApiError;

/// The answer of a function that is kept without the type of its records.
pub(crate) type Answer = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send>>;

/// What can be done with a list, besides what is done with each record.
#[derive(Debug)]
pub(crate) struct WholeList {
    /// The table of its records.
    pub(crate) table: &'static str,
    pub(crate) change: Option<bulk::Run>,
    pub(crate) import: Option<import::Run>,
    pub(crate) draw: Option<samples::Draw>,
}

impl WholeList {
    /// Its records are changed, imported and drawn.
    pub(crate) const fn all<N: Noun<Change: From<<N as RecordKind>::Input>> + Importable>() -> Self {
        Self { change: Some(bulk::run_of::<N>), ..Self::drawn::<N>().and_imported::<N>() }
    }

    /// Its records are changed and drawn, and have an import of their own.
    pub(crate) const fn changed<N: Noun<Change: From<<N as RecordKind>::Input>>>() -> Self {
        Self { change: Some(bulk::run_of::<N>), ..Self::drawn::<N>() }
    }

    pub(crate) const fn drawn<N: Noun>() -> Self {
        Self { table: N::TABLE.name, change: None, import: None, draw: Some(samples::draw_of::<N>) }
    }

    pub(crate) const fn imported<T: Importable>() -> Self {
        Self { table: T::LIST, change: None, import: Some(import::run_of::<T>), draw: None }
    }

    pub(crate) const fn and_imported<T: Importable>(self) -> Self {
        Self { import: Some(import::run_of::<T>), ..self }
    }

    /// Every list of which something is done as a whole.
    pub(crate) fn every() -> impl Iterator<Item = &'static Self> {
        SUBJECTS.iter().filter_map(|subject| subject.list.as_ref())
    }

    /// The address of the list.
    pub(crate) fn address(&self) -> String {
        list_of_table(self.table)
    }
}
