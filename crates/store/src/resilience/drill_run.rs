//! Runs of drills. Their references are counted per tenant.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    drill_run::{
        Classified, CriterionResult, DoneStep, DrillRun, DrillRunReference, DrillRunSort, DrillRunStatus,
        Outcome, PracticeReport, Share,
    },
    id::DrillRunId,
    moment::Moment,
    text::Name,
};
use serde_json::{Value as Json, json};

use crate::{
    Error, Result, TenantScope, Tx, params,
    record::{Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
};

crate::sql! {
    NUMBER = "INSERT INTO drill_run_numbers (tenant_id, last) VALUES ($1, 1)
              ON CONFLICT (tenant_id) DO UPDATE SET last = drill_run_numbers.last + 1
              RETURNING last";
}

pub type DrillRunRow = RecordRow<DrillRun>;

/// Which runs, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrillRunFilter {
    pub status: AnyOf<DrillRunStatus>,
    /// The id of a drill of the catalogue.
    pub scenario: Option<String>,
    pub search: Option<String>,
    pub sort: Option<DrillRunSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&DrillRun::TABLE));

impl Kind for DrillRun {
    type Id = DrillRunId;
    type Filter = DrillRunFilter;

    const TABLE: Table<Self> = Table {
        name: "drill_runs",
        prefix: DrillRunId::PREFIX,
        columns: &[
            TableColumn::fixed("number", |run| Value::from(run.reference.number())),
            TableColumn::fixed("scenario", |run| Value::from(&run.scenario)),
            TableColumn::new("title", |run| Value::from(&run.title)),
            TableColumn::new("planned_for", |run| Value::from(run.planned_for)),
            TableColumn::new("participants", |run| Value::json(&run.participants)),
            TableColumn::new("lead", |run| Value::from(run.lead.as_ref())),
            TableColumn::new("programme_id", |run| Value::from(run.programme_id)),
            TableColumn::new("test_case_id", |run| Value::from(run.test_case_id)),
            TableColumn::new("status", |run| Value::from(run.status.as_str())),
            TableColumn::new("started_at", |run| Value::from(run.started_at)),
            TableColumn::new("finished_at", |run| Value::from(run.finished_at)),
            TableColumn::new("steps", |run| list(&run.steps, step_json)),
            TableColumn::new("classification", |run| {
                list(&run.classification, |judged| classified_json(*judged))
            }),
            TableColumn::new("reports", |run| list(&run.reports, report_json)),
            TableColumn::new("criteria", |run| list(&run.criteria, |result| json!(result))),
            TableColumn::new("outcome", |run| {
                Value::Owned(run.outcome.as_ref().map_or(Json::Null, outcome_json).to_string())
            }),
            TableColumn::derived("score", |run| Value::from(run.outcome.map(|outcome| outcome.score))),
            TableColumn::new("findings", |run| {
                let ids: Vec<String> = run.findings.iter().map(ToString::to_string).collect();
                Value::json(&ids)
            }),
        ],
        archives: false,
        work: None,
        filters: &[
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "scenario", condition: "r.scenario = ?" },
        ],
        sorts: &[("planned_for", "r.planned_for")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            reference: DrillRunReference::new(cells.get("number")?).map_err(Error::corrupt)?,
            scenario: cells.get("scenario")?,
            title: cells.name("title")?,
            planned_for: cells.parse("planned_for")?,
            participants: cells.texts("participants", Name::parse)?,
            lead: cells.name_opt("lead")?,
            programme_id: cells.parse_opt("programme_id")?,
            test_case_id: cells.parse_opt("test_case_id")?,
            status: cells.parse("status")?,
            started_at: cells.get("started_at")?,
            finished_at: cells.get("finished_at")?,
            steps: each(&cells.json::<Vec<Json>>("steps")?, step)?,
            classification: each(&cells.json::<Vec<Json>>("classification")?, classified)?,
            reports: each(&cells.json::<Vec<Json>>("reports")?, report)?,
            criteria: each(&cells.json::<Vec<Json>>("criteria")?, result)?,
            outcome: outcome(&cells.json("outcome")?)?,
            findings: cells.texts("findings", str::parse)?,
        })
    }

    fn narrow<'q>(filter: &'q DrillRunFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.any_word("status", &filter.status)
            .filter_opt("scenario", filter.scenario.as_deref())
            .order_opt(filter.sort.map(DrillRunSort::as_str))
    }
}

