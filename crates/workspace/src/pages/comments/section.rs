//! The comments on the page of a record of any kind.

use app::{
    comment::{Comment, Discussion},
    records::AnyKind,
};
use domain::{
    comment::{Comment as Said, CommentState},
    id::UserId,
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, notes, of_record, state_badge};
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    pages::{custom_field, evidence_requests, tag},
    texts::{comment as texts, common},
    ui::{self, history},
};

/// Where the list begins.
pub(super) const ANCHOR: &str = "comments";

const DONE: [(&str, Label); 9] = [
    ("commented", texts::WAS_ADDED),
    ("comment-changed", texts::WAS_CHANGED),
    ("comment-removed", texts::WAS_REMOVED),
    ("comment-resolved", texts::WAS_RESOLVED),
    ("watched", texts::IS_WATCHED),
    ("unwatched", texts::IS_UNWATCHED),
    ("noted", texts::WAS_NOTED),
    ("note-released", texts::WAS_RELEASED),
    ("note-deleted", texts::NOTE_WAS_DELETED),
];

/// The kinds whose records have a PDF for the institution itself, which takes the comments along.
const PRINTED: [&str; 5] = ["drill_runs", "findings", "programmes", "providers", "test_cases"];

/// How many people the form shows at once; the others are reached by scrolling.
const ROWS: usize = 5;

/// The sections with a record's own fields, its tags and its comments; empty for what is no record of its own, such as an assessment.
pub(in crate::pages) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    record: &str,
) -> Result<Markup, PageError> {
    let Some(kind) = AnyKind::of_id(record) else { return Ok(html! {}) };
    let all = visit.query("comments").is_some_and(|which| which == "all");
    let discussion = workspace.app.records.discussion(visit.caller(), record.to_owned(), all).await?;
    let people = if discussion.may_write {
        workspace.app.records.mentionable(visit.caller()).await?
    } else {
        Vec::new()
    };
    let own_fields = custom_field::section(workspace, visit, record).await?;
    let tags = tag::section(workspace, visit, record).await?;
    let notes = notes::section(workspace, visit, record).await?;
    Ok(html! {
        (own_fields)
        (tags)
        section.card #(ANCHOR) {
            h2 { (visit.t(texts::TITLE)) }
            (ui::notice::done(visit, &DONE))
            (watching(visit, record, discussion.is_watched))
            (evidence_requests::ask_link(visit, record))
            (comments(visit, &discussion))
            @if PRINTED.contains(&kind.table) && !discussion.comments.items.is_empty() {
                p { a href={ (visit.path()) ".pdf?comments=true" } { (visit.t(texts::PRINT)) } }
            }
            @if discussion.may_write { (form(visit, record, &people)) }
        }
        (notes)
    })
}

fn watching(visit: &Visit, record: &str, is_watched: bool) -> Markup {
    let (form, label) = if is_watched { ("unwatch", texts::UNWATCH) } else { ("watch", texts::WATCH) };
    html! {
        div.row {
            (ui::post_button(visit, &of_record(record, form), visit.t(label)))
            @if is_watched { span.hint { (visit.t(texts::WATCHED)) } }
        }
    }
}

fn comments(visit: &Visit, discussion: &Discussion) -> Markup {
    let page = &discussion.comments;
    if page.items.is_empty() {
        return html! { p.hint { (visit.t(texts::EMPTY)) } };
    }
    html! {
        @if page.total > page.items.len() as u64 {
            p { a href={ (visit.path()) "?comments=all#" (ANCHOR) } {
                (visit.fill(texts::EARLIER, &[("count", &page.total)]))
            } }
        }
        ol.history {
            @for (number, comment) in page.items.iter().enumerate() {
                li id=(comment.row.id.to_string()) { (one(visit, comment, number)) }
            }
        }
    }
}

