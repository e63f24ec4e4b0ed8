//! Trainings of people. Their references are counted per tenant; the person is stored as the owner, by the id of the
//! account, so that trainings are in the lists of open work.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    archive::Archived,
    id::{TrainingId, UserId},
    moment::{Day, Moment},
    task::{TaskAction, TaskType},
    text::Name,
    training::{Training, TrainingReference, TrainingSort, TrainingState, TrainingStatus},
};

use crate::{
    Error, Reader, Result, TenantScope, Tx, params,
    record::{Kind, RecordRow},
    sql::{ARCHIVED, Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value, among},
    work::{Work, WorkDay},
};

crate::sql! {
    NUMBER = "INSERT INTO training_numbers (tenant_id, last) VALUES ($1, 1)
              ON CONFLICT (tenant_id) DO UPDATE SET last = training_numbers.last + 1
              RETURNING last";
    MARKED = "SELECT management_body FROM trainings WHERE tenant_id = $1 AND owner = $2 ORDER BY id DESC LIMIT 1";
    MEMBERS = "SELECT DISTINCT owner FROM trainings WHERE tenant_id = $1 AND archived = 0 AND management_body = 1";
    OPEN_OF = "SELECT id FROM trainings
               WHERE tenant_id = $1 AND owner = $2 AND open = 1 AND archived = 0 ORDER BY id";
    TOTALS = "SELECT management_body, status, due_on, CAST(COUNT(*) AS BIGINT) FROM trainings
              WHERE tenant_id = $1 AND archived = 0 GROUP BY management_body, status, due_on";
    PEOPLE = "SELECT id, name FROM users WHERE tenant_id = $1 AND disabled_at IS NULL ORDER BY id LIMIT $2";
}

pub type TrainingRow = RecordRow<Training>;

/// Which trainings, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrainingFilter {
    pub state: AnyOf<TrainingState>,
    /// The day that states are computed for. It is part of the cache key, because the result changes with it.
    pub today: Option<Day>,
    pub person: Option<UserId>,
    /// The id of a module of the catalogue.
    pub module: AnyOf<String>,
    pub management_body: Option<bool>,
    /// Whether archived records are listed.
    pub archived: Archived,
    pub search: Option<String>,
    pub sort: Option<TrainingSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Training::TABLE));

impl Kind for Training {
    type Id = TrainingId;
    type Filter = TrainingFilter;

    const TABLE: Table<Self> = Table {
        name: "trainings",
        prefix: TrainingId::PREFIX,
        columns: &[
            TableColumn::fixed("number", |training| Value::from(training.reference.number())),
            TableColumn::fixed("module", |training| Value::from(training.module.as_deref())),
            TableColumn::fixed("title", |training| Value::from(&training.title)),
            TableColumn::fixed("provider", |training| Value::from(training.provider.as_ref())),
            TableColumn::fixed("owner", |training| Value::from(training.person)),
            TableColumn::new("due_on", |training| Value::from(training.due_on)),
            TableColumn::new("management_body", |training| Value::from(training.management_body)),
            TableColumn::new("status", |training| Value::from(training.status.as_str())),
            TableColumn::derived("open", |training| Value::from(training.is_open())),
            TableColumn::new("attempts", |training| Value::from(training.attempts)),
            TableColumn::new("score", |training| Value::from(training.score)),
            TableColumn::new("answers", |training| {
                Value::Owned(serde_json::Value::from(training.answers.clone()).to_string())
            }),
            TableColumn::new("passed_on", |training| Value::day(training.passed_on)),
        ],
        archives: true,
        work: Some(&Work {
            table: "trainings",
            task: Some(TaskType::Training),
            id: "id",
            title: "title",
            owner: "owner",
            open: "r.open = 1",
            days: &[WorkDay::announced("due_on", TaskAction::Learn)],
        }),
        filters: &[
            ARCHIVED,
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "late", condition: "r.status <> 'passed' AND r.due_on < ?" },
            Filter { name: "due", condition: "r.due_on >= ?" },
            // A day, then the states that are wanted.
            Filter {
                name: "states",
                condition: "CAST(? AS TEXT) LIKE '%,' || CASE
                                WHEN r.status = 'passed' THEN r.status
                                WHEN r.due_on < substr(CAST(? AS TEXT), 1, 10) THEN 'late'
                                ELSE r.status END || ',%'",
            },
            Filter { name: "person", condition: "r.owner = ?" },
            Filter { name: "module", condition: "r.module = ?" },
            Filter { name: "management_body", condition: "r.management_body = ?" },
        ],
        sorts: &[("due_on", "r.due_on")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            reference: TrainingReference::new(cells.get("number")?).map_err(Error::corrupt)?,
            module: cells.get("module")?,
            title: cells.name("title")?,
            provider: cells.name_opt("provider")?,
            person: cells.parse("owner")?,
            due_on: cells.parse("due_on")?,
            management_body: cells.get("management_body")?,
            status: cells.parse("status")?,
            attempts: u32::try_from(cells.get::<i64>("attempts")?).map_err(Error::corrupt)?,
            score: cells
                .get::<Option<i64>>("score")?
                .map(u8::try_from)
                .transpose()
                .map_err(Error::corrupt)?,
            answers: cells.json("answers")?,
            passed_on: cells.day("passed_on")?,
        })
    }

    fn narrow<'q>(filter: &'q TrainingFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        let list = list
            .filter_opt("person", filter.person)
            .any_text("module", &filter.module)
            .filter_opt("management_body", filter.management_body)
            .filter_opt("archived", filter.archived.wanted())
            .order_opt(filter.sort.map(TrainingSort::as_str));
        let Some(today) = filter.today.filter(|_| filter.state.asks()) else { return list };
        let Some(state) = filter.state.one() else {
            return list.filter("states", among(&[today], &filter.state));
        };
        match state {
            TrainingState::Late => list.filter("late", today),
            TrainingState::Passed => list.filter("status", TrainingStatus::Passed.as_str()),
            TrainingState::Failed => {
                list.filter("status", TrainingStatus::Failed.as_str()).filter("due", today)
            }
            TrainingState::Assigned => {
                list.filter("status", TrainingStatus::Assigned.as_str()).filter("due", today)
            }
        }
    }
}

