//! Reports under CRA Art. 14: the list with the next due stage.

mod archive;
mod content;
mod detail;
mod filing;
mod form;
mod stage;

use app::{
    cra_report::{CraReportFilter, CraReportView},
    report::{File, Format},
};
use axum::{
    Router,
    routing::{get, post},
};
use domain::{
    archive::Archived,
    cra_report::{CraReport, CraReportKind, CraReportSort, CraReportStatus},
    id::CraReportId,
    right::{Resource, Right},
};
use maud::{Markup, html};

pub(super) use self::stage::{countdown, in_short, next};
use super::{
    file::{self, Exported},
    record::{
        self,
        list::{ListTexts, RecordList, list},
    },
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    route,
    texts::{cra_report as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .merge(record::form::router::<CraReport>())
        .merge(record::archive::router::<CraReport>())
        .route(route::CRA_REPORTS, get(list::<CraReport>))
        .route(&format!("{}/{{id}}", route::CRA_REPORTS), get(record::form::show::<CraReport>))
        .route(&format!("{}/{{id}}/move", route::CRA_REPORTS), post(filing::make_move))
        .route(&format!("{}/{{id}}/contents", route::CRA_REPORTS), post(content::save))
        .route(&format!("{}/{{id}}/correct", route::CRA_REPORTS), post(filing::correct))
        .route(&format!("{}/{{id}}/{{stage}}", route::CRA_REPORTS), get(stage::pdf))
        .merge(record::bulk::router::<CraReport, _>(list::<CraReport>))
        .merge(file::router::<CraReport>(route::CRA_REPORTS))
        .merge(record::import::router::<CraReport>())
}

pub(super) const FOUND: Found =
    Found { name: texts::REPORT, badge: |view, word| record::status_badge(view, word, tone) };

pub(super) fn address_of(id: CraReportId) -> String {
    format!("{}/{id}", route::CRA_REPORTS)
}

fn report_id(id: &str) -> Result<CraReportId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

pub(super) fn tone(status: CraReportStatus) -> Tone {
    status.tone()
}

fn filter_of(view: &View) -> CraReportFilter {
    CraReportFilter {
        status: filter::any(view, "status"),
        kind: filter::any(view, "kind"),
        owner: filter::any_name(view, "owner"),
        archived: record::archive_of(view),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for CraReport {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        Ok(workspace
            .app
            .report
            .cra_reports_file(
                visit.caller(),
                &filter_of(visit),
                filter::reading(visit),
                format,
                visit.language,
            )
            .await?)
    }
}

impl RecordList for CraReport {
    const IMPORT: bool = true;
    const LIST_TEXTS: ListTexts = ListTexts {
        intro: texts::INTRO,
        one: texts::ONE,
        many: texts::MANY,
        empty: (texts::EMPTY, texts::EMPTY_HELP),
    };

    fn filter(_: &Workspace, view: &View) -> Result<CraReportFilter, PageError> {
        Ok(filter_of(view))
    }

    fn everything(_: &Workspace) -> Self::Filter {
        CraReportFilter { archived: Archived::All, ..CraReportFilter::default() }
    }

    async fn filters(_: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        Ok(vec![
            filter::any_words::<CraReportStatus>(visit, "status", CraReport::STATUS.label),
            filter::any_words::<CraReportKind>(visit, "kind", CraReport::KIND.label),
            filter::any_person(visit, "owner", CraReport::OWNER.label),
            record::archive_filter(visit),
            filter::order::<CraReportSort>(visit),
        ])
    }

    async fn actions(_: &Workspace, visit: &Visit, _: u64) -> Result<Markup, PageError> {
        Ok(html! {
            @if visit.may(Resource::CraReports, Right::Write) {
                (ui::link_button(&format!("{}/new", route::CRA_REPORTS), visit.t(texts::NEW), true))
            }
        })
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::REPORT)),
            Column::tight(view.t(CraReport::SEVERITY.label)).key("severity"),
            Column::tight(view.t(CraReport::STATUS.label)).key("status"),
            Column::person(view.t(CraReport::OWNER.label)).key("owner"),
            Column::text(view.t(texts::NEXT_DUE)).key("next_due"),
        ]
    }

    fn cells(view: &View, report: &CraReportView) -> Vec<Markup> {
        let record = &report.row.record;
        vec![
            html! {
                a href=(address_of(report.row.id)) { (record.title.as_str()) }
                br;
                span.quiet { (product(report)) " · " (view.t(record.kind.label())) }
            },
            record::severity_badge(view, record.severity),
            html! {
                (badge(tone(record.status), view.t(record.status.label())))
                @if report.row.archived_at.is_some() { br; (badge(Tone::Muted, view.t(shared::ARCHIVED))) }
            },
            view.person(record.owner.as_ref()),
            next(view, report),
        ]
    }
}

fn product(report: &CraReportView) -> String {
    let product = &report.row.record.product;
    match &product.version {
        Some(version) => format!("{} {version}", product.name),
        None => product.name.to_string(),
    }
}
