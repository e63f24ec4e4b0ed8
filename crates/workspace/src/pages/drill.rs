//! Incident drills: scenarios to choose from, and one to run.

use app::catalogue::{
    drill::{Drill, DrillFilter},
    record::Needle,
    vocabulary::Difficulty,
};
use axum::{
    Router,
    extract::{Path, State},
    routing::get,
};
use maud::{Markup, html};

use super::reference::{self, edition};
use crate::{
    Workspace,
    oops::Oops,
    respond::{self, Answer},
    route,
    texts::{record as shared, reference as texts},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        table::{Column, table},
    },
    visit::{View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::DRILLS, get(list)).route(&format!("{}/{{id}}", route::DRILLS), get(show))
}

fn difficulty_badge(view: &View, difficulty: Difficulty) -> Markup {
    let tone = match difficulty {
        Difficulty::Basic => Tone::Good,
        Difficulty::Intermediate => Tone::Notice,
        Difficulty::Advanced => Tone::Warning,
    };
    badge(tone, view.t(difficulty.label()))
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
        (ui::head(t(texts::DRILLS), t(texts::DRILLS_INTRO), None))
        (filter::bar(&visit, &[filter::words::<Difficulty>(&visit, "difficulty", texts::DIFFICULTY)]))
        @if shown.is_empty() { (ui::empty(t(shared::NOTHING), t(shared::NOTHING_HELP), None)) }
        @else { (table(t(texts::DRILLS), &columns, &rows)) }
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
    let drill = edition.drills.get(&id).ok_or(Oops::NotFound)?;
    let (t, language) = (|label| visit.t(label), visit.language);
    let title = drill.title.get(language);
    let participants: Vec<_> = drill.participants.iter().map(|role| t(role.label())).collect();
    let content = html! {
        (ui::head(title, drill.summary.get(language), None))
        section.card {
            div.row {
                (difficulty_badge(&visit, drill.difficulty))
                span.quiet { (visit.fill(texts::DURATION, &[("minutes", &drill.duration_minutes)])) }
            }
            h3 { (t(texts::OBJECTIVE)) } p.prose { (drill.objective.get(language)) }
            h3 { (t(texts::PARTICIPANTS)) } p { (participants.join(", ")) }
        }
        (ui::section(t(texts::INJECTS), &html! {
            ol.history {
                @for inject in &drill.injects {
                    li {
                        strong { (visit.fill(texts::AT_MINUTE, &[("minute", &inject.at_minute)])) }
                        p { (inject.text.get(language)) }
                    }
                }
            }
        }))
        (ui::section(t(texts::TASKS), &html! {
            ul.steps {
                @for task in &drill.tasks {
                    li { div { p { (task.text.get(language)) } p.hint { (t(task.role.label())) } } }
                }
            }
        }))
        (ui::section(t(texts::SUCCESS), &html! {
            ol.numbered { @for criterion in &drill.success_criteria { li { (criterion.get(language)) } } }
        }))
        (ui::section(t(texts::MEASURES), &html! {
            (reference::measures(&visit, &edition, drill.measures.iter().map(|id| &**id)))
            (reference::provenance(&visit, &drill.cite, drill.source.as_deref()))
        }))
    };
    respond::page(ui::layout::page(&visit, title, &content))
}
