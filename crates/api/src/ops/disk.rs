//! The disk report.

use app::{App, health::DiskReport as AppReport};
use axum::{extract::State, response::Response};
use domain::{moment::Moment, rounding::Hundredths};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    health::percent,
    wire::{OpenErrors, uncached},
};
use crate::ApiError;

/// Disk usage in bytes. Null if a size cannot be read or does not apply.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DiskReport {
    volume: Option<Volume>,
    database_bytes: u64,
    write_ahead_log_bytes: Option<u64>,
    exports_bytes: u64,
    logs_bytes: u64,
    backups_bytes: u64,
    /// Growth of the database, averaged over up to seven days; null in the first hour.
    growth_per_day_bytes: Option<i64>,
    #[schema(value_type = String, format = DateTime)]
    checked_at: Moment,
}

/// The volume that holds the data.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Volume {
    total_bytes: u64,
    free_bytes: u64,
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    used_pct: Hundredths,
}

impl From<AppReport> for DiskReport {
    fn from(report: AppReport) -> Self {
        Self {
            volume: report.volume.map(|volume| Volume {
                total_bytes: volume.total,
                free_bytes: volume.free,
                used_pct: percent(volume.total.saturating_sub(volume.free), volume.total),
            }),
            database_bytes: report.database,
            write_ahead_log_bytes: report.write_ahead_log,
            exports_bytes: report.exports,
            logs_bytes: report.logs,
            backups_bytes: report.backups,
            growth_per_day_bytes: report.growth_per_day,
            checked_at: report.checked_at,
        }
    }
}

/// Gets the disk usage and its growth.
#[utoipa::path(get, path = "/api/actions/disk-report", operation_id = "getDiskReport",
    tag = "operations", security(()),
    responses((status = 200, body = DiskReport), OpenErrors))]
pub(crate) async fn report(State(app): State<App>) -> Result<Response, ApiError> {
    Ok(uncached(&DiskReport::from(app.operations.disk_report().await?)))
}
