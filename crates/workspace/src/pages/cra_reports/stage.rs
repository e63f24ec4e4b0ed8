//! The three stages of a report: the time left, what to file, and the form for it.

use app::{
    cra_report::{CraReportView, Stage},
    history::HistoryRow,
};
use axum::extract::{Path, State};
use domain::{
    clock::StageState,
    cra_contents::CraItem,
    cra_report::{CraReport, CraReportStatus, CraStage},
    format,
    moment::Moment,
    right::{Resource, Right},
    vocabulary::Vocabulary as _,
};
use maud::{Markup, html};

use super::{address_of, content, filing, report_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::{file, record::correction::Corrections},
    respond::Answer,
    texts::{correction, cra_report as texts},
    ui::{
        self,
        badge::{Tone, badge},
    },
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

/// The first outstanding stage, its state, and its due time.
fn owed(report: &CraReportView) -> Option<(CraStage, StageState, Moment)> {
    if report.row.archived_at.is_some() {
        return None;
    }
    CraStage::ALL.iter().find_map(|stage| {
        let reading = &report.stage(*stage).reading;
        reading.ends_at.filter(|_| reading.submitted_at.is_none()).map(|due| (*stage, reading.state, due))
    })
}

/// The first outstanding stage, with its clock.
pub(in crate::pages) fn next(view: &View, report: &CraReportView) -> Markup {
    match owed(report) {
        None => html! { span.quiet { (view.t(texts::NOTHING_DUE)) } },
        Some((stage, reading, due)) => html! {
            (view.t(stage.label())) br;
            (badge(tone(reading), view.t(reading.label()))) " " (countdown(view, due))
        },
    }
}

/// The time until a moment. A script updates it.
pub(in crate::pages) fn countdown(view: &View, due: Moment) -> Markup {
    let minutes = (due.millis() - view.now.millis()) / 60_000;
    let time = format::span(view.language, minutes.unsigned_abs());
    let sentence = if minutes < 0 { texts::OVER } else { texts::LEFT };
    html! {
        span.countdown data-until=(due.to_string()) data-left=(view.t(texts::LEFT)) data-over=(view.t(texts::OVER)) {
            (view.fill(sentence, &[("time", &time)]))
        }
    }
}

/// Every stage in short: how it stands, and when it is due or was filed.
pub(in crate::pages) fn in_short(view: &View, report: &CraReportView) -> Markup {
    html! {
        dl.facts {
            @for stage in CraStage::ALL.iter().copied() {
                @let reading = &report.stage(stage).reading;
                dt { (view.t(stage.label())) }
                dd {
                    (badge(tone(reading.state), view.t(reading.state.label()))) " "
                    @match (reading.submitted_at, reading.ends_at) {
                        (Some(at), _) => { (view.time(at)) }
                        (None, Some(due)) => { strong { (countdown(view, due)) } br; (view.time(due)) }
                        (None, None) => { span.quiet { (view.t(texts::NO_CLOCK)) } }
                    }
                }
            }
        }
    }
}

/// All stages; `form` contains the entries for one of them.
pub(super) fn all(
    visit: &Visit,
    report: &CraReportView,
    (steps, corrections): (&[HistoryRow], &Corrections),
    form: &Form,
) -> Markup {
    html! {
        p.hint { (visit.t(texts::FILED_ELSEWHERE)) }
        ol.stages {
            @for stage in CraStage::ALL.iter().copied() {
                li.card {
                    (one(visit, report, stage, form))
                    @if let Some(step) = recording(steps, stage).filter(|_| report.stage(stage).filed.is_some()) {
                        p.hint { (visit.t(correction::RECORDED_BY)) " " (corrections.person(visit, &step.actor)) }
                    }
                    (corrections.list(visit, |place| place == stage.as_str()))
                    @if visit.may(Resource::CraReports, Right::Decide) && report.row.archived_at.is_none() {
                        (filing::correction(visit, report, stage, form))
                    }
                }
            }
        }
    }
}

/// The step that recorded a stage as sent.
fn recording(steps: &[HistoryRow], stage: CraStage) -> Option<&HistoryRow> {
    let completes = |word: &str| word.parse().ok().and_then(CraReportStatus::completes) == Some(stage);
    steps.iter().rfind(|step| step.from.as_ref() != Some(&step.to) && completes(&step.to))
}

fn one(view: &Visit, report: &CraReportView, stage: CraStage, entered: &Form) -> Markup {
    let Stage { reading, citation, filed, .. } = report.stage(stage);
    let form = format!("{}/{}.pdf", address_of(report.row.id), stage.as_str());
    html! {
        div.row {
            h3 { (view.t(stage.label())) }
            (badge(tone(reading.state), view.t(reading.state.label())))
        }
        dl.facts {
            dt { (view.t(texts::DUE)) }
            dd {
                @match reading.ends_at {
                    Some(due) => {
                        (view.time(due))
                        @if reading.ends_at != reading.due_at { br; span.hint { (view.t(texts::IN_DAYS)) } }
                        @if reading.submitted_at.is_none() && report.row.archived_at.is_none() { br; strong { (countdown(view, due)) } }
                    }
                    None => { span.quiet { (view.t(texts::NO_CLOCK)) } }
                }
            }
            @if let Some(filed) = filed {
                dt { (view.t(CraReport::SUBMITTED_AT.label)) } dd { (view.time(filed.submitted_at)) }
                dt { (view.t(CraReport::AUTHORITY_REFERENCE.label)) } dd { (view.or_none(filed.reference.as_ref())) }
                dt { (view.t(CraReport::RECORDED_AT.label)) } dd { (view.time(filed.recorded_at)) }
                @if let Some(reason) = &filed.already_provided {
                    dt { (view.t(CraReport::ALREADY_PROVIDED.label)) } dd { (reason.as_str()) }
                }
            }
        }
        h4 { (view.t(CraReport::CONTENTS.label)) }
        (content::part(view, report, stage, entered))
        @if let Some(citation) = citation { p.hint { (view.citation(citation)) } }
        div.row { (ui::link_button(&form, view.t(texts::FORM), false)) }
    }
}

/// What has to be said or done, each with the place that asks for it.
fn asked(view: &View, all: &[CraItem]) -> Markup {
    html! {
        ul.bullets { @for asked in all { li { (view.t(asked.label)) " " span.hint.cite { (view.citation(asked.cite)) } } } }
    }
}

/// The intermediate report, once it was requested or sent.
pub(super) fn interim(view: &View, report: &CraReportView, corrections: &Corrections) -> Markup {
    let interim = &report.row.record.interim;
    if interim.requested_at.is_none() && interim.sent.is_none() {
        return html! {};
    }
    let sent = interim.sent.as_ref();
    let content = html! {
        @if interim.is_owed() { p { (badge(Tone::Warning, view.t(texts::INTERIM_OWED))) } }
        dl.facts {
            dt { (view.t(CraReport::INTERIM_REQUESTED.label)) } dd { (view.time_or_none(interim.requested_at)) }
            dt { (view.t(CraReport::INTERIM_SENT.label)) } dd { (view.time_or_none(sent.map(|sent| sent.submitted_at))) }
            @if let Some(reference) = sent.and_then(|sent| sent.reference.as_ref()) {
                dt { (view.t(CraReport::AUTHORITY_REFERENCE.label)) } dd { (reference.as_str()) }
            }
        }
        (corrections.list(view, |place| place == "interim"))
    };
    ui::section(view.t(CraReport::INTERIM.label), &content)
}

/// Further duties of the article while the stages are in progress.
pub(super) fn besides(view: &View, report: &CraReportView) -> Markup {
    ui::section(view.t(texts::BESIDES), &asked(view, report.row.record.kind.besides()))
}

/// The form of one stage, with the known values filled in.
pub(super) async fn pdf(
    State(workspace): State<Workspace>,
    Path((id, stage)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    let stage = stage.strip_suffix(".pdf").and_then(CraStage::find).ok_or(PageError::NotFound)?;
    let id = report_id(&id)?;
    file::pdf(workspace.app.report.cra_stage_pdf(visit.caller(), id, stage, visit.language).await?)
}
