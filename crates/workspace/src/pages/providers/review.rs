//! One review: its questions and answers, the link for the provider, and its completion.

use app::{
    evidence::EvidenceFilter,
    history::Detail,
    provider::{AskedQuestion, ReviewView, SentReview},
};
use axum::extract::{Path, State};
use domain::{
    evidence::Evidence,
    id::{EvidenceId, ProviderId, ReviewId},
    page::PageRequest,
    provider::{Answer as Said, Provider, Review, ReviewStatus},
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use super::{DONE, address_of, answer_field, detail, provider_id, review_address, status_tone};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::{evidence, findings, past},
    respond::{self, Answer},
    texts::{common, provider as texts},
    ui::{
        self,
        badge::{Tone, badge},
        history,
        notice::complaints,
    },
};

pub(super) type ReviewPath = (ProviderId, ReviewId);

/// So much evidence of a provider can be chosen for an answer, the newest.
const MOST_EVIDENCE: u64 = 30;

const NAMES: [(&str, Label); 7] = [
    ("mail", texts::MAIL),
    ("contact", Provider::CONTACT.label),
    ("status", common::STATUS),
    ("answers", Review::ANSWERS.label),
    ("question", texts::KEY_QUESTION),
    ("review", texts::REVIEW),
    ("due_on", Review::DUE_ON.label),
];

pub(super) fn place(id: &str, review: &str) -> Result<ReviewPath, PageError> {
    Ok((provider_id(id)?, review.parse().map_err(|_| PageError::NotFound)?))
}

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path((id, review)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    let place = place(&id, &review)?;
    respond::page(page(&workspace, &visit, place, &Form::default(), None).await?)
}

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    place: ReviewPath,
    form: &Form,
    sent: Option<&SentReview>,
) -> Result<Markup, PageError> {
    let (app, caller) = (&workspace.app, visit.caller());
    let (Detail { record: review, history: steps, .. }, _) =
        app.third_parties.provider_review(caller, place.0, place.1).await?;
    let (provider, _) = app.records.record::<Provider>(caller, place.0).await?;
    let past =
        past::section(workspace, visit, place.1, &steps, |word| detail::status_badge(visit, word)).await?;
    let attached = attached(workspace, visit, place.0).await?;
    let contact = provider.record.row.record.contact.as_ref().map(ToString::to_string);
    let mailing = Mailing { is_set: app.sends_mail(), contact };
    let (record, t) = (&review.row.record, |label| visit.t(label));
    let may_write = visit.may(Resource::Providers, Right::Write);
    let name = provider.record.row.record.name.as_str();
    let title = format!("{}: {name}", t(texts::REVIEW));
    let (answered, total) = (record.answered(), record.questions.len());
    let content = html! {
        (ui::head(&title, "", Some(ui::link_button(&address_of(place.0), name, false))))
        (ui::notice::done(visit, &DONE))
        (complaints(visit, form, &NAMES))
        @if let Some(sent) = sent { (link(visit, sent)) }
        @if let Some(contact) = sent.and_then(|sent| sent.mailed_to.as_ref()) {
            @let text = if sent.is_some_and(|sent| sent.awaits_confirmation) { texts::MAIL_WAITS } else { texts::WAS_MAILED };
            p role="status" { (visit.fill(text, &[("contact", contact)])) }
        }
        div.row #review {
            (badge(status_tone(record.status), t(record.status.label())))
            strong { (visit.fill(texts::ANSWERED, &[("answered", &answered), ("total", &total)])) }
        }
        div.split {
            div { (questions(visit, &review, place, may_write && record.status.is_open(), &attached)) }
            div {
                @if may_write && record.status.is_open() { (actions(visit, &review, place, form, &mailing)) }
                (facts(visit, &review))
                (files(visit, &review))
                @if record.scores.is_some() {
                    (ui::section(t(Provider::SCORES.label), &detail::scores(visit, record.scores)))
                }
                (past)
            }
        }
    };
    Ok(ui::layout::page(visit, &title, &content))
}

fn link(visit: &Visit, sent: &SentReview) -> Markup {
    let when = visit.moment(sent.expires_at);
    let content = html! {
        p { (visit.fill(texts::LINK_ONCE, &[("when", &when)])) }
        (ui::secret(visit, visit.t(texts::LINK), &sent.url))
    };
    ui::notice::notice(Tone::Good, visit.t(texts::LINK), &content)
}

