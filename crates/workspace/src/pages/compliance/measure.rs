//! One measure: the action, its reason, owner and cadence, its evidence, and every requirement it meets.

use app::catalogue::{Edition, evidence::Evidence, measure::Measure};
use axum::extract::{Path, State};
use maud::{Markup, html};

use super::requirement_address;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::reference::{self, edition, measure_address},
    respond::{self, Answer},
    texts::reference as texts,
    ui::{
        self,
        badge::{Tone, badge},
    },
};

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let measure = edition.measures.get(&id).ok_or(PageError::NotFound)?;
    let title = measure.title.get(visit.language);
    let meets = measure.meets().filter_map(|id| edition.requirements.get(id));
    let content = html! {
        (reference::head(&visit, title, visit.t(measure.pillar.label()), None))
        section.card { (part(&visit, &edition, measure, false)) }
        (ui::section(visit.t(texts::REQUIREMENTS), &html! {
            ul.plain {
                @for requirement in meets {
                    li {
                        a href=(requirement_address(requirement.framework, &requirement.id)) {
                            (requirement.framework.name()) " " (requirement.number) ": "
                            (requirement.title.get(visit.language))
                        }
                    }
                }
            }
        }))
    };
    respond::page(ui::layout::page(&visit, title, &content))
}

/// The measure as a part of a page; `named` where the page is not its own.
pub(super) fn part(view: &View, edition: &Edition, measure: &Measure, named: bool) -> Markup {
    let (t, language) = (|label| view.t(label), view.language);
    let evidence: Vec<_> = measure.evidence.iter().filter_map(|id| edition.evidence.get(id)).collect();
    html! {
        @if named { h2 { a href=(measure_address(&measure.id)) { (measure.title.get(language)) } } }
        div.row { (reference::priority_badge(view, measure.priority)) @if !named { code { (measure.id) } } }
        p { (measure.summary.get(language)) }
        dl.facts {
            dt { (t(texts::ACTION)) } dd { (measure.action.get(language)) }
            dt { (t(texts::RATIONALE)) } dd { (measure.rationale.get(language)) }
            dt { (t(texts::OWNER)) } dd { (t(measure.owner.label())) }
            dt { (t(texts::CADENCE)) } dd { (t(measure.cadence.label())) }
        }
        h3 { (t(texts::EVIDENCE)) }
        @if evidence.is_empty() { p { (badge(Tone::Warning, t(texts::NO_EVIDENCE))) } }
        ul.steps { @for evidence in evidence { (shown(view, evidence)) } }
        (reference::provenance(view, &measure.cite, measure.source.as_deref()))
    }
}

fn shown(view: &View, evidence: &Evidence) -> Markup {
    let (t, language) = (|label| view.t(label), view.language);
    html! {
        li id=(evidence.id) {
            div {
                strong { (evidence.title.get(language)) }
                p { (evidence.summary.get(language)) }
                p.hint {
                    (t(evidence.kind.label())) ", " (t(evidence.owner.label())) ", " (t(evidence.cadence.label())) ", "
                    (view.fill(texts::RETENTION, &[("years", &evidence.retention_years)]))
                }
            }
        }
    }
}
