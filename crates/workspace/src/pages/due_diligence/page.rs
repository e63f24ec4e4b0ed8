//! The page of a questionnaire: sections with headings, what is saved of each, and one form around all of them, so that
//! saving in one section loses nothing that was entered in another.

use app::{
    catalogue::question::QuestionSection,
    provider::{AskedQuestion, Questionnaire},
    token::Token,
};
use domain::{provider::AnswerKind, text::Name};
use maud::{Markup, html};

use super::{NAMES, address_of, file};
use crate::{
    Workspace,
    extract::View,
    form::Form,
    pages::providers::{answer_field, question_gone},
    texts::due_diligence as texts,
    ui::{
        self,
        badge::Tone,
        field::Field,
        notice::{complaints, notice},
    },
};

/// One section with its questions and their numbers.
type Section<'q> = (Option<QuestionSection>, Vec<(usize, AskedQuestion<'q>)>);

pub(super) fn page(
    workspace: &Workspace,
    view: &View,
    (token, asked): (&Token, &Questionnaire),
    form: &Form,
) -> Markup {
    let record = &asked.review.row.record;
    let (provider, institution) = (asked.provider.as_str(), asked.institution.as_str());
    let when = view.moment(asked.expires_at);
    let title = view.fill(texts::TITLE, &[("provider", &provider)]);
    let open = record.takes_answers_by_link();
    let sections = sections(asked);
    let content = html! {
        (ui::head(&title, &view.fill(texts::INTRO, &[("institution", &institution), ("when", &when)]), None))
        @if let Some(day) = record.due_on { p { (view.fill(texts::ASKED_BY, &[("day", &view.day(day))])) } }
        (progress(view, asked))
        (contents(view, &sections))
        @if open {
            (ui::notice::done(view, &[("saved", texts::WAS_SAVED), ("attached", texts::WAS_ATTACHED)]))
            (complaints(view, form, &NAMES))
            form #answers method="post" action=(address_of(token)) {
                @for one in &sections { (section(view, asked, one, Some(form))) }
                (ui::section(view.t(texts::SUBMIT_TITLE), &html! {
                    (Field::text(view, form, "name", texts::YOUR_NAME).optional().hint(texts::NAME_HINT)
                        .at_most(Name::MAX).autocomplete("name").render())
                    div.form-end {
                        button.button type="submit" { (view.t(texts::SAVE)) }
                        button.button.primary type="submit" name="submit" value="1" { (view.t(texts::SUBMIT)) }
                    }
                }))
            }
            (file::forms(token, asked))
            (file::section(workspace, view, token, asked, true))
        } @else {
            (notice(Tone::Good, view.t(texts::SUBMITTED), &html! {}))
            (file::section(workspace, view, token, asked, false))
            @for one in &sections { (section(view, asked, one, None)) }
        }
    };
    ui::layout::letter(view, institution, &title, &content)
}

/// The questions that the provider is asked, numbered through, in their sections.
fn sections(asked: &Questionnaire) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (number, one) in (1..).zip(asked.review.provider_questions()) {
        let section = one.question.map(|question| question.section);
        match sections.last_mut() {
            Some((last, questions)) if *last == section => questions.push((number, one)),
            _ => sections.push((section, vec![(number, one)])),
        }
    }
    sections
}

fn counted(view: &View, asked: &Questionnaire, questions: &[(usize, AskedQuestion<'_>)]) -> String {
    let record = &asked.review.row.record;
    let answered = questions.iter().filter(|(_, one)| record.is_answered(one.id)).count();
    view.fill(texts::PROGRESS, &[("answered", &answered), ("total", &questions.len())])
}

fn progress(view: &View, asked: &Questionnaire) -> Markup {
    let record = &asked.review.row.record;
    let all: Vec<_> = (1..).zip(asked.review.provider_questions()).collect();
    let answered = all.iter().filter(|(_, one)| record.is_answered(one.id)).count();
    let text = counted(view, asked, &all);
    html! {
        div.letter-progress #progress {
            strong { (text) }
            progress max=(all.len()) value=(answered) aria-label=(text) {}
        }
    }
}

fn contents(view: &View, sections: &[Section<'_>]) -> Markup {
    html! {
        nav aria-label=(view.t(texts::SECTIONS)) {
            ul.bullets {
                @for section in sections.iter().filter_map(|(section, _)| *section) {
                    li { a href={ "#" (section) } { (view.t(section.label())) } }
                }
            }
        }
    }
}

/// A section with its questions; without a form they can only be read.
fn section(
    view: &View,
    asked: &Questionnaire,
    (section, questions): &Section<'_>,
    form: Option<&Form>,
) -> Markup {
    let id = section.map(|section| section.to_string());
    let title = section.map_or(texts::QUESTION, QuestionSection::label);
    html! {
        section.card id=[id.as_ref()] {
            h2 { (view.t(title)) }
            p.hint { (counted(view, asked, questions)) }
            @for (number, one) in questions { (question(view, *number, asked, one, form)) }
            @if form.is_some() {
                div.form-end {
                    button.button type="submit" name="section" value=[id.as_ref()] { (view.t(texts::SAVE_SECTION)) }
                }
            }
        }
    }
}

/// The question in the words for the provider.
pub(super) fn wording<'q>(view: &View, asked: &AskedQuestion<'q>) -> &'q str {
    asked.question.map_or(question_gone(view), |question| question.for_provider().get(view.language))
}

fn question(
    view: &View,
    number: usize,
    asked: &Questionnaire,
    one: &AskedQuestion<'_>,
    form: Option<&Form>,
) -> Markup {
    html! {
        fieldset.choices {
            legend { (number) ". " (wording(view, one)) }
            @if let Some(question) = one.question {
                p.hint {
                    (view.t(texts::EXPECTED)) ": "
                    @for (index, text) in question.expected_evidence.iter().enumerate() {
                        @if index > 0 { ", " }
                        (text.get(view.language))
                    }
                }
            }
            @if one.kind() == AnswerKind::File { (file::of_question(view, asked, one.id, form.is_some())) }
            @match form {
                Some(form) => (answer_field::fields(view, one, form)),
                None => (answer_field::given(view, one)),
            }
        }
    }
}
