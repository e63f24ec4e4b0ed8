//! The open work of users, over every kind of record: overdue, this week, next, and later in a closed section.

mod form;
mod waiting;

use app::{
    catalogue::Edition,
    report::{File, Format},
    work::group::{TaskGroup, TaskGroups},
    work::{TaskFilter, WorkItem},
};
use axum::{
    Json, Router,
    extract::{Path, State},
    response::IntoResponse as _,
    routing::{get, post},
};
use domain::{
    change::Change,
    deadline::Due,
    page::Page,
    right::{Resource, Right},
    task::{Task, TaskInput, TaskStatus, TaskType},
    user::Role,
    wording::Label,
};
use maud::{Markup, html};

use super::{
    PageKind, assessments,
    file::{self, Exported},
    page_by_id,
    record::{self, form::id_of, form_page::new_card},
    reference::edition,
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{record as shared, work as texts},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::WORK, get(list).post(record::form::create::<Task>))
        .merge(file::router::<MyWork>(route::WORK))
        .route(route::PEOPLE, get(people))
        .route(&format!("{}/{{id}}", route::TASKS), get(record::form::show::<Task>))
        .merge(record::form::change_router::<Task>())
        .merge(record::archive::router::<Task>())
        .route(&format!("{}/{{id}}/done", route::TASKS), post(done))
}

pub(super) const FOUND: Found = Found { name: texts::TASK, badge: |_, _| html! {} };

const DONE: [(&str, Label); 4] = [
    ("done", texts::WAS_DONE),
    ("created", texts::WAS_CREATED),
    ("changed", shared::WAS_CHANGED),
    ("deleted", texts::WAS_DELETED),
];

/// Where a record is worked on.
pub(super) fn address_of(edition: &Edition, item: &WorkItem) -> String {
    let requirement = edition.requirements.get(&item.id).map(assessments::address_of);
    requirement.or_else(|| page_by_id(&item.id)).unwrap_or_else(|| route::ASSESSMENTS.to_owned())
}

/// Whether the user may see the work of others here.
fn may_choose_person(visit: &Visit) -> bool {
    visit.session().user.role != Role::Contributor
}

fn filter_of(visit: &Visit) -> TaskFilter {
    let own = || Some(visit.session().user.id.to_string());
    let owner = match (filter::person_of(visit, "owner"), visit.query("everyone").is_some()) {
        (Some(name), _) => Some(name),
        (None, true) => None,
        (None, false) => own(),
    };
    TaskFilter {
        owner: if may_choose_person(visit) { owner } else { own() },
        due_before: None,
        kind: filter::word(visit, "type"),
    }
}

/// The list as a file.
struct MyWork;

impl Exported for MyWork {
    const FILES: &'static [(&'static str, &'static str)] = &filter::TABLES;

    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        let (filter, format) = (filter_of(visit), file::rows(format));
        Ok(workspace.app.report.tasks_file(visit.caller(), filter, format, visit.language).await?)
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let about = visit.query("about").unwrap_or_default();
    let form = Form::filled([("owner", visit.session().user.name.to_string()), ("about", about)]);
    let (filter, request) = (filter_of(&visit), requested(&visit));
    let edition = edition(&workspace)?;
    let counts = workspace.app.work.task_groups(visit.caller(), &filter).await?;
    let page = workspace.app.work.tasks(visit.caller(), filter, visit.language, request).await?;
    let waiting = waiting::sections(&workspace, &visit).await?;
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Tasks, Right::Write);
    let new = if may_write {
        new_card::<Task>(&workspace, &visit, &form).await?
    } else {
        html! {}
    };
    let actions = html! {
        (filter::exports(&visit, MyWork::FILES))
        @if may_write { (ui::link_button("#new-task", t(texts::NEW), true)) }
    };
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(actions)))
        (ui::notice::done(&visit, &DONE))
        (waiting)
        (bar(&visit))
        @if page.items.is_empty() {
            (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), None))
        } @else {
            (counted(&visit, page.total, texts::ONE, texts::MANY))
            (parts(&visit, &edition, &page, &counts))
            (pager(&visit, &page))
        }
        @if may_write { section #new-task { h2 { (t(texts::NEW)) } (new) } }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn bar(visit: &Visit) -> Markup {
    html! {
        form.filters method="get" action=(route::WORK) {
            @if may_choose_person(visit) { (filter::person(visit, "owner", texts::PERSON)) }
            (filter::words::<TaskType>(visit, "type", texts::KIND))
            @if visit.query("everyone").is_some() { input type="hidden" name="everyone" value="1"; }
            button.button type="submit" { (visit.t(shared::APPLY)) }
            @if may_choose_person(visit) {
                @if visit.query("everyone").is_some() {
                    a.button href=(route::WORK) { (visit.t(texts::MINE)) }
                } @else {
                    a.button href={ (route::WORK) "?everyone=1" } { (visit.t(texts::EVERYONE)) }
                }
            }
        }
    }
}

