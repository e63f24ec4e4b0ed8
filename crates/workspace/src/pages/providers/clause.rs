//! The clauses of one contract: which ones it contains.

use app::{
    Error,
    catalogue::{Edition, framework::Requirement},
    provider::{ClauseLine, ContractClauses},
};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    id::{ArrangementId, ProviderId},
    provider::{ClauseInput, ClauseState, Provider},
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{address_of, provider_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{record, reference},
    respond::{self, Answer},
    route,
    texts::{common, provider as texts},
    ui::{self, badge::Tone, badge::badge, notice::complaints},
};

type ClausePath = (ProviderId, ArrangementId);

fn place(id: &str, arrangement: &str) -> Result<ClausePath, PageError> {
    Ok((provider_id(id)?, arrangement.parse().map_err(|_| PageError::NotFound)?))
}

pub(super) fn address((provider, arrangement): ClausePath) -> String {
    format!("{}/clauses/{arrangement}", address_of(provider))
}

pub(super) fn state_badge(view: &View, state: Option<ClauseState>) -> Markup {
    match state {
        None => badge(Tone::Neutral, view.t(texts::NOT_ASSESSED)),
        Some(ClauseState::Present) => badge(Tone::Good, view.t(ClauseState::Present.label())),
        Some(ClauseState::Missing) => badge(Tone::Critical, view.t(ClauseState::Missing.label())),
        Some(ClauseState::NotNeeded) => badge(Tone::Muted, view.t(ClauseState::NotNeeded.label())),
    }
}

/// The clause by its number in the law and its title.
pub(super) fn title(view: &View, edition: &Edition, id: &str) -> String {
    edition.requirements.get(id).map_or_else(
        || id.to_owned(),
        |found| format!("{} · {}", found.number, found.title.get(view.language)),
    )
}

pub(super) async fn edit(
    State(workspace): State<Workspace>,
    Path((id, arrangement)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    let place = place(&id, &arrangement)?;
    let (contract, revision) =
        workspace.app.third_parties.contract_clauses(visit.caller(), place.0, place.1).await?;
    let form = Form::filled([(record::SEEN, workspace.app.record_validator(contract.version, revision))]);
    respond::page(page(&workspace, &visit, place, &contract, &form)?)
}

/// The proposed wording of a clause, with a button that copies it if a script runs.
fn model(visit: &Visit, requirement: &Requirement) -> Markup {
    let place = format!("model-{}", requirement.id);
    html! {
        @if let Some(wording) = &requirement.model {
            details {
                summary { (visit.t(texts::MODEL)) }
                p.hint { (visit.t(texts::MODEL_HELP)) }
                p.prose id=(place) { (wording.get(visit.language)) }
                button.button type="button" hidden data-copy=(place) data-done=(visit.t(common::COPIED)) {
                    (visit.t(common::COPY))
                }
            }
        }
    }
}

fn page(
    workspace: &Workspace,
    visit: &Visit,
    place: ClausePath,
    contract: &ContractClauses,
    form: &Form,
) -> Result<Markup, PageError> {
    let edition = reference::edition(workspace)?;
    let heading = format!("{} {}", contract.reference, contract.service);
    let may_write = visit.may(Resource::Providers, Right::Write);
    let content = html! {
        (ui::head(&heading, visit.t(texts::CLAUSES_INTRO), None))
        (record::overtaken(visit, form, &address(place)))
        (complaints(visit, form, &[("clauses", texts::CLAUSES)]))
        form.card #clauses method="post" action=(address(place)) {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            @for line in &contract.clauses {
                @let requirement = edition.requirements.get(&line.id);
                fieldset.choices {
                    legend { (title(visit, &edition, &line.id)) }
                    @if let Some(found) = requirement {
                        p.hint { (found.summary.get(visit.language)) }
                        (model(visit, found))
                    }
                    @if may_write {
                        @let (said, note) = entered(form, line);
                        div.row {
                            (choice(visit, &line.id, None, said.is_none()))
                            @for state in ClauseState::ALL {
                                (choice(visit, &line.id, Some(*state), said == Some(*state)))
                            }
                        }
                        div.field {
                            label for={ "note-" (line.id) } { (visit.t(Provider::NOTE.label)) }
                            input id={ "note-" (line.id) } name={ "note-" (line.id) } type="text" maxlength="2000"
                                value=(note);
                        }
                    } @else {
                        (state_badge(visit, line.state))
                        @if let Some(note) = &line.note { p.prose { (note.as_str()) } }
                    }
                }
            }
            div.form-end {
                @if may_write {
                    button.button.primary type="submit" { (visit.t(texts::SAVE_CLAUSES)) }
                }
                a.button href=(address_of(place.0)) { (visit.t(common::CANCEL)) }
            }
        }
    };
    Ok(ui::layout::page(visit, &heading, &content))
}

/// What was entered about a clause, or what is kept where the form does not say.
fn entered(form: &Form, line: &ClauseLine) -> (Option<ClauseState>, String) {
    let (state, note) = (format!("state-{}", line.id), format!("note-{}", line.id));
    if !form.is_checked(&state) && !form.is_checked(&note) {
        return (line.state, line.note.as_ref().map(ToString::to_string).unwrap_or_default());
    }
    (form.value(&state).parse().ok(), form.value(&note).to_owned())
}

fn choice(view: &View, clause: &str, state: Option<ClauseState>, chosen: bool) -> Markup {
    let word = state.map_or("", ClauseState::as_str);
    let label = state.map_or(texts::NOT_ASSESSED, ClauseState::label);
    let id = format!("{clause}-{word}");
    html! {
        div.choice {
            input id=(id) type="radio" name={ "state-" (clause) } value=(word) checked[chosen];
            label for=(id) { (view.t(label)) }
        }
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path((id, arrangement)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, place) = (posted, place(&id, &arrangement)?);
    visit.caller().require_right(Resource::Providers, Right::Write)?;
    let app = &workspace.app;
    let (contract, revision) = app.third_parties.contract_clauses(visit.caller(), place.0, place.1).await?;
    let precondition = record::precondition(&form);
    let input = |line: &ClauseLine| ClauseInput {
        clause: Change::Set(line.id.clone()),
        state: Change::Set(form.value(&format!("state-{}", line.id)).to_owned()),
        note: Change::Set(form.value(&format!("note-{}", line.id)).to_owned()),
    };
    let inputs = contract.clauses.iter().map(input).collect();
    match app.third_parties.change_clauses(visit.caller(), place.0, place.1, inputs, precondition).await {
        Ok(_) => respond::go_to(&format!("{}#clauses", route::done(&address_of(place.0), "saved"))),
        Err(Error::Stale) => {
            form.overtake(record::SEEN, app.record_validator(contract.version, revision));
            respond::overtaken(page(&workspace, &visit, place, &contract, &form)?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, place, &contract, &form)?)
        }
    }
}
