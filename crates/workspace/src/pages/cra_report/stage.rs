//! The three stages of a report: how much time is left, what to file, and the form for it.

use app::cra_report::{CraReport, Stage};
use axum::extract::{Path, State};
use domain::{
    clock::StageState,
    cra_contents::Asked,
    cra_report::{CraReportKind, CraStage},
    moment::Moment,
    permission::Permission,
    vocabulary::Vocabulary as _,
    written,
};
use maud::{Markup, html};

use super::{address_of, filing, report_id};
use crate::{
    Workspace,
    form::Form,
    oops::Oops,
    pages::file,
    respond::Answer,
    texts::cra_report as texts,
    ui::{
        self,
        badge::{Tone, badge},
    },
    visit::{View, Visit},
};

fn tone(state: StageState) -> Tone {
    match state {
        StageState::Pending => Tone::Notice,
        StageState::DueSoon => Tone::Warning,
        StageState::Overdue => Tone::Critical,
        StageState::Submitted => Tone::Good,
        StageState::SubmittedLate => Tone::Neutral,
    }
}

/// The first stage that is still owed, how it stands, and when it is due.
pub(in crate::pages) fn owed(report: &CraReport) -> Option<(CraStage, StageState, Moment)> {
    if report.row.archived_at.is_some() {
        return None;
    }
    CraStage::ALL.iter().find_map(|stage| {
        let reading = &report.stage(*stage).reading;
        reading.due_at.filter(|_| reading.submitted_at.is_none()).map(|due| (*stage, reading.state, due))
    })
}

/// The first stage that is still owed, with its clock.
pub(in crate::pages) fn next(view: &View, report: &CraReport) -> Markup {
    match owed(report) {
        None => html! { span.quiet { (view.t(texts::NOTHING_DUE)) } },
        Some((stage, reading, due)) => html! {
            (view.t(stage.label())) br;
            (badge(tone(reading), view.t(reading.label()))) " " (countdown(view, due))
        },
    }
}

/// How long until a moment. A script lets it run.
fn countdown(view: &View, due: Moment) -> Markup {
    let minutes = (due.millis() - view.now.millis()) / 60_000;
    let time = written::span(view.language, minutes.unsigned_abs());
    let told = if minutes < 0 { texts::OVER } else { texts::LEFT };
    html! {
        span.countdown data-until=(due.to_string()) data-left=(view.t(texts::LEFT)) data-over=(view.t(texts::OVER)) {
            (view.fill(told, &[("time", &time)]))
        }
    }
}

/// All stages, one after the other; `form` is what was entered for one of them.
pub(super) fn all(visit: &Visit, report: &CraReport, form: &Form) -> Markup {
    html! {
        p.hint { (visit.t(texts::FILED_ELSEWHERE)) }
        ol.stages {
            @for stage in CraStage::ALL.iter().copied() {
                li.card {
                    (one(visit, report, stage))
                    @if visit.caller().may(Permission::Write) && report.row.archived_at.is_none() {
                        (filing::correction(visit, report, stage, form))
                    }
                }
            }
        }
    }
}

fn one(view: &View, report: &CraReport, stage: CraStage) -> Markup {
    let Stage { reading, citation, filed } = report.stage(stage);
    let kind: CraReportKind = report.row.report.kind;
    let form = format!("{}/{}.pdf", address_of(report.row.id), stage.as_str());
    html! {
        div.row {
            h3 { (view.t(stage.label())) }
            (badge(tone(reading.state), view.t(reading.state.label())))
        }
        dl.facts {
            dt { (view.t(texts::DUE)) }
            dd {
                @match reading.due_at {
                    Some(due) => {
                        (view.time(due))
                        @if reading.submitted_at.is_none() && report.row.archived_at.is_none() { br; strong { (countdown(view, due)) } }
                    }
                    None => { span.quiet { (view.t(texts::NO_CLOCK)) } }
                }
            }
            @if let Some(filed) = filed {
                dt { (view.t(texts::SUBMITTED)) } dd { (view.time(filed.submitted_at)) }
                dt { (view.t(texts::AUTHORITY_REFERENCE)) } dd { (view.or_none(filed.reference.as_ref())) }
                dt { (view.t(texts::RECORDED)) } dd { (view.time(filed.recorded_at)) }
            }
        }
        h4 { (view.t(texts::ASKED)) }
        (asked(view, stage.contents(kind)))
        @if let Some(citation) = citation { p.hint { (citation) } }
        div.row { (ui::link_button(&form, view.t(texts::FORM), false)) }
    }
}

/// What has to be told or done, each with the place that asks for it.
fn asked(view: &View, all: &[Asked]) -> Markup {
    html! {
        ul.bullets { @for asked in all { li { (view.t(asked.label)) " " span.hint.cite { (asked.cite) } } } }
    }
}

/// What else the article asks for while the stages run.
pub(super) fn besides(view: &View, report: &CraReport) -> Markup {
    ui::section(view.t(texts::BESIDES), &asked(view, report.row.report.kind.besides()))
}

/// The form of one stage: what is known filled in, the rest left to be written.
pub(super) async fn pdf(
    State(workspace): State<Workspace>,
    Path((id, stage)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    let stage = stage.strip_suffix(".pdf").and_then(CraStage::find).ok_or(Oops::NotFound)?;
    let id = report_id(&id)?;
    file::pdf(workspace.app.cra_stage_pdf(visit.caller(), id, stage, visit.language).await?)
}
