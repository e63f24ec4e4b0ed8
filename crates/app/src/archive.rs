//! Archiving findings and test cases: finished records leave the lists, keep their history, and can be restored.

use domain::{
    finding::FindingStatus,
    id::{FindingId, TestCaseId},
    test_case::{TestCase as Record, TestCaseStatus},
    violation::ArchiveComplaint,
    vocabulary::Vocabulary,
};
use serde_json::json;
use store::{
    Revision, Tx,
    finding::{self, FindingRow},
    finding_count::Tally,
    history::HistoryRow,
    test_case::TestCaseRow,
};

use crate::{
    App, Error, Result, author::Author, authz::Caller, history::Detail, pages::Precondition,
    test_case::TestCase,
};

/// How a record can be removed from the lists or restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    Delete,
    Archive,
    /// Its history must be kept, but it is not finished yet.
    FinishFirst,
    Restore,
}

impl Removal {
    fn of(archived: bool, kept: bool, finished: bool) -> Self {
        match (archived, kept, finished) {
            (true, ..) => Self::Restore,
            (false, false, _) => Self::Delete,
            (false, true, true) => Self::Archive,
            (false, true, false) => Self::FinishFirst,
        }
    }
}

impl Detail<FindingRow> {
    pub fn removal(&self) -> Removal {
        let (row, kept) = (&self.record, finding_is_kept(&self.history));
        Removal::of(row.archived_at.is_some(), kept, row.finding.status.can_be_archived())
    }
}

impl Detail<TestCase> {
    pub fn removal(&self) -> Removal {
        let (row, kept) = (&self.record.row, test_case_is_kept(&self.record.row, &self.history));
        Removal::of(row.archived_at.is_some(), kept, row.record.status.can_be_archived())
    }
}

pub(crate) fn finding_is_kept(history: &[HistoryRow]) -> bool {
    history.iter().any(|step| FindingStatus::find(&step.to).is_some_and(FindingStatus::must_be_kept))
}

pub(crate) fn test_case_is_kept(row: &TestCaseRow, history: &[HistoryRow]) -> bool {
    let executed =
        |step: &HistoryRow| TestCaseStatus::find(&step.to).is_some_and(TestCaseStatus::is_executed);
    row.record.executed_at.is_some() || history.iter().any(executed)
}

impl App {
    /// Archives or restores a finding. Nothing changes if it already is in that state.
    pub async fn archive_finding(
        &self,
        caller: &Caller,
        id: FindingId,
        archived: bool,
        precondition: Precondition,
    ) -> Result<(Detail<FindingRow>, Revision)> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.archive_finding(tx, id, archived, &precondition);
        self.db.tenant(caller.scope()).write(write).await?;
        self.finding(caller, id).await
    }

    /// Archives or restores a test case. Nothing changes if it already is in that state.
    pub async fn archive_test_case(
        &self,
        caller: &Caller,
        id: TestCaseId,
        archived: bool,
        precondition: Precondition,
    ) -> Result<(Detail<TestCase>, Revision)> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.archive_test_case(tx, id, archived, &precondition);
        self.db.tenant(caller.scope()).write(write).await?;
        self.record::<Record>(caller, id).await
    }
}

impl Author {
    fn archive_finding(
        &self,
        tx: &mut Tx<'_>,
        id: FindingId,
        archived: bool,
        precondition: &Precondition,
    ) -> Result<()> {
        let before = finding::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, before.version)?;
        if before.archived_at.is_some() == archived {
            return Ok(());
        }
        if archived && !before.finding.status.can_be_archived() {
            return Err(Error::invalid("finding", ArchiveComplaint::FindingIsOpen));
        }
        let archived_at = archived.then_some(self.now);
        let after = FindingRow { archived_at, updated_at: self.now, ..before.clone() };
        let mut tally = Tally::default();
        if !finding::update(tx, self.scope(), &before, &after, &mut tally)? {
            return Err(Error::Stale);
        }
        tally.write(tx, self.scope())?;
        let action = if archived { "finding.archived" } else { "finding.restored" };
        let detail =
            json!({ "reference": before.reference, "archived_at": [before.archived_at, archived_at] });
        self.audit(tx, action, id, &detail)
    }

    fn archive_test_case(
        &self,
        tx: &mut Tx<'_>,
        id: TestCaseId,
        archived: bool,
        precondition: &Precondition,
    ) -> Result<()> {
        let before = self.current::<Record>(tx, id, precondition)?;
        if before.archived_at.is_some() == archived {
            return Ok(());
        }
        if archived && !before.record.status.can_be_archived() {
            return Err(Error::invalid("test_case", ArchiveComplaint::TestCaseIsPending));
        }
        self.put_away(tx, &before, archived)
    }
}
