//! Asking for an approval, from the page of a record.

use app::approval::{ApprovalWanted, NewApproval};
use axum::extract::State;
use domain::{
    approval::{Approval, ApprovalAction, ApprovalDetails, ApprovalInput},
    change::Change,
    incident::{Incident, Outcome},
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{approval as texts, common},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
};

const NAMES: [(&str, Label); 7] = [
    ("subject", texts::SUBJECT),
    ("action", texts::ACTION),
    ("reason", texts::REASON),
    ("until", texts::UNTIL),
    ("details", texts::DETAILS),
    ("approvers", texts::DECIDERS),
    ("status", common::STATUS),
];

/// What stands before the name of a detail in the form.
const DETAIL: &str = "details.";
/// A longer reason is written anew, because addresses are bounded.
const MOST_REASON: usize = 1000;

/// Where a decision about a record is asked for.
pub(in crate::pages) fn address(subject: &str, action: ApprovalAction) -> String {
    format!("{}/new?subject={subject}&action={action}", route::APPROVALS)
}

/// Where a decision is asked for that a direct change was refused for, with what was said there.
pub(in crate::pages) fn address_for(wanted: &ApprovalWanted) -> String {
    let said = wanted.reason.as_deref().filter(|reason| reason.len() <= MOST_REASON);
    let details = wanted.details.iter().map(|(name, text)| (format!("{DETAIL}{name}"), text.as_str()));
    let rest: Vec<(String, &str)> =
        said.map(|reason| ("reason".to_owned(), reason)).into_iter().chain(details).collect();
    let address = address(&wanted.subject, wanted.action);
    if rest.is_empty() {
        return address;
    }
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(rest).finish();
    format!("{address}&{query}")
}

/// The way to ask for a decision.
pub(in crate::pages) fn link(view: &View, subject: &str, action: ApprovalAction) -> Markup {
    linked(view, &address(subject, action), action)
}

/// The same with what the decision is carried out with.
pub(in crate::pages) fn link_for(view: &View, wanted: &ApprovalWanted) -> Markup {
    linked(view, &address_for(wanted), wanted.action)
}

fn linked(view: &View, address: &str, action: ApprovalAction) -> Markup {
    let text = format!("{}: {}", view.t(texts::ASK), view.t(action.label()));
    ui::link_button(address, &text, false)
}

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let query = visit.address.split_once('?').map_or("", |(_, query)| query);
    let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
    // No stored text contains U+0000.
    let pairs: Vec<(String, String)> = pairs.filter(|(_, value)| !value.contains('\0')).collect();
    let form = Form::filled(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())));
    respond::page(page(&workspace, &visit, &form).await?)
}

async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let subject = form.value("subject").to_owned();
    let name = workspace
        .app
        .approval
        .name_of_subject(visit.caller(), subject.clone())
        .await?
        .ok_or(PageError::NotFound)?;
    let action: ApprovalAction = form.value("action").parse().map_err(|_| PageError::NotFound)?;
    let people = workspace.app.approval.deciders(visit.caller(), subject.clone(), action).await?;
    let choices: Vec<Choice> =
        people.iter().map(|(id, name)| Choice::new(id.to_string(), name.to_string())).collect();
    let back = super::page_of(workspace, visit, &subject).await?;
    let given = details_of(form);
    let shown = super::details(workspace, visit, (&subject, action), &given).await?;
    let t = |label| visit.t(label);
    let title = format!("{}: {}", t(action.label()), name);
    let content = html! {
        (ui::head(&title, t(texts::ASK_INTRO), None))
        (complaints(visit, form, &NAMES))
        section.card {
            form method="post" action=(route::APPROVALS) {
                (visit.form_token())
                input type="hidden" name="subject" value=(subject);
                input type="hidden" name="action" value=(action.as_str());
                (details_fields(visit, form, action, &given))
                @if !shown.0.is_empty() { dl.facts { (shown) } }
                (field::required_area(visit, form, "reason", texts::REASON, Some(texts::ASK_HELP)))
                @if action == ApprovalAction::Accept { (Field::day(visit, form, "until", texts::UNTIL).render()) }
                @if choices.is_empty() { p.hint { (t(texts::NO_DECIDERS)) } }
                @else { (field::choices(visit, form, "approvers", texts::DECIDERS, true, &choices)) }
                div.form-end {
                    button.button.primary type="submit" { (t(texts::SEND)) }
                    @if let Some(page) = back { a.button href=(page) { (t(common::CANCEL)) } }
                }
            }
        }
    };
    Ok(ui::layout::page(visit, &title, &content))
}

/// What the decision is carried out with, as far as the form has it.
fn details_of(form: &Form) -> ApprovalDetails {
    let given = form.pairs().filter_map(|(name, text)| Some((name.strip_prefix(DETAIL)?, text)));
    given
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .collect()
}

/// The result of a classification is chosen here; other details come from the page of the record.
fn details_fields(visit: &Visit, form: &Form, action: ApprovalAction, given: &ApprovalDetails) -> Markup {
    let chosen = action == ApprovalAction::Classify;
    let kept = given.iter().filter(|(name, _)| !chosen || *name != "result");
    html! {
        @for (name, text) in kept { input type="hidden" name={ (DETAIL) (name) } value=(text); }
        @if chosen {
            (field::select(visit, form, &format!("{DETAIL}result"), Incident::RESULT.label, &field::words::<Outcome>(visit)))
        }
    }
}

pub(super) async fn send(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let people: Vec<String> = form.all("approvers").map(str::to_owned).collect();
    let input = ApprovalInput {
        subject: form.required_change("subject"),
        action: form.required_change("action"),
        reason: form.required_change("reason"),
        until: form.filled_change("until"),
        details: details_change(&form),
        approvers: if people.is_empty() { Change::Keep } else { Change::Set(people) },
    };
    let asked = workspace
        .app
        .records
        .create_record::<Approval>(visit.caller(), NewApproval::Ask(input), None, |detail| {
            detail.record.id.to_string()
        })
        .await;
    match asked {
        Ok(created) => {
            respond::go_to(&route::done(&format!("{}/{}", route::APPROVALS, created.subject), "asked"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form).await?)
        }
    }
}

fn details_change(form: &Form) -> Change<ApprovalDetails> {
    let details = details_of(form);
    if details.is_empty() { Change::Keep } else { Change::Set(details) }
}
