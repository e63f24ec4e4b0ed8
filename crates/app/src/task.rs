//! Tasks and their rules. All open work of every kind of record is in `work`.

use domain::{
    arrangement::Entry,
    control::Control,
    cra_report::CraReport,
    evidence::Evidence,
    finding::Finding,
    function::Function,
    incident::Incident,
    own_framework::OwnFramework,
    programme::Programme,
    register_filing::RegisterFiling,
    risk::Risk,
    task::{Task as Record, TaskComplaint, TaskInput},
    test_case::TestCase,
    text::{Name, Prose},
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, record};

use crate::{
    App, Error, Result,
    author::Author,
    records::RecordKind,
    words::{Kind, Texts},
};

pub use store::task::TaskRow;

impl RecordKind for Record {
    type Input = TaskInput;
    type View = TaskRow;

    const NOUN: &'static str = "task";
    const LIST: &'static str = "tasks";
    const WORDS: Kind = Kind::Task;

    fn create(author: &Author, tx: &mut Tx<'_>, input: &TaskInput) -> Result<Self> {
        let task = input.create()?;
        author.check_about(tx, &task)?;
        Ok(task)
    }

    fn change(author: &Author, tx: &mut Tx<'_>, before: &TaskRow, input: &TaskInput) -> Result<Self> {
        let task = input.change(&before.record)?;
        // The record may have been deleted since the task was created.
        if task.about != before.record.about {
            author.check_about(tx, &task)?;
        }
        Ok(task)
    }

    fn note(_: &TaskInput) -> Option<Prose> {
        None
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
        })
    }

    fn texts(&self) -> Texts<'_> {
        let note = self.note.as_ref().map(Prose::as_str);
        let owner = self.owner.as_ref().map(Name::as_str);
        Texts { heading: vec![self.title.as_str().into()], body: note.into_iter().chain(owner).collect() }
    }

    fn search_text((): &()) -> Option<&str> {
        None
    }

    fn views(_: &App, _: &mut Reader<'_>, _: &TenantScope, rows: Vec<TaskRow>) -> Result<Vec<TaskRow>> {
        Ok(rows)
    }

    fn row(view: &TaskRow) -> &TaskRow {
        view
    }

    fn release(_: &Author, _: &mut Tx<'_>, _: &TaskRow) -> Result<()> {
        Ok(())
    }
}

impl Author {
    /// Refuses a task about a record that this institution does not have.
    fn check_about(&self, tx: &mut Tx<'_>, task: &Record) -> Result<()> {
        let Some(about) = &task.about else { return Ok(()) };
        if self.is_known(tx, about.as_str())? {
            return Ok(());
        }
        Err(Error::invalid("about", TaskComplaint::NoSuchRecord))
    }

    fn is_known(&self, tx: &mut Tx<'_>, id: &str) -> Result<bool> {
        Ok(match id.split_once('_').map(|(prefix, _)| prefix) {
            Some("fnd") => self.knows::<Finding>(tx, id)?,
            Some("cra") => self.knows::<CraReport>(tx, id)?,
            Some("arr") => self.knows::<Entry>(tx, id)?,
            Some("ctl") => self.knows::<Control>(tx, id)?,
            Some("evd") => self.knows::<Evidence>(tx, id)?,
            Some("fil") => self.knows::<RegisterFiling>(tx, id)?,
            Some("fun") => self.knows::<Function>(tx, id)?,
            Some("inc") => self.knows::<Incident>(tx, id)?,
            Some("ofw") => self.knows::<OwnFramework>(tx, id)?,
            Some("prg") => self.knows::<Programme>(tx, id)?,
            Some("rsk") => self.knows::<Risk>(tx, id)?,
            Some("tst") => self.knows::<TestCase>(tx, id)?,
            Some(_) => false,
            // The ids of requirements have no underscore; what is said about one is an assessment.
            None => self.app.edition_in(tx, self.scope())?.requirements.get(id).is_some(),
        })
    }

    fn knows<K: record::Kind>(&self, tx: &mut Tx<'_>, id: &str) -> Result<bool> {
        match id.parse::<K::Id>() {
            Ok(id) => Ok(record::get::<K>(tx, self.scope(), id)?.is_some()),
            Err(_) => Ok(false),
        }
    }
}
