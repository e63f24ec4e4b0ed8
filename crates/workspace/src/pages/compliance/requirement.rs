//! The requirements of all frameworks, and one with the measures the catalogue has for it.

use app::catalogue::{
    Edition,
    applicability::{Addressee, Force},
    compliance::Coverage,
    crosswalk::Related,
    framework::Requirement,
    record::Needle,
};
use axum::extract::{Path, State};
use domain::page::Page;
use maud::{Markup, html};

use super::{coverage_filter, framework_address, measure, requirement_address};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::reference::{self, edition},
    respond::{self, Answer},
    texts::{count, record as shared, reference as texts},
    ui::{
        self, filter,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(super) async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let framework = filter::framework(&visit);
    let coverage: Option<Coverage> = filter::word(&visit, "coverage");
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let fits = |requirement: &Requirement| {
        framework.is_none_or(|wanted| requirement.framework == wanted)
            && coverage.is_none_or(|wanted| edition.coverage_of(&requirement.id) == Some(wanted))
    };
    let found = edition.requirements.select(&needle, visit.language, fits);
    let page = Page::cut(found.into_iter(), requested(&visit));
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::REQUIREMENT)),
        Column::tight(t(shared::FRAMEWORK)),
        Column::text(t(texts::COVERAGE)),
    ];
    let rows: Vec<_> = page.items.iter().map(|requirement| cells(&visit, &edition, requirement)).collect();
    let content = html! {
        (reference::head(&visit, t(texts::REQUIREMENTS), t(texts::REQUIREMENTS_INTRO), None))
        (filter::bar(&visit, &[
            filter::frameworks(&visit, &edition),
            coverage_filter(&visit),
        ]))
        @if page.items.is_empty() { (reference::nothing(&visit)) }
        @else {
            (counted(&visit, page.total, count::REQUIREMENT, count::REQUIREMENTS))
            (table(t(texts::REQUIREMENTS), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::REQUIREMENTS), &content))
}

fn cells(view: &View, edition: &Edition, requirement: &Requirement) -> Vec<Markup> {
    let coverage = edition.coverage_of(&requirement.id).map(|coverage| view.t(coverage.label()));
    vec![
        html! {
            a href=(requirement_address(requirement.framework, &requirement.id)) {
                (requirement.number) " " (requirement.title.get(view.language))
            }
            br;
            span.quiet { (requirement.summary.get(view.language)) }
        },
        html! { (requirement.framework.name()) },
        html! { span.hint { (coverage.unwrap_or_default()) } },
    ]
}

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path((framework, id)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    let edition = edition(&workspace)?;
    let found =
        edition.requirements.get(&id).filter(|requirement| requirement.framework.as_str() == framework);
    let requirement = found.ok_or(PageError::NotFound)?;
    let t = |label| visit.t(label);
    let title = format!("{} {}", requirement.number, requirement.title.get(visit.language));
    let measures: Vec<_> = edition.measures_for(&id).collect();
    let back =
        ui::link_button(&framework_address(requirement.framework), &requirement.framework.name(), false);
    let source = requirement.source.as_deref();
    let proven = edition.proven(&requirement.cite, source, &requirement.proof, visit.language);
    let content = html! {
        (reference::head(&visit, &title, &requirement.framework.name(), Some(back)))
        section.card {
            p.prose { (requirement.summary.get(visit.language)) }
            @if let Some(text) = &requirement.explanation {
                p.hint { strong { (t(texts::EXPLANATION)) } " " (text.get(visit.language)) }
            }
            (facts(&visit, &edition, requirement))
            @if !measures.is_empty() { p.hint { (how_many(&visit, measures.len())) } }
            (reference::proven(&visit, &requirement.cite, source, &proven))
        }
        (reference::wording(&visit, &edition, requirement))
        @if !requirement.audit_steps.is_empty() {
            section.card {
                h2 { (t(texts::AUDIT_STEPS)) }
                ol.prose { @for step in &requirement.audit_steps { li { (step.get(visit.language)) } } }
            }
        }
        (related(&visit, &edition, &id))
        @if measures.is_empty() { (ui::empty(t(texts::MEASURES), t(texts::NO_MEASURE), None)) }
        @for found in measures { section.card { (measure::part(&visit, &edition, found, true)) } }
    };
    respond::page(ui::layout::page(&visit, &title, &content))
}

/// For whom the requirement applies, how often, and what it details.
fn facts(visit: &Visit, edition: &Edition, requirement: &Requirement) -> Markup {
    let t = |label| visit.t(label);
    let applies = &requirement.applicability;
    let limits: Vec<&str> = (requirement.applies_to.iter().map(|whom| t(whom.label())))
        .chain(applies.regime.iter().map(|regime| t(regime.label())))
        .chain(applies.entities.iter().map(|kind| t(kind.label())))
        .chain(applies.roles.iter().map(|role| t(role.label())))
        .chain(applies.countries.iter().map(|country| t(country.label())))
        .chain(applies.sizes.iter().map(|size| t(size.label())))
        .chain(applies.limits.iter().map(|limit| t(limit.label())))
        .chain((applies.addressee != Addressee::Entity).then(|| t(applies.addressee.label())))
        .chain((applies.force != Force::Shall).then(|| t(applies.force.label())))
        .collect();
    let basis = requirement.basis.iter().filter_map(|id| edition.requirements.get(id));
    let from =
        edition.valid_from(requirement).map(|day| visit.fill(texts::VALID_FROM, &[("day", &visit.day(day))]));
    let until = requirement.validity.until;
    let until = until.map(|day| visit.fill(texts::VALID_UNTIL, &[("day", &visit.day(day))]));
    let replaced = requirement.validity.superseded_by.as_deref().and_then(|id| edition.requirements.get(id));
    html! {
        @if !limits.is_empty() { p.hint { (limits.join("; ")) } }
        @for text in [from, until].into_iter().flatten() { p.hint { (text) } }
        @if let Some(by) = replaced {
            p.hint {
                (t(texts::SUPERSEDED_BY)) " "
                a href=(requirement_address(by.framework, &by.id)) { (by.number) " " (by.title.get(visit.language)) }
            }
        }
        @if let Some(cadence) = requirement.cadence { p.hint { (t(texts::CADENCE)) ": " (t(cadence.label())) } }
        @for detailed in basis {
            p.hint {
                (t(texts::DETAILS)) " "
                a href=(requirement_address(detailed.framework, &detailed.id)) { (detailed.number) }
            }
        }
    }
}

/// Related requirements of other frameworks, with the author of the relation.
fn related(view: &View, edition: &Edition, id: &str) -> Markup {
    let related: Vec<_> = edition.related_to(id).collect();
    html! {
        @if !related.is_empty() {
            details.card {
                summary { strong { (view.t(texts::RELATED)) } " " span.quiet { (related.len()) } }
                ul.plain {
                    @for Related { requirement, relation, crosswalk, reason } in related {
                        li {
                            (view.t(relation.label())) " "
                            a href=(requirement_address(requirement.framework, &requirement.id)) {
                                (requirement.framework.name()) " " (requirement.number) ": "
                                (requirement.title.get(view.language))
                            }
                            " " span.hint { (reason.get(view.language)) " " (crosswalk.source) ", " (crosswalk.licence) }
                        }
                    }
                }
            }
        }
    }
}

fn how_many(view: &View, measures: usize) -> String {
    match measures {
        1 => view.t(texts::HAS_ONE_MEASURE).to_owned(),
        count => view.fill(texts::HAS_MEASURES, &[("count", &count)]),
    }
}
