//! Drill runs: the list, and the way into one.

mod course;
mod detail;
mod form;
mod result;

use app::{
    drill_run::{DrillRunFilter, DrillRunView},
    report::{File, Format},
};
use axum::{
    Router,
    routing::{get, post},
};
use domain::{
    drill_run::{DrillRun, DrillRunSort, DrillRunStatus, PRACTICE},
    id::DrillRunId,
    wording::Label,
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record::{
        self,
        form::step,
        list::{ListTexts, RecordList, list, new_button},
    },
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    route,
    texts::{common, drill_run as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let one = format!("{}/{{id}}", route::DRILL_RUNS);
    Router::new()
        .merge(record::form::router::<DrillRun>())
        .route(route::DRILL_RUNS, get(list::<DrillRun>))
        .route(&one, get(detail::show))
        .route(&format!("{one}/move"), post(step::<DrillRun>))
        .route(&format!("{one}/start"), post(detail::start))
        .route(&format!("{one}/finish"), post(detail::finish))
        .route(&format!("{one}/steps/{{number}}/done"), post(course::step_done))
        .route(&format!("{one}/decisions"), post(course::decide))
        .route(&format!("{one}/classification"), post(course::classify))
        .route(&format!("{one}/reports"), post(course::report))
        .route(&format!("{one}/criteria/{{number}}"), post(course::criterion))
        .merge(record::bulk::router::<DrillRun, _>(list::<DrillRun>))
        .merge(file::router::<DrillRun>(route::DRILL_RUNS))
        .merge(record::import::router::<DrillRun>())
}

pub(super) const FOUND: Found =
    Found { name: texts::DRILL_RUN, badge: |view, word| record::status_badge(view, word, tone) };

pub(super) fn address_of(id: DrillRunId) -> String {
    format!("{}/{id}", route::DRILL_RUNS)
}

fn run_id(id: &str) -> Result<DrillRunId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

pub(super) fn tone(status: DrillRunStatus) -> Tone {
    status.tone()
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
        status: filter::any(view, "status"),
        scenario: view.query("scenario").filter(|text| !text.trim().is_empty()),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for DrillRun {
    const FILES: &'static [(&'static str, &'static str)] = &filter::TABLES;

    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        Ok(workspace
            .app
            .report
            .drill_runs_file(visit.caller(), &filter_of(visit), filter::reading(visit), file::rows(format))
            .await?)
    }
}

impl RecordList for DrillRun {
    const IMPORT: bool = true;
    const LIST_TEXTS: ListTexts = ListTexts {
        intro: texts::INTRO,
        one: texts::ONE,
        many: texts::MANY,
        empty: (texts::EMPTY, texts::EMPTY_HELP),
    };
    const DONE: &'static [(&'static str, Label)] = &DONE;

    fn filter(_: &Workspace, view: &View) -> Result<DrillRunFilter, PageError> {
        Ok(filter_of(view))
    }

    async fn filters(_: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        Ok(vec![
            filter::any_words::<DrillRunStatus>(visit, "status", DrillRun::STATUS.label),
            filter::order::<DrillRunSort>(visit),
        ])
    }

    async fn actions(_: &Workspace, visit: &Visit, _: u64) -> Result<Markup, PageError> {
        Ok(html! {
            (ui::link_button(route::DRILLS, visit.t(common::DRILLS), false))
            (new_button::<Self>(visit))
        })
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::DRILL_RUN)),
            Column::tight(view.t(DrillRun::STATUS.label)).key("status"),
            Column::tight(view.t(DrillRun::PLANNED_FOR.label)).key("planned_for"),
            Column::tight(view.t(DrillRun::SCORE.label)).key("score"),
        ]
    }

    fn cells(view: &View, run: &DrillRunView) -> Vec<Markup> {
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
}

/// The notice above every page of a run, on screen and in print.
fn practice(view: &View, record: &DrillRun) -> Markup {
    let help = view.fill(texts::PRACTICE_HELP, &[("reference", &record.reference)]);
    html! {
        (ui::notice::notice(Tone::Warning, view.t(PRACTICE), &html! { p { (help) } }))
        p.practice-mark aria-hidden="true" { (view.t(PRACTICE)) }
    }
}
