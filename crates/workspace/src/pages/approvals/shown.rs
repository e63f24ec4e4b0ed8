//! How approvals are shown: what they are about and carried out with, in the reader's language.

use app::approval::ApprovedVersion;
use domain::{
    approval::{Approval, ApprovalAction, ApprovalDetails},
    cra_report::{CraReport, CraReportStatus},
    incident::Incident,
    period_report::PeriodReportId,
    vocabulary::Vocabulary as _,
    wording::Label,
};
use maud::{Markup, html};
use serde_json::Value;

use super::address_of;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::{assessments, names::Names, page_by_id, past},
    route,
    texts::{approval as texts, common, incident, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
    },
};

/// The page of what is decided about.
pub(in crate::pages) async fn page_of(
    workspace: &Workspace,
    visit: &Visit,
    subject: &str,
) -> Result<Option<String>, PageError> {
    if subject == app::assessment::STATEMENT {
        return Ok(Some(route::STATEMENT.to_owned()));
    }
    if subject.parse::<PeriodReportId>().is_ok() {
        return Ok(Some(route::REPORTS.to_owned()));
    }
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let assessed = edition.requirements.get(subject).map(assessments::address_of);
    Ok(assessed.or_else(|| page_by_id(subject)))
}

/// The label of what a decision is carried out with.
fn label(name: &str) -> Option<Label> {
    Some(match name {
        "result" => Incident::RESULT.label,
        "regime" => texts::REGIME,
        "stage" | "status" => texts::STAGE,
        "at" | "submitted_at" => incident::SENT_AT,
        "reference" | "submission_reference" => incident::AUTHORITY_REFERENCE,
        "already_provided" => incident::ALREADY_PROVIDED,
        "incomplete" => incident::INCOMPLETE,
        "receipt" => crate::texts::correction::RECEIPT,
        "corrective_measure_at" => CraReport::CORRECTIVE_AT.label,
        "interim_requested_at" => CraReport::INTERIM_REQUESTED.label,
        "interim_submitted_at" => CraReport::INTERIM_SENT.label,
        "interim_reference" => CraReport::INTERIM_REFERENCE.label,
        _ => return None,
    })
}

/// What a decision is carried out with, as facts.
pub(in crate::pages) async fn details(
    workspace: &Workspace,
    visit: &Visit,
    (subject, action): (&str, ApprovalAction),
    details: &ApprovalDetails,
) -> Result<Markup, PageError> {
    let names = Names::of(workspace, visit, details.values()).await?;
    let text = |name: &str, word: &str| match (name, CraReportStatus::find(word)) {
        ("status", Some(status)) => visit.t(status.label()).to_owned(),
        ("incomplete", _) => visit.t(common::YES).to_owned(),
        _ => past::text(visit, &names, subject, name, &Value::String(word.to_owned())),
    };
    let at =
        if action == ApprovalAction::Classify { Incident::CLASSIFIED_AT.label } else { incident::SENT_AT };
    let known = details.iter().filter_map(|(name, word)| {
        let label = if name == "at" { at } else { label(name)? };
        Some((label, text(name, word)))
    });
    Ok(html! { @for (label, text) in known { dt { (visit.t(label)) } dd { (text) } } })
}

/// The reason of a request. A decision that was made directly has none.
pub(super) fn reason<'r>(view: &View, record: &'r Approval) -> &'r str {
    if record.is_direct { view.t(texts::DIRECT) } else { record.reason.as_str() }
}

/// The fields whose change made a request lapse, by their labels.
pub(super) fn changed(view: &View, names: &Names, record: &Approval) -> Vec<String> {
    let subject = record.subject.as_str();
    let shown = record.changed.iter().filter(|field| !past::is_signature(field) && *field != "editors");
    let label = |field: &String| match field.as_str() {
        "archived_at" => view.t(shared::ARCHIVED).to_owned(),
        "deleted" => view.t(texts::DELETED).to_owned(),
        "status" => view.t(common::STATUS).to_owned(),
        field => names.get(field).unwrap_or_else(|| past::label(view, subject, field)),
    };
    let labels: Vec<String> = shown.map(label).collect();
    if labels.is_empty() && !record.changed.is_empty() {
        vec![view.t(texts::APPROVAL).to_owned()]
    } else {
        labels
    }
}

/// Which version was approved last, by whom, and whether it is the current one.
pub(in crate::pages) async fn approved(
    workspace: &Workspace,
    visit: &Visit,
    subject: &str,
) -> Result<Markup, PageError> {
    let standing = workspace.app.approval.approved_version(visit.caller(), subject.to_owned()).await?;
    let by = standing.last.iter().filter_map(|row| row.record.decided_by.clone());
    let names = Names::of(workspace, visit, by).await?;
    Ok(ui::section(visit.t(texts::APPROVAL), &approval_of(visit, &standing, &names)))
}

fn approval_of(visit: &Visit, standing: &ApprovedVersion, names: &Names) -> Markup {
    let (tone, word) = match (&standing.last, standing.is_current()) {
        (None, _) => (Tone::Muted, texts::NEVER_APPROVED),
        (Some(_), true) => (Tone::Good, texts::APPROVED),
        (Some(_), false) => (Tone::Warning, texts::APPROVED_BEFORE),
    };
    html! {
        div.row { (badge(tone, visit.t(word))) }
        dl.facts {
            dt { (visit.t(texts::CURRENT_VERSION)) } dd { (standing.version) }
            @if let Some(row) = &standing.last {
                @let by = row.record.decided_by.as_deref().unwrap_or_default();
                dt { (visit.t(texts::APPROVED_VERSION)) }
                dd { a href=(address_of(row.id)) { (row.record.subject_version) } }
                dt { (visit.t(texts::DECIDED_BY)) } dd { (names.get(by).unwrap_or_default()) }
                @if let Some(at) = row.record.decided_at { dt { (visit.t(texts::DECIDED_AT)) } dd { (visit.time(at)) } }
            }
        }
    }
}
