//! Facts about an arrangement beyond its flat record: exit plan, places, supply chain, group. All of them may be
//! missing.

use crate::{country::Country, lei::Lei, term::Term, vocabulary::vocabulary};

vocabulary! {
    /// The activity at a place.
    Place {
        Provision = "provision" ("Provision", "Erbringung"),
        Storage = "storage" ("Storage", "Speicherung"),
        Processing = "processing" ("Processing", "Verarbeitung"),
    }
}

/// A company in a supply chain or at the top of a group.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Party {
    pub name: Term,
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
    /// `None` if unknown.
    pub exit_plan: Option<bool>,
    pub places: Vec<(Place, Country)>,
    /// The steps behind the direct provider.
    pub chain: Vec<SupplyStep>,
    /// The ultimate parent of the provider's group.
    pub ultimate_parent: Option<Party>,
}
