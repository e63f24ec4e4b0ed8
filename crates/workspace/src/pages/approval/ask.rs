//! Asking for an approval, from the page of a record.

use app::approval::ApprovalChange;
use axum::extract::State;
use domain::{
    approval::{Approval, ApprovalAction, ApprovalInput},
    change::Change,
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

const NAMES: [(&str, Label); 5] = [
    ("subject", texts::SUBJECT),
    ("action", texts::ACTION),
    ("reason", texts::REASON),
    ("until", texts::UNTIL),
    ("approvers", texts::DECIDERS),
];

/// Where a decision about a record is asked for.
pub(in crate::pages) fn address(subject: &str, action: ApprovalAction) -> String {
    format!("{}/new?subject={subject}&action={action}", route::APPROVALS)
}

/// The way to ask for a decision.
pub(in crate::pages) fn link(view: &View, subject: &str, action: ApprovalAction) -> Markup {
    let text = format!("{}: {}", view.t(texts::ASK), view.t(action.label()));
    ui::link_button(&address(subject, action), &text, false)
}

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let text = |name: &str| visit.query(name).unwrap_or_default();
    let form = Form::filled([("subject", text("subject")), ("action", text("action"))]);
    respond::page(page(&workspace, &visit, &form).await?)
}

async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let subject = form.value("subject").to_owned();
    let name =
        workspace.app.name_of_record(visit.caller(), subject.clone()).await?.ok_or(PageError::NotFound)?;
    let action: ApprovalAction = form.value("action").parse().map_err(|_| PageError::NotFound)?;
    let people = workspace.app.deciders(visit.caller(), subject.clone(), action).await?;
    let choices: Vec<Choice> =
        people.iter().map(|(id, name)| Choice::new(id.to_string(), name.to_string())).collect();
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
                (field::required_area(visit, form, "reason", texts::REASON, Some(texts::ASK_HELP)))
                @if action == ApprovalAction::Accept { (Field::day(visit, form, "until", texts::UNTIL).render()) }
                @if choices.is_empty() { p.hint { (t(texts::NO_DECIDERS)) } }
                @else { (field::choices(visit, form, "approvers", texts::DECIDERS, true, &choices)) }
                div.form-end {
                    button.button.primary type="submit" { (t(texts::SEND)) }
                    @if let Some(page) = crate::pages::page_by_id(&subject) {
                        a.button href=(page) { (t(common::CANCEL)) }
                    }
                }
            }
        }
    };
    Ok(ui::layout::page(visit, &title, &content))
}

pub(super) async fn send(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let people: Vec<String> = form.all("approvers").map(str::to_owned).collect();
    let input = ApprovalInput {
        subject: form.required_change("subject"),
        action: form.required_change("action"),
        reason: form.required_change("reason"),
        until: form.filled_change("until"),
        approvers: if people.is_empty() { Change::Keep } else { Change::Set(people) },
    };
    let asked = workspace
        .app
        .create_record::<Approval>(visit.caller(), ApprovalChange::Ask(input), None, |detail| {
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
