//! Recording a stage of a report as sent, where that needs a second person.

use domain::{
    approval::{ApprovalAction, ApprovalDetails},
    change::Change,
    cra_report::{CraReport, CraReportInput, CraReportStatus, CraStage},
    text::Prose,
};

use crate::{approval::ApprovalTerms, incident::given};

const NAMES: &[&str] = &[
    "status",
    "submitted_at",
    "submission_reference",
    "already_provided",
    "corrective_measure_at",
    "interim_requested_at",
    "interim_submitted_at",
    "interim_reference",
];

pub(super) fn detail_names(action: ApprovalAction) -> &'static [&'static str] {
    if action == ApprovalAction::Send { NAMES } else { &[] }
}

/// The change that records the stage; `None` if it is not said which.
pub(super) fn change_of(action: ApprovalAction, terms: &ApprovalTerms) -> Option<CraReportInput> {
    let details = &terms.details;
    if action == ApprovalAction::Send && details.contains_key("interim_submitted_at") {
        return Some(CraReportInput {
            interim_requested_at: given(details, "interim_requested_at"),
            interim_submitted_at: given(details, "interim_submitted_at"),
            interim_reference: given(details, "interim_reference"),
            note: Change::Set(terms.reason.to_string()),
            ..CraReportInput::default()
        });
    }
    let status = details.get("status").filter(|_| action == ApprovalAction::Send)?;
    let stage = status.parse::<CraReportStatus>().ok()?.completes()?;
    let input = CraReportInput {
        status: Change::Set(status.clone()),
        corrective_measure_at: given(details, "corrective_measure_at"),
        note: Change::Set(terms.reason.to_string()),
        ..CraReportInput::default()
    };
    Some(match given(details, "already_provided") {
        Change::Set(reason) => {
            CraReportInput { already_provided: Change::Set(vec![(stage, reason)]), ..input }
        }
        _ => CraReportInput {
            submitted_at: given(details, "submitted_at"),
            submission_reference: given(details, "submission_reference"),
            ..input
        },
    })
}

/// The stages that a change records.
fn recorded<'r>(before: &'r CraReport, after: &'r CraReport) -> impl Iterator<Item = CraStage> + 'r {
    let is_new =
        |stage: &CraStage| after.submissions.of(*stage).is_some() && before.submissions.of(*stage).is_none();
    CraStage::ALL.iter().copied().filter(is_new)
}

/// Whether a change records an intermediate report, the first or one that answers another request.
fn records_interim(before: &CraReport, after: &CraReport) -> bool {
    let sent = |record: &CraReport| record.interim.sent.as_ref().map(|sent| sent.submitted_at);
    let is_new = sent(after).is_some() && sent(before) != sent(after);
    is_new && !before.interim.is_corrected(&after.interim)
}

pub(super) fn made(before: &CraReport, after: &CraReport) -> Option<ApprovalAction> {
    let sends = recorded(before, after).next().is_some() || records_interim(before, after);
    sends.then_some(ApprovalAction::Send)
}

/// What the intermediate report was recorded with.
fn interim_with(record: &CraReport) -> ApprovalDetails {
    let (interim, sent) = (&record.interim, record.interim.sent.as_ref());
    let said = [
        ("interim_requested_at", interim.requested_at.map(|at| at.to_string())),
        ("interim_submitted_at", sent.map(|sent| sent.submitted_at.to_string())),
        ("interim_reference", sent.and_then(|sent| sent.reference.as_ref()).map(ToString::to_string)),
    ];
    said.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?))).collect()
}

/// What the stage that was recorded last was recorded with, or else the intermediate report.
pub(super) fn made_with(before: &CraReport, record: &CraReport) -> ApprovalDetails {
    if recorded(before, record).next().is_none() {
        return interim_with(record);
    }
    let mut details = ApprovalDetails::new();
    let mut say = |name: &str, text: Option<String>| {
        if let Some(text) = text {
            details.insert(name.to_owned(), text);
        }
    };
    say("status", Some(record.status.to_string()));
    say("corrective_measure_at", record.corrective_measure_at.map(|at| at.to_string()));
    if let Some(filed) = record.status.completes().and_then(|stage| record.submissions.of(stage)) {
        let provided = filed.already_provided.as_ref().map(Prose::as_str).map(str::to_owned);
        if provided.is_none() {
            say("submitted_at", Some(filed.submitted_at.to_string()));
            say("submission_reference", filed.reference.as_ref().map(ToString::to_string));
        }
        say("already_provided", provided);
    }
    details
}
