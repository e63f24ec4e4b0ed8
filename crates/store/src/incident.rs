//! Incidents. Their references are counted per tenant and year.

use std::sync::LazyLock;

use domain::{
    id::IncidentId,
    incident::{Decision, Facts, FiledReport, Incident, IncidentStatus, Times},
    moment::Moment,
    reference::IncidentReference,
    sort::IncidentSort,
    text::{Name, Prose},
};
use serde_json::{Map, Value as Json, json};

use crate::{
    Error, Result, TenantScope, Tx, params,
    record::{Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
};

crate::sql! {
    NUMBER = "INSERT INTO incident_numbers (tenant_id, year, last) VALUES ($1, $2, 1)
              ON CONFLICT (tenant_id, year) DO UPDATE SET last = incident_numbers.last + 1
              RETURNING last";
}

pub type IncidentRow = RecordRow<Incident>;

/// Which incidents, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncidentFilter {
    pub status: Option<IncidentStatus>,
    /// Only those that are not closed, or only those that are.
    pub open: Option<bool>,
    pub sort: Option<IncidentSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Incident::TABLE));

impl Kind for Incident {
    type Id = IncidentId;
    type Filter = IncidentFilter;

    const TABLE: Table<Self> = Table {
        name: "incidents",
        prefix: IncidentId::PREFIX,
        columns: &[
            TableColumn::fixed("year", |incident| Value::from(i64::from(incident.reference.year()))),
            TableColumn::fixed("number", |incident| Value::from(incident.reference.number())),
            TableColumn::new("title", |incident| Value::from(&incident.title)),
            TableColumn::new("description", |incident| Value::from(incident.description.as_ref())),
            TableColumn::new("status", |incident| Value::from(incident.status.as_str())),
            TableColumn::derived("open", |incident| Value::from(incident.status.is_open())),
            TableColumn::new("occurred_at", |incident| Value::from(incident.times.occurred_at)),
            TableColumn::new("logged_at", |incident| Value::from(incident.times.logged_at)),
            TableColumn::new("detected_at", |incident| Value::from(incident.times.detected_at)),
            TableColumn::new("aware_at", |incident| Value::from(incident.times.aware_at)),
            TableColumn::new("recovered_at", |incident| Value::from(incident.times.recovered_at)),
            TableColumn::new("resolved_at", |incident| Value::from(incident.times.resolved_at)),
            TableColumn::new("regimes", |incident| {
                let words: Vec<&str> = incident.regimes.iter().map(|regime| regime.as_str()).collect();
                Value::json(&words)
            }),
            TableColumn::new("facts", |incident| Value::Owned(incident.facts.to_json().to_string())),
            TableColumn::new("functions", |incident| Value::json(&incident.functions)),
            TableColumn::new("providers", |incident| Value::json(&incident.providers)),
            TableColumn::new("findings", |incident| {
                let ids: Vec<String> = incident.findings.iter().map(ToString::to_string).collect();
                Value::json(&ids)
            }),
            TableColumn::new("decision", |incident| {
                Value::Owned(incident.decision.as_ref().map_or(Json::Null, decision_json).to_string())
            }),
            TableColumn::derived("result", |incident| {
                Value::from(incident.decision.as_ref().map(|decision| decision.result.as_str()))
            }),
            TableColumn::new("root_cause", |incident| Value::from(incident.root_cause.as_ref())),
            TableColumn::new("measures_taken", |incident| Value::from(incident.measures_taken.as_ref())),
            TableColumn::new("report_values", |incident| {
                Value::Owned(Json::Object(incident.report_values.clone()).to_string())
            }),
            TableColumn::new("filings", |incident| {
                Value::Owned(incident.filings.iter().map(filing_json).collect::<Json>().to_string())
            }),
        ],
        archives: false,
        filters: &[
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "open", condition: "r.open = ?" },
        ],
        sorts: &[("detected_at", "r.detected_at")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        let (year, number): (i64, i64) = (cells.get("year")?, cells.get("number")?);
        let year = i32::try_from(year).map_err(Error::corrupt)?;
        Ok(Self {
            reference: IncidentReference::new(year, number).map_err(Error::corrupt)?,
            title: cells.name("title")?,
            description: cells.prose_opt("description")?,
            status: cells.parse("status")?,
            times: Times {
                occurred_at: cells.get("occurred_at")?,
                logged_at: cells.get("logged_at")?,
                detected_at: cells.get("detected_at")?,
                aware_at: cells.get("aware_at")?,
                recovered_at: cells.get("recovered_at")?,
                resolved_at: cells.get("resolved_at")?,
            },
            regimes: cells.texts("regimes", str::parse)?,
            facts: facts(&cells.json("facts")?)?,
            functions: cells.json("functions")?,
            providers: cells.json("providers")?,
            findings: cells.texts("findings", str::parse)?,
            decision: decision(&cells.json("decision")?)?,
            root_cause: cells.name_opt("root_cause")?,
            measures_taken: cells.prose_opt("measures_taken")?,
            report_values: cells.json("report_values")?,
            filings: cells.json::<Vec<Json>>("filings")?.iter().map(filing).collect::<Result<_>>()?,
        })
    }

