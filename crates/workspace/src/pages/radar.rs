//! The regulatory radar: publications of supervisors and legislators, newest first.

use std::collections::BTreeSet;

use app::catalogue::{
    language::publisher,
    record::Needle,
    signal::{Impact, Signal},
    vocabulary::FrameworkId,
};
use axum::{Router, extract::State, routing::get};
use maud::{Markup, html};

use super::reference::{self, edition};
use crate::{
    Workspace,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{count, reference as texts},
    ui::{
        self,
        chart::{self, Part},
        field::Choice,
        filter,
        pager::counted,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::RADAR, get(show))
}

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let (impact, framework): (Option<Impact>, _) =
        (filter::word(&visit, "impact"), filter::framework(&visit));
    let chosen = |name: &str| visit.query(name).filter(|value| !value.is_empty());
    let (authority, year) = (chosen("authority"), chosen("year"));
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let shown = edition.signals.select(&needle, visit.language, |signal| {
        impact.is_none_or(|impact| signal.impact == impact)
            && framework.is_none_or(|framework| signal.frameworks.contains(&framework))
            && authority.as_ref().is_none_or(|authority| *authority == *signal.authority)
            && year.as_ref().is_none_or(|year| *year == signal.date.year().to_string())
    });
    let authorities: BTreeSet<_> = edition.signals.iter().map(|signal| &*signal.authority).collect();
    let years: BTreeSet<_> = edition.signals.iter().map(|signal| signal.date.year()).collect();
    let authorities: Vec<_> = authorities
        .into_iter()
        .map(|name| Choice::new(name.to_owned(), publisher(name, visit.language)))
        .collect();
    let years: Vec<_> =
        years.into_iter().rev().map(|year| Choice::new(year.to_string(), year.to_string())).collect();
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::PUBLICATION)),
        Column::tight(t(texts::DATE)),
        Column::text(t(texts::AUTHORITY)),
        Column::tight(t(texts::IMPACT)),
    ];
    let rows: Vec<_> = shown.iter().map(|signal| cells(&visit, signal)).collect();
    let content = html! {
        (reference::head(&visit, t(texts::RADAR), t(texts::RADAR_INTRO), None))
        (filter::bar(&visit, &[
            filter::words::<Impact>(&visit, "impact", texts::IMPACT),
            filter::frameworks(&visit, &edition),
            filter::choice(&visit, "authority", texts::AUTHORITY, &authorities),
            filter::choice(&visit, "year", texts::YEAR, &years),
        ]))
        @if shown.is_empty() { (reference::nothing(&visit)) }
        @else {
            (counted(&visit, shown.len() as u64, count::SIGNAL, count::SIGNALS))
            (ui::section(t(texts::BY_IMPACT), &by_impact(&visit, &shown)))
            (table(t(texts::SIGNALS), &columns, &rows))
        }
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

fn cells(view: &View, signal: &Signal) -> Vec<Markup> {
    let language = view.language;
    let frameworks: Vec<_> = signal.frameworks.iter().map(FrameworkId::name).collect();
    vec![
        html! {
            span id=(signal.id) { (signal.title.get(language)) }
            p.hint {
                (signal.topic.get(language)) @if !frameworks.is_empty() { ", " (frameworks.join(", ")) }
            }
            details.more {
                summary.hint { (view.t(texts::MORE)) span.unseen { ": " (signal.title.get(language)) } }
                p.prose { (signal.summary.get(language)) }
                h3 { (view.t(texts::SO_WHAT)) }
                p.prose { (signal.so_what.get(language)) }
                (reference::provenance(view, &signal.cite, signal.proof.url.as_deref().or(signal.source.as_deref())))
            }
        },
        html! { (view.day(signal.date)) },
        html! { (publisher(&signal.authority, view.language)) },
        reference::impact_badge(view, signal.impact),
    ]
}
