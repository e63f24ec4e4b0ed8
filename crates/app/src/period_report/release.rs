//! Releasing reports, which freezes them, and deleting those that are not released: by a person, or by a job once they
//! are past their time.

use domain::{
    approval::ApprovalAction,
    period_report::{PeriodReportComplaint, PeriodReportId, ReportKind, ReportState},
    right::{Resource, Right},
};
use serde_json::json;
use store::{
    Tx, evidence_file,
    period_report::{self as rows, PeriodReportRow, Released, ReportFile},
};

use super::check_reader;
use crate::{Error, PeriodReports, Result, approval::ApprovalWanted, author::Author, authz::Caller};

/// How long a report is kept that is not released.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// How many are looked for at a time.
const BATCH: u32 = 50;

impl PeriodReports {
    /// Releases a report: its bytes are kept for ever. Released again, it stays as it is.
    pub async fn release_report(&self, caller: &Caller, id: PeriodReportId) -> Result<PeriodReportRow> {
        check_reader(caller)?;
        caller.require_right(Resource::Reports, Right::Decide)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            author.require_decider(tx)?;
            let row = rows::get(tx, author.scope(), id)?.ok_or(Error::NotFound)?;
            if row.released.is_some() {
                return Ok(row);
            }
            if row.wish.kind == ReportKind::ManagementReview {
                made(&row)?;
                return Err(ApprovalWanted::plain(id, ApprovalAction::Approve));
            }
            let release = Release { by: author.caller.actor().to_string(), version: None };
            author.release_report(tx, row, release)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Deletes a report that is not released: its own one, or any by those who decide.
    pub async fn delete_report(&self, caller: &Caller, id: PeriodReportId) -> Result<()> {
        check_reader(caller)?;
        caller.require_right(Resource::Reports, Right::Write)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let row = rows::get(tx, author.scope(), id)?.ok_or(Error::NotFound)?;
            if row.asked_by != author.caller.actor().to_string() {
                author.caller.require_right(Resource::Reports, Right::Decide)?;
            }
            author.remove_report(tx, &row)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Deletes reports that are past their time and not released, and returns their number. A job calls it.
    pub async fn prune_reports(&self) -> Result<u64> {
        let before = self.clock.now().plus_millis(-KEPT_MS);
        let mut pruned = 0;
        loop {
            let old = self.db.platform().read(move |r| rows::old(r, before, BATCH)).await?;
            if old.is_empty() {
                return Ok(pruned);
            }
            for (tenant, id) in old {
                let caller = Caller::system(tenant);
                let author = Author::new(self, &caller);
                let write = move |tx: &mut Tx<'_>| {
                    // A person may have deleted or released it meanwhile.
                    let row = rows::get(tx, author.scope(), id)?;
                    let Some(row) = row.filter(|row| row.released.is_none()) else { return Ok(0) };
                    author.remove_report(tx, &row).map(|()| 1)
                };
                pruned += self.db.tenant(caller.scope()).write::<u64, Error>(write).await?;
            }
        }
    }
}

/// The file of a report that is made.
pub(super) fn made(row: &PeriodReportRow) -> Result<&ReportFile> {
    let file = row.file.as_ref().filter(|_| row.state == ReportState::Made);
    file.ok_or_else(|| Error::Conflict(PeriodReportComplaint::NotMade.into()))
}

/// Who releases a report, and as which version.
pub(crate) struct Release {
    pub(crate) by: String,
    pub(crate) version: Option<i64>,
}

impl Author {
    /// Freezes a report.
    pub(super) fn release_report(
        &self,
        tx: &mut Tx<'_>,
        row: PeriodReportRow,
        Release { by, version }: Release,
    ) -> Result<PeriodReportRow> {
        let sha256 = made(&row)?.sha256.clone();
        let released = Released { by, at: self.now, version };
        rows::release(tx, self.scope(), row.id, &released)?;
        self.audit(tx, "report.released", row.id, &json!({ "sha256": sha256, "version": version }))?;
        Ok(PeriodReportRow { released: Some(released), ..row })
    }

    fn remove_report(&self, tx: &mut Tx<'_>, row: &PeriodReportRow) -> Result<()> {
        if row.released.is_some() {
            return Err(Error::Conflict(PeriodReportComplaint::Released.into()));
        }
        if !rows::delete(tx, self.scope(), row.id)? {
            return Err(Error::Conflict(PeriodReportComplaint::InTheMaking.into()));
        }
        self.lapse(tx, &row.id.to_string(), || vec!["deleted".to_owned()])?;
        if let Some(file) = &row.file {
            evidence_file::drop_bytes(tx, self.scope().tenant(), &file.content_id)?;
        }
        self.audit(tx, "report.deleted", row.id, &super::summary(row))
    }
}
