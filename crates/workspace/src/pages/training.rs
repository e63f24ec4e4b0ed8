//! Training modules: lessons, and questions that check them.

use app::catalogue::{
    record::Needle,
    training::{QuizQuestion, Training, TrainingFilter},
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
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{count, reference as texts},
    ui::{
        self, filter,
        pager::counted,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::TRAINING, get(list)).route(&format!("{}/{{id}}", route::TRAINING), get(show))
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let wanted = TrainingFilter { difficulty: filter::word(&visit, "difficulty") };
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let shown = edition.trainings.select(&needle, visit.language, |training| wanted.keeps(training));
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::TRAINING)),
        Column::tight(t(texts::DIFFICULTY)),
        Column::text(t(texts::AUDIENCE)),
    ];
    let rows: Vec<_> = shown.iter().map(|training| cells(&visit, training)).collect();
    let content = html! {
        (reference::head(&visit, t(texts::TRAINING), t(texts::TRAINING_INTRO), None))
        (filter::bar(&visit, &[filter::words::<Difficulty>(&visit, "difficulty", texts::DIFFICULTY)]))
        @if shown.is_empty() { (reference::nothing(&visit)) }
        @else {
            (counted(&visit, shown.len() as u64, count::TRAINING, count::TRAININGS))
            (table(t(texts::TRAINING), &columns, &rows))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TRAINING), &content))
}

fn audience(view: &View, training: &Training) -> String {
    training.audience.iter().map(|role| view.t(role.label())).collect::<Vec<_>>().join(", ")
}

fn cells(view: &View, training: &Training) -> Vec<Markup> {
    vec![
        html! {
            a href={ (route::TRAINING) "/" (training.id) } { (training.title.get(view.language)) }
            br;
            span.quiet { (training.summary.get(view.language)) }
        },
        html! {
            (reference::difficulty_badge(view, training.difficulty))
            p.hint { (view.fill(texts::DURATION, &[("minutes", &training.duration_minutes)])) }
        },
        html! { (audience(view, training)) },
    ]
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let training = edition.trainings.get(&id).ok_or(PageError::NotFound)?;
    let (t, language) = (|label| visit.t(label), visit.language);
    let title = training.title.get(language);
    let shows_answers = !workspace.app.compliance.is_learning(visit.caller(), &training.id).await?;
    let content = html! {
        (reference::head(&visit, title, training.summary.get(language), None))
        section.card {
            div.row {
                (reference::difficulty_badge(&visit, training.difficulty))
                span.quiet { (visit.fill(texts::DURATION, &[("minutes", &training.duration_minutes)])) }
            }
            dl.facts {
                dt { (t(texts::AUDIENCE)) } dd { (audience(&visit, training)) }
                dt { (t(texts::OBJECTIVE)) }
                dd { ul.bullets { @for objective in &training.objectives { li { (objective.get(language)) } } } }
            }
            (reference::provenance(&visit, &training.cite, training.source.as_deref()))
        }
        @for lesson in &training.lessons {
            (ui::section(lesson.title.get(language), &html! {
                @for part in &lesson.text { p.prose { (part.get(language)) } }
            }))
        }
        (ui::section(t(texts::QUIZ), &html! {
            ol.numbered { @for question in &training.questions { (asked(&visit, question, shows_answers)) } }
        }))
    };
    respond::page(ui::layout::page(&visit, title, &content))
}

/// The answer opens in place, without a script. A person who has yet to pass the module does not see it.
fn asked(view: &View, question: &QuizQuestion, shows_answer: bool) -> Markup {
    let language = view.language;
    let right = question.options.get(question.answer as usize);
    html! {
        li {
            p { strong { (question.text.get(language)) } }
            ul.bullets { @for option in &question.options { li { (option.get(language)) } } }
            @if shows_answer {
                details {
                    summary.hint { (view.t(texts::ANSWER)) }
                    @if let Some(right) = right { p { strong { (right.get(language)) } } }
                    p { (question.explanation.get(language)) }
                }
            }
        }
    }
}
