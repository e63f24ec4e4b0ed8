//! The register of ICT arrangements: the list and one arrangement.

mod form;
mod import;

use app::arrangement::{ArrangementFilter, ArrangementRow};
use axum::{
    Router,
    extract::{DefaultBodyLimit, Path, State},
    routing::{get, post},
};
use domain::{
    arrangement::{AnnualCost, ServiceType, Substitutability},
    id::ArrangementId,
    permission::Permission,
};
use maud::{Markup, html};

pub(super) use self::form::draft;
use super::record;
use crate::{
    Workspace,
    oops::Oops,
    respond::{self, Answer},
    route,
    texts::{arrangement as texts, common, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        field::Choice,
        filter,
        pager::{pager, requested},
        table::{Column, table},
    },
    visit::{Posted, View, Visit},
};

/// The file itself, and room for the rest of its form.
const MAX_UPLOAD: usize = 65 * 1024 * 1024;

pub(crate) fn router() -> Router<Workspace> {
    let import = get(import::ask).post(import::take).layer(DefaultBodyLimit::max(MAX_UPLOAD));
    Router::new()
        .route(route::ARRANGEMENTS, get(list).post(form::create))
        .route(&format!("{}/new", route::ARRANGEMENTS), get(form::ask))
        .route(&format!("{}/import", route::ARRANGEMENTS), import)
        .route(&format!("{}/{{id}}", route::ARRANGEMENTS), get(show).post(form::change))
        .route(&format!("{}/{{id}}/edit", route::ARRANGEMENTS), get(form::edit))
        .route(&format!("{}/{{id}}/delete", route::ARRANGEMENTS), post(delete))
}

pub(super) fn address_of(id: ArrangementId) -> String {
    format!("{}/{id}", route::ARRANGEMENTS)
}

pub(super) fn arrangement_id(id: &str) -> Result<ArrangementId, Oops> {
    id.parse().map_err(|_| Oops::NotFound)
}

