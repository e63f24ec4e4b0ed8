//! The tags on the page of a record of any kind, and the form that changes them.

use app::{Error, comment::Subject, records::AnyKind, view};
use axum::{
    Router,
    extract::{Path, State},
    routing::post,
};
use domain::{
    tag::{Tag, TagsInput},
    wording::Label,
};
use maud::{Markup, html};

use super::{comments::page_of, page_by_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{comment as comments, common, tag as texts},
    ui::{self, notice::complaints},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(&address_of("{id}"), post(change))
}

/// Where the tags are on the page.
const ANCHOR: &str = "tags";

const DONE: [(&str, Label); 1] = [("tagged", texts::WERE_CHANGED)];

const NAMES: [(&str, Label); 2] = [("tags", texts::TITLE), ("record", comments::RECORD)];

fn address_of(id: &str) -> String {
    format!("{}/{id}/tags", route::RECORDS)
}

/// The section with a record's tags; empty for what is no record of its own, such as an assessment.
pub(super) async fn section(workspace: &Workspace, visit: &Visit, record: &str) -> Result<Markup, PageError> {
    let Some(kind) = AnyKind::of_id(record) else { return Ok(html! {}) };
    let tagged = workspace.app.records.tags(visit.caller(), Subject::new(record)).await?;
    if tagged.tags.is_empty() && !tagged.may_write {
        return Ok(html! {});
    }
    let list = list_of(kind, record);
    let written = tagged.tags.iter().map(Tag::as_str).collect::<Vec<_>>().join(", ");
    Ok(html! {
        section.card #(ANCHOR) {
            h2 { (visit.t(texts::TITLE)) }
            (ui::notice::done(visit, &DONE))
            @if tagged.tags.is_empty() { p.hint { (visit.t(texts::EMPTY)) } } @else {
                ul.chips { @for tag in &tagged.tags { li { (chip(visit, list.as_deref(), tag)) } } }
            }
            @if tagged.may_write {
                details.confirm {
                    summary.button { (visit.t(texts::CHANGE)) }
                    (form(visit, record, &Form::default(), &written))
                }
            }
        }
    })
}

/// The list that the record stands in, if there is one.
fn list_of(kind: &AnyKind, record: &str) -> Option<String> {
    let page = page_by_id(record).filter(|_| view::lists().contains(&kind.table))?;
    page.rsplit_once('/').map(|(list, _)| list.to_owned())
}

/// A tag, as the link to all records that have it.
fn chip(visit: &Visit, list: Option<&str>, tag: &Tag) -> Markup {
    let query: String = form_urlencoded::byte_serialize(tag.as_str().as_bytes()).collect();
    html! {
        @match list {
            Some(list) => {
                a.chip href={ (list) "?tag=" (query) } title=(visit.t(texts::ALIKE)) { (tag.as_str()) }
            },
            None => span.chip { (tag.as_str()) },
        }
    }
}

fn form(visit: &Visit, record: &str, form: &Form, written: &str) -> Markup {
    let hint = visit.fill(texts::HINT, &[("most", &Tag::MOST), ("longest", &Tag::LONGEST)]);
    html! {
        form.confirm-body method="post" action=(address_of(record)) {
            (visit.form_token())
            div.field {
                label for="tags-field" { (visit.t(texts::TITLE)) }
                p.hint id="tags-hint" { (hint) }
                input #tags-field type="text" name="tags" value=(written) aria-describedby="tags-hint"
                    aria-invalid=[(!form.complaints("tags").is_empty()).then_some("true")];
            }
            button.button type="submit" { (visit.t(common::SAVE)) }
        }
    }
}

async fn change(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let Posted { visit, form } = posted;
    let input = TagsInput::separated(form.value("tags"));
    match workspace.app.records.set_tags(visit.caller(), Subject::new(id.as_str()), input).await {
        Ok(_) => {
            let page = page_of(&workspace, &visit, &id).await?;
            respond::go_to(&format!("{}#{ANCHOR}", route::done(&page, "tagged")))
        }
        Err(error) => refused(&workspace, &visit, form, &id, error).await,
    }
}

/// The form again, on a page of its own, with what is wrong with it.
async fn refused(workspace: &Workspace, visit: &Visit, mut sent: Form, id: &str, error: Error) -> Answer {
    let page = page_of(workspace, visit, id).await?;
    sent.refuse(error)?;
    sent.relocate(|_, field, complaint| {
        ((if field == "tags" { field } else { "record" }).to_owned(), complaint.clone())
    });
    let content = html! {
        (ui::head(visit.t(texts::CHANGE), "", None))
        (complaints(visit, &sent, &NAMES))
        section.card { (form(visit, id, &sent, sent.value("tags"))) }
        div.row { a.button href=(page) { (visit.t(common::CANCEL)) } }
    };
    respond::refused(ui::layout::page(visit, visit.t(texts::CHANGE), &content))
}
