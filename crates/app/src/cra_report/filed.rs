//! What becomes of a report that is no longer worked on: deleted while nothing was filed, archived afterwards.

use domain::{
    cra_report::{CraReport as Record, CraStage},
    id::CraReportId,
    permission::Permission,
    violation::ArchiveComplaint,
};
use serde_json::{Value, json};
use store::{Revision, Tx, cra_report as rows};

use super::{CraReport, CraReportRow, audit_fields};
use crate::{App, Error, Result, author::Author, authz::Caller, history::Detail, pages::Precondition};

/// The stage as the audit log keeps it.
pub(super) fn audited(report: &Record, stage: CraStage) -> Value {
    report.submissions.of(stage).map_or(Value::Null, |filed| {
        json!({
            "submitted_at": filed.submitted_at,
            "recorded_at": filed.recorded_at,
            "reference": filed.reference.as_ref().map(ToString::to_string),
        })
    })
}

/// Whether something was put right that a filing or its clock goes by. Filing a stage is no correction.
pub(super) fn is_corrected(before: &Record, after: &Record) -> bool {
    let refiled = |stage: &CraStage| {
        let filed = before.submissions.of(*stage);
        filed.is_some() && filed != after.submissions.of(*stage)
    };
    before.aware_at != after.aware_at || CraStage::ALL.iter().any(refiled)
}

impl App {
    /// Only a report without a filed stage can be deleted.
    pub async fn delete_cra_report(
        &self,
        caller: &Caller,
        id: CraReportId,
        precondition: Precondition,
    ) -> Result<()> {
        caller.require(Permission::Write)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.delete_cra_report(tx, id, &precondition);
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Takes a report out of the lists. Its clocks rest until it is restored.
    pub async fn archive_cra_report(
        &self,
        caller: &Caller,
        id: CraReportId,
        precondition: Precondition,
    ) -> Result<(Detail<CraReport>, Revision)> {
        caller.require(Permission::Write)?;
        let change = move |author: &Author, tx: &mut Tx<'_>| {
            author.put_away_cra_report(tx, id, true, &precondition).map(|()| true)
        };
        self.changed_report(caller, id, change).await
    }

    pub async fn restore_cra_report(
        &self,
        caller: &Caller,
        id: CraReportId,
        precondition: Precondition,
    ) -> Result<(Detail<CraReport>, Revision)> {
        caller.require(Permission::Write)?;
        let change = move |author: &Author, tx: &mut Tx<'_>| {
            author.put_away_cra_report(tx, id, false, &precondition).map(|()| true)
        };
        self.changed_report(caller, id, change).await
    }
}

impl Author {
    fn delete_cra_report(&self, tx: &mut Tx<'_>, id: CraReportId, precondition: &Precondition) -> Result<()> {
        let row = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, row.version)?;
        if row.report.submissions.any() {
            return Err(Error::invalid("report", ArchiveComplaint::Filed));
        }
        self.forget(tx, &id.to_string())?;
        rows::delete(tx, self.scope(), id)?;
        self.audit(tx, "cra_report.deleted", id, &audit_fields(&row.report))
    }

    fn put_away_cra_report(
        &self,
        tx: &mut Tx<'_>,
        id: CraReportId,
        away: bool,
        precondition: &Precondition,
    ) -> Result<()> {
        let before = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, before.version)?;
        if before.archived_at.is_some() == away {
            return Err(Error::invalid(
                "report",
                if away { ArchiveComplaint::AlreadyArchived } else { ArchiveComplaint::NotArchived },
            ));
        }
        let archived_at = away.then_some(self.now);
        let after = CraReportRow { archived_at, updated_at: self.now, ..before.clone() };
        if !rows::update(tx, self.scope(), &after)? {
            return Err(Error::Stale);
        }
        let action = if away { "cra_report.archived" } else { "cra_report.restored" };
        let detail = json!({ "archived_at": [before.archived_at, after.archived_at] });
        self.audit(tx, action, id, &detail)
    }
}
