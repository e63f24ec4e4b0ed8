//! Tasks: work of a user until a day.
//!
//! Most follow from other records, such as the due day of a finding; [`TaskType`] and [`TaskAction`] name them. A
//! [`Task`] is a record of its own.

pub use crate::noun::TaskType;
use crate::{
    change::{Change, Fields},
    control::ControlCadence,
    field::fields,
    identifier::{Id, Identified},
    moment::Day,
    text::{Name, Prose},
    violation::Violations,
    vocabulary::vocabulary,
    wording::sentences,
};

vocabulary! {
    /// The work to be done until the day.
    TaskAction {
        Resolve = "resolve" ("Resolve", "Beheben"),
        Execute = "execute" ("Run the test", "Test durchführen"),
        Perform = "perform" ("Perform", "Durchführen"),
        Meet = "meet" ("Meet the requirement", "Anforderung erfüllen"),
        Review = "review" ("Review", "Überprüfen"),
        Renew = "renew" ("Renew", "Erneuern"),
        Decide = "decide" ("Decide anew, the acceptance ends", "Neu entscheiden, die Akzeptanz endet"),
        Report = "report" ("Send the report", "Meldung abgeben"),
        File = "file" ("File", "Einreichen"),
        Finish = "finish" ("Finish", "Abschließen"),
        Terminate = "terminate" ("Terminate or let it go on", "Kündigen oder weiterlaufen lassen"),
        Confirm = "confirm" ("Confirm again, the requirement changed", "Erneut bestätigen, die Anforderung hat sich geändert"),
        Learn = "learn" ("Take the training", "Schulung absolvieren"),
        Answer = "answer" ("Answer with evidence", "Mit Nachweisen beantworten"),
        Do = "do" ("Do", "Erledigen"),
    }
}

vocabulary! {
    /// Whether a task is still open.
    TaskStatus {
        Open = "open" ("Open", "Offen"),
        Done = "done" ("Done", "Erledigt"),
    }
}

sentences! {
    /// Why a task cannot be stored.
    TaskComplaint {
        NoSuchRecord =
            "must be the id of one of your records, or null",
            "muss die Kennung eines Ihrer Datensätze oder leer sein";
    }
}

/// The content of a task, without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub title: Name,
    pub note: Option<Prose>,
    pub owner: Option<Name>,
    pub due_on: Option<Day>,
    pub status: TaskStatus,
    /// The id of the record it is about.
    pub about: Option<Name>,
    /// How often it recurs.
    pub cadence: ControlCadence,
    /// The task that followed when this one was done: there is never a second one.
    pub next: Option<TaskId>,
}

pub type TaskId = Id<Task>;

impl Identified for Task {
    const PREFIX: &'static str = "tsk";
}

fields! {
    /// The fields of a task.
    Task {
        TITLE = "title" ("What is to be done", "Was zu tun ist"),
        OWNER,
        DUE_ON,
        CADENCE = "cadence" ("Recurs", "Wiederholung"),
        STATUS,
        ABOUT = "about" ("Record it is about", "Betroffener Datensatz"),
        NOTE = "note" ("Note", "Notiz"),
        NEXT = "next" ("Following task", "Folgeaufgabe"),
    }
}

/// A task's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskInput {
    pub title: Change<String>,
    pub note: Change<String>,
    pub owner: Change<String>,
    pub due_on: Change<String>,
    pub status: Change<String>,
    pub about: Change<String>,
    pub cadence: Change<String>,
}

impl Task {
    /// The task that follows when this one, which recurs, is done today. Its day keeps the rhythm of the days and is
    /// later than today, whenever this one was done.
    #[must_use]
    pub fn following(&self, today: Day) -> Option<Self> {
        let mut due = self.cadence.next_after(self.due_on.unwrap_or(today))?;
        while due <= today {
            due = self.cadence.next_after(due)?;
        }
        let (due_on, status, next) = (Some(due), TaskStatus::Open, None);
        Some(Self { due_on, status, next, ..self.clone() })
    }

