//! Indexes of the catalogue for the institution's own records: requirements by framework, section and measure, and
//! which of them are only headings. Computed once for an edition.

use std::collections::HashMap;

use catalogue::{Catalogue, vocabulary::FrameworkId};

use super::Edition;

/// Positions of requirements, by key.
#[derive(Debug, Default)]
pub struct Ledger {
    by_framework: HashMap<FrameworkId, Vec<usize>>,
    by_section: HashMap<Box<str>, Vec<usize>>,
    by_measure: HashMap<Box<str>, Vec<usize>>,
    headings: Vec<bool>,
}

impl Ledger {
    fn of(catalogue: &Catalogue) -> Self {
        let mut ledger = Self::default();
        for (position, requirement) in catalogue.requirements.iter().enumerate() {
            ledger.by_framework.entry(requirement.framework).or_default().push(position);
            ledger.by_section.entry(requirement.section.clone()).or_default().push(position);
            for measure in catalogue.measures_for(&requirement.id) {
                ledger.by_measure.entry(measure.id.clone()).or_default().push(position);
            }
            ledger.headings.push(catalogue.is_heading(&requirement.id));
        }
        ledger
    }

    /// The requirements of a framework, in their order.
    pub fn of_framework(&self, framework: FrameworkId) -> &[usize] {
        self.by_framework.get(&framework).map_or(&[], Vec::as_slice)
    }

    pub fn of_section(&self, section: &str) -> &[usize] {
        self.by_section.get(section).map_or(&[], Vec::as_slice)
    }

    /// The requirements that a measure meets.
    pub fn of_measure(&self, measure: &str) -> &[usize] {
        self.by_measure.get(measure).map_or(&[], Vec::as_slice)
    }

    /// Whether the points of the requirement are requirements of their own, so that it is not counted in addition to
    /// them.
    pub fn is_heading(&self, position: usize) -> bool {
        self.headings.get(position).copied().unwrap_or(false)
    }
}

impl Edition {
    pub fn ledger(&self) -> &Ledger {
        self.ledger.get_or_init(|| Ledger::of(&self.catalogue))
    }

    /// The measures that meet at least one requirement of a framework, in their order.
    pub fn measures_of(&self, framework: FrameworkId) -> Vec<&catalogue::measure::Measure> {
        let of_framework =
            |position: &usize| self.requirements.at(*position).is_some_and(|r| r.framework == framework);
        let meets = |measure: &&catalogue::measure::Measure| {
            self.ledger().of_measure(&measure.id).iter().any(of_framework)
        };
        self.measures.iter().filter(meets).collect()
    }
}
