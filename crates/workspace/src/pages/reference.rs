//! What the pages of the catalogue share.

use app::catalogue::{Edition, risk::Level, signal::Impact};
use domain::vocabulary::Priority;
use maud::{Markup, html};

use crate::{
    Workspace,
    oops::Oops,
    route,
    texts::reference as texts,
    ui::badge::{Tone, badge},
    visit::View,
};

/// The catalogue in use.
pub(super) fn edition(workspace: &Workspace) -> Result<std::sync::Arc<Edition>, Oops> {
    Ok(workspace.app.catalogue()?)
}

pub(super) fn level_tone(level: Level) -> Tone {
    match level {
        Level::Critical => Tone::Critical,
        Level::High => Tone::Warning,
        Level::Medium => Tone::Notice,
        Level::Low => Tone::Good,
    }
}

pub(super) fn level_badge(view: &View, level: Level) -> Markup {
    badge(level_tone(level), view.t(level.label()))
}

pub(super) fn impact_badge(view: &View, impact: Impact) -> Markup {
    let tone = match impact {
        Impact::High => Tone::Warning,
        Impact::Medium => Tone::Notice,
        Impact::Low => Tone::Neutral,
    };
    badge(tone, view.t(impact.label()))
}

pub(super) fn priority_badge(view: &View, priority: Priority) -> Markup {
    super::record::priority_badge(view, priority)
}

pub(super) fn measure_address(id: &str) -> String {
    format!("{}/measures/{id}", route::COMPLIANCE)
}

/// Measures by their titles, each leading to its page.
pub(super) fn measures<'m>(view: &View, edition: &Edition, ids: impl Iterator<Item = &'m str>) -> Markup {
    html! {
        ul.plain {
            @for measure in ids.filter_map(|id| edition.measures.get(id)) {
                li { a href=(measure_address(&measure.id)) { (measure.title.get(view.language)) } }
            }
        }
    }
}

/// Where a record of the catalogue comes from. Addresses lead outside and open as a reader chooses.
pub(super) fn provenance(view: &View, cite: &str, source: Option<&str>) -> Markup {
    html! {
        dl.facts {
            dt { (view.t(texts::CITATION)) } dd { (cite) }
            @if let Some(source) = source {
                dt { (view.t(texts::SOURCE)) }
                dd.where {
                    @if source.starts_with("https://") { a href=(source) rel="noreferrer" { (source) } }
                    @else { (source) }
                }
            }
        }
    }
}
