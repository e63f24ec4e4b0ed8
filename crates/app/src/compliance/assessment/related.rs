//! What follows from answers to related requirements: a requirement without controls is proposed as met if one of
//! another framework that asks the same or more is met. A proposal, never a decision.

use std::collections::HashSet;

use domain::assessment::{AssessmentStatus, Proposal, ProposedBecause};
use store::{Reader, TenantScope, assessment as rows};

use crate::{
    Result,
    catalogue::{
        Edition,
        crosswalk::{Related, Relation},
    },
};

/// The related requirements that are met, read in one statement.
pub(super) struct MetElsewhere(HashSet<String>);

impl MetElsewhere {
    pub(super) fn of<'r>(
        edition: &Edition,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        requirements: impl Iterator<Item = &'r str>,
    ) -> Result<Self> {
        let wider = requirements.flat_map(|id| wider(edition, id).map(|related| &*related.requirement.id));
        let ids: HashSet<&str> = wider.collect();
        if ids.is_empty() {
            return Ok(Self(HashSet::new()));
        }
        let mut ids: Vec<&str> = ids.into_iter().collect();
        ids.sort_unstable();
        let said = rows::get_many(reader, scope, &ids)?.into_iter();
        let met = said.filter(|row| row.assessment.status == AssessmentStatus::Met);
        Ok(Self(met.map(|row| row.requirement).collect()))
    }

    /// The proposal for a requirement, if a related one is met; one that asks the same counts first.
    pub(super) fn proposal(&self, edition: &Edition, requirement: &str) -> Option<Proposal> {
        let mut met: Vec<Related<'_>> =
            wider(edition, requirement).filter(|related| self.0.contains(&*related.requirement.id)).collect();
        met.sort_by_key(|related| related.relation != Relation::Equal);
        let first = met.first()?;
        let name = format!("{} {}", first.requirement.framework.name(), first.requirement.number);
        Some(Proposal::from_related(match first.relation {
            Relation::Equal => ProposedBecause::SameIsMet { requirement: name },
            _ => ProposedBecause::WiderIsMet { requirement: name },
        }))
    }
}

/// The requirements of other frameworks that ask the same or more.
fn wider<'e>(edition: &'e Edition, requirement: &str) -> impl Iterator<Item = Related<'e>> {
    edition.related_to(requirement).filter(|related| related.relation.is_met_by_other())
}

/// The proposal of the controls, or where there are none, that of related requirements.
pub(super) fn or_related(proposal: Proposal, related: impl FnOnce() -> Option<Proposal>) -> Proposal {
    if proposal.because == ProposedBecause::NoControl { related().unwrap_or(proposal) } else { proposal }
}
