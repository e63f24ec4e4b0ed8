//! A task: its form, changing it and deleting it.

use app::{Error, records::PickKind, task::TaskRow};
use axum::extract::{Path, State};
use domain::{
    control::ControlCadence,
    id::{TaskId, Uuid7},
    right::{Resource, Right},
    task::{Task, TaskInput, TaskStatus},
    text::{Name, Prose},
    wording::Label,
};
use maud::{Markup, html};

use super::task_id;
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{approval, comment, names::Names, pick, record},
    respond::{self, Answer},
    route,
    texts::{common, record as shared, work as texts},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
};

pub(super) const NAMES: [(&str, Label); 8] = [
    ("task", texts::TASK),
    ("title", texts::TITLE_FIELD),
    ("owner", shared::OWNER),
    ("due_on", shared::DUE_ON),
    ("note", texts::NOTE),
    ("about", texts::ABOUT),
    ("status", common::STATUS),
    ("cadence", texts::CADENCE),
];

/// What a task can be about.
const SUBJECTS: [PickKind; 10] = [
    PickKind("finding"),
    PickKind("risk"),
    PickKind("control"),
    PickKind("incident"),
    PickKind("test_case"),
    PickKind("programme"),
    PickKind("provider"),
    PickKind("arrangement"),
    PickKind("evidence"),
    PickKind("drill_run"),
];

fn address_of(id: TaskId) -> String {
    format!("{}/{id}", route::TASKS)
}

/// The form of a new task, or of an existing one with its status.
pub(super) async fn fields(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    action: &str,
    submit: Label,
) -> Result<Markup, PageError> {
    let states: Vec<Choice> = field::words::<TaskStatus>(visit);
    let about = pick::field(workspace, visit, form, ("about", texts::ABOUT), &SUBJECTS).await?;
    Ok(html! {
        form method="post" action=(action) {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            (Field::text(visit, form, "title", texts::TITLE_FIELD).at_most(Name::MAX).render())
            div.columns {
                (Field::person(visit, form, "owner", shared::OWNER).render())
                (Field::day(visit, form, "due_on", shared::DUE_ON).optional().render())
                (field::select(visit, form, "cadence", texts::CADENCE, &field::words::<ControlCadence>(visit)))
                @if action != route::WORK { (field::select(visit, form, "status", common::STATUS, &states)) }
            }
            p.hint { (visit.t(texts::CADENCE_HELP)) }
            (about)
            (field::area(visit, form, "note", texts::NOTE, None))
            div.form-end {
                button.button.primary type="submit" { (visit.t(submit)) }
                @if action != route::WORK { a.button href=(route::WORK) { (visit.t(common::CANCEL)) } }
            }
        }
    })
}

pub(super) async fn input(workspace: &Workspace, visit: &Visit, form: &mut Form) -> Result<TaskInput, Error> {
    // A task can be about a requirement, too, which is named by its id.
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let about = if edition.requirements.get(form.value("about").trim()).is_some() {
        form.change("about")
    } else {
        pick::id(workspace, visit, form, "about", &SUBJECTS).await?
    };
    let input = TaskInput {
        title: form.required_change("title"),
        note: form.change("note"),
        owner: form.change("owner"),
        due_on: form.change("due_on"),
        status: form.filled_change("status"),
        cadence: form.filled_change("cadence"),
        about,
    };
    form.finish(Some(input))
}

async fn page(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    id: TaskId,
    about: Option<Markup>,
) -> Result<Markup, PageError> {
    let (t, address) = (|label| visit.t(label), address_of(id));
    let title = form.value("title");
    let fields = fields(workspace, visit, form, &address, common::SAVE).await?;
    let comments = comment::section(workspace, visit, &id.to_string()).await?;
    let removal = workspace.app.removal::<Task>(visit.caller(), id).await?;
    let content = html! {
        (ui::head(t(texts::EDIT), "", None))
        (ui::notice::done(visit, &record::DONE))
        (record::overtaken(visit, form, &address))
        @if let Some(about) = about { p { (t(texts::ABOUT)) ": " (about) } }
        (complaints(visit, form, &NAMES))
        section.card { (fields) }
        (comments)
        @if visit.may(Resource::Tasks, Right::Decide) { (record::removal(visit, &address, title, removal)) }
    };
    Ok(ui::layout::page(visit, t(texts::EDIT), &content))
}

/// The record or the requirement that the task is about, by its name.
async fn about(workspace: &Workspace, visit: &Visit, row: &TaskRow) -> Result<Option<Markup>, PageError> {
    let Some(id) = row.record.about.as_ref().map(ToString::to_string) else { return Ok(None) };
    // A record that the reader may not open is not named either.
    let is_open = Uuid7::of_id(&id).is_none()
        || workspace.app.name_of_record(visit.caller(), id.clone()).await?.is_some();
    let names = Names::of(workspace, visit, is_open.then_some(&id)).await?;
    Ok(Some(names.link(&id)))
}

