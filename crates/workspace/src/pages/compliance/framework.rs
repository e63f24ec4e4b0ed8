//! One framework: how far it is covered, section by section, down to each requirement.

use app::catalogue::{
    Edition,
    compliance::{Coverage, SectionStatus},
    framework::Requirement,
    record::Needle,
};
use axum::extract::{Path, State};
use domain::vocabulary::Framework;
use maud::{Markup, html};

use super::{
    coverage_badge, coverage_figure, coverage_filter, coverage_of, gap_address, known, nothing,
    requirement_address,
};
use crate::{
    Workspace,
    oops::Oops,
    pages::reference::{self, edition},
    respond::{self, Answer},
    texts::reference as texts,
    ui::{self, filter},
    visit::{View, Visit},
};

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path(name): Path<String>,
    visit: Visit,
) -> Answer {
    let (framework, edition) = (known(&name)?, edition(&workspace)?);
    let status = edition.compliance.framework(framework).ok_or(Oops::NotFound)?;
    let t = |label| visit.t(label);
    let about = edition.frameworks.get(framework.as_str()).ok_or(Oops::NotFound)?;
    let title = about.title.get(visit.language);
    let has_gaps = edition.gaps.iter().any(|gap| gap.framework == framework);
    let action = has_gaps.then(|| ui::link_button(&gap_address(framework), t(texts::GAPS), false));
    let content = html! {
        (ui::head(title, &coverage_of(&visit, status.tally), action))
        div.split {
            div {
                section.card {
                    p.prose { (about.summary.get(visit.language)) }
                    dl.facts { dt { (t(texts::VERSION)) } dd { (about.version) } }
                    (reference::provenance(&visit, &about.cite, about.source.as_deref()))
                }
            }
            div {
                section.card {
                    h2 { (t(texts::COVERAGE)) }
                    (coverage_figure(&visit, title, t(framework.label()), status.tally))
                }
            }
        }
        (filter::bar(&visit, &[coverage_filter(&visit)]))
        (sections(&visit, &edition, framework, &status.sections))
    };
    respond::page(ui::layout::page(&visit, title, &content))
}

fn sections(view: &View, edition: &Edition, framework: Framework, all: &[SectionStatus]) -> Markup {
    let coverage: Option<Coverage> = filter::word(view, "coverage");
    let sought = filter::search(view);
    let needle = Needle::new(sought.as_deref().unwrap_or_default());
    let shown = edition.requirements.select(&needle, view.language, |requirement| {
        requirement.framework == framework
            && coverage.is_none_or(|wanted| edition.coverage_of(&requirement.id) == Some(wanted))
    });
    // Who looks for something wants to see it; who only looks gets an overview.
    let open = coverage.is_some() || sought.is_some();
    let parts = all.iter().filter_map(|status| {
        let own: Vec<_> =
            shown.iter().copied().filter(|requirement| requirement.section == status.section).collect();
        (!own.is_empty()).then(|| section(view, edition, status, &own, open))
    });
    html! {
        @if shown.is_empty() { (nothing(view)) }
        @for part in parts { (part) }
    }
}

fn section(
    view: &View,
    edition: &Edition,
    status: &SectionStatus,
    requirements: &[&Requirement],
    open: bool,
) -> Markup {
    let title = edition.sections.get(&status.section).map_or("", |section| section.title.get(view.language));
    html! {
        details.card open[open] {
            summary { strong { (title) } " " span.quiet { (coverage_of(view, status.tally)) } }
            ul.steps.tall { @for requirement in requirements { (entry(view, edition, requirement)) } }
        }
    }
}

fn entry(view: &View, edition: &Edition, requirement: &Requirement) -> Markup {
    html! {
        li {
            div {
                a href=(requirement_address(requirement.framework, &requirement.id)) {
                    (requirement.number) " " (requirement.title.get(view.language))
                }
                p.hint { (requirement.summary.get(view.language)) }
            }
            @if let Some(coverage) = edition.coverage_of(&requirement.id) { (coverage_badge(view, coverage)) }
        }
    }
}
