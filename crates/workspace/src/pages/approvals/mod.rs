//! Approvals: the lists of what waits, one request with its decision, and the part on the pages of records.

mod ask;
mod policy;
mod shown;

use app::{
    approval::{ApprovalDecision, ApprovalFilter, ApprovalRow, ApprovalView},
    pages::Precondition,
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    approval::{Approval, ApprovalAction, ApprovalState},
    id::ApprovalId,
    page::Page,
    wording::Label,
};
use maud::{Markup, html};

pub(super) use self::{
    ask::{address_for, link as ask_link, link_for as ask_link_for},
    shown::{approved, details, page_of},
};
use super::{names::Names, past, record, search::Found};
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
        badge::{Tone, badge},
        field, filter,
        notice::complaints,
        pager::{counted, pager},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let below = |rest: &str| format!("{}/{rest}", route::APPROVALS);
    Router::new()
        .route(route::APPROVALS, get(list).post(ask::send))
        .route(&below("new"), get(ask::show))
        .route(&below("{id}"), get(show))
        .route(&below("{id}/grant"), post(grant))
        .route(&below("{id}/refuse"), post(refuse))
        .route(&below("{id}/withdraw"), post(withdraw))
        .route(route::APPROVAL_POLICY, get(policy::show).post(policy::change))
}

pub(super) const FOUND: Found =
    Found { name: texts::APPROVAL, badge: |view, word| record::status_badge(view, word, tone) };

const DONE: [(&str, Label); 4] = [
    ("asked", texts::WAS_ASKED),
    ("granted", texts::WAS_GRANTED),
    ("refused", texts::WAS_REFUSED),
    ("withdrawn", texts::WAS_WITHDRAWN),
];

const NAMES: [(&str, Label); 3] =
    [("approval", texts::APPROVAL), ("note", texts::NOTE), ("status", common::STATUS)];

fn tone(state: ApprovalState) -> Tone {
    match state {
        ApprovalState::Asked => Tone::Notice,
        ApprovalState::Granted => Tone::Good,
        ApprovalState::Refused => Tone::Critical,
        ApprovalState::Withdrawn | ApprovalState::Lapsed => Tone::Muted,
    }
}

fn address_of(id: ApprovalId) -> String {
    format!("{}/{id}", route::APPROVALS)
}

/// Which of the three lists: what waits for the reader, what they asked for, or all.
const LISTS: [(&str, Label); 3] = [("mine", texts::FOR_ME), ("asked", texts::BY_ME), ("all", texts::EVERY)];

fn filter_of(visit: &Visit) -> ApprovalFilter {
    let user = visit.session().user.id;
    match visit.query("list").as_deref() {
        Some("all") => ApprovalFilter {
            state: filter::any(visit, "state"),
            action: filter::any(visit, "action"),
            search: filter::search(visit),
            ..Default::default()
        },
        Some("asked") => ApprovalFilter { asked_by: Some(user.to_string()), ..Default::default() },
        _ => ApprovalFilter { approver: Some(user), ..Default::default() },
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = filter_of(&visit);
    let page = record::list::page_of::<Approval>(&workspace, &visit, &filter).await?;
    let names =
        Names::of(&workspace, &visit, page.items.iter().map(|row| row.record.asked_by.clone())).await?;
    let t = |label| visit.t(label);
    let chosen = visit.query("list").unwrap_or_else(|| "mine".to_owned());
    let policy = ui::link_button(route::APPROVAL_POLICY, t(texts::POLICY), false);
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(policy)))
        (ui::notice::done(&visit, &DONE))
        nav.row aria-label=(t(texts::TITLE)) {
            @for (word, label) in LISTS {
                a.button href={ (route::APPROVALS) "?list=" (word) } aria-current=[(chosen == word).then_some("page")] {
                    (t(label))
                }
            }
        }
        @if chosen == "all" { (filters(&visit)) }
        (filter::as_of_notice(&visit))
        @if page.items.is_empty() {
            @if chosen == "mine" { (ui::empty(t(texts::NONE_WAITING), t(texts::NONE_WAITING_HELP), None)) }
            @else { (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), None)) }
        } @else { (rows(&visit, &page, &names)) }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

/// The filters of the list of all, which stays the one that is shown.
fn filters(visit: &Visit) -> Markup {
    let list = html! { input type="hidden" name="list" value="all"; };
    filter::bar(
        visit,
        &[
            filter::Filter::plain("list", texts::EVERY, list),
            filter::any_words::<ApprovalState>(visit, "state", texts::STATE),
            filter::any_words::<ApprovalAction>(visit, "action", texts::ACTION),
            filter::as_of_field(visit),
        ],
    )
}

