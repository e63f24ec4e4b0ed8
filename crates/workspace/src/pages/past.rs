//! The history of a record: its status, every field before and after, author and time, newest first.

mod words;

use std::{collections::HashMap, fmt::Display};

use app::{
    audit::Who,
    history::HistoryRow,
    record_change::{ChangeKind, FieldChange, RecordChange},
    records::{AnyKind, RecordKind},
};
use domain::{
    audit_action::AuditAction,
    custom_field::{CUSTOM, CustomField},
    moment::Moment,
};
use maud::{Markup, html};
use serde_json::Value;

pub(super) use self::words::{label, text};
use super::{
    comments as comment, custom_field,
    names::{Names, texts_in},
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    texts::{comment as comments, record as texts},
    ui::{self, history},
};

/// Everything one author did at one moment.
struct Event<'p> {
    at: Moment,
    who: Option<&'p Who>,
    steps: Vec<&'p HistoryRow>,
    change: Option<&'p RecordChange>,
}

/// The comments on a record and its history. `badge` renders a status of this kind of record.
pub(super) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    record: impl Display,
    steps: &[HistoryRow],
    badge: impl Fn(&str) -> Markup,
) -> Result<Markup, PageError> {
    let record = record.to_string();
    let changes = workspace.app.records.record_changes(visit.caller(), &record).await?;
    rows(workspace, visit, &record, (steps, &changes), badge).await
}

/// The same for a kind without states of which an import changes many records at once.
pub(super) async fn whole_section<K: RecordKind>(
    workspace: &Workspace,
    visit: &Visit,
    id: K::Id,
) -> Result<Markup, PageError> {
    let changes = workspace.app.records.all_changes::<K>(visit.caller(), id).await?;
    rows(workspace, visit, &id.to_string(), (&[], &changes), |_| html! {}).await
}

async fn rows(
    workspace: &Workspace,
    visit: &Visit,
    record: &str,
    (steps, changes): (&[HistoryRow], &[RecordChange]),
    badge: impl Fn(&str) -> Markup,
) -> Result<Markup, PageError> {
    let names = workspace.app.names(visit.caller(), steps).await?;
    let values =
        changes.iter().flat_map(|change| &change.fields).flat_map(|each| [&each.before, &each.after]);
    let known = Names::of(workspace, visit, values.flat_map(texts_in)).await?;
    let own = own_fields(workspace, visit, record, changes).await?;
    let list = html! {
        ol.history {
            @for event in events(steps, changes, &names) {
                li {
                    (headline(visit, &event, &badge))
                    @for note in event.steps.iter().filter_map(|step| step.note.as_ref()) {
                        p.prose { (note.as_str()) }
                    }
                    @if let Some(change) = event.change { (fields(visit, (record, &own), change, &known)) }
                    p.hint { (history::author(visit, event.who)) ", " (visit.time(event.at)) }
                }
            }
        }
    };
    // The comments belong to the same page of every kind, above what happened to the record itself.
    let comments = comment::section(workspace, visit, record).await?;
    Ok(html! { (comments) (ui::section(visit.t(texts::HISTORY), &list)) })
}

/// Steps and changes at the same moment by the same author are combined.
fn events<'p>(
    steps: &'p [HistoryRow],
    changes: &'p [RecordChange],
    names: &'p HashMap<String, Who>,
) -> Vec<Event<'p>> {
    let mut left: Vec<&HistoryRow> = steps.iter().rev().collect();
    let mut events: Vec<Event<'_>> = Vec::new();
    for change in changes {
        // A change without any field also moved the status, such as an expired acceptance.
        let is_comment = matches!(change.kind, ChangeKind::Comment(_));
        let moved = change.fields.is_empty() || change.fields.iter().any(|each| is_state(&each.field));
        let belongs = |step: &&HistoryRow| {
            let is_first = step.from.is_none();
            let fits = if change.kind == ChangeKind::Created { is_first } else { moved && !is_first };
            fits && !is_comment && step.at == change.at && step.actor == change.actor
        };
        let (mine, others): (Vec<_>, Vec<_>) = left.into_iter().partition(belongs);
        left = others;
        let shows = change.kind != ChangeKind::Changed || shown(change).next().is_some();
        if shows || !mine.is_empty() {
            events.push(Event { at: change.at, who: Some(&change.who), steps: mine, change: Some(change) });
        }
    }
    events.extend(left.into_iter().map(|step| Event {
        at: step.at,
        who: names.get(&step.actor),
        steps: vec![step],
        change: None,
    }));
    events.sort_by_key(|event| std::cmp::Reverse(event.at));
    events
}

