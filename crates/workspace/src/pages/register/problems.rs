//! All results of the checks, with a link to each cell.

use std::collections::{BTreeMap, HashMap};

use app::register::CheckFilter;
use axum::extract::State;
use domain::{
    id::RegisterRowId,
    register::{
        Template,
        filing::{Check, Severity},
    },
};
use maud::{Markup, html};

use super::{address_of, rows::name_of, severity_badge};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    texts::register as texts,
    ui::{
        self,
        field::Choice,
        filter,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(super) async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = CheckFilter {
        template: visit.query("template").and_then(|text| text.parse().ok()),
        severity: filter::word(&visit, "severity"),
    };
    let narrowed = filter != CheckFilter::default();
    let page =
        workspace.app.third_parties.register_problems(visit.caller(), filter, requested(&visit)).await?;
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::PLACE)),
        Column::tight(t(texts::SEVERITY)),
        Column::tight(t(texts::RULE)),
        Column::text(t(texts::PROBLEM)),
        Column::text(t(texts::REMEDY)),
    ];
    let names = row_names(&workspace, &visit, &page.items).await?;
    let rows: Vec<_> = page.items.iter().map(|check| cells(&visit, check, &names)).collect();
    let content = html! {
        (ui::head(t(texts::ALL_PROBLEMS), t(texts::PROBLEMS_INTRO), None))
        @if page.total > 0 || narrowed { (filters(&visit)) }
        @if page.items.is_empty() { (ui::empty(t(texts::NO_PROBLEMS), t(texts::NO_PROBLEMS_HELP), None)) }
        @else {
            (counted(&visit, page.total, texts::ONE_PROBLEM, texts::MANY_PROBLEMS))
            (table(t(texts::ALL_PROBLEMS), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::ALL_PROBLEMS), &content))
}

fn filters(view: &View) -> Markup {
    let templates: Vec<_> = Template::ALL
        .iter()
        .map(|template| Choice::new(template.id(), format!("{template} {}", view.t(template.label()))))
        .collect();
    let filters = [
        filter::words::<Severity>(view, "severity", texts::SEVERITY),
        filter::choice(view, "template", texts::TEMPLATE, &templates),
    ];
    filter::bar(view, &filters)
}

/// The names of the rows with problems, so that equal problems of several rows differ.
async fn row_names(
    workspace: &Workspace,
    visit: &Visit,
    checks: &[Check],
) -> Result<HashMap<String, String>, PageError> {
    let place = |check: &Check| Some((check.row.as_deref()?.parse().ok()?, check.template?));
    let wanted: BTreeMap<RegisterRowId, Template> = checks.iter().filter_map(place).collect();
    let wanted = wanted.into_iter().map(|(id, template)| (template, id)).collect();
    let rows = workspace.app.third_parties.register_rows_named(visit.caller(), wanted).await?;
    Ok(rows.into_iter().map(|row| (row.id.to_string(), name_of(visit, row.template, &row))).collect())
}

fn cells(view: &View, check: &Check, names: &HashMap<String, String>) -> Vec<Markup> {
    let name = check.row.as_deref().and_then(|row| names.get(row));
    vec![
        html! { (place(view, check)) @if let Some(name) = name { br; span.quiet { (name) } } },
        severity_badge(view, check.severity),
        html! { code { (check.rule) } },
        html! { (view.complaint(&check.message)) },
        html! { (view.complaint(&check.remedy)) },
    ]
}

/// The template and column, as a link to the cell if there is one.
fn place(view: &View, check: &Check) -> Markup {
    let Some(template) = check.template else { return html! { (view.t(texts::REGISTER)) } };
    let column = check.column.map(|column| column.to_string());
    let address = match &check.row {
        Some(row) => format!("{}/{row}#{}", address_of(template), column.as_deref().unwrap_or_default()),
        None => address_of(template),
    };
    html! { a href=(address) { (template.id()) @if let Some(column) = column { " " (column) } } }
}