/// The next reference. The counter advances only if the transaction commits, so there are no gaps.
pub fn next_reference(tx: &mut Tx<'_>, scope: &TenantScope) -> Result<TrainingReference> {
    let number = tx.query_one(&NUMBER, params![scope.tenant()], |row| row.get(0))?;
    TrainingReference::new(number).map_err(Error::corrupt)
}

/// Whether the latest training of a person marks them as a member of the management body.
pub fn is_member(reader: &mut Reader<'_>, scope: &TenantScope, person: UserId) -> Result<bool> {
    let marked = reader.query_opt(&MARKED, params![scope.tenant(), person], |row| row.get(0))?;
    Ok(marked.unwrap_or_default())
}

/// The people whose trainings mark them as members of the management body.
pub fn members(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<UserId>> {
    reader.query(&MEMBERS, params![scope.tenant()], |row| row.parse(0))
}

/// The trainings that a person has not passed.
pub fn open_of(reader: &mut Reader<'_>, scope: &TenantScope, person: UserId) -> Result<Vec<TrainingId>> {
    reader.query(&OPEN_OF, params![scope.tenant(), person], |row| row.parse(0))
}

/// The people with open accounts, at most so many.
pub fn people(reader: &mut Reader<'_>, scope: &TenantScope, most: u32) -> Result<Vec<(UserId, Name)>> {
    reader
        .query(&PEOPLE, params![scope.tenant(), most], |row| Ok((row.parse(0)?, row.check(1, Name::parse)?)))
}

/// How many trainings are in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrainingCounts {
    pub assigned: u64,
    pub failed: u64,
    pub late: u64,
    pub passed: u64,
}

impl TrainingCounts {
    pub fn total(&self) -> u64 {
        self.assigned + self.failed + self.late + self.passed
    }

    pub fn of(&self, state: TrainingState) -> u64 {
        match state {
            TrainingState::Assigned => self.assigned,
            TrainingState::Failed => self.failed,
            TrainingState::Late => self.late,
            TrainingState::Passed => self.passed,
        }
    }

    fn add(&mut self, state: TrainingState, count: u64) {
        let of_state = match state {
            TrainingState::Assigned => &mut self.assigned,
            TrainingState::Failed => &mut self.failed,
            TrainingState::Late => &mut self.late,
            TrainingState::Passed => &mut self.passed,
        };
        *of_state += count;
    }
}

/// The trainings of all people, and of the members of the management body among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrainingTotals {
    pub all: TrainingCounts,
    pub management_body: TrainingCounts,
}

/// Counts the trainings that are not archived, by their state at this moment.
pub fn totals(reader: &mut Reader<'_>, scope: &TenantScope, now: Moment) -> Result<TrainingTotals> {
    let rows: Vec<(bool, TrainingStatus, Day, u64)> =
        reader.query(&TOTALS, params![scope.tenant()], |row| {
            Ok((row.get(0)?, row.parse(1)?, row.parse(2)?, row.get(3)?))
        })?;
    let mut totals = TrainingTotals::default();
    for (is_member, status, due_on, count) in rows {
        let state = status.on(due_on, now.day());
        totals.all.add(state, count);
        if is_member {
            totals.management_body.add(state, count);
        }
    }
    Ok(totals)
}
