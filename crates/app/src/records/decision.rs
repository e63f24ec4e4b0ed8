//! Decisions about records: which of them the policy leaves to a second person, and how a granted one is carried out.

use domain::{
    actor::Actor,
    approval::{Approval, ApprovalAction, ApprovalComplaint},
    approval_policy::{ApprovalNeed, ApprovalPolicy, ApprovalRule},
    id::UserId,
    text::{Name, Prose},
    violation::ArchiveComplaint,
    vocabulary::Severity,
};
use serde_json::json;
use store::{Reader, Tx, approval as rows, record};

use super::{RecordKind, RecordRow, any, change::check_live};
use crate::{
    Error, Result,
    approval::{ApprovalTerms, ApprovalWanted, Direct, NewApproval, made},
    author::Author,
    inbox::owner_of,
    pages::Precondition,
};

/// What a request about a record is compared with, and what the policy says of each decision about it.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) version: i64,
    pub(crate) owner: Option<Name>,
    pub(crate) severity: Option<Severity>,
    pub(crate) policy: ApprovalPolicy,
    pub(crate) rules: Vec<(ApprovalAction, ApprovalRule)>,
    /// Who changed it since its last decision, where the record itself says so.
    pub(crate) editors: Option<Vec<String>>,
}

impl Standing {
    /// What a decision needs; nothing for one that is not about this kind of record.
    pub(crate) fn rule(&self, action: ApprovalAction) -> ApprovalRule {
        let found = self.rules.iter().find(|(of, _)| *of == action);
        found.map_or(ApprovalRule::NONE, |(_, rule)| rule.clone())
    }
}

/// The decisions about records of a kind.
pub(super) const fn actions<K: RecordKind>() -> (&'static [ApprovalAction], bool) {
    (K::DECISIONS, K::TABLE.archives)
}

pub(super) fn standing<K: RecordKind>(
    author: &Author,
    reader: &mut Reader<'_>,
    id: &str,
) -> Result<Option<Standing>> {
    let Ok(id) = id.parse::<K::Id>() else { return Ok(None) };
    let Some(row) = record::get::<K>(reader, author.scope(), id)? else { return Ok(None) };
    let policy = rows::policy(reader, author.scope())?;
    let mut rules = Vec::new();
    for action in K::DECISIONS {
        rules.push((*action, row.record.rule(author, reader, &policy, *action)?));
    }
    if K::TABLE.archives {
        rules.push((ApprovalAction::Archive, policy.rule(ApprovalAction::Archive, None)));
    }
    Ok(Some(Standing {
        version: row.version,
        owner: owner_of(&row.record.fields()).and_then(|owner| Name::parse(owner).ok()),
        severity: row.record.severity(),
        policy,
        rules,
        editors: None,
    }))
}

/// Judges a decision by the rules of the record and stores nothing.
pub(super) fn try_out<K: RecordKind>(
    author: &Author,
    tx: &mut Tx<'_>,
    id: &str,
    action: ApprovalAction,
    terms: &ApprovalTerms,
) -> Result<()> {
    let id = id.parse::<K::Id>().map_err(|_| Error::NotFound)?;
    let row = author.current::<K>(tx, id, &Precondition::None)?;
    check_live(&row)?;
    if K::confirms(action) {
        return author.check_unconfirmed(tx, &id.to_string(), action, row.version);
    }
    match (action, K::decision(action, terms)) {
        (ApprovalAction::Archive, _) if row.archived_at.is_some() => {
            Err(Error::invalid(K::NOUN, ArchiveComplaint::AlreadyArchived))
        }
        (ApprovalAction::Archive, _) => {
            row.record.check_archive(author.today(tx)?)?;
            K::check_removal(author, tx, &row)
        }
        // Who decides is not known yet: what the kind itself demands of a second person is judged when it is granted.
        (_, Some(_)) if row.record.proposed_by().is_some() => Ok(()),
        (_, Some(change)) => {
            let after = K::change(author, tx, &row, &change)?;
            if K::decided(&row.record, &after) == Some(action) {
                return Ok(());
            }
            Err(Error::invalid("action", ApprovalComplaint::NeedsNone))
        }
        (_, None) => {
            let names = K::detail_names(action).join(", ");
            Err(Error::invalid("details", ApprovalComplaint::Details { names }))
        }
    }
}

/// Carries out a decision that was granted.
pub(super) fn decide<K: RecordKind>(
    author: &Author,
    tx: &mut Tx<'_>,
    id: &str,
    action: ApprovalAction,
    terms: &ApprovalTerms,
) -> Result<()> {
    let id = id.parse::<K::Id>().map_err(|_| Error::NotFound)?;
    if K::confirms(action) {
        let row = author.current::<K>(tx, id, &Precondition::None)?;
        check_live(&row)?;
        return author.audit(tx, &format!("{}.approved", K::NOUN), id, &json!({ "version": row.version }));
    }
    match (action, K::decision(action, terms)) {
        (ApprovalAction::Archive, _) => author.archive::<K>(tx, id, true, &Precondition::None),
        (_, Some(change)) => author.change::<K>(tx, id, &change, &Precondition::None).map(|_| ()),
        (_, None) => Err(Error::NotFound),
    }
}

