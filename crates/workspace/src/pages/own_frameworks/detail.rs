//! One own framework: what is in force, what is prepared, its requirements by chapter, and the approval.

use app::{
    history::Detail,
    own_framework::{Content, OwnFrameworkRow},
};
use domain::{
    approval::ApprovalAction,
    framework::Framework,
    id::OwnFrameworkId,
    own_framework::{OwnFramework, OwnFrameworkStatus, OwnRequirement},
    page::Page,
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, content_of, in_force, tone};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::{approvals, past, record},
    route,
    texts::{common, count, own_framework as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        history,
        notice::notice,
        pager::{counted, pager, requested},
    },
};

const DONE: [(&str, Label); 1] = [("removed", texts::WAS_REMOVED)];

/// What a page shows of a framework.
struct Shown<'p> {
    row: &'p OwnFrameworkRow,
    requirements: Page<&'p OwnRequirement>,
    /// The number of the set that is shown.
    number: i64,
    may_change: bool,
}

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: OwnFrameworkId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (Detail { history: steps, .. }, _) =
        workspace.app.records.record::<OwnFramework>(visit.caller(), id).await?;
    let content = content_of(visit);
    let (row, requirements) = workspace.app.compliance.own_framework(visit.caller(), id, content).await?;
    let shown_badge = |word: &str| record::status_badge(visit, word, tone);
    let past = past::section(workspace, visit, id, &steps, shown_badge).await?;
    let removal = workspace.app.records.removal::<OwnFramework>(visit.caller(), id).await?;
    let (t, may_write) = (
        |label| visit.t(label),
        visit.may(Resource::OwnFrameworks, Right::Write) && row.archived_at.is_none(),
    );
    let (address, title, status) = (address_of(id), row.record.title.as_str(), row.record.status);
    let number = match content {
        Content::Number(number) => number,
        Content::Draft | Content::InForce => row.record.content,
    };
    let is_current = number == row.record.content;
    let may_change = may_write && is_current && status != OwnFrameworkStatus::Retired;
    let listed = Page::cut(requirements.iter(), requested(visit));
    let shown = Shown { row: &row, requirements: listed, number, may_change };
    let me = visit.caller().actor().to_string();
    let may_approve = !row.record.editors.contains(&me) && row.record.requirements > 0;
    let asks =
        may_write && status == OwnFrameworkStatus::Draft && row.record.requirements > 0 && !may_approve;
    let asked = asks.then_some(ApprovalAction::Approve);
    let approval = approvals::offer(workspace, visit, id.to_string(), asked).await?;
    let offered = |to: OwnFrameworkStatus| to != OwnFrameworkStatus::Approved || may_approve;
    let content = html! {
        (ui::head(title, row.record.key.as_str(), Some(actions(visit, &shown, &address, may_write))))
        (ui::notice::done(visit, &record::DONE))
        (ui::notice::done(visit, &DONE))
        (record::archived(visit, &address, row.archived_at, visit.may(Resource::OwnFrameworks, Right::Decide)))
        (record::form::complaints::<OwnFramework>(visit, form,
            &[("note", shared::NOTE), ("own_framework", texts::OWN_FRAMEWORK)]))
        (standing(visit, &shown, &address))
        div.split {
            div {
                section.card { (facts(visit, &row)) }
                (chapters(visit, &shown, &address))
            }
            div {
                (approval)
                @if may_write {
                    (ui::section(t(shared::NEXT_STEP), &html! {
                        @if status == OwnFrameworkStatus::Draft && row.record.editors.contains(&me) {
                            p.hint { (t(texts::ANOTHER_PERSON)) }
                        }
                        (history::moves(visit, form, &format!("{address}/move"), status, offered))
                    }))
                }
                (past)
                @if visit.may(Resource::OwnFrameworks, Right::Decide) { div #own_framework { (record::removal(visit, &address, title, removal)) } }
            }
        }
    };
    Ok(ui::layout::page(visit, title, &content))
}

fn actions(visit: &Visit, shown: &Shown<'_>, address: &str, may_write: bool) -> Markup {
    let query = format!("?content={}", shown.number);
    html! {
        @if shown.number > 0 {
            a.button href={ (address) "/requirements.xlsx" (query) } { (visit.t(texts::WORKBOOK)) }
            a.button href={ (address) "/oscal.json" (query) } { "OSCAL" }
        }
        @if shown.may_change {
            (ui::link_button(&format!("{address}/import"), visit.t(texts::IMPORT), false))
            (ui::link_button(&format!("{address}/requirements/new"), visit.t(texts::NEW_REQUIREMENT), true))
        }
        @if may_write { (ui::link_button(&format!("{address}/edit"), visit.t(shared::EDIT), false)) }
    }
}

