//! One requirement: its text, the proposal from its controls, the institution's assessment, and related requirements.

use std::collections::HashMap;

use app::{
    Error,
    assessment::AssessmentView,
    audit::Who,
    catalogue::{Edition, applicability::Addressee, framework::Requirement},
    history::{Detail, HistoryRow},
    library_text::control_title,
};
use axum::extract::{Path, State};
use domain::{
    approval::ApprovalAction,
    assessment::{Assessment, AssessmentStatus, Signed},
    control::Control,
    evidence::LinkType,
    right::{Resource, Right},
    second_person::Decider,
    wording::{Label, Sentence as _},
};
use maud::{Markup, html};

use super::{
    address_of, applies_badge, edition,
    form::{complaints, filled, input, own_word},
    framework_address, known, proof, related, status_badge, to_confirm,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{
        approvals, controls as control, evidence, evidence_requests, past, record,
        reference::{self, measure_address},
    },
    respond::{self, Answer},
    route,
    texts::{assessment as texts, common, control as controls},
    ui::{
        self,
        badge::{Tone, badge},
        history,
        table::{Column, table},
    },
};

const DONE: [(&str, Label); 3] =
    [("approved", texts::WAS_APPROVED), ("carried", texts::WAS_CARRIED), ("adopted", texts::WAS_ADOPTED)];

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path((framework, id)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    respond::page(page(&workspace, &visit, (&framework, &id), None).await?)
}

async fn page(
    workspace: &Workspace,
    visit: &Visit,
    (framework, id): (&str, &str),
    sent: Option<Form>,
) -> Result<Markup, PageError> {
    let edition = edition(workspace, visit).await?;
    let requirement = known(&edition, framework, id)?;
    let (Detail { record: view, history: steps, .. }, revision) =
        workspace.app.compliance.assessment(visit.caller(), id).await?;
    let validator = workspace.app.record_validator(view.row.version, revision);
    let form = sent.unwrap_or_else(|| filled(&view, validator));
    let people = people(workspace, visit, &view).await?;
    let proof = workspace.app.compliance.requirement_proof(visit.caller(), id).await?;
    let related = related::section(workspace, visit, &edition, requirement, &view).await?;
    let shown = |word: &str| record::status_badge(visit, word, record::assessment_tone);
    let past = past::section(workspace, visit, id, &steps, shown).await?;
    let offers = Offers::of(workspace, visit, &view).await?;
    let to_ask = offers.to_ask(&view).into_iter().filter(|_| !is_of_authority(requirement));
    let waiting = approvals::offer(workspace, visit, id.to_owned(), to_ask).await?;
    let may_attach = visit.may(Resource::Evidence, Right::Write);
    let evidence = evidence::section(workspace, visit, LinkType::Assessment, id, may_attach).await?;
    let title = format!("{} {}", requirement.number, requirement.title.get(visit.language));
    let content = html! {
        (ui::head(&title, &requirement.framework.name(), Some(steps_beside(visit, &edition, requirement))))
        (ui::notice::done(visit, &record::DONE))
        (ui::notice::done(visit, &DONE))
        (record::overtaken(visit, &form, &address_of(requirement)))
        (complaints(visit, &form))
        div.split {
            div {
                (asked(visit, &edition, requirement))
                (proposal(visit, &edition, requirement, &view))
                (proof::sections(visit, id, &proof))
                (evidence)
                (evidence_requests::ask_link(visit, id))
                (related)
            }
            div {
                (standing(visit, &edition, requirement, &view, &people, offers.approval))
                (waiting)
                @if offers.change && !is_of_authority(requirement) { (own_word(visit, &form, requirement, &view)) }
                (past)
            }
        }
    };
    Ok(ui::layout::page(visit, &title, &content))
}

/// What the page offers its reader.
struct Offers {
    change: bool,
    approval: bool,
}

impl Offers {
    async fn of(workspace: &Workspace, visit: &Visit, view: &AssessmentView) -> Result<Self, PageError> {
        let (app, caller, said) = (&workspace.app, visit.caller(), &view.row.assessment);
        let owner = said.owner.as_ref();
        let name = caller.actor().to_string();
        let decider = Decider { name: &name, is_editor: app.people.is_editor(caller, &said.editors).await? };
        let stands = said.approve(decider, visit.now).is_ok();
        let may_decide = stands && visit.may(Resource::Assessments, Right::Decide);
        Ok(Self {
            change: app.people.may_change(caller, Resource::Assessments, owner).await?,
            approval: may_decide && !app.people.is_named(caller, owner).await?,
        })
    }
}

impl Offers {
    /// What can be asked for: the approval by those who cannot give it, and to leave the requirement out.
    fn to_ask(&self, view: &AssessmentView) -> Vec<ApprovalAction> {
        let said = &view.row.assessment;
        let waits = said.approved.is_none() && said.status != AssessmentStatus::NotAssessed;
        let approve = (waits && !self.approval).then_some(ApprovalAction::Approve);
        let leave_out =
            (said.status != AssessmentStatus::NotApplicable).then_some(ApprovalAction::NotApplicable);
        approve.into_iter().chain(leave_out).filter(|_| self.change).collect()
    }
}

