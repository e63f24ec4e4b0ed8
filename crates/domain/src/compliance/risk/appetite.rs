//! The risk appetite of an institution: the highest accepted level per category, and from which level on an
//! acceptance needs a second person.

use std::collections::BTreeMap;

use super::{Rating, Risk, RiskCategory, RiskLevel};

/// The appetite of one institution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appetite {
    /// The highest residual level within appetite. A category without one has no limit.
    pub levels: BTreeMap<RiskCategory, RiskLevel>,
    /// From this level on, one person proposes an acceptance and another approves it.
    pub second_person_from: RiskLevel,
}

impl Default for Appetite {
    fn default() -> Self {
        Self { levels: BTreeMap::new(), second_person_from: RiskLevel::High }
    }
}

impl Appetite {
    /// The limit of the category, if the residual level is above it. Levels sort highest first.
    pub fn exceeded(&self, risk: &Risk) -> Option<RiskLevel> {
        self.levels
            .get(&risk.category)
            .copied()
            .filter(|most| risk.residual.is_some_and(|rating| rating.level() < *most))
    }

    pub fn needs_second_person(&self, rating: Rating) -> bool {
        rating.level() <= self.second_person_from
    }
}
