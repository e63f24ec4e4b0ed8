//! What a requirement inherits from the requirements it details, and what percentages count.

use domain::{moment::Day, profile::Facts};

use super::{
    Outcome, Verdict,
    verdict::{by_day, limits, verdict},
};
use crate::{Catalogue, citation::act_of, framework::Requirement};

/// From a column of the register over its article and DORA there are three steps; a layer that names itself as its
/// basis ends there too.
const BASIS_STEPS: u8 = 4;

impl Catalogue {
    /// Whether a requirement applies to an institution with these facts on this day, and why.
    #[must_use]
    pub fn verdict(&self, requirement: &Requirement, facts: &Facts, today: Day) -> Verdict {
        let own = verdict(self.frameworks.get(requirement.framework.as_str()), requirement, facts, today);
        if own.outcome == Outcome::DoesNotApply {
            return own;
        }
        match self.excluded_by_basis(requirement, (facts, today), BASIS_STEPS) {
            Some(basis) if basis.outcome.rank() < own.outcome.rank() => basis,
            _ => own,
        }
    }

    /// A requirement that details others is never wider than they are: it does not apply where the limits of all of
    /// them exclude the institution, nor before the first of them does. Their force does not count, because the record
    /// of a basis may be a heading.
    fn excluded_by_basis(
        &self,
        requirement: &Requirement,
        known: (&Facts, Day),
        steps: u8,
    ) -> Option<Verdict> {
        let steps = steps.checked_sub(1)?;
        let (facts, today) = known;
        let mut exclusion: Option<Verdict> = None;
        for id in &requirement.basis {
            let basis = self.requirements.get(id)?;
            let framework = self.frameworks.get(basis.framework.as_str());
            let excluded = limits(&basis.applicability, facts)
                .into_iter()
                .chain([by_day(framework, basis, today)])
                .flatten()
                .filter(|verdict| !verdict.applies())
                .min_by_key(|verdict| verdict.outcome.rank())
                .or_else(|| self.excluded_by_basis(basis, known, steps))?;
            // The widest basis decides: one that will apply outweighs one that does not.
            if exclusion.as_ref().is_none_or(|before| before.outcome.rank() < excluded.outcome.rank()) {
                exclusion = Some(excluded);
            }
        }
        exclusion
    }

    /// The first day of a requirement in the form described: its own, or the day on which the act it cites applies.
    #[must_use]
    pub fn valid_from(&self, requirement: &Requirement) -> Option<Day> {
        let scope = self.frameworks.get(requirement.framework.as_str())?.scope.applies_from;
        let own = requirement.validity.from.or(requirement.applicability.applies_from).or(scope);
        own.or_else(|| {
            let act = act_of(&requirement.cite, self.acts.as_slice())?;
            act.applies.or(act.in_force)
        })
    }

    /// Whether the points of a requirement are records of their own, so that it is not counted in addition to them. A
    /// requirement followed only by a second point or a later sentence is itself the first.
    pub fn is_heading(&self, requirement: &str) -> bool {
        ["a", "1", "01"]
            .iter()
            .any(|first| self.requirements.get(&format!("{requirement}-{first}")).is_some())
    }

    /// The requirements that percentages count for an institution: those that apply and are no headings.
    pub fn counted<'c, 'f>(
        &'c self,
        facts: &'f Facts,
        today: Day,
    ) -> impl Iterator<Item = &'c Requirement> + use<'c, 'f> {
        self.requirements
            .iter()
            .filter(move |requirement| self.verdict(requirement, facts, today).applies())
            .filter(|requirement| !self.is_heading(&requirement.id))
    }
}
