//! The input that records a report on an incident as sent, and its rules.

use serde_json::Value as Json;

use crate::{
    change::{Change, Fields, happened},
    correction::CorrectionComplaint,
    evidence::EvidenceId,
    moment::Moment,
    violation::Violations,
    vocabulary::Word,
};

use super::{
    complaint::IncidentComplaint,
    due::Stage,
    input::TimeField,
    record::{FiledReport, Incident},
    words::Regime,
};

/// A report to be recorded as sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FiledInput {
    /// Now by default.
    pub at: Change<String>,
    pub reference: Change<String>,
    /// Whether it was sent although mandatory fields were empty.
    pub incomplete: Change<bool>,
    /// Why no report of its own is sent: its content was provided with an earlier stage.
    pub already_provided: Change<String>,
    /// The evidence with the receipt of the authority.
    pub receipt: Change<String>,
}

impl FiledInput {
    /// More reports on one incident than these are a mistake of a program.
    const MOST: usize = 200;

    /// The incident with the report recorded as sent, frozen as it is now. A stage is sent once, and once more when the
    /// incident is major again after a reclassification; updates of the intermediate report may repeat.
    pub fn file(
        &self,
        incident: &Incident,
        (regime, stage): (Regime, Stage),
        (content, missing): (Json, Vec<String>),
        (by, now): (&str, Moment),
    ) -> Result<Incident, Violations> {
        let mut fields = Fields::default();
        let already_provided = fields.prose("already_provided", &self.already_provided, None);
        let before = providing(incident, regime, stage);
        if already_provided.is_some() && before.is_none() {
            fields.refuse("already_provided", IncidentComplaint::NotProvided);
        }
        let earlier = before.filter(|_| already_provided.is_some());
        let at = fields.required("at", &self.at, Some(earlier.unwrap_or(now)), |text| happened(text, now));
        let reference = fields.line("reference", &self.reference, None);
        let receipt = fields.optional("receipt", &self.receipt, None, |id| receipt_of(id));
        if let Some(at) = at
            && at < incident.times.aware_at
        {
            let other = Word::of(TimeField::Aware);
            fields.refuse("at", IncidentComplaint::Before { other, at: incident.times.aware_at });
        }
        if incident.sent(regime, stage).is_some() && !stage.repeats() {
            fields.refuse("stage", IncidentComplaint::StageFiled);
        }
        if incident.filings.len() >= Self::MOST {
            fields.refuse("stage", IncidentComplaint::FiledTooOften { most: Self::MOST });
        }
        match stage {
            Stage::Reclassified if incident.reclassified_at().is_none() => {
                fields.refuse("stage", IncidentComplaint::NotReclassified);
            }
            Stage::ThreatNotice | Stage::Reclassified => {}
            _ if regime == Regime::Dora && incident.major_since().is_none() => {
                fields.refuse("stage", IncidentComplaint::NotClassified);
            }
            _ => {}
        }
        let missing = if already_provided.is_some() { Vec::new() } else { missing };
        if !missing.is_empty() && self.incomplete != Change::Set(true) {
            fields.refuse("incomplete", IncidentComplaint::Incomplete { missing: missing.join(", ") });
        }
        let build = || {
            let at = at?;
            let filed = FiledReport {
                regime,
                stage,
                at,
                reference,
                recorded_at: now,
                recorded_by: Some(by.to_owned()),
                receipt,
                already_provided,
                missing,
                content,
            };
            let mut after = incident.clone();
            after.filings.push(filed);
            Some(after)
        };
        fields.finish(build())
    }
}

/// The evidence that a receipt names.
pub(super) fn receipt_of(id: &str) -> Result<EvidenceId, CorrectionComplaint> {
    id.parse().map_err(|_| CorrectionComplaint::NotEvidence)
}

/// When the earlier stage was sent that may have provided the content of this one.
fn providing(incident: &Incident, regime: Regime, stage: Stage) -> Option<Moment> {
    let sent = |stage| incident.sent(regime, stage).map(|filed| filed.at);
    let earlier = match stage {
        Stage::Notification => sent(Stage::EarlyWarning),
        _ => sent(Stage::Notification),
    };
    earlier.filter(|_| stage.may_be_provided(regime))
}
