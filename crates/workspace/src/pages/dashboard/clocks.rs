//! Every clock of the law that runs: reports on incidents under every regime, and CRA reports, the most urgent first.

use app::{cra_report::CraReportView, incident::IncidentView};
use domain::{
    cra_report::{CraReport, CraStage},
    incident::{
        Regime,
        due::{Due, DueReport, Waiting},
    },
    moment::Moment,
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::Board;
use crate::{
    pages::{
        cra_reports::{self, countdown},
        incidents,
    },
    route,
    texts::dashboard as texts,
    ui::badge::{Tone, badge},
};

const SHOWN: usize = 4;
/// Below a day there is little time to act.
const DAY_SECONDS: i64 = 24 * 3600;

/// One running clock.
struct Clock<'c> {
    address: String,
    title: &'c str,
    regime: Regime,
    stage: Label,
    /// `None` if it is due without undue delay.
    due: Option<Moment>,
    owner: Option<&'c str>,
}

impl Board<'_> {
    pub(super) fn clocks(&self) -> Option<Markup> {
        let dashboard = self.dashboard;
        if dashboard.cra_reports.is_empty() && dashboard.incidents.is_empty() {
            return None;
        }
        let clocks = self.running_clocks();
        let more = clocks.len().saturating_sub(SHOWN);
        Some(html! {
            @if clocks.is_empty() { p.quiet { (self.t(texts::NO_CLOCKS)) } }
            ul.steps { @for clock in clocks.iter().take(SHOWN) { li { (self.clock(clock)) } } }
            div.row {
                @if more > 0 { span.quiet { (self.view.fill(texts::MORE_CLOCKS, &[("count", &more)])) } }
                a href=(route::INCIDENTS) { (self.t(texts::TO_INCIDENTS)) }
                a href=(route::CRA_REPORTS) { (self.t(texts::TO_CRA)) }
            }
        })
    }

    fn clock(&self, clock: &Clock<'_>) -> Markup {
        let view = self.view;
        let left = clock.due.map(|due| view.now.seconds_until(due));
        let (tone, state) = match left {
            None => (Tone::Warning, texts::CLOCK_PROMPTLY),
            Some(..0) => (Tone::Critical, texts::OVERDUE),
            Some(..DAY_SECONDS) => (Tone::Critical, texts::CLOCK_HOURS),
            Some(_) => (Tone::Notice, texts::CLOCK_RUNNING),
        };
        let owner = match clock.owner {
            Some(name) => view.fill(texts::OWNED_BY, &[("name", &name)]),
            None => self.t(texts::NO_OWNER).to_owned(),
        };
        html! {
            div {
                a href=(clock.address) { (self.t(clock.regime.label())) ": " (self.t(clock.stage)) }
                @let about = format!("{} · {owner}", clock.title);
                p.hint title=(about) { (about) }
            }
            div {
                (badge(tone, self.t(state)))
                @if let Some(due) = clock.due {
                    " " strong { (countdown(view, due)) }
                    p.hint { (view.time(due)) }
                }
            }
        }
    }

    /// Overdue first, then what is due without undue delay, then the others by their time.
    fn running_clocks(&self) -> Vec<Clock<'_>> {
        let incidents = self.dashboard.incidents.iter().flat_map(of_incident);
        let reports = self.dashboard.cra_reports.iter().flat_map(of_report);
        let mut clocks: Vec<_> = incidents.chain(reports).collect();
        clocks.sort_by_key(|clock| clock.due.unwrap_or(self.view.now));
        clocks
    }
}

/// What is owed, and the latest time for what waits for the classification that the facts imply.
fn of_incident(incident: &IncidentView) -> Vec<Clock<'_>> {
    let record = &incident.row.record;
    let clock = |report: &DueReport, due: Option<Moment>| Clock {
        address: incidents::address_of(incident.row.id),
        title: record.title.as_str(),
        regime: report.regime,
        stage: report.name(),
        due,
        owner: record.owner.as_ref().map(Name::as_str),
    };
    let owed = incident.owed().into_iter().map(|report| clock(report, report.due.moment()));
    let waiting = incident.reports.iter().filter_map(|report| match &report.due {
        Due::Waits { waiting: Waiting::Classification, at_latest: Some(at) } => {
            Some(clock(report, Some(*at)))
        }
        _ => None,
    });
    owed.chain(waiting).collect()
}

/// Every stage whose clock runs, and an intermediate report that was requested.
fn of_report(report: &CraReportView) -> Vec<Clock<'_>> {
    if report.row.archived_at.is_some() {
        return Vec::new();
    }
    let record = &report.row.record;
    let clock = |stage: Label, due: Option<Moment>| Clock {
        address: cra_reports::address_of(report.row.id),
        title: record.title.as_str(),
        regime: Regime::Cra,
        stage,
        due,
        owner: record.owner.as_ref().map(Name::as_str),
    };
    let stages = CraStage::ALL.iter().filter_map(|stage| {
        let reading = &report.stage(*stage).reading;
        let due = reading.ends_at.filter(|_| reading.submitted_at.is_none())?;
        Some(clock(stage.label(), Some(due)))
    });
    let interim = record.interim.is_owed().then(|| clock(CraReport::INTERIM.label, None));
    stages.chain(interim).collect()
}
