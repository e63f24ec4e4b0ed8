//! Deciding about a request: granting carries its action out in the same transaction.

use domain::{
    actor::Actor,
    approval::{Approval, ApprovalAction, ApprovalComplaint, ApprovalState},
    id::{ApprovalId, UserId},
    right::{Resource, Right},
    text::{Name, Prose},
    user::Role,
    violation::FieldComplaint,
};
use store::{Reader, Revision, Tx, record};

use super::{ApprovalRow, ApprovalTerms, ApprovalView, Subject, panel::Panel};
use crate::{
    Approvals, Error, Result,
    author::Author,
    authz::Caller,
    history::Detail,
    pages::Precondition,
    records::{RecordKind as _, Standing, detail},
};

/// What a person says to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalDecision {
    Grant,
    Refuse,
    /// The person who asked no longer wants it.
    Withdraw,
}

impl ApprovalDecision {
    fn state(self) -> ApprovalState {
        match self {
            Self::Grant => ApprovalState::Granted,
            Self::Refuse => ApprovalState::Refused,
            Self::Withdraw => ApprovalState::Withdrawn,
        }
    }
}

/// What stands of a record, and what was approved of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedVersion {
    pub version: i64,
    /// The approval that was granted last.
    pub last: Option<ApprovalRow>,
}

impl ApprovedVersion {
    /// Whether nothing changed since the last approval.
    pub fn is_current(&self) -> bool {
        self.last.as_ref().is_some_and(|row| row.record.subject_version == self.version)
    }
}

impl Approvals {
    pub async fn decide_approval(
        &self,
        caller: &Caller,
        id: ApprovalId,
        decision: ApprovalDecision,
        note: Option<String>,
        precondition: Precondition,
    ) -> Result<(Detail<ApprovalRow>, Revision)> {
        caller.require_right(Resource::Approvals, Right::Own)?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let asked = self.approval(caller, id).await?;
        // A refused caller needs no document; the transaction refuses them again.
        let is_granted = decision == ApprovalDecision::Grant && asked.refusal.is_none();
        let document =
            if is_granted { Box::pin(self.prepare_document(&author, &asked.row)).await? } else { None };
        let write = move |tx: &mut Tx<'_>| {
            author.decide_on(tx, id, decision, note.as_deref(), &precondition)?;
            if decision == ApprovalDecision::Grant {
                author.keep_document(tx, &asked.row, document.as_ref())?;
            }
            let detail = detail::<Approval>(&author.core, tx, &scope, id)?;
            Ok::<_, Error>((detail, Revision(tx.revision().unwrap_or_default())))
        };
        self.db.tenant(&scope).write(write).await
    }

    /// The request with who can decide, and whether the caller can.
    pub async fn approval(&self, caller: &Caller, id: ApprovalId) -> Result<ApprovalView> {
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            let row = record::get::<Approval>(reader, &scope, id)?.ok_or(Error::NotFound)?;
            row.record.check_reader(&author.caller)?;
            author.viewed(reader, row)
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// The decisions about a record that the policy leaves to a second person.
    pub async fn actions_to_ask(&self, caller: &Caller, subject: String) -> Result<Vec<ApprovalAction>> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            let standing = Subject::of_id(&subject).standing(&author, reader, &subject)?;
            let rules = standing.ok_or(Error::NotFound)?.rules;
            let needed = rules.into_iter().filter(|(_, rule)| rule.is_needed());
            Ok::<_, Error>(needed.map(|(action, _)| action).collect())
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// The version of a record that stands now, and its last approval.
    pub async fn approved_version(&self, caller: &Caller, subject: String) -> Result<ApprovedVersion> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            let standing = Subject::of_id(&subject).standing(&author, reader, &subject)?;
            let version = standing.ok_or(Error::NotFound)?.version;
            let action = ApprovalAction::Approve;
            let last = store::approval::last_granted(reader, author.scope(), &subject, action)?;
            Ok::<_, Error>(ApprovedVersion { version, last })
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// The people who could decide if the caller asked for this decision.
    pub async fn deciders(
        &self,
        caller: &Caller,
        subject: String,
        action: ApprovalAction,
    ) -> Result<Vec<(UserId, Name)>> {
        let author = Author::new(self, caller);
        let asked_by = caller.actor().to_string();
        let read = move |reader: &mut Reader<'_>| {
            Panel::about(&author, reader, &subject, action, &asked_by)?.deciders(reader, author.scope())
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// The requests about a record that wait for a decision.
    pub async fn approvals_about(&self, caller: &Caller, subject: String) -> Result<Vec<ApprovalView>> {
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            let asked = store::approval::asked(reader, &scope, &subject)?;
            asked.into_iter().map(|row| author.viewed(reader, row)).collect::<Result<Vec<_>>>()
        };
        self.db.tenant(caller.scope()).read(read).await
    }
}

/// A refusal says why.
fn read_note(decision: ApprovalDecision, note: Option<&str>) -> Result<Option<Prose>> {
    match (decision, note.filter(|note| !note.trim().is_empty())) {
        (ApprovalDecision::Refuse, None) => Err(Error::invalid("note", FieldComplaint::Required)),
        (_, None) => Ok(None),
        (_, Some(note)) => {
            Prose::parse(note).map(Some).map_err(|complaint| Error::invalid("note", complaint))
        }
    }
}

