//! Controls. Their references are counted per tenant.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    archive::Archived,
    control::{
        Control, ControlCadence, ControlReference, ControlSort, ControlStatus, Effectiveness, Overrule,
        Performance,
    },
    id::ControlId,
    moment::{Day, Moment},
    record_event::RecordVerb,
    task::{TaskAction, TaskType},
    text::{Name, Prose},
};

use crate::{
    Error, Reader, Result, TenantScope, Tx, document, measure_use, params,
    record::{Kind, RecordRow},
    sql::{
        ARCHIVED, Cells, Filter, ListQuery, Row, Table, TableColumn, TableStatements, Value,
        stream::RecordWrite,
    },
    work::{Work, WorkDay},
};

crate::sql! {
    NUMBER = "INSERT INTO control_numbers (tenant_id, last) VALUES ($1, 1)
              ON CONFLICT (tenant_id) DO UPDATE SET last = control_numbers.last + 1
              RETURNING last";
    COUNT = "SELECT COUNT(*) FROM controls WHERE tenant_id = $1";
    MEASURES = "SELECT measure_id FROM controls WHERE tenant_id = $1 AND measure_id IS NOT NULL AND archived = 0";
    COMPACT = "SELECT id, number, title, status, effectiveness, measure_id, requirements,
                      last_performed_on FROM controls
               WHERE tenant_id = $1 AND archived = 0 ORDER BY number";
    JUDGE = "UPDATE controls SET computed = $3, effectiveness = COALESCE(overrule, $3)
             WHERE tenant_id = $1 AND id = $2 AND computed <> $3 RETURNING version, updated_at";
    OF_MEASURE = "SELECT id FROM controls WHERE tenant_id = $1 AND measure_id = $2";
    MEASURE_OF = "SELECT measure_id FROM controls WHERE tenant_id = $1 AND id = $2";
    ADD_KEY = "INSERT INTO control_keys (tenant_id, control_id, key) VALUES ($1, $2, $3)
               ON CONFLICT (tenant_id, control_id, key) DO NOTHING";
    FORGET_KEYS = "DELETE FROM control_keys WHERE tenant_id = $1 AND control_id = $2";
    PERFORM = "INSERT INTO control_performances (tenant_id, control_id, seq, performed_on, note, evidence,
                                                 recorded_at, actor)
               SELECT $1, $2, COALESCE(MAX(seq), 0) + 1, $3, $4, $5, $6, $7
               FROM control_performances WHERE tenant_id = $1 AND control_id = $2";
    PERFORMED = "SELECT performed_on, note, evidence, recorded_at, actor, seq FROM control_performances
                 WHERE tenant_id = $1 AND control_id = $2 ORDER BY seq DESC LIMIT $3";
    PERFORMANCE = "SELECT performed_on, note, evidence, recorded_at, actor, seq FROM control_performances
                   WHERE tenant_id = $1 AND control_id = $2 AND seq = $3";
    CORRECT = "UPDATE control_performances SET performed_on = $4, note = $5
               WHERE tenant_id = $1 AND control_id = $2 AND seq = $3";
    LAST_PERFORMED = "SELECT MAX(performed_on) FROM control_performances WHERE tenant_id = $1 AND control_id = $2";
    PERFORMED_WITHIN = "SELECT COUNT(*), COUNT(DISTINCT control_id) FROM control_performances
                        WHERE tenant_id = $1 AND performed_on BETWEEN $2 AND $3";
    FORGET_PERFORMED = "DELETE FROM control_performances WHERE tenant_id = $1 AND control_id = $2";
}

pub type ControlRow = RecordRow<Control>;

