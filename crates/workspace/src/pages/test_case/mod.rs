//! Test cases: the list with its filters.

mod detail;
mod form;

use app::test_case::{TestCase, TestCaseFilter};
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use domain::{
    id::TestCaseId,
    sort::TestCaseSort,
    test_case::{TestCase as Record, TestCaseStatus},
    test_type::TestType,
};
use maud::{Markup, html};

use super::record;
use crate::{
    Workspace,
    respond::{self, Answer},
    route,
    texts::{common, count, record as shared, test_case as texts},
    ui::{
        self,
        badge::badge,
        field::Choice,
        filter,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
    visit::{View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::TEST_CASES, get(list).post(form::create))
        .route(&format!("{}/new", route::TEST_CASES), get(form::ask))
        .route(&format!("{}/{{id}}", route::TEST_CASES), get(detail::show).post(form::change))
        .route(&format!("{}/{{id}}/edit", route::TEST_CASES), get(form::edit))
        .route(&format!("{}/{{id}}/move", route::TEST_CASES), post(detail::make_move))
        .route(&format!("{}/{{id}}/delete", route::TEST_CASES), post(detail::delete))
        .route(&format!("{}/{{id}}/archive", route::TEST_CASES), post(detail::archive))
        .route(&format!("{}/{{id}}/restore", route::TEST_CASES), post(detail::restore))
}

pub(super) fn address_of(id: TestCaseId) -> String {
    format!("{}/{id}", route::TEST_CASES)
}

pub(crate) fn filter_of(view: &View) -> TestCaseFilter {
    TestCaseFilter {
        archive: record::archive_of(view),
        status: filter::word(view, "status"),
        test_type: filter::word(view, "test_type"),
        programme: view.query("programme_id").and_then(|id| id.parse().ok()),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
        ..TestCaseFilter::default()
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = filter_of(&visit);
    let page = workspace.app.records::<Record>(visit.caller(), &filter, requested(&visit)).await?;
    let programmes = record::programme_choices(&workspace.app, visit.caller()).await?;
    let t = |label| visit.t(label);
    let actions = html! {
        (filter::exports(&visit, &[("pdf", "PDF"), ("csv", "CSV")]))
        @if visit.caller().may_write_records() && !programmes.is_empty() {
            (ui::link_button(&format!("{}/new", route::TEST_CASES), t(texts::NEW), true))
        }
    };
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(actions)))
        (ui::notice::done(&visit, &record::DONE))
        (filters(&visit, &programmes))
        @if page.items.is_empty() {
            (record::nothing(&visit, filter != TestCaseFilter::default(), (texts::EMPTY, texts::EMPTY_HELP)))
        } @else {
            (counted(&visit, page.total, count::TEST_CASE, count::TEST_CASES))
            (test_case_table(&visit, &page.items))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn filters(view: &View, programmes: &[Choice]) -> Markup {
    filter::bar(
        view,
        &[
            filter::words::<TestCaseStatus>(view, "status", common::STATUS),
            filter::words::<TestType>(view, "test_type", texts::TYPE),
            filter::choice(view, "programme_id", shared::PROGRAMME, programmes),
            record::archive_filter(view),
            filter::order::<TestCaseSort>(view),
        ],
    )
}

/// On the page of their programme.
pub(super) fn short_table(view: &View, test_cases: &[TestCase]) -> Markup {
    let columns = [
        Column::text(view.t(texts::TEST_CASE)),
        Column::tight(view.t(common::STATUS)),
        Column::tight(view.t(shared::DUE_ON)),
        Column::tight(view.t(texts::FINDINGS)),
    ];
    let shortened = |test_case| {
        let [name, _, status, _, due, findings] = cells(view, test_case);
        vec![name, status, due, findings]
    };
    let rows: Vec<_> = test_cases.iter().map(shortened).collect();
    table(view.t(texts::TITLE), &columns, &rows)
}

fn test_case_table(view: &View, test_cases: &[TestCase]) -> Markup {
    let columns = [
        Column::text(view.t(texts::TEST_CASE)),
        Column::tight(view.t(texts::PRIORITY)),
        Column::tight(view.t(common::STATUS)),
        Column::text(view.t(texts::ASSIGNEE)),
        Column::tight(view.t(shared::DUE_ON)),
        Column::tight(view.t(texts::FINDINGS)),
    ];
    let rows: Vec<_> = test_cases.iter().map(|test_case| cells(view, test_case).into()).collect();
    table(view.t(texts::TITLE), &columns, &rows)
}

fn cells(view: &View, test_case: &TestCase) -> [Markup; 6] {
    let record = &test_case.row.record;
    [
        html! {
            a href=(address_of(test_case.row.id)) { (record.title.as_str()) }
            br;
            span.quiet { (view.t(record.test_type.label())) }
        },
        record::priority_badge(view, record.priority),
        html! {
            (badge(record::test_case_tone(record.status), view.t(record.status.label())))
            @if test_case.row.archived_at.is_some() {
                br; (badge(ui::badge::Tone::Muted, view.t(shared::ARCHIVED)))
            }
        },
        view.or_none(record.assignee.as_ref()),
        due(view, test_case),
        html! {
            (view.fill(shared::COUNT_OPEN,
                &[("open", &test_case.findings.open()), ("total", &test_case.findings.total())]))
        },
    ]
}

pub(super) fn due(view: &View, test_case: &TestCase) -> Markup {
    let record = &test_case.row.record;
    let late = record.status.is_pending() && record.due_on.is_some_and(|due| due < view.now.day());
    html! {
        span.late[late] { (view.day_or_none(record.due_on)) }
        @if late { br; (badge(ui::badge::Tone::Critical, view.t(shared::OVERDUE))) }
    }
}
