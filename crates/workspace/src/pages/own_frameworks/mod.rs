//! Frameworks of the institution's own: the list, and where everything about one lies.

mod detail;
mod form;
mod import;
mod requirement;

use app::{
    own_framework::{Content, OwnFrameworkFilter, OwnFrameworkFormat, OwnFrameworkRow},
    report::{File, Format},
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    archive::Archived,
    id::OwnFrameworkId,
    own_framework::{OwnFramework, OwnFrameworkStatus},
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
    respond::Answer,
    route,
    texts::{common, own_framework as texts},
    ui::{
        badge::{Tone, badge},
        filter,
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let below = |rest: &str| format!("{}/{{id}}{rest}", route::OWN_FRAMEWORKS);
    record::form::router::<OwnFramework>()
        .merge(record::archive::router::<OwnFramework>())
        .route(route::OWN_FRAMEWORKS, get(record::list::list::<OwnFramework>))
        .route(&below(""), get(record::form::show::<OwnFramework>))
        .route(&below("/move"), post(record::form::step::<OwnFramework>))
        .route(&below("/import"), get(import::ask).post(import::take))
        .route(&below("/requirements.xlsx"), get(workbook))
        .route(&below("/oscal.json"), get(oscal))
        .route(&below("/requirements/new"), get(requirement::ask).post(requirement::create))
        .route(&below("/requirements/{requirement}"), get(requirement::edit).post(requirement::change))
        .route(&below("/requirements/{requirement}/delete"), post(requirement::remove))
        .merge(record::bulk::router::<OwnFramework, _>(record::list::list::<OwnFramework>))
        .merge(file::router::<OwnFramework>(route::OWN_FRAMEWORKS))
        .merge(record::import::router::<OwnFramework>())
}

pub(super) const FOUND: Found =
    Found { name: texts::OWN_FRAMEWORK, badge: |view, word| record::status_badge(view, word, tone) };

fn address_of(id: OwnFrameworkId) -> String {
    format!("{}/{id}", route::OWN_FRAMEWORKS)
}

fn filter_of(view: &View) -> OwnFrameworkFilter {
    OwnFrameworkFilter {
        archived: record::archive_of(view),
        status: filter::any(view, "status"),
        owner: filter::any_name(view, "owner"),
        search: filter::search(view),
    }
}

pub(super) fn tone(status: OwnFrameworkStatus) -> Tone {
    match status {
        OwnFrameworkStatus::Draft => Tone::Notice,
        OwnFrameworkStatus::Approved => Tone::Good,
        OwnFrameworkStatus::Retired => Tone::Muted,
    }
}

impl Exported for OwnFramework {
    const FILES: &'static [(&'static str, &'static str)] = &filter::TABLES;

    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        Ok(workspace
            .app
            .report
            .own_frameworks_file(
                visit.caller(),
                &filter_of(visit),
                filter::reading(visit),
                file::rows(format),
            )
            .await?)
    }
}

impl RecordList for OwnFramework {
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

    fn everything(_: &Workspace) -> Self::Filter {
        OwnFrameworkFilter { archived: Archived::All, ..OwnFrameworkFilter::default() }
    }

    async fn filters(_: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        Ok(vec![
            filter::any_words::<OwnFrameworkStatus>(visit, "status", common::STATUS),
            filter::any_person(visit, "owner", OwnFramework::OWNER.label),
            record::archive_filter(visit),
        ])
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::OWN_FRAMEWORK)),
            Column::tight(view.t(common::STATUS)).key("status"),
            Column::tight(view.t(OwnFramework::EDITION.label)).key("edition"),
            Column::number(view.t(OwnFramework::REQUIREMENTS.label)).key("requirements"),
            Column::text(view.t(OwnFramework::IN_FORCE.label)).key("in_force"),
            Column::person(view.t(OwnFramework::OWNER.label)).key("owner"),
        ]
    }

    fn cells(view: &View, row: &OwnFrameworkRow) -> Vec<Markup> {
        let record = &row.record;
        vec![
            html! {
                a href=(address_of(row.id)) { (record.title.as_str()) }
                br;
                span.quiet { (record.key) }
            },
            badge(tone(record.status), view.t(record.status.label())),
            view.or_none(record.edition.as_ref()),
            html! { (record.requirements) },
            in_force(view, record),
            view.person(record.owner.as_ref()),
        ]
    }
}

/// Which set of requirements holds now.
fn in_force(view: &View, record: &OwnFramework) -> Markup {
    let Some(held) = &record.in_force else {
        return html! { span.quiet { (view.t(texts::NOT_IN_FORCE)) } };
    };
    let title = match &held.edition {
        Some(edition) => format!("{} {edition}", held.title),
        None => held.title.to_string(),
    };
    html! { (view.fill(texts::IN_FORCE_SET, &[("title", &title), ("number", &held.content)])) }
}

/// Which set of requirements the address asks for.
fn content_of(view: &View) -> Content {
    let number = view.query("content").and_then(|text| text.parse().ok());
    number.map_or(Content::Draft, Content::Number)
}

async fn workbook(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let id = record::form::id_of::<OwnFramework>(&id)?;
    let format = OwnFrameworkFormat::Xlsx;
    let made =
        workspace.app.compliance.own_framework_file(visit.caller(), id, content_of(&visit), format).await?;
    file::table(made, app::report::TableFormat::Xlsx(visit.language))
}

async fn oscal(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let id = record::form::id_of::<OwnFramework>(&id)?;
    let format = OwnFrameworkFormat::Oscal;
    file::json(
        workspace.app.compliance.own_framework_file(visit.caller(), id, content_of(&visit), format).await?,
    )
}
