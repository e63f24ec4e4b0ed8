//! Findings: the list with its filters, and changing several at once.

mod bulk;
mod detail;
mod form;
mod import;

use app::finding::{FindingFilter, FindingRow, States};
use axum::{
    Router,
    extract::{DefaultBodyLimit, State},
    routing::{get, post},
};
use domain::{finding::FindingStatus, id::FindingId, sort::FindingSort, vocabulary::Severity};
use maud::{Markup, html};

use super::record;
use crate::{
    Workspace,
    respond::{self, Answer},
    route,
    texts::{common, finding as texts, record as shared},
    ui::{
        self,
        badge::badge,
        field::Choice,
        filter,
        pager::{pager, requested},
        table::{Column, table},
    },
    visit::{View, Visit},
};

/// The file itself, and room for the rest of its form.
const MAX_UPLOAD: usize = 65 * 1024 * 1024;

pub(crate) fn router() -> Router<Workspace> {
    let import = get(import::ask).post(import::take).layer(DefaultBodyLimit::max(MAX_UPLOAD));
    Router::new()
        .route(&format!("{}/import", route::FINDINGS), import)
        .route(route::FINDINGS, get(list).post(form::create))
        .route(&format!("{}/new", route::FINDINGS), get(form::ask))
        .route(&format!("{}/move", route::FINDINGS), post(bulk::change))
        .route(&format!("{}/{{id}}", route::FINDINGS), get(detail::show).post(form::change))
        .route(&format!("{}/{{id}}/edit", route::FINDINGS), get(form::edit))
        .route(&format!("{}/{{id}}/move", route::FINDINGS), post(detail::make_move))
        .route(&format!("{}/{{id}}/delete", route::FINDINGS), post(detail::delete))
}

pub(super) fn address_of(id: FindingId) -> String {
    format!("{}/{id}", route::FINDINGS)
}

/// What the address asks for. Without a status, the open ones: that is what somebody has to act on.
pub(crate) fn filter_of(view: &View) -> FindingFilter {
    let states = match view.query("status").as_deref() {
        Some("all") => States::All,
        Some(word) => word.parse().map_or(States::Open, States::One),
        None => States::Open,
    };
    FindingFilter {
        states,
        severity: filter::word(view, "severity"),
        programme: view.query("programme_id").and_then(|id| id.parse().ok()),
        test_case: view.query("test_case_id").and_then(|id| id.parse().ok()),
        overdue: view.query("overdue").filter(|word| word == "true").map(|_| true),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
        ..FindingFilter::default()
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = filter_of(&visit);
    let page = workspace.app.findings(visit.caller(), &filter, requested(&visit)).await?;
    let programmes = record::programme_choices(&workspace.app, visit.caller()).await?;
    let t = |label| visit.t(label);
    let may_write = visit.caller().may_write_records();
    let rows: Vec<_> = page.items.iter().map(|row| cells(&visit, row, may_write)).collect();
    let filtered = filter != FindingFilter::default();
    let actions = html! {
        (filter::exports(&visit, &[("pdf", "PDF"), ("csv", "CSV")]))
        @if may_write {
            (ui::link_button(&format!("{}/import", route::FINDINGS), t(texts::IMPORT), false))
            (ui::link_button(&format!("{}/new", route::FINDINGS), t(texts::NEW), true))
        }
    };
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(actions)))
        (ui::notice::done(&visit, &record::DONE))
        (filters(&visit, &programmes))
        @if page.items.is_empty() { (record::nothing(&visit, filtered, (texts::EMPTY, texts::EMPTY_HELP))) }
        @else {
            (table(t(texts::TITLE), &columns(&visit, may_write), &rows))
            (pager(&visit, &page))
            @if may_write { (bulk::form(&visit)) }
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn filters(view: &View, programmes: &[Choice]) -> Markup {
    let mut choices = vec![Choice::new("all", view.t(shared::ANY))];
    choices.extend(FindingStatus::ALL.iter().map(|state| Choice::new(state.as_str(), view.t(state.label()))));
    let status = html! {
        div.field {
            label for="status" { (view.t(common::STATUS)) }
            select #status name="status" {
                option value="" { (view.t(texts::OPEN_ONES)) }
                @for choice in &choices {
                    option value=(choice.value)
                        selected[view.query("status").as_deref() == Some(&*choice.value)] { (choice.text) }
                }
            }
        }
    };
    let overdue = [Choice::new("true", view.t(texts::OVERDUE_ONLY))];
    filter::bar(
        view,
        &[
            status,
            filter::words::<Severity>(view, "severity", texts::SEVERITY),
            filter::choice(view, "programme_id", shared::PROGRAMME, programmes),
            filter::choice(view, "overdue", texts::OVERDUE_FILTER, &overdue),
            filter::order::<FindingSort>(view),
        ],
    )
}

fn columns(view: &View, may_write: bool) -> Vec<Column<'_>> {
    let mut columns = vec![
        Column::text(view.t(texts::FINDING)),
        Column::tight(view.t(texts::SEVERITY)),
        Column::tight(view.t(common::STATUS)),
        Column::text(view.t(shared::OWNER)),
        Column::tight(view.t(shared::DUE_ON)),
    ];
    if may_write {
        columns.push(Column::actions(view.t(texts::CHOOSE)));
    }
    columns
}

fn named(row: &FindingRow) -> Markup {
    html! {
        a href=(address_of(row.id)) { (row.finding.title.as_str()) }
        br;
        span.quiet { (row.reference.to_string()) }
    }
}

fn cells(view: &View, row: &FindingRow, may_write: bool) -> Vec<Markup> {
    let finding = &row.finding;
    let mut cells = vec![
        named(row),
        record::severity_badge(view, finding.severity),
        badge(record::finding_tone(finding.status), view.t(finding.status.label())),
        view.or_none(finding.owner.as_ref()),
        due(view, row),
    ];
    if may_write {
        let name = view.t(texts::CHOOSE);
        cells.push(html! {
            input type="checkbox" form="bulk" name="ids" value=(row.id.to_string())
                aria-label={ (name) " " (row.reference.to_string()) };
        });
    }
    cells
}

/// Findings on the page of the test case they belong to.
pub(super) fn short_table(view: &View, rows: &[FindingRow]) -> Markup {
    let columns = [
        Column::text(view.t(texts::FINDING)),
        Column::tight(view.t(texts::SEVERITY)),
        Column::tight(view.t(common::STATUS)),
        Column::tight(view.t(shared::DUE_ON)),
    ];
    let cells: Vec<_> = rows
        .iter()
        .map(|row| {
            let status = row.finding.status;
            vec![
                named(row),
                record::severity_badge(view, row.finding.severity),
                badge(record::finding_tone(status), view.t(status.label())),
                due(view, row),
            ]
        })
        .collect();
    table(view.t(texts::TITLE), &columns, &cells)
}

/// The due day, and loudly so when it is past.
pub(super) fn due(view: &View, row: &FindingRow) -> Markup {
    let late = row.finding.is_overdue(view.now.day());
    html! {
        span.late[late] { (view.day_or_none(row.finding.due_on)) }
        @if late { br; (badge(ui::badge::Tone::Critical, view.t(shared::OVERDUE))) }
    }
}
