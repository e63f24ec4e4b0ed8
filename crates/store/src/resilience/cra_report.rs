//! Reports under CRA Art. 14. Deadlines are not stored: they follow from the events and the catalogue's clocks.

use std::{collections::BTreeMap, sync::LazyLock};

use domain::{
    any_of::AnyOf,
    archive::Archived,
    cra_report::{
        CraContents, CraReport, CraReportKind, CraReportSort, CraReportStatus, CraStage, CraValues, Interim,
        Product, Submission, Submissions,
    },
    cve::Cve,
    id::{CraReportId, TenantId},
    moment::Moment,
    task::TaskType,
    text::{Name, Prose},
};

use serde_json::{Value as Json, json};

use crate::{
    Error, Reader, Result, params,
    record::{Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
    work::Work,
};

crate::sql! {
    /// Across tenants, for the job that announces deadlines.
    RUNNING = whole("reports with a running clock are few, and each of them has to be looked at",
          "SELECT r.tenant_id, r.id FROM cra_reports r WHERE r.running = 1 AND r.archived_at IS NULL
           ORDER BY r.tenant_id, r.id");
}

pub type CraReportRow = RecordRow<CraReport>;

/// Which reports, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CraReportFilter {
    pub status: AnyOf<CraReportStatus>,
    pub kind: AnyOf<CraReportKind>,
    pub owner: AnyOf<String>,
    pub archived: Archived,
    pub search: Option<String>,
    pub sort: Option<CraReportSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&CraReport::TABLE));

/// The stored values of a filing: when it was filed, when that was recorded, and the authority's reference.
fn filed_at(report: &CraReport, stage: CraStage) -> Value<'_> {
    Value::from(report.submissions.filed_at(stage))
}

fn recorded_at(report: &CraReport, stage: CraStage) -> Value<'_> {
    Value::from(report.submissions.of(stage).map(|filed| filed.recorded_at))
}

fn reference(report: &CraReport, stage: CraStage) -> Value<'_> {
    Value::from(report.submissions.of(stage).and_then(|filed| filed.reference.as_ref()))
}

fn provided(report: &CraReport, stage: CraStage) -> Value<'_> {
    Value::from(report.submissions.of(stage).and_then(|filed| filed.already_provided.as_ref()))
}

impl Kind for CraReport {
    type Id = CraReportId;
    type Filter = CraReportFilter;

