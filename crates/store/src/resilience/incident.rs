//! Incidents. Their references are counted per tenant and year.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    archive::Archived,
    id::{CraReportId, IncidentId, TenantId},
    incident::{
        Decision, Facts, FiledReport, Incident, IncidentSort, IncidentStatus, Outcome, Regime, Times,
    },
    moment::Moment,
    reference::IncidentReference,
    task::TaskType,
    text::{Name, Prose},
};
use serde_json::{Map, Value as Json, json};

use crate::{
    Error, Reader, Result, TenantScope, Tx,
    function::{self, Referrer},
    params, provider,
    record::{Kind, RecordRow},
    sql::{ARCHIVED, Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
    work::Work,
};

crate::sql! {
    NUMBER = "INSERT INTO incident_numbers (tenant_id, year, last) VALUES ($1, $2, 1)
              ON CONFLICT (tenant_id, year) DO UPDATE SET last = incident_numbers.last + 1
              RETURNING last";
    /// Across tenants, for the jobs that announce reports and compare incidents.
    WORK = whole("open incidents are few, and each of them has to be looked at",
          "SELECT r.tenant_id, r.id FROM incidents r WHERE r.open = 1 ORDER BY r.tenant_id, r.id");
    TENANTS = whole("tenants with incidents are few, and each of them has to be looked at",
          "SELECT DISTINCT r.tenant_id FROM incidents r ORDER BY r.tenant_id");
    TITLES = "SELECT r.title FROM incidents r WHERE r.tenant_id = $1 AND r.detected_at = $2
              ORDER BY r.id LIMIT $3";
    /// Which incidents these reports under the CRA belong to.
    OF_CRA_REPORTS = differs("each engine has its own way to bind a list",
        sqlite "SELECT r.cra_report_id, r.id FROM json_each($2) CROSS JOIN incidents r
                WHERE r.tenant_id = $1 AND r.cra_report_id = json_each.value",
        postgres "SELECT r.cra_report_id, r.id FROM incidents r WHERE r.tenant_id = $1
                      AND r.cra_report_id IN (SELECT jsonb_array_elements_text(CAST(CAST($2 AS TEXT) AS JSONB)))");
    SINCE = "SELECT r.id FROM incidents r WHERE r.tenant_id = $1 AND r.detected_at >= $2 AND r.archived = 0
             ORDER BY r.detected_at, r.id LIMIT $3";
}

pub type IncidentRow = RecordRow<Incident>;

/// Which incidents, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncidentFilter {
    pub status: AnyOf<IncidentStatus>,
    /// Only those that are not closed, or only those that are.
    pub open: Option<bool>,
    pub owner: AnyOf<String>,
    pub regime: AnyOf<Regime>,
    /// Only those with this stored classification.
    pub result: AnyOf<Outcome>,
    /// Only those of this series.
    pub series: Option<IncidentId>,
    /// Whether archived records are listed.
    pub archived: Archived,
    pub search: Option<String>,
    pub sort: Option<IncidentSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> =
    LazyLock::new(|| TableStatements::of(&Incident::TABLE).with_stamps());

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
            TableColumn::new("owner", |incident| Value::from(incident.owner.as_ref())),
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
            TableColumn::new("facts", |incident| Value::Owned(known_facts(&incident.facts).to_string())),
            TableColumn::new("functions", |incident| Value::json(&incident.functions)),
            TableColumn::new("providers", |incident| Value::json(&incident.providers)),
            TableColumn::new("findings", |incident| {
                let ids: Vec<String> = incident.findings.iter().map(ToString::to_string).collect();
                Value::json(&ids)
            }),
            TableColumn::new("controls", |incident| {
                let ids: Vec<String> = incident.controls.iter().map(ToString::to_string).collect();
                Value::json(&ids)
            }),
            TableColumn::new("cra_report_id", |incident| Value::from(incident.cra_report)),
            TableColumn::new("decision", |incident| {
                Value::Owned(incident.decision.as_ref().map_or(Json::Null, decision_json).to_string())
            }),
            TableColumn::new("earlier_decisions", |incident| {
                let earlier = incident.earlier_decisions.iter().map(decision_json);
                Value::Owned(earlier.collect::<Json>().to_string())
            }),
            TableColumn::derived("result", |incident| {
                Value::from(incident.decision.as_ref().map(|decision| decision.result.as_str()))
            }),
            TableColumn::new("root_cause", |incident| Value::from(incident.root_cause.as_ref())),
            TableColumn::new("measures_taken", |incident| Value::from(incident.measures_taken.as_ref())),
            TableColumn::new("lessons", |incident| Value::from(incident.lessons.as_ref())),
            TableColumn::new("recurring_group", |incident| Value::from(incident.recurring_group)),
            TableColumn::new("report_values", |incident| {
                Value::Owned(Json::Object(incident.report_values.clone()).to_string())
            }),
            TableColumn::new("filings", |incident| {
                Value::Owned(incident.filings.iter().map(filing_json).collect::<Json>().to_string())
            }),
        ],
        archives: true,
        work: Some(&Work {
            table: "incidents",
            task: Some(TaskType::Incident),
            id: "id",
            title: "title",
            owner: "owner",
            open: "r.open = 1",
            days: &[],
        }),
        filters: &[
            ARCHIVED,
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "open", condition: "r.open = ?" },
            Filter { name: "owner", condition: "r.owner = ?" },
            Filter { name: "regime", condition: "r.regimes LIKE ?" },
            Filter { name: "result", condition: "r.result = ?" },
            Filter { name: "series", condition: "r.recurring_group = ?" },
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
            owner: cells.name_opt("owner")?,
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
            controls: cells.texts("controls", str::parse)?,
            cra_report: cells.parse_opt("cra_report_id")?,
            decision: decision(&cells.json("decision")?)?,
            earlier_decisions: earlier(&cells.json::<Vec<Json>>("earlier_decisions")?)?,
            root_cause: cells.name_opt("root_cause")?,
            measures_taken: cells.prose_opt("measures_taken")?,
            lessons: cells.prose_opt("lessons")?,
            recurring_group: cells.parse_opt("recurring_group")?,
            report_values: cells.json("report_values")?,
            filings: cells.json::<Vec<Json>>("filings")?.iter().map(filing).collect::<Result<_>>()?,
        })
    }

    fn narrow<'q>(filter: &'q IncidentFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.any_word("status", &filter.status)
            .filter_opt("open", filter.open)
            .any_text("owner", &filter.owner)
            .any("regime", &filter.regime, |regime| format!("%\"{regime}\"%"))
            .any_word("result", &filter.result)
            .filter_opt("series", filter.series)
            .filter_opt("archived", filter.archived.wanted())
            .order_opt(filter.sort.map(IncidentSort::as_str))
    }

    fn count(
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        before: Option<&IncidentRow>,
        after: Option<&IncidentRow>,
    ) -> Result<()> {
        let Some(after) = after else {
            return before.map_or(Ok(()), |gone| {
                provider::refer_incident(tx, scope, &gone.id.to_string(), &[])?;
                function::forget(tx, scope, &gone.id.to_string())
            });
        };
        if before.is_none_or(|before| before.record.providers != after.record.providers) {
            provider::refer_incident(tx, scope, &after.id.to_string(), &after.record.providers)?;
        }
        if before.is_some_and(|before| before.record.functions == after.record.functions) {
            return Ok(());
        }
        let names = after.record.functions.iter().map(|name| (name.as_str(), false));
        let record = after.id.to_string();
        function::refer(tx, scope, (Referrer::Incident, record.as_str()), names, after.updated_at)
    }
}

