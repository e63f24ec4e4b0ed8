//! An assessment: the institution's own judgement of one requirement, its author, and its approver.
//!
//! Every requirement has one from the start; only changed ones are stored. [`Proposal::of`] computes a proposal from
//! the controls by a rule explained in `docs/controls.md`; it never changes what a person decided.

mod input;
mod proposal;
mod tally;

use crate::{
    field::fields,
    moment::{Day, Moment},
    second_person::{Decider, remember},
    text::{Name, Prose},
    vocabulary::vocabulary,
    wording::sentences,
};

pub use self::{
    input::AssessmentInput,
    proposal::{ControlState, Proposal, ProposedBecause},
    tally::AssessmentTally,
};

vocabulary! {
    /// How far a requirement is met.
    AssessmentStatus {
        NotAssessed = "not_assessed" ("Not assessed", "Nicht bewertet"),
        NotMet = "not_met" ("Not met", "Nicht erfüllt"),
        PartlyMet = "partly_met" ("Partly met", "Teilweise erfüllt"),
        Met = "met" ("Met", "Erfüllt"),
        NotApplicable = "not_applicable" ("Not applicable", "Nicht anwendbar"),
    }
}

vocabulary! {
    /// What a statement of applicability says about a requirement.
    StatedApplicability {
        Applies = "yes" ("Yes", "Ja"),
        DoesNotApply = "no" ("No", "Nein"),
        NotDecided = "not_decided" ("Not decided", "Nicht entschieden"),
    }
}

vocabulary! {
    /// Where the justification in a statement of applicability comes from.
    JustificationSource {
        Own = "own" ("Own", "Eigene"),
        Proposed = "proposed" ("Proposed", "Vorgeschlagen"),
    }
}

vocabulary! {
    /// What a line of a statement of applicability says about its requirement.
    StatedField {
        Applicable = "applicable" ("Applies", "Anwendbar"),
        Justification = "justification" ("Justification", "Begründung"),
        Status = "status" ("Status", "Status"),
        Owner = "owner" ("Owner", "Verantwortlich"),
        Controls = "controls" ("Own controls", "Eigene Kontrollen"),
    }
}

sentences! {
    /// Why an assessment cannot be stored or approved.
    AssessmentComplaint {
        Maturity = "must be a whole number from 0 to 4, or null", "muss eine ganze Zahl von 0 bis 4 oder leer sein";
        NoReason =
            "is required for not_applicable: say why the requirement does not apply",
            "fehlt: Bei „Nicht anwendbar“ bitte begründen, warum die Anforderung nicht gilt";
        NoAppliesReason =
            "is required when applies differs from what the profile says: say why",
            "fehlt: Weicht die Anwendbarkeit von der des Profils ab, bitte begründen";
        NotAssessed =
            "is not assessed yet: set a status before approving it",
            "ist noch nicht bewertet: bitte vor der Freigabe einen Status setzen";
        SamePerson =
            "cannot be approved by a person who changed it since the last approval, nor with a key of theirs: ask another one",
            "lässt sich nicht von einer Person freigeben, die es seit der letzten Freigabe geändert hat, auch nicht mit ihrem Schlüssel: bitte eine andere Person fragen";
        Owner =
            "cannot be approved by its owner: ask another person",
            "lässt sich nicht von der verantwortlichen Person selbst freigeben: bitte eine andere Person fragen";
        AlreadyApproved = "is approved already", "ist schon freigegeben";
        BulkSize { most: usize } =
            "must name 1 to {most} requirements",
            "muss 1 bis {most} Anforderungen nennen";
        NothingToCarry =
            "is not assessed yet, so there is nothing to carry over",
            "ist noch nicht bewertet, daher gibt es nichts zu übertragen";
        NotRelated =
            "is not related to this requirement by a crosswalk",
            "ist dieser Anforderung durch keine Zuordnung verbunden";
        Unchanged = "must change something", "muss etwas ändern";
        OfAuthority =
            "is a duty of the authority, which the institution cannot assess",
            "ist eine Pflicht der Behörde, die das Institut nicht bewerten kann";
    }
}

/// The highest maturity: optimised.
pub const MAX_MATURITY: u8 = 4;

/// Who did something, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    pub at: Moment,
    /// The id of a key or a person, `operator` or `system`.
    pub by: String,
}

/// A person's decision on whether a requirement applies, overriding the profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliesOverride {
    pub applies: bool,
    pub reason: Prose,
}

/// The content of an assessment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    pub status: AssessmentStatus,
    pub applies: Option<AppliesOverride>,
    pub maturity: Option<u8>,
    pub rationale: Option<Prose>,
    pub owner: Option<Name>,
    pub due_on: Option<Day>,
    pub next_review_on: Option<Day>,
    pub assessed: Option<Signed>,
    pub approved: Option<Signed>,
    /// The author of the last change.
    pub changed_by: Option<String>,
    /// Everyone who changed it since the last approval; none of them may approve it.
    pub editors: Vec<String>,
    /// The requirement whose answer was copied, and the crosswalk that relates the two.
    pub carried_from: Option<CarriedFrom>,
}

