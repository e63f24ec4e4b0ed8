//! Programmes: the list with its filters.

mod detail;
mod form;

use app::{
    programme::{ProgrammeFilter, ProgrammeView},
    report::{File, Format},
};
use axum::{
    Router,
    routing::{get, post},
};
use domain::{
    any_of::AnyOf,
    archive::Archived,
    id::ProgrammeId,
    moment::Day,
    programme::{Programme, ProgrammeSort, ProgrammeStatus},
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record::{
        self,
        list::{ListTexts, RecordList},
    },
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    route,
    texts::{programme as texts, record as shared},
    ui::{badge::badge, filter, table::Column},
};

pub(crate) fn router() -> Router<Workspace> {
    record::form::router::<Programme>()
        .merge(record::archive::router::<Programme>())
        .route(route::PROGRAMMES, get(record::list::list::<Programme>))
        .route(&format!("{}/{{id}}", route::PROGRAMMES), get(detail::show))
        .route(&format!("{}/{{id}}/move", route::PROGRAMMES), post(record::form::step::<Programme>))
        .merge(record::bulk::router::<Programme, _>(record::list::list::<Programme>))
        .merge(file::router::<Programme>(route::PROGRAMMES))
        .merge(record::import::router::<Programme>())
}

pub(super) const FOUND: Found = Found { name: shared::PROGRAMME, badge: record::programme_badge };

pub(super) fn address_of(id: ProgrammeId) -> String {
    format!("{}/{id}", route::PROGRAMMES)
}

fn filter_of(view: &View) -> ProgrammeFilter {
    let status: AnyOf<ProgrammeStatus> = filter::any(view, "status");
    // A reader who asks for this status means the archive, too.
    let wants_archived = status.values().contains(&ProgrammeStatus::Archived);
    ProgrammeFilter {
        archived: if wants_archived { None } else { record::archive_of(view).wanted() },
        status,
        framework: filter::any_framework(view),
        owner: filter::any_name(view, "owner"),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for Programme {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        Ok(workspace
            .app
            .report
            .list_file::<Programme>(
                visit.caller(),
                &filter_of(visit),
                filter::reading(visit),
                format,
                visit.language,
            )
            .await?)
    }
}

impl RecordList for Programme {
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

    fn no_filter(_: &Workspace) -> Self::Filter {
        ProgrammeFilter { archived: Archived::default().wanted(), ..ProgrammeFilter::default() }
    }

    fn everything(_: &Workspace) -> Self::Filter {
        ProgrammeFilter::default()
    }

    async fn filters(workspace: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        Ok(vec![
            filter::any_words::<ProgrammeStatus>(visit, "status", Programme::STATUS.label),
            filter::any_frameworks(visit, &*workspace.app.edition_of(visit.caller()).await?),
            filter::any_person(visit, "owner", Programme::OWNER.label),
            filter::order::<ProgrammeSort>(visit),
            record::archive_filter(visit),
        ])
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::PROGRAMME)),
            Column::tight(view.t(Programme::STATUS.label)).key("status"),
            Column::tight(view.t(texts::PERIOD)).key("period"),
            Column::person(view.t(Programme::OWNER.label)).key("owner"),
            Column::number(view.t(Programme::TEST_CASES.label)).key("test_cases"),
            Column::tight(view.t(Programme::FINDINGS.label)).key("findings"),
        ]
    }

    fn cells(view: &View, programme: &ProgrammeView) -> Vec<Markup> {
        let record = &programme.row.record;
        vec![
            html! {
                a href=(address_of(programme.row.id)) { (record.name.as_str()) }
                br;
                span.quiet { (record.framework.name()) }
            },
            badge(record::programme_tone(record.status), view.t(record.status.label())),
            period(view, record.starts_on, record.ends_on),
            view.person(record.owner.as_ref()),
            html! { (programme.test_cases.total()) },
            html! {
                (view.fill(shared::COUNT_OPEN,
                    &[("open", &programme.findings.open()), ("total", &programme.findings.total())]))
            },
        ]
    }
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

/// How many tests name no function, if there are any: they count for no function's coverage.
pub(super) fn unnamed_tests(view: &View, count: u64) -> Markup {
    html! {
        @match count {
            0 => {}
            1 => p.hint { (view.t(texts::UNNAMED_ONE)) }
            _ => p.hint { (view.fill(texts::UNNAMED, &[("count", &count)])) }
        }
    }
}