/// The next reference. The counter advances only if the transaction commits, so there are no gaps.
pub fn next_reference(tx: &mut Tx<'_>, scope: &TenantScope) -> Result<DrillRunReference> {
    let number = tx.query_one(&NUMBER, params![scope.tenant()], |row| row.get(0))?;
    DrillRunReference::new(number).map_err(Error::corrupt)
}

fn list<T>(items: &[T], json: fn(&T) -> Json) -> Value<'static> {
    Value::Owned(items.iter().map(json).collect::<Json>().to_string())
}

fn each<T>(kept: &[Json], read: fn(&Json) -> Result<T>) -> Result<Vec<T>> {
    kept.iter().map(read).collect()
}

fn wrong(what: &str) -> Error {
    Error::corrupt(format_args!("a drill run with {what} that cannot be read"))
}

fn step_json(step: &DoneStep) -> Json {
    json!({ "number": step.number, "at": step.at.millis(), "by": step.by })
}

fn step(kept: &Json) -> Result<DoneStep> {
    let read = || {
        Some(DoneStep {
            number: number(&kept["number"])?,
            at: Moment::from_millis(kept["at"].as_i64()?),
            by: kept["by"].as_str()?.to_owned(),
        })
    };
    read().ok_or_else(|| wrong("a step"))
}

fn classified_json(judged: Classified) -> Json {
    json!({ "criterion": judged.criterion, "judgement": judged.judgement, "at_minute": judged.at_minute })
}

fn classified(kept: &Json) -> Result<Classified> {
    let read = || {
        Some(Classified {
            criterion: kept["criterion"].as_str()?.parse().ok()?,
            judgement: kept["judgement"].as_str()?.parse().ok()?,
            at_minute: number(&kept["at_minute"])?,
        })
    };
    read().ok_or_else(|| wrong("a judgement"))
}

fn report_json(report: &PracticeReport) -> Json {
    json!({
        "clock": report.clock,
        "due": report.due.as_ref().map(Name::as_str),
        "sent_at_minute": report.sent_at_minute,
        "right": report.right,
    })
}

fn report(kept: &Json) -> Result<PracticeReport> {
    let due = kept["due"].as_str().map(Name::parse).transpose().map_err(Error::corrupt)?;
    Ok(PracticeReport {
        clock: kept["clock"].as_str().ok_or_else(|| wrong("a report"))?.to_owned(),
        due,
        sent_at_minute: number(&kept["sent_at_minute"]),
        right: kept["right"].as_bool(),
    })
}

fn result(kept: &Json) -> Result<Option<CriterionResult>> {
    kept.as_str().map(str::parse).transpose().map_err(Error::corrupt)
}

fn outcome_json(outcome: &Outcome) -> Json {
    let share = |share: Share| json!([share.reached, share.possible]);
    json!({
        "score": outcome.score,
        "criteria": share(outcome.criteria),
        "classification": share(outcome.classification),
        "reports": share(outcome.reports),
    })
}

fn outcome(kept: &Json) -> Result<Option<Outcome>> {
    if kept.is_null() {
        return Ok(None);
    }
    let share =
        |name: &str| Some(Share { reached: number(&kept[name][0])?, possible: number(&kept[name][1])? });
    let read = || {
        Some(Outcome {
            score: u8::try_from(kept["score"].as_u64()?).ok()?,
            criteria: share("criteria")?,
            classification: share("classification")?,
            reports: share("reports")?,
        })
    };
    read().map(Some).ok_or_else(|| wrong("a score"))
}

fn number(kept: &Json) -> Option<u32> {
    u32::try_from(kept.as_u64()?).ok()
}