fields! {
    /// The fields of an assessment.
    Assessment {
        STATUS,
        PROPOSED_STATUS = "proposed_status" ("Suggested", "Vorschlag"),
        APPLIES = "applies" ("Applies", "Anwendbar"),
        APPLIES_REASON = "applies_reason" ("Why it differs from the profile", "Warum abweichend vom Profil"),
        MATURITY = "maturity" ("Maturity", "Reifegrad"),
        RATIONALE = "rationale" ("Rationale", "Begründung"),
        OWNER,
        DUE_ON,
        NEXT_REVIEW_ON = "next_review_on" ("Next review on", "Nächste Überprüfung am"),
        EVIDENCE = "evidence" ("Evidence", "Nachweise"),
        OPEN_FINDINGS = "open_findings" ("Open findings", "Offene Feststellungen"),
        ASSESSED_AT = "assessed_at" ("Assessed on", "Bewertet am"),
        APPROVED_AT = "approved_at" ("Approved on", "Freigegeben am"),
        APPROVED_BY = "approved_by" ("Approved by", "Freigegeben von"),
        IN_DOUBT = "in_doubt" ("In doubt", "In Zweifel"),
    }
}

/// The source of a copied answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedFrom {
    pub requirement: String,
    pub crosswalk: String,
}

impl Assessment {
    /// The same judgement, made again: the requirement changed since. An approval was given to the former one.
    #[must_use]
    pub fn confirm(&self, by: &str, now: Moment) -> Self {
        Self {
            assessed: Some(Signed { at: now, by: by.to_owned() }),
            approved: None,
            changed_by: Some(by.to_owned()),
            editors: self.editors_with(by),
            ..self.clone()
        }
    }

    /// The assessment of a requirement before the first change.
    pub const UNTOUCHED: Self = Self {
        status: AssessmentStatus::NotAssessed,
        applies: None,
        maturity: None,
        rationale: None,
        owner: None,
        due_on: None,
        next_review_on: None,
        assessed: None,
        approved: None,
        changed_by: None,
        editors: Vec::new(),
        carried_from: None,
    };

    /// Whether it applies: by the person's decision, or by the profile.
    pub fn applies(&self, by_profile: bool) -> bool {
        self.applies.as_ref().map_or(by_profile, |word| word.applies)
    }

    /// Whether it counts in percentages.
    pub fn counts(&self, by_profile: bool) -> bool {
        self.applies(by_profile) && self.status != AssessmentStatus::NotApplicable
    }

    /// What the institution decided about its applicability, by a status or by an explicit word. What the profile says
    /// about a requirement that is not assessed is no decision of a person.
    pub fn stated(&self, by_profile: bool) -> StatedApplicability {
        let is_decided = self.applies.is_some() || self.status != AssessmentStatus::NotAssessed;
        match (is_decided, self.counts(by_profile)) {
            (false, _) => StatedApplicability::NotDecided,
            (true, true) => StatedApplicability::Applies,
            (true, false) => StatedApplicability::DoesNotApply,
        }
    }

    /// The credit of a requirement that is met and approved.
    pub const FULL_CREDIT: u64 = 100;

    /// Its credit in a score. The same status counts less without a valid approval.
    pub fn credit(&self, is_approved: bool) -> u64 {
        match (self.status, is_approved) {
            (AssessmentStatus::Met, true) => Self::FULL_CREDIT,
            (AssessmentStatus::Met, false) => 80,
            (AssessmentStatus::PartlyMet, true) => 50,
            (AssessmentStatus::PartlyMet, false) => 40,
            (
                AssessmentStatus::NotAssessed | AssessmentStatus::NotMet | AssessmentStatus::NotApplicable,
                _,
            ) => 0,
        }
    }

    /// The same with the approval of a second person.
    pub fn approve(&self, by: Decider<'_>, now: Moment) -> Result<Self, AssessmentComplaint> {
        if self.status == AssessmentStatus::NotAssessed {
            return Err(AssessmentComplaint::NotAssessed);
        }
        if by.is_editor {
            return Err(AssessmentComplaint::SamePerson);
        }
        if self.approved.is_some() {
            return Err(AssessmentComplaint::AlreadyApproved);
        }
        let approved = Some(Signed { at: now, by: by.name.to_owned() });
        Ok(Self { approved, editors: Vec::new(), ..self.clone() })
    }

    /// Everyone who may not approve it after a change by this one.
    fn editors_with(&self, by: &str) -> Vec<String> {
        let mut editors = self.editors.clone();
        remember(&mut editors, by);
        editors
    }

    /// The answer of this requirement, copied to one that a crosswalk relates to it. Its owner and days are kept.
    pub fn carry_to(
        &self,
        target: &Self,
        from: CarriedFrom,
        by: &str,
        now: Moment,
    ) -> Result<Self, AssessmentComplaint> {
        if self.status == AssessmentStatus::NotAssessed {
            return Err(AssessmentComplaint::NothingToCarry);
        }
        Ok(Self {
            status: self.status,
            maturity: self.maturity,
            rationale: self.rationale.clone(),
            assessed: Some(Signed { at: now, by: by.to_owned() }),
            approved: None,
            changed_by: Some(by.to_owned()),
            editors: target.editors_with(by),
            carried_from: Some(from),
            ..target.clone()
        })
    }
}

#[cfg(test)]
mod tests;
