//! A retest: one run that shows whether the cause of a finding is gone. It is recorded once and never changed; a further
//! retest corrects it.

use crate::{
    change::{Change, Fields, without_repeats},
    evidence::EvidenceId,
    finding::Finding,
    moment::{Day, Moment},
    text::{Name, Prose},
    violation::{FieldComplaint, RecordComplaint, Violations},
    vocabulary::vocabulary,
};

vocabulary! {
    /// What a retest showed.
    RetestResult {
        Passed = "passed" ("Passed", "Bestanden"),
        Failed = "failed" ("Failed", "Nicht bestanden"),
    }
}

/// One retest of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retest {
    pub result: RetestResult,
    pub performed_on: Day,
    /// Who performed it, if that was not the person who recorded it.
    pub performed_by: Option<Name>,
    /// Whether the owner of the finding performed or recorded it.
    pub by_owner: bool,
    pub actual_result: Option<Prose>,
    pub evidence: Vec<EvidenceId>,
}

/// A retest as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RetestInput {
    pub result: Change<String>,
    pub performed_on: Change<String>,
    pub performed_by: Change<String>,
    pub actual_result: Change<String>,
    pub evidence: Change<Vec<String>>,
}

impl RetestInput {
    /// The retest of a finding. Whether its owner performed it, and whether the evidence exists, is for the caller to
    /// look up.
    pub fn read(&self, finding: &Finding, today: Day) -> Result<Retest, Violations> {
        let mut fields = Fields::default();
        let result: Option<RetestResult> = fields.required("result", &self.result, None, |word| word.parse());
        let performed_on =
            fields.required("performed_on", &self.performed_on, None, |day| day.parse::<Day>());
        if performed_on.is_some_and(|day| day > today) {
            fields.refuse("performed_on", FieldComplaint::NotInTheFuture);
        }
        let detected = finding.detected_at.day();
        if performed_on.is_some_and(|day| day < detected) {
            fields.refuse("performed_on", RecordComplaint::BeforeDetection { day: detected });
        }
        let performed_by = fields.line("performed_by", &self.performed_by, None);
        let actual_result = fields.prose("actual_result", &self.actual_result, None);
        let is_said = actual_result.is_some()
            || matches!(&self.actual_result, Change::Set(text) if !text.trim().is_empty());
        if result == Some(RetestResult::Failed) && !is_said {
            fields.refuse("actual_result", RecordComplaint::NoActualResult);
        }
        let parse = |id: &String| id.parse().map_err(|_| RecordComplaint::NotEvidence);
        let evidence = without_repeats(fields.list("evidence", &self.evidence, None, parse));
        let build = || {
            Some(Retest {
                result: result?,
                performed_on: performed_on?,
                performed_by,
                by_owner: false,
                actual_result,
                evidence,
            })
        };
        fields.finish(build())
    }
}

impl Retest {
    /// Whether a finding that was last reopened at this moment can be closed after this retest. A retest from before
    /// says nothing about what has happened since.
    pub fn allows_closing(&self, recorded_at: Moment, reopened_at: Option<Moment>) -> bool {
        let is_newer = |reopened: Moment| recorded_at >= reopened && self.performed_on >= reopened.day();
        self.result == RetestResult::Passed && reopened_at.is_none_or(is_newer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    fn passed(on: &str) -> Retest {
        Retest {
            result: RetestResult::Passed,
            performed_on: on.parse().unwrap(),
            performed_by: None,
            by_owner: false,
            actual_result: None,
            evidence: Vec::new(),
        }
    }

    #[test]
    fn only_a_passed_retest_since_the_last_reopening_allows_closing() {
        is_sound::<RetestResult>();
        let at = |text: &str| -> Moment { text.parse().unwrap() };
        let (before, after) = (at("2026-11-14T08:00:00Z"), at("2026-11-14T16:00:00Z"));
        let reopened = Some(at("2026-11-14T12:00:00Z"));
        assert!(passed("2026-11-14").allows_closing(before, None));
        assert!(passed("2026-11-14").allows_closing(after, reopened));
        assert!(!passed("2026-11-14").allows_closing(before, reopened));
        assert!(!passed("2026-11-13").allows_closing(after, reopened));
        let failed = Retest { result: RetestResult::Failed, ..passed("2026-11-14") };
        assert!(!failed.allows_closing(after, None));
    }
}
