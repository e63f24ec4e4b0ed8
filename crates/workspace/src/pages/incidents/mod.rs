//! Incidents: the list with the next due report.

mod classify;
mod clock;
mod correct;
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
    incident::{IncidentFilter, IncidentView},
    report::{File, Format},
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    archive::Archived,
    id::IncidentId,
    incident::{Incident, IncidentSort, IncidentStatus, Outcome, Regime},
    right::Resource,
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record::{
        self,
        form::{ask, create, edit_router, show, step},
        list::{ListTexts, RecordList, list, new_button},
    },
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::Answer,
    route,
    texts::incident as texts,
    ui::{
        self,
        badge::{Tone, badge},
        field::Choice,
        filter,
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let one = format!("{}/{{id}}", route::INCIDENTS);
    let report = format!("{one}/reports/{{regime}}/{{stage}}");
    Router::new()
        .route(route::INCIDENTS, get(list::<Incident>).post(create::<Incident>))
        .route(route::NEW_INCIDENT, get(ask::<Incident>))
        .route(route::IMPORT_INCIDENTS, get(import::ask).post(import::take))
        .route(&format!("{}/template.csv", route::INCIDENTS), get(import::template))
        .route(&format!("{}/statistics", route::INCIDENTS), get(statistics::show))
        .route(route::BOARD_REPORT, get(statistics::board))
        .merge(edit_router::<Incident>())
        .merge(record::archive::router::<Incident>())
        .route(&one, get(show_or_pdf))
        .route(&format!("{one}/move"), post(step::<Incident>))
        .route(&format!("{one}/facts"), post(facts::save))
        .route(&format!("{one}/classify"), post(classify::save))
        .route(&format!("{one}/log"), post(log::add))
        .route(&format!("{one}/cra-report"), post(product::save))
        .route(&report, get(report::show).post(report::save))
        .route(&format!("{report}/submitted"), post(filed::save))
        .route(&format!("{report}/correct"), post(correct::save))
        .merge(record::bulk::router::<Incident, _>(list::<Incident>))
        .merge(file::router::<Incident>(route::INCIDENTS))
}

/// The page of an incident, or its document.
async fn show_or_pdf(workspace: State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    if let Some(id) = id.strip_suffix(".pdf") {
        let pdf = workspace.app.report.incident_pdf(visit.caller(), incident_id(id)?, visit.language).await?;
        return file::pdf(pdf);
    }
    show::<Incident>(workspace, Path(id), visit).await
}

pub(super) const FOUND: Found =
    Found { name: texts::INCIDENT, badge: |view, word| record::status_badge(view, word, tone) };

pub(super) fn address_of(id: IncidentId) -> String {
    format!("{}/{id}", route::INCIDENTS)
}

fn incident_id(id: &str) -> Result<IncidentId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

pub(super) fn tone(status: IncidentStatus) -> Tone {
    status.tone()
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
        archived: record::archive_of(view),
        status: filter::any(view, "status"),
        owner: filter::any_name(view, "owner"),
        regime: filter::any(view, "regime"),
        result: filter::any_or_unset(view, "result"),
        open: view.query("open").filter(|word| word == "true").map(|_| true),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
        ..IncidentFilter::default()
    }
}

impl Exported for Incident {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        Ok(workspace
            .app
            .report
            .incidents_file(visit.caller(), filter_of(visit), filter::reading(visit), format, visit.language)
            .await?)
    }
}

impl RecordList for Incident {
    const LIST_TEXTS: ListTexts = ListTexts {
        intro: texts::INTRO,
        one: texts::ONE,
        many: texts::MANY,
        empty: (texts::EMPTY, texts::EMPTY_HELP),
    };

    fn filter(_: &Workspace, view: &View) -> Result<IncidentFilter, PageError> {
        Ok(filter_of(view))
    }

    fn everything(_: &Workspace) -> Self::Filter {
        IncidentFilter { archived: Archived::All, ..IncidentFilter::default() }
    }

    async fn filters(_: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        let open = [Choice::new("true", visit.t(texts::NOT_CLOSED))];
        Ok(vec![
            filter::any_words::<IncidentStatus>(visit, "status", Incident::STATUS.label),
            filter::choice(visit, "open", texts::HANDLING, &open),
            filter::any_words::<Regime>(visit, "regime", texts::REGIME),
            filter::any_words_or_unset::<Outcome>(visit, "result", Incident::CLASSIFICATION.label),
            filter::any_person(visit, "owner", Incident::OWNER.label),
            filter::order::<IncidentSort>(visit),
            record::archive_filter(visit),
        ])
    }

    async fn actions(_: &Workspace, visit: &Visit, _: u64) -> Result<Markup, PageError> {
        Ok(html! {
            (ui::link_button(&format!("{}/statistics", route::INCIDENTS), visit.t(texts::STATISTICS), false))
            @if visit.caller().require_import(Resource::Incidents).is_ok() {
                (ui::link_button(route::IMPORT_INCIDENTS, visit.t(texts::IMPORT), false))
            }
            (new_button::<Self>(visit))
        })
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::INCIDENT)),
            Column::tight(view.t(Incident::CLASSIFICATION.label)).key("result"),
            Column::tight(view.t(Incident::STATUS.label)).key("status"),
            Column::person(view.t(Incident::OWNER.label)).key("owner"),
            Column::tight(view.t(Incident::DETECTED.label)).key("detected"),
            Column::text(view.t(Incident::NEXT_DUE.label)).key("next_due"),
        ]
    }

    fn cells(view: &View, incident: &IncidentView) -> Vec<Markup> {
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
            view.person(record.owner.as_ref()),
            view.time(record.times.detected_at),
            clock::next(view, incident),
        ]
    }
}
