//! The answer to one question of a review, in the form that the question asks for: for users of the institution and for
//! the provider.

use app::provider::AskedQuestion;
use domain::provider::{Answer as Said, AnswerKind, Review};
use maud::{Markup, html};

use crate::{
    extract::View,
    form::Form,
    texts::{due_diligence, provider as texts},
};

/// The fields of one question. Entries stay on a page that refuses them.
pub(in crate::pages) fn fields(view: &View, asked: &AskedQuestion<'_>, form: &Form) -> Markup {
    let note = asked.answer.and_then(|answer| answer.note.as_ref()).map(ToString::to_string);
    let note = entered(form, &format!("note-{}", asked.id), note);
    html! {
        @match asked.kind() {
            AnswerKind::YesNo => (choices(view, asked, form)),
            AnswerKind::File => {},
            kind => (value(view, asked, form, kind)),
        }
        div.field.area {
            label for={ "note-" (asked.id) } { (view.t(Review::ANSWER_NOTE.label)) }
            textarea id={ "note-" (asked.id) } name={ "note-" (asked.id) } rows="2" maxlength="2000" { "\n" (note) }
        }
    }
}

fn entered(form: &Form, field: &str, kept: Option<String>) -> String {
    if form.is_checked(field) { form.value(field).to_owned() } else { kept.unwrap_or_default() }
}

fn choices(view: &View, asked: &AskedQuestion<'_>, form: &Form) -> Markup {
    let kept = asked.answer.and_then(|answer| answer.answer);
    let answer = form.value(&format!("answer-{}", asked.id)).parse::<Said>().ok().or(kept);
    html! {
        div.row {
            @for word in [None].into_iter().chain(Said::ALL.iter().copied().map(Some)) {
                @let text = word.map_or("", Said::as_str);
                @let id = format!("{}-{text}", asked.id);
                div.choice {
                    input id=(id) type="radio" name={ "answer-" (asked.id) } value=(text) checked[word == answer];
                    label for=(id) { (view.t(word.map_or(texts::NO_ANSWER, Said::label))) }
                }
            }
        }
    }
}

/// A text, a number or a day.
fn value(view: &View, asked: &AskedQuestion<'_>, form: &Form, kind: AnswerKind) -> Markup {
    let name = format!("value-{}", asked.id);
    let kept = asked.answer.and_then(|answer| answer.value.as_ref()).map(ToString::to_string);
    let value = entered(form, &name, kept);
    let unit = asked.question.and_then(|question| question.unit.as_ref());
    let label = match unit {
        Some(unit) => view.fill(due_diligence::IN_UNIT, &[("unit", &unit.get(view.language))]),
        None => view.t(due_diligence::YOUR_ANSWER).to_owned(),
    };
    html! {
        div.field.area[kind == AnswerKind::Text] {
            label for=(name) { (label) }
            @match kind {
                AnswerKind::Day => input id=(name) name=(name) type="date" value=(value);,
                AnswerKind::Number => input id=(name) name=(name) inputmode="decimal" maxlength="18" value=(value);,
                _ => textarea id=(name) name=(name) rows="3" maxlength="2000" { "\n" (value) },
            }
        }
    }
}

/// The answer as it can only be read.
pub(in crate::pages) fn given(view: &View, asked: &AskedQuestion<'_>) -> Markup {
    let answer = asked.answer;
    let value = answer.and_then(|answer| answer.value.as_ref());
    html! {
        @match (answer.and_then(|answer| answer.answer), value) {
            (Some(word), _) => p { strong { (view.t(word.label())) } },
            (None, None) if asked.kind() != AnswerKind::File => p { strong { (view.t(texts::NO_ANSWER)) } },
            _ => {},
        }
        @if let Some(value) = value { p.prose { strong { (shown(view, asked, value.as_str())) } } }
        @if let Some(note) = answer.and_then(|answer| answer.note.as_ref()) { p.prose { (note.as_str()) } }
    }
}

/// A day as readers write it, a number with what it counts.
fn shown(view: &View, asked: &AskedQuestion<'_>, value: &str) -> String {
    let unit = asked.question.and_then(|question| question.unit.as_ref());
    match (asked.kind(), unit) {
        (AnswerKind::Day, _) => value.parse().map_or_else(|_| value.to_owned(), |day| view.day(day)),
        (AnswerKind::Number, Some(unit)) => format!("{value} {}", unit.get(view.language)),
        _ => value.to_owned(),
    }
}
