//! Providers: the list, and links to each.

pub(super) mod answer_field;
mod clause;
mod detail;
mod form;
mod review;
mod review_form;
mod subcontractor;

pub(super) use self::{review::question_gone, review_form::answers};

use app::{
    provider::{ProviderFilter, ProviderView},
    report::{File, Format},
};
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use domain::{
    id::{ProviderId, ReviewId},
    provider::{Provider, ProviderRating, ProviderSort, ReviewState, ReviewStatus},
    wording::Label,
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record, register,
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::{custom_field::OwnColumns, views},
    respond::{self, Answer},
    route,
    texts::{bulk, common, provider as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        columns::chosen_table,
        field::Choice,
        filter,
        pager::{counted, pager, requested},
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let one = format!("{}/{{id}}", route::PROVIDERS);
    let review = format!("{one}/reviews/{{review}}");
    Router::new()
        .route(route::PROVIDERS, get(list))
        .merge(record::form::edit_router::<Provider>())
        .route(&one, get(detail::show))
        .route(&format!("{one}/clauses/{{arrangement}}"), get(clause::edit).post(clause::change))
        .route(&format!("{one}/subcontractors"), post(subcontractor::make))
        .route(&format!("{one}/reviews"), post(review_form::begin))
        .route(&review, get(review::show).post(review_form::answer))
        .route(&format!("{review}/send"), post(review_form::send))
        .route(&format!("{review}/move"), post(review_form::make_move))
        .route(&format!("{review}/findings"), post(review_form::find))
        .merge(record::bulk::router::<Provider, _>(list))
        .merge(file::router::<Provider>(route::PROVIDERS))
        .merge(record::import::router::<Provider>())
}

pub(super) const FOUND: Found = Found { name: texts::PROVIDER, badge: |_, _| html! {} };

pub(super) fn address_of(id: ProviderId) -> String {
    format!("{}/{id}", route::PROVIDERS)
}

fn review_address((provider, id): (ProviderId, ReviewId)) -> String {
    format!("{}/reviews/{id}", address_of(provider))
}

fn provider_id(id: &str) -> Result<ProviderId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

fn state_tone(state: ReviewState) -> Tone {
    state.tone()
}

fn rating_tone(rating: ProviderRating) -> Tone {
    match rating {
        ProviderRating::Low => Tone::Good,
        ProviderRating::Medium => Tone::Notice,
        ProviderRating::High => Tone::Warning,
        ProviderRating::Critical => Tone::Critical,
    }
}

fn status_tone(status: ReviewStatus) -> Tone {
    match status {
        ReviewStatus::Draft => Tone::Notice,
        ReviewStatus::Sent => Tone::Running,
        ReviewStatus::Submitted => Tone::Warning,
        ReviewStatus::Completed => Tone::Good,
        ReviewStatus::Cancelled => Tone::Muted,
    }
}

fn critical_badge(view: &View, provider: &ProviderView) -> Markup {
    if provider.is_critical() {
        badge(Tone::Warning, view.t(Provider::CRITICAL.label))
    } else {
        badge(Tone::Neutral, view.t(texts::NOT_CRITICAL_BADGE))
    }
}

const DONE: [(&str, Label); 5] = [
    ("made", texts::WAS_MADE),
    ("changed", shared::WAS_CHANGED),
    ("saved", texts::WAS_SAVED),
    ("begun", texts::WAS_BEGUN),
    ("found", texts::WAS_FOUND),
];

pub(super) fn filter_of(view: &View) -> ProviderFilter {
    ProviderFilter {
        critical: view.query("critical").and_then(|word| word.parse().ok()),
        review: filter::any(view, "review"),
        today: Some(view.now.day()),
        owner: filter::any_name(view, "owner"),
        search: filter::search(view),
        sort: filter::word(view, "sort").or(Some(ProviderSort::Name)),
    }
}

impl Exported for Provider {
    const FILES: &'static [(&'static str, &'static str)] = &filter::TABLES;

    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        Ok(workspace
            .app
            .report
            .providers_file(visit.caller(), &filter_of(visit), filter::reading(visit), file::rows(format))
            .await?)
    }
}

