//! One requirement, with the measures that meet it and the evidence that shows it.

use axum::extract::{Path, State};
use maud::html;

use super::{coverage_badge, framework_address, measure};
use crate::{
    Workspace,
    oops::Oops,
    pages::reference::{self, edition},
    respond::{self, Answer},
    texts::reference as texts,
    ui,
    visit::Visit,
};

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path((framework, id)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    let edition = edition(&workspace)?;
    let found =
        edition.requirements.get(&id).filter(|requirement| requirement.framework.as_str() == framework);
    let requirement = found.ok_or(Oops::NotFound)?;
    let t = |label| visit.t(label);
    let title = format!("{} {}", requirement.number, requirement.title.get(visit.language));
    let measures: Vec<_> = edition.measures_for(&id).collect();
    let back =
        ui::link_button(&framework_address(requirement.framework), t(requirement.framework.label()), false);
    let content = html! {
        (ui::head(&title, t(requirement.framework.label()), Some(back)))
        section.card {
            @if let Some(coverage) = edition.coverage_of(&id) { div.row { (coverage_badge(&visit, coverage)) } }
            p.prose { (requirement.summary.get(visit.language)) }
            @if let Some(limited) = requirement.applies_to { p.hint { (t(limited.label())) } }
            (reference::provenance(&visit, &requirement.cite, requirement.source.as_deref()))
        }
        @if measures.is_empty() { (ui::empty(t(texts::MEASURES), t(texts::NO_MEASURE), None)) }
        @for found in measures { section.card { (measure::part(&visit, &edition, found, true)) } }
    };
    respond::page(ui::layout::page(&visit, &title, &content))
}
