//! Programmes: the list with its filters.

mod detail;
mod form;

use app::programme::{Programme, ProgrammeFilter};
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use domain::{
    id::ProgrammeId,
    moment::Day,
    programme::{Programme as Record, ProgrammeStatus},
    sort::ProgrammeSort,
};
use maud::{Markup, html};

use super::{record, reference};
use crate::{
    Workspace,
    respond::{self, Answer},
    route,
    texts::{common, count, programme as texts, record as shared},
    ui::{
        self,
        badge::badge,
        filter,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
    visit::{View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::PROGRAMMES, get(list).post(form::create))
        .route(&format!("{}/new", route::PROGRAMMES), get(form::ask))
        .route(&format!("{}/{{id}}", route::PROGRAMMES), get(detail::show).post(form::change))
        .route(&format!("{}/{{id}}/edit", route::PROGRAMMES), get(form::edit))
        .route(&format!("{}/{{id}}/move", route::PROGRAMMES), post(detail::make_move))
        .route(&format!("{}/{{id}}/delete", route::PROGRAMMES), post(detail::delete))
}

pub(super) fn address_of(id: ProgrammeId) -> String {
    format!("{}/{id}", route::PROGRAMMES)
}

pub(crate) fn filter_of(view: &View) -> ProgrammeFilter {
    ProgrammeFilter {
        status: filter::word(view, "status"),
        framework: filter::framework(view),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
        ..ProgrammeFilter::default()
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = filter_of(&visit);
    let page = workspace.app.records::<Record>(visit.caller(), &filter, requested(&visit)).await?;
    let t = |label| visit.t(label);
    let actions = html! {
        (filter::exports(&visit, &[("pdf", "PDF"), ("csv", "CSV")]))
        @if visit.caller().may_write_records() {
            (ui::link_button(&format!("{}/new", route::PROGRAMMES), t(texts::NEW), true))
        }
    };
    let columns = [
        Column::text(t(texts::PROGRAMME)),
        Column::tight(t(common::STATUS)),
        Column::tight(t(texts::PERIOD)),
        Column::text(t(shared::OWNER)),
        Column::number(t(texts::TEST_CASES)),
        Column::tight(t(texts::FINDINGS)),
    ];
    let rows: Vec<_> = page.items.iter().map(|programme| cells(&visit, programme)).collect();
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(actions)))
        (ui::notice::done(&visit, &record::DONE))
        (filter::bar(&visit, &[
            filter::words::<ProgrammeStatus>(&visit, "status", common::STATUS),
            filter::frameworks(&visit, &*reference::edition(&workspace)?),
            filter::order::<ProgrammeSort>(&visit),
        ]))
        @if page.items.is_empty() {
            (record::nothing(&visit, filter != ProgrammeFilter::default(), (texts::EMPTY, texts::EMPTY_HELP)))
        } @else {
            (counted(&visit, page.total, count::PROGRAMME, count::PROGRAMMES))
            (table(t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn cells(view: &View, programme: &Programme) -> Vec<Markup> {
    let record = &programme.row.record;
    vec![
        html! {
            a href=(address_of(programme.row.id)) { (record.name.as_str()) }
            br;
            span.quiet { (record.framework.name()) }
        },
        badge(record::programme_tone(record.status), view.t(record.status.label())),
        period(view, record.starts_on, record.ends_on),
        view.or_none(record.owner.as_ref()),
        html! { (programme.test_cases.total()) },
        html! {
            (view.fill(shared::COUNT_OPEN,
                &[("open", &programme.findings.open()), ("total", &programme.findings.total())]))
        },
    ]
}

pub(super) fn period(view: &View, starts_on: Option<Day>, ends_on: Option<Day>) -> Markup {
    html! {
        @if starts_on.is_none() && ends_on.is_none() { (view.day_or_none(None)) }
        @else {
            @if let Some(day) = starts_on { (view.day(day)) }
            " – "
            @if let Some(day) = ends_on { (view.day(day)) }
        }
    }
}