/// Which controls, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ControlFilter {
    pub status: AnyOf<ControlStatus>,
    pub effectiveness: AnyOf<Effectiveness>,
    pub owner: AnyOf<String>,
    /// Measures, requirements and frameworks of which a control must have one. [`UNSET`](domain::any_of::UNSET) among
    /// them stands for controls that have none.
    pub keys: Option<Keys>,
    pub due_before: AnyOf<Day>,
    /// Whether archived records are listed.
    pub archived: Archived,
    pub search: Option<String>,
    pub sort: Option<ControlSort>,
}

/// Search keys: measures, requirements, controls and frameworks, joined to one text because a filter has one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys(String);

impl Keys {
    pub fn of<'k>(keys: impl IntoIterator<Item = &'k str>) -> Self {
        // No id contains the separator.
        Self(keys.into_iter().fold("|".to_owned(), |text, key| text + key + "|"))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The key of a framework. It cannot collide with a requirement, because ids of requirements have no colon.
pub fn framework_key(framework: &str) -> String {
    format!("framework:{framework}")
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Control::TABLE));

impl Kind for Control {
    type Id = ControlId;
    type Filter = ControlFilter;

    const TABLE: Table<Self> = Table {
        name: "controls",
        prefix: ControlId::PREFIX,
        columns: &[
            TableColumn::fixed("number", |control| Value::from(control.reference.number())),
            TableColumn::new("title", |control| Value::from(&control.title)),
            TableColumn::new("description", |control| Value::from(control.description.as_ref())),
            TableColumn::new("measure_id", |control| Value::from(control.measure_id.as_deref())),
            TableColumn::new("requirements", |control| Value::json(&control.requirements)),
            TableColumn::new("status", |control| Value::from(control.status.as_str())),
            TableColumn::new("computed", |control| Value::from(control.computed.as_str())),
            TableColumn::new("overrule", |control| {
                Value::from(control.overrule.as_ref().map(|overrule| overrule.effectiveness.as_str()))
            }),
            TableColumn::new("overrule_reason", |control| {
                Value::from(control.overrule.as_ref().map(|overrule| &overrule.reason))
            }),
            TableColumn::derived("effectiveness", |control| Value::from(control.effectiveness().as_str())),
            TableColumn::new("owner", |control| Value::from(control.owner.as_ref())),
            TableColumn::new("cadence", |control| Value::from(control.cadence.as_str())),
            TableColumn::new("last_performed_on", |control| Value::day(control.last_performed_on)),
            TableColumn::new("next_due_on", |control| Value::day(control.next_due_on)),
            TableColumn::new("functions", |control| Value::json(&control.functions)),
        ],
        archives: true,
        work: Some(&Work {
            table: "controls",
            task: Some(TaskType::Control),
            id: "id",
            title: "title",
            owner: "owner",
            open: "r.status <> 'retired'",
            days: &[WorkDay::announced("next_due_on", TaskAction::Perform)],
        }),
        filters: &[
            ARCHIVED,
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "effectiveness", condition: "r.effectiveness = ?" },
            Filter { name: "owner", condition: "r.owner = ?" },
            Filter {
                name: "keys",
                condition: "(EXISTS (SELECT 1 FROM control_keys k WHERE k.tenant_id = r.tenant_id
                            AND k.control_id = r.id AND CAST(? AS TEXT) LIKE '%|' || k.key || '|%')
                            OR (CAST(? AS TEXT) LIKE '%|none|%' AND NOT EXISTS (SELECT 1 FROM control_keys k
                            WHERE k.tenant_id = r.tenant_id AND k.control_id = r.id)))",
            },
            Filter { name: "due_before", condition: "r.next_due_on < ?" },
        ],
        sorts: &[("next_due_on", "r.next_due_on")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            reference: reference(cells.get("number")?)?,
            title: cells.name("title")?,
            description: cells.prose_opt("description")?,
            measure_id: cells.get("measure_id")?,
            requirements: cells.json("requirements")?,
            status: cells.parse("status")?,
            computed: cells.parse("computed")?,
            overrule: {
                let word: Option<Effectiveness> = cells.parse_opt("overrule")?;
                let reason = cells.prose_opt("overrule_reason")?;
                word.zip(reason).map(|(effectiveness, reason)| Overrule { effectiveness, reason })
            },
            owner: cells.name_opt("owner")?,
            cadence: cells.parse::<ControlCadence>("cadence")?,
            last_performed_on: cells.day("last_performed_on")?,
            next_due_on: cells.day("next_due_on")?,
            functions: cells.texts("functions", Name::parse)?,
        })
    }

    fn narrow<'q>(filter: &'q ControlFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.any_word("status", &filter.status)
            .any_word("effectiveness", &filter.effectiveness)
            .any_text("owner", &filter.owner)
            .filter_opt("keys", filter.keys.as_ref().map(|keys| keys.0.as_str()))
            .before("due_before", &filter.due_before)
            .filter_opt("archived", filter.archived.wanted())
            .order_opt(filter.sort.map(ControlSort::as_str))
    }

    fn count(
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        before: Option<&ControlRow>,
        after: Option<&ControlRow>,
    ) -> Result<()> {
        let keys = |row: Option<&ControlRow>| row.map(|row| keys(&row.record)).unwrap_or_default();
        let (old, new) = (keys(before), keys(after));
        let Some(row) = before.or(after).filter(|_| old != new) else { return Ok(()) };
        let id = row.id.to_string();
        tx.execute(&FORGET_KEYS, params![scope.tenant(), &id])?;
        for key in new {
            tx.execute(&ADD_KEY, params![scope.tenant(), &id, key])?;
        }
        Ok(())
    }
}

