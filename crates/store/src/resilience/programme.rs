//! Test programmes. Their counts are stored in `test_case_count` and `finding_count`.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    framework::Framework,
    id::ProgrammeId,
    programme::{Programme, ProgrammeSort, ProgrammeStatus},
    task::{TaskAction, TaskType},
    text::Name,
};

use crate::{
    Reader, Result, TenantScope, Tx,
    function::{self, Referrer},
    params,
    record::{Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
    work::{Work, WorkDay},
};

crate::sql! {
    FUNCTIONS = "SELECT id, functions FROM programmes WHERE tenant_id = $1 ORDER BY id";
}

pub type ProgrammeRow = RecordRow<Programme>;

/// Which programmes, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgrammeFilter {
    pub status: AnyOf<ProgrammeStatus>,
    pub framework: AnyOf<Framework>,
    pub owner: AnyOf<String>,
    /// Only archived ones, or only the others.
    pub archived: Option<bool>,
    pub search: Option<String>,
    pub sort: Option<ProgrammeSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Programme::TABLE));

impl Kind for Programme {
    type Id = ProgrammeId;
    type Filter = ProgrammeFilter;

    const TABLE: Table<Self> = Table {
        name: "programmes",
        prefix: ProgrammeId::PREFIX,
        columns: &[
            TableColumn::new("name", |programme| Value::from(&programme.name)),
            TableColumn::new("description", |programme| Value::from(programme.description.as_ref())),
            TableColumn::new("framework", |programme| Value::from(programme.framework.as_str())),
            TableColumn::new("status", |programme| Value::from(programme.status.as_str())),
            TableColumn::derived("running", |programme| Value::from(programme.status.is_running())),
            TableColumn::new("owner", |programme| Value::from(programme.owner.as_ref())),
            TableColumn::new("starts_on", |programme| Value::day(programme.starts_on)),
            TableColumn::new("ends_on", |programme| Value::day(programme.ends_on)),
            TableColumn::new("functions", |programme| Value::json(&programme.functions)),
        ],
        archives: true,
        work: Some(&Work {
            table: "programmes",
            task: Some(TaskType::Programme),
            id: "id",
            title: "name",
            owner: "owner",
            open: "r.running = 1",
            days: &[WorkDay::announced("ends_on", TaskAction::Finish)],
        }),
        filters: &[
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "framework", condition: "r.framework = ?" },
            Filter { name: "owner", condition: "r.owner = ?" },
            // Earlier versions have the status, too, and versions from before the archive had columns of its own.
            Filter { name: "archived", condition: "CASE WHEN r.status = 'archived' THEN 1 ELSE 0 END = ?" },
        ],
        sorts: &[("name", "LOWER(r.name)"), ("starts_on", "r.starts_on"), ("ends_on", "r.ends_on")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            name: cells.name("name")?,
            description: cells.prose_opt("description")?,
            framework: cells.parse("framework")?,
            status: cells.parse("status")?,
            owner: cells.name_opt("owner")?,
            starts_on: cells.day("starts_on")?,
            ends_on: cells.day("ends_on")?,
            functions: cells.texts("functions", Name::parse)?,
        })
    }

    fn narrow<'q>(filter: &'q ProgrammeFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.any_word("status", &filter.status)
            .any("framework", &filter.framework, Framework::as_str)
            .any_text("owner", &filter.owner)
            .filter_opt("archived", filter.archived)
            .order_opt(filter.sort.map(ProgrammeSort::as_str))
    }

    fn count(
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        before: Option<&ProgrammeRow>,
        after: Option<&ProgrammeRow>,
    ) -> Result<()> {
        let Some(after) = after else {
            return before.map_or(Ok(()), |gone| function::forget(tx, scope, &gone.id.to_string()));
        };
        if before.is_some_and(|before| before.record.functions == after.record.functions) {
            return Ok(());
        }
        let names = after.record.functions.iter().map(|name| (name.as_str(), false));
        let record = after.id.to_string();
        function::refer(tx, scope, (Referrer::Programme, record.as_str()), names, after.updated_at)
    }
}

/// Calls `each` with the functions of every programme, oldest first.
pub fn for_each_functions(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    mut each: impl FnMut(ProgrammeId, Vec<String>),
) -> Result<()> {
    reader.for_each(&FUNCTIONS, params![scope.tenant()], |row| {
        each(row.parse(0)?, row.json(1)?);
        Ok(())
    })
}
