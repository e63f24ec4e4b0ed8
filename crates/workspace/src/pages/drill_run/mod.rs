//! Drill runs: the list, and the way into one.

mod course;
mod detail;
mod form;
mod result;

use app::{
    drill_run::{DrillRun, DrillRunFilter},
    report::{File, Format},
    search::HitKind,
};
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use domain::{
    drill_run::{DrillRun as Record, DrillRunSort, DrillRunStatus, PRACTICE},
    id::DrillRunId,
    wording::Label,
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record,
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{common, drill_run as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let one = format!("{}/{{id}}", route::DRILL_RUNS);
    Router::new()
        .route(route::DRILL_RUNS, get(list).post(form::create))
        .route(route::NEW_DRILL_RUN, get(form::ask))
        .route(&one, get(detail::show).post(form::change))
        .route(&format!("{one}/edit"), get(form::edit))
        .route(&format!("{one}/move"), post(detail::make_move))
        .route(&format!("{one}/delete"), post(detail::delete))
        .route(&format!("{one}/start"), post(detail::start))
        .route(&format!("{one}/finish"), post(detail::finish))
        .route(&format!("{one}/steps/{{number}}/done"), post(course::step_done))
        .route(&format!("{one}/decisions"), post(course::decide))
        .route(&format!("{one}/classification"), post(course::classify))
        .route(&format!("{one}/reports"), post(course::report))
        .route(&format!("{one}/criteria/{{number}}"), post(course::criterion))
        .merge(file::router::<Record>(route::DRILL_RUNS))
}

pub(super) const FOUND: Found = Found {
    kind: HitKind::DrillRun,
    name: texts::DRILL_RUN,
    address: route::DRILL_RUNS,
    badge: |view, word| record::status_badge(view, word, tone),
};

pub(super) fn address_of(id: DrillRunId) -> String {
    format!("{}/{id}", route::DRILL_RUNS)
}

fn run_id(id: &str) -> Result<DrillRunId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

pub(super) fn tone(status: DrillRunStatus) -> Tone {
    match status {
        DrillRunStatus::Planned => Tone::Notice,
        DrillRunStatus::Running => Tone::Running,
        DrillRunStatus::Finished => Tone::Good,
        DrillRunStatus::Cancelled => Tone::Muted,
    }
}

const DONE: [(&str, Label); 7] = [
    ("created", shared::WAS_CREATED),
    ("changed", shared::WAS_CHANGED),
    ("moved", shared::WAS_MOVED),
    ("deleted", shared::WAS_DELETED),
    ("started", texts::WAS_STARTED),
    ("saved", texts::WAS_SAVED),
    ("finished", texts::WAS_FINISHED),
];

fn filter_of(view: &View) -> DrillRunFilter {
    DrillRunFilter {
        status: filter::word(view, "status"),
        scenario: view.query("scenario").filter(|text| !text.trim().is_empty()),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for Record {
    const FILES: &'static [(&'static str, &'static str)] = &filter::TABLES;

    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        Ok(workspace.app.drill_runs_file(visit.caller(), &filter_of(visit), file::rows(format)).await?)
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = filter_of(&visit);
    let page = workspace.app.records::<Record>(visit.caller(), &filter, requested(&visit)).await?;
    let t = |label| visit.t(label);
    let actions = html! {
        (filter::exports(&visit, &filter::TABLES))
        (ui::link_button(route::DRILLS, t(common::DRILLS), false))
        @if visit.caller().may_write_records() {
            (ui::link_button(route::NEW_DRILL_RUN, t(texts::NEW), true))
        }
    };
    let columns = [
        Column::text(t(texts::DRILL_RUN)),
        Column::tight(t(common::STATUS)),
        Column::tight(t(texts::PLANNED_FOR)),
        Column::tight(t(texts::SCORE)),
    ];
    let rows: Vec<_> = page.items.iter().map(|run| cells(&visit, run)).collect();
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(actions)))
        (ui::notice::done(&visit, &DONE))
        (filter::bar(&visit, &[
            filter::words::<DrillRunStatus>(&visit, "status", common::STATUS),
            filter::order::<DrillRunSort>(&visit),
        ]))
        @if page.items.is_empty() {
            (record::nothing(&visit, filter != DrillRunFilter::default(), (texts::EMPTY, texts::EMPTY_HELP)))
        } @else {
            (counted(&visit, page.total, texts::ONE, texts::MANY))
            (table(t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn cells(view: &View, run: &DrillRun) -> Vec<Markup> {
    let record = &run.row.record;
    let scenario = run.scenario().map(|drill| drill.title.get(view.language));
    vec![
        html! {
            a href=(address_of(run.row.id)) { (record.title.as_str()) }
            br;
            span.quiet { (record.reference) @if let Some(title) = scenario { " · " (title) } }
        },
        badge(tone(record.status), view.t(record.status.label())),
        html! { (view.day(record.planned_for)) },
        view.or_none(record.outcome.map(|outcome| outcome.score.to_string())),
    ]
}

/// The notice above every page of a run, on screen and in print.
fn practice(view: &View, record: &Record) -> Markup {
    let help = view.fill(texts::PRACTICE_HELP, &[("reference", &record.reference)]);
    html! {
        (ui::notice::notice(Tone::Warning, view.t(PRACTICE), &html! { p { (help) } }))
        p.practice-mark aria-hidden="true" { (view.t(PRACTICE)) }
    }
}
