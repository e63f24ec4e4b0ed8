//! Test cases: the list with its filters.

mod detail;
mod form;

use app::{
    report::{File, Format},
    test_case::{TestCaseFilter, TestCaseView},
};
use axum::{
    Router,
    routing::{get, post},
};
use domain::{
    archive::Archived,
    id::TestCaseId,
    test_case::{TestCase, TestCaseSort, TestCaseStatus},
    test_type::TestType,
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record::{
        self,
        list::{ListTexts, RecordList, new_button},
    },
    requirements,
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    route,
    texts::{common, record as shared, test_case as texts},
    ui::{
        self,
        badge::badge,
        filter,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    record::form::router::<TestCase>()
        .route(route::TEST_CASES, get(record::list::list::<TestCase>))
        .route(&format!("{}/{{id}}", route::TEST_CASES), get(detail::show))
        .route(&format!("{}/{{id}}/move", route::TEST_CASES), post(record::form::step::<TestCase>))
        .merge(record::archive::router::<TestCase>())
        .merge(record::bulk::router::<TestCase, _>(record::list::list::<TestCase>))
        .merge(file::router::<TestCase>(route::TEST_CASES))
        .merge(record::import::router::<TestCase>())
}

pub(super) const FOUND: Found = Found { name: shared::TEST_CASE, badge: record::test_case_badge };

pub(super) fn address_of(id: TestCaseId) -> String {
    format!("{}/{id}", route::TEST_CASES)
}

fn filter_of(view: &View) -> TestCaseFilter {
    TestCaseFilter {
        archive: record::archive_of(view),
        status: filter::any(view, "status"),
        test_type: filter::any(view, "test_type"),
        programme: filter::any_id(view, "programme_id"),
        assignee: filter::any_name(view, "assignee"),
        due_before: filter::any_day(view, "due_before"),
        keys: None,
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for TestCase {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        let filter = TestCaseFilter { keys: requirements::keys(workspace, visit).await?, ..filter_of(visit) };
        Ok(workspace
            .app
            .report
            .test_cases_file(visit.caller(), &filter, filter::reading(visit), format, visit.language)
            .await?)
    }
}

impl RecordList for TestCase {
    const IMPORT: bool = true;
    const LIST_TEXTS: ListTexts = ListTexts {
        intro: texts::INTRO,
        one: texts::ONE,
        many: texts::MANY,
        empty: (texts::EMPTY, texts::EMPTY_HELP),
    };

    fn filter(_: &Workspace, view: &View) -> Result<Self::Filter, PageError> {
        Ok(filter_of(view))
    }

    async fn by_framework(
        workspace: &Workspace,
        visit: &Visit,
        filter: &mut Self::Filter,
    ) -> Result<(), PageError> {
        filter.keys = requirements::keys(workspace, visit).await?;
        Ok(())
    }

    fn everything(_: &Workspace) -> Self::Filter {
        TestCaseFilter { archive: Archived::All, ..TestCaseFilter::default() }
    }

    async fn filters(workspace: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        let programmes = record::programme_choices(&workspace.app, visit.caller()).await?;
        let mut filters = vec![
            filter::any_words::<TestCaseStatus>(visit, "status", TestCase::STATUS.label),
            filter::any_words::<TestType>(visit, "test_type", TestCase::TYPE.label),
            filter::any_choice(visit, "programme_id", TestCase::PROGRAMME.label, &programmes),
            filter::any_person(visit, "assignee", TestCase::ASSIGNEE.label),
            filter::before(visit, "due_before", shared::DUE_BEFORE),
            record::archive_filter(visit),
            filter::order::<TestCaseSort>(visit),
        ];
        filters.extend(requirements::filter(workspace, visit).await?);
        Ok(filters)
    }

    /// A test case belongs to a programme, so there must be one first.
    async fn actions(workspace: &Workspace, visit: &Visit, _: u64) -> Result<Markup, PageError> {
        let programmes = record::programme_choices(&workspace.app, visit.caller()).await?;
        Ok(if programmes.is_empty() {
            ui::link_button(route::PROGRAMMES, visit.t(common::PROGRAMMES), false)
        } else {
            new_button::<Self>(visit)
        })
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::TEST_CASE)),
            Column::tight(view.t(TestCase::PRIORITY.label)).key("priority"),
            Column::tight(view.t(TestCase::STATUS.label)).key("status"),
            Column::person(view.t(TestCase::ASSIGNEE.label)).key("assignee"),
            Column::tight(view.t(TestCase::DUE_ON.label)).key("due_on"),
            Column::tight(view.t(TestCase::FINDINGS.label)).key("findings"),
        ]
    }

    fn cells(view: &View, test_case: &TestCaseView) -> Vec<Markup> {
        cells(view, test_case).into()
    }
}

/// On the page of their programme.
pub(super) fn short_table(view: &View, test_cases: &[TestCaseView]) -> Markup {
    let columns = [
        Column::text(view.t(texts::TEST_CASE)),
        Column::tight(view.t(TestCase::STATUS.label)),
        Column::tight(view.t(TestCase::DUE_ON.label)),
        Column::tight(view.t(TestCase::FINDINGS.label)),
    ];
    let shortened = |test_case| {
        let [name, _, status, _, due, findings] = cells(view, test_case);
        vec![name, status, due, findings]
    };
    let rows: Vec<_> = test_cases.iter().map(shortened).collect();
    table(view.t(texts::TITLE), &columns, &rows)
}

fn cells(view: &View, test_case: &TestCaseView) -> [Markup; 6] {
    let record = &test_case.row.record;
    [
        html! {
            a href=(address_of(test_case.row.id)) { (record.title.as_str()) }
            br;
            span.quiet {
                (view.t(record.test_type.label()))
                @for name in &record.functions { " · " (name.as_str()) }
            }
        },
        record::priority_badge(view, record.priority),
        html! {
            (badge(record::test_case_tone(record.status), view.t(record.status.label())))
            @if test_case.row.archived_at.is_some() {
                br; (badge(ui::badge::Tone::Muted, view.t(shared::ARCHIVED)))
            }
        },
        view.person(record.assignee.as_ref()),
        due(view, test_case),
        html! {
            (view.fill(shared::COUNT_OPEN,
                &[("open", &test_case.findings.open()), ("total", &test_case.findings.total())]))
        },
    ]
}

pub(super) fn due(view: &View, test_case: &TestCaseView) -> Markup {
    let record = &test_case.row.record;
    let late = record.status.is_pending() && record.due_on.is_some_and(|due| due < view.now.day());
    html! {
        span.late[late] { (view.day_or_none(record.due_on)) }
        @if late { br; (badge(ui::badge::Tone::Critical, view.t(shared::OVERDUE))) }
    }
}
