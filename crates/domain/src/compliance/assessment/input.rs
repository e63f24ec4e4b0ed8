//! The input of a change of an assessment, and its rules.

use super::{AppliesOverride, Assessment, AssessmentComplaint, AssessmentStatus, MAX_MATURITY, Signed};
use crate::{
    change::{Change, Fields},
    moment::Moment,
    text::Prose,
    violation::{FieldComplaint, Violations},
};

/// The input of an assessment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AssessmentInput {
    pub status: Change<String>,
    /// Overrides the profile; `null` removes the override.
    pub applies: Change<bool>,
    pub applies_reason: Change<String>,
    pub maturity: Change<f64>,
    pub rationale: Change<String>,
    pub owner: Change<String>,
    pub due_on: Change<String>,
    pub next_review_on: Change<String>,
    /// The reason, for the history. It also serves as a missing rationale or reason.
    pub reason: Change<String>,
}

impl AssessmentInput {
    /// The assessment after this change; the argument is whether the requirement applies by the profile. Any change
    /// revokes the approval.
    pub fn change(
        &self,
        current: &Assessment,
        by_profile: bool,
        by: &str,
        now: Moment,
    ) -> Result<Assessment, Violations> {
        let mut fields = Fields::default();
        let status = fields.required("status", &self.status, Some(current.status), |word| word.parse());
        let reason = fields.prose("reason", &self.reason, None);
        let maturity =
            fields.optional("maturity", &self.maturity, current.maturity, |number| maturity(*number));
        let rationale = fields.prose("rationale", &self.rationale, current.rationale.clone());
        let rationale = explained(&mut fields, status, rationale, reason.as_ref());
        let owner = fields.line("owner", &self.owner, current.owner.clone());
        let due_on = fields.optional("due_on", &self.due_on, current.due_on, |day| day.parse());
        let next_review_on =
            fields
                .optional("next_review_on", &self.next_review_on, current.next_review_on, |day| day.parse());
        let applies = self.applies(&mut fields, current, by_profile, reason.as_ref());
        let changed = status.map(|status| Assessment {
            status,
            applies,
            maturity,
            rationale,
            owner,
            due_on,
            next_review_on,
            ..current.clone()
        });
        let changed = fields.finish(changed)?;
        Ok(signed(changed, current, by, now))
    }

    fn applies(
        &self,
        fields: &mut Fields,
        current: &Assessment,
        by_profile: bool,
        reason: Option<&Prose>,
    ) -> Option<AppliesOverride> {
        let kept = current.applies.clone();
        let word = match self.applies {
            Change::Keep => kept.as_ref().map(|word| word.applies),
            Change::Clear => None,
            Change::Set(applies) => Some(applies).filter(|applies| *applies != by_profile),
        };
        let earlier = kept.filter(|kept| Some(kept.applies) == word).map(|kept| kept.reason);
        let given = fields.prose("applies_reason", &self.applies_reason, earlier);
        let applies = word?;
        let Some(reason) = given.or_else(|| reason.cloned()) else {
            fields.refuse("applies_reason", AssessmentComplaint::NoAppliesReason);
            return None;
        };
        Some(AppliesOverride { applies, reason })
    }
}

fn maturity(number: f64) -> Result<u8, AssessmentComplaint> {
    (0..=MAX_MATURITY)
        .find(|level| f64::from(*level).to_bits() == (number + 0.0).to_bits())
        .ok_or(AssessmentComplaint::Maturity)
}

/// A requirement that does not apply needs a rationale; the reason of the change is enough.
fn explained(
    fields: &mut Fields,
    status: Option<AssessmentStatus>,
    rationale: Option<Prose>,
    reason: Option<&Prose>,
) -> Option<Prose> {
    if status != Some(AssessmentStatus::NotApplicable) || rationale.is_some() {
        return rationale;
    }
    if reason.is_none() {
        fields.refuse("rationale", AssessmentComplaint::NoReason);
    }
    reason.cloned()
}

/// Sets the author, unless nothing changed.
fn signed(changed: Assessment, before: &Assessment, by: &str, now: Moment) -> Assessment {
    if changed == *before {
        return changed;
    }
    let judged =
        |assessment: &Assessment| (assessment.status, assessment.maturity, assessment.rationale.clone());
    let is_new = judged(&changed) != judged(before);
    let assessed = if changed.status == AssessmentStatus::NotAssessed {
        None
    } else if is_new {
        Some(Signed { at: now, by: by.to_owned() })
    } else {
        before.assessed.clone()
    };
    let carried_from = if is_new { None } else { before.carried_from.clone() };
    let editors = before.editors_with(by);
    Assessment { assessed, approved: None, changed_by: Some(by.to_owned()), editors, carried_from, ..changed }
}

impl AssessmentInput {
    /// Refuses an empty change, for a form that would change many at once.
    pub fn says_something(&self) -> Result<(), Violations> {
        if *self == Self::default() {
            return Err(Violations::one("status", AssessmentComplaint::Unchanged));
        }
        if matches!(self.status, Change::Clear) {
            return Err(Violations::one("status", FieldComplaint::Null));
        }
        Ok(())
    }
}
