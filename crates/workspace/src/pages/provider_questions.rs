//! Questions to a provider, section by section, with the evidence for a good answer and its rating.

use app::catalogue::{
    Edition,
    question::{Question, QuestionSection},
    record::Needle,
};
use axum::{Router, extract::State, routing::get};
use maud::{Markup, html};

use super::reference::{self, edition};
use crate::{
    Workspace,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{count, reference as texts},
    ui::{self, filter, pager::counted},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::PROVIDER_QUESTIONS, get(list))
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let wanted: Option<QuestionSection> = filter::word(&visit, "section");
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let shown = edition
        .questions
        .select(&needle, visit.language, |question| wanted.is_none_or(|section| question.section == section));
    let t = |label| visit.t(label);
    let content = html! {
        (reference::head(&visit, t(texts::PROVIDER_QUESTIONS), t(texts::PROVIDER_QUESTIONS_INTRO), None))
        (filter::bar(&visit, &[filter::words::<QuestionSection>(&visit, "section", texts::SECTION)]))
        @if shown.is_empty() { (reference::nothing(&visit)) }
        @else {
            (counted(&visit, shown.len() as u64, count::QUESTION, count::QUESTIONS))
            @for section in QuestionSection::ALL {
                @let inside: Vec<_> = shown.iter().filter(|question| question.section == *section).collect();
                @if !inside.is_empty() {
                    (ui::section(t(section.label()), &html! {
                        @for question in inside { (asked(&visit, &edition, question)) }
                    }))
                }
            }
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::PROVIDER_QUESTIONS), &content))
}

fn asked(view: &View, edition: &Edition, question: &Question) -> Markup {
    let (t, language) = (|label| view.t(label), view.language);
    html! {
        details id=(question.id) {
            summary { (question.title.get(language)) " "
                span.quiet { (view.fill(texts::QUESTION_WEIGHT, &[("weight", &question.weight)])) } }
            @if let Some(asked) = &question.to_provider { p.prose { em { (asked.get(language)) } } }
            p.prose { (question.guidance.get(language)) }
            dl.facts {
                dt { (t(texts::EXPECTED_EVIDENCE)) }
                dd { ul.bullets { @for proof in &question.expected_evidence { li { (proof.get(language)) } } } }
                @if !question.own_evidence.is_empty() {
                    dt { (t(texts::OWN_EVIDENCE)) }
                    dd { ul.bullets { @for proof in &question.own_evidence { li { (proof.get(language)) } } } }
                }
                dt { (t(texts::RED_FLAG)) } dd { (question.red_flag.get(language)) }
                @for (points, step) in question.scale.iter().enumerate() {
                    dt { (view.fill(texts::POINTS_OF, &[("points", &points)])) } dd { (step.get(language)) }
                }
            }
            (reference::measures(view, edition, question.measures.iter().map(|id| &**id)))
            (reference::provenance(view, &question.cite, question.source.as_deref()))
        }
    }
}