impl Author {
    /// Whether the policy does not bind the caller: who carries out what was granted, the operator and the service.
    fn is_exempt(&self) -> bool {
        self.grants_for.is_some() || matches!(self.caller.actor(), Actor::Operator | Actor::System)
    }

    /// Whether the caller is bound by a rule. Keys are only where the institution says so.
    pub(crate) fn is_bound(&self, policy: &ApprovalPolicy, rule: &ApprovalRule) -> bool {
        self.follows(policy) && rule.is_needed()
    }

    /// Whether the policy is for the caller at all.
    pub(crate) fn follows(&self, policy: &ApprovalPolicy) -> bool {
        match self.caller.actor() {
            Actor::Key(_) => policy.binds_keys,
            _ => !self.is_exempt(),
        }
    }

    /// Whether the caller may make a decision that its own route leaves to a second person: keys where they are not
    /// bound, and of people those whom a rule names.
    pub(crate) fn may_decide_directly(&self, policy: &ApprovalPolicy, rule: &ApprovalRule) -> bool {
        match (self.caller.actor(), rule.need) {
            (Actor::Key(_), _) => !policy.binds_keys,
            (Actor::User(person), ApprovalNeed::Named) => rule.people.contains(&person),
            _ => true,
        }
    }

    /// Refuses to approve the same version again.
    pub(crate) fn check_unconfirmed(
        &self,
        reader: &mut Reader<'_>,
        subject: &str,
        action: ApprovalAction,
        version: i64,
    ) -> Result<()> {
        match rows::last_granted(reader, self.scope(), subject, action)? {
            Some(row) if row.record.subject_version == version => {
                Err(Error::invalid("subject", ApprovalComplaint::AlreadyApproved))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a decision that the policy leaves to a second person, and returns one that a second person has made by
    /// the record's own route.
    pub(crate) fn check_decision<K: RecordKind>(
        &self,
        reader: &mut Reader<'_>,
        before: &RecordRow<K>,
        after: &K,
        reason: Option<&Prose>,
    ) -> Result<Option<ApprovalAction>> {
        let Some(action) = K::decided(&before.record, after) else { return Ok(None) };
        if self.is_exempt() {
            return Ok(None);
        }
        let policy = rows::policy(reader, self.scope())?;
        // A request must not make a record harmless and decide about it at once.
        let earlier = before.record.rule(self, reader, &policy, action)?;
        let rule = if earlier.is_needed() { earlier } else { after.rule(self, reader, &policy, action)? };
        if !rule.is_needed() {
            return Ok(None);
        }
        let is_proposed = before.record.proposed_by().is_some();
        if is_proposed && self.may_decide_directly(&policy, &rule) {
            self.refuse_owner(reader, &before.record)?;
            return Ok(Some(action));
        }
        if !is_proposed && !self.is_bound(&policy, &rule) {
            return Ok(None);
        }
        Err(Error::ApprovalRequired(Box::new(ApprovalWanted {
            subject: before.id.to_string(),
            action,
            details: after.decided_with(&before.record, action),
            reason: reason.map(ToString::to_string),
        })))
    }

    /// Refuses the owner of a record, who never decides about it, and a key that stands for the owner.
    fn refuse_owner<K: RecordKind>(&self, reader: &mut Reader<'_>, record: &K) -> Result<()> {
        let fields = record.fields();
        let Some(owner) = owner_of(&fields).and_then(|owner| Name::parse(owner).ok()) else { return Ok(()) };
        let Ok(person) = self.person(reader, self.caller.actor())?.parse::<UserId>() else { return Ok(()) };
        if self.named(reader, &owner)?.contains(&person) {
            return Err(Error::invalid("status", ApprovalComplaint::Owner));
        }
        Ok(())
    }

    /// Refuses to archive a record where the policy leaves that to a second person.
    pub(crate) fn require_archiving<K: RecordKind>(&self, tx: &mut Tx<'_>, row: &RecordRow<K>) -> Result<()> {
        let policy = rows::policy(tx, self.scope())?;
        let action = ApprovalAction::Archive;
        if self.is_bound(&policy, &policy.rule(action, None)) {
            return Err(ApprovalWanted::plain(row.id, action));
        }
        Ok(())
    }

    /// Keeps what a second person decided by the record's own route as an approval.
    pub(super) fn note_decision<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        before: &RecordRow<K>,
        action: ApprovalAction,
    ) -> Result<()> {
        let Some(asked_by) = before.record.proposed_by() else { return Ok(()) };
        let id = before.id.to_string();
        let title = any::name_of(tx, self.scope(), &id)?.unwrap_or_else(|| id.clone());
        let direct =
            Direct { subject: &id, kind: K::NOUN, version: before.version, action, asked_by, title: &title };
        let approval = made(self, direct)?;
        self.create::<Approval>(tx, &NewApproval::Made(Box::new(approval))).map(|_| ())
    }
}
