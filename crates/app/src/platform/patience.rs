//! More time for a request whose work takes longer than others may.

use std::{fmt, sync::Arc, time::Duration};

use crate::costly::IMPORT_TIME;

/// Prolongs the deadline of a request. The listener adds it to every request; those that did not come through a listener
/// have no deadline.
#[derive(Clone)]
pub struct Patience(Arc<dyn Fn(Duration) + Send + Sync>);

impl fmt::Debug for Patience {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Patience")
    }
}

impl Patience {
    pub fn new(prolong: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self(Arc::new(prolong))
    }

    /// The file of an import was received: from now on the request has the time that imports have.
    pub fn for_import(&self) {
        (self.0)(IMPORT_TIME);
    }
}
