//! Compliance status per framework, down to requirement, measure and evidence.

use app::catalogue::{
    Edition,
    compliance::{Coverage, Tally},
    gap::Gap,
    measure::Measure,
};
use axum::{
    Router,
    extract::{Path, State},
    routing::get,
};
use domain::vocabulary::{Framework, Vocabulary as _};
use maud::{Markup, html};

use super::reference::{self, edition, measure_address};
use crate::{
    Workspace,
    charts::{self, Bar},
    oops::Oops,
    respond::{self, Answer},
    route,
    texts::reference as texts,
    ui::{
        self,
        badge::{Tone, badge},
        table::{Column, table},
    },
    visit::{View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::COMPLIANCE, get(overview))
        .route(&format!("{}/{{framework}}", route::COMPLIANCE), get(one_framework))
        .route(&format!("{}/{{framework}}/{{requirement}}", route::COMPLIANCE), get(requirement))
        .route(&format!("{}/measures/{{id}}", route::COMPLIANCE), get(measure))
}

fn framework_address(framework: Framework) -> String {
    format!("{}/{framework}", route::COMPLIANCE)
}

fn requirement_address(framework: Framework, requirement: &str) -> String {
    format!("{}/{framework}/{requirement}", route::COMPLIANCE)
}

fn coverage_badge(view: &View, coverage: Coverage) -> Markup {
    let tone = match coverage {
        Coverage::Covered => Tone::Good,
        Coverage::Partial => Tone::Warning,
        Coverage::Gap => Tone::Critical,
    };
    badge(tone, view.t(coverage.label()))
}

fn share(view: &View, tally: Tally) -> String {
    view.fill(texts::COVERAGE_OF, &[("covered", &tally.covered), ("total", &tally.requirements)])
}

fn bar(view: &View, label: &str, tally: Tally) -> Bar {
    Bar {
        label: label.to_owned(),
        percent: charts::percent(tally.covered, tally.requirements),
        shown: view.percent(tally.coverage_pct()),
        tone: if tally.gap > 0 { Tone::Warning } else { Tone::Good },
    }
}

async fn overview(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let t = |label| visit.t(label);
    let statuses = &edition.compliance.frameworks;
    let mut bars: Vec<_> =
        statuses.iter().map(|status| bar(&visit, t(status.framework.label()), status.tally)).collect();
    bars.push(bar(&visit, t(texts::OVERALL), edition.compliance.overall));
    let columns = [
        Column::text(t(crate::texts::record::FRAMEWORK)),
        Column::number(t(texts::REQUIREMENTS)),
        Column::number(t(texts::COVERED)),
        Column::number(t(texts::PARTIAL)),
        Column::number(t(texts::GAP)),
    ];
    let rows: Vec<_> = statuses
        .iter()
        .map(|status| {
            let name = html! { a href=(framework_address(status.framework)) { (t(status.framework.label())) } };
            tallied(name, status.tally)
        })
        .collect();
    let content = html! {
        (ui::head(t(texts::COMPLIANCE), t(texts::COMPLIANCE_INTRO), None))
        (ui::section(t(texts::COVERAGE), &html! {
            (charts::bars(t(texts::COVERAGE), &bars, None))
            (table(t(texts::COMPLIANCE), &columns, &rows))
        }))
    };
    respond::page(ui::layout::page(&visit, t(texts::COMPLIANCE), &content))
}

fn tallied(name: Markup, tally: Tally) -> Vec<Markup> {
    vec![
        name,
        html! { (tally.requirements) },
        html! { (tally.covered) },
        html! { (tally.partial) },
        html! { (tally.gap) },
    ]
}

async fn one_framework(
    State(workspace): State<Workspace>,
    Path(name): Path<String>,
    visit: Visit,
) -> Answer {
    let framework = Framework::find(&name).ok_or(Oops::NotFound)?;
    let edition = edition(&workspace)?;
    let status = edition.compliance.framework(framework).ok_or(Oops::NotFound)?;
    let t = |label| visit.t(label);
    let about = edition.frameworks.get(framework.as_str());
    let title = about.map_or(t(framework.label()), |about| about.title.get(visit.language));
    let gaps: Vec<_> = edition.gaps.iter().filter(|gap| gap.framework == framework).collect();
    let content = html! {
        (ui::head(title, &share(&visit, status.tally), None))
        @if let Some(about) = about {
            section.card {
                p.prose { (about.summary.get(visit.language)) }
                dl.facts { dt { (t(texts::VERSION)) } dd { (about.version) } }
                (reference::provenance(&visit, &about.cite, about.source.as_deref()))
            }
        }
        @for section in &status.sections { (section_part(&visit, &edition, framework, section)) }
        @if !gaps.is_empty() { (gap_part(&visit, &edition, &gaps)) }
    };
    respond::page(ui::layout::page(&visit, title, &content))
}

