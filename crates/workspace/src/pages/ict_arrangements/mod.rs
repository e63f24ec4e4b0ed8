//! The register of ICT arrangements: the list with its filters, and links to its parts.

mod detail;
mod facts;
mod form;
mod import;

use app::{
    arrangement::{ArrangementFilter, ArrangementRow},
    report::{File, Format},
};
use axum::{
    Router,
    extract::{DefaultBodyLimit, State},
    routing::{get, post},
};
use domain::{
    archive::Archived,
    arrangement::{AnnualCost, Arrangement, ArrangementSort, ServiceType, Substitutability},
    concentration::Dimension,
    format,
    id::ArrangementId,
    right::{Resource, Right},
};
use maud::{Markup, html};

pub(super) use self::form::{draft, more_rows, wants_rows};
use super::{
    file::{self, Exported},
    record,
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::{custom_field::OwnColumns, views},
    respond::{self, Answer},
    route,
    texts::{analysis, arrangement as texts},
    ui::{
        self,
        badge::{Tone, badge},
        columns::chosen_table,
        field::Choice,
        filter,
        pager::{counted, pager},
        table::Column,
    },
};

/// The maximum file size, and room for the rest of its form.
const MAX_UPLOAD: usize = 65 * 1024 * 1024;

pub(crate) fn router() -> Router<Workspace> {
    let below = |name: &str| format!("{}/{name}", route::ARRANGEMENTS);
    let import = get(import::ask).post(import::take).layer(DefaultBodyLimit::max(MAX_UPLOAD));
    Router::new()
        .route(route::ARRANGEMENTS, get(list))
        .merge(record::form::router::<Arrangement>())
        .merge(record::archive::router::<Arrangement>())
        .route(&below("import"), import)
        .route(&below("template.csv"), get(import::template))
        .route(&below("{id}"), get(record::form::show::<Arrangement>))
        .route(&below("{id}/facts"), get(facts::edit).post(facts::change))
        .route(&below("{id}/end"), post(detail::end))
        .merge(file::router::<Arrangement>(route::ARRANGEMENTS))
}

pub(super) const FOUND: Found = Found { name: analysis::ARRANGEMENT, badge: |_, _| html! {} };

pub(super) fn address_of(id: ArrangementId) -> String {
    format!("{}/{id}", route::ARRANGEMENTS)
}

/// The address of the list of those that make up a share.
pub(super) fn named(dimension: Dimension, name: &str) -> String {
    match dimension {
        Dimension::Provider => filtered("provider", name),
        Dimension::Sector | Dimension::Region | Dimension::Technology => searched(name),
    }
}

/// The address of the list of those that mention a name.
pub(super) fn searched(name: &str) -> String {
    filtered("search", name)
}

fn filtered(field: &str, value: &str) -> String {
    let query: String = form_urlencoded::Serializer::new(String::new()).append_pair(field, value).finish();
    format!("{}?{query}", route::ARRANGEMENTS)
}

