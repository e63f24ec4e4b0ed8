//! Filed stages: their fields for the audit log, corrections, and archiving such a report.

use domain::{
    cra_report::{CraReport as Record, CraStage},
    id::CraReportId,
    violation::ArchiveComplaint,
};
use serde_json::{Value, json};
use store::{Revision, Tx};

use super::CraReport;
use crate::{
    App, Error, Result, author::Author, authz::Caller, history::Detail, pages::Precondition,
    records::RecordKind as _,
};

/// The stage as stored in the audit log and in earlier versions.
pub(super) fn fields(report: &Record, stage: CraStage) -> Value {
    report.submissions.of(stage).map_or(Value::Null, |filed| {
        json!({
            "submitted_at": filed.submitted_at,
            "recorded_at": filed.recorded_at,
            "reference": filed.reference.as_ref().map(ToString::to_string),
        })
    })
}

/// Whether a value was corrected that a filing or its clock depends on. Filing a stage is no correction.
pub(super) fn is_corrected(before: &Record, after: &Record) -> bool {
    let refiled = |stage: &CraStage| {
        let filed = before.submissions.of(*stage);
        filed.is_some() && filed != after.submissions.of(*stage)
    };
    before.aware_at != after.aware_at || CraStage::ALL.iter().any(refiled)
}

impl App {
    /// Archives a report, which stops its clocks, or restores it.
    pub async fn archive_cra_report(
        &self,
        caller: &Caller,
        id: CraReportId,
        archived: bool,
        precondition: Precondition,
    ) -> Result<(Detail<CraReport>, Revision)> {
        Record::require_write(caller)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let before = author.current::<Record>(tx, id, &precondition)?;
            match (before.archived_at.is_some(), archived) {
                (true, true) => Err(Error::invalid("report", ArchiveComplaint::AlreadyArchived)),
                (false, false) => Err(Error::invalid("report", ArchiveComplaint::NotArchived)),
                _ => author.put_away(tx, &before, archived),
            }
        };
        self.db.tenant(caller.scope()).write(write).await?;
        self.record::<Record>(caller, id).await
    }
}
