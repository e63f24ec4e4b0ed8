//! Vulnerability scans: of this build against an advisory database on disk, or imported from a scanner's report.
//!
//! The result belongs to the platform: every tenant may see it. Nothing is downloaded; the operator keeps the
//! database up to date.

mod advisory;
mod glance;
mod own;

use std::path::PathBuf;

use domain::{
    actor::Actor,
    import::{FileComplaint, Format, osv, trivy},
    moment::Moment,
    scan::{Scan, ScanStatus},
};
use serde_json::json;
use store::{Tx, scan as rows};

use crate::{Error, Operations, Result, audit, upload::Upload};

pub(crate) use self::glance::Glances;
pub use self::glance::ScanGlance;
pub use store::scan::ScanRow;

/// The name of the scanner for scans of this build.
const SCANNER: &str = "tidewall";
/// The minimum interval between scans of this build.
const DAY_MS: i64 = 23 * 60 * 60 * 1000;
/// How long scans are kept.
const KEPT_MS: i64 = 400 * 24 * 60 * 60 * 1000;
/// A longer list is an error, and could not be returned in one response.
const MAX_VULNERABILITIES: usize = 20_000;

impl Operations {
    /// The scan that finished last.
    pub async fn latest_scan(&self) -> Result<ScanRow> {
        self.db.platform().read(rows::latest).await?.ok_or(Error::NotFound)
    }

    /// Scans the dependencies of this build for known vulnerabilities and stores the result.
    ///
    /// `database` is a copy of the `RustSec` advisory database.
    pub async fn scan_dependencies(&self, database: PathBuf) -> Result<ScanRow> {
        let scan = self.look(database).await?;
        self.store_scan(scan, Actor::Operator).await
    }

    /// The same, unless it was done within the last day. A job calls it.
    ///
    /// A failed scan is stored as failed, because an old result must not be taken for today's.
    pub async fn scan_daily(&self, database: PathBuf) -> Result<()> {
        let last = self.db.platform().read(|r| rows::latest_by(r, SCANNER)).await.map_err(Error::from)?;
        let started_at = self.clock.now();
        if last.is_some_and(|last| last > started_at.plus_millis(-DAY_MS)) {
            return Ok(());
        }
        match self.look(database).await {
            Ok(scan) => self.store_scan(scan, Actor::System).await.map(|_| ()),
            Err(error) => {
                let failed = Scan::failed(SCANNER, own::TARGET, started_at, self.clock.now());
                self.store_scan(failed, Actor::System).await?;
                Err(error)
            }
        }
    }

    /// Stores the report of a scanner: the JSON of Trivy or of OSV-Scanner.
    pub async fn import_scan(&self, upload: Upload) -> Result<ScanRow> {
        let now = self.clock.now();
        let read = tokio::task::spawn_blocking(move || read(upload, now));
        let scan = read.await.map_err(Error::internal)??;
        self.store_scan(scan, Actor::Operator).await
    }

    /// Deletes old scans. A job calls it.
    pub async fn prune_scans(&self) -> Result<u64> {
        let before = self.clock.now().plus_millis(-KEPT_MS);
        self.db.platform().bookkeep(move |tx| rows::prune(tx, before)).await.map_err(Error::from)
    }

    async fn look(&self, database: PathBuf) -> Result<Scan> {
        let started_at = self.clock.now();
        let look = tokio::task::spawn_blocking(move || own::look(&database));
        let (target, found) = look.await.map_err(Error::internal)??;
        Ok(Scan::completed(SCANNER, &target, started_at, self.clock.now(), found))
    }

    async fn store_scan(&self, scan: Scan, actor: Actor) -> Result<ScanRow> {
        let now = self.clock.now();
        let row = ScanRow { id: self.ids.next(now), scan };
        let write = move |tx: &mut Tx<'_>| {
            let mut row = row.clone();
            // Scans of this program are compared across its versions; those of other scanners by their target.
            let target = Some(row.scan.target.as_str()).filter(|_| row.scan.scanner != SCANNER);
            let before = rows::completed_by(tx, &row.scan.scanner, target, row.scan.finished_at)?;
            row.scan.follow(before.as_ref().map(|before| &before.scan));
            rows::insert(tx, &row)?;
            let Scan { scanner, target, status, .. } = &row.scan;
            let detail = json!({
                "scanner": scanner, "target": target, "status": status, "summary": row.scan.summary(),
            });
            audit::record(tx, actor, now, "scan.stored", row.id, &detail)?;
            Ok(row)
        };
        self.db.platform().write(write).await
    }
}

fn read(upload: Upload, now: Moment) -> Result<Scan> {
    let mut upload = upload.checked()?;
    let scan = match Format::guess(&upload.head(Format::HEAD as u64)?) {
        Some(Format::Trivy) => trivy::scan(&mut upload, now),
        Some(Format::OsvScanner) => osv::scan(&mut upload, now),
        Some(Format::Csv | Format::Sarif) | None => {
            return Err(Error::invalid("file", FileComplaint::NotAScan));
        }
    };
    let scan = scan.map_err(|error| Error::invalid("file", FileComplaint::NotImported { error }))?;
    if scan.vulnerabilities().len() > MAX_VULNERABILITIES {
        let most = MAX_VULNERABILITIES;
        return Err(Error::invalid("file", FileComplaint::TooManyVulnerabilities { most }));
    }
    debug_assert_eq!(scan.status, ScanStatus::Completed);
    Ok(scan)
}