/// Whether and where a link can go by mail.
struct Mailing {
    is_set: bool,
    contact: Option<String>,
}

impl Mailing {
    fn offered(&self, visit: &Visit, action: &str) -> Markup {
        html! {
            @match &self.contact {
                Some(contact) if self.is_set => form.inline method="post" action=(action) {
                    (visit.form_token())
                    input type="hidden" name="mail" value="1";
                    button.button type="submit" { (visit.fill(texts::SEND_MAIL, &[("contact", contact)])) }
                },
                None if self.is_set => p.hint { (visit.t(texts::SEND_NO_CONTACT)) },
                _ => {}
            }
        }
    }
}

fn actions(visit: &Visit, review: &ReviewView, place: ReviewPath, form: &Form, mailing: &Mailing) -> Markup {
    let (address, t) = (review_address(place), |label| visit.t(label));
    let offered = |to: ReviewStatus| matches!(to, ReviewStatus::Completed | ReviewStatus::Cancelled);
    let status = review.row.record.status;
    html! {
        (ui::section(t(texts::LINK), &html! {
            p.hint { (t(texts::SEND_HELP)) }
            @if let Some(at) = review.row.record.link_expires_at {
                p { (visit.fill(texts::LINK_UNTIL, &[("when", &visit.moment(at))])) }
            }
            (ui::post_button(visit, &format!("{address}/send"), t(texts::SEND)))
            (mailing.offered(visit, &format!("{address}/send")))
        }))
        (ui::section(t(crate::texts::record::NEXT_STEP), &html! {
            p.hint { (t(texts::COMPLETE_HELP)) }
            (history::moves(visit, form, &format!("{address}/move"), status, offered))
        }))
    }
}

fn facts(visit: &Visit, review: &ReviewView) -> Markup {
    let (record, t) = (&review.row.record, |label| visit.t(label));
    let content = html! {
        dl.facts {
            dt { (t(Review::DUE_ON.label)) } dd { (visit.day_or_none(record.due_on)) }
            dt { (t(Review::SENT_AT.label)) } dd { (visit.time_or_none(record.sent_at)) }
            dt { (t(Review::SUBMITTED_AT.label)) } dd { (visit.time_or_none(record.submitted_at)) }
            dt { (t(Review::SUBMITTED_BY.label)) } dd { (visit.or_none(record.submitted_by.as_ref())) }
            dt { (t(Review::COMPLETED_ON.label)) } dd { (visit.day_or_none(record.completed_on)) }
        }
    };
    ui::section(t(texts::REVIEW), &content)
}

/// What the provider sent with its answers.
fn files(visit: &Visit, review: &ReviewView) -> Markup {
    let record = &review.row.record;
    if record.files.is_empty() {
        return html! {};
    }
    let title_of = |id: &str| {
        let asked = review.questions().find(|asked| asked.id == id);
        asked.map(|asked| title(visit, &asked).to_owned())
    };
    let content = html! {
        ul.steps {
            @for file in &record.files {
                li {
                    div {
                        a href=(evidence::address_of(file.evidence)) { (file.name) }
                        @if let Some(about) = file.question.as_deref().and_then(title_of) { p.hint { (about) } }
                    }
                }
            }
        }
    };
    ui::section(visit.t(Review::FILES.label), &content)
}

/// Evidence that can be named with an answer: its id and its title.
type Attached = Vec<(EvidenceId, String)>;

/// The newest evidence of a provider.
async fn attached(workspace: &Workspace, visit: &Visit, provider: ProviderId) -> Result<Attached, PageError> {
    let filter = EvidenceFilter { linked_to: Some(provider.to_string()), ..EvidenceFilter::default() };
    let some = PageRequest::new(Some(MOST_EVIDENCE), None).unwrap_or_default();
    let found = workspace.app.records.records::<Evidence>(visit.caller(), &filter, some).await?.items;
    Ok(found.into_iter().map(|one| (one.row.id, one.row.record.title.to_string())).collect())
}

