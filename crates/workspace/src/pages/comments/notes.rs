//! Working notes of auditors, below the comments on a record.

use app::comment::{Subject, WorkingNote};
use axum::extract::{Path, State};
use domain::{
    comment::Comment as Said,
    id::AuditNoteId,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{back, of_record, page_of, refused};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    respond::Answer,
    route,
    texts::{comment as texts, common},
    ui::{self, history},
};

/// Where the notes begin.
const ANCHOR: &str = "notes";

pub(super) fn address_of(id: &str) -> String {
    format!("{}/{id}", route::NOTES)
}

/// The notes on a record, for auditors; others see nothing of them.
pub(super) async fn section(workspace: &Workspace, visit: &Visit, record: &str) -> Result<Markup, PageError> {
    if !visit.may(Resource::Notes, Right::Own) {
        return Ok(html! {});
    }
    let notes = workspace.app.records.working_notes(visit.caller(), Subject::new(record)).await?;
    let t = |label| visit.t(label);
    Ok(html! {
        section.card #(ANCHOR) {
            h2 { (t(texts::NOTES)) }
            p.hint { (t(texts::NOTES_HELP)) }
            @if !notes.is_empty() { ol.history { @for note in &notes { li { (one(visit, note)) } } } }
            form method="post" action=(of_record(record, "notes")) {
                (visit.form_token())
                div.field.area {
                    label for="note-text" { (t(texts::NOTE)) }
                    textarea id="note-text" name="text" rows="4" required maxlength=(Said::LONGEST) { "\n" }
                }
                div.form-end { button.button type="submit" { (t(texts::NOTE_SAVE)) } }
            }
        }
    })
}

fn one(visit: &Visit, note: &WorkingNote) -> Markup {
    let address = address_of(&note.row.id.to_string());
    let confirm = |below: &str, opener, question, sure| {
        let action = format!("{address}/{below}");
        let about = visit.t(texts::NOTE);
        ui::Confirm { action: &action, opener, about, question: visit.t(question).to_owned(), sure }
            .render(visit)
    };
    html! {
        div.row { strong { (history::author(visit, Some(&note.author))) } }
        p.prose { (note.row.note.text.as_str()) }
        p.hint { (visit.time(note.row.note.written_at)) }
        @if note.is_own {
            div.row {
                (confirm("release", texts::NOTE_RELEASE, texts::NOTE_RELEASE_ASK, texts::NOTE_RELEASE_SURE))
                (confirm("delete", common::DELETE, texts::NOTE_DELETE_ASK, texts::NOTE_DELETE_SURE))
            }
        }
    }
}

fn note_id(id: &str) -> Result<AuditNoteId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

pub(super) async fn write(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let Posted { visit, form } = posted;
    visit.caller().require_right(Resource::Notes, Right::Own)?;
    let text = form.value("text").trim().replace("\r\n", "\n");
    match workspace.app.records.write_note(visit.caller(), Subject::new(id.as_str()), &text).await {
        Ok(()) => back(&workspace, &visit, &id, ("noted", ANCHOR)).await,
        Err(error) => {
            let page = page_of(&workspace, &visit, &id).await?;
            refused(&visit, form, (&of_record(&id, "notes"), &page), error)
        }
    }
}

pub(super) async fn release(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (visit, id) = (posted.visit, note_id(&id)?);
    let record = workspace.app.records.release_note(visit.caller(), id).await?;
    back(&workspace, &visit, &record, ("note-released", super::section::ANCHOR)).await
}

pub(super) async fn delete(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (visit, id) = (posted.visit, note_id(&id)?);
    let record = workspace.app.records.delete_note(visit.caller(), id).await?;
    back(&workspace, &visit, &record, ("note-deleted", ANCHOR)).await
}