/// Links to the requirements before and after this one, also by keyboard.
fn steps_beside(visit: &Visit, edition: &Edition, requirement: &Requirement) -> Markup {
    let (before, after) = neighbours(edition, requirement);
    html! {
        @if let Some(before) = before {
            a.button rel="prev" href=(address_of(before)) { (visit.t(common::PREVIOUS)) }
        }
        @if let Some(after) = after {
            a.button rel="next" href=(address_of(after)) { (visit.t(common::NEXT)) }
        }
        (ui::link_button(&framework_address(requirement.framework), &requirement.framework.name(), false))
        p.hint { (visit.t(texts::KEYS_HINT)) }
    }
}

fn neighbours<'e>(
    edition: &'e Edition,
    requirement: &Requirement,
) -> (Option<&'e Requirement>, Option<&'e Requirement>) {
    let all = edition.ledger().of_framework(requirement.framework);
    let here = edition.requirements.position(&requirement.id);
    let place = here.and_then(|here| all.binary_search(&here).ok());
    let Some(place) = place else { return (None, None) };
    let can_be_assessed =
        |found: &usize| edition.requirements.at(*found).filter(|requirement| !is_of_authority(requirement));
    let before = all.get(..place).unwrap_or_default().iter().rev().find_map(can_be_assessed);
    (before, all.iter().skip(place + 1).find_map(can_be_assessed))
}

/// Whether it is a duty of the authority, which the institution cannot assess.
pub(super) fn is_of_authority(requirement: &Requirement) -> bool {
    requirement.applicability.addressee == Addressee::Authority
}

/// The text of the law or the standard, with a link to it.
fn asked(visit: &Visit, edition: &Edition, requirement: &Requirement) -> Markup {
    let source = requirement.source.as_deref();
    let proven = edition.proven(&requirement.cite, source, &requirement.proof, visit.language);
    html! {
        section.card {
            h2 { (visit.t(texts::WHAT_IT_ASKS)) }
            p.prose { (requirement.summary.get(visit.language)) }
            @if edition.is_own(requirement.framework) { p.hint { (visit.citation(&requirement.cite)) } }
            @else { (reference::proven(visit, &requirement.cite, source, &proven)) }
            @if !requirement.audit_steps.is_empty() {
                details {
                    summary { (visit.t(texts::AUDIT_STEPS)) }
                    ol.prose { @for step in &requirement.audit_steps { li { (step.get(visit.language)) } } }
                }
            }
        }
        (reference::wording(visit, edition, requirement))
    }
}

/// The proposal from the controls, the controls, and measures that could be adopted.
fn proposal(visit: &Visit, edition: &Edition, requirement: &Requirement, view: &AssessmentView) -> Markup {
    let t = |label| visit.t(label);
    let adopted: Vec<&str> =
        view.controls.iter().filter_map(|control| control.measure_id.as_deref()).collect();
    let free: Vec<_> =
        edition.measures_for(&requirement.id).filter(|measure| !adopted.contains(&&*measure.id)).collect();
    let columns = [
        Column::text(t(controls::CONTROL)),
        Column::tight(t(common::STATUS)),
        Column::tight(t(Control::EFFECTIVENESS.label)),
        Column::tight(t(Control::LAST_PERFORMED_ON.label)),
    ];
    let rows: Vec<_> = view
        .controls
        .iter()
        .map(|row| {
            let title = control_title(edition, row.measure_id.as_deref(), &row.title, visit.language);
            vec![
                html! { a href=(control::address_of(row.id)) { (row.reference.to_string()) " " (title) } },
                badge(record::control_tone(row.status), t(row.status.label())),
                control::effectiveness(visit, row.effectiveness),
                visit.day_or_none(row.last_performed_on),
            ]
        })
        .collect();
    html! {
        section.card {
            h2 { (t(texts::PROPOSAL)) }
            p { (status_badge(visit, view.proposal.status)) " " (view.proposal.because.text(visit.language)) }
            @if rows.is_empty() { p.hint { (t(texts::NO_CONTROLS)) } } @else { (table(t(texts::CONTROLS), &columns, &rows)) }
            @if visit.may(Resource::Controls, Right::Write) && !free.is_empty() {
                details {
                    summary { (t(texts::ADOPT)) " " span.quiet { (free.len()) } }
                    form.stack method="post" action=(route::ADOPT_CONTROLS) {
                        (visit.form_token())
                        input type="hidden" name="back" value=(address_of(requirement));
                        p.hint { (t(texts::ADOPT_HELP)) }
                        @for measure in &free {
                            div.choice {
                                input id=(measure.id) type="checkbox" name="measures" value=(measure.id) checked;
                                label for=(measure.id) { (measure.title.get(visit.language)) }
                                " " a href=(measure_address(&measure.id)) { "→" span.unseen { (measure.title.get(visit.language)) } }
                            }
                        }
                        div.form-end { button.button type="submit" { (t(texts::ADOPT)) } }
                    }
                }
            }
            @if visit.may(Resource::Controls, Right::Own) {
                p { a href={ (route::NEW_CONTROL) "?requirement=" (requirement.id) } { (t(controls::NEW)) } }
            }
        }
    }
}

