//! The approved versions of the statement of applicability, with their files, and what changed since the last one.

use app::{
    approved_document::{ApprovedDocument, StatementChange},
    assessment::STATEMENT,
};
use axum::extract::{Path, State};
use domain::{
    assessment::Assessment,
    wording::{Label, Language},
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    pages::file,
    respond::Answer,
    route,
    texts::assessment as texts,
    ui::{
        self, history,
        pager::{pager, requested},
        table::{Column, table},
    },
};

/// Nothing while no version is approved.
pub(super) async fn section(workspace: &Workspace, visit: &Visit) -> Result<Markup, PageError> {
    let versions =
        workspace.app.compliance.approved_documents(visit.caller(), STATEMENT, requested(visit)).await?;
    if versions.total == 0 {
        return Ok(html! {});
    }
    let newest = i64::try_from(versions.total).unwrap_or(i64::MAX);
    let changes = workspace.app.compliance.statement_changes(visit.caller(), newest).await?;
    let people = versions.items.iter().flat_map(|one| [one.asked_by.clone(), one.approved_by.clone()]);
    let people = workspace.app.actor_names(visit.caller(), people.collect()).await?;
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::NUMBER)),
        Column::text(t(Assessment::APPROVED_AT.label)),
        Column::person(t(Assessment::APPROVED_BY.label)),
        Column::person(t(texts::ASKED_BY)),
        Column::text(t(texts::FILES)),
    ];
    let row = |document: &ApprovedDocument| {
        vec![
            html! { (document.number) },
            visit.time(document.approved_at),
            html! { (history::author(visit, people.get(&document.approved_by))) },
            html! { (history::author(visit, people.get(&document.asked_by))) },
            files(visit, document),
        ]
    };
    let rows: Vec<_> = versions.items.iter().map(row).collect();
    let content = html! {
        p { (t(texts::VERSIONS_HELP)) }
        (table(t(texts::VERSIONS), &columns, &rows))
        (pager(visit, &versions))
    };
    Ok(html! {
        (ui::section(t(texts::VERSIONS), &content))
        (changed(visit, newest, &changes))
    })
}

fn name_of(language: Language) -> Label {
    match language {
        Language::English => texts::ENGLISH,
        Language::German => texts::GERMAN,
    }
}

fn files(visit: &Visit, document: &ApprovedDocument) -> Markup {
    html! {
        @for file in &document.files {
            @let language = visit.t(name_of(file.language()));
            a href={ (route::STATEMENT) "/versions/" (document.number) "/" (file.language()) "/content" }
                aria-label=(visit.fill(texts::FILE_OF, &[("number", &document.number), ("language", &language)])) {
                (visit.fill(texts::FILE, &[("language", &language)]))
            }
            " "
        }
        details {
            summary { (visit.t(texts::SIGNATURES)) }
            @for file in &document.files {
                p { (visit.t(name_of(file.language()))) br; code { (file.sha256) } br; code { (file.signature) } }
            }
        }
    }
}

fn changed(visit: &Visit, number: i64, changes: &[StatementChange]) -> Markup {
    if changes.is_empty() {
        return html! {};
    }
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::ANNEX_CONTROL)),
        Column::tight(t(texts::CHANGED_FIELD)),
        Column::text(t(texts::AS_APPROVED)),
        Column::text(t(texts::AS_IT_IS)),
    ];
    let row = |change: &StatementChange| {
        vec![
            html! { (change.number) " " (change.title.get(visit.language)) },
            html! { (t(change.field.label())) },
            html! { (change.approved.get(visit.language)) },
            html! { (change.now.get(visit.language)) },
        ]
    };
    let rows: Vec<_> = changes.iter().map(row).collect();
    let title = visit.fill(texts::CHANGED_SINCE, &[("number", &number)]);
    ui::section(&title, &table(&title, &columns, &rows))
}

/// The file of a version in one language.
pub(super) async fn content(
    State(workspace): State<Workspace>,
    Path((number, language)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    let (Ok(number), Ok(language)) = (number.parse(), language.parse()) else {
        return Err(PageError::NotFound);
    };
    file::download(
        workspace.app.compliance.approved_content(visit.caller(), STATEMENT, number, language).await?,
    )
    .await
}
