//! The gap analysis of one framework: what a supervisor would ask, what good looks like, what is usually missing.

use app::catalogue::{
    Edition,
    gap::{Effort, Gap},
    record::Needle,
};
use axum::extract::{Path, State};
use domain::vocabulary::Priority;
use maud::{Markup, html};

use super::{framework_address, known, nothing, requirement_address};
use crate::{
    Workspace,
    oops::Oops,
    pages::reference::{self, edition},
    respond::{self, Answer},
    texts::{reference as texts, test_case},
    ui::{
        self,
        chart::{self, Part},
        filter,
        table::Column,
    },
    visit::{View, Visit},
};

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path(name): Path<String>,
    visit: Visit,
) -> Answer {
    let (framework, edition) = (known(&name)?, edition(&workspace)?);
    let (priority, effort): (Option<Priority>, Option<Effort>) =
        (filter::word(&visit, "priority"), filter::word(&visit, "effort"));
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let shown = edition.gaps.select(&needle, visit.language, |gap| {
        gap.framework == framework
            && priority.is_none_or(|wanted| gap.priority == wanted)
            && effort.is_none_or(|wanted| gap.effort == wanted)
    });
    if !edition.gaps.iter().any(|gap| gap.framework == framework) {
        return Err(Oops::NotFound);
    }
    let t = |label| visit.t(label);
    let title = format!("{}: {}", t(texts::GAPS), t(framework.label()));
    let back = ui::link_button(&framework_address(framework), t(texts::COMPLIANCE), false);
    let content = html! {
        (ui::head(&title, t(texts::GAPS_HELP), Some(back)))
        (filter::bar(&visit, &[
            filter::words::<Priority>(&visit, "priority", test_case::PRIORITY),
            filter::words::<Effort>(&visit, "effort", texts::EFFORT),
        ]))
        @if shown.is_empty() { (nothing(&visit)) } @else {
            section.card { (by_priority(&visit, &shown)) }
            @for gap in &shown { (entry(&visit, &edition, gap)) }
        }
    };
    respond::page(ui::layout::page(&visit, &title, &content))
}

fn by_priority(view: &View, gaps: &[&Gap]) -> Markup {
    let parts: Vec<_> = Priority::ALL
        .iter()
        .map(|priority| {
            let count = gaps.iter().filter(|gap| gap.priority == *priority).count() as u64;
            Part {
                label: view.t(priority.label()).to_owned(),
                weight: count,
                shown: count.to_string(),
                tone: reference::priority_tone(*priority),
            }
        })
        .collect();
    let name = view.t(texts::GAPS_BY_PRIORITY);
    let columns = [Column::text(view.t(test_case::PRIORITY)), Column::number(view.t(texts::GAPS))];
    let rows: Vec<_> =
        parts.iter().map(|part| vec![html! { (part.label) }, html! { (part.shown) }]).collect();
    chart::figure(view, name, &chart::stack(name, &parts), &columns, &rows)
}

fn entry(view: &View, edition: &Edition, gap: &Gap) -> Markup {
    let (t, language) = (|label| view.t(label), view.language);
    let requirement = edition.requirements.get(&gap.requirement);
    html! {
        details.card id=(gap.id) {
            summary.spread {
                span {
                    @if let Some(requirement) = requirement { span.quiet { (requirement.number) } " " }
                    strong { (gap.title.get(language)) }
                }
                (reference::priority_badge(view, gap.priority))
            }
            dl.facts {
                dt { (t(texts::QUESTION)) } dd { (gap.question.get(language)) }
                dt { (t(texts::TARGET)) } dd { (gap.target.get(language)) }
                dt { (t(texts::TYPICAL_GAP)) } dd { (gap.typical_gap.get(language)) }
                dt { (t(texts::EFFORT)) } dd { (t(gap.effort.label())) }
                @if let Some(requirement) = requirement {
                    dt { (t(texts::REQUIREMENT)) }
                    dd {
                        a href=(requirement_address(requirement.framework, &requirement.id)) {
                            (requirement.number) " " (requirement.title.get(language))
                        }
                    }
                }
                dt { (t(texts::MEASURES)) }
                dd { (reference::measures(view, edition, gap.measures.iter().map(|id| &**id))) }
            }
        }
    }
}
