//! The rows of one template with the problems beside each cell.

use app::register::{FeedbackLine, RegisterRow};
use axum::extract::{Path, State};
use domain::{
    register::{Template, filing::Check},
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{address_of, severity_badge, template_of};
use crate::{
    Workspace,
    extract::{View, Visit},
    pages::record,
    respond::{self, Answer},
    route,
    texts::{register as texts, register_filing as filing},
    ui::{
        self,
        badge::{Tone, badge},
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(super) async fn list(
    State(workspace): State<Workspace>,
    Path(template): Path<String>,
    visit: Visit,
) -> Answer {
    let template = template_of(&template)?;
    let (page, checks) =
        workspace.app.third_parties.register_rows(visit.caller(), template, requested(&visit)).await?;
    let said = workspace.app.third_parties.register_feedback_of(visit.caller(), template).await?;
    let t = |label| visit.t(label);
    let columns = [Column::text(t(texts::ROW)), Column::text(t(texts::CELLS))];
    let rows: Vec<_> = page.items.iter().map(|row| cells(&visit, row, &checks, &said)).collect();
    let actions = html! {
        (ui::link_button(&format!("{}/export/{template}", route::REGISTER), "CSV", false))
        @if visit.may(Resource::Register, Right::Write) {
            (ui::link_button(&format!("{}/table", address_of(template)), t(texts::TABLE), false))
            (ui::link_button(&format!("{}/new", address_of(template)), t(texts::NEW_ROW), true))
        }
    };
    let title = format!("{template} {}", t(template.label()));
    let content = html! {
        (ui::head(&title, "", Some(actions)))
        (ui::notice::done(&visit, &record::DONE))
        @if page.items.is_empty() { (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), None)) }
        @else {
            (counted(&visit, page.total, texts::ONE_ROW, texts::MANY_ROWS))
            (table(&title, &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, &title, &content))
}

/// The column of `B_05.01` with the name of the company.
const COMPANY: &str = "c0050";

/// The name of a row: the cells of its key, for a provider after its name.
pub(super) fn name_of(view: &View, template: Template, row: &RegisterRow) -> String {
    let keys = row.content.filled(template).filter(|(column, _)| column.key).map(|(_, cell)| cell);
    let company = template.position(COMPANY).filter(|_| template == Template::Providers);
    let company = company.map(|column| row.content.cell(column)).filter(|name| !name.is_empty());
    let name = company.into_iter().chain(keys).collect::<Vec<_>>().join(" / ");
    if name.is_empty() { view.t(texts::ROW).to_owned() } else { name }
}

fn cells(view: &View, row: &RegisterRow, checks: &[Check], said: &[FeedbackLine]) -> Vec<Markup> {
    let template = row.template;
    let of_row: Vec<_> =
        checks.iter().filter(|check| check.row.as_deref() == Some(&*row.content.name)).collect();
    let address = format!("{}/{}", address_of(template), row.id);
    vec![
        html! { a href=(address) { (name_of(view, template, row)) } },
        html! {
            div {
                @for (column, cell) in template.columns().iter().zip(&row.content.cells) {
                    @let found: Vec<_> =
                        of_row.iter().filter(|check| check.column == Some(column.code())).collect();
                    @if !cell.is_empty() || !found.is_empty() {
                        p {
                            span.quiet { (column.code()) " " (view.t(column.label())) ": " }
                            (meaning(column.list(), cell))
                            @for check in found { br; (problem(view, check)) }
                        }
                    }
                }
                @for check in of_row.iter().filter(|check| check.column.is_none()) {
                    p { (problem(view, check)) }
                }
                @for line in said.iter().filter(|line| line.row_id == Some(row.id)) { p { (answered(view, line)) } }
            }
        },
    ]
}

/// The authority's feedback on a row.
fn answered(view: &View, line: &FeedbackLine) -> Markup {
    html! {
        (badge(Tone::Critical, view.t(filing::SAID))) " " code { (line.rule) } " "
        @if !line.column.is_empty() { span.quiet { (line.column) ": " } }
        (line.message)
    }
}

/// A code with its meaning.
fn meaning(list: Option<&'static domain::register::release::ClosedList>, cell: &str) -> Markup {
    let label = list.and_then(|list| list.options.iter().find(|(code, _)| *code == cell));
    html! { (cell) @if let Some((_, label)) = label { " (" (label) ")" } }
}

/// The problem and its remedy, with the rule.
pub(super) fn problem(view: &View, check: &Check) -> Markup {
    html! {
        (severity_badge(view, check.severity)) " " code { (check.rule) } " "
        (view.complaint(&check.message)) ". "
        span.hint { (view.complaint(&check.remedy)) "." }
    }
}