/// The evidence of one answer: to be chosen, or only shown. What is named but is no evidence of the provider any more
/// stays chosen under its id.
fn answer_evidence(
    visit: &Visit,
    asked: &AskedQuestion<'_>,
    attached: &Attached,
    may_change: bool,
) -> Markup {
    let named = asked.answer.map(|answer| answer.evidence.as_slice()).unwrap_or_default();
    let is_known = |id: &EvidenceId| attached.iter().any(|(known, _)| known == id);
    let others = named.iter().filter(|id| !is_known(id)).map(|id| (*id, id.to_string()));
    let all: Attached = attached.iter().cloned().chain(others).collect();
    if all.is_empty() || !may_change && named.is_empty() {
        return html! {};
    }
    html! {
        @if may_change {
            details open[!named.is_empty()] {
                summary { (visit.t(texts::ANSWER_EVIDENCE)) " (" (named.len()) ")" }
                p.hint { (visit.t(texts::EVIDENCE_HINT)) }
                input type="hidden" name={ "evidence-of-" (asked.id) } value="1";
                @for (id, title) in &all {
                    @let field = format!("evidence-{}-{id}", asked.id);
                    div.choice {
                        input id=(field) type="checkbox" name={ "evidence-" (asked.id) } value=(id)
                            checked[named.contains(id)];
                        label for=(field) { (title) }
                    }
                }
            }
        } @else {
            ul.bullets {
                @for (id, title) in all.iter().filter(|(id, _)| named.contains(id)) {
                    li { a href=(evidence::address_of(*id)) { (title) } }
                }
            }
        }
    }
}

fn questions(
    visit: &Visit,
    review: &ReviewView,
    place: ReviewPath,
    may_change: bool,
    attached: &Attached,
) -> Markup {
    let address = review_address(place);
    html! {
        (found(visit, review, &address, may_change))
        form.card #answers method="post" action=(address) {
            (visit.form_token())
            @for (number, asked) in (1..).zip(review.questions()) {
                (question(visit, number, &asked, review, may_change, attached))
            }
            @if may_change {
                div.form-end { button.button.primary type="submit" { (visit.t(texts::SAVE_ANSWERS)) } }
            }
        }
    }
}

/// Key questions answered with no, each with a button that creates a finding.
fn found(visit: &Visit, review: &ReviewView, address: &str, may_change: bool) -> Markup {
    let is_no = |asked: &AskedQuestion<'_>| {
        asked.is_key() && asked.answer.is_some_and(|answer| answer.answer == Some(Said::No))
    };
    let wrong: Vec<_> = review.questions().filter(is_no).collect();
    if wrong.is_empty() {
        return html! {};
    }
    let content = html! {
        ul.steps #question {
            @for asked in &wrong {
                li {
                    div { (title(visit, asked)) }
                    @match review.row.record.findings.get(asked.id) {
                        Some(id) => a href=(findings::address_of(*id)) { (visit.t(texts::HAS_FINDING)) },
                        None => {
                            @if may_change || visit.may(Resource::Providers, Right::Write) {
                                form.inline method="post" action={ (address) "/findings" } {
                                    (visit.form_token())
                                    input type="hidden" name="question" value=(asked.id);
                                    button.button type="submit" { (visit.t(texts::MAKE_FINDING)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    ui::section(visit.t(texts::KEY_QUESTION), &content)
}

pub(in crate::pages) fn question_gone(view: &View) -> &'static str {
    view.t(texts::QUESTION_GONE)
}

fn title<'q>(view: &View, asked: &AskedQuestion<'q>) -> &'q str {
    asked.question.map_or(question_gone(view), |question| question.title.get(view.language))
}

fn question(
    visit: &Visit,
    number: usize,
    asked: &AskedQuestion<'_>,
    review: &ReviewView,
    may_change: bool,
    attached: &Attached,
) -> Markup {
    html! {
        fieldset.choices {
            legend {
                (number) ". " (title(visit, asked))
                @if asked.is_key() { " " (badge(Tone::Warning, visit.t(texts::KEY_QUESTION))) }
            }
            @if let Some(question) = asked.question { p.hint { (question.guidance.get(visit.language)) } }
            @if may_change {
                (answer_field::fields(visit, asked, &Form::default()))
            } @else {
                (answer_field::given(visit, asked))
            }
            (answer_evidence(visit, asked, attached, may_change))
            @if let Some(id) = review.row.record.findings.get(asked.id) {
                p { a href=(findings::address_of(*id)) { (visit.t(texts::HAS_FINDING)) } }
            }
        }
    }
}
