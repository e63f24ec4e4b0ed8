//! A task: its form and its page.

use app::{Error, task::TaskRow};
use domain::{
    control::ControlCadence,
    id::{TaskId, Uuid7},
    right::{Resource, Right},
    task::{Task, TaskInput, TaskStatus},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        TASK_SUBJECTS, comments,
        names::Names,
        page_by_id, pick,
        record::{
            self,
            field::{FormField, Section, facts, passages},
            form::{FormTexts, RecordForm, address_of, complaints, filled_form, id_of},
            form_page::edit_card,
        },
    },
    route,
    texts::work as texts,
    ui::{self, field::words},
};

type Asked = FormField<Task>;

impl RecordForm for Task {
    const ADDRESS: &'static str = route::TASKS;
    const LISTED_AT: &'static str = route::WORK;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::NEW_INTRO,
    };
    const NAMES: &'static [(&'static str, Label)] = &[("task", texts::TASK)];
    const FIELDS: &'static [Section<Self>] = &[Section::untitled(&[
        Asked::title(Self::TITLE, |task| &task.title),
        Asked::person(Self::OWNER, |task| task.owner.as_ref()),
        Asked::day(Self::DUE_ON, |task| task.due_on),
        Asked::choice(Self::CADENCE, words::<ControlCadence>, |task| task.cadence.as_str())
            .below(|ask| Box::pin(async { Ok(html! { p.hint { (ask.visit.t(texts::CADENCE_HELP)) } }) })),
        Asked::choice(Self::STATUS, words::<TaskStatus>, |task| task.status.as_str())
            .asked_if(|before| before.is_some())
            .shown_apart(),
        Asked::record(Self::ABOUT, &TASK_SUBJECTS, |task| task.about.as_ref().map(Name::to_string)),
        Asked::prose(Self::NOTE, |task| task.note.as_ref()),
    ])];

    async fn input(
        workspace: &Workspace,
        visit: &Visit,
        form: &mut Form,
        _: Option<&TaskRow>,
    ) -> Result<TaskInput, Error> {
        // A task can be about a requirement, too, which is named by its id.
        let edition = workspace.app.edition_of(visit.caller()).await?;
        let about = if edition.requirements.get(form.value("about").trim()).is_some() {
            form.change("about")
        } else {
            pick::id(workspace, visit, form, "about", &TASK_SUBJECTS).await?
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

    /// A task about a risk is shown there, too, and the page of the risk is where most people come from.
    async fn saved(workspace: &Workspace, visit: &Visit, id: &str) -> Result<String, PageError> {
        let (detail, _) = workspace.app.records.record::<Self>(visit.caller(), id_of::<Self>(id)?).await?;
        let about = detail.record.record.about.as_ref().and_then(|id| page_by_id(id.as_str()));
        let of_risk = about.filter(|page| page.starts_with(route::RISKS));
        Ok(of_risk.unwrap_or_else(|| route::WORK.to_owned()))
    }

    /// The form; its fields alone for readers without the right to change the task, and in the archive.
    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: TaskId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        let (detail, revision) = workspace.app.records.record::<Self>(visit.caller(), id).await?;
        let row = &detail.record;
        let (task, address) = (&row.record, address_of::<Self>(id));
        let card = if visit.may(Resource::Tasks, Right::Write) && row.archived_at.is_none() {
            let form = form.clone().or(&filled_form(workspace, visit, row, revision).await?);
            edit_card(workspace, visit, row, &form, route::WORK).await?
        } else {
            html! {
                (complaints::<Self>(visit, form, &[]))
                section.card { dl.facts { (facts(visit, task)) } (passages(visit, task)) }
            }
        };
        let about = about(workspace, visit, task).await?;
        let comments = comments::section(workspace, visit, &id.to_string()).await?;
        let removal = workspace.app.records.removal::<Self>(visit.caller(), id).await?;
        let may_decide = visit.may(Resource::Tasks, Right::Decide);
        let title = task.title.as_str();
        let content = html! {
            (ui::head(title, visit.t(task.status.label()), None))
            (ui::notice::done(visit, &record::DONE))
            (record::archived(visit, &address, row.archived_at, may_decide))
            @if let Some(about) = about { p { (visit.t(Self::ABOUT.label)) ": " (about) } }
            (card)
            (comments)
            @if may_decide { (record::removal(visit, &address, title, removal)) }
        };
        Ok(ui::layout::page(visit, title, &content))
    }
}

/// The record or the requirement that the task is about, by its name.
async fn about(workspace: &Workspace, visit: &Visit, task: &Task) -> Result<Option<Markup>, PageError> {
    let Some(id) = task.about.as_ref().map(ToString::to_string) else { return Ok(None) };
    // A record that the reader may not open is not named either.
    let is_open = Uuid7::of_id(&id).is_none()
        || workspace.app.records.name_of_record(visit.caller(), id.clone()).await?.is_some();
    let names = Names::of(workspace, visit, is_open.then_some(&id)).await?;
    Ok(Some(names.link(&id)))
}
