//! The quiz of a training. The page with the questions has no answers: they are compared where they are stored.

use app::training::{Mistake, Quiz};
use axum::extract::{Path, State};
use domain::training::PASS_PERCENT;
use maud::{Markup, html};

use super::{address_of, training_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    respond::{self, Answer},
    texts::{common, training as texts},
    ui::{self, badge::Tone, notice::notice},
};

/// The field with the answer to a question, counted from 1.
fn field_of(number: usize) -> String {
    format!("answer-{number}")
}

pub(super) async fn ask(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let quiz = workspace.app.compliance.open_quiz(visit.caller(), training_id(&id)?).await?;
    respond::page(questions(&visit, &quiz)?)
}

pub(super) async fn answer(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, training_id(&id)?);
    let quiz = workspace.app.compliance.open_quiz(visit.caller(), id).await?;
    let count = quiz.module().map_or(0, |module| module.questions.len());
    let answers = (1..=count).map(|number| form.value(&field_of(number)).parse().ok()).collect();
    workspace.app.compliance.take_training(visit.caller(), id, answers).await?;
    respond::go_to(&format!("{}/result", address_of(id)))
}

fn questions(visit: &Visit, quiz: &Quiz) -> Result<Markup, PageError> {
    let module = quiz.module().ok_or(PageError::NotFound)?;
    let (address, language) = (address_of(quiz.training.row.id), visit.language);
    let count = module.questions.len();
    let intro = visit.fill(texts::QUIZ_INTRO, &[("count", &count), ("percent", &PASS_PERCENT)]);
    let content = html! {
        (ui::head(module.title.get(language), &intro, None))
        form.card method="post" action={ (address) "/quiz" } {
            (visit.form_token())
            @for (number, question) in (1..).zip(&module.questions) {
                @let name = field_of(number);
                fieldset.choices {
                    legend { (number) ". " (question.text.get(language)) }
                    @for (place, option) in question.options.iter().enumerate() {
                        @let id = format!("{name}-{place}");
                        div.choice {
                            input id=(id) type="radio" name=(name) value=(place) required;
                            label for=(id) { (option.get(language)) }
                        }
                    }
                }
            }
            div.form-end {
                button.button.primary type="submit" { (visit.t(texts::SUBMIT)) }
                a.button href=(address) { (visit.t(common::CANCEL)) }
            }
        }
    };
    Ok(ui::layout::page(visit, visit.t(texts::QUIZ), &content))
}

/// The last attempt: the score, and what was wrong.
pub(super) async fn result(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    visit: Visit,
) -> Answer {
    let quiz = workspace.app.compliance.quiz(visit.caller(), training_id(&id)?).await?;
    let (row, record) = (&quiz.training.row, &quiz.training.row.record);
    let (Some(module), Some(score)) = (quiz.module(), record.score.filter(|_| record.attempts > 0)) else {
        return Err(PageError::NotFound);
    };
    let (address, t) = (address_of(row.id), |label| visit.t(label));
    let is_own = record.person == visit.session().user.id;
    let mistakes = quiz.mistakes();
    let actions = html! {
        (ui::link_button(&address, t(texts::TRAINING), false))
        @if record.passed_on.is_some() {
            (ui::link_button(&format!("{address}/certificate.pdf"), t(texts::CERTIFICATE), true))
        } @else if is_own && row.archived_at.is_none() {
            (ui::link_button(&format!("{address}/quiz"), t(texts::TAKE_AGAIN), true))
        }
    };
    let content = html! {
        (ui::head(t(texts::RESULT), module.title.get(visit.language), Some(actions)))
        (verdict(&visit, score, record.passed_on.is_some()))
        @if mistakes.is_empty() { p { (t(texts::NO_MISTAKES)) } }
        @else {
            (ui::section(t(texts::MISTAKES), &html! {
                @for mistake in &mistakes { (explained(&visit, mistake)) }
            }))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::RESULT), &content))
}

fn verdict(view: &View, score: u8, is_passed: bool) -> Markup {
    let (tone, title, help) = if is_passed {
        (Tone::Good, texts::HAS_PASSED, texts::HAS_PASSED_HELP)
    } else {
        (Tone::Warning, texts::HAS_FAILED, texts::HAS_FAILED_HELP)
    };
    let help = view.fill(help, &[("percent", &PASS_PERCENT)]);
    notice(tone, &view.fill(title, &[("score", &score)]), &html! { p { (help) } })
}

fn explained(view: &View, mistake: &Mistake<'_>) -> Markup {
    let (question, language) = (mistake.question, view.language);
    let chosen = mistake.chosen.and_then(|place| question.options.get(place as usize));
    let chosen = chosen.map_or(view.t(texts::NO_ANSWER), |option| option.get(language));
    html! {
        p { strong { (mistake.number) ". " (question.text.get(language)) } }
        p.quiet { (view.t(texts::YOUR_ANSWER)) ": " (chosen) }
        p { (question.explanation.get(language)) }
    }
}