fn rows(visit: &Visit, page: &Page<ApprovalRow>, names: &Names) -> Markup {
    let columns = [
        Column::text(visit.t(texts::SUBJECT)),
        Column::tight(visit.t(texts::ACTION)),
        Column::tight(visit.t(texts::STATE)),
        Column::text(visit.t(texts::ASKED_BY)),
        Column::tight(visit.t(texts::ASKED_AT)),
    ];
    let cells = |row: &ApprovalRow| {
        vec![
            html! { a href=(address_of(row.id)) { (row.record.title.as_str()) } },
            html! { (visit.t(row.record.action.label())) },
            badge(tone(row.record.state), visit.t(row.record.state.label())),
            html! { (names.get(&row.record.asked_by).unwrap_or_else(|| row.record.asked_by.clone())) },
            visit.time(row.created_at),
        ]
    };
    let rows: Vec<_> = page.items.iter().map(cells).collect();
    html! {
        (counted(visit, page.total, texts::ONE, texts::MANY))
        (table(visit.t(texts::TITLE), &columns, &rows))
        (pager(visit, page))
    }
}

fn approval_id(id: &str) -> Result<ApprovalId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    respond::page(page(&workspace, &visit, approval_id(&id)?, &Form::default()).await?)
}

async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: ApprovalId,
    form: &Form,
) -> Result<Markup, PageError> {
    let view = workspace.app.approval.approval(visit.caller(), id).await?;
    let (detail, _) = workspace.app.records.record::<Approval>(visit.caller(), id).await?;
    let past =
        past::section(workspace, visit, id, &detail.history, |word| record::status_badge(visit, word, tone))
            .await?;
    let row = &view.row;
    let people = [Some(&row.record.asked_by), row.record.decided_by.as_ref()];
    let names = Names::of(workspace, visit, people.into_iter().flatten()).await?;
    let about = About {
        names,
        page: page_of(workspace, visit, row.record.subject.as_str()).await?,
        details: details(
            workspace,
            visit,
            (row.record.subject.as_str(), row.record.action),
            &row.record.details,
        )
        .await?,
    };
    let title = format!("{}: {}", visit.t(row.record.action.label()), row.record.title);
    let content = html! {
        (ui::head(&title, "", None))
        (ui::notice::done(visit, &DONE))
        (complaints(visit, form, &NAMES))
        div.split {
            div { section.card { (facts(visit, &view, &about)) } }
            div {
                @if row.record.state == ApprovalState::Asked { (decision(visit, &view, form)) }
                (past)
            }
        }
    };
    Ok(ui::layout::page(visit, &title, &content))
}

/// What the facts of a request are shown with.
struct About {
    names: Names,
    /// The page of the record.
    page: Option<String>,
    /// What the decision is carried out with.
    details: Markup,
}

fn facts(visit: &Visit, view: &ApprovalView, about: &About) -> Markup {
    let (row, t) = (&view.row, |label| visit.t(label));
    let record = &row.record;
    let who = |id: &str| about.names.get(id).unwrap_or_else(|| id.to_owned());
    let changed = shown::changed(visit, &about.names, record);
    html! {
        div.row { (badge(tone(record.state), t(record.state.label()))) }
        dl.facts {
            dt { (t(texts::SUBJECT)) }
            dd {
                @match &about.page {
                    Some(page) => a href=(page) { (record.title.as_str()) },
                    None => (record.title.as_str()),
                }
            }
            dt { (t(texts::ASKED_BY)) } dd { (who(&record.asked_by)) }
            dt { (t(texts::ASKED_AT)) } dd { (visit.time(row.created_at)) }
            dt { (t(texts::VERSION)) } dd { (record.subject_version) }
            (about.details)
            @if let Some(until) = record.until { dt { (t(texts::UNTIL)) } dd { (visit.day(until)) } }
            @if let Some(by) = &record.decided_by { dt { (t(texts::DECIDED_BY)) } dd { (who(by)) } }
            @if let Some(at) = record.decided_at { dt { (t(texts::DECIDED_AT)) } dd { (visit.time(at)) } }
        }
        h2.part { (t(texts::REASON)) }
        p.prose { (shown::reason(visit, record)) }
        @if let Some(note) = &record.note { h2.part { (t(texts::SAID)) } p.prose { (note.as_str()) } }
        @if !changed.is_empty() { p.hint { (t(texts::CHANGED)) ": " (changed.join(", ")) } }
    }
}

