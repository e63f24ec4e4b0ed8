//! One request for evidence on one page: what is asked for, the answer with its evidence, and the next step.

use app::{
    evidence_request::EvidenceRequestView, history::Detail, records::PickKind, records::RecordKind as _,
};
use axum::extract::{Path, State};
use domain::{
    evidence::LinkType,
    evidence_request::{AnswerInput, EvidenceRequest, EvidenceRequestStatus, RequestStep},
    id::EvidenceRequestId,
    right::{Resource, Right},
    text::Prose,
    wording::Label,
};
use maud::{Markup, html};

use super::{DONE, address_of, due, status_badge, subject_name, texts};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{
        evidence, page_by_id, past, pick,
        record::{
            self,
            form::{id_of, settled},
        },
    },
    respond::Answer,
    route,
    texts::{common, record as shared},
    ui::{self, field, history, notice::complaints},
};

const NAMES: [(&str, Label); 5] = [
    ("status", common::STATUS),
    ("text", EvidenceRequest::ANSWER.label),
    ("evidence", EvidenceRequest::EVIDENCE.label),
    ("reason", texts::REASON),
    ("evidence_request", texts::REQUEST),
];

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: EvidenceRequestId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (Detail { record: mut request, history: steps, .. }, _) =
        workspace.app.records.record::<EvidenceRequest>(visit.caller(), id).await?;
    let edition = workspace.app.edition_of(visit.caller()).await?;
    EvidenceRequest::translate(&mut request, &edition, visit.language);
    let record = &request.row.record;
    let may_write = visit.may(Resource::EvidenceRequests, Right::Write);
    let may_answer = record.is_open()
        && workspace
            .app
            .people
            .may_change(visit.caller(), Resource::EvidenceAnswers, record.owner.as_ref())
            .await?;
    let past = past::section(workspace, visit, id, &steps, |word| {
        record::status_badge(visit, word, EvidenceRequestStatus::tone)
    })
    .await?;
    let attached = evidence::section(workspace, visit, LinkType::EvidenceRequest, id, false).await?;
    let answering = if may_answer {
        answer_form(workspace, visit, form, id).await?
    } else {
        html! {}
    };
    let title = record.title();
    let is_closed = record.status == EvidenceRequestStatus::Closed;
    let actions = html! {
        @if may_write && !is_closed {
            (ui::link_button(&format!("{}/edit", address_of(id)), visit.t(shared::EDIT), false))
        }
    };
    let content = html! {
        (ui::head(title.as_str(), &record.reference.to_string(), Some(actions)))
        (ui::notice::done(visit, &DONE))
        (complaints(visit, form, &NAMES))
        div.split {
            div {
                section.card { (facts(visit, &request)) }
                (answering)
                (attached)
            }
            div {
                @if may_write && !record.is_open() { (next(visit, form, &request)) }
                (past)
            }
        }
    };
    Ok(ui::layout::page(visit, title.as_str(), &content))
}

fn facts(visit: &Visit, request: &EvidenceRequestView) -> Markup {
    let (record, t) = (&request.row.record, |label| visit.t(label));
    let name = subject_name(visit, request);
    let page = record.subject.as_ref().and_then(|id| page_by_id(id.as_str()));
    html! {
        div.row { (status_badge(visit, record.status)) }
        dl.facts {
            dt { (t(EvidenceRequest::SUBJECT.label)) }
            dd {
                @match (name, page) {
                    (Some(name), Some(page)) => a href=(page) { (name) },
                    _ => (visit.or_none(name)),
                }
            }
            (record::field::facts(visit, record))
            dt { (t(EvidenceRequest::DUE_ON.label)) } dd { (due(visit, request)) }
            dt { (t(EvidenceRequest::ASKED_BY.label)) } dd { (history::author(visit, Some(&request.asked_by))) }
            dt { (t(texts::ASKED_AT)) } dd { (visit.time(request.row.created_at)) }
            @if let Some(who) = &request.answered_by {
                dt { (t(EvidenceRequest::ANSWERED_BY.label)) } dd { (history::author(visit, Some(who))) }
            }
            @if let Some(at) = record.answered_at { dt { (t(EvidenceRequest::ANSWERED_AT.label)) } dd { (visit.time(at)) } }
        }
        (record::field::passages(visit, record))
        (record::passage(visit, EvidenceRequest::ANSWER.label, record.answer.as_ref().map(Prose::as_str)))
    }
}

async fn answer_form(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    id: EvidenceRequestId,
) -> Result<Markup, PageError> {
    let t = |label| visit.t(label);
    let kinds = [PickKind("evidence")];
    let evidence =
        pick::fields(workspace, visit, form, ("evidence", EvidenceRequest::EVIDENCE.label), &kinds).await?;
    let upload = format!("{}?type={}&id={id}", route::NEW_EVIDENCE, LinkType::EvidenceRequest);
    let content = html! {
        p.hint { (t(texts::ANSWER_HELP)) }
        form method="post" action={ (address_of(id)) "/answer" } {
            (visit.form_token())
            (field::required_area(visit, form, "text", EvidenceRequest::ANSWER.label, None))
            (evidence)
            div.form-end {
                button.button.primary type="submit" { (t(texts::ANSWER_SEND)) }
                @if visit.may(Resource::Evidence, Right::Write) {
                    (ui::link_button(&upload, t(texts::UPLOAD), false))
                }
            }
        }
    };
    Ok(html! { div #answer { (ui::section(t(texts::ANSWER_IT), &content)) } })
}

/// What the side that asked does with an answer.
fn next(visit: &Visit, form: &Form, request: &EvidenceRequestView) -> Markup {
    let (address, t) = (address_of(request.row.id), |label| visit.t(label));
    let content = html! {
        @if request.row.record.status == EvidenceRequestStatus::Answered {
            (ui::post_button(visit, &format!("{address}/close"), t(texts::CLOSE)))
        }
        form method="post" action={ (address) "/reopen" } {
            (visit.form_token())
            (field::required_area(visit, form, "reason", texts::REASON, None))
            div.form-end { button.button type="submit" { (t(texts::REOPEN)) } }
        }
    };
    ui::section(t(texts::NEXT), &content)
}

pub(super) async fn answer(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, id_of::<EvidenceRequest>(&id)?);
    visit.caller().require_right(Resource::EvidenceAnswers, Right::Own)?;
    let evidence = pick::ids(&workspace, &visit, &mut form, "evidence", &[PickKind("evidence")]).await?;
    let input = AnswerInput { text: form.required_change("text"), evidence };
    let precondition = record::precondition(&form);
    let answered = match form.finish(Some(input)) {
        Ok(input) => {
            workspace.app.compliance.answer_evidence_request(visit.caller(), id, input, precondition).await
        }
        Err(error) => Err(error),
    };
    settled::<EvidenceRequest, _>(&workspace, &visit, id, form, answered, "answered").await
}

pub(super) async fn close(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    moved(&workspace, &id, posted, |_| RequestStep::Close, "closed").await
}

pub(super) async fn reopen(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let step = |form: &Form| RequestStep::Reopen(form.required_change("reason"));
    moved(&workspace, &id, posted, step, "reopened").await
}

async fn moved(
    workspace: &Workspace,
    id: &str,
    posted: Posted,
    step: fn(&Form) -> RequestStep,
    done: &str,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, id_of::<EvidenceRequest>(id)?);
    let (step, precondition) = (step(&form), record::precondition(&form));
    let moved = workspace.app.compliance.move_evidence_request(visit.caller(), id, step, precondition).await;
    settled::<EvidenceRequest, _>(workspace, &visit, id, form, moved, done).await
}