fn reference(number: i64) -> Result<ControlReference> {
    ControlReference::new(number).ok_or_else(|| Error::corrupt("a control without a number"))
}

/// The search keys of a control. The framework of a requirement is a prefix of its id; every prefix is stored,
/// because only the catalogue knows where the name of a framework ends.
fn keys(control: &Control) -> Vec<String> {
    let own = control.requirements.iter();
    let frameworks =
        own.clone().flat_map(|id| id.match_indices('-').map(|(end, _)| framework_key(&id[..end])));
    let mut keys: Vec<String> = control.measure_id.iter().chain(own).cloned().chain(frameworks).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The next reference. The counter advances only if the transaction commits, so there are no gaps.
pub fn next_reference(tx: &mut Tx<'_>, scope: &TenantScope) -> Result<ControlReference> {
    reference(tx.query_one(&NUMBER, params![scope.tenant()], |row| row.get(0))?)
}

pub fn count(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<u64> {
    reader.query_one(&COUNT, params![scope.tenant()], |row| row.get(0))
}

/// The measures that controls already carry out.
pub fn measures(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<String>> {
    reader.query(&MEASURES, params![scope.tenant()], |row| row.get(0))
}

/// Recomputes how effective a control, or all controls of a measure are. Nothing else changes, so their versions stay
/// the same.
pub fn judge(tx: &mut Tx<'_>, scope: &TenantScope, key: &str) -> Result<()> {
    if let Ok(id) = key.parse::<ControlId>() {
        let measure: Option<Option<String>> =
            tx.query_opt(&MEASURE_OF, params![scope.tenant(), key], |row| row.get(0))?;
        return match measure {
            Some(measure) => judge_one(tx, scope, id, measure.as_deref()),
            None => Ok(()),
        };
    }
    let ids: Vec<ControlId> = tx.query(&OF_MEASURE, params![scope.tenant(), key], |row| row.parse(0))?;
    ids.into_iter().try_for_each(|id| judge_one(tx, scope, id, Some(key)))
}

fn judge_one(tx: &mut Tx<'_>, scope: &TenantScope, id: ControlId, measure: Option<&str>) -> Result<()> {
    let word = measure_use::proof(tx, scope, Some(id), measure)?.effectiveness();
    let record = id.to_string();
    let changed: Option<(i64, Moment)> =
        tx.query_opt(&JUDGE, params![scope.tenant(), &record, word.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let Some((version, at)) = changed else { return Ok(()) };
    document::mark(tx, scope, &record)?;
    let (table, what) = (Control::TABLE.name, RecordVerb::Changed.into());
    tx.note_write(scope, RecordWrite { table, record, what, version, recomputed: true, detail: None, at })
}

/// The fields of a control that an assessment shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactControl {
    pub id: ControlId,
    pub reference: ControlReference,
    pub title: String,
    pub status: ControlStatus,
    pub effectiveness: Effectiveness,
    pub measure_id: Option<String>,
    pub requirements: Vec<String>,
    pub last_performed_on: Option<Day>,
}

/// Every control with only these fields, by number. Their count is bounded by the limit per institution.
pub fn compact(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<CompactControl>> {
    reader.query(&COMPACT, params![scope.tenant()], |row| {
        Ok(CompactControl {
            id: row.parse(0)?,
            reference: reference(row.get(1)?)?,
            title: row.get(2)?,
            status: row.parse(3)?,
            effectiveness: row.parse(4)?,
            measure_id: row.get(5)?,
            requirements: row.json(6)?,
            last_performed_on: row.day(7)?,
        })
    })
}

/// A performance with who recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerformanceRow {
    /// Counted from 1 for each control, in the order of recording; given by the store.
    pub number: i64,
    pub performance: Performance,
    pub recorded_at: Moment,
    pub actor: String,
}

pub fn perform(tx: &mut Tx<'_>, scope: &TenantScope, id: ControlId, row: &PerformanceRow) -> Result<()> {
    let PerformanceRow { performance, recorded_at, actor, .. } = row;
    let Performance { on, note, evidence } = performance;
    let evidence = Value::json(evidence);
    tx.execute(&PERFORM, params![scope.tenant(), id, *on, note.as_ref(), evidence, *recorded_at, actor])?;
    Ok(())
}

/// The latest performances, last recorded first.
pub fn performances(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: ControlId,
    limit: u32,
) -> Result<Vec<PerformanceRow>> {
    reader.query(&PERFORMED, params![scope.tenant(), id, limit], read_performance)
}

/// How often controls were performed from the first to the last day, and how many controls that were.
pub fn performed_within(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    (first, last): (Day, Day),
) -> Result<(u64, u64)> {
    let values = params![scope.tenant(), first, last];
    reader.query_one(&PERFORMED_WITHIN, values, |row| Ok((row.get(0)?, row.get(1)?)))
}

fn read_performance(row: &Row<'_>) -> Result<PerformanceRow> {
    Ok(PerformanceRow {
        number: row.get(5)?,
        performance: Performance {
            on: row.parse(0)?,
            note: row.check_opt(1, Prose::parse)?,
            evidence: row.json(2)?,
        },
        recorded_at: row.get(3)?,
        actor: row.get(4)?,
    })
}

/// One performance by its number.
pub fn performance(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: ControlId,
    number: i64,
) -> Result<Option<PerformanceRow>> {
    reader.query_opt(&PERFORMANCE, params![scope.tenant(), id, number], read_performance)
}

/// Replaces the day and the note of a performance, and returns the day of the last one.
pub fn correct_performance(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: ControlId,
    (number, performance): (i64, &Performance),
) -> Result<Option<Day>> {
    let Performance { on, note, .. } = performance;
    tx.execute(&CORRECT, params![scope.tenant(), id, number, *on, note.as_ref()])?;
    let last: Option<String> =
        tx.query_one(&LAST_PERFORMED, params![scope.tenant(), id], |row| row.get(0))?;
    last.map(|day| day.parse().map_err(Error::corrupt)).transpose()
}

/// Deletes the rows that belong to a deleted control.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, id: ControlId) -> Result<()> {
    tx.execute(&FORGET_PERFORMED, params![scope.tenant(), id])?;
    Ok(())
}
