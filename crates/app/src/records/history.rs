//! The status history of a record.

use std::fmt::Display;

use domain::correction::Correction;
use store::{Reader, TenantScope, history as rows};

use crate::{Error, Result};

pub use store::history::HistoryRow;

/// A record together with its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail<T> {
    pub record: T,
    /// Oldest first.
    pub history: Vec<HistoryRow>,
    /// Of what was recorded, oldest first; read with the kinds that have any.
    pub corrections: Vec<Correction>,
}

impl<T> Detail<T> {
    pub(crate) fn of(
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        id: impl Display,
        record: T,
    ) -> Result<Self> {
        let history = rows::of(reader, scope, &id.to_string()).map_err(Error::from)?;
        Ok(Self { record, history, corrections: Vec::new() })
    }
}
