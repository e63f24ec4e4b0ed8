//! Archiving records: they leave the lists, keep their history, and can be restored.

use domain::{finding::FindingStatus, right::Right, test_case::TestCaseStatus, vocabulary::Vocabulary};
use store::{Revision, Tx, finding::FindingRow, history::HistoryRow, record, test_case::TestCaseRow};

use crate::{
    Error, Records, Result,
    author::Author,
    authz::Caller,
    history::Detail,
    pages::Precondition,
    records::{RecordKind, has_more, is_used},
    test_case::TestCaseView,
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
    /// `has_more` says whether it has comments or evidence.
    pub fn removal(&self, has_more: bool) -> Removal {
        let (row, kept) = (&self.record, has_more || finding_is_kept(&self.history));
        Removal::of(row.archived_at.is_some(), kept, row.record.status.can_be_archived())
    }
}

impl Detail<TestCaseView> {
    /// `has_more` says whether it has comments or evidence.
    pub fn removal(&self, has_more: bool) -> Removal {
        let (row, kept) = (&self.record.row, has_more || test_case_is_kept(&self.record.row, &self.history));
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

impl Records {
    /// How a record can be removed. Of a kind that keeps its records, any change counts as history.
    pub async fn removal<K: RecordKind>(&self, caller: &Caller, id: K::Id) -> Result<Removal> {
        let (scope, author) = (*caller.scope(), Author::new(self, caller));
        self.db
            .tenant(&scope)
            .read(move |reader| {
                let row = record::get::<K>(reader, &scope, id)?.ok_or(Error::NotFound)?;
                let has_history = if K::KEEPS { is_used } else { has_more };
                // What is refused is not offered: a record under retention is archived, too.
                let kept = has_history(reader, &scope, &row)? || row.record.check_delete(&author).is_err();
                Ok(Removal::of(
                    row.archived_at.is_some(),
                    kept,
                    row.record.check_archive(author.today(reader)?).is_ok(),
                ))
            })
            .await
    }

    /// Whether a record of a kind without an archive of its own has comments, evidence or results, so that it is kept.
    pub async fn is_kept<K: RecordKind>(&self, caller: &Caller, id: K::Id) -> Result<bool> {
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .read(move |reader| {
                let row = record::get::<K>(reader, &scope, id)?.ok_or(Error::NotFound)?;
                has_more(reader, &scope, &row)
            })
            .await
    }

    /// Archives or restores a record.
    pub async fn archive_record<K: RecordKind>(
        &self,
        caller: &Caller,
        id: K::Id,
        archived: bool,
        precondition: Precondition,
    ) -> Result<(Detail<K::View>, Revision)> {
        caller.require_right(K::RESOURCE, Right::Decide)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.archive::<K>(tx, id, archived, &precondition);
        self.db.tenant(caller.scope()).write(write).await?;
        self.record::<K>(caller, id).await
    }
}

impl Author {
    pub(crate) fn archive<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        id: K::Id,
        archived: bool,
        precondition: &Precondition,
    ) -> Result<()> {
        let before = self.current::<K>(tx, id, precondition)?;
        // A node of an earlier version stores the status without the time.
        let is_archived = before.record.archived_by_status().unwrap_or(before.archived_at.is_some());
        if is_archived == archived {
            return K::archive_again(archived);
        }
        if archived {
            before.record.check_archive(self.today(tx)?)?;
            K::check_removal(self, tx, &before)?;
            self.require_archiving(tx, &before)?;
        }
        self.put_away(tx, &before, archived)
    }
}
