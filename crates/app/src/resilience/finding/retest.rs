//! Retests of findings, and which findings can be closed only after a passed one.

use domain::{
    actor::Actor,
    approval_policy::ApprovalPolicy,
    evidence::Evidence,
    finding::{Finding, FindingStatus},
    id::{EvidenceId, FindingId},
    moment::Moment,
    retest::{Retest, RetestInput},
    right::{Resource, Right},
    text::{Name, Prose},
    violation::{ArchiveComplaint, Complaint, RecordComplaint, Violations},
    vocabulary::Vocabulary as _,
};
use serde_json::json;
use store::{
    Reader, Tx, approval,
    history::{self, HistoryRow},
    record,
    retest::{self as rows},
};

use super::FindingRow;
use crate::{
    Error, Resilience, Result,
    author::Author,
    authz::Caller,
    idempotency::{Creation, Idempotency},
    ownership::may_own,
};

pub use store::retest::RetestRow;

/// The number of retests shown with a finding.
const RETESTS: u32 = 200;

impl Resilience {
    /// The latest retests of a finding, last recorded first.
    pub async fn retests(&self, caller: &Caller, id: FindingId) -> Result<Vec<RetestRow>> {
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            record::get::<Finding>(reader, &scope, id)?.ok_or(Error::NotFound)?;
            rows::of(reader, &scope, id, RETESTS).map_err(Error::from)
        };
        self.db.tenant(&scope).read(read).await
    }

    /// Records a retest.
    pub async fn record_retest(
        &self,
        caller: &Caller,
        id: FindingId,
        input: RetestInput,
        idempotency: Option<Idempotency>,
        render: fn(&RetestRow) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Findings, Right::Write)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let create = |tx: &mut Tx<'_>| {
                let row = author.retest(tx, id, &input)?;
                Ok((row.number.to_string(), row))
            };
            author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Whether a finding has to be retested before the caller can close it.
    pub async fn lacks_retest(&self, caller: &Caller, id: FindingId) -> Result<bool> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            let row = record::get::<Finding>(reader, author.scope(), id)?.ok_or(Error::NotFound)?;
            author.lacks_retest(reader, &row, &row.record)
        };
        self.db.tenant(caller.scope()).read(read).await
    }
}

impl Author {
    pub(crate) fn retest(&self, tx: &mut Tx<'_>, id: FindingId, input: &RetestInput) -> Result<RetestRow> {
        let finding = record::get::<Finding>(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        if finding.archived_at.is_some() {
            return Err(Error::invalid("finding", ArchiveComplaint::Archived));
        }
        let read = input.read(&finding.record, self.now.day())?;
        self.check_retest_evidence(tx, &read.evidence)?;
        let by_owner = self.is_by_owner(tx, read.performed_by.as_ref(), finding.record.owner.as_ref())?;
        let retest = Retest { by_owner, ..read };
        let detail = json!({
            "reference": finding.record.reference,
            "result": retest.result,
            "performed_on": retest.performed_on,
            "performed_by": retest.performed_by.as_ref().map(Name::as_str),
            "by_owner": retest.by_owner,
            "actual_result": retest.actual_result.as_ref().map(Prose::as_str),
            "evidence": retest.evidence,
        });
        let actor = self.caller.actor().to_string();
        let mut row = RetestRow { number: 0, retest, recorded_at: self.now, actor };
        row.number = rows::add(tx, self.scope(), id, &row)?;
        self.audit(tx, "finding.retested", id, &detail)?;
        Ok(row)
    }

    /// Whether the owner of the finding performed the retest. Without a name the person who records it did.
    fn is_by_owner(&self, tx: &mut Tx<'_>, by: Option<&Name>, owner: Option<&Name>) -> Result<bool> {
        let Some(owner) = owner else { return Ok(false) };
        let Some(by) = by else { return may_own(tx, &self.caller, Some(owner)) };
        if by.as_str().to_lowercase() == owner.as_str().to_lowercase() {
            return Ok(true);
        }
        let owners = self.named(tx, owner)?;
        Ok(self.named(tx, by)?.iter().any(|person| owners.contains(person)))
    }

    fn check_retest_evidence(&self, tx: &mut Tx<'_>, evidence: &[EvidenceId]) -> Result<()> {
        let known: Vec<EvidenceId> =
            record::get_many::<Evidence>(tx, self.scope(), evidence)?.into_iter().map(|row| row.id).collect();
        let mut violations = Violations::default();
        for (place, _) in evidence.iter().enumerate().filter(|(_, id)| !known.contains(id)) {
            violations.add("evidence", Complaint::item(place, RecordComplaint::NotEvidence));
        }
        violations.or(Some(())).map_err(Error::from)
    }

    /// Refuses to close a finding that has to be retested first, whatever way it is closed.
    pub(super) fn require_retest(
        &self,
        reader: &mut Reader<'_>,
        before: &FindingRow,
        after: &Finding,
    ) -> Result<()> {
        let closes = before.record.status != after.status && after.status == FindingStatus::Closed;
        if closes && self.lacks_retest(reader, before, after)? {
            return Err(Error::invalid("status", RecordComplaint::NotRetested));
        }
        Ok(())
    }

    pub(super) fn lacks_retest(
        &self,
        reader: &mut Reader<'_>,
        before: &FindingRow,
        after: &Finding,
    ) -> Result<bool> {
        let policy = approval::policy(reader, self.scope())?;
        // A request must not make a finding harmless and close it at once.
        let severities = [before.record.severity, after.severity];
        let is_needed = severities.iter().any(|severity| policy.closing_needs_retest(*severity));
        if !is_needed || !self.keeps_records(&policy) {
            return Ok(false);
        }
        let steps = history::of(reader, self.scope(), &before.id.to_string())?;
        let last = rows::of(reader, self.scope(), before.id, 1)?.pop();
        Ok(!last.is_some_and(|row| row.retest.allows_closing(row.recorded_at, reopened_at(&steps))))
    }

    /// Whether the caller has to record what happened before a result counts: every person, and keys where the
    /// institution binds them. The contract of the API lets keys move findings and tests without.
    pub(crate) fn keeps_records(&self, policy: &ApprovalPolicy) -> bool {
        match self.caller.actor() {
            Actor::User(_) => true,
            Actor::Key(_) => policy.binds_keys,
            Actor::Operator | Actor::System => false,
        }
    }
}

/// When the finding was last opened again.
fn reopened_at(steps: &[HistoryRow]) -> Option<Moment> {
    let was_done = |word: &String| FindingStatus::find(word).is_some_and(|status| !status.is_open());
    let reopened = |step: &&HistoryRow| {
        step.to == FindingStatus::Open.as_str() && step.from.as_ref().is_some_and(was_done)
    };
    steps.iter().filter(reopened).map(|step| step.at).max()
}