fn section_part(
    view: &View,
    edition: &Edition,
    framework: Framework,
    status: &app::catalogue::compliance::SectionStatus,
) -> Markup {
    let title = edition.sections.get(&status.section).map_or("", |section| section.title.get(view.language));
    let of_section =
        edition.requirements_of(framework).filter(|requirement| requirement.section == status.section);
    html! {
        details.card {
            summary {
                strong { (title) } " "
                span.quiet { (share(view, status.tally)) }
            }
            ul.steps {
                @for requirement in of_section {
                    li {
                        div {
                            a href=(requirement_address(framework, &requirement.id)) {
                                (requirement.number) " " (requirement.title.get(view.language))
                            }
                            p.hint { (requirement.summary.get(view.language)) }
                        }
                        @if let Some(coverage) = edition.coverage_of(&requirement.id) { (coverage_badge(view, coverage)) }
                    }
                }
            }
        }
    }
}

fn gap_part(view: &View, edition: &Edition, gaps: &[&Gap]) -> Markup {
    let parts = html! {
        p { (view.t(texts::GAPS_HELP)) }
        @for gap in gaps {
            details {
                summary { (gap.title.get(view.language)) " " (reference::priority_badge(view, gap.priority)) }
                dl.facts {
                    dt { (view.t(texts::QUESTION)) } dd { (gap.question.get(view.language)) }
                    dt { (view.t(texts::TARGET)) } dd { (gap.target.get(view.language)) }
                    dt { (view.t(texts::TYPICAL_GAP)) } dd { (gap.typical_gap.get(view.language)) }
                    dt { (view.t(texts::EFFORT)) } dd { (view.t(gap.effort.label())) }
                    dt { (view.t(texts::MEASURES)) }
                    dd { (reference::measures(view, edition, gap.measures.iter().map(|id| &**id))) }
                }
            }
        }
    };
    ui::section(view.t(texts::GAPS), &parts)
}

async fn requirement(
    State(workspace): State<Workspace>,
    Path((framework, id)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    let edition = edition(&workspace)?;
    let found = edition.requirements.get(&id).filter(|requirement| requirement.framework.as_str() == framework);
    let requirement = found.ok_or(Oops::NotFound)?;
    let t = |label| visit.t(label);
    let title = format!("{} {}", requirement.number, requirement.title.get(visit.language));
    let measures: Vec<_> = edition.measures_for(&id).collect();
    let content = html! {
        (ui::head(&title, t(requirement.framework.label()), None))
        section.card {
            @if let Some(coverage) = edition.coverage_of(&id) { div.row { (coverage_badge(&visit, coverage)) } }
            p.prose { (requirement.summary.get(visit.language)) }
            (reference::provenance(&visit, &requirement.cite, requirement.source.as_deref()))
        }
        @if measures.is_empty() { (ui::empty(t(texts::MEASURES), t(texts::NO_MEASURE), None)) }
        @for measure in measures { section.card { (measure_part(&visit, &edition, measure, true)) } }
    };
    respond::page(ui::layout::page(&visit, &title, &content))
}

async fn measure(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let measure = edition.measures.get(&id).ok_or(Oops::NotFound)?;
    let title = measure.title.get(visit.language);
    let meets: Vec<_> = measure.meets().filter_map(|id| edition.requirements.get(id)).collect();
    let content = html! {
        (ui::head(title, visit.t(measure.pillar.label()), None))
        section.card { (measure_part(&visit, &edition, measure, false)) }
        (ui::section(visit.t(texts::REQUIREMENTS), &html! {
            ul.plain {
                @for requirement in meets {
                    li {
                        a href=(requirement_address(requirement.framework, &requirement.id)) {
                            (visit.t(requirement.framework.label())) " " (requirement.number) ": "
                            (requirement.title.get(visit.language))
                        }
                    }
                }
            }
        }))
    };
    respond::page(ui::layout::page(&visit, title, &content))
}

fn measure_part(view: &View, edition: &Edition, measure: &Measure, linked: bool) -> Markup {
    let (t, language) = (|label| view.t(label), view.language);
    let evidence = measure.evidence.iter().filter_map(|id| edition.evidence.get(id));
    html! {
        @if linked { h2 { a href=(measure_address(&measure.id)) { (measure.title.get(language)) } } }
        div.row { (reference::priority_badge(view, measure.priority)) code { (measure.id) } }
        p { (measure.summary.get(language)) }
        h3 { (t(texts::ACTION)) } p.prose { (measure.action.get(language)) }
        h3 { (t(texts::RATIONALE)) } p.prose { (measure.rationale.get(language)) }
        dl.facts {
            dt { (t(texts::OWNER)) } dd { (t(measure.owner.label())) }
            dt { (t(texts::CADENCE)) } dd { (t(measure.cadence.label())) }
        }
        h3 { (t(texts::EVIDENCE)) }
        ul.steps {
            @for evidence in evidence {
                li {
                    div {
                        strong { (evidence.title.get(language)) }
                        p { (evidence.summary.get(language)) }
                        p.hint {
                            (t(evidence.kind.label())) ", " (t(evidence.cadence.label())) ", "
                            (view.fill(texts::RETENTION, &[("years", &evidence.retention_years)]))
                        }
                    }
                }
            }
        }
        (reference::provenance(view, &measure.cite, measure.source.as_deref()))
    }
}