    /// Whether this change of a task calls for the one that follows.
    #[must_use]
    pub fn is_followed(&self, before: &Self) -> bool {
        let is_done = before.status == TaskStatus::Open && self.status == TaskStatus::Done;
        is_done && self.next.is_none() && self.cadence != ControlCadence::None
    }
}

impl TaskInput {
    pub fn create(&self) -> Result<Task, Violations> {
        self.read(None)
    }

    /// The task after this change.
    pub fn change(&self, current: &Task) -> Result<Task, Violations> {
        self.read(Some(current))
    }

    fn read(&self, current: Option<&Task>) -> Result<Task, Violations> {
        let mut fields = Fields::default();
        let title =
            fields.required("title", &self.title, current.map(|c| c.title.clone()), |text| Name::parse(text));
        let note = fields.prose("note", &self.note, current.and_then(|c| c.note.clone()));
        let owner = fields.line("owner", &self.owner, current.and_then(|c| c.owner.clone()));
        let due_on =
            fields.optional("due_on", &self.due_on, current.and_then(|c| c.due_on), |day| day.parse());
        let status = fields.required(
            "status",
            &self.status,
            Some(current.map_or(TaskStatus::Open, |c| c.status)),
            |text| text.parse(),
        );
        let about = fields.line("about", &self.about, current.and_then(|c| c.about.clone()));
        let cadence = fields.required(
            "cadence",
            &self.cadence,
            Some(current.map_or(ControlCadence::None, |c| c.cadence)),
            |text| text.parse(),
        );
        let next = current.and_then(|c| c.next);
        let task = title.zip(status).zip(cadence).map(|((title, status), cadence)| Task {
            title,
            note,
            owner,
            due_on,
            status,
            about,
            cadence,
            next,
        });
        fields.finish(task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Change<String> {
        Change::Set(text.to_owned())
    }

    #[test]
    fn a_title_is_enough() {
        let task = TaskInput { title: set("Call the auditor"), ..TaskInput::default() }.create().unwrap();
        assert_eq!((task.status, task.due_on, task.owner.as_ref()), (TaskStatus::Open, None, None));
        assert_eq!(TaskInput::default().create().unwrap_err().to_string(), "title is required");
        assert_eq!(TaskInput::default().change(&task), Ok(task));
    }

    #[test]
    fn the_next_day_keeps_the_rhythm_and_is_after_today() {
        let (title, cadence) = (set("Check the log"), set("monthly"));
        let input = TaskInput { title, cadence, due_on: set("2026-08-31"), ..TaskInput::default() };
        let task = input.create().unwrap();
        let next = |today: &str| task.following(today.parse().unwrap()).unwrap().due_on.unwrap().to_string();
        assert_eq!(next("2026-08-20"), "2026-09-30", "done early");
        assert_eq!(next("2026-11-18"), "2026-11-30", "done late: the days between are over");
        let once = Task { cadence: ControlCadence::None, ..task.clone() };
        assert_eq!(once.following("2026-11-18".parse().unwrap()), None);
        let done = Task { status: TaskStatus::Done, ..task.clone() };
        assert!(done.is_followed(&task) && !task.is_followed(&done) && !done.is_followed(&done));
    }

    #[test]
    fn it_is_done_and_opened_again() {
        let task = TaskInput { title: set("Call the auditor"), ..TaskInput::default() }.create().unwrap();
        let done =
            TaskInput { status: set("done"), ..TaskInput::default() }.change(&task).map(|task| task.status);
        assert_eq!(done, Ok(TaskStatus::Done));
        let wrong = TaskInput { status: set("later"), due_on: set("tomorrow"), ..TaskInput::default() };
        let complaints = wrong.change(&task).unwrap_err().to_string();
        assert!(complaints.contains("due_on") && complaints.contains("status"), "{complaints}");
    }
}
