//! Decisions about records: which of them the policy leaves to a second person, and how a granted one is carried out.

use domain::{
    actor::Actor,
    approval::{Approval, ApprovalAction},
    approval_policy::ApprovalRule,
    text::Name,
    vocabulary::Severity,
};
use store::{Reader, TenantScope, Tx, approval as rows, record};

use super::{RecordKind, RecordRow, any};
use crate::{
    Error, Result,
    approval::{ApprovalChange, ApprovalTerms, made},
    author::Author,
    inbox::owner_of,
    pages::Precondition,
};

/// What a request about a record is compared with.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) version: i64,
    pub(crate) owner: Option<Name>,
}

/// The decisions about records of a kind.
pub(super) const fn actions<K: RecordKind>() -> (&'static [ApprovalAction], bool) {
    (K::DECISIONS, K::TABLE.archives)
}

pub(super) fn standing<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
) -> Result<Option<Standing>> {
    let Ok(id) = id.parse::<K::Id>() else { return Ok(None) };
    let row = record::get::<K>(reader, scope, id)?;
    Ok(row.map(|row| Standing {
        version: row.version,
        owner: owner_of(&row.record.fields()).and_then(|owner| Name::parse(owner).ok()),
    }))
}

pub(super) fn severity<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
) -> Result<Option<Severity>> {
    let Ok(id) = id.parse::<K::Id>() else { return Ok(None) };
    Ok(record::get::<K>(reader, scope, id)?.and_then(|row| row.record.severity()))
}

pub(super) fn rule<K: RecordKind>(
    author: &Author,
    reader: &mut Reader<'_>,
    id: &str,
    action: ApprovalAction,
) -> Result<ApprovalRule> {
    let id = id.parse::<K::Id>().map_err(|_| Error::NotFound)?;
    let row = record::get::<K>(reader, author.scope(), id)?.ok_or(Error::NotFound)?;
    rule_of(author, reader, &row.record, action)
}

fn rule_of<K: RecordKind>(
    author: &Author,
    reader: &mut Reader<'_>,
    record: &K,
    action: ApprovalAction,
) -> Result<ApprovalRule> {
    match action {
        ApprovalAction::Archive => Ok(rows::policy(reader, author.scope())?.rule(action, None)),
        _ => record.rule(author, reader, action),
    }
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
    match (action, K::decision(action, terms)) {
        (ApprovalAction::Archive, _) => row.record.check_archive(),
        // Who decides is not known yet: what the kind itself demands of a second person is judged when it is granted.
        (_, Some(_)) if row.record.proposed_by().is_some() => Ok(()),
        (_, Some(input)) => K::change(author, tx, &row, &input).map(|_| ()),
        (_, None) => Err(Error::NotFound),
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
    match (action, K::decision(action, terms)) {
        (ApprovalAction::Archive, _) => author.archive::<K>(tx, id, true, &Precondition::None),
        (_, Some(input)) => author.change::<K>(tx, id, &input, &Precondition::None).map(|_| ()),
        (_, None) => Err(Error::NotFound),
    }
}

impl Author {
    /// Refuses a decision that the policy leaves to a second person, and returns one that a second person has made by
    /// the record's own route.
    pub(super) fn check_decision<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        before: &RecordRow<K>,
        after: &K,
    ) -> Result<Option<ApprovalAction>> {
        let Some(action) = K::decided(&before.record, after) else { return Ok(None) };
        if self.grants_for.is_some() || matches!(self.caller.actor(), Actor::Operator | Actor::System) {
            return Ok(None);
        }
        // A request must not make a record harmless and decide about it at once.
        let needs = rule_of(self, tx, &before.record, action)?.is_needed()
            || rule_of(self, tx, after, action)?.is_needed();
        if !needs {
            return Ok(None);
        }
        if before.record.proposed_by().is_some() {
            return Ok(Some(action));
        }
        if matches!(self.caller.actor(), Actor::Key(_)) && !rows::policy(tx, self.scope())?.binds_keys {
            return Ok(None);
        }
        Err(Error::ApprovalRequired { subject: before.id.to_string(), action })
    }

    /// Refuses to archive a record where the policy leaves that to a second person.
    pub(crate) fn require_archiving<K: RecordKind>(&self, tx: &mut Tx<'_>, row: &RecordRow<K>) -> Result<()> {
        let is_exempt =
            self.grants_for.is_some() || matches!(self.caller.actor(), Actor::Operator | Actor::System);
        let action = ApprovalAction::Archive;
        if is_exempt || !rows::policy(tx, self.scope())?.rule(action, None).is_needed() {
            return Ok(());
        }
        Err(Error::ApprovalRequired { subject: row.id.to_string(), action })
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
        let title = any::name_of(tx, self.scope(), &id)?.unwrap_or(id);
        let approval = made(self, before, action, asked_by, &title)?;
        self.create::<Approval>(tx, &ApprovalChange::Made(Box::new(approval))).map(|_| ())
    }
}