pub(super) fn filter_of(view: &View) -> ArrangementFilter {
    ArrangementFilter {
        provider: filter::any_name(view, "provider"),
        region: filter::any_name(view, "region"),
        service_type: filter::any(view, "service_type"),
        substitutability: filter::any(view, "substitutability"),
        critical: view.query("critical").filter(|word| word == "true").map(|_| true),
        active_on: view.query("active").filter(|word| word == "true").map(|_| view.now.day()),
        archived: record::archive_of(view).wanted(),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for Arrangement {
    const FILES: &'static [(&'static str, &'static str)] = &filter::TABLES;

    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        let (filter, reading) = (filter_of(visit), filter::reading(visit));
        Ok(workspace
            .app
            .report
            .arrangements_file(visit.caller(), &filter, reading, file::rows(format))
            .await?)
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    if let Some(address) = record::list::led_on::<Arrangement>(&workspace, &visit).await? {
        return respond::go_to(&address);
    }
    let wanted = filter_of(&visit);
    let page = record::list::page_of::<Arrangement>(&workspace, &visit, &wanted).await?;
    let t = |label| visit.t(label);
    let own = OwnColumns::of::<Arrangement>(&workspace, &visit).await?;
    let mut columns = vec![
        Column::text(t(Arrangement::PROVIDER.label)),
        Column::text(t(Arrangement::SERVICE.label)).key("service"),
        Column::text(t(Arrangement::REGION.label)).key("region"),
        Column::tight(t(Arrangement::SUBSTITUTABILITY.label)).key("substitutability"),
        Column::number(t(Arrangement::ANNUAL_COST.label)).key("cost"),
        Column::tight(t(texts::TERM)).key("term"),
    ];
    columns.extend(own.columns(&visit));
    let cut = |row: &ArrangementRow| {
        let own = own.cells(&visit, &row.custom);
        cells(&visit, row).into_iter().chain(own).collect()
    };
    let rows: Vec<Vec<Markup>> = page.items.iter().map(cut).collect();
    let archived = Archived::default().wanted();
    let everything = ArrangementFilter { sort: wanted.sort, archived, ..ArrangementFilter::default() };
    let unfiltered = wanted == everything && !filter::is_part(&visit);
    let is_bare = page.total == 0 && unfiltered;
    let views = views::row(&workspace, &visit, "arrangements", &columns).await?;
    let mut further = own.filters(&visit);
    further.extend(record::list::tag_filter::<Arrangement>(&workspace, &visit).await?);
    let regions = workspace.app.reference.regions(visit.caller()).await?;
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), (!is_bare).then(|| actions(&visit, true))))
        (ui::notice::done(&visit, &record::DONE))
        @if !is_bare { (views) (filters(&visit, &wanted, regions, further)) }
        (filter::as_of_notice(&visit))
        @if page.items.is_empty() { (nothing(&visit, unfiltered)) }
        @else {
            p.hint { a href=(route::VENDOR_SCORECARD) { (t(texts::BENCHMARK)) } }
            (counted(&visit, page.total, texts::ONE, texts::MANY))
            (chosen_table(&visit, t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn actions(visit: &Visit, any: bool) -> Markup {
    let t = |label| visit.t(label);
    html! {
        @if any { (filter::exports(visit, &filter::TABLES)) }
        @if visit.may(Resource::Arrangements, Right::Write) {
            (ui::link_button(&format!("{}/import", route::ARRANGEMENTS), t(texts::IMPORT), false))
            (ui::link_button(&format!("{}/new", route::ARRANGEMENTS), t(texts::NEW), true))
        }
    }
}

/// No matches, or no records: then the import comes first.
fn nothing(visit: &Visit, unfiltered: bool) -> Markup {
    if !unfiltered || !visit.may(Resource::Arrangements, Right::Write) {
        return record::nothing(visit, !unfiltered, (texts::EMPTY, texts::EMPTY_HELP));
    }
    ui::empty(visit.t(texts::EMPTY), visit.t(texts::EMPTY_HELP), Some(actions(visit, false)))
}

fn filters(
    view: &View,
    wanted: &ArrangementFilter,
    regions: Vec<String>,
    further: Vec<filter::Filter>,
) -> Markup {
    let named = |names: &[String]| {
        names.iter().map(|name| Choice::new(name.clone(), name.as_str())).collect::<Vec<_>>()
    };
    let mut offered = regions;
    // One can be missing because it is one of too many to offer, or of archived arrangements.
    offered.extend(
        wanted.region.values().iter().filter(|name| !offered.contains(name)).cloned().collect::<Vec<_>>(),
    );
    let critical = [Choice::new("true", view.t(texts::CRITICAL_ONLY))];
    let active = [Choice::new("true", view.t(texts::ACTIVE_ONLY))];
    let mut filters = vec![
        filter::any_words::<ServiceType>(view, "service_type", Arrangement::SERVICE_TYPE.label),
        filter::any_words::<Substitutability>(view, "substitutability", Arrangement::SUBSTITUTABILITY.label),
        filter::any_choice(view, "region", Arrangement::REGION.label, &named(&offered)),
        filter::choice(view, "critical", texts::CRITICAL_FILTER, &critical),
        filter::choice(view, "active", texts::TERM, &active),
        filter::order::<ArrangementSort>(view),
        record::archive_filter(view),
        filter::as_of_field(view),
    ];
    filters.extend(further);
    if wanted.provider.asks() {
        let chosen = named(wanted.provider.values());
        filters.insert(0, filter::any_choice(view, "provider", Arrangement::PROVIDER.label, &chosen));
    }
    filter::bar(view, &filters)
}

/// A critical or important function is marked, not rated: its badge has no tone of a severity.
pub(super) fn critical_badge(view: &View) -> Markup {
    badge(Tone::Notice, view.t(texts::CRITICAL))
}

pub(super) fn substitutability_tone(substitutability: Substitutability) -> Tone {
    substitutability.tone()
}

fn substitutability_badge(view: &View, substitutability: Substitutability) -> Markup {
    badge(substitutability_tone(substitutability), view.t(substitutability.label()))
}

fn cost(view: &View, cost: AnnualCost) -> Markup {
    match cost {
        AnnualCost::Own(money) => html! { span.amount { (format::money(view.language, money)) } },
        AnnualCost::Elsewhere(_) => html! { span.quiet { (view.t(texts::COST_ELSEWHERE)) } },
    }
}

fn cells(view: &View, row: &ArrangementRow) -> Vec<Markup> {
    let content = &row.record.contract;
    vec![
        html! {
            a href=(address_of(row.id)) { (content.provider.name.as_str()) }
            br;
            span.quiet { (content.reference.as_str()) }
        },
        html! {
            div {
                (content.service.as_str())
                @if content.is_critical() { br; (critical_badge(view)) }
            }
        },
        html! { (content.region.as_str()) },
        substitutability_badge(view, content.substitutability),
        cost(view, content.annual_cost),
        term(view, row),
    ]
}

/// Whether it is active, and until when.
fn term(view: &View, row: &ArrangementRow) -> Markup {
    let (content, today) = (&row.record.contract, view.now.day());
    let until = content.ends_on.map(|day| view.fill(texts::UNTIL, &[("day", &view.day(day))]));
    let (tone, word) = if content.is_active(today) {
        (Tone::Running, texts::RUNNING)
    } else if content.starts_on > today {
        (Tone::Notice, texts::NOT_BEGUN)
    } else {
        (Tone::Muted, texts::ENDED)
    };
    html! {
        div {
            (badge(tone, view.t(word)))
            @if let Some(until) = until { br; span.hint { (until) } }
        }
    }
}