/// What a reader must know before reading on: an earlier set is shown, or a change is prepared.
fn standing(visit: &Visit, shown: &Shown<'_>, address: &str) -> Markup {
    let record = &shown.row.record;
    if shown.number != record.content {
        let sentence = visit.fill(texts::EARLIER, &[("number", &shown.number), ("last", &record.content)]);
        let back = html! { p { a href=(address) { (visit.t(texts::SHOW_CURRENT)) } } };
        return notice(Tone::Muted, &sentence, &back);
    }
    match &record.in_force {
        Some(held) if record.is_in_revision() => {
            let sentence = visit.fill(texts::REVISION, &[("number", &held.content)]);
            notice(Tone::Notice, &sentence, &html! {})
        }
        _ => html! {},
    }
}

fn facts(visit: &Visit, row: &OwnFrameworkRow) -> Markup {
    let (record, t) = (&row.record, |label| visit.t(label));
    html! {
        div.row { (badge(tone(record.status), t(record.status.label()))) }
        dl.facts {
            dt { (t(OwnFramework::IN_FORCE.label)) }
            dd {
                (in_force(visit, record))
                @if record.in_force.is_some() {
                    " " a href={ (route::ASSESSMENTS) "/" (record.key) } { (t(texts::ASSESS)) }
                }
            }
            (record::field::facts(visit, record))
            dt { (t(OwnFramework::CONTENT.label)) }
            dd {
                (record.content)
                @if record.content > 1 {
                    " " a href=(format!("?content={}", record.content - 1)) {
                        (visit.fill(texts::SHOW_SET, &[("number", &(record.content - 1))]))
                    }
                }
            }
            dt { (t(OwnFramework::APPROVED_AT.label)) }
            dd { (visit.time_or_none(record.approved.as_ref().map(|signed| signed.at))) }
            dt { (t(common::CHANGED)) } dd { (visit.time(row.updated_at)) }
        }
        (record::field::passages(visit, record))
    }
}

/// A page of the requirements under their chapters, in the order in which they were entered.
fn chapters(view: &View, shown: &Shown<'_>, address: &str) -> Markup {
    let mut chapters: Vec<(&str, Vec<&OwnRequirement>)> = Vec::new();
    for kept in shown.requirements.items.iter().copied() {
        match chapters.iter_mut().find(|(title, _)| *title == kept.chapter) {
            Some((_, all)) => all.push(kept),
            None => chapters.push((&kept.chapter, vec![kept])),
        }
    }
    let key = shown.row.record.key;
    html! {
        @if shown.requirements.items.is_empty() {
            (ui::empty(view.t(texts::NO_REQUIREMENTS), view.t(texts::NO_REQUIREMENTS_HELP), None))
        } @else {
            (counted(view, shown.requirements.total, count::REQUIREMENT, count::REQUIREMENTS))
        }
        @for (title, all) in &chapters {
            details.card open[chapters.len() == 1] {
                summary {
                    strong { @if title.is_empty() { (view.t(texts::NO_CHAPTER)) } @else { (title) } }
                    " " span.quiet { (all.len()) }
                }
                ul.steps.tall { @for kept in all { (entry(view, shown, address, key, kept)) } }
            }
        }
        (pager(view, &shown.requirements))
    }
}

fn entry(view: &View, shown: &Shown<'_>, address: &str, key: Framework, kept: &OwnRequirement) -> Markup {
    let is_in_force = shown.row.record.in_force.as_ref().is_some_and(|held| held.content == shown.number);
    html! {
        li id=(kept.id) {
            div {
                strong { (kept.number) " " (kept.title) }
                p.prose { (kept.text) }
                @if let Some(note) = &kept.applicability { p.hint { (view.t(texts::APPLICABILITY)) ": " (note) } }
                @if !kept.measures.is_empty() {
                    p.hint { (view.t(texts::MEASURES)) ": " (kept.measures.join(", ")) }
                }
                @if !kept.based_on.is_empty() {
                    p.hint { (view.t(texts::BASED_ON)) ": " (kept.based_on.join(", ")) }
                }
            }
            span.row {
                @if is_in_force {
                    a href={ (route::ASSESSMENTS) "/" (key) "/" (kept.id) } {
                        (view.t(texts::ASSESS)) span.unseen { " " (kept.number) }
                    }
                }
                @if shown.may_change {
                    a href={ (address) "/requirements/" (kept.id) } {
                        (view.t(shared::EDIT)) span.unseen { " " (kept.number) }
                    }
                }
            }
        }
    }
}
