//! The regulatory radar: what supervisors say, newest first.

use app::catalogue::signal::{Impact, Signal};
use axum::{Router, extract::State, routing::get};
use domain::vocabulary::{Framework, Vocabulary as _};
use maud::{Markup, html};

use super::reference::{self, edition};
use crate::{
    Workspace,
    respond::{self, Answer},
    route,
    texts::{record as shared, reference as texts},
    ui::{self, filter},
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
        @for signal in shown { (entry(&visit, signal)) }
    };
    respond::page(ui::layout::page(&visit, t(texts::RADAR), &content))
}

fn entry(view: &View, signal: &Signal) -> Markup {
    let frameworks: Vec<_> = signal.frameworks.iter().map(|framework| view.t(framework.label())).collect();
    html! {
        article.card id=(signal.id) {
            div.row {
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
