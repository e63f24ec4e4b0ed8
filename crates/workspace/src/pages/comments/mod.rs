//! Comments: the forms below every record, and the address of each comment.

mod notes;
mod section;

use app::{Error, comment::Subject};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    change::Change,
    comment::{CommentInput, CommentState, mentioned_in},
    id::{CommentId, UserId},
    right::{Resource, Right},
    violation::Complaint,
    vocabulary::Vocabulary as _,
    wording::Label,
};
use maud::{Markup, html};

pub(super) use self::section::section;
use super::{page_by_id, search::Found};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{comment as texts, common},
    ui::{
        self,
        badge::{Tone, badge},
        field,
        notice::{complaints, notice},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(&of_record("{id}", "comments"), post(create))
        .route(&of_record("{id}", "notes"), post(notes::write))
        .route(&format!("{}/release", notes::address_of("{id}")), post(notes::release))
        .route(&format!("{}/delete", notes::address_of("{id}")), post(notes::delete))
        .route(&of_record("{id}", "watch"), post(watch))
        .route(&of_record("{id}", "unwatch"), post(unwatch))
        .route(&address_of("{id}"), get(open).post(change))
        .route(&format!("{}/withdraw", address_of("{id}")), post(withdraw))
        .route(&format!("{}/resolve", address_of("{id}")), post(resolve))
}

pub(super) const FOUND: Found = Found { name: texts::TITLE, badge: state_badge };

/// The forms below a record of any kind.
fn of_record(id: &str, form: &str) -> String {
    format!("{}/{id}/{form}", route::RECORDS)
}

fn address_of(id: &str) -> String {
    format!("{}/{id}", route::COMMENTS)
}

fn comment_id(id: &str) -> Result<CommentId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

/// An open comment needs no mark.
fn state_badge(view: &View, word: &str) -> Markup {
    let state = CommentState::find(word).filter(|state| *state != CommentState::Open);
    let tone = |state| if state == CommentState::Resolved { Tone::Good } else { Tone::Muted };
    html! { @if let Some(state) = state { (badge(tone(state), view.t(state.label()))) } }
}

/// Whether the PDF of a record is to have its comments.
pub(super) fn are_printed(view: &View) -> bool {
    view.query("comments").is_some_and(|wanted| wanted == "true")
}

/// The page of a record of any kind.
pub(super) async fn page_of(workspace: &Workspace, visit: &Visit, record: &str) -> Result<String, PageError> {
    if let Some(page) = page_by_id(record) {
        return Ok(page);
    }
    // A due-diligence review is shown below its provider.
    let parent = workspace.app.records.parent_of_record(visit.caller(), record.to_owned()).await?;
    let parent = parent.and_then(|parent| page_by_id(&parent)).ok_or(PageError::NotFound)?;
    Ok(format!("{parent}/reviews/{record}"))
}

/// Back to the record, at a comment or at the list of them.
async fn back(workspace: &Workspace, visit: &Visit, record: &str, (what, at): (&str, &str)) -> Answer {
    let page = page_of(workspace, visit, record).await?;
    respond::go_to(&format!("{}#{at}", route::done(&page, what)))
}

/// Opens the page of the record at the comment.
async fn open(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let comment = workspace.app.records.comment(visit.caller(), comment_id(&id)?).await?;
    let page = page_of(&workspace, &visit, &comment.row.subject).await?;
    respond::go_to(&format!("{page}?comments=all#{id}"))
}

