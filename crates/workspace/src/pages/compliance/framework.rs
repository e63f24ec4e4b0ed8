//! One framework: what the catalogue contains for it, chapter by chapter, down to each requirement.

use app::catalogue::{
    Edition,
    compliance::{Coverage, SectionStatus, Tally},
    framework::Requirement,
    record::Needle,
};
use axum::extract::{Path, State};
use domain::framework::Framework;
use maud::{Markup, html};

use super::{
    coverage_figure, coverage_filter, coverage_of, coverage_tone, gap_address, known, requirement_address,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::reference::{self, edition},
    respond::{self, Answer},
    texts::reference as texts,
    ui::{
        self,
        chart::{self, Part, Stack},
        filter,
        table::Column,
    },
};

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path(name): Path<String>,
    visit: Visit,
) -> Answer {
    let edition = edition(&workspace)?;
    let framework = known(&name, &edition)?;
    let status = edition.compliance.framework(framework).ok_or(PageError::NotFound)?;
    let t = |label| visit.t(label);
    let about = edition.frameworks.get(framework.as_str()).ok_or(PageError::NotFound)?;
    let title = about.title.get(visit.language);
    let proven = edition.proven(&about.cite, about.source.as_deref(), &about.proof, visit.language);
    let has_gaps = edition.gaps.iter().any(|gap| gap.framework == framework);
    let action = has_gaps.then(|| ui::link_button(&gap_address(framework), t(texts::GAPS), false));
    let content = html! {
        (reference::head(&visit, title, &coverage_of(&visit, status.tally), action))
        div.split {
            div {
                section.card {
                    p.prose { (about.summary.get(visit.language)) }
                    dl.facts { dt { (t(texts::VERSION)) } dd { (about.version) } }
                    (reference::proven(&visit, &about.cite, about.source.as_deref(), &proven))
                }
            }
            div {
                section.card {
                    h2 { (t(texts::COVERAGE)) }
                    (coverage_figure(&visit, title, t(texts::COVERAGE_SHARE), status.tally))
                }
            }
        }
        (ui::section(t(texts::BY_CHAPTER), &by_chapter(&visit, &edition, &status.sections)))
        (filter::bar(&visit, &[coverage_filter(&visit)]))
        (sections(&visit, &edition, framework, &status.sections))
    };
    respond::page(ui::layout::page(&visit, title, &content))
}

/// Every chapter as a bar of three parts, with a table of its numbers.
fn by_chapter(view: &View, edition: &Edition, all: &[SectionStatus]) -> Markup {
    let title = |id: &str| edition.sections.get(id).map_or("", |section| section.title.get(view.language));
    let part = |(coverage, count): (Coverage, u64)| Part {
        label: view.t(coverage.label()).to_owned(),
        weight: count,
        shown: count.to_string(),
        tone: coverage_tone(coverage),
    };
    let stacks: Vec<_> = all
        .iter()
        .map(|SectionStatus { section, tally }| Stack {
            label: title(section).to_owned(),
            parts: counts(tally).map(part).into(),
            shown: view
                .fill(texts::COVERED_OF, &[("covered", &tally.covered), ("total", &tally.requirements)]),
        })
        .collect();
    let mut columns = vec![Column::text(view.t(texts::SECTION))];
    columns.extend(Coverage::ALL.iter().map(|coverage| Column::number(view.t(coverage.label()))));
    let row = |SectionStatus { section, tally }: &SectionStatus| {
        let mut cells = vec![html! { (title(section)) }];
        cells.extend(counts(tally).map(|(_, count)| html! { (count) }));
        cells
    };
    let rows: Vec<_> = all.iter().map(row).collect();
    let name = view.t(texts::BY_CHAPTER);
    chart::figure(view, name, &chart::stacks(name, &stacks), &columns, &rows)
}

fn counts(tally: &Tally) -> [(Coverage, u64); 3] {
    [(Coverage::Covered, tally.covered), (Coverage::Partial, tally.partial), (Coverage::Gap, tally.gap)]
}

fn sections(view: &View, edition: &Edition, framework: Framework, all: &[SectionStatus]) -> Markup {
    let coverage: Option<Coverage> = filter::word(view, "coverage");
    let sought = filter::search(view);
    let needle = Needle::new(sought.as_deref().unwrap_or_default());
    let shown = edition.requirements.select(&needle, view.language, |requirement| {
        requirement.framework == framework
            && coverage.is_none_or(|wanted| edition.coverage_of(&requirement.id) == Some(wanted))
    });
    // A search opens the chapters with matches; without one they stay closed.
    let open = coverage.is_some() || sought.is_some();
    let parts = all.iter().filter_map(|status| {
        let own: Vec<_> =
            shown.iter().copied().filter(|requirement| requirement.section == status.section).collect();
        (!own.is_empty()).then(|| section(view, edition, status, &own, open))
    });
    html! {
        @if shown.is_empty() { (reference::nothing(view)) }
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
            summary {
                strong { (title) } " "
                span.quiet { (view.fill(texts::COVERED_OF, &[
                    ("covered", &status.tally.covered), ("total", &status.tally.requirements),
                ])) " " (view.t(texts::COVERAGE_SHARE)) }
            }
            ul.steps.tall { @for requirement in requirements { (entry(view, edition, requirement, open)) } }
        }
    }
}

/// A closed chapter contains titles only: the summaries of a large act would make the page too heavy.
fn entry(view: &View, edition: &Edition, requirement: &Requirement, with_summary: bool) -> Markup {
    html! {
        li {
            div {
                a href=(requirement_address(requirement.framework, &requirement.id)) {
                    (requirement.number) " " (requirement.title.get(view.language))
                }
                @if with_summary { p.hint { (requirement.summary.get(view.language)) } }
            }
            @if let Some(coverage) = edition.coverage_of(&requirement.id) {
                span.hint { (view.t(coverage.label())) }
            }
        }
    }
}
