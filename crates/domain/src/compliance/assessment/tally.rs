//! Counts of assessments: of a section, a framework, or everything.

use super::{Assessment, AssessmentStatus};
use crate::rounding::Hundredths;

/// The number of requirements by status. Only requirements without parts of their own are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AssessmentTally {
    pub requirements: u64,
    /// Those that apply.
    pub applicable: u64,
    /// In the order of [`AssessmentStatus::ALL`]. What does not apply counts as not applicable, whatever its status.
    by_status: [u64; AssessmentStatus::ALL.len()],
    /// Those that apply and are approved, without those in doubt.
    pub approved: u64,
    /// Those that apply and were approved on evidence that has expired.
    pub in_doubt: u64,
    /// Their credit in a score, each at most [`Assessment::FULL_CREDIT`].
    pub credit: u64,
}

impl AssessmentTally {
    pub fn add(&mut self, assessment: &Assessment, by_profile: bool, has_expired_evidence: bool) {
        self.requirements += 1;
        let counts = assessment.counts(by_profile);
        let status = if counts { assessment.status } else { AssessmentStatus::NotApplicable };
        self.by_status[status as usize] += 1;
        if counts {
            let (approved, stands) = (assessment.approved.is_some(), !has_expired_evidence);
            self.applicable += 1;
            self.approved += u64::from(approved && stands);
            self.in_doubt += u64::from(approved && !stands);
            self.credit += assessment.credit(approved && stands);
        }
    }

    pub fn join(&mut self, other: &Self) {
        self.requirements += other.requirements;
        self.applicable += other.applicable;
        self.approved += other.approved;
        self.in_doubt += other.in_doubt;
        self.credit += other.credit;
        for (mine, theirs) in self.by_status.iter_mut().zip(other.by_status) {
            *mine += theirs;
        }
    }

    pub fn with_status(&self, status: AssessmentStatus) -> u64 {
        self.by_status[status as usize]
    }

    /// Those that apply and were assessed by a person.
    pub fn assessed(&self) -> u64 {
        self.applicable - self.with_status(AssessmentStatus::NotAssessed)
    }

    /// Whether there is any assessment by a person. Without one a percentage would be misleading.
    pub fn is_started(&self) -> bool {
        self.assessed() > 0
    }

    /// The share of applicable requirements that are met; `None` if none applies.
    pub fn met_pct(&self) -> Option<Hundredths> {
        self.share(self.with_status(AssessmentStatus::Met))
    }

    /// The share of applicable requirements that a second person approved and that are not in doubt.
    pub fn approved_pct(&self) -> Option<Hundredths> {
        self.share(self.approved)
    }

    fn share(&self, of: u64) -> Option<Hundredths> {
        (self.applicable > 0).then(|| Hundredths::percent(of, self.applicable))
    }
}
