//! Drill scenarios: the list, and one. Its script and the expected results are for those who prepare it.

use app::catalogue::{
    Edition,
    drill::{Drill, DrillFilter, Inject, Judged, Score, Solution},
    record::Needle,
    vocabulary::Difficulty,
};
use axum::{
    Router,
    extract::{Path, State},
    routing::get,
};
use domain::{
    clock::Span,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::reference::{self, difficulty_badge, edition};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{count, drill_run, reference as texts},
    ui::{
        self, filter,
        pager::counted,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::DRILLS, get(list)).route(&format!("{}/{{id}}", route::DRILLS), get(show))
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let wanted = DrillFilter { difficulty: filter::word(&visit, "difficulty") };
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let shown = edition.drills.select(&needle, visit.language, |drill| wanted.keeps(drill));
    let t = |label| visit.t(label);
    let columns = [Column::text(t(texts::DRILLS)), Column::tight(t(texts::DIFFICULTY))];
    let rows: Vec<_> = shown.iter().map(|drill| cells(&visit, drill)).collect();
    let content = html! {
        (reference::head(&visit, t(texts::DRILLS), t(texts::DRILLS_INTRO),
            Some(ui::link_button(route::DRILL_RUNS, t(drill_run::TITLE), false))))
        (filter::bar(&visit, &[filter::words::<Difficulty>(&visit, "difficulty", texts::DIFFICULTY)]))
        @if shown.is_empty() { (reference::nothing(&visit)) }
        @else {
            (counted(&visit, shown.len() as u64, count::DRILL, count::DRILLS))
            (table(t(texts::DRILLS), &columns, &rows))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::DRILLS), &content))
}

fn cells(view: &View, drill: &Drill) -> Vec<Markup> {
    vec![
        html! {
            a href={ (route::DRILLS) "/" (drill.id) } { (drill.title.get(view.language)) }
            br;
            span.quiet { (drill.summary.get(view.language)) }
        },
        html! {
            (difficulty_badge(view, drill.difficulty))
            p.hint { (view.fill(texts::DURATION, &[("minutes", &drill.duration_minutes)])) }
        },
    ]
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let drill = edition.drills.get(&id).ok_or(PageError::NotFound)?;
    let (t, language) = (|label| visit.t(label), visit.language);
    let title = drill.title.get(language);
    let plan = visit.may(Resource::DrillRuns, Right::Write).then(|| {
        let address = format!("{}?scenario={}", route::NEW_DRILL_RUN, drill.id);
        ui::link_button(&address, t(drill_run::NEW), true)
    });
    // A person who takes part in a run reads the script and the expected results only after it.
    let may_prepare = visit.caller().may_prepare_drills()
        && !workspace.app.resilience.practises(visit.caller(), &drill.id).await?;
    let participants: Vec<_> = drill.participants.iter().map(|role| t(role.label())).collect();
    let content = html! {
        (reference::head(&visit, title, drill.summary.get(language), plan))
        section.card {
            div.row {
                (difficulty_badge(&visit, drill.difficulty))
                span.quiet { (visit.fill(texts::DURATION, &[("minutes", &drill.duration_minutes)])) }
            }
            dl.facts {
                dt { (t(texts::OBJECTIVE)) } dd { (drill.objective.get(language)) }
                dt { (t(texts::PARTICIPANTS)) } dd { (participants.join(", ")) }
            }
        }
        @if may_prepare { (prepared(&visit, &edition, drill)) }
        @else { (ui::section(t(texts::FOR_LEADS), &html! { p { (t(texts::FOR_LEADS_HELP)) } })) }
        (ui::section(t(texts::MEASURES), &html! {
            (reference::measures(&visit, &edition, drill.measures.iter().map(|id| &**id)))
            (reference::provenance(&visit, &drill.cite, drill.source.as_deref()))
        }))
    };
    respond::page(ui::layout::page(&visit, title, &content))
}

