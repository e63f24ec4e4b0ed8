//! The gap checklist: questions of a supervisor, the target state, and typical gaps. A table for each chapter of a
//! framework, and all of it as a file.

use app::catalogue::{
    Edition,
    gap::{Effort, Gap},
    record::Needle,
};
use axum::extract::{Path, State};
use domain::{framework::Framework, test_case::TestCase, vocabulary::Priority};
use maud::{Markup, html};

use super::{framework_address, gap_address, known, requirement_address};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::{
        file,
        reference::{self, edition},
    },
    respond::{self, Answer},
    texts::{count, record as shared, reference as texts},
    ui::{
        self,
        chart::{self, Part},
        filter,
        pager::counted,
        table::{Column, table},
    },
};

/// Which frameworks have a checklist, and how long each is.
pub(super) async fn overview(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let t = |label| visit.t(label);
    let mut columns = vec![Column::text(t(shared::FRAMEWORK)), Column::number(t(texts::QUESTIONS))];
    columns.extend(Priority::ALL.iter().map(|priority| Column::number(t(priority.label()))));
    let with_gaps = |framework: &Framework| edition.gaps.iter().any(|gap| gap.framework == *framework);
    let frameworks = edition.frameworks.iter().map(|framework| framework.id).filter(with_gaps);
    let rows: Vec<_> = frameworks.map(|framework| sums(&edition, framework)).collect();
    let content = html! {
        (reference::head(&visit, t(texts::GAPS), t(texts::GAPS_INTRO), None))
        (table(t(texts::GAPS), &columns, &rows))
    };
    respond::page(ui::layout::page(&visit, t(texts::GAPS), &content))
}

fn sums(edition: &Edition, framework: Framework) -> Vec<Markup> {
    let own: Vec<_> = edition.gaps.iter().filter(|gap| gap.framework == framework).collect();
    let of = |priority: Priority| own.iter().filter(|gap| gap.priority == priority).count();
    let mut cells =
        vec![html! { a href=(gap_address(framework)) { (framework.name()) } }, html! { (own.len()) }];
    cells.extend(Priority::ALL.iter().map(|priority| html! { (of(*priority)) }));
    cells
}

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path(name): Path<String>,
    visit: Visit,
) -> Answer {
    let edition = edition(&workspace)?;
    let framework = known(&name, &edition)?;
    let (priority, effort): (Option<Priority>, Option<Effort>) =
        (filter::word(&visit, "priority"), filter::word(&visit, "effort"));
    let section = visit.query("section").filter(|id| edition.sections.get(id).is_some());
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let shown = edition.gaps.select(&needle, visit.language, |gap| {
        gap.framework == framework
            && section.as_ref().is_none_or(|wanted| section_of(&edition, gap) == Some(wanted))
            && priority.is_none_or(|wanted| gap.priority == wanted)
            && effort.is_none_or(|wanted| gap.effort == wanted)
    });
    if !edition.gaps.iter().any(|gap| gap.framework == framework) {
        return Err(PageError::NotFound);
    }
    let t = |label| visit.t(label);
    let title = format!("{}: {}", t(texts::GAPS), &framework.name());
    let actions = html! {
        (filter::export_menu(&visit, &html! { li { a href={ (gap_address(framework)) ".csv" } { "CSV" } } }))
        (ui::link_button(&framework_address(framework), t(texts::COMPLIANCE), false))
    };
    let content = html! {
        (reference::head(&visit, &title, t(texts::GAPS_HELP), Some(actions)))
        (filter::bar(&visit, &[
            filter::sections(&visit, &edition, framework),
            filter::words::<Priority>(&visit, "priority", TestCase::PRIORITY.label),
            filter::words::<Effort>(&visit, "effort", texts::EFFORT),
        ]))
        @if shown.is_empty() { (reference::nothing(&visit)) } @else {
            (counted(&visit, shown.len() as u64, count::QUESTION, count::QUESTIONS))
            section.card { (by_priority(&visit, &shown)) }
            (chapters(&visit, &edition, framework, &shown))
        }
    };
    respond::page(ui::layout::page(&visit, &title, &content))
}