fn one(visit: &Visit, comment: &Comment, number: usize) -> Markup {
    let is_withdrawn = comment.state == CommentState::Withdrawn;
    let names: Vec<&str> = comment.mentioned.iter().map(|(_, name)| name.as_str()).collect();
    html! {
        div.row {
            strong { (history::author(visit, Some(&comment.author.who))) }
            (state_badge(visit, comment.state.as_str()))
        }
        @match &comment.text {
            Some(text) => {
                p.prose { (text.as_str()) }
                @if is_withdrawn { p.hint { (visit.t(texts::GONE_FOR_OTHERS)) } }
                @if !names.is_empty() {
                    p.hint { (visit.fill(texts::MENTIONED, &[("names", &names.join(", "))])) }
                }
            },
            None => p.hint { (visit.t(texts::GONE)) },
        }
        (moments(visit, comment))
        (actions(visit, comment, number))
    }
}

/// When it was written, changed and resolved.
fn moments(visit: &Visit, comment: &Comment) -> Markup {
    let row = &comment.row;
    html! {
        p.hint {
            (visit.time(row.created_at))
            @if let Some(at) = row.edited_at {
                " · " (visit.fill(texts::EDITED, &[("when", &visit.moment(at))]))
            }
            @if let (Some(by), Some(at)) = (&comment.resolved_by, row.resolved_at) {
                @let who = history::author(visit, Some(&by.who));
                " · " (visit.fill(texts::RESOLVED, &[("who", &who), ("when", &visit.moment(at))]))
            }
        }
    }
}

fn actions(visit: &Visit, comment: &Comment, number: usize) -> Markup {
    let address = address_of(&comment.row.id.to_string());
    let (opener, question, sure) = if comment.may_change {
        (common::DELETE, texts::DELETE_ASK, texts::DELETE_SURE)
    } else {
        (texts::WITHDRAW, texts::WITHDRAW_ASK, texts::WITHDRAW_SURE)
    };
    let confirm = ui::Confirm {
        action: &format!("{address}/withdraw"),
        opener,
        about: visit.t(texts::COMMENT),
        question: visit.t(question).to_owned(),
        sure,
    };
    html! {
        @if comment.may_resolve || comment.may_withdraw {
            div.row {
                @if comment.may_resolve {
                    (ui::post_button(visit, &format!("{address}/resolve"), visit.t(texts::RESOLVE)))
                }
                @if comment.may_change { (edit(visit, comment, &address, number)) }
                @if comment.may_withdraw { (confirm.render(visit)) }
            }
        }
    }
}

fn edit(visit: &Visit, comment: &Comment, address: &str, number: usize) -> Markup {
    let id = format!("comment-{number}");
    html! {
        details.confirm {
            summary.button { (visit.t(texts::CHANGE)) span.unseen { " " (visit.t(texts::COMMENT)) } }
            form.confirm-body method="post" action=(address) {
                (visit.form_token())
                div.field.area {
                    label for=(id) { (visit.t(texts::CHANGE_LABEL)) }
                    textarea id=(id) name="text" rows="4" required maxlength=(Said::LONGEST) {
                        "\n" (comment.row.comment.text.as_str())
                    }
                }
                button.button type="submit" { (visit.t(common::SAVE)) }
            }
        }
    }
}

fn form(visit: &Visit, record: &str, people: &[(UserId, Name)]) -> Markup {
    html! {
        form method="post" action=(of_record(record, "comments")) {
            (visit.form_token())
            div.field.area {
                label for="comment-text" { (visit.t(texts::TEXT)) }
                p.hint id="comment-text-hint" { (visit.t(texts::TEXT_HINT)) }
                textarea id="comment-text" name="text" rows="4" required maxlength=(Said::LONGEST)
                    aria-describedby="comment-text-hint" { "\n" }
            }
            @if !people.is_empty() {
                div.field {
                    label for="comment-mentions" { (visit.t(texts::MENTIONS)) }
                    select id="comment-mentions" name="mentions" multiple size=(people.len().min(ROWS)) {
                        @for (id, name) in people { option value=(id.to_string()) { (name.as_str()) } }
                    }
                }
            }
            div.form-end { button.button type="submit" { (visit.t(texts::SEND)) } }
        }
    }
}
