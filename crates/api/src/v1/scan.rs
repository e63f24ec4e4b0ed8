//! The latest vulnerability scan of the platform.

use app::{App, scan::ScanRow};
use axum::{extract::State, response::Response};
use domain::{
    moment::Moment,
    scan::{Summary, Vulnerability as Found},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{KeyedErrors, NotModified, words};
use crate::{
    ApiError,
    extract::{IfNoneMatch, Reader},
    respond::{self, Data},
};

words! {
    ScanStatus = domain::scan::ScanStatus, "The status of a scan.";
    ScanSeverity = domain::scan::ScanSeverity, "The severity of a vulnerability.";
}

/// A scan for known vulnerabilities.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Scan {
    #[schema(example = "scn_068x2bhr31t5r7jwsppnt4wjzw")]
    id: String,
    /// The tool.
    #[schema(example = "trivy")]
    scanner: String,
    /// What was scanned.
    target: String,
    #[schema(value_type = String, format = DateTime)]
    started_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    finished_at: Moment,
    status: ScanStatus,
    summary: ScanSummary,
    /// The most severe first.
    vulnerabilities: Vec<Vulnerability>,
}

/// The number of vulnerabilities by severity.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ScanSummary {
    critical: u32,
    high: u32,
    medium: u32,
    low: u32,
    /// Vulnerabilities without a rating.
    unknown: u32,
}

/// A known vulnerability in a package.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Vulnerability {
    /// The id in the vulnerability database.
    #[schema(example = "RUSTSEC-2026-0001")]
    id: String,
    package: String,
    version: String,
    severity: ScanSeverity,
    /// The nearest version without the vulnerability; null if there is none.
    fixed_in: Option<String>,
    title: String,
    /// When it was first found, if every scan since has found it.
    #[schema(value_type = String, format = DateTime)]
    first_seen_at: Moment,
}

impl From<Summary> for ScanSummary {
    fn from(summary: Summary) -> Self {
        let Summary { critical, high, medium, low, unknown } = summary;
        Self { critical, high, medium, low, unknown }
    }
}

impl Vulnerability {
    fn new(found: &Found, first_seen_at: Moment) -> Self {
        let Found { id, package, version, severity, fixed_in, title, .. } = found.clone();
        Self { id, package, version, severity: severity.into(), fixed_in, title, first_seen_at }
    }
}

impl From<&ScanRow> for Scan {
    fn from(row: &ScanRow) -> Self {
        let scan = &row.scan;
        Self {
            id: row.id.to_string(),
            scanner: scan.scanner.clone(),
            target: scan.target.clone(),
            started_at: scan.started_at,
            finished_at: scan.finished_at,
            status: scan.status.into(),
            summary: scan.summary().into(),
            vulnerabilities: scan
                .vulnerabilities()
                .iter()
                .map(|one| Vulnerability::new(one, scan.age_of(one)))
                .collect(),
        }
    }
}

/// Gets the latest vulnerability scan of the platform.
///
/// The answer is 404 before the first scan.
#[utoipa::path(get, path = "/api/v1/vulnerability-scan/latest", tag = "vulnerability scan",
    responses((status = 200, body = Data<Scan>), NotModified, KeyedErrors))]
pub(crate) async fn latest(
    State(app): State<App>,
    Reader(_): Reader,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let row = app.latest_scan().await?;
    // A scan never changes, so its id identifies the response.
    Ok(respond::record(&Scan::from(&row), &app.validator(&row.id.to_string()), &if_none_match))
}
