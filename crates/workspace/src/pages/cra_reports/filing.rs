//! Recording that a stage was filed, and correcting what was recorded.

use app::{Error, cra_report::CraReportView};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    correction::CorrectedField,
    cra_report::{CraReport, CraReportInput, CraReportKind, CraReportStatus, CraStage, Submission},
    id::CraReportId,
    right::{Resource, Right},
    text::Name,
    transition::Lifecycle as _,
};
use maud::{Markup, html};

use super::{address_of, detail, report_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{
        approvals,
        record::{
            self,
            correction::{self, Now},
        },
    },
    respond::{self, Answer},
    route,
    texts::{cra_report as texts, record as shared},
    ui::{
        self,
        field::{self, Field},
        history,
    },
};

/// The next step and its fields.
pub(super) fn next_step(visit: &Visit, report: &CraReportView, form: &Form) -> Markup {
    let status = report.row.record.status;
    if status.moves().is_empty() {
        return html! {};
    }
    let action = format!("{}/move", address_of(report.row.id));
    let files = status.moves().iter().any(|step| step.to.completes().is_some());
    let fields = html! {
        @if needs_measure(report) {
            p.hint { (visit.t(texts::MEASURE_FIRST)) }
            (Field::moment(visit, form, "corrective_measure_at", CraReport::CORRECTIVE_AT.label).render())
        }
        @if files {
            (Field::moment(visit, form, "submitted_at", CraReport::SUBMITTED_AT.label)
                .hint(texts::FILED_AT_HINT).optional().render())
            (Field::text(visit, form, "submission_reference", CraReport::AUTHORITY_REFERENCE.label)
                .optional().at_most(Name::MAX).render())
            @if matches!(status, CraReportStatus::EarlyWarningSent | CraReportStatus::NotificationSent) {
                (field::area(visit, form, "already_provided", texts::ALREADY_PROVIDED,
                    Some(texts::ALREADY_PROVIDED_HINT)))
            }
        }
    };
    ui::section(
        visit.t(shared::NEXT_STEP),
        &html! {
            @if files { p.hint { (visit.t(texts::FILE_FIRST)) } }
            (history::moves_with(visit, form, &action, status, |_| true, &fields))
        },
    )
}

/// The final report on a vulnerability is next, and its clock has not started.
fn needs_measure(report: &CraReportView) -> bool {
    let record = &report.row.record;
    record.kind == CraReportKind::ExploitedVulnerability
        && record.status == CraReportStatus::NotificationSent
        && record.corrective_measure_at.is_none()
}

/// What of a filed stage can be corrected.
fn now(filed: &Submission) -> Vec<Now> {
    let reference = filed.reference.as_ref().map(ToString::to_string);
    vec![Now::At(filed.submitted_at), Now::Line(CorrectedField::Reference, reference)]
}

/// The form that corrects a filed stage. Only the stage recorded last can be taken back.
pub(super) fn correction(visit: &Visit, report: &CraReportView, stage: CraStage, form: &Form) -> Markup {
    let Some(filed) = &report.stage(stage).filed else { return html! {} };
    let action = format!("{}/correct", address_of(report.row.id));
    let is_last = report.row.record.status.completes() == Some(stage);
    correction::form(visit, form, (&format!("stages.{stage}"), &action), &now(filed), is_last)
}

pub(super) async fn make_move(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, report_id(&id)?);
    visit.caller().require_right(Resource::CraReports, Right::Write)?;
    let wanted = CraReportStatus::ALL.iter().find(|status| status.as_str() == form.value("status"));
    let stage = wanted.and_then(|status| status.completes());
    let provided = form.filled_change("already_provided");
    // The fields of a filing are sent with every button; other steps ignore them.
    let mut input = CraReportInput {
        status: form.required_change("status"),
        note: form.change("note"),
        ..CraReportInput::default()
    };
    if let (Some(stage), Change::Set(reason)) = (stage, provided) {
        input.already_provided = Change::Set(vec![(stage, reason)]);
    } else if stage.is_some() {
        input.submitted_at = form.moment(&visit.zone, "submitted_at", None);
        input.submission_reference = form.change("submission_reference");
        input.corrective_measure_at = match form.moment(&visit.zone, "corrective_measure_at", None) {
            Change::Clear => Change::Keep,
            change => change,
        };
    }
    match save(&workspace, &visit, id, &form, input).await {
        Ok(()) => respond::go_to(&route::done(&address_of(id), "moved")),
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approvals::address_for(&wanted)),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}

/// Makes the change, unless the form itself is invalid.
async fn save(
    workspace: &Workspace,
    visit: &Visit,
    id: CraReportId,
    form: &Form,
    input: CraReportInput,
) -> Result<(), Error> {
    let input = form.finish(Some(input))?;
    workspace
        .app
        .records
        .change_record::<CraReport>(visit.caller(), id, input, record::precondition(form))
        .await?;
    Ok(())
}

pub(super) async fn correct(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, report_id(&id)?);
    visit.caller().require_right(Resource::CraReports, Right::Decide)?;
    let sent = |stage: &&CraStage| form.is_checked(&format!("stages.{stage}.reason"));
    let stage = CraStage::ALL.iter().find(sent).copied().ok_or(PageError::NotFound)?;
    let prefix = format!("stages.{stage}");
    let (detail, _) = workspace.app.records.record::<CraReport>(visit.caller(), id).await?;
    let now = detail.record.stage(stage).filed.as_ref().map(now).unwrap_or_default();
    let inputs = correction::inputs(&visit, &mut form, &prefix, &now);
    let app = &workspace.app;
    let saved = match form.finish(Some(inputs)) {
        Ok(inputs) => {
            let precondition = record::precondition(&form);
            app.records.correct_record::<CraReport>(visit.caller(), id, stage, inputs, precondition).await
        }
        Err(error) => Err(error),
    };
    match saved {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "corrected")),
        Err(error) => {
            form.refuse(error)?;
            form.relocate(|_, name, message| {
                let name = if name == "reason" { format!("{prefix}.reason") } else { name.to_owned() };
                (name, message.to_owned())
            });
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}
