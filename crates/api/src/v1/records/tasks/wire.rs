//! The wire types of tasks.

use app::{App, history::Detail, records::AnyKind, task::TaskRow, work::WorkItem};
use domain::{
    deadline::Due,
    id::TaskId,
    moment::{Day, Moment},
    task::{Task, TaskInput, TaskType as Type},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Fields, PageQuery, Parsed},
    schema::body,
    v1::{
        compliance::controls::wire::ControlCadence,
        record::Noun,
        records::comments::list_of_table,
        wire::{HistoryStep, words},
    },
};

words! {
    TaskType = domain::task::TaskType, "The kind of record a task belongs to.";
    TaskAction = domain::task::TaskAction, "What is to be done.";
    TaskStatus = domain::task::TaskStatus, "Whether a plain task is still to be done.";
}

/// Something that is to be done: of a record, or a plain task.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Task)]
pub(crate) struct TaskItem {
    /// The id of the record; for an assessment that of the requirement. A record can have more than one task.
    #[schema(example = "fnd_01k9x14js0e00000000000000a")]
    id: String,
    r#type: TaskType,
    action: TaskAction,
    #[schema(example = "Backups cannot be restored")]
    title: String,
    /// `null` also for reports that are due under a clock.
    owner: Option<String>,
    /// `null` only for a plain task without a day.
    #[schema(value_type = Option<String>, format = Date)]
    due_on: Option<Day>,
    /// Where a task is due at a moment, which reports are.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<Moment>,
    /// Whether the day or the moment has passed.
    late: bool,
    /// When the record was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// The record in this API.
    #[schema(example = "/api/v1/findings/fnd_01k9x14js0e00000000000000a")]
    link: String,
}

impl From<&WorkItem> for TaskItem {
    fn from(item: &WorkItem) -> Self {
        let due_at = match item.due {
            Some(Due::At(moment)) => Some(moment),
            Some(Due::On(_)) | None => None,
        };
        Self {
            id: item.id.clone(),
            r#type: item.kind.into(),
            action: item.action.into(),
            title: item.title.clone(),
            owner: item.owner.clone(),
            due_on: item.day(),
            due_at,
            late: item.late,
            updated_at: item.updated_at,
            link: format!("{}/{}", list_of(item.kind), item.id),
        }
    }
}

/// The address above the records that have tasks of this kind.
fn list_of(task: Type) -> String {
    list_of_table(AnyKind::of_task(task).map_or("assessments", |kind| kind.table))
}

/// A plain task.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlainTask {
    #[schema(value_type = String, example = "tsk_01k9x14js0e00000000000000a")]
    id: TaskId,
    #[schema(example = "Call the auditor")]
    title: String,
    note: Option<String>,
    owner: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    due_on: Option<Day>,
    status: TaskStatus,
    /// The id of the record it is about.
    about: Option<String>,
    /// How often the task recurs: when it is done, the next one is created with its day.
    cadence: ControlCadence,
    /// The task that followed when this one was done.
    #[schema(value_type = Option<String>, example = "tsk_01k9x14js0e00000000000000b")]
    next: Option<TaskId>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// Since when it is archived; null while it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
}

impl From<&TaskRow> for PlainTask {
    fn from(row: &TaskRow) -> Self {
        let record = &row.record;
        Self {
            id: row.id,
            title: record.title.to_string(),
            note: record.note.as_ref().map(ToString::to_string),
            owner: record.owner.as_ref().map(ToString::to_string),
            due_on: record.due_on,
            status: record.status.into(),
            about: record.about.as_ref().map(ToString::to_string),
            cadence: record.cadence.into(),
            next: record.next,
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

/// A plain task with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlainTaskDetail {
    #[serde(flatten)]
    task: PlainTask,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

impl From<&Detail<TaskRow>> for PlainTaskDetail {
    fn from(detail: &Detail<TaskRow>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { task: PlainTask::from(&detail.record), history }
    }
}

body! {
    /// A plain task to create.
    NewTask from TaskChange {
        required: ["title"],
        without: [],
        example: { "title": "Call the auditor", "owner": "Dana Weber", "due_on": "2027-01-31" }
    }
}

/// Changes to a plain task. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "status": "done" }))]
pub(crate) struct TaskChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    #[schema(format = Date)]
    due_on: Option<Option<String>>,
    #[schema(value_type = Option<TaskStatus>, nullable = false)]
    status: Option<Option<String>>,
    /// The id of one of the institution's records, or of a requirement.
    #[schema(max_length = 255)]
    about: Option<Option<String>>,
    #[schema(value_type = Option<ControlCadence>, nullable = false)]
    cadence: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TaskParams {
    /// Only tasks of this person: the id of a user, or a name or an address in any case.
    pub(crate) owner: Option<String>,
    /// Only tasks that are due before this day.
    #[param(value_type = Option<String>, format = Date)]
    pub(crate) due_before: Option<Parsed<Day>>,
    /// Only tasks of this kind of record.
    #[param(value_type = Option<TaskType>)]
    pub(crate) r#type: Option<Parsed<Type>>,
}

impl Noun for Task {
    type Item = PlainTask;
    type Full = PlainTaskDetail;

    const PATH: &'static str = "/api/v1/tasks";

    fn filter(_: &App, _: &mut PageQuery) -> Result<(), ApiError> {
        Ok(())
    }

    fn input(fields: &mut Fields) -> TaskInput {
        fields.read::<TaskChange>().into()
    }
}

impl From<TaskChange> for TaskInput {
    fn from(change: TaskChange) -> Self {
        Self {
            title: change.title.into(),
            note: change.note.into(),
            owner: change.owner.into(),
            due_on: change.due_on.into(),
            status: change.status.into(),
            about: change.about.into(),
            cadence: change.cadence.into(),
        }
    }
}
