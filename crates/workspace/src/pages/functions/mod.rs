//! Functions of the institution: the list, and one of them.

mod form;

use app::{
    function::{FunctionFilter, FunctionView},
    history::Detail,
    report::{File, Format},
};
use axum::{Router, routing::get};
use domain::{
    archive::Archived,
    function::{Function, FunctionCriticality, FunctionSort},
    id::FunctionId,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{
    comments,
    file::{self, Exported},
    record::{
        self,
        list::{ListTexts, RecordList},
    },
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    route,
    texts::{common, function as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    record::form::router::<Function>()
        .merge(record::archive::router::<Function>())
        .route(route::FUNCTIONS, get(record::list::list::<Function>))
        .route(&format!("{}/{{id}}", route::FUNCTIONS), get(record::form::show::<Function>))
        .merge(record::bulk::router::<Function, _>(record::list::list::<Function>))
        .merge(file::router::<Function>(route::FUNCTIONS))
        .merge(record::import::router::<Function>())
}

fn address_of(id: FunctionId) -> String {
    format!("{}/{id}", route::FUNCTIONS)
}

fn filter_of(view: &View) -> FunctionFilter {
    FunctionFilter {
        archived: record::archive_of(view),
        criticality: filter::any(view, "criticality"),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for Function {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        Ok(workspace
            .app
            .report
            .list_file::<Function>(
                visit.caller(),
                &filter_of(visit),
                filter::reading(visit),
                format,
                visit.language,
            )
            .await?)
    }
}

impl RecordList for Function {
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
        FunctionFilter { archived: Archived::All, ..FunctionFilter::default() }
    }

    async fn filters(_: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        Ok(vec![
            filter::any_words::<FunctionCriticality>(visit, "criticality", Function::CRITICALITY.label),
            filter::order::<FunctionSort>(visit),
            record::archive_filter(visit),
        ])
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::FUNCTION)),
            Column::tight(view.t(Function::CRITICALITY.label)).key("criticality"),
            Column::person(view.t(Function::OWNER.label)).key("owner"),
            Column::number(view.t(Function::ARRANGEMENTS.label)).key("arrangements"),
            Column::number(view.t(Function::TEST_CASES.label)).key("test_cases"),
            Column::number(view.t(Function::OPEN_FINDINGS.label)).key("open_findings"),
            Column::number(view.t(Function::INCIDENTS.label)).key("incidents"),
        ]
    }

    fn cells(view: &View, function: &FunctionView) -> Vec<Markup> {
        let (record, counts) = (&function.row.record, &function.counts);
        vec![
            html! {
                a href=(address_of(function.row.id)) { (record.name.as_str()) }
                br;
                span.quiet { (record.reference()) }
            },
            badge(tone(record.criticality), view.t(record.criticality.label())),
            view.person(record.owner.as_ref()),
            html! { (counts.arrangements) },
            html! { (counts.test_cases) },
            html! { (counts.open_findings) },
            html! { (counts.incidents) },
        ]
    }
}

fn tone(criticality: FunctionCriticality) -> Tone {
    match criticality {
        FunctionCriticality::CriticalOrImportant => Tone::Warning,
        FunctionCriticality::Other | FunctionCriticality::NotAssessed => Tone::Neutral,
    }
}

async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: FunctionId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (Detail { record: function, .. }, _) =
        workspace.app.records.record::<Function>(visit.caller(), id).await?;
    let comments = comments::section(workspace, visit, &id.to_string()).await?;
    let removal = workspace.app.records.removal::<Function>(visit.caller(), id).await?;
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Functions, Right::Write) && function.row.archived_at.is_none();
    let (address, title) = (address_of(id), function.row.record.name.as_str());
    let actions = html! {
        @if may_write { (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false)) }
    };
    let content = html! {
        (ui::head(title, &function.row.record.reference(), Some(actions)))
        (ui::notice::done(visit, &record::DONE))
        (record::archived(visit, &address, function.row.archived_at, visit.may(Resource::Functions, Right::Decide)))
        (record::form::complaints::<Function>(visit, form, &[("function", texts::FUNCTION)]))
        section.card { (facts(visit, &function)) }
        (ui::section(t(texts::USED_BY), &uses(visit, &function)))
        (comments)
        @if visit.may(Resource::Functions, Right::Decide) { div #function { (record::removal(visit, &address, title, removal)) } }
    };
    Ok(ui::layout::page(visit, title, &content))
}

fn facts(visit: &Visit, function: &FunctionView) -> Markup {
    let (record, t) = (&function.row.record, |label| visit.t(label));
    let minutes = |minutes: Option<u32>| {
        visit.or_none(minutes.map(|minutes| visit.fill(texts::MINUTES, &[("minutes", &minutes)])))
    };
    html! {
        div.row { (badge(tone(record.criticality), t(record.criticality.label()))) }
        dl.facts {
            dt { (t(Function::RTO.label)) } dd { (minutes(record.rto_minutes)) }
            dt { (t(Function::RPO.label)) } dd { (minutes(record.rpo_minutes)) }
            (record::field::facts(visit, record))
            dt { (t(common::CHANGED)) } dd { (visit.time(function.row.updated_at)) }
        }
        (record::field::passages(visit, record))
    }
}

fn uses(visit: &Visit, function: &FunctionView) -> Markup {
    let (counts, t) = (&function.counts, |label| visit.t(label));
    html! {
        dl.facts {
            dt { (t(Function::PROGRAMMES.label)) } dd { (counts.programmes) }
            dt { (t(Function::TEST_CASES.label)) } dd { (counts.test_cases) }
            dt { (t(Function::OPEN_FINDINGS.label)) } dd { (counts.open_findings) }
            dt { (t(Function::ARRANGEMENTS.label)) } dd { (counts.arrangements) }
            dt { (t(Function::INCIDENTS.label)) } dd { (counts.incidents) }
        }
    }
}
