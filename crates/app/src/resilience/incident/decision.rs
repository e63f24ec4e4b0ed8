//! Decisions about an incident that can need a second person: a classification away from the computed result, and
//! recording a report as sent.

use domain::{
    approval::{ApprovalAction, ApprovalDetails},
    change::Change,
    incident::{ClassifyInput, FiledInput, Incident},
    text::Prose,
};

use super::IncidentChange;
use crate::{approval::ApprovalTerms, author::Author};

pub(super) const DECISIONS: &[ApprovalAction] = &[ApprovalAction::Classify, ApprovalAction::Send];

pub(super) fn detail_names(action: ApprovalAction) -> &'static [&'static str] {
    match action {
        ApprovalAction::Classify => &["result", "at"],
        ApprovalAction::Send => {
            &["regime", "stage", "at", "reference", "already_provided", "incomplete", "receipt"]
        }
        _ => &[],
    }
}

/// A detail that was given.
pub(crate) fn given(details: &ApprovalDetails, name: &str) -> Change<String> {
    let text = details.get(name).filter(|text| !text.is_empty());
    text.map_or(Change::Keep, |text| Change::Set(text.clone()))
}

/// The change that carries out a decision; `None` if it is not said with what.
pub(super) fn change_of(action: ApprovalAction, terms: &ApprovalTerms) -> Option<IncidentChange> {
    let details = &terms.details;
    match action {
        ApprovalAction::Classify => {
            let result = details.get("result").filter(|word| !word.is_empty())?.clone();
            Some(IncidentChange::Classify(ClassifyInput {
                at: given(details, "at"),
                result: Change::Set(result),
                reason: Change::Set(terms.reason.to_string()),
            }))
        }
        ApprovalAction::Send => {
            let (regime, stage) = (details.get("regime")?.parse().ok()?, details.get("stage")?.parse().ok()?);
            let incomplete = details.get("incomplete").is_some_and(|word| word == "true");
            let input = FiledInput {
                at: given(details, "at"),
                reference: given(details, "reference"),
                already_provided: given(details, "already_provided"),
                receipt: given(details, "receipt"),
                incomplete: if incomplete { Change::Set(true) } else { Change::Keep },
            };
            Some(IncidentChange::Filed(regime, stage, input))
        }
        _ => None,
    }
}

/// The decision that a change makes. A classification that follows the facts is none.
pub(super) fn made(before: &Incident, after: &Incident) -> Option<ApprovalAction> {
    let classified = after.decision.as_ref().filter(|_| after.decision != before.decision);
    if classified.is_some_and(|decision| decision.result != decision.computed) {
        return Some(ApprovalAction::Classify);
    }
    (after.filings.len() > before.filings.len()).then_some(ApprovalAction::Send)
}

/// What a decision was made with.
pub(super) fn made_with(record: &Incident, action: ApprovalAction) -> ApprovalDetails {
    let mut details = ApprovalDetails::new();
    let mut say = |name: &str, text: String| {
        details.insert(name.to_owned(), text);
    };
    match (action, &record.decision, record.filings.last()) {
        (ApprovalAction::Classify, Some(decision), _) => say("result", decision.result.to_string()),
        (ApprovalAction::Send, _, Some(filed)) => {
            say("regime", filed.regime.to_string());
            say("stage", filed.stage.to_string());
            say("at", filed.at.to_string());
            let provided = filed.already_provided.as_ref().map(|text| Prose::as_str(text).to_owned());
            let rest = [
                ("reference", filed.reference.as_ref().map(ToString::to_string)),
                ("already_provided", provided),
                ("receipt", filed.receipt.map(|id| id.to_string())),
            ];
            for (name, text) in rest {
                if let Some(text) = text {
                    say(name, text);
                }
            }
            if !filed.missing.is_empty() {
                say("incomplete", "true".to_owned());
            }
        }
        _ => {}
    }
    details
}

impl Author {
    /// The same caller for what follows from a decision about the incident, which is not asked for a second time.
    pub(super) fn following(&self) -> Self {
        let mut author = self.clone();
        author.grants_for = author.grants_for.or_else(|| Some(self.caller.actor().to_string()));
        author
    }
}
