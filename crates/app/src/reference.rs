//! What the tenant's records need of the reference catalogue: which measures there are, and the reporting clocks.

use catalogue::Catalogue;
use domain::clock::Clocks;

use crate::{Error, Result};

#[derive(Debug)]
pub struct Reference {
    catalogue: Catalogue,
    clocks: Clocks,
}

impl Reference {
    /// From the catalogue built into the binary.
    pub fn embedded() -> Result<Self> {
        let catalogue = Catalogue::embedded().map_err(Error::internal)?;
        let rules = catalogue.clocks.iter().map(|clock| clock.rule.clone()).collect();
        let clocks = Clocks::new(rules).map_err(Error::internal)?;
        Ok(Self { catalogue, clocks })
    }

    pub fn is_measure(&self, id: &str) -> bool {
        self.catalogue.measures.get(id).is_some()
    }

    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }
}