/// The people that the form names: chosen, or by `@` and their full name.
async fn mentions(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Vec<String>, PageError> {
    let people = workspace.app.records.mentionable(visit.caller()).await?;
    let named: Vec<_> = people.iter().map(|(id, name)| (*id, name.as_str())).collect();
    let named = mentioned_in(form.value("text"), &named);
    let chosen = form.all("mentions").filter(|id| !id.is_empty()).map(str::to_owned);
    Ok(chosen.chain(named.iter().map(UserId::to_string)).collect())
}

async fn create(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let Posted { visit, form } = posted;
    visit.caller().require_right(Resource::Comments, Right::Own)?;
    let mentions = Change::Set(mentions(&workspace, &visit, &form).await?);
    let input = CommentInput { text: form.required_change("text"), mentions };
    let subject = Subject::new(id.as_str());
    let made =
        workspace.app.records.create_comment(visit.caller(), subject, input, None, |_| String::new()).await;
    match made {
        Ok(made) => back(&workspace, &visit, &id, ("commented", &made.subject)).await,
        Err(error) => {
            let page = page_of(&workspace, &visit, &id).await?;
            refused(&visit, form, (&of_record(&id, "comments"), &page), error)
        }
    }
}

async fn change(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let (Posted { visit, form }, comment) = (posted, comment_id(&id)?);
    let caller = visit.caller();
    caller.require_right(Resource::Comments, Right::Own)?;
    let before = workspace.app.records.comment(caller, comment).await?.row;
    let mut people: Vec<String> = before.comment.mentions.iter().map(ToString::to_string).collect();
    people.extend(mentions(&workspace, &visit, &form).await?);
    let input = CommentInput { text: form.required_change("text"), mentions: Change::Set(people) };
    match workspace.app.records.change_comment(caller, comment, input).await {
        Ok(_) => back(&workspace, &visit, &before.subject, ("comment-changed", &id)).await,
        Err(error) => {
            let page = page_of(&workspace, &visit, &before.subject).await?;
            refused(&visit, form, (&address_of(&id), &page), error)
        }
    }
}

async fn withdraw(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let (visit, id) = (posted.visit, comment_id(&id)?);
    let record = workspace.app.records.withdraw_comment(visit.caller(), id).await?;
    back(&workspace, &visit, &record, ("comment-removed", section::ANCHOR)).await
}

async fn resolve(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let (visit, comment) = (posted.visit, comment_id(&id)?);
    match workspace.app.records.resolve_comment(visit.caller(), comment).await {
        Ok(resolved) => back(&workspace, &visit, &resolved.row.subject, ("comment-resolved", &id)).await,
        Err(Error::Conflict(complaint)) => {
            let before = workspace.app.records.comment(visit.caller(), comment).await?.row;
            impossible(&visit, &page_of(&workspace, &visit, &before.subject).await?, &complaint)
        }
        Err(error) => Err(error.into()),
    }
}

async fn watch(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    set_watch(&workspace, &posted.visit, &id, true).await
}

async fn unwatch(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    set_watch(&workspace, &posted.visit, &id, false).await
}

async fn set_watch(workspace: &Workspace, visit: &Visit, id: &str, watches: bool) -> Answer {
    workspace.app.records.watch(visit.caller(), Subject::new(id), watches).await?;
    let what = if watches { "watched" } else { "unwatched" };
    back(workspace, visit, id, (what, section::ANCHOR)).await
}

const NAMES: [(&str, Label); 3] =
    [("text", texts::TEXT), ("mentions", texts::MENTIONS), ("record", texts::RECORD)];

/// The form again, on a page of its own, with what was written and what is wrong with it.
fn refused(visit: &Visit, mut form: Form, (action, page): (&str, &str), error: Error) -> Answer {
    if let Error::Conflict(complaint) = error {
        return impossible(visit, page, &complaint);
    }
    form.refuse(error)?;
    form.relocate(|_, field, complaint| {
        let known = NAMES.iter().any(|(name, _)| *name == field);
        ((if known { field } else { "record" }).to_owned(), complaint.clone())
    });
    let content = html! {
        (ui::head(visit.t(texts::COMMENT), "", None))
        (complaints(visit, &form, &NAMES))
        section.card {
            form method="post" action=(action) {
                (visit.form_token())
                (field::required_area(visit, &form, "text", texts::TEXT, Some(texts::TEXT_HINT)))
                @for person in form.all("mentions") { input type="hidden" name="mentions" value=(person); }
                div.form-end {
                    button.button.primary type="submit" { (visit.t(texts::SEND)) }
                    a.button href=(page) { (visit.t(common::CANCEL)) }
                }
            }
        }
    };
    respond::refused(ui::layout::page(visit, visit.t(texts::COMMENT), &content))
}

/// What the comment no longer allows, and what to do instead.
fn impossible(visit: &Visit, page: &str, complaint: &Complaint) -> Answer {
    let content = html! {
        (ui::head(visit.t(texts::COMMENT), "", None))
        (notice(Tone::Warning, visit.t(texts::NOT_POSSIBLE), &html! { p { (visit.complaint(complaint)) } }))
        (ui::link_button(page, visit.t(texts::BACK), true))
    };
    respond::overtaken(ui::layout::page(visit, visit.t(texts::COMMENT), &content))
}
