//! The demo's vulnerability scan: a report as Trivy writes it, finished just now.

use app::{App, upload::Upload};

use crate::cli::CliError;

const REPORT: &str = include_str!("scan.json");

pub(super) async fn fill(app: &App) -> Result<(), CliError> {
    app.operations.import_scan(Upload::bytes(REPORT.as_bytes().into())).await?;
    Ok(())
}