/// For readers without the right to change it, and in the archive.
fn facts(visit: &Visit, form: &Form, row: &TaskRow, about: Option<Markup>, comments: &Markup) -> Markup {
    let (task, t) = (&row.record, |label| visit.t(label));
    let content = html! {
        (ui::head(task.title.as_str(), t(task.status.label()), None))
        (ui::notice::done(visit, &record::DONE))
        (record::archived(visit, &address_of(row.id), row.archived_at, visit.may(Resource::Tasks, Right::Decide)))
        (complaints(visit, form, &NAMES))
        section.card {
            dl.facts {
                dt { (t(shared::OWNER)) } dd { (visit.or_none(task.owner.as_ref())) }
                dt { (t(shared::DUE_ON)) } dd { (visit.day_or_none(task.due_on)) }
                dt { (t(texts::CADENCE)) } dd { (t(task.cadence.label())) }
                dt { (t(texts::ABOUT)) } dd { @if let Some(about) = about { (about) } @else { (visit.or_none(None::<&str>)) } }
            }
            (record::passage(visit, texts::NOTE, task.note.as_ref().map(Prose::as_str)))
        }
        (comments)
    };
    ui::layout::page(visit, task.title.as_str(), &content)
}

pub(super) async fn ask(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    respond::page(shown(&workspace, &visit, task_id(&id)?, None).await?)
}

/// The page of a task, which also says why something was refused.
async fn shown(
    workspace: &Workspace,
    visit: &Visit,
    id: TaskId,
    refused: Option<Error>,
) -> Result<Markup, PageError> {
    let mut form = Form::default();
    if let Some(error) = refused {
        form.refuse(error)?;
    }
    let (detail, revision) = workspace.app.record::<Task>(visit.caller(), id).await?;
    let row = &detail.record;
    let about = about(workspace, visit, row).await?;
    if !visit.may(Resource::Tasks, Right::Write) || row.archived_at.is_some() {
        let comments = comment::section(workspace, visit, &id.to_string()).await?;
        return Ok(facts(visit, &form, row, about, &comments));
    }
    let validator = workspace.app.record_validator(row.version, revision);
    let label = pick::labels(workspace, visit, row.record.about.iter().map(ToString::to_string)).await?;
    page(workspace, visit, &form.or(&filled(row, validator, label)), id, about).await
}

fn filled(row: &TaskRow, validator: String, about: String) -> Form {
    let record = &row.record;
    let name = |name: Option<&Name>| name.map(ToString::to_string).unwrap_or_default();
    Form::filled([
        (record::SEEN, validator),
        ("title", record.title.to_string()),
        ("owner", name(record.owner.as_ref())),
        ("due_on", record.due_on.map(|day| day.to_string()).unwrap_or_default()),
        ("note", record.note.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("about", about),
        ("status", record.status.to_string()),
        ("cadence", record.cadence.to_string()),
    ])
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, task_id(&id)?);
    visit.caller().require_right(Resource::Tasks, Right::Write)?;
    let precondition = record::precondition(&form);
    let changed = match input(&workspace, &visit, &mut form).await {
        Ok(input) => workspace.app.change_record::<Task>(visit.caller(), id, input, precondition).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => respond::go_to(&route::done(route::WORK, "changed")),
        Err(Error::Stale) => {
            let (detail, revision) = workspace.app.record::<Task>(visit.caller(), id).await?;
            form.overtake(record::SEEN, workspace.app.record_validator(detail.record.version, revision));
            respond::overtaken(page(&workspace, &visit, &form, id, None).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form, id, None).await?)
        }
    }
}

pub(super) async fn delete(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, task_id(&id)?);
    match workspace.app.delete_record::<Task>(visit.caller(), id, record::precondition(&form)).await {
        Ok(()) => respond::go_to(&route::done(route::WORK, "deleted")),
        Err(error) => respond::refused(shown(&workspace, &visit, id, Some(error)).await?),
    }
}

pub(super) async fn archive(workspace: State<Workspace>, id: Path<String>, posted: Posted) -> Answer {
    put_away(workspace, id, posted, true).await
}

pub(super) async fn restore(workspace: State<Workspace>, id: Path<String>, posted: Posted) -> Answer {
    put_away(workspace, id, posted, false).await
}

async fn put_away(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    Posted { visit, form }: Posted,
    archived: bool,
) -> Answer {
    let id = task_id(&id)?;
    let precondition = record::precondition(&form);
    match workspace.app.archive_record::<Task>(visit.caller(), id, archived, precondition).await {
        Ok(_) => {
            respond::go_to(&route::done(&address_of(id), if archived { "archived" } else { "restored" }))
        }
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approval::address_for(&wanted)),
        Err(error) => respond::refused(shown(&workspace, &visit, id, Some(error)).await?),
    }
}