/// The script of the drill and the expected results, which participants must not read beforehand.
fn prepared(view: &View, edition: &Edition, drill: &Drill) -> Markup {
    let t = |label| view.t(label);
    html! {
        (ui::section(t(texts::INJECTS), &injects(view, drill)))
        (ui::section(t(texts::TASKS), &tasks(view, drill)))
        @if !drill.clocks.is_empty() { (ui::section(t(texts::CLOCKS), &clocks(view, edition, drill))) }
        (ui::section(t(texts::SUCCESS), &html! {
            ol.numbered { @for criterion in &drill.success_criteria { li { (criterion.get(view.language)) } } }
        }))
        (ui::section(t(texts::FACILITATOR), &html! {
            ul.bullets { @for note in &drill.facilitator { li { (note.get(view.language)) } } }
        }))
        @if let Some(solution) = &drill.solution {
            (ui::section(t(texts::SOLUTION), &solved(view, edition, solution)))
        }
        (ui::section(t(texts::SCORING), &scoring(view, drill)))
    }
}

/// The model solution: classification, report deadlines and decisions.
fn solved(view: &View, edition: &Edition, solution: &Solution) -> Markup {
    let t = |label| view.t(label);
    let columns = [
        Column::text(t(texts::CRITERION)),
        Column::tight(t(texts::JUDGEMENT)),
        Column::text(t(texts::REASON)),
    ];
    let row = |judged: &Judged| {
        vec![
            html! { (t(judged.criterion.label())) },
            html! { (t(judged.judgement.label())) },
            html! { (judged.reason.get(view.language)) },
        ]
    };
    let rows: Vec<_> = solution.classification.iter().map(row).collect();
    html! {
        p.prose { (solution.result.get(view.language)) }
        @if !rows.is_empty() { (table(t(texts::SOLUTION), &columns, &rows)) }
        @if !solution.due.is_empty() {
            h3 { (t(texts::DUE_TIMES)) }
            dl.facts {
                @for due in &solution.due {
                    @if let Some(clock) = edition.clocks.get(&due.clock) {
                        dt { (clock.title.get(view.language)) } dd { (due.at.get(view.language)) }
                    }
                }
            }
        }
        h3 { (t(texts::DECISIONS)) }
        ol.numbered { @for decision in &solution.decisions { li { (decision.get(view.language)) } } }
    }
}

fn scoring(view: &View, drill: &Drill) -> Markup {
    let columns = [Column::text(view.t(texts::SUCCESS)), Column::number(view.t(texts::POINTS))];
    let row = |line: &Score| vec![html! { (line.text.get(view.language)) }, html! { (line.points) }];
    let rows: Vec<_> = drill.scoring.iter().map(row).collect();
    table(view.t(texts::SCORING), &columns, &rows)
}

/// Each inject with its minute.
fn injects(view: &View, drill: &Drill) -> Markup {
    let name = |inject: &Inject| view.fill(texts::AT_MINUTE, &[("minute", &inject.at_minute)]);
    html! {
        p.hint { (view.t(texts::INJECTS_HELP)) }
        ol.history {
            @for inject in &drill.injects {
                li {
                    strong { (name(inject)) " " span.quiet { (clock_time(inject.at_minute)) } }
                    p { (inject.text.get(view.language)) }
                }
            }
        }
    }
}

/// Minutes from the start in clock notation.
fn clock_time(minutes: u32) -> String {
    format!("{}:{:02}", minutes / 60, minutes % 60)
}

fn tasks(view: &View, drill: &Drill) -> Markup {
    let columns = [Column::text(view.t(texts::TASKS_OF)), Column::text(view.t(texts::ROLE))];
    let rows: Vec<_> = drill
        .tasks
        .iter()
        .map(|task| vec![html! { (task.text.get(view.language)) }, html! { (view.t(task.role.label())) }])
        .collect();
    table(view.t(texts::TASKS), &columns, &rows)
}

fn clocks(view: &View, edition: &Edition, drill: &Drill) -> Markup {
    html! {
        ul.steps {
            @for clock in drill.clocks.iter().filter_map(|id| edition.clocks.get(id)) {
                li {
                    div {
                        strong { (clock.title.get(view.language)) }
                        p { (clock.summary.get(view.language)) }
                        p.hint { (view.citation(&clock.cite)) }
                    }
                    strong { (span(view, clock.rule.bound.duration)) }
                }
            }
        }
    }
}

fn span(view: &View, span: Span) -> String {
    let (label, count) = match span {
        Span::Hours(hours) => (texts::HOURS, hours),
        Span::Days(days) => (texts::DAYS, days),
        Span::Months(months) => (texts::MONTHS, months),
    };
    view.fill(label, &[("count", &count)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_read_like_a_clock() {
        assert_eq!([0, 59, 60, 245].map(clock_time), ["0:00", "0:59", "1:00", "4:05"]);
    }
}
