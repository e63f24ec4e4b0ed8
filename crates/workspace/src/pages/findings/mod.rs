//! Findings: the list with its filters, and bulk changes.

mod bulk;
mod detail;
mod form;
mod import;
mod retest;

use app::{
    finding::{FindingFilter, FindingRow, States},
    report::{File, Format},
};
use axum::{
    Router,
    extract::{DefaultBodyLimit, State},
    routing::{get, post},
};
use domain::{
    archive::Archived,
    finding::{Finding, FindingSort, FindingStatus},
    id::FindingId,
    import::SourceName,
    moment::Moment,
    page::PageRequest,
    right::{Resource, Right},
    text::Name,
    vocabulary::Severity,
};
use maud::{Markup, html};

use super::{
    custom_field::OwnColumns,
    file::{self, Exported},
    measures, record, requirements,
    search::Found,
    views,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{finding as texts, record as shared},
    ui::{
        self,
        badge::badge,
        columns::chosen_table,
        field::Choice,
        filter,
        pager::{counted, pager},
        table::{Column, table},
    },
};

/// The maximum file size, and room for the rest of its form.
const MAX_UPLOAD: usize = 65 * 1024 * 1024;

pub(crate) fn router() -> Router<Workspace> {
    let import = get(import::ask).post(import::take).layer(DefaultBodyLimit::max(MAX_UPLOAD));
    Router::new()
        .route(&format!("{}/import", route::FINDINGS), import)
        .route(&format!("{}/template.csv", route::FINDINGS), get(import::template))
        .merge(record::form::router::<Finding>())
        .merge(record::archive::router::<Finding>())
        .route(route::FINDINGS, get(list))
        .route(&format!("{}/move", route::FINDINGS), post(bulk::change))
        .route(&format!("{}/{{id}}", route::FINDINGS), get(detail::show))
        .route(&format!("{}/{{id}}/move", route::FINDINGS), post(record::form::step::<Finding>))
        .route(&format!("{}/{{id}}/retests", route::FINDINGS), post(retest::take))
        .merge(record::bulk::router::<Finding, _>(list))
        .merge(file::router::<Finding>(route::FINDINGS))
}

pub(super) const FOUND: Found = Found { name: texts::FINDING, badge: record::finding_badge };

pub(super) fn address_of(id: FindingId) -> String {
    format!("{}/{id}", route::FINDINGS)
}

/// The filter in the address. Without a status, the open findings, which need work.
pub(super) fn filter_of(view: &View) -> FindingFilter {
    let wanted = filter::any(view, "status");
    let states = if view.queries("status").iter().any(|word| word == "all") {
        States::All
    } else if wanted.asks() {
        States::Any(wanted)
    } else {
        States::Open
    };
    FindingFilter {
        archive: record::archive_of(view),
        states,
        severity: filter::any(view, "severity"),
        programme: filter::any_id(view, "programme_id"),
        test_case: filter::any_id(view, "test_case_id"),
        keys: None,
        control: filter::any_id(view, "control"),
        overdue: view.query("overdue").filter(|word| word == "true").map(|_| (true, view.now.day())),
        owner: filter::any_name(view, "owner"),
        due_before: filter::any_day(view, "due_before"),
        search: filter::search(view),
        sort: Some(order_of(view)),
    }
}

/// The same with what belongs to the requirement in the address.
async fn filter_for(workspace: &Workspace, visit: &Visit) -> Result<FindingFilter, PageError> {
    let keys = requirements::keys(workspace, visit).await?;
    Ok(FindingFilter { keys, ..filter_of(visit) })
}

impl Exported for Finding {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        let filter = filter_for(workspace, visit).await?;
        Ok(workspace
            .app
            .report
            .findings_file(visit.caller(), filter, filter::reading(visit), format, visit.language)
            .await?)
    }
}