fn headline(view: &View, event: &Event<'_>, badge: impl Fn(&str) -> Markup) -> Markup {
    let word = event.change.and_then(|change| match change.kind {
        ChangeKind::Created => Some(texts::HISTORY_CREATED),
        ChangeKind::Archived => Some(texts::ARCHIVED),
        ChangeKind::Restored => Some(texts::HISTORY_RESTORED),
        ChangeKind::Comment(action) => match action {
            AuditAction::CommentAdded => Some(comments::HISTORY_ADDED),
            AuditAction::CommentEdited => Some(comments::HISTORY_EDITED),
            AuditAction::CommentDeleted => Some(comments::HISTORY_DELETED),
            AuditAction::CommentWithdrawn => Some(comments::HISTORY_WITHDRAWN),
            AuditAction::CommentResolved => Some(comments::HISTORY_RESOLVED),
            _ => None,
        },
        ChangeKind::Changed => None,
    });
    html! {
        @if word.is_some() || !event.steps.is_empty() {
            div.row {
                @if let Some(word) = word { strong { (view.t(word)) } }
                @for step in &event.steps {
                    // A step from a status to itself corrects a filing.
                    @if step.from.as_ref() == Some(&step.to) { strong { (view.t(texts::CORRECTED)) } }
                    @else { (badge(&step.to)) }
                }
            }
        }
    }
}

/// The fields shown: the status has its badge, the archive its word.
fn shown(change: &RecordChange) -> impl Iterator<Item = &FieldChange> {
    change.fields.iter().filter(|each| !is_hidden(&each.field))
}

/// Approvals call their status a state.
fn is_state(field: &str) -> bool {
    matches!(field, "status" | "state")
}

/// Author and approver are shown elsewhere on the page.
fn is_hidden(field: &str) -> bool {
    is_state(field) || is_signature(field) || field == "archived_at"
}

/// Who changed or approved a record, and when: what a change of a record always changes.
pub(super) fn is_signature(field: &str) -> bool {
    field.starts_with("assessed_") || field.starts_with("approved_") || field == "changed_by"
}

/// The own fields that changes name, for their labels.
async fn own_fields(
    workspace: &Workspace,
    visit: &Visit,
    record: &str,
    changes: &[RecordChange],
) -> Result<Vec<CustomField>, PageError> {
    let is_own = |each: &FieldChange| each.field.starts_with(CUSTOM);
    let kind =
        AnyKind::of_id(record).filter(|_| changes.iter().any(|change| change.fields.iter().any(is_own)));
    let Some(kind) = kind else { return Ok(Vec::new()) };
    let rows = workspace.app.records.custom_fields(visit.caller(), Some(kind.noun.to_owned())).await?;
    Ok(rows.into_iter().map(|row| row.field).collect())
}

fn fields(
    view: &View,
    (record, own): (&str, &[CustomField]),
    change: &RecordChange,
    names: &Names,
) -> Markup {
    if shown(change).next().is_none() {
        return html! {};
    }
    html! {
        ul.changes {
            @for FieldChange { field, before, after } in shown(change) {
                li {
                    @let shown = |value| shown_value(view, (record, field), value, names);
                    @let own_name = custom_field::name_of(view, own, field).map(str::to_owned);
                    span.changed-field { (own_name.unwrap_or_else(|| label(view, record, field))) } ": "
                    (shown(before)) " → " (shown(after))
                }
            }
        }
    }
}

fn shown_value(view: &View, (record, field): (&str, &str), value: &Value, names: &Names) -> Markup {
    if let Some(id) = value.as_str().filter(|text| names.get(text).is_some()) {
        return names.link(id);
    }
    let text = text(view, names, record, field, value);
    view.or_none((!text.is_empty()).then_some(text))
}
