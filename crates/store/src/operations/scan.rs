//! Results of vulnerability scans. They belong to the platform, not to a tenant.

use domain::{
    id::ScanId,
    moment::Moment,
    scan::{Scan, ScanSeverity, ScanStatus, Vulnerability},
};
use serde::{Deserialize, Serialize};

use crate::{
    Reader, Result, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    INSERT = "INSERT INTO scans (id, scanner, target, started_at, finished_at, status, vulnerabilities)
              VALUES ($1, $2, $3, $4, $5, $6, $7)";
    LATEST = "SELECT id, scanner, target, started_at, finished_at, status, vulnerabilities FROM scans
              WHERE finished_at >= 0 ORDER BY finished_at DESC, id DESC LIMIT 1";
    LATEST_ID = "SELECT id FROM scans WHERE finished_at >= 0 ORDER BY finished_at DESC, id DESC LIMIT 1";
    LATEST_BY = "SELECT finished_at FROM scans WHERE scanner = $1 ORDER BY finished_at DESC LIMIT 1";
    // The scanner's last completed scan of the same target, or of any target if `$3` is null.
    BEFORE = "SELECT id, scanner, target, started_at, finished_at, status, vulnerabilities FROM scans
              WHERE scanner = $1 AND finished_at <= $2 AND status = 'completed' AND (target = $3 OR $3 IS NULL)
              ORDER BY finished_at DESC LIMIT 1";
    PRUNE = "DELETE FROM scans WHERE finished_at < $1";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanRow {
    pub id: ScanId,
    pub scan: Scan,
}

/// A vulnerability as stored.
#[derive(Serialize, Deserialize)]
struct StoredVulnerability {
    id: String,
    package: String,
    version: String,
    severity: String,
    fixed_in: Option<String>,
    title: String,
    /// Absent in scans by versions that did not compare scans.
    #[serde(default)]
    first_seen_at: Option<i64>,
}

impl From<&Vulnerability> for StoredVulnerability {
    fn from(found: &Vulnerability) -> Self {
        let Vulnerability { id, package, version, severity, fixed_in, title, first_seen_at } = found.clone();
        let (severity, first_seen_at) = (severity.as_str().to_owned(), first_seen_at.map(Moment::millis));
        Self { id, package, version, severity, fixed_in, title, first_seen_at }
    }
}

impl TryFrom<StoredVulnerability> for Vulnerability {
    type Error = Error;

    fn try_from(kept: StoredVulnerability) -> Result<Self> {
        let StoredVulnerability { id, package, version, severity, fixed_in, title, first_seen_at } = kept;
        let severity = severity.parse::<ScanSeverity>().map_err(Error::corrupt)?;
        let first_seen_at = first_seen_at.map(Moment::from_millis);
        Ok(Self { id, package, version, severity, fixed_in, title, first_seen_at })
    }
}

fn read(row: &Row<'_>) -> Result<ScanRow> {
    let kept: Vec<StoredVulnerability> = row.json(6)?;
    let found = kept.into_iter().map(Vulnerability::try_from).collect::<Result<Vec<_>>>()?;
    let (scanner, target): (String, String) = (row.get(1)?, row.get(2)?);
    let (started_at, finished_at): (Moment, Moment) = (row.get(3)?, row.get(4)?);
    let scan = match row.parse(5)? {
        ScanStatus::Completed => Scan::completed(&scanner, &target, started_at, finished_at, found),
        ScanStatus::Failed => Scan::failed(&scanner, &target, started_at, finished_at),
    };
    Ok(ScanRow { id: row.parse(0)?, scan })
}

pub fn insert(tx: &mut Tx<'_>, row: &ScanRow) -> Result<()> {
    let Scan { scanner, target, started_at, finished_at, status, .. } = &row.scan;
    let kept: Vec<StoredVulnerability> =
        row.scan.vulnerabilities().iter().map(StoredVulnerability::from).collect();
    let kept = serde_json::to_string(&kept).map_err(Error::corrupt)?;
    tx.execute(&INSERT, params![row.id, scanner, target, *started_at, *finished_at, status.as_str(), &kept])?;
    Ok(())
}

/// The scan that finished last, by any scanner.
pub fn latest(reader: &mut Reader<'_>) -> Result<Option<ScanRow>> {
    reader.query_opt(&LATEST, &[], read)
}

/// The id of that scan, without its list of vulnerabilities.
pub fn latest_id(reader: &mut Reader<'_>) -> Result<Option<ScanId>> {
    reader.query_opt(&LATEST_ID, &[], |row| row.parse(0))
}

/// When this scanner finished last.
pub fn latest_by(reader: &mut Reader<'_>, scanner: &str) -> Result<Option<Moment>> {
    reader.query_opt(&LATEST_BY, params![scanner], |row| row.get(0))
}

/// The latest scan by this scanner that had finished at that time, of this target if one is given.
pub fn completed_by(
    reader: &mut Reader<'_>,
    scanner: &str,
    target: Option<&str>,
    then: Moment,
) -> Result<Option<ScanRow>> {
    reader.query_opt(&BEFORE, params![scanner, then, target], read)
}

/// Deletes scans that finished before a moment and returns their number.
pub fn prune(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![before])
}
