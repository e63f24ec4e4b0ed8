//! The proposal from the controls of a requirement: a rule, never a decision.

use super::AssessmentStatus;
use crate::{
    control::{ControlStatus, Effectiveness},
    wording::sentences,
};

/// The state of a control, as far as the rule needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlState {
    pub status: ControlStatus,
    pub effectiveness: Effectiveness,
}

sentences! {
    /// Why a status is proposed.
    ProposedBecause {
        NoControl =
            "no control is linked to this requirement",
            "Mit dieser Anforderung ist keine Kontrolle verknüpft";
        NoneInForce { controls: u64 } =
            "controls in force: none of {controls}",
            "Umgesetzte Kontrollen: keine von {controls}";
        NoneWorks { in_force: u64 } =
            "controls in force that work: none of {in_force}",
            "Wirksame unter den umgesetzten Kontrollen: keine von {in_force}";
        NotAllInForce { in_force: u64, controls: u64 } =
            "controls in force: {in_force} of {controls}",
            "Umgesetzte Kontrollen: {in_force} von {controls}";
        NotAllProven { effective: u64, controls: u64 } =
            "controls proven effective: {effective} of {controls}",
            "Als wirksam belegte Kontrollen: {effective} von {controls}";
        AllProven { controls: u64 } =
            "controls in force and proven effective: {controls} of {controls}",
            "Umgesetzte und als wirksam belegte Kontrollen: {controls} von {controls}";
        SameIsMet { requirement: String } =
            "{requirement} asks the same and is met",
            "{requirement} verlangt dasselbe und ist erfüllt";
        WiderIsMet { requirement: String } =
            "{requirement} contains this requirement and is met",
            "{requirement} enthält diese Anforderung und ist erfüllt";
    }
}

/// What is proposed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub status: AssessmentStatus,
    pub because: ProposedBecause,
}

impl Proposal {
    /// What follows from a related requirement that is met, for a requirement without controls.
    #[must_use]
    pub fn from_related(because: ProposedBecause) -> Self {
        Self { status: AssessmentStatus::Met, because }
    }

    /// The rule: without controls nothing is proposed; with none in force, or none of those in force effective, the
    /// requirement is not met; with all in force and proven effective it is met; otherwise it is partly met. Retired
    /// controls do not count.
    #[must_use]
    pub fn of(controls: impl IntoIterator<Item = ControlState>) -> Self {
        let live: Vec<ControlState> =
            controls.into_iter().filter(|control| control.status != ControlStatus::Retired).collect();
        let in_force: Vec<_> =
            live.iter().filter(|control| control.status == ControlStatus::Implemented).collect();
        let with = |wanted| in_force.iter().filter(|control| control.effectiveness == wanted).count();
        let all = live.len() as u64;
        let (in_force_count, effective) = (in_force.len() as u64, with(Effectiveness::Effective) as u64);
        let failing = with(Effectiveness::Ineffective) as u64;
        let (status, because) = if all == 0 {
            (AssessmentStatus::NotAssessed, ProposedBecause::NoControl)
        } else if in_force_count == 0 {
            (AssessmentStatus::NotMet, ProposedBecause::NoneInForce { controls: all })
        } else if failing == in_force_count {
            (AssessmentStatus::NotMet, ProposedBecause::NoneWorks { in_force: failing })
        } else if in_force_count < all {
            let because = ProposedBecause::NotAllInForce { in_force: in_force_count, controls: all };
            (AssessmentStatus::PartlyMet, because)
        } else if effective < all {
            (AssessmentStatus::PartlyMet, ProposedBecause::NotAllProven { effective, controls: all })
        } else {
            (AssessmentStatus::Met, ProposedBecause::AllProven { controls: all })
        };
        Self { status, because }
    }
}
