//! One requirement, with the measures that meet it and the evidence that shows it.

use app::catalogue::{
    Edition,
    applicability::{Addressee, Force},
    framework::Requirement,
};
use axum::extract::{Path, State};
use maud::{Markup, html};

use super::{coverage_badge, framework_address, measure, requirement_address};
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
            (facts(&visit, &edition, requirement))
            (reference::provenance(&visit, &requirement.cite, requirement.source.as_deref()))
        }
        @if !requirement.audit_steps.is_empty() {
            section.card {
                h2 { (t(texts::AUDIT_STEPS)) }
                ol.prose { @for step in &requirement.audit_steps { li { (step.get(visit.language)) } } }
            }
        }
        @if measures.is_empty() { (ui::empty(t(texts::MEASURES), t(texts::NO_MEASURE), None)) }
        @for found in measures { section.card { (measure::part(&visit, &edition, found, true)) } }
    };
    respond::page(ui::layout::page(&visit, &title, &content))
}

/// For whom the requirement holds, how often, and what it details.
fn facts(visit: &Visit, edition: &Edition, requirement: &Requirement) -> Markup {
    let t = |label| visit.t(label);
    let applies = &requirement.applicability;
    let limits: Vec<&str> = (requirement.applies_to.iter().map(|whom| t(whom.label())))
        .chain(applies.regime.iter().map(|regime| t(regime.label())))
        .chain(applies.entities.iter().map(|kind| t(kind.label())))
        .chain(applies.sizes.iter().map(|size| t(size.label())))
        .chain((applies.addressee != Addressee::Entity).then(|| t(applies.addressee.label())))
        .chain((applies.force != Force::Shall).then(|| t(applies.force.label())))
        .collect();
    let basis = requirement.basis.iter().filter_map(|id| edition.requirements.get(id));
    html! {
        @if !limits.is_empty() { p.hint { (limits.join("; ")) } }
        @if let Some(cadence) = requirement.cadence { p.hint { (t(texts::CADENCE)) ": " (t(cadence.label())) } }
        @for detailed in basis {
            p.hint {
                (t(texts::DETAILS)) " "
                a href=(requirement_address(detailed.framework, &detailed.id)) { (detailed.number) }
            }
        }
    }
}
