//! The input of a classification, and its rules.

use crate::{
    change::{Change, Fields, happened},
    moment::Moment,
    text::Prose,
    violation::Violations,
    vocabulary::Word,
};

use super::{
    complaint::IncidentComplaint,
    input::TimeField,
    record::{Decision, Incident, IncidentStatus},
    words::Outcome,
};

/// The input of a classification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassifyInput {
    /// Now by default.
    pub at: Change<String>,
    /// The computed result by default.
    pub result: Change<String>,
    pub reason: Change<String>,
}

impl ClassifyInput {
    /// More classifications of one incident than these are a mistake of a program.
    const MOST: usize = 100;

    /// The incident with this classification stored; the one before is kept. Another result than the computed one needs
    /// a reason, and so does one that takes back a classification as major or makes the incident major again.
    pub fn classify(&self, incident: &Incident, by: &str, now: Moment) -> Result<Incident, Violations> {
        let mut fields = Fields::default();
        let at = fields.required("at", &self.at, Some(now), |text| happened(text, now));
        let computed = incident.classification(now).outcome();
        let result: Option<Outcome> =
            fields.required("result", &self.result, Some(computed), |word| word.parse());
        let reason: Option<Prose> = fields.prose("reason", &self.reason, None);
        if let Some(at) = at
            && at < incident.times.aware_at
        {
            let other = Word::of(TimeField::Aware);
            fields.refuse("at", IncidentComplaint::Before { other, at: incident.times.aware_at });
        }
        if result.is_some_and(|result| result != computed) && reason.is_none() {
            fields.refuse("reason", IncidentComplaint::NoReason);
        } else if result.is_some_and(|result| changes_major(incident, result)) && reason.is_none() {
            fields.refuse("reason", IncidentComplaint::NoReasonToReclassify);
        }
        if incident.earlier_decisions.len() >= Self::MOST {
            fields.refuse("result", IncidentComplaint::ClassifiedTooOften { most: Self::MOST });
        }
        let build = || {
            let (at, result) = (at?, result?);
            let major_since = (result == Outcome::Major).then(|| incident.major_from(at));
            let status = match incident.status {
                IncidentStatus::Detected => IncidentStatus::Classified,
                status => status,
            };
            let decision = Some(Decision { result, computed, at, by: by.to_owned(), reason, major_since });
            let earlier_decisions =
                incident.earlier_decisions.iter().chain(&incident.decision).cloned().collect();
            Some(Incident { status, decision, earlier_decisions, ..incident.clone() })
        };
        fields.finish(build())
    }
}

/// Whether a classification takes back one as major, or makes an incident major again.
fn changes_major(incident: &Incident, result: Outcome) -> bool {
    let is_other = incident.decision.as_ref().is_some_and(|decision| decision.result != result);
    is_other && incident.was_ever_major()
}
