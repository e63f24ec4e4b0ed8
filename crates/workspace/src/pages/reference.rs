//! Shared by the pages of the catalogue.

mod wording;

use app::{
    catalogue::{
        Edition,
        proof::{Grade, Proven},
        risk::Level,
        signal::Impact,
        vocabulary::Difficulty,
    },
    search::Kind,
};
use domain::{vocabulary::Priority, wording::Label};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::View,
    route,
    texts::{record as shared, reference as texts},
    ui::{
        self,
        badge::{Tone, badge},
        icon,
    },
};

pub(super) use self::wording::wording;

/// The catalogue in use.
pub(super) fn edition(workspace: &Workspace) -> Result<std::sync::Arc<Edition>, PageError> {
    Ok(workspace.app.catalogue()?)
}

/// The header of a page of the library, which names the kind of page.
pub(super) fn head(view: &View, title: &str, intro: &str, action: Option<Markup>) -> Markup {
    html! {
        (ui::head(title, intro, action))
        p.is-reference { (icon::BOOK.render()) " " (view.t(texts::IS_REFERENCE)) }
    }
}

/// The text of a list without matches.
pub(super) fn nothing(view: &View) -> Markup {
    ui::empty(view.t(shared::NOTHING), view.t(shared::NOTHING_HELP), None)
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

pub(super) fn impact_tone(impact: Impact) -> Tone {
    match impact {
        Impact::High => Tone::Warning,
        Impact::Medium => Tone::Notice,
        Impact::Low => Tone::Neutral,
    }
}

pub(super) fn impact_badge(view: &View, impact: Impact) -> Markup {
    badge(impact_tone(impact), view.t(impact.label()))
}

pub(super) fn priority_tone(priority: Priority) -> Tone {
    match priority {
        Priority::Critical => Tone::Critical,
        Priority::High => Tone::Warning,
        Priority::Medium => Tone::Notice,
        Priority::Low => Tone::Neutral,
    }
}

pub(super) fn priority_badge(view: &View, priority: Priority) -> Markup {
    badge(priority_tone(priority), view.t(priority.label()))
}

pub(super) fn difficulty_badge(view: &View, difficulty: Difficulty) -> Markup {
    let tone = match difficulty {
        Difficulty::Basic => Tone::Good,
        Difficulty::Intermediate => Tone::Notice,
        Difficulty::Advanced => Tone::Warning,
    };
    badge(tone, view.t(difficulty.label()))
}

/// The name of a kind of record.
pub(super) fn kind_name(kind: Kind) -> Label {
    match kind {
        Kind::Framework => crate::texts::record::FRAMEWORK,
        Kind::Section => texts::SECTION,
        Kind::Requirement => texts::REQUIREMENT,
        Kind::Reference => texts::ACT,
        Kind::Measure => texts::MEASURE,
        Kind::Evidence => texts::EVIDENCE,
        Kind::Category => texts::CATEGORY,
        Kind::Risk => texts::RISK,
        Kind::Dimension => texts::DIMENSION,
        Kind::Vendor => texts::VENDOR,
        Kind::Drill => texts::DRILL,
        Kind::Gap => texts::GAP_ITEM,
        Kind::Milestone => texts::MILESTONE,
        Kind::Signal => texts::SIGNAL,
        Kind::Training => texts::TRAINING_MODULE,
        Kind::Question => texts::QUESTION,
        Kind::Widget => texts::WIDGET,
        Kind::Clock => texts::CLOCK,
        Kind::Provider => texts::PROVIDER,
        Kind::Act => texts::LEGAL_SOURCE,
        Kind::Crosswalk => texts::CROSSWALK,
        Kind::Change => texts::CHANGE,
    }
}

pub(super) fn measure_address(id: &str) -> String {
    format!("{}/measures/{id}", route::COMPLIANCE)
}

/// Measures by their titles, each linking to its page.
pub(super) fn measures<'m>(view: &View, edition: &Edition, ids: impl Iterator<Item = &'m str>) -> Markup {
    html! {
        ul.plain {
            @for measure in ids.filter_map(|id| edition.measures.get(id)) {
                li { a href=(measure_address(&measure.id)) { (measure.title.get(view.language)) } }
            }
        }
    }
}

/// The sources of a record, with a link to the official text of the act it cites.
pub(super) fn proven(view: &View, cite: &str, source: Option<&str>, proven: &Proven<'_>) -> Markup {
    let t = |label| view.t(label);
    html! {
        dl.facts {
            dt { (t(texts::CITATION)) } dd { (view.citation(cite)) }
            @if let Some(url) = &proven.url {
                dt { (t(texts::OFFICIAL_TEXT)) }
                dd.where {
                    a href=(url) rel="noreferrer" {
                        (proven.act.map_or(url.as_str(), |act| act.title.get(view.language)))
                    }
                }
            }
            @if let Some(source) = source { dt { (t(texts::SOURCE)) } dd.where { (source) } }
            @if proven.grade != Grade::Primary { dt { (t(texts::RESTS_ON)) } dd { (t(proven.grade.label())) } }
            @if let Some(day) = proven.verified_on { dt { (t(texts::VERIFIED_ON)) } dd { (view.day(day)) } }
        }
    }
}

/// The source of a record of the catalogue. External links open as the reader chooses.
pub(super) fn provenance(view: &View, cite: &str, source: Option<&str>) -> Markup {
    html! {
        dl.facts {
            dt { (view.t(texts::CITATION)) } dd { (view.citation(cite)) }
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
