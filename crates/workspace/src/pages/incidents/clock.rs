//! The deadlines of an incident's reports: the time left, the legal basis, extensions, and what a clock that has not
//! started waits for.

use app::incident::IncidentView;
use domain::{
    format,
    incident::{
        Regime,
        due::{DELAY_NOTICE, Due, DueReport, ReportState},
    },
    time_zone::TimeZone,
    wording::Label,
};
use maud::{Markup, html};

use super::address_of;
use crate::{
    extract::View,
    pages::cra_reports::countdown,
    texts::incident as texts,
    ui::{
        self,
        badge::{Tone, badge},
    },
};

pub(super) fn tone(state: ReportState) -> Tone {
    match state {
        ReportState::NotDue => Tone::Muted,
        ReportState::Pending => Tone::Notice,
        ReportState::DueSoon => Tone::Warning,
        ReportState::Overdue => Tone::Critical,
        ReportState::Submitted => Tone::Good,
        ReportState::SubmittedLate => Tone::Neutral,
    }
}

pub(super) fn report_address(incident: &IncidentView, report: &DueReport) -> String {
    format!("{}/reports/{}/{}", address_of(incident.row.id), report.regime, report.stage)
}

/// The name of a report with its regime.
pub(super) fn name(view: &View, report: &DueReport) -> String {
    format!("{}: {}", view.t(report.regime.label()), view.t(report.name()))
}

/// The next outstanding report, with its clock.
pub(in crate::pages) fn next(view: &View, incident: &IncidentView) -> Markup {
    let owed = incident.owed();
    let Some(report) = owed.first() else {
        return html! { span.quiet { (view.t(texts::NOTHING_DUE)) } };
    };
    html! {
        (name(view, report)) br;
        (badge(tone(report.state), view.t(report.state.label()))) " "
        @if let Some(due) = report.due.moment() { (countdown(view, due)) }
    }
}

/// The reports that are outstanding, each with its running clock.
pub(super) fn running(view: &View, incident: &IncidentView) -> Markup {
    let owed = incident.owed();
    html! {
        section.stack {
            h2 { (view.t(texts::CLOCKS)) }
            @if owed.is_empty() { p.quiet { (view.t(texts::NO_REPORTS)) } }
            (cards(view, incident, &owed))
            @if owed.iter().any(|report| can_be_missed(report)) { p.hint { (view.t(DELAY_NOTICE)) } }
        }
    }
}

/// The reports without a running clock, folded so that they do not push down what has to be done now: those that wait
/// for an event, those sent, and those that need not be made.
pub(super) fn others(view: &View, incident: &IncidentView) -> Markup {
    let none_runs = incident.owed().is_empty();
    let of = |belongs: fn(&DueReport) -> bool| -> Vec<&DueReport> {
        incident.reports.iter().filter(|report| belongs(report)).collect()
    };
    let waiting = of(|report| report.submitted_at.is_none() && matches!(report.due, Due::Waits { .. }));
    let sent = of(|report| report.submitted_at.is_some());
    let not_owed = of(|report| report.submitted_at.is_none() && matches!(report.due, Due::NotOwed(_)));
    html! {
        @if !waiting.is_empty() {
            (folded(view, texts::WAITING_REPORTS, waiting.len(), none_runs, &cards(view, incident, &waiting)))
        }
        @if !sent.is_empty() {
            (folded(view, texts::SENT_REPORTS, sent.len(), false, &cards(view, incident, &sent)))
        }
        @if !not_owed.is_empty() {
            (folded(view, texts::NOT_OWED, not_owed.len(), false, &html! {
                ul.bullets {
                    @for report in &not_owed {
                        li { (name(view, report)) ": " (why(view, report)) " " span.hint.cite { (view.citation(report.article)) } }
                    }
                }
            }))
        }
    }
}

fn cards(view: &View, incident: &IncidentView, reports: &[&DueReport]) -> Markup {
    html! {
        @if !reports.is_empty() {
            ol.stages { @for report in reports { li.card { (one(view, incident, report)) } } }
        }
    }
}

fn folded(view: &View, heading: Label, count: usize, open: bool, content: &Markup) -> Markup {
    html! { details open[open] { summary { (view.t(heading)) " (" (count) ")" } (content) } }
}

/// A report under DORA with a limit that is still ahead or past.
fn can_be_missed(report: &DueReport) -> bool {
    report.regime == Regime::Dora && report.submitted_at.is_none() && matches!(report.due, Due::At { .. })
}

fn one(view: &View, incident: &IncidentView, report: &DueReport) -> Markup {
    html! {
        div.row {
            h3 { (name(view, report)) }
            @if matches!(report.due, Due::Waits { .. }) && report.submitted_at.is_none() {
                (badge(Tone::Muted, view.t(texts::WAITING)))
            } @else { (badge(tone(report.state), view.t(report.state.label()))) }
        }
        dl.facts {
            (due(view, report))
            dt { (view.t(texts::BECAUSE)) } dd { (why(view, report)) " " span.hint.cite { (view.citation(report.article)) } }
            @if let Due::At { relief: Some(relief), .. } = &report.due {
                dt { (view.t(texts::RELIEF)) } dd { (view.complaint(relief)) }
            }
            @if let Some(reading) = report.reading() { dt {} dd.hint { (view.t(reading)) } }
            @if let Some(at) = report.submitted_at { dt { (view.t(texts::SUBMITTED)) } dd { (view.time(at)) } }
        }
        div.row {
            (ui::link_button(&report_address(incident, report), view.t(texts::OPEN_REPORT), false))
        }
    }
}

/// The due time in the reader's time zone and in UTC.
fn due(view: &View, report: &DueReport) -> Markup {
    let both = |at| {
        html! {
            (view.time(at)) br;
            span.hint { (format::moment(view.language, &TimeZone::utc(), at)) }
        }
    };
    html! {
        @match &report.due {
            Due::At { at, .. } => {
                dt { (view.t(texts::DUE)) }
                dd {
                    @if report.submitted_at.is_none() { strong { (countdown(view, *at)) } br; }
                    (both(*at))
                }
            }
            Due::Promptly { .. } => { dt { (view.t(texts::DUE)) } dd { strong { (view.t(texts::PROMPTLY)) } } }
            Due::Waits { at_latest: Some(at), .. } => {
                dt { (view.t(texts::DUE_LATEST)) } dd { (countdown(view, *at)) br; (both(*at)) }
            }
            Due::Waits { at_latest: None, .. } | Due::NotOwed(_) => {}
        }
    }
}

/// The rule for the due time, or what the clock waits for.
fn why(view: &View, report: &DueReport) -> String {
    match &report.due {
        Due::At { rule, .. } | Due::Promptly { rule } => view.complaint(rule),
        Due::Waits { waiting, .. } => view.complaint(waiting),
        Due::NotOwed(why) => view.complaint(why),
    }
}
