//! Facts about an arrangement beyond its flat record: exit plan, notice period, places, supply chain, group. All of them
//! may be missing.

use crate::{country::Country, lei::Lei, moment::Day, term::Term, vocabulary::vocabulary};

/// The longest notice period, in days: five years.
pub const MOST_NOTICE_DAYS: u32 = 1825;

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
    /// How many days before its end the institution has to give notice; `None` if the contract does not say it, so that
    /// the notice period of its provider counts.
    pub notice_days: Option<u32>,
    pub places: Vec<(Place, Country)>,
    /// The steps behind the direct provider.
    pub chain: Vec<SupplyStep>,
    /// The ultimate parent of the provider's group.
    pub ultimate_parent: Option<Party>,
}

impl Facts {
    /// The last day on which notice can be given for a contract that ends on that day: by its own notice period, or by
    /// the one of its provider.
    pub fn notice_by(&self, ends_on: Option<Day>, of_provider: Option<u32>) -> Option<Day> {
        let days = self.notice_days.or(of_provider)?;
        Some(ends_on?.plus_days(-i64::from(days)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notice_is_counted_back_from_the_end_and_the_contract_comes_before_its_provider() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        let end = Some(day("2027-03-31"));
        let (silent, own) = (Facts::default(), Facts { notice_days: Some(30), ..Facts::default() });
        assert_eq!(silent.notice_by(end, Some(90)), Some(day("2026-12-31")));
        assert_eq!(own.notice_by(end, Some(90)), Some(day("2027-03-01")));
        assert_eq!(own.notice_by(end, None), Some(day("2027-03-01")));
        assert_eq!(own.notice_by(None, Some(90)), None, "a contract without an end");
        assert_eq!(silent.notice_by(end, None), None);
    }
}
