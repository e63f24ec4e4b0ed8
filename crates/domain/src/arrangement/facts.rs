//! What the register may know about an arrangement beyond its flat record: exit plan, places, supply chain,
//! group. All of it may be missing.

use std::fmt;

use crate::{country::Country, label::Label, lei::Lei};

/// What happens at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    Provision,
    Storage,
    Processing,
}

impl Place {
    pub const ALL: [Self; 3] = [Self::Provision, Self::Storage, Self::Processing];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Provision => "provision",
            Self::Storage => "storage",
            Self::Processing => "processing",
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A company in a supply chain or at the top of a group.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Party {
    pub name: Label,
    pub lei: Option<Lei>,
}

/// One step of a supply chain: `supplier` delivers to `recipient`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupplyStep {
    pub supplier: Party,
    pub recipient: Party,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// `None` when nobody has said.
    pub exit_plan: Option<bool>,
    pub places: Vec<(Place, Country)>,
    /// The steps behind the direct provider.
    pub chain: Vec<SupplyStep>,
    /// The head of the provider's group.
    pub ultimate_parent: Option<Party>,
}
