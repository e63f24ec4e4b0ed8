//! Who can decide about a request: the people whom the policy allows, without the one who asked, those who changed the
//! record since its last decision, and its owner.

use std::collections::BTreeSet;

use domain::{
    actor::Actor,
    approval::{Approval, ApprovalAction, ApprovalComplaint},
    approval_policy::{ApprovalNeed, ApprovalRule},
    id::UserId,
    page::PageRequest,
    right::{Resource, Right},
    text::Name,
    user::Role,
};
use store::{Reader, TenantScope, approval as rows, audit, person, version};

use super::Subject;
use crate::{Error, Result, author::Author, ownership::meant, records::Standing};

/// How many accounts are looked at, and how many changes of a record.
const MOST: u32 = 500;

/// What decides who can decide.
#[derive(Debug)]
pub(super) struct Panel {
    resource: Resource,
    /// The right that a second person has.
    least: Right,
    rule: ApprovalRule,
    owners: Vec<UserId>,
    /// The people and keys that changed the record since its last decision, each as the person it stands for.
    editors: BTreeSet<String>,
    asker: String,
}

impl Panel {
    pub(super) fn of(author: &Author, reader: &mut Reader<'_>, approval: &Approval) -> Result<Self> {
        Self::about(author, reader, approval.subject.as_str(), approval.action, &approval.asked_by)
    }

    pub(super) fn about(
        author: &Author,
        reader: &mut Reader<'_>,
        subject: &str,
        action: ApprovalAction,
        asked_by: &str,
    ) -> Result<Self> {
        let standing = Subject::of_id(subject).standing(author, reader, subject)?.ok_or(Error::NotFound)?;
        Self::with(author, reader, (subject, action, asked_by), &standing)
    }

    /// The same of a record that was read already.
    pub(super) fn from_standing(
        author: &Author,
        reader: &mut Reader<'_>,
        approval: &Approval,
        standing: &Standing,
    ) -> Result<Self> {
        let about = (approval.subject.as_str(), approval.action, approval.asked_by.as_str());
        Self::with(author, reader, about, standing)
    }

    fn with(
        author: &Author,
        reader: &mut Reader<'_>,
        (subject, action, asked_by): (&str, ApprovalAction, &str),
        standing: &Standing,
    ) -> Result<Self> {
        let owners = match &standing.owner {
            Some(owner) => meant(reader, &author.caller, owner)?,
            None => Vec::new(),
        };
        let editors = match &standing.editors {
            Some(editors) => author.people_of(reader, editors)?,
            None => author.editors_of(reader, subject)?,
        };
        Ok(Self {
            resource: Subject::of_id(subject).resource(),
            least: least_right(action),
            rule: standing.rule(action),
            owners,
            editors,
            asker: author.person_of(reader, asked_by)?,
        })
    }

    /// Why this person may not decide.
    pub(super) fn refusal(&self, person: UserId, role: Role) -> Option<ApprovalComplaint> {
        let name = person.to_string();
        let right = role.right(self.resource);
        let is_allowed = match self.rule.need {
            ApprovalNeed::None | ApprovalNeed::SecondPerson => right >= self.least,
            ApprovalNeed::Manager => right >= Right::Decide,
            ApprovalNeed::Named => self.rule.people.contains(&person),
        };
        if self.asker == name {
            Some(ApprovalComplaint::OwnRequest)
        } else if self.owners.contains(&person) {
            Some(ApprovalComplaint::Owner)
        } else if self.editors.contains(&name) {
            Some(ApprovalComplaint::Editor)
        } else {
            (!is_allowed).then_some(ApprovalComplaint::NotInPolicy)
        }
    }

    /// The people who can decide.
    pub(super) fn deciders(
        &self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
    ) -> Result<Vec<(UserId, Name)>> {
        let people = person::list(reader, scope, PageRequest::part(MOST, 0))?.items;
        let able = people
            .into_iter()
            .filter(|one| one.disabled_at.is_none() && self.refusal(one.id, one.role).is_none());
        Ok(able.map(|one| (one.id, one.name)).collect())
    }
}

/// The right of a second person. To close a finding is a step that those who write findings take; everything else is a
/// decision.
fn least_right(action: ApprovalAction) -> Right {
    if action == ApprovalAction::Close { Right::Write } else { Right::Decide }
}

impl Author {
    /// Who changed a record since its last decision, each as the person it stands for.
    fn editors_of(&self, reader: &mut Reader<'_>, subject: &str) -> Result<BTreeSet<String>> {
        let decided = rows::last_decision(reader, self.scope(), subject)?;
        let is_since = |at| decided.is_none_or(|decided| at > decided);
        let mut actors = BTreeSet::new();
        let versions = version::list(reader, self.scope(), subject, u64::from(MOST), 0)?;
        actors.extend(versions.into_iter().filter(|row| is_since(row.until)).map(|row| row.replaced_by));
        let chain = self.caller.tenant().to_string();
        let entries = audit::of_subject(reader, &chain, subject, MOST)?;
        // A comment and a retest are noted at their record, but change nothing of it.
        let changes = entries.into_iter().filter(|row| !is_remark(&row.entry.action));
        actors.extend(changes.filter(|row| is_since(row.entry.at)).map(|row| row.entry.actor));
        self.people_of(reader, &actors)
    }

    /// Each of these actors as the person it stands for.
    fn people_of<'a>(
        &self,
        reader: &mut Reader<'_>,
        actors: impl IntoIterator<Item = &'a String>,
    ) -> Result<BTreeSet<String>> {
        actors.into_iter().map(|actor| self.person_of(reader, actor)).collect()
    }

    /// The person an actor stands for, by the text that records name it with.
    pub(crate) fn person_of(&self, reader: &mut Reader<'_>, actor: &str) -> Result<String> {
        match actor.parse::<Actor>() {
            Ok(actor) => self.person(reader, actor),
            Err(_) => Ok(actor.to_owned()),
        }
    }
}

fn is_remark(action: &str) -> bool {
    action.starts_with("comment.") || action == "finding.retested"
}
