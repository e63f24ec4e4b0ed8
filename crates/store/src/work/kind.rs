//! The kinds of records that are work of a person: whose it is, until which day, and what is to be done.
//!
//! A kind names this once, in its table. The lists of open work, the announcements of deadlines and the work that is
//! handed over when an account is closed are composed from it.

use std::sync::LazyLock;

use domain::task::{TaskAction, TaskType};

/// What makes records of a table work of a person. In conditions, `r` stands for the table.
#[derive(Debug)]
pub struct Work {
    pub table: &'static str,
    /// The kind of its tasks; `None` for a kind that has an owner and no day.
    pub task: Option<TaskType>,
    /// The columns with the record's id, its title and the person.
    pub id: &'static str,
    pub title: &'static str,
    pub owner: &'static str,
    /// The condition of a record that still needs work; empty if every record does.
    pub open: &'static str,
    pub days: &'static [WorkDay],
}

/// A day until which something is to be done.
#[derive(Debug)]
pub struct WorkDay {
    pub column: &'static str,
    pub action: TaskAction,
    /// A condition besides that of an open record; empty if there is none.
    pub only: &'static str,
    /// Whether an event announces the day.
    pub is_announced: bool,
    /// Whether a record without the day is listed too, after all others.
    pub is_optional: bool,
}

impl WorkDay {
    pub const fn new(column: &'static str, action: TaskAction) -> Self {
        Self { column, action, only: "", is_announced: false, is_optional: false }
    }

    /// A day that is announced by an event.
    #[must_use]
    pub const fn announced(column: &'static str, action: TaskAction) -> Self {
        Self { is_announced: true, ..Self::new(column, action) }
    }

    /// The same for records of which this is true.
    #[must_use]
    pub const fn only(self, only: &'static str) -> Self {
        Self { only, ..self }
    }

    /// The same, listing records without the day too.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }
}

/// Assessments have a row for each requirement instead of an id of their own.
const ASSESSMENTS: Work = Work {
    table: "assessments",
    task: Some(TaskType::Assessment),
    id: "requirement_id",
    title: "requirement_id",
    owner: "owner",
    open: "",
    days: &[
        WorkDay::new("due_on", TaskAction::Meet)
            .only("r.status NOT IN ('met', 'not_applicable') AND COALESCE(r.applies, 1) = 1"),
        WorkDay::new("next_review_on", TaskAction::Review).only("COALESCE(r.applies, 1) = 1"),
    ],
};

/// The last days to terminate contracts, under the owner of the provider.
const CONTRACT_NOTICES: Work = Work {
    table: "contract_notices",
    task: Some(TaskType::Arrangement),
    id: "id",
    title: "title",
    owner: "owner",
    open: "",
    days: &[WorkDay::announced("notice_on", TaskAction::Terminate)],
};

/// The table of trainings.
const TRAININGS: &str = "trainings";

/// All work, with whether the records of the table can be archived.
static WORKS: LazyLock<Vec<(&'static Work, bool)>> = LazyLock::new(|| {
    let records = crate::tables().filter_map(|table| Some((table.work()?, table.archives())));
    records.chain([(&ASSESSMENTS, false), (&CONTRACT_NOTICES, false)]).collect()
});

/// A kind of work as the statements need it.
pub(crate) fn all() -> impl Iterator<Item = OpenKind> {
    WORKS.iter().map(|(work, archives)| OpenKind { work, archives: *archives })
}

/// What makes records of this table work of a person, if they are.
pub fn of_table(table: &str) -> Option<&'static Work> {
    WORKS.iter().map(|(work, _)| *work).find(|work| work.table == table)
}

/// Work that can be handed over: of contracts, the provider is, and a training belongs to its person.
pub(crate) fn owned() -> impl Iterator<Item = OpenKind> {
    all().filter(|kind| ![CONTRACT_NOTICES.table, TRAININGS].contains(&kind.work.table))
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenKind {
    pub(crate) work: &'static Work,
    archives: bool,
}

impl OpenKind {
    /// When the record was last changed. The last day of a contract changes with its arrangement.
    pub(crate) fn changed(self) -> &'static str {
        if self.work.table == CONTRACT_NOTICES.table {
            "(SELECT a.updated_at FROM arrangements a WHERE a.tenant_id = r.tenant_id AND a.id = r.id)"
        } else {
            "r.updated_at"
        }
    }

    /// The condition of an open record, with an `AND` before each part.
    pub(crate) fn condition(self, only: &str) -> String {
        let archived = if self.archives { "r.archived = 0" } else { "" };
        let parts = [self.work.open, only, archived];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.flat_map(|part| [" AND ", part]).collect()
    }
}
