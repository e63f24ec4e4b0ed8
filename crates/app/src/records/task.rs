//! Tasks and their rules. All open work of every kind of record is in `work`.

use domain::{
    change::Change,
    moment::Day,
    right::Resource,
    task::{Task, TaskComplaint, TaskInput, TaskStatus},
    text::{Name, Prose},
    violation::ArchiveComplaint,
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, task as rows};

use crate::{
    Core, Error, Records, Result,
    author::Author,
    authz::Caller,
    records::{RecordKind, RecordRequest, any},
    words::{Kind, Texts},
};

pub use store::task::TaskRow;

impl RecordKind for Task {
    type Input = TaskInput;
    type New = TaskInput;
    type Change = TaskInput;
    type View = TaskRow;

    const NOUN: &'static str = "task";
    const LIST: &'static str = "tasks";
    const WORDS: Kind = Kind::new('w');
    const FOUND: Option<&'static str> = Some("task");
    const RESOURCE: Resource = Resource::Tasks;
    const RESTS: bool = true;

    fn create(author: &Author, tx: &mut Tx<'_>, input: &TaskInput) -> Result<Self> {
        let task = input.create()?;
        author.check_about(tx, &task)?;
        Ok(task)
    }

    fn change(author: &Author, tx: &mut Tx<'_>, before: &TaskRow, input: &TaskInput) -> Result<Self> {
        let mut task = input.change(&before.record)?;
        // The record may have been deleted since the task was created.
        if task.about != before.record.about {
            author.check_about(tx, &task)?;
        }
        if task.is_followed(&before.record)
            && let Some(following) = task.following(author.now.day())
        {
            task.next = Some(author.add(tx, following, None)?);
        }
        Ok(task)
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        json!({
            "title": self.title.as_str(),
            "note": self.note.as_ref().map(Prose::as_str),
            "owner": self.owner.as_ref().map(Name::as_str),
            "due_on": self.due_on,
            "status": self.status,
            "about": self.about.as_ref().map(Name::as_str),
            "cadence": self.cadence,
            "next": self.next,
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let note = self.note.as_ref().map(Prose::as_str);
        let owner = self.owner.as_ref().map(Name::as_str);
        Texts { heading: vec![self.title.as_str().into()], body: note.into_iter().chain(owner).collect() }
    }

    fn search_text((): &()) -> Option<&str> {
        None
    }

    fn views(_: &Core, _: &mut Reader<'_>, _: &TenantScope, rows: Vec<TaskRow>) -> Result<Vec<TaskRow>> {
        Ok(rows)
    }

    fn row(view: &TaskRow) -> &TaskRow {
        view
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(TaskInput { owner: Change::Set(heir.to_string()), ..TaskInput::default() })
    }

    fn check_archive(&self, _: Day) -> Result<()> {
        match self.status {
            TaskStatus::Done => Ok(()),
            TaskStatus::Open => Err(Error::invalid("task", ArchiveComplaint::TaskIsOpen)),
        }
    }

    fn release(_: &Author, _: &mut Tx<'_>, row: &TaskRow) -> Result<()> {
        match row.archived_at {
            Some(_) => Err(Error::invalid("task", ArchiveComplaint::ArchivedIsKept)),
            None => Ok(()),
        }
    }
}

impl RecordRequest<Task> for TaskInput {}

/// How many tasks are shown with the record they are about.
const SHOWN: u32 = 100;

impl Records {
    /// The tasks about a record, soonest due first.
    pub async fn tasks_about(&self, caller: &Caller, record: String) -> Result<Vec<TaskRow>> {
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| rows::about(reader, &scope, &record, SHOWN);
        self.db.tenant(&scope).read(move |reader| read(reader).map_err(Error::from)).await
    }
}

impl Author {
    /// Refuses a task about a record that this institution does not have.
    fn check_about(&self, tx: &mut Tx<'_>, task: &Task) -> Result<()> {
        let Some(about) = &task.about else { return Ok(()) };
        if self.is_known(tx, about.as_str())? {
            return Ok(());
        }
        Err(Error::invalid("about", TaskComplaint::NoSuchRecord))
    }

    /// Whether the institution has this record, or the catalogue this requirement.
    pub(crate) fn is_known(&self, tx: &mut Tx<'_>, id: &str) -> Result<bool> {
        // The ids of requirements have no underscore; what is said about one is an assessment.
        if id.contains('_') {
            return any::exists(tx, self.scope(), id);
        }
        Ok(self.core.edition_in(tx, self.scope())?.requirements.get(id).is_some())
    }
}