fn filter_of(view: &View) -> ArrangementFilter {
    ArrangementFilter {
        service_type: filter::word(view, "service_type"),
        substitutability: filter::word(view, "substitutability"),
        critical: view.query("critical").filter(|word| word == "true").map(|_| true),
        search: filter::search(view),
        sort: view.query("sort").and_then(|word| word.parse().ok()),
        ..ArrangementFilter::default()
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = filter_of(&visit);
    let page = workspace.app.arrangements(visit.caller(), &filter, requested(&visit)).await?;
    let t = |label| visit.t(label);
    let actions = html! {
        @if visit.caller().may(Permission::Write) {
            (ui::link_button(&format!("{}/import", route::ARRANGEMENTS), t(texts::IMPORT), false))
            (ui::link_button(&format!("{}/new", route::ARRANGEMENTS), t(texts::NEW), true))
        }
    };
    let columns = [
        Column::text(t(texts::PROVIDER)),
        Column::text(t(texts::SERVICE)),
        Column::text(t(texts::REGION)),
        Column::tight(t(texts::SUBSTITUTABILITY)),
        Column::number(t(texts::COST)),
    ];
    let rows: Vec<_> = page.items.iter().map(|row| cells(&visit, row)).collect();
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(actions)))
        (ui::notice::done(&visit, &record::DONE))
        (filters(&visit))
        @if page.items.is_empty() {
            (record::nothing(&visit, filter != ArrangementFilter::default(), (texts::EMPTY, texts::EMPTY_HELP)))
        } @else {
            (table(t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn filters(view: &View) -> Markup {
    let critical = [Choice::new("true", view.t(texts::CRITICAL_ONLY))];
    let orders = [
        Choice::new("reference", view.t(texts::SORT_REFERENCE)),
        Choice::new("-created_at", view.t(texts::SORT_NEWEST)),
        Choice::new("-annual_cost", view.t(texts::SORT_COSTLIEST)),
    ];
    filter::bar(
        view,
        &[
            filter::words::<ServiceType>(view, "service_type", texts::SERVICE_TYPE),
            filter::words::<Substitutability>(view, "substitutability", texts::SUBSTITUTABILITY),
            filter::choice(view, "critical", texts::CRITICAL_FILTER, &critical),
            filter::choice(view, "sort", shared::SORT, &orders),
        ],
    )
}

fn substitutability_badge(view: &View, substitutability: Substitutability) -> Markup {
    let tone = match substitutability {
        Substitutability::Easy => Tone::Good,
        Substitutability::Medium => Tone::Notice,
        Substitutability::Hard => Tone::Warning,
        Substitutability::Impossible => Tone::Critical,
    };
    badge(tone, view.t(substitutability.label()))
}

fn cost(view: &View, cost: AnnualCost) -> Markup {
    match cost {
        AnnualCost::Own(money) => html! { (money.to_string()) },
        AnnualCost::Elsewhere(_) => html! { span.quiet { (view.t(texts::COST_ELSEWHERE)) } },
    }
}

fn cells(view: &View, row: &ArrangementRow) -> Vec<Markup> {
    let content = &row.content;
    vec![
        html! {
            a href=(address_of(row.id)) { (content.provider.name.as_str()) }
            br;
            span.quiet { (content.reference.as_str()) }
        },
        html! {
            (content.service.as_str())
            @if content.is_critical() { br; (badge(Tone::Warning, view.t(texts::CRITICAL))) }
        },
        html! { (content.region.as_str()) },
        substitutability_badge(view, content.substitutability),
        cost(view, content.annual_cost),
    ]
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let (row, _) = workspace.app.arrangement(visit.caller(), arrangement_id(&id)?).await?;
    let (content, t) = (&row.content, |label| visit.t(label));
    let may_write = visit.caller().may(Permission::Write);
    let (address, title) = (address_of(row.id), content.provider.name.as_str());
    let action = may_write.then(|| ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false));
    let content = html! {
        (ui::head(title, content.service.as_str(), action))
        (ui::notice::done(&visit, &record::DONE))
        section.card {
            div.row {
                (substitutability_badge(&visit, content.substitutability))
                @if content.is_critical() { (badge(Tone::Warning, t(texts::CRITICAL))) }
            }
            dl.facts {
                dt { (t(texts::REFERENCE)) } dd { (content.reference.as_str()) }
                dt { (t(texts::SERVICE_TYPE)) } dd { (t(content.service_type.label())) }
                dt { (t(texts::LEI)) } dd { (visit.or_none(content.provider.lei.map(|lei| lei.to_string()))) }
                dt { (t(texts::COUNTRY)) } dd { (content.provider.country.as_str()) }
                dt { (t(texts::SECTOR)) } dd { (content.provider.sector.as_str()) }
                dt { (t(texts::TECHNOLOGY)) } dd { (content.technology.as_str()) }
                dt { (t(texts::REGION)) } dd { (content.region.as_str()) }
                dt { (t(texts::COST)) } dd { (cost(&visit, content.annual_cost)) }
                dt { (t(texts::STARTS_ON)) } dd { (visit.day(content.starts_on)) }
                dt { (t(texts::ENDS_ON)) } dd { (visit.day_or_none(content.ends_on)) }
                dt { (t(common::CHANGED)) } dd { (visit.time(row.updated_at)) }
            }
            h3 { (t(texts::FUNCTIONS)) }
            ul.bullets {
                @for function in &content.functions {
                    li {
                        (function.name.as_str()) " "
                        @if function.critical { (badge(Tone::Warning, t(texts::CRITICAL))) }
                    }
                }
            }
        }
        @if may_write { (record::deletion(&visit, &address, content.reference.as_str())) }
    };
    respond::page(ui::layout::page(&visit, title, &content))
}

async fn delete(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let precondition = record::precondition(&posted.form);
    workspace.app.delete_arrangement(posted.visit.caller(), arrangement_id(&id)?, precondition).await?;
    respond::go_to(&route::done(route::ARRANGEMENTS, "deleted"))
}
