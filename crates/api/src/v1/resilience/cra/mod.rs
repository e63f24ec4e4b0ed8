//! Reports under CRA Art. 14.

pub(crate) mod input;
pub(crate) mod wire;

use app::{
    App,
    cra_report::{CraReportFilter, CraReportView},
    history::Detail,
};
use axum::{extract::State, response::Response};
use domain::{
    cra_report::{CraReport, CraReportInput, CraStage},
    id::{CraReportId, FindingId, IncidentId},
    moment::Moment,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use self::{
    input::{CraReportChange, NewCraReport, input_from},
    wire::{CraContents, CraInterim, CraStages},
};
use crate::{
    ApiError,
    extract::{Body, Fields, IdsPath, IfMatch, Names, PageQuery, Parsed, Search, Words, Writer},
    respond::Data,
    v1::{
        Subject, WholeList,
        record::{AsOfParams, Noun, record_routes},
        records::{
            correction::{self, Correction, NewCorrection},
            tags::TagParams,
        },
        wire::{Archived, BodyErrors, HistoryStep, KeyedErrors, ORDER, Severity, StaleError, moves, words},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "CRA reports",
    about: "Reports of exploited vulnerabilities and severe incidents under Article 14 of the CRA.",
    list: Some(WholeList::all::<CraReport>()),
    routes: |router| record_routes(router).routes(routes!(correct)),
};

words! {
    CraReportStatus = domain::cra_report::CraReportStatus, moves::<domain::cra_report::CraReportStatus>();
    CraReportKind = domain::cra_report::CraReportKind, "What is reported.";
    CraReportSort = domain::cra_report::CraReportSort, ORDER;
}

/// The report of an exploited vulnerability or a severe incident in a product.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CraReport)]
pub(crate) struct CraReportItem {
    #[schema(value_type = String, example = "cra_01k9x14js0e00000000000000a")]
    id: CraReportId,
    kind: CraReportKind,
    product: CraProduct,
    #[schema(example = "Remote code execution in the web console")]
    title: String,
    description: Option<String>,
    #[schema(example = "CVE-2026-12345")]
    cve: Option<String>,
    severity: Severity,
    /// Member states where the product is available, as ISO country codes.
    #[schema(example = json!(["DE", "AT"]))]
    member_states: Vec<String>,
    /// When the manufacturer became aware; the deadlines count from here.
    #[schema(value_type = String, format = DateTime)]
    aware_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime)]
    corrective_measure_at: Option<Moment>,
    status: CraReportStatus,
    stages: CraStages,
    /// Extension. The intermediate report that the CSIRT may request (Art. 14(6)).
    interim: CraInterim,
    /// Extension. Who has to see to it: an account or a plain name.
    owner: Option<String>,
    /// Extension. The finding that led to the report.
    #[schema(value_type = Option<String>, example = "fnd_01k9x14js0e00000000000000a")]
    finding_id: Option<FindingId>,
    /// Extension. The incident it belongs to; it is linked at the incident.
    #[schema(value_type = Option<String>, example = "inc_01k9x14js0e00000000000000a")]
    incident_id: Option<IncidentId>,
    /// Extension. Since when the report is archived.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// A product with digital elements.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraProduct {
    #[schema(example = "Gateway 500")]
    name: String,
    version: Option<String>,
}

/// A report with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraReportDetail {
    #[serde(flatten)]
    report: CraReportItem,
    /// Extension. The contents of the stages, as filed or as they would be filed now.
    contents: CraContents,
    /// Extension. Corrections of what was recorded as sent, oldest first.
    corrections: Vec<Correction>,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CraReportParams {
    /// Only reports with this status.
    #[param(value_type = Option<Vec<CraReportStatus>>)]
    status: Option<Words<domain::cra_report::CraReportStatus>>,
    /// Only reports of this kind.
    #[param(value_type = Option<Vec<CraReportKind>>)]
    kind: Option<Words<domain::cra_report::CraReportKind>>,
    /// Extension. Only reports of the owner of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// `true` for archived reports, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<CraReportSort>)]
    sort: Option<Parsed<domain::cra_report::CraReportSort>>,
}

impl From<&CraReportView> for CraReportItem {
    fn from(report: &CraReportView) -> Self {
        let (row, record) = (&report.row, &report.row.record);
        Self {
            id: row.id,
            kind: record.kind.into(),
            product: CraProduct {
                name: record.product.name.to_string(),
                version: record.product.version.as_ref().map(ToString::to_string),
            },
            title: record.title.to_string(),
            description: record.description.as_ref().map(ToString::to_string),
            cve: record.cve.as_ref().map(ToString::to_string),
            severity: record.severity.into(),
            member_states: record.member_states.iter().map(ToString::to_string).collect(),
            aware_at: record.aware_at,
            corrective_measure_at: record.corrective_measure_at,
            status: record.status.into(),
            stages: CraStages::from(report),
            interim: CraInterim::from(&record.interim),
            owner: record.owner.as_ref().map(ToString::to_string),
            finding_id: record.finding,
            incident_id: report.incident,
            archived_at: row.archived_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&Detail<CraReportView>> for CraReportDetail {
    fn from(detail: &Detail<CraReportView>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        let corrections = detail.corrections.iter().map(Correction::from).collect();
        let (report, contents) = (CraReportItem::from(&detail.record), CraContents::from(&detail.record));
        Self { report, contents, corrections, history }
    }
}

impl Noun for CraReport {
    type Item = CraReportItem;
    type Full = CraReportDetail;

    const PATH: &'static str = "/api/v1/cra/reports";
    const HAS_CLOCKS: bool = true;

    fn filter(_: &App, query: &mut PageQuery) -> Result<CraReportFilter, ApiError> {
        let params: CraReportParams = query.read();
        Ok(CraReportFilter {
            status: Words::any(params.status),
            kind: Words::any(params.kind),
            owner: Names::any(params.owner),
            archived: params.archived.map(Parsed::value).unwrap_or_default(),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn input(fields: &mut Fields) -> CraReportInput {
        input_from(fields)
    }
}

record_routes! {
    CraReport, "a CRA report", CraReportDetail;

    /// Lists CRA reports.
    ///
    /// The newest come first. The states of the stages are those at the time of the request.
    list(CraReportItem; AsOfParams, TagParams, CraReportParams);
    create(NewCraReport);
    /// Gets a CRA report with its history.
    ///
    /// The states of the stages are those at the time of the request.
    get;
    /// Updates a CRA report.
    ///
    /// Fields that are absent keep their values. Moving the status records the stage as submitted.
    patch(CraReportChange);
    /// Deletes a CRA report without a filed stage.
    ///
    /// Its contents remain in the audit log. A report with a filed stage is archived instead.
    delete;
    /// Archives a report: it leaves the list and its clocks rest, and it stays readable.
    archive;
    /// Restores an archived report.
    restore;
    versions;
    version;
}

/// Corrects what was recorded about a filed stage.
///
/// The first value is kept, with who recorded it and who corrected it. `submitted` with null or false takes the stage
/// back: it was not filed, and its clock runs again. Only the stage recorded last can be taken back.
#[utoipa::path(post, path = "/api/v1/cra/reports/{id}/stages/{stage}/corrections",
    operation_id = "correctCraReportStage", tag = "CRA reports",
    request_body = NewCorrection,
    params(("id" = String, Path),
        ("stage" = String, Path, description = "`early_warning`, `notification` or `final_report`.")),
    responses((status = 200, body = Data<CraReportDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn correct(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(id, stage): IdsPath<CraReportId, CraStage>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    correction::make::<CraReport>(&app, &caller, (id, stage), precondition, body).await
}