/// The whole checklist of a framework, to be filled in elsewhere.
pub(super) async fn table_file(
    State(workspace): State<Workspace>,
    Path(name): Path<String>,
    visit: Visit,
) -> Answer {
    file::csv(workspace.app.report.gaps_file(known(&name, &*edition(&workspace)?)?, visit.language)?)
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
    let columns = [Column::text(view.t(TestCase::PRIORITY.label)), Column::number(view.t(texts::QUESTIONS))];
    let rows: Vec<_> =
        parts.iter().map(|part| vec![html! { (part.label) }, html! { (part.shown) }]).collect();
    chart::figure(view, name, &chart::stack(name, &parts), &columns, &rows)
}

fn section_of<'a>(edition: &'a Edition, gap: &Gap) -> Option<&'a str> {
    edition.requirements.get(&gap.requirement).map(|requirement| &*requirement.section)
}

/// A checklist with more questions than this leaves them to the pages of its chapters.
const LONG: usize = 500;

/// A table for each chapter. Without a filter the chapters are closed and leave out the steps, which would make the
/// page too heavy; each links to itself with them.
fn chapters(view: &View, edition: &Edition, framework: Framework, gaps: &[&Gap]) -> Markup {
    let open = view.address.contains('?');
    let is_brief = !open && gaps.len() > LONG;
    let columns = [
        Column::text(view.t(texts::QUESTION)),
        Column::text(view.t(texts::TARGET)),
        Column::text(view.t(texts::TYPICAL_GAP)),
        Column::tight(view.t(TestCase::PRIORITY.label)),
        Column::tight(view.t(texts::EFFORT)),
    ];
    html! {
        @for section in &edition.sections {
            @let inside = |gap: &&&Gap| section_of(edition, gap) == Some(&*section.id);
            @let rows: Vec<_> = gaps.iter().filter(inside).map(|gap| cells(view, edition, gap, open)).collect();
            @let title = section.title.get(view.language);
            @if !rows.is_empty() {
                details.card open[open] {
                    summary.year { h2 { (title) } span.quiet { (rows.len()) " " (view.t(texts::QUESTIONS)) } }
                    @if !open {
                        p { a href=(format!("{}?section={}", gap_address(framework), section.id)) {
                            (view.t(texts::STEPS_OF_CHAPTER)) span.unseen { ": " (title) }
                        } }
                    }
                    @if !is_brief { (table(title, &columns, &rows)) }
                }
            }
        }
    }
}

fn cells(view: &View, edition: &Edition, gap: &Gap, with_steps: bool) -> Vec<Markup> {
    let language = view.language;
    let requirement = edition.requirements.get(&gap.requirement);
    vec![
        html! {
            span id=(gap.id) {
                @if let Some(requirement) = requirement {
                    a href=(requirement_address(requirement.framework, &requirement.id)) { (requirement.number) } " "
                }
                (gap.title.get(language))
            }
            br;
            span.quiet { (gap.question.get(language)) }
            @if with_steps { (steps(view, edition, gap)) }
        },
        html! { (gap.target.get(language)) },
        html! { (gap.typical_gap.get(language)) },
        reference::priority_badge(view, gap.priority),
        html! { (view.t(gap.effort.label())) },
    ]
}

fn steps(view: &View, edition: &Edition, gap: &Gap) -> Markup {
    let language = view.language;
    let proofs = gap.evidence.iter().filter_map(|id| edition.evidence.get(id));
    let proofs = proofs.map(|proof| proof.title.get(language)).collect::<Vec<_>>();
    html! {
        details {
            summary.hint { (view.t(texts::STEPS)) }
            ol.numbered { @for step in &gap.steps { li { (step.get(language)) } } }
            @if !proofs.is_empty() { p.hint { (view.t(texts::EVIDENCE)) ": " (proofs.join(", ")) } }
        }
    }
}