/// The default order: the worst and soonest due first.
fn order_of(view: &View) -> FindingSort {
    filter::word(view, "sort").unwrap_or(FindingSort::Urgency)
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    if let Some(address) = record::list::led_on::<Finding>(&workspace, &visit).await? {
        return respond::go_to(&address);
    }
    let visit = record::cell::opened::<Finding>(&workspace, visit).await?;
    let filter = filter_for(&workspace, &visit).await?;
    let page = record::list::page_of::<Finding>(&workspace, &visit, &filter).await?;
    let programmes = record::programme_choices(&workspace.app, visit.caller()).await?;
    let t = |label| visit.t(label);
    let is_past = filter::as_of(&visit).is_some();
    // Nothing is changed on a past state.
    let may_write = visit.may(Resource::Findings, Right::Write) && !is_past;
    let ids = page.items.iter().map(|row| row.id).collect();
    let sources = workspace.app.resilience.finding_sources(visit.caller(), ids).await?;
    let own = OwnColumns::of::<Finding>(&workspace, &visit).await?;
    let mut columns = columns(&visit, may_write);
    columns.extend(own.columns(&visit));
    let cut = |row: &FindingRow| {
        let mut shown = cells(&visit, row, may_write, &programmes, sources.get(&row.id));
        shown.extend(own.cells(&visit, &row.custom));
        record::cell::wrapped(&visit, &columns, row, shown)
    };
    let rows: Vec<_> = page.items.iter().map(cut).collect();
    let filtered =
        filter::is_part(&visit) || FindingFilter { sort: None, ..filter } != FindingFilter::default();
    let mut further: Vec<_> =
        record::list::tag_filter::<Finding>(&workspace, &visit).await?.into_iter().collect();
    further.extend(requirements::filter(&workspace, &visit).await?);
    further.extend(measures::control_filter(&workspace, &visit).await?);
    further.extend(own.filters(&visit));
    let views = views::row(&workspace, &visit, "findings", &columns).await?;
    let actions = html! {
        @if !is_past && visit.caller().require_import(Resource::Findings).is_ok() {
            (ui::link_button(&format!("{}/import", route::FINDINGS), t(texts::IMPORT), false))
        }
        @if may_write {
            (ui::link_button(&format!("{}/new", route::FINDINGS), t(texts::NEW), true))
        }
    };
    let content = if page.total == 0 && !filtered && !has_any(&workspace, &visit).await? {
        html! {
            (ui::head(t(texts::TITLE), t(texts::INTRO), None))
            (ui::notice::done(&visit, &record::DONE))
            (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), Some(actions)))
        }
    } else {
        html! {
            (ui::head(t(texts::TITLE), t(texts::INTRO), Some(html! { (filter::exports(&visit, &filter::REPORTS)) (actions) })))
            (ui::notice::done(&visit, &record::DONE))
            (record::cell::left_over(&visit, page.items.iter()))
            (views)
            (filters(&visit, &programmes, further))
            (filter::as_of_notice(&visit))
            @if page.items.is_empty() { (record::nothing(&visit, filtered, (texts::NONE_OPEN, texts::NONE_OPEN_HELP))) }
            @else {
                (counted(&visit, page.total, texts::ONE, texts::MANY))
                (chosen_table(&visit, t(texts::TITLE), &columns, &rows))
                (pager(&visit, &page))
                @if may_write { (record::bulk::bar::<Finding>(&visit)) }
            }
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

/// Whether there is any finding, also a closed or archived one.
async fn has_any(workspace: &Workspace, visit: &Visit) -> Result<bool, PageError> {
    let everything =
        FindingFilter { states: States::All, archive: Archived::All, ..FindingFilter::default() };
    let one = PageRequest::new(Some(1), None).unwrap_or_default();
    Ok(workspace.app.records.records::<Finding>(visit.caller(), &everything, one).await?.total > 0)
}

fn filters(view: &View, programmes: &[Choice], further: Vec<filter::Filter>) -> Markup {
    let mut choices = vec![Choice::new("all", view.t(shared::ANY))];
    choices.extend(FindingStatus::ALL.iter().map(|state| Choice::new(state.as_str(), view.t(state.label()))));
    let status =
        filter::any_choice_or(view, "status", Finding::STATUS.label, Some(texts::OPEN_ONES), &choices);
    let overdue = [Choice::new("true", view.t(texts::OVERDUE_ONLY))];
    let mut filters = vec![
        status,
        filter::any_words::<Severity>(view, "severity", Finding::SEVERITY.label),
        filter::any_choice_or_unset(view, "programme_id", Finding::PROGRAMME.label, programmes),
        filter::as_of_field(view),
        filter::choice(view, "overdue", texts::OVERDUE_FILTER, &overdue),
        filter::before(view, "due_before", shared::DUE_BEFORE),
        filter::any_person(view, "owner", Finding::OWNER.label),
        record::archive_filter(view),
        filter::order_or(view, FindingSort::Urgency),
    ];
    filters.extend(further);
    filter::bar(view, &filters)
}

fn columns(view: &View, may_write: bool) -> Vec<Column<'_>> {
    let current = order_of(view);
    let by = |rising, falling| filter::sorting(view, current, rising, falling);
    let mut columns = Vec::new();
    if may_write {
        columns.push(Column::choose(view.t(texts::CHOOSE)));
    }
    columns.extend([
        Column::text(view.t(texts::FINDING)).sorted(by(FindingSort::Newest, FindingSort::Oldest)),
        Column::tight(view.t(Finding::SEVERITY.label))
            .key("severity")
            .sorted(by(FindingSort::Severity, FindingSort::SeverityFalling)),
        Column::tight(view.t(Finding::STATUS.label)).key("status"),
        Column::person(view.t(Finding::OWNER.label)).key("owner"),
        Column::tight(view.t(Finding::DUE_ON.label))
            .key("due_on")
            .sorted(by(FindingSort::Due, FindingSort::DueFalling)),
        Column::tight(view.t(texts::AGE))
            .key("age")
            .sorted(by(FindingSort::Detected, FindingSort::DetectedFalling)),
    ]);
    columns
}

fn named(row: &FindingRow) -> Markup {
    html! {
        a href=(address_of(row.id)) { (row.record.title.as_str()) }
        br;
        span.quiet { (row.record.reference.to_string()) }
    }
}

fn cells(
    view: &View,
    row: &FindingRow,
    may_write: bool,
    programmes: &[Choice],
    source: Option<&SourceName>,
) -> Vec<Markup> {
    let finding = &row.record;
    let programme = finding.programme_id.map(|id| id.to_string());
    let programme = programmes.iter().find(|choice| Some(&*choice.value) == programme.as_deref());
    let mut cells = Vec::new();
    if may_write {
        // Archived findings cannot be changed.
        cells.push(html! {
            @if row.archived_at.is_none() {
                (record::bulk::tick(view, &row.id.to_string(), &row.record.reference.to_string()))
            }
        });
    }
    cells.extend([
        html! {
            (named(row))
            span.quiet {
                @for part in [finding.affected_asset.as_ref().map(Name::as_str), programme.map(|choice| &*choice.text)].into_iter().flatten() {
                    " · " (part)
                }
                " · " (source_of(view, source))
            }
        },
        record::severity_badge(view, finding.severity),
        standing(view, row),
        view.person(finding.owner.as_ref()),
        due(view, row),
        html! { (age(view, row)) },
    ]);
    cells
}

/// How long the finding has been known, in days.
pub(super) fn age(view: &View, row: &FindingRow) -> String {
    let until = row.record.closed_at.map_or(view.now.day(), Moment::day);
    let days = row.record.detected_at.day().days_until(until).max(0);
    if days == 1 { view.t(texts::ONE_DAY).to_owned() } else { view.fill(texts::DAYS, &[("days", &days)]) }
}

/// The source of a finding: its name, or the user who entered it.
pub(super) fn source_of(view: &View, source: Option<&SourceName>) -> String {
    source.map_or_else(|| view.t(texts::BY_HAND).to_owned(), |name| name.shown(view.language).to_owned())
}

/// The status, and whether it is archived.
fn standing(view: &View, row: &FindingRow) -> Markup {
    let status = row.record.status;
    html! {
        (badge(record::finding_tone(status), view.t(status.label())))
        @if row.archived_at.is_some() { br; (badge(ui::badge::Tone::Muted, view.t(shared::ARCHIVED))) }
    }
}

/// Findings on the page of the test case they belong to.
pub(super) fn short_table(view: &View, rows: &[FindingRow]) -> Markup {
    let columns = [
        Column::text(view.t(texts::FINDING)),
        Column::tight(view.t(Finding::SEVERITY.label)),
        Column::tight(view.t(Finding::STATUS.label)),
        Column::tight(view.t(Finding::DUE_ON.label)),
    ];
    let cells: Vec<_> = rows
        .iter()
        .map(|row| {
            vec![
                named(row),
                record::severity_badge(view, row.record.severity),
                standing(view, row),
                due(view, row),
            ]
        })
        .collect();
    table(view.t(texts::TITLE), &columns, &cells)
}

/// The due day, highlighted if it has passed.
pub(super) fn due(view: &View, row: &FindingRow) -> Markup {
    let late = row.record.is_overdue(view.now.day());
    html! {
        span.late[late] { (view.day_or_none(row.record.due_on)) }
        @if late { br; (badge(ui::badge::Tone::Critical, view.t(shared::OVERDUE))) }
    }
}

/// The same on the page of the finding, with the origin of the day.
pub(super) fn due_fact(view: &View, row: &FindingRow) -> Markup {
    html! {
        (due(view, row))
        @if row.record.due_by_rule { " " span.quiet { "(" (view.t(texts::DUE_BY_RULE)) ")" } }
    }
}