fn is_narrowed(filter: &ProviderFilter) -> bool {
    filter.critical.is_some() || filter.review.asks() || filter.owner.asks() || filter.search.is_some()
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    if let Some(address) = record::list::led_on::<Provider>(&workspace, &visit).await? {
        return respond::go_to(&address);
    }
    let visit = record::cell::opened::<Provider>(&workspace, visit).await?;
    let filter = filter_of(&visit);
    let request = requested(&visit).tagged(filter::tag(&visit)).holding(filter::holding(&visit));
    let page = workspace.app.records.records::<Provider>(visit.caller(), &filter, request).await?;
    let narrowed = is_narrowed(&filter) || filter::is_part(&visit);
    let companies = workspace.app.third_parties.register_companies(visit.caller()).await?;
    let t = |label| visit.t(label);
    let may_choose = record::bulk::is_open::<Provider>(&visit);
    let mut columns = Vec::new();
    if may_choose {
        columns.push(Column::choose(t(bulk::CHOOSE)));
    }
    columns.extend([
        Column::text(t(texts::PROVIDER)),
        Column::tight(t(Provider::CRITICAL.label)).key("critical"),
        Column::tight(t(Provider::REVIEW_STATE.label)).key("review_state"),
        Column::tight(t(Provider::NEXT_REVIEW_ON.label)).key("next_review"),
        Column::number(t(Provider::ARRANGEMENTS.label)).key("arrangements"),
        Column::number(t(Provider::SHARE.label)).key("share"),
        Column::number(t(Provider::OPEN_FINDINGS.label)).key("open_findings"),
        Column::number(t(Provider::INCIDENTS.label)).key("incidents"),
        Column::person(t(shared::OWNER)).key("owner"),
    ]);
    let own = OwnColumns::of::<Provider>(&workspace, &visit).await?;
    columns.extend(own.columns(&visit));
    let rows: Vec<_> = page
        .items
        .iter()
        .map(|provider| {
            let mut cells = chosen_cells(&visit, provider, may_choose);
            cells.extend(own.cells(&visit, &provider.row.custom));
            record::cell::wrapped(&visit, &columns, &provider.row, cells)
        })
        .collect();
    let critical =
        [Choice::new("true", t(texts::CRITICAL_ONLY)), Choice::new("false", t(texts::NOT_CRITICAL))];
    let is_bare = page.total == 0 && !narrowed;
    let mut filters = vec![
        filter::choice(&visit, "critical", Provider::CRITICAL.label, &critical),
        filter::any_words::<ReviewState>(&visit, "review", Provider::REVIEW_STATE.label),
        filter::any_person(&visit, "owner", shared::OWNER),
        filter::order_or(&visit, ProviderSort::Name),
    ];
    let views = views::row(&workspace, &visit, "providers", &columns).await?;
    filters.extend(record::list::tag_filter::<Provider>(&workspace, &visit).await?);
    filters.extend(own.filters(&visit));
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), (!is_bare).then(|| html! {
            (filter::exports(&visit, &filter::TABLES))
            @if filter::as_of(&visit).is_none() { (record::import::button::<Provider>(&visit)) }
        })))
        (ui::notice::done(&visit, &DONE))
        (record::cell::left_over(&visit, page.items.iter().map(|provider| &provider.row)))
        @if !is_bare {
            (views)
            (filter::bar(&visit, &filters))
        }
        @if is_bare {
            // Providers come with the arrangements that name them.
            (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP),
                Some(ui::link_button(route::ARRANGEMENTS, t(common::ARRANGEMENTS), true))))
        } @else if page.items.is_empty() {
            (record::nothing(&visit, narrowed, (texts::EMPTY, texts::EMPTY_HELP)))
        } @else {
            (counted(&visit, page.total, texts::ONE, texts::MANY))
            (register::companies(&visit, companies))
            (chosen_table(&visit, t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
            @if may_choose { (record::bulk::bar::<Provider>(&visit)) }
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

/// The cells of a row with the box that chooses it.
fn chosen_cells(visit: &Visit, provider: &ProviderView, may_choose: bool) -> Vec<Markup> {
    let name = provider.row.record.name.as_str();
    let tick = may_choose.then(|| record::bulk::tick(visit, &provider.row.id.to_string(), name));
    tick.into_iter().chain(cells(visit, provider)).collect()
}

fn cells(view: &View, provider: &ProviderView) -> Vec<Markup> {
    let (record, facts) = (&provider.row.record, &provider.facts);
    vec![
        html! {
            a href=(address_of(provider.row.id)) { (record.name.as_str()) }
            br;
            span.quiet { (record.country) @if let Some(lei) = record.lei { " · " (lei) } }
        },
        critical_badge(view, provider),
        badge(state_tone(provider.state), view.t(provider.state.label())),
        view.day_or_none(record.next_review_on),
        html! { (facts.arrangements) },
        view.or_none(provider.share.map(|share| view.percent(share))),
        html! { (facts.open_findings) },
        html! { (facts.incidents) },
        view.person(record.owner.as_ref()),
    ]
}