    fn narrow<'q>(filter: &'q IncidentFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.filter_opt("status", filter.status.map(IncidentStatus::as_str))
            .filter_opt("open", filter.open)
            .order_opt(filter.sort.map(IncidentSort::as_str))
    }
}

/// The next reference of the year. It counts on only if the transaction is kept, so there are no gaps.
pub fn next_reference(tx: &mut Tx<'_>, scope: &TenantScope, year: i32) -> Result<IncidentReference> {
    let number = tx.query_one(&NUMBER, params![scope.tenant(), year], |row| row.get(0))?;
    IncidentReference::new(year, number).map_err(Error::corrupt)
}

fn facts(kept: &Map<String, Json>) -> Result<Facts> {
    Facts::default().changed(kept).map_err(Error::corrupt)
}

fn decision_json(decision: &Decision) -> Json {
    json!({
        "result": decision.result,
        "computed": decision.computed,
        "at": decision.at,
        "by": decision.by,
        "reason": decision.reason.as_ref().map(Prose::as_str),
        "major_since": decision.major_since,
    })
}

fn decision(kept: &Json) -> Result<Option<Decision>> {
    if kept.is_null() {
        return Ok(None);
    }
    Ok(Some(Decision {
        result: parsed(kept, "result")?,
        computed: parsed(kept, "computed")?,
        at: parsed(kept, "at")?,
        by: text(kept, "by")?.to_owned(),
        reason: optional(kept, "reason", Prose::parse)?,
        major_since: optional(kept, "major_since", str::parse::<Moment>)?,
    }))
}

fn filing_json(filed: &FiledReport) -> Json {
    json!({
        "regime": filed.regime,
        "stage": filed.stage,
        "at": filed.at,
        "reference": filed.reference.as_ref().map(Name::as_str),
        "recorded_at": filed.recorded_at,
        "missing": filed.missing,
        "content": filed.content,
    })
}

fn filing(kept: &Json) -> Result<FiledReport> {
    let missing = kept["missing"].as_array().into_iter().flatten();
    Ok(FiledReport {
        regime: parsed(kept, "regime")?,
        stage: parsed(kept, "stage")?,
        at: parsed(kept, "at")?,
        reference: optional(kept, "reference", Name::parse)?,
        recorded_at: parsed(kept, "recorded_at")?,
        missing: missing.filter_map(Json::as_str).map(str::to_owned).collect(),
        content: kept["content"].clone(),
    })
}

fn text<'j>(kept: &'j Json, name: &str) -> Result<&'j str> {
    kept[name].as_str().ok_or_else(|| Error::corrupt(format_args!("{name} is missing")))
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(kept: &Json, name: &str) -> Result<T> {
    text(kept, name)?.parse().map_err(Error::corrupt)
}

fn optional<T, E: std::fmt::Display>(
    kept: &Json,
    name: &str,
    parse: impl Fn(&str) -> std::result::Result<T, E>,
) -> Result<Option<T>> {
    kept[name].as_str().map(|text| parse(text).map_err(Error::corrupt)).transpose()
}