fn label_of(group: TaskGroup) -> Label {
    match group {
        TaskGroup::Late => texts::LATE,
        TaskGroup::ThisWeek => texts::THIS_WEEK,
        TaskGroup::Next => texts::NEXT,
        TaskGroup::Later => texts::LATER,
        TaskGroup::NoDay => texts::NO_DAY,
    }
}

/// The name of a group in the address, after the number sign.
fn place_of(group: TaskGroup) -> &'static str {
    match group {
        TaskGroup::Late => "late",
        TaskGroup::ThisWeek => "this-week",
        TaskGroup::Next => "next",
        TaskGroup::Later => "later",
        TaskGroup::NoDay => "no-day",
    }
}

/// The sections of the page. Their numbers count the whole list, of which the page may show a part.
fn parts(visit: &Visit, edition: &Edition, page: &Page<WorkItem>, counts: &TaskGroups) -> Markup {
    let today = visit.now.day();
    html! {
        @for group in TaskGroup::ALL {
            @let items: Vec<_> = page.items.iter().filter(|item| item.group(today) == group).collect();
            (part(visit, edition, (group, counts.of(group)), &items))
        }
    }
}

fn part(visit: &Visit, edition: &Edition, (group, count): (TaskGroup, u64), items: &[&WorkItem]) -> Markup {
    if items.is_empty() {
        return html! {};
    }
    let (t, label) = (|label| visit.t(label), label_of(group));
    let folded = matches!(group, TaskGroup::Later | TaskGroup::NoDay);
    let columns = [
        Column::text(t(texts::TASK)),
        Column::text(t(texts::TO_DO)),
        Column::person(t(shared::OWNER)),
        Column::tight(t(shared::DUE_ON)),
        Column::actions(t(texts::DONE)),
    ];
    let rows: Vec<_> = items.iter().map(|item| cells(visit, edition, item)).collect();
    let list = table(t(label), &columns, &rows);
    html! {
        @if folded {
            details.card { summary { (t(label)) " (" (count) ")" } (list) }
        } @else {
            section.card id=(place_of(group)) { h2 { (t(label)) " (" (count) ")" } (list) }
        }
    }
}

/// Where the record is edited, for the key E; its own page if it has no form.
fn edited_at(address: &str, item: &WorkItem) -> String {
    if PageKind::of_id(&item.id).is_some_and(PageKind::has_form) {
        format!("{address}/edit")
    } else {
        address.to_owned()
    }
}

fn cells(visit: &Visit, edition: &Edition, item: &WorkItem) -> Vec<Markup> {
    let address = address_of(edition, item);
    vec![
        html! {
            a href=(address) data-step data-edit=(edited_at(&address, item)) { (item.title) }
            br;
            span.quiet { (visit.t(item.kind.label())) }
        },
        html! { (visit.t(item.action.label())) },
        visit.person(item.owner.as_ref()),
        due(visit, item),
        html! {
            @if item.kind == TaskType::Task && visit.may(Resource::Tasks, Right::Write) { (done_button(visit, item)) }
        },
    ]
}

fn due(view: &View, item: &WorkItem) -> Markup {
    html! {
        @match item.due {
            Some(Due::On(day)) => (view.day(day)),
            Some(Due::At(moment)) => (view.time(moment)),
            None => (view.day_or_none(None)),
        }
        @if item.late { br; (badge(Tone::Critical, view.t(texts::LATE))) }
    }
}

/// The form returns to the page with its filters.
fn done_button(visit: &Visit, item: &WorkItem) -> Markup {
    let query = visit.address.split_once('?').map_or("", |(_, query)| query);
    html! {
        form.inline method="post" action={ (route::TASKS) "/" (item.id) "/done" } {
            (visit.form_token())
            input type="hidden" name="query" value=(query);
            button.button type="submit" data-done { (visit.t(texts::DONE)) span.unseen { " " (item.title) } }
        }
    }
}

/// The names of the users who can own something, for suggestions.
async fn people(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    Ok(Json(workspace.app.work.people(visit.caller()).await?).into_response())
}

/// Marks a task as done and shows the list again. One that is already done stays so.
async fn done(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let (Posted { visit, form }, id) = (posted, id_of::<Task>(&id)?);
    visit.caller().require_right(Resource::Tasks, Right::Write)?;
    let status = Change::Set(TaskStatus::Done.to_string());
    let input = TaskInput { status, ..TaskInput::default() };
    workspace
        .app
        .records
        .change_record::<Task>(visit.caller(), id, input, record::precondition(&form))
        .await?;
    let kept = form_urlencoded::parse(form.value("query").as_bytes()).filter(|(name, _)| name != "done");
    let query: String = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(kept)
        .append_pair("done", "done")
        .finish();
    respond::go_to(&format!("{}?{query}", route::WORK))
}
