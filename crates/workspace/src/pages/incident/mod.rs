//! Incidents: the list with the next due report.

mod classify;
mod clock;
mod detail;
pub(super) mod fact;
mod facts;
mod filed;
mod form;
mod import;
mod links;
mod log;
mod next;
mod product;
mod report;
mod report_field;
mod statistics;

use app::{
    incident::{Incident, IncidentFilter},
    report::{File, Format},
    search::HitKind,
};
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use domain::{
    id::IncidentId,
    incident::{Incident as Record, IncidentSort, IncidentStatus, Outcome, Regime},
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record::{self, list::page_of},
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{common, incident as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        pager::{counted, pager},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let one = format!("{}/{{id}}", route::INCIDENTS);
    let report = format!("{one}/reports/{{regime}}/{{stage}}");
    Router::new()
        .route(route::INCIDENTS, get(list).post(form::create))
        .route(route::NEW_INCIDENT, get(form::ask))
        .route(route::IMPORT_INCIDENTS, get(import::ask).post(import::take))
        .route(&format!("{}/template.csv", route::INCIDENTS), get(import::template))
        .route(&format!("{}/statistics", route::INCIDENTS), get(statistics::show))
        .route(route::BOARD_REPORT, get(statistics::board))
        .route(&one, get(detail::show).post(form::change))
        .route(&format!("{one}/edit"), get(form::edit))
        .route(&format!("{one}/move"), post(detail::make_move))
        .route(&format!("{one}/facts"), post(facts::save))
        .route(&format!("{one}/classify"), post(classify::save))
        .route(&format!("{one}/log"), post(log::add))
        .route(&format!("{one}/cra-report"), post(product::save))
        .route(&report, get(report::show).post(report::save))
        .route(&format!("{report}/submitted"), post(filed::save))
        .merge(file::router::<Record>(route::INCIDENTS))
}

pub(super) const FOUND: Found = Found {
    kind: HitKind::Incident,
    name: texts::INCIDENT,
    address: route::INCIDENTS,
    badge: |view, word| record::status_badge(view, word, tone),
};

pub(super) fn address_of(id: IncidentId) -> String {
    format!("{}/{id}", route::INCIDENTS)
}

fn incident_id(id: &str) -> Result<IncidentId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

pub(super) fn tone(status: IncidentStatus) -> Tone {
    match status {
        IncidentStatus::Detected => Tone::Critical,
        IncidentStatus::Classified => Tone::Warning,
        IncidentStatus::Contained => Tone::Running,
        IncidentStatus::Resolved => Tone::Good,
        IncidentStatus::Closed => Tone::Neutral,
        IncidentStatus::NotAnIncident => Tone::Muted,
    }
}

fn outcome_tone(outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Major => Tone::Critical,
        Outcome::Significant => Tone::Warning,
        Outcome::Undetermined => Tone::Notice,
        Outcome::NotMajor => Tone::Neutral,
    }
}

fn outcome_badge(view: &View, outcome: Outcome) -> Markup {
    badge(outcome_tone(outcome), view.t(outcome.label()))
}

fn filter_of(view: &View) -> IncidentFilter {
    IncidentFilter {
        status: filter::word(view, "status"),
        owner: filter::person_of(view, "owner"),
        regime: filter::word(view, "regime"),
        result: filter::word(view, "result"),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
        ..IncidentFilter::default()
    }
}

impl Exported for Record {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        Ok(workspace
            .app
            .incidents_file(visit.caller(), filter_of(visit), filter::as_of(visit), format, visit.language)
            .await?)
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = filter_of(&visit);
    let page = page_of::<Record>(&workspace, &visit, &filter, true).await?;
    let t = |label| visit.t(label);
    let actions = html! {
        (filter::exports(&visit, &filter::REPORTS))
        (ui::link_button(&format!("{}/statistics", route::INCIDENTS), t(texts::STATISTICS), false))
        @if visit.caller().may_write_records() {
            (ui::link_button(route::IMPORT_INCIDENTS, t(texts::IMPORT), false))
            (ui::link_button(route::NEW_INCIDENT, t(texts::NEW), true))
        }
    };
    let columns = [
        Column::text(t(texts::INCIDENT)),
        Column::tight(t(texts::RESULT)),
        Column::tight(t(common::STATUS)),
        Column::text(t(shared::OWNER)),
        Column::tight(t(texts::DETECTED)),
        Column::text(t(texts::NEXT_DUE)),
    ];
    let rows: Vec<_> = page.items.iter().map(|incident| cells(&visit, incident)).collect();
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(actions)))
        (ui::notice::done(&visit, &record::DONE))
        (filter::bar(&visit, &[
            filter::words::<IncidentStatus>(&visit, "status", common::STATUS),
            filter::words::<Regime>(&visit, "regime", texts::REGIME),
            filter::words::<Outcome>(&visit, "result", texts::RESULT),
            filter::person(&visit, "owner", shared::OWNER),
            filter::order::<IncidentSort>(&visit),
            filter::as_of_field(&visit),
        ]))
        (filter::as_of_notice(&visit))
        @if page.items.is_empty() {
            (record::nothing(&visit, filter != IncidentFilter::default() || filter::as_of(&visit).is_some(), (texts::EMPTY, texts::EMPTY_HELP)))
        } @else {
            (counted(&visit, page.total, texts::ONE, texts::MANY))
            (table(t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn cells(view: &View, incident: &Incident) -> Vec<Markup> {
    let record = &incident.row.record;
    let regimes: Vec<_> = record.regimes.iter().map(|regime| view.t(regime.label())).collect();
    vec![
        html! {
            a href=(address_of(incident.row.id)) { (record.title.as_str()) }
            br;
            span.quiet { (record.reference) " · " (regimes.join(", ")) }
        },
        outcome_badge(view, incident.result()),
        badge(tone(record.status), view.t(record.status.label())),
        view.or_none(record.owner.as_ref()),
        view.time(record.times.detected_at),
        clock::next(view, incident),
    ]
}