    const TABLE: Table<Self> = Table {
        name: "cra_reports",
        prefix: CraReportId::PREFIX,
        columns: &[
            TableColumn::fixed("kind", |report| Value::from(report.kind.as_str())),
            TableColumn::new("product_name", |report| Value::from(&report.product.name)),
            TableColumn::new("product_version", |report| Value::from(report.product.version.as_ref())),
            TableColumn::new("title", |report| Value::from(&report.title)),
            TableColumn::new("description", |report| Value::from(report.description.as_ref())),
            TableColumn::new("cve", |report| Value::from(report.cve.as_ref().map(Cve::as_str))),
            TableColumn::new("severity", |report| Value::rank(report.severity)),
            TableColumn::new("member_states", |report| {
                let codes: Vec<String> = report.member_states.iter().map(ToString::to_string).collect();
                Value::json(&codes)
            }),
            TableColumn::new("aware_at", |report| Value::from(report.aware_at)),
            TableColumn::new("corrective_measure_at", |report| Value::from(report.corrective_measure_at)),
            TableColumn::new("status", |report| Value::from(report.status.as_str())),
            TableColumn::derived("running", |report| Value::from(report.status.is_running())),
            TableColumn::new("owner", |report| Value::from(report.owner.as_ref())),
            TableColumn::new("finding_id", |report| Value::from(report.finding)),
            TableColumn::new("early_warning_at", |report| filed_at(report, CraStage::EarlyWarning)),
            TableColumn::new("early_warning_recorded_at", |report| {
                recorded_at(report, CraStage::EarlyWarning)
            }),
            TableColumn::new("early_warning_reference", |report| reference(report, CraStage::EarlyWarning)),
            TableColumn::new("notification_at", |report| filed_at(report, CraStage::Notification)),
            TableColumn::new("notification_recorded_at", |report| {
                recorded_at(report, CraStage::Notification)
            }),
            TableColumn::new("notification_reference", |report| reference(report, CraStage::Notification)),
            TableColumn::new("final_report_at", |report| filed_at(report, CraStage::FinalReport)),
            TableColumn::new("final_report_recorded_at", |report| recorded_at(report, CraStage::FinalReport)),
            TableColumn::new("final_report_reference", |report| reference(report, CraStage::FinalReport)),
            TableColumn::new("notification_provided", |report| provided(report, CraStage::Notification)),
            TableColumn::new("final_report_provided", |report| provided(report, CraStage::FinalReport)),
            TableColumn::new("interim_requested_at", |report| Value::from(report.interim.requested_at)),
            TableColumn::new("interim_at", |report| {
                Value::from(report.interim.sent.as_ref().map(|sent| sent.submitted_at))
            }),
            TableColumn::new("interim_recorded_at", |report| {
                Value::from(report.interim.sent.as_ref().map(|sent| sent.recorded_at))
            }),
            TableColumn::new("interim_reference", |report| {
                Value::from(report.interim.sent.as_ref().and_then(|sent| sent.reference.as_ref()))
            }),
            TableColumn::new("contents", |report| Value::Owned(contents_json(&report.contents).to_string())),
        ],
        archives: true,
        work: Some(&Work {
            table: "cra_reports",
            task: Some(TaskType::CraReport),
            id: "id",
            title: "title",
            owner: "owner",
            open: "r.running = 1",
            days: &[],
        }),
        // Records of earlier versions have only the time at which they were archived, so the filters use it.
        filters: &[
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "kind", condition: "r.kind = ?" },
            Filter { name: "owner", condition: "r.owner = ?" },
            Filter { name: "live_before", condition: "COALESCE(r.archived_at, 0) < ?" },
            Filter { name: "archived_since", condition: "r.archived_at >= ?" },
        ],
        sorts: &[("aware_at", "r.aware_at")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            kind: cells.parse("kind")?,
            product: Product {
                name: cells.name("product_name")?,
                version: cells.name_opt("product_version")?,
            },
            title: cells.name("title")?,
            description: cells.prose_opt("description")?,
            cve: cells.parse_opt("cve")?,
            severity: cells.rank("severity")?,
            member_states: cells.texts("member_states", str::parse)?,
            aware_at: cells.get("aware_at")?,
            corrective_measure_at: cells.get("corrective_measure_at")?,
            status: cells.parse("status")?,
            owner: cells.name_opt("owner")?,
            finding: cells.parse_opt("finding_id")?,
            submissions: submissions(cells)?,
            interim: Interim {
                requested_at: cells.get("interim_requested_at")?,
                sent: submission(
                    cells.get("interim_at")?,
                    cells.get("interim_recorded_at")?,
                    cells.name_opt("interim_reference")?,
                ),
            },
            contents: contents(&cells.json("contents")?)?,
        })
    }

    fn narrow<'q>(filter: &'q CraReportFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        let archived = filter.archived.wanted();
        list.any_word("status", &filter.status)
            .any_word("kind", &filter.kind)
            .any_text("owner", &filter.owner)
            .filter_opt("live_before", (archived == Some(false)).then_some(1_i64))
            .filter_opt("archived_since", (archived == Some(true)).then_some(1_i64))
            .order_opt(filter.sort.map(CraReportSort::as_str))
    }
}

fn contents_json(contents: &CraContents) -> Json {
    json!({ "entered": contents.entered, "filed": contents.filed })
}

fn contents(kept: &Json) -> Result<CraContents> {
    let entered: Option<CraValues> = read(&kept["entered"])?;
    let filed: Option<BTreeMap<String, CraValues>> = read(&kept["filed"])?;
    Ok(CraContents { entered: entered.unwrap_or_default(), filed: filed.unwrap_or_default() })
}

fn read<T: serde::de::DeserializeOwned>(kept: &Json) -> Result<Option<T>> {
    serde_json::from_value(kept.clone()).map_err(Error::corrupt)
}

/// A filing, from three columns. One stored by an earlier version has no separate recording time: both were the same.
fn submission(at: Option<Moment>, recorded: Option<Moment>, reference: Option<Name>) -> Option<Submission> {
    let recorded_at = recorded.or(at)?;
    at.map(|submitted_at| Submission { submitted_at, recorded_at, reference, already_provided: None })
}

/// The three filings, in the order of their columns.
fn submissions(cells: &mut Cells<'_, '_>) -> Result<Submissions> {
    let mut filed = Submissions {
        early_warning: submission(
            cells.get("early_warning_at")?,
            cells.get("early_warning_recorded_at")?,
            cells.name_opt("early_warning_reference")?,
        ),
        notification: submission(
            cells.get("notification_at")?,
            cells.get("notification_recorded_at")?,
            cells.name_opt("notification_reference")?,
        ),
        final_report: submission(
            cells.get("final_report_at")?,
            cells.get("final_report_recorded_at")?,
            cells.name_opt("final_report_reference")?,
        ),
    };
    let because = |filed: Option<Submission>, already_provided: Option<Prose>| {
        filed.map(|filed| Submission { already_provided, ..filed })
    };
    filed.notification = because(filed.notification, cells.prose_opt("notification_provided")?);
    filed.final_report = because(filed.final_report, cells.prose_opt("final_report_provided")?);
    Ok(filed)
}

/// The reports of all tenants that may still be late.
pub fn running(reader: &mut Reader<'_>) -> Result<Vec<(TenantId, CraReportId)>> {
    reader.query(&RUNNING, params![], |row| Ok((row.parse(0)?, row.parse(1)?)))
}
