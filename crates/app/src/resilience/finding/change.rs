//! Creates, changes and deletes findings inside a transaction, one by one or many at once.

use domain::{
    due_days::DueDays,
    event::EventKind,
    finding::{Finding, FindingInput, Links},
    id::{FindingId, ProgrammeId, TestCaseId},
    programme::Programme,
    text::Prose,
    violation::ArchiveComplaint,
};
use serde_json::json;
use store::{
    Reader, TenantScope, Tx, due_days,
    finding::{self as rows, FindingRow},
    finding_count::Tally,
    finding_origin, history, record, test_case,
};

use super::{audit_fields, summary, texts_of};
use crate::{
    Error, Result, archive::finding_is_kept, author::Author, change_log::difference, pages::Precondition,
    words::Kind,
};

/// The tenant's records that a finding refers to, looked up before its rules run.
struct Linked {
    programme: Option<ProgrammeId>,
    test_case: Option<(TestCaseId, ProgrammeId)>,
}

impl Linked {
    fn look_up(
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        (programme, test_case): (Option<ProgrammeId>, Option<TestCaseId>),
    ) -> Result<Self> {
        let programme = match programme {
            Some(id) => record::get::<Programme>(reader, scope, id)?.map(|row| row.id),
            None => None,
        };
        let test_case = match test_case {
            Some(id) => test_case::programme_of(reader, scope, id)?.map(|programme| (id, programme)),
            None => None,
        };
        Ok(Self { programme, test_case })
    }

    fn with<T>(&self, use_links: impl FnOnce(&Links<'_>) -> T) -> T {
        let is_programme = |id| self.programme == Some(id);
        let programme_of =
            |id| self.test_case.filter(|(found, _)| *found == id).map(|(_, programme)| programme);
        use_links(&Links { is_programme: &is_programme, programme_of: &programme_of })
    }
}

impl Author {
    pub(crate) fn create_finding(&self, tx: &mut Tx<'_>, input: &FindingInput) -> Result<FindingId> {
        let linked = Linked::look_up(tx, self.scope(), input.asks_for(None))?;
        let finding = self.judge(|context| linked.with(|links| input.create(links, context)))?;
        let mut tally = Tally::default();
        let due_days = due_days::get(tx, self.scope())?;
        let row = self.add_finding(tx, finding, input.note.as_note(), &due_days, &mut tally)?;
        tally.write(tx, self.scope())?;
        self.audit(tx, "finding.created", row.id, &audit_fields(&row.finding))?;
        Ok(row.id)
    }

    /// Stores a validated finding with everything that belongs to it except the audit entry.
    pub(crate) fn add_finding(
        &self,
        tx: &mut Tx<'_>,
        mut finding: Finding,
        note: Option<Prose>,
        due_days: &DueDays,
        tally: &mut Tally,
    ) -> Result<FindingRow> {
        let by_rule = finding.due_on.is_none();
        let due_on = finding.due_on.or_else(|| due_days.due(finding.severity, finding.detected_at));
        finding.due_on = due_on;
        let row = FindingRow {
            id: self.app.ids.next(self.now),
            reference: rows::next_reference(tx, self.scope(), self.now.day().year())?,
            finding,
            version: 1,
            created_at: self.now,
            updated_at: self.now,
            archived_at: None,
            due_by_rule: by_rule && due_on.is_some(),
        };
        rows::insert(tx, self.scope(), &row, tally)?;
        let subject = row.id.to_string();
        self.note_move(tx, &subject, None, row.finding.status, note)?;
        self.index(tx, Kind::Finding, &subject, &texts_of(&row).words())?;
        self.raise(tx, EventKind::FindingCreated, &subject, &json!({ "finding": summary(&row) }))?;
        Ok(row)
    }

    /// Returns whether anything changed.
    pub(crate) fn change_finding(
        &self,
        tx: &mut Tx<'_>,
        id: FindingId,
        input: &FindingInput,
        precondition: &Precondition,
    ) -> Result<bool> {
        let before = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, before.version)?;
        if before.archived_at.is_some() {
            return Err(Error::invalid("finding", ArchiveComplaint::Archived));
        }
        let linked = Linked::look_up(tx, self.scope(), input.asks_for(Some(&before.finding)))?;
        let finding =
            self.judge(|context| linked.with(|links| input.change(&before.finding, links, context)))?;
        if finding == before.finding {
            return Ok(false);
        }
        let mut tally = Tally::default();
        let after = self.replace_finding(tx, &before, finding, input.note.as_note(), &mut tally)?;
        tally.write(tx, self.scope())?;
        let detail = difference(&audit_fields(&before.finding), &audit_fields(&after.finding));
        self.audit(tx, "finding.changed", id, &detail)?;
        Ok(true)
    }

    /// Replaces a finding by a validated one, with everything that belongs to it except the audit entry.
    pub(crate) fn replace_finding(
        &self,
        tx: &mut Tx<'_>,
        before: &FindingRow,
        finding: Finding,
        note: Option<Prose>,
        tally: &mut Tally,
    ) -> Result<FindingRow> {
        // A reopened finding is no longer archived.
        let archived_at = before.archived_at.filter(|_| finding.status.can_be_archived());
        let due_by_rule = before.due_by_rule && finding.due_on == before.finding.due_on;
        let after = FindingRow { finding, archived_at, due_by_rule, updated_at: self.now, ..before.clone() };
        if !rows::update(tx, self.scope(), before, &after, tally)? {
            return Err(Error::Stale);
        }
        let (subject, from, to) = (after.id.to_string(), before.finding.status, after.finding.status);
        if from != to {
            self.note_move(tx, &subject, Some(from), to, note)?;
            let payload = json!({ "finding": summary(&after), "previous_status": from });
            self.raise(tx, EventKind::FindingStatusChanged, &subject, &payload)?;
        }
        self.reindex(tx, Kind::Finding, &subject, &texts_of(before).words(), &texts_of(&after).words())?;
        Ok(FindingRow { version: before.version + 1, ..after })
    }

    pub(crate) fn delete_finding(
        &self,
        tx: &mut Tx<'_>,
        id: FindingId,
        precondition: &Precondition,
    ) -> Result<()> {
        let row = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, row.version)?;
        let kept = finding_is_kept(&history::of(tx, self.scope(), &id.to_string())?);
        if row.archived_at.is_some() {
            return Err(Error::invalid("finding", ArchiveComplaint::ArchivedIsKept));
        }
        if kept {
            return Err(Error::invalid("finding", ArchiveComplaint::FindingIsKept));
        }
        self.forget(tx, &id.to_string())?;
        finding_origin::forget(tx, self.scope(), id)?;
        let mut tally = Tally::default();
        rows::delete(tx, self.scope(), &row, &mut tally)?;
        tally.write(tx, self.scope())?;
        let mut detail = audit_fields(&row.finding);
        detail["reference"] = json!(row.reference);
        self.audit(tx, "finding.deleted", id, &detail)
    }
}