/// Who can decide, by name.
fn deciders(view: &View, asked: &ApprovalView) -> String {
    let people: Vec<&str> = asked.deciders.iter().map(|(_, name)| name.as_str()).collect();
    if people.is_empty() { view.t(texts::NO_DECIDERS).to_owned() } else { people.join(", ") }
}

/// Buttons for those who may decide; the others see who can.
fn decision(visit: &Visit, view: &ApprovalView, form: &Form) -> Markup {
    let (address, t) = (address_of(view.row.id), |label| visit.t(label));
    let people: Vec<&str> = view.deciders.iter().map(|(_, name)| name.as_str()).collect();
    ui::section(
        t(texts::WAITING),
        &html! {
            @if people.is_empty() { p.hint { (t(texts::NO_DECIDERS)) } }
            @else { p { (t(texts::DECIDERS)) ": " (people.join(", ")) } }
            @if view.refusal.is_none() {
                form method="post" action={ (address) "/grant" } {
                    (visit.form_token())
                    (field::area(visit, form, "note", texts::NOTE, Some(texts::NOTE_HELP)))
                    div.form-end {
                        button.button.primary type="submit" { (t(texts::GRANT)) }
                        button.button type="submit" formaction={ (address) "/refuse" } { (t(texts::REFUSE)) }
                    }
                }
            }
            @if view.is_own { (ui::post_button(visit, &format!("{address}/withdraw"), t(texts::WITHDRAW))) }
        },
    )
}

async fn grant(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    decided(&workspace, &id, posted, ApprovalDecision::Grant, "granted").await
}

async fn refuse(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    decided(&workspace, &id, posted, ApprovalDecision::Refuse, "refused").await
}

async fn withdraw(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    decided(&workspace, &id, posted, ApprovalDecision::Withdraw, "withdrawn").await
}

async fn decided(
    workspace: &Workspace,
    id: &str,
    posted: Posted,
    decision: ApprovalDecision,
    done: &str,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, approval_id(id)?);
    let note = Some(form.value("note").to_owned());
    let result =
        workspace.app.approval.decide_approval(visit.caller(), id, decision, note, Precondition::None).await;
    match result {
        Ok(_) => respond::go_to(&route::done(&address_of(id), done)),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(workspace, &visit, id, &form).await?)
        }
    }
}

/// What waits for a decision about a record, on its page, and the way to ask for these decisions, as far as the policy
/// wants them to be asked for and none of them waits.
pub(super) async fn offer(
    workspace: &Workspace,
    visit: &Visit,
    subject: String,
    asked: impl IntoIterator<Item = ApprovalAction>,
) -> Result<Markup, PageError> {
    let waiting = section(workspace, visit, subject.clone()).await?;
    let asked: Vec<ApprovalAction> = asked.into_iter().collect();
    if asked.is_empty() {
        return Ok(waiting);
    }
    let open = workspace.app.approval.approvals_about(visit.caller(), subject.clone()).await?;
    let needed = workspace.app.approval.actions_to_ask(visit.caller(), subject.clone()).await?;
    let is_open = |action: &ApprovalAction| open.iter().any(|view| view.row.record.action == *action);
    let asked = asked.iter().filter(|action| needed.contains(action) && !is_open(action));
    Ok(html! { (waiting) @for action in asked { p { (ask_link(visit, &subject, *action)) } } })
}

/// What waits for a decision about a record, on its page.
pub(super) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    subject: String,
) -> Result<Markup, PageError> {
    let asked = workspace.app.approval.approvals_about(visit.caller(), subject).await?;
    if asked.is_empty() {
        return Ok(html! {});
    }
    let names =
        Names::of(workspace, visit, asked.iter().map(|view| view.row.record.asked_by.clone())).await?;
    let line = |view: &View, asked: &ApprovalView| {
        let record = &asked.row.record;
        html! {
            p {
                a href=(address_of(asked.row.id)) { (view.t(record.action.label())) }
                " · " (names.get(&record.asked_by).unwrap_or_default())
                " · " (view.time(asked.row.created_at))
            }
            p.hint { (record.reason.as_str()) }
            p.hint { (view.t(texts::DECIDERS)) ": " (deciders(view, asked)) }
        }
    };
    Ok(ui::section(visit.t(texts::WAITING), &html! { @for one in &asked { (line(visit, one)) } }))
}
