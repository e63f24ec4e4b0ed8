//! The regulatory radar: what supervisors say, newest first.

use app::catalogue::signal::{Impact, Signal};
use axum::{Router, extract::State, routing::get};
use domain::vocabulary::Framework;
use maud::{Markup, html};

use super::reference::{self, edition};
use crate::{
    Workspace,
    respond::{self, Answer},
    route,
    texts::{record as shared, reference as texts},
    ui::{
        self,
        chart::{self, Part},
        filter,
        table::Column,
    },
    visit::{View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::RADAR, get(show))
}

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let (impact, framework): (Option<Impact>, Option<Framework>) =
        (filter::word(&visit, "impact"), filter::word(&visit, "framework"));
    let needle = app::catalogue::record::Needle::new(&filter::search(&visit).unwrap_or_default());
    let shown = edition.signals.select(&needle, visit.language, |signal| {
        impact.is_none_or(|impact| signal.impact == impact)
            && framework.is_none_or(|framework| signal.frameworks.contains(&framework))
    });
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::RADAR), t(texts::RADAR_INTRO), None))
        (filter::bar(&visit, &[
            filter::words::<Impact>(&visit, "impact", texts::IMPACT),
            filter::words::<Framework>(&visit, "framework", shared::FRAMEWORK),
        ]))
        @if shown.is_empty() { (ui::empty(t(shared::NOTHING), t(shared::NOTHING_HELP), None)) }
        @else { section.card { (by_impact(&visit, &shown)) } }
        @for signal in shown { (entry(&visit, signal)) }
    };
    respond::page(ui::layout::page(&visit, t(texts::RADAR), &content))
}

fn by_impact(view: &View, signals: &[&Signal]) -> Markup {
    let parts: Vec<_> = Impact::ALL
        .iter()
        .map(|impact| {
            let count = signals.iter().filter(|signal| signal.impact == *impact).count() as u64;
            Part {
                label: view.t(impact.label()).to_owned(),
                weight: count,
                shown: count.to_string(),
                tone: reference::impact_tone(*impact),
            }
        })
        .collect();
    let name = view.t(texts::BY_IMPACT);
    let columns = [Column::text(view.t(texts::IMPACT)), Column::number(view.t(texts::SIGNALS))];
    let rows: Vec<_> =
        parts.iter().map(|part| vec![html! { (part.label) }, html! { (part.shown) }]).collect();
    chart::figure(view, name, &chart::stack(name, &parts), &columns, &rows)
}

fn entry(view: &View, signal: &Signal) -> Markup {
    let frameworks: Vec<_> = signal.frameworks.iter().map(|framework| view.t(framework.label())).collect();
    html! {
        article.card id=(signal.id) {
            div.spread {
                h2 { (signal.title.get(view.language)) }
                (reference::impact_badge(view, signal.impact))
            }
            p.hint {
                (view.day(signal.date)) ", " (signal.authority) ", " (signal.topic.get(view.language))
                @if !frameworks.is_empty() { ", " (frameworks.join(", ")) }
            }
            p.prose { (signal.summary.get(view.language)) }
            h3 { (view.t(texts::SO_WHAT)) }
            p.prose { (signal.so_what.get(view.language)) }
            details {
                summary.hint { (view.t(texts::CITATION)) }
                (reference::provenance(view, &signal.cite, signal.url.as_deref().or(signal.source.as_deref())))
            }
        }
    }
}
