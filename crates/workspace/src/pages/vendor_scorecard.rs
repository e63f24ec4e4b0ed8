//! Vendor archetypes: every kind of provider with its score, and one with its chart. A benchmark, not own providers.

use app::catalogue::{
    Edition,
    record::Needle,
    vendor::{Criticality, DimensionId, Vendor, VendorFilter},
};
use axum::{
    Router,
    extract::{Path, State},
    routing::get,
};
use maud::{Markup, html};

use super::reference::{self, edition};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{count, reference as texts},
    ui::{
        self,
        badge::{Tone, badge},
        chart,
        field::Choice,
        filter,
        pager::counted,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::VENDOR_SCORECARD, get(list))
        .route(&format!("{}/{{id}}", route::VENDOR_SCORECARD), get(show))
}

const MIN_SCORES: [&str; 5] = ["50", "60", "70", "80", "90"];

fn criticality_badge(view: &View, criticality: Criticality) -> Markup {
    let tone = match criticality {
        Criticality::Critical => Tone::Critical,
        Criticality::Important => Tone::Warning,
        Criticality::Standard => Tone::Neutral,
    };
    badge(tone, view.t(criticality.label()))
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let wanted = VendorFilter {
        criticality: filter::word(&visit, "criticality"),
        min_score: visit.query("min_score").and_then(|text| text.parse().ok()),
    };
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let shown = edition.vendors.select(&needle, visit.language, |vendor| wanted.keeps(vendor));
    let t = |label| visit.t(label);
    let scores: Vec<_> = MIN_SCORES.iter().map(|score| Choice::new(*score, *score)).collect();
    let content = html! {
        (reference::head(&visit, t(texts::VENDORS), t(texts::VENDORS_INTRO), None))
        p { (t(texts::OWN_PROVIDERS)) " " a href=(route::ARRANGEMENTS) { (t(texts::TO_REGISTER)) } }
        (filter::bar(&visit, &[
            filter::words::<Criticality>(&visit, "criticality", texts::CRITICALITY),
            filter::choice(&visit, "min_score", texts::MIN_SCORE, &scores),
        ]))
        @if shown.is_empty() { (reference::nothing(&visit)) }
        @else {
            (counted(&visit, shown.len() as u64, count::VENDOR, count::VENDORS))
            (key(&visit))
        }
        div.cards.small { @for vendor in &shown { (card(&visit, vendor)) } }
        @if !shown.is_empty() { (ui::section(t(texts::COMPARISON), &scores_table(&visit, &shown))) }
        (dimensions(&visit, &edition))
    };
    respond::page(ui::layout::page(&visit, t(texts::VENDORS), &content))
}

fn axes(view: &View, vendor: &Vendor) -> Vec<(String, u32)> {
    DimensionId::ALL
        .iter()
        .map(|dimension| (view.t(dimension.label()).to_owned(), vendor.scores.get(*dimension)))
        .collect()
}

/// One vendor's scores, drawn and as a table.
fn shape(view: &View, vendor: &Vendor) -> Markup {
    let name = view.fill(texts::SCORES_OF, &[("name", &vendor.title.get(view.language))]);
    let (axes, columns) =
        (axes(view, vendor), [Column::text(view.t(texts::DIMENSION)), Column::number(view.t(texts::SCORE))]);
    let rows: Vec<_> = axes.iter().map(|(label, score)| vec![html! { (label) }, html! { (score) }]).collect();
    chart::figure(view, &name, &chart::radar(&name, &axes), &columns, &rows)
}

/// The meaning of the numbers around the charts.
fn key(view: &View) -> Markup {
    html! {
        section.legend {
            p.quiet { (view.t(texts::AXES)) }
            ol.axes { @for dimension in DimensionId::ALL { li { (view.t(dimension.label())) } } }
        }
    }
}

fn card(view: &View, vendor: &Vendor) -> Markup {
    let name = view.fill(texts::SCORES_OF, &[("name", &vendor.title.get(view.language))]);
    html! {
        article.card {
            h2 { a href={ (route::VENDOR_SCORECARD) "/" (vendor.id) } { (vendor.title.get(view.language)) } }
            p { span.figure { (view.decimal(vendor.overall)) } " " span.quiet { "/ 100" } }
            p { (criticality_badge(view, vendor.criticality)) }
            (chart::radar_shape(&name, &axes(view, vendor)))
        }
    }
}

/// The table behind the charts.
fn scores_table(view: &View, vendors: &[&Vendor]) -> Markup {
    let mut columns = vec![Column::text(view.t(texts::VENDOR)), Column::number(view.t(texts::SCORE))];
    columns.extend(DimensionId::ALL.iter().map(|dimension| Column::number(view.t(dimension.label()))));
    let rows: Vec<_> = vendors
        .iter()
        .map(|vendor| {
            let mut cells =
                vec![html! { (vendor.title.get(view.language)) }, html! { (view.decimal(vendor.overall)) }];
            cells.extend(DimensionId::ALL.iter().map(|dimension| html! { (vendor.scores.get(*dimension)) }));
            cells
        })
        .collect();
    table(view.t(texts::VENDORS), &columns, &rows)
}

fn dimensions(view: &View, edition: &Edition) -> Markup {
    let columns = [Column::text(view.t(texts::DIMENSION)), Column::number(view.t(texts::WEIGHT))];
    let rows: Vec<_> = edition
        .dimensions
        .iter()
        .map(|dimension| {
            let name = html! {
                (dimension.title.get(view.language)) br; span.quiet { (dimension.summary.get(view.language)) }
            };
            vec![name, html! { (dimension.weight) }]
        })
        .collect();
    ui::section(view.t(texts::DIMENSION), &table(view.t(texts::DIMENSION), &columns, &rows))
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let vendor = edition.vendors.get(&id).ok_or(PageError::NotFound)?;
    let (t, language) = (|label| visit.t(label), visit.language);
    let title = vendor.title.get(language);
    let points = |label, texts: &[app::catalogue::language::Text]| {
        html! { h2 { (t(label)) } ul.bullets { @for text in texts { li { (text.get(language)) } } } }
    };
    let content = html! {
        (reference::head(&visit, title, vendor.summary.get(language), None))
        div.split {
            div {
                section.card {
                    div.row {
                        span.figure { (visit.decimal(vendor.overall)) } span.quiet { "/ 100" }
                        (criticality_badge(&visit, vendor.criticality))
                    }
                    (points(texts::STRENGTHS, &vendor.strengths))
                    (points(texts::WEAKNESSES, &vendor.weaknesses))
                    h2 { (t(texts::MEASURES)) }
                    (reference::measures(&visit, &edition, vendor.measures.iter().map(|id| &**id)))
                    (reference::provenance(&visit, &vendor.cite, vendor.source.as_deref()))
                }
            }
            div { section.card { (shape(&visit, vendor)) } }
        }
    };
    respond::page(ui::layout::page(&visit, title, &content))
}
