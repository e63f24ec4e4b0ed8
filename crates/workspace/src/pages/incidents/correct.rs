//! Correcting what was recorded about a sent report.

use app::{evidence::EvidenceFilter, incident::ReportContent};
use axum::extract::{Path, State};
use domain::{
    correction::CorrectedField,
    evidence::Evidence,
    id::IncidentId,
    incident::{FiledReport, Incident},
    page::PageRequest,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::report::{self, ReportPath};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{
        evidence,
        record::{
            self,
            correction::{self, Corrections, Now},
        },
    },
    respond::{self, Answer},
    route,
    texts::{correction as texts, incident},
    ui::field::Choice,
};

const PREFIX: &str = "sent";

/// The evidence of the incident, which a receipt is chosen from.
pub(super) async fn receipts(
    workspace: &Workspace,
    visit: &Visit,
    id: IncidentId,
) -> Result<Vec<Choice>, PageError> {
    let filter = EvidenceFilter { linked_to: Some(id.to_string()), ..EvidenceFilter::default() };
    let page =
        workspace.app.records.records::<Evidence>(visit.caller(), &filter, PageRequest::default()).await?;
    let choice = |evidence: &app::evidence::EvidenceView| {
        Choice::new(evidence.row.id.to_string(), evidence.row.record.title.as_str())
    };
    Ok(page.items.iter().map(choice).collect())
}

fn now(filed: &FiledReport, receipts: Vec<Choice>) -> Vec<Now> {
    let reference = filed.reference.as_ref().map(ToString::to_string);
    vec![
        Now::At(filed.at),
        Now::Line(CorrectedField::Reference, reference),
        Now::Receipt(filed.receipt.map(|receipt| receipt.to_string()), receipts),
    ]
}

/// What was recorded about the sending, who recorded it, what was corrected since, and the form for that.
pub(super) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    place: ReportPath,
    content: &ReportContent,
    form: &Form,
) -> Result<Markup, PageError> {
    let Some(filed) = &content.filed else { return Ok(html! {}) };
    let (detail, _) = workspace.app.records.record::<Incident>(visit.caller(), place.id).await?;
    let others = filed.recorded_by.iter().cloned().collect();
    let corrections = Corrections::of(workspace, visit, detail.corrections, others).await?;
    let at_stage = format!("{}/{}/", place.regime, place.stage);
    let mut receipts = receipts(workspace, visit, place.id).await?;
    let receipt = match filed.receipt {
        Some(id) => Some(workspace.app.records.record::<Evidence>(visit.caller(), id).await?.0.record),
        None => None,
    };
    // What is recorded stays a choice, even if it was detached from the incident since.
    if let Some(file) = &receipt
        && !receipts.iter().any(|choice| choice.value == file.row.id.to_string())
    {
        receipts.push(Choice::new(file.row.id.to_string(), file.row.record.title.as_str()));
    }
    Ok(html! {
        dl.facts {
            dt { (visit.t(incident::SENT_AT)) } dd { (visit.time(filed.at)) }
            dt { (visit.t(incident::AUTHORITY_REFERENCE)) } dd { (visit.or_none(filed.reference.as_ref())) }
            dt { (visit.t(texts::RECORDED_BY)) }
            dd {
                @match &filed.recorded_by {
                    Some(by) => { (corrections.person(visit, by)) ", " (visit.time(filed.recorded_at)) }
                    None => { span.quiet { (visit.t(texts::NOT_KNOWN)) } }
                }
            }
            dt { (visit.t(texts::RECEIPT)) }
            dd {
                @match &receipt {
                    Some(file) => {
                        a href=(evidence::address_of(file.row.id)) { (file.row.record.title.as_str()) }
                    }
                    None => { (visit.or_none(None::<&str>)) }
                }
            }
        }
        (corrections.list(visit, |place| place.starts_with(&at_stage)))
        @if visit.may(Resource::Incidents, Right::Decide) {
            @let action = format!("{}/correct{}", place.address(), place.number());
            (correction::form(visit, form, (PREFIX, &action), &now(filed, receipts), true))
        }
    })
}

/// Corrections of reports that were taken back, on the page of the stage that is to be sent again.
pub(super) async fn taken_back(
    workspace: &Workspace,
    visit: &Visit,
    place: ReportPath,
) -> Result<Markup, PageError> {
    let (detail, _) = workspace.app.records.record::<Incident>(visit.caller(), place.id).await?;
    let corrections = Corrections::of(workspace, visit, detail.corrections, Vec::new()).await?;
    let at_stage = format!("{}/{}/", place.regime, place.stage);
    Ok(corrections.list(visit, |place| place.starts_with(&at_stage)))
}

pub(super) async fn save(
    State(workspace): State<Workspace>,
    Path((id, regime, stage)): Path<(String, String, String)>,
    posted: Posted,
) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Incidents, Right::Decide)?;
    let place = ReportPath::read(&id, &regime, &stage)?.at_sending(&visit)?;
    let app = &workspace.app;
    let content = app.resilience.incident_report(visit.caller(), place.id, place.report()).await?;
    let now = content.filed.as_ref().map(|filed| now(filed, Vec::new())).unwrap_or_default();
    let inputs = correction::inputs(&visit, &mut form, PREFIX, &now);
    let saved = match form.finish(Some(inputs)) {
        Ok(inputs) => {
            let precondition = record::precondition(&form);
            app.records
                .correct_record::<Incident>(visit.caller(), place.id, place.report(), inputs, precondition)
                .await
        }
        Err(error) => Err(error),
    };
    match saved {
        Ok(_) => respond::go_to(&route::done(&place.address(), "corrected")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(report::page(&workspace, &visit, place, &form).await?)
        }
    }
}
