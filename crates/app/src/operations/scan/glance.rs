//! A summary of the latest scan.
//!
//! A scan may list thousands of vulnerabilities. A summary only reads the id of the latest scan, and takes its
//! numbers from a cache as long as the id stays the same.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use domain::{
    id::ScanId,
    moment::Moment,
    scan::{ScanStatus, Summary, Vulnerability},
};
use store::scan::{self as rows, ScanRow};

use crate::{Operations, Result};

/// How many of the worst vulnerabilities are listed.
const NAMED: usize = 3;

/// The cache of the summary.
#[derive(Debug, Default)]
pub(crate) struct Glances(ArcSwapOption<ScanGlance>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanGlance {
    id: ScanId,
    pub scanner: String,
    pub target: String,
    pub finished_at: Moment,
    pub status: ScanStatus,
    pub summary: Summary,
    /// How many packages have a vulnerability.
    pub packages: u64,
    pub worst: Vec<Vulnerability>,
    /// The critical one that was first seen longest ago, and when.
    pub oldest_critical: Option<(Vulnerability, Moment)>,
}

impl From<ScanRow> for ScanGlance {
    fn from(row: ScanRow) -> Self {
        let ScanRow { id, scan } = row;
        let mut packages: Vec<_> = scan.vulnerabilities().iter().map(|one| one.package.as_str()).collect();
        packages.sort_unstable();
        packages.dedup();
        Self {
            id,
            packages: packages.len() as u64,
            summary: scan.summary(),
            oldest_critical: scan.oldest_critical().map(|(one, since)| (one.clone(), since)),
            worst: scan.vulnerabilities().iter().take(NAMED).cloned().collect(),
            scanner: scan.scanner,
            target: scan.target,
            finished_at: scan.finished_at,
            status: scan.status,
        }
    }
}

impl Operations {
    /// A summary of the scan that finished last; `None` before the first.
    pub async fn scan_glance(&self) -> Result<Option<Arc<ScanGlance>>> {
        let Some(latest) = self.db.platform().read(rows::latest_id).await? else { return Ok(None) };
        if let Some(kept) = self.scans.0.load_full().filter(|kept| kept.id == latest) {
            return Ok(Some(kept));
        }
        let row = self.db.platform().read(rows::latest).await?;
        let glance = row.map(|row| Arc::new(ScanGlance::from(row)));
        self.scans.0.store(glance.clone());
        Ok(glance)
    }
}
