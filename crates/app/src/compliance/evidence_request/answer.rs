//! Answering requests for evidence, closing them and opening them again.

use domain::{
    evidence::{Evidence, LinkType},
    evidence_request::{
        AnswerInput, EvidenceRequest, EvidenceRequestComplaint, EvidenceRequestStatus, RequestStep,
    },
    id::{EvidenceId, EvidenceRequestId, UserId},
    inbox::Reason,
    key_limits::Verb,
    right::{Resource, Right},
    text::Name,
    violation::Complaint,
};
use store::{
    Revision, Tx,
    evidence_link::Link,
    record::{self, Kind as _},
};

use super::{EvidenceRequestRow, EvidenceRequestView};
use crate::{
    Compliance, Error, Result,
    author::Author,
    authz::Caller,
    history::Detail,
    inbox::About,
    pages::Precondition,
    records::{RecordKind as _, changes as changes_of, content},
};

impl Compliance {
    /// Answers a request of which the caller is the owner, or any request if the role allows it.
    pub async fn answer_evidence_request(
        &self,
        caller: &Caller,
        id: EvidenceRequestId,
        input: AnswerInput,
        precondition: Precondition,
    ) -> Result<(Detail<EvidenceRequestView>, Revision)> {
        caller.require_right(Resource::EvidenceAnswers, Right::Own)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.answer_request(tx, id, &input, &precondition);
        self.db.tenant(caller.scope()).write(write).await?;
        self.records.record::<EvidenceRequest>(caller, id).await
    }

    /// Closes a request that is answered, or opens it again with a reason.
    pub async fn move_evidence_request(
        &self,
        caller: &Caller,
        id: EvidenceRequestId,
        step: RequestStep,
        precondition: Precondition,
    ) -> Result<(Detail<EvidenceRequestView>, Revision)> {
        caller.require_right(Resource::EvidenceRequests, Right::Write)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.move_request(tx, id, &step, &precondition);
        self.db.tenant(caller.scope()).write(write).await?;
        self.records.record::<EvidenceRequest>(caller, id).await
    }
}

impl Author {
    pub(crate) fn answer_request(
        &self,
        tx: &mut Tx<'_>,
        id: EvidenceRequestId,
        input: &AnswerInput,
        precondition: &Precondition,
    ) -> Result<()> {
        let before = self.current::<EvidenceRequest>(tx, id, precondition)?;
        self.require_owner(tx, Resource::EvidenceAnswers, before.record.owner.as_ref())?;
        let (text, evidence) = input.read()?;
        self.check_answer_evidence(tx, &evidence)?;
        let answered = before.record.answered(text, self.caller.actor().to_string(), self.now);
        let record = answered.map_err(|refused| Error::invalid("status", refused))?;
        let after = self.replace(tx, &before, record, None)?;
        self.audit(tx, "evidence_request.answered", id, &changes(&before, &after))?;
        for one in evidence {
            self.attach(tx, one, &Link { kind: LinkType::EvidenceRequest, target: id.to_string() })?;
        }
        match self.person_of(tx, &after.record.asked_by)?.parse::<UserId>() {
            Ok(asker) => self.notify(tx, asker, Reason::RequestAnswered, &about(&after)),
            Err(_) => Ok(()),
        }
    }

    /// Refuses evidence that the institution does not have.
    fn check_answer_evidence(&self, tx: &mut Tx<'_>, evidence: &[EvidenceId]) -> Result<()> {
        if evidence.is_empty() {
            return Ok(());
        }
        self.caller.require_noun("evidence", Verb::Write)?;
        for (place, id) in evidence.iter().enumerate() {
            if record::get::<Evidence>(tx, self.scope(), *id)?.is_none() {
                let unknown = Complaint::item(place, EvidenceRequestComplaint::NoEvidence);
                return Err(Error::invalid("evidence", unknown));
            }
        }
        Ok(())
    }

    pub(crate) fn move_request(
        &self,
        tx: &mut Tx<'_>,
        id: EvidenceRequestId,
        step: &RequestStep,
        precondition: &Precondition,
    ) -> Result<()> {
        let before = self.current::<EvidenceRequest>(tx, id, precondition)?;
        let reason = step.reason()?;
        let moved = before.record.moved(step.status());
        let record = moved.map_err(|refused| Error::invalid("status", refused))?;
        let after = self.replace(tx, &before, record, reason)?;
        let changes = changes(&before, &after);
        if after.record.status == EvidenceRequestStatus::Closed {
            return self.audit(tx, "evidence_request.closed", id, &changes);
        }
        self.audit(tx, "evidence_request.reopened", id, &changes)?;
        // It is work of its owner again.
        match after.record.owner.as_ref().map(Name::as_str) {
            Some(owner) => self.notify_named(tx, Reason::Assigned, owner, &about(&after)),
            None => Ok(()),
        }
    }
}

fn changes(before: &EvidenceRequestRow, after: &EvidenceRequestRow) -> serde_json::Value {
    changes_of::<EvidenceRequest>(content(before), content(after))
}

fn about(row: &EvidenceRequestRow) -> About {
    About::of_fields(EvidenceRequest::TABLE.name, row.id.to_string(), row.version, &row.record.fields())
}