/// The next reference of the year. The counter advances only if the transaction commits, so there are no gaps.
pub fn next_reference(tx: &mut Tx<'_>, scope: &TenantScope, year: i32) -> Result<IncidentReference> {
    let number = tx.query_one(&NUMBER, params![scope.tenant(), year], |row| row.get(0))?;
    IncidentReference::new(year, number).map_err(Error::corrupt)
}

/// Every incident that still needs work, by tenant.
pub fn work(reader: &mut Reader<'_>) -> Result<Vec<(TenantId, IncidentId)>> {
    reader.query(&WORK, params![], |row| Ok((row.parse(0)?, row.parse(1)?)))
}

/// The tenants that have incidents.
pub fn tenants(reader: &mut Reader<'_>) -> Result<Vec<TenantId>> {
    reader.query(&TENANTS, params![], |row| row.parse(0))
}

/// The incidents detected at or after a moment, oldest first, at most so many.
pub fn since(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    since: Moment,
    most: u32,
) -> Result<Vec<IncidentId>> {
    reader.query(&SINCE, params![scope.tenant(), since, i64::from(most)], |row| row.parse(0))
}

/// Whether an incident with this title was detected at this very moment.
pub fn is_known(reader: &mut Reader<'_>, scope: &TenantScope, title: &Name, at: Moment) -> Result<bool> {
    /// An upper bound for the incidents detected in the same second.
    const MOST: i64 = 1_000;
    let titles = reader.query(&TITLES, params![scope.tenant(), at, MOST], |row| row.get::<String>(0))?;
    Ok(titles.iter().any(|known| known == title.as_str()))
}

/// The incidents that reports under the CRA belong to; a report without one is left out.
pub fn of_cra_reports(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    reports: &[CraReportId],
) -> Result<Vec<(CraReportId, IncidentId)>> {
    let reports: Vec<String> = reports.iter().map(ToString::to_string).collect();
    reader.query(&OF_CRA_REPORTS, params![scope.tenant(), Value::json(&reports)], |row| {
        Ok((row.parse(0)?, row.parse(1)?))
    })
}

fn facts(kept: &Map<String, Json>) -> Result<Facts> {
    Facts::default().changed(kept).map_err(Error::corrupt)
}

/// The facts that are known. Unknown ones are left out, so that a node that does not know a fact yet reads the others.
fn known_facts(facts: &Facts) -> Json {
    let mut facts = facts.to_json();
    if let Json::Object(facts) = &mut facts {
        facts.retain(|_, value| !value.is_null());
    }
    facts
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

fn earlier(kept: &[Json]) -> Result<Vec<Decision>> {
    let decisions: Vec<Option<Decision>> = kept.iter().map(decision).collect::<Result<_>>()?;
    Ok(decisions.into_iter().flatten().collect())
}

fn filing_json(filed: &FiledReport) -> Json {
    json!({
        "regime": filed.regime,
        "stage": filed.stage,
        "at": filed.at,
        "reference": filed.reference.as_ref().map(Name::as_str),
        "recorded_at": filed.recorded_at,
        "recorded_by": filed.recorded_by,
        "receipt": filed.receipt,
        "already_provided": filed.already_provided.as_ref().map(Prose::as_str),
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
        recorded_by: kept["recorded_by"].as_str().map(str::to_owned),
        receipt: optional(kept, "receipt", str::parse)?,
        already_provided: optional(kept, "already_provided", Prose::parse)?,
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