impl Author {
    fn viewed(&self, reader: &mut Reader<'_>, row: ApprovalRow) -> Result<ApprovalView> {
        let me = self.person(reader, self.caller.actor())?;
        let is_own = self.person_of(reader, &row.record.asked_by)? == me;
        if row.record.state != ApprovalState::Asked {
            let refusal = Some(ApprovalComplaint::NotInPolicy);
            return Ok(ApprovalView { row, deciders: Vec::new(), refusal, is_own });
        }
        let panel = match Panel::of(self, reader, &row.record) {
            // A request whose subject is gone can still be read and withdrawn.
            Err(Error::NotFound) => {
                let refusal = Some(ApprovalComplaint::Changed);
                return Ok(ApprovalView { row, deciders: Vec::new(), refusal, is_own });
            }
            panel => panel?,
        };
        let deciders = panel.deciders(reader, self.scope())?;
        let refusal = match (self.caller.actor(), self.caller.role()) {
            (Actor::User(person), Some(role)) => panel.refusal(person, role),
            _ => Some(ApprovalComplaint::NotInPolicy),
        };
        Ok(ApprovalView { row, deciders, refusal, is_own })
    }

    pub(crate) fn decide_on(
        &self,
        tx: &mut Tx<'_>,
        id: ApprovalId,
        decision: ApprovalDecision,
        note: Option<&str>,
        precondition: &Precondition,
    ) -> Result<()> {
        let note = read_note(decision, note)?;
        let before = self.current::<Approval>(tx, id, precondition)?;
        self.decide(tx, &before, decision, note)
    }

    fn decide(
        &self,
        tx: &mut Tx<'_>,
        before: &ApprovalRow,
        decision: ApprovalDecision,
        note: Option<Prose>,
    ) -> Result<()> {
        let by = self.caller.actor().to_string();
        let after = before.record.decided(decision.state(), Some(by), note, self.now);
        let after = after.map_err(|complaint| Error::invalid("approval", complaint))?;
        match decision {
            ApprovalDecision::Withdraw => {
                self.require_asker(tx, &before.record)?;
                self.settle(tx, before, after, "approval.withdrawn")
            }
            ApprovalDecision::Refuse => {
                self.require_panel(tx, &before.record)?;
                self.settle(tx, before, after, "approval.refused")
            }
            ApprovalDecision::Grant => {
                self.deciding_person()?;
                let standing = self.require_unchanged(tx, &before.record)?;
                self.require_panel_of(tx, &before.record, &standing)?;
                self.settle(tx, before, after, "approval.granted")?;
                self.carry_out(tx, &before.record)
            }
        }
    }

    fn require_asker(&self, tx: &mut Tx<'_>, approval: &Approval) -> Result<()> {
        let me = self.person(tx, self.caller.actor())?;
        if self.person_of(tx, &approval.asked_by)? == me {
            return Ok(());
        }
        Err(Error::invalid("approval", ApprovalComplaint::NotYours))
    }

    /// Refuses everyone whom the policy does not allow to decide. A key never decides.
    fn require_panel(&self, tx: &mut Tx<'_>, approval: &Approval) -> Result<()> {
        self.deciding_person()?;
        let panel = Panel::of(self, tx, approval)?;
        self.require_member(&panel)
    }

    /// The same about a record that was read already.
    fn require_panel_of(&self, tx: &mut Tx<'_>, approval: &Approval, standing: &Standing) -> Result<()> {
        self.deciding_person()?;
        let panel = Panel::from_standing(self, tx, approval, standing)?;
        self.require_member(&panel)
    }

    fn require_member(&self, panel: &Panel) -> Result<()> {
        let (person, role) = self.deciding_person()?;
        match panel.refusal(person, role) {
            None => Ok(()),
            Some(complaint) => Err(Error::invalid("approval", complaint)),
        }
    }

    fn deciding_person(&self) -> Result<(UserId, Role)> {
        match (self.caller.actor(), self.caller.role()) {
            (Actor::User(person), Some(role)) => Ok((person, role)),
            _ => Err(Error::PeopleDecide),
        }
    }

    /// The record as it was when it was asked for. A request lapses in the transaction that changes its subject; this
    /// holds even if that was left out.
    fn require_unchanged(&self, tx: &mut Tx<'_>, approval: &Approval) -> Result<Standing> {
        let id = approval.subject.as_str();
        let standing = Subject::of_id(id).standing(self, tx, id)?;
        let unchanged = standing.filter(|standing| standing.version == approval.subject_version);
        let standing = unchanged.ok_or_else(|| Error::invalid("approval", ApprovalComplaint::Changed))?;
        self.check_term(&standing, approval.until)?;
        Ok(standing)
    }

    fn carry_out(&self, tx: &mut Tx<'_>, approval: &Approval) -> Result<()> {
        let id = approval.subject.as_str();
        let terms = ApprovalTerms {
            reason: approval.reason.clone(),
            until: approval.until,
            details: approval.details.clone(),
        };
        let author = self.granting(&approval.asked_by);
        Subject::of_id(id).decide(&author, tx, id, approval.action, &terms)
    }

    /// The same caller, who carries out what the policy let them grant.
    #[must_use]
    pub(super) fn granting(&self, asked_by: &str) -> Self {
        let mut author = self.clone();
        author.grants_for = Some(asked_by.to_owned());
        author
    }
}