/// The names of the author and the approver.
async fn people(
    workspace: &Workspace,
    visit: &Visit,
    view: &AssessmentView,
) -> Result<HashMap<String, Who>, PageError> {
    let said = &view.row.assessment;
    let signed = [&said.assessed, &said.approved].into_iter().flatten();
    let rows: Vec<HistoryRow> = signed
        .map(|signed| HistoryRow {
            at: signed.at,
            from: None,
            to: String::new(),
            actor: signed.by.clone(),
            note: None,
        })
        .collect();
    Ok(workspace.app.names(visit.caller(), &rows).await?)
}

/// The current assessment, and its approval.
fn standing(
    visit: &Visit,
    edition: &Edition,
    requirement: &Requirement,
    view: &AssessmentView,
    people: &HashMap<String, Who>,
    may_approve: bool,
) -> Markup {
    let said = &view.row.assessment;
    let sentence = |label: Label, signed: &Signed| {
        let who = history::author(visit, people.get(&signed.by));
        visit.fill(label, &[("who", &who), ("when", &visit.moment(signed.at))])
    };
    let waits = said.approved.is_none() && said.status != AssessmentStatus::NotAssessed;
    html! {
        section.card {
            div.row { (status_badge(visit, said.status)) (applies_badge(visit, view)) }
            p.hint { (view.applies_reason(Some(visit.language))) }
            @if view.row.version > 0 { p.hint { (visit.fill(texts::VERSION, &[("version", &view.row.version)])) } }
            @if let Some(signed) = &said.assessed { p.hint { (sentence(texts::ASSESSED_BY, signed)) } }
            @if let Some(signed) = &said.approved { p.hint { (sentence(texts::APPROVED_BY, signed)) } }
            (to_confirm(visit, edition, view))
            @if view.is_in_doubt() {
                p { (badge(Tone::Warning, visit.t(Assessment::IN_DOUBT.label))) }
                p.hint { (visit.t(texts::IN_DOUBT_HELP)) }
            }
            @if let Some(from) = &said.carried_from {
                p.hint {
                    (related::carried(visit, edition, from))
                }
            }
            @if waits {
                p { (visit.t(texts::WAITING)) }
                @if may_approve {
                    (ui::post_button(visit, &format!("{}/approve", address_of(requirement)), visit.t(texts::APPROVE)))
                    p.hint { (visit.t(texts::APPROVE_HELP)) }
                }
            }
        }
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path((framework, id)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Assessments, Right::Own)?;
    let edition = edition(&workspace, &visit).await?;
    let requirement = known(&edition, &framework, &id)?;
    let (precondition, input) = (record::precondition(&form), input(&mut form));
    let place = (framework.as_str(), id.as_str());
    match workspace.app.compliance.change_assessment(visit.caller(), &id, input, precondition).await {
        Ok(_) => {
            let next = neighbours(&edition, requirement).1.filter(|_| form.value("then") == "next");
            respond::go_to(&route::done(&address_of(next.unwrap_or(requirement)), "changed"))
        }
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approvals::address_for(&wanted)),
        Err(Error::Stale) => {
            let (detail, revision) = workspace.app.compliance.assessment(visit.caller(), &id).await?;
            form.overtake(record::SEEN, workspace.app.record_validator(detail.record.row.version, revision));
            respond::overtaken(page(&workspace, &visit, place, Some(form)).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, place, Some(form)).await?)
        }
    }
}

pub(super) async fn approve(
    State(workspace): State<Workspace>,
    Path((framework, id)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Assessments, Right::Decide)?;
    let edition = edition(&workspace, &visit).await?;
    let requirement = known(&edition, &framework, &id)?;
    match workspace.app.compliance.approve_assessment(visit.caller(), &id, record::precondition(&form)).await
    {
        Ok(_) => respond::go_to(&route::done(&address_of(requirement), "approved")),
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approvals::address_for(&wanted)),
        Err(error) => {
            form.refuse(error)?;
            refused(&workspace, &visit, (&framework, &id), form).await
        }
    }
}

/// The page with the current assessment, and why the other change was refused.
pub(super) async fn refused(workspace: &Workspace, visit: &Visit, place: (&str, &str), form: Form) -> Answer {
    let (detail, revision) = workspace.app.compliance.assessment(visit.caller(), place.1).await?;
    let validator = workspace.app.record_validator(detail.record.row.version, revision);
    respond::refused(page(workspace, visit, place, Some(form.or(&filled(&detail.record, validator)))).await?)
}
