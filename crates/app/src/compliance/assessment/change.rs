//! Changing assessments: one, many at once, approving, and carrying an answer over to a related requirement.

use domain::{
    approval::ApprovalComplaint,
    assessment::{Assessment, AssessmentComplaint, AssessmentInput, CarriedFrom},
    change::Change,
    right::{Resource, Right},
    text::{Name, Prose},
};
use store::{
    Revision, TenantScope, Tx,
    assessment::{self as rows, AssessmentRow},
    version::{self, VersionRow},
};

use super::{AssessmentView, detail, facts, unconfirmed_since, untouched, version::fields};
use crate::{
    Compliance, Error, Result,
    author::Author,
    authz::Caller,
    catalogue::{Edition, applicability::Addressee, framework::Requirement},
    change_log::difference,
    history::Detail,
    pages::Precondition,
};

/// The maximum number of assessments changed at once.
pub const MOST_AT_ONCE: usize = 200;

impl Compliance {
    pub async fn change_assessment(
        &self,
        caller: &Caller,
        requirement: &str,
        input: AssessmentInput,
        precondition: Precondition,
    ) -> Result<(Detail<AssessmentView>, Revision)> {
        let change = move |author: &Author, tx: &mut Tx<'_>, edition: &Edition, found: &Requirement| {
            author.reassess(tx, edition, found, &input, &precondition)
        };
        self.with_assessment((caller, Right::Own), requirement, change).await
    }

    /// Approves an assessment that other people have changed since its last approval.
    pub async fn approve_assessment(
        &self,
        caller: &Caller,
        requirement: &str,
        precondition: Precondition,
    ) -> Result<(Detail<AssessmentView>, Revision)> {
        let change = move |author: &Author, tx: &mut Tx<'_>, _: &Edition, found: &Requirement| {
            author.approve(tx, found, &precondition)
        };
        self.with_assessment((caller, Right::Decide), requirement, change).await
    }

    /// Copies the answer to a related requirement, with its source.
    pub async fn carry_assessment(
        &self,
        caller: &Caller,
        from: &str,
        to: &str,
    ) -> Result<(Detail<AssessmentView>, Revision)> {
        let from = from.to_owned();
        let change = move |author: &Author, tx: &mut Tx<'_>, edition: &Edition, found: &Requirement| {
            author.carry(tx, edition, &from, found)
        };
        self.with_assessment((caller, Right::Own), to, change).await
    }

    async fn with_assessment(
        &self,
        (caller, right): (&Caller, Right),
        requirement: &str,
        change: impl Fn(&Author, &mut Tx<'_>, &Edition, &Requirement) -> Result<bool> + Send + 'static,
    ) -> Result<(Detail<AssessmentView>, Revision)> {
        caller.require_right(Resource::Assessments, right)?;
        let edition = self.edition_of(caller).await?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let id = requirement.to_owned();
        let write = move |tx: &mut Tx<'_>| {
            let found = edition.requirements.get(&id).ok_or(Error::NotFound)?;
            if !change(&author, tx, &edition, found)? {
                return Ok::<_, Error>(None);
            }
            let detail = detail(&edition, tx, &scope, &id, author.now.day())?;
            Ok(tx.revision().map(|revision| (detail, Revision(revision))))
        };
        match self.db.tenant(&scope).write(write).await? {
            Some(changed) => Ok(changed),
            None => self.assessment(caller, requirement).await,
        }
    }

    /// Changes many in one transaction and returns the number of changes.
    pub async fn change_assessments(
        &self,
        caller: &Caller,
        requirements: Vec<String>,
        input: AssessmentInput,
    ) -> Result<u64> {
        caller.require_right(Resource::Assessments, Right::Own)?;
        if requirements.is_empty() || requirements.len() > MOST_AT_ONCE {
            let most = MOST_AT_ONCE;
            return Err(Error::invalid("requirements", AssessmentComplaint::BulkSize { most }));
        }
        input.says_something()?;
        let (edition, author) = (self.edition_of(caller).await?, Author::new(self, caller));
        let write = move |tx: &mut Tx<'_>| {
            let mut changed = 0;
            for id in &requirements {
                let found = edition.requirements.get(id).ok_or(Error::NotFound)?;
                let reassessed = author.reassess(tx, &edition, found, &input, &Precondition::None);
                changed += u64::from(reassessed.map_err(|error| match error {
                    // Each is asked for by itself, on its own page.
                    Error::ApprovalRequired(_) => Error::invalid("status", ApprovalComplaint::Required),
                    other => other,
                })?);
            }
            Ok::<_, Error>(changed)
        };
        self.db.tenant(caller.scope()).write(write).await
    }
}

pub(super) fn current(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    requirement: &Requirement,
) -> Result<AssessmentRow> {
    Ok(rows::get(tx, scope, &requirement.id)?.unwrap_or_else(|| untouched(requirement)))
}

impl Author {
    /// Returns whether anything changed.
    pub(crate) fn reassess(
        &self,
        tx: &mut Tx<'_>,
        edition: &Edition,
        requirement: &Requirement,
        input: &AssessmentInput,
        precondition: &Precondition,
    ) -> Result<bool> {
        let before = current(tx, self.scope(), requirement)?;
        self.require_owner(tx, Resource::Assessments, before.assessment.owner.as_ref())?;
        self.core.check_match(precondition, before.version)?;
        let facts = facts(tx, self.scope())?;
        let by_profile = edition.verdict(requirement, &facts, self.now.day()).applies();
        if requirement.applicability.addressee == Addressee::Authority {
            return Err(Error::invalid("requirement", AssessmentComplaint::OfAuthority));
        }
        let by = self.caller.actor().to_string();
        let mut after = input.change(&before.assessment, by_profile, &by, self.now)?;
        // A judgement that is sent again confirms it; a new owner or day alone does not.
        let is_judged = matches!(input.status, Change::Set(_));
        if is_judged && unconfirmed_since(edition, &requirement.id, &after, self.now.day()).is_some() {
            after = after.confirm(&by, self.now);
        }
        let note = input.reason.as_note();
        self.check_left_out(tx, requirement, (&before.assessment, &after), note.as_ref())?;
        self.keep_assessment(tx, requirement, &before, after, "assessment.changed", note)
    }

    /// Changes the owner of an assessment. Its content stays the same, so its approval remains valid.
    pub(crate) fn hand_over_assessment(&self, tx: &mut Tx<'_>, requirement: &str, heir: &Name) -> Result<()> {
        let edition = self.core.edition_in(tx, self.scope())?;
        // What is said about a requirement that the catalogue no longer has is not shown to anyone.
        let Some(requirement) = edition.requirements.get(requirement) else { return Ok(()) };
        let before = current(tx, self.scope(), requirement)?;
        let after = Assessment { owner: Some(heir.clone()), ..before.assessment.clone() };
        self.keep_assessment(tx, requirement, &before, after, "assessment.changed", None)?;
        Ok(())
    }

    fn approve(
        &self,
        tx: &mut Tx<'_>,
        requirement: &Requirement,
        precondition: &Precondition,
    ) -> Result<bool> {
        let before = current(tx, self.scope(), requirement)?;
        self.core.check_match(precondition, before.version)?;
        if self.can_be_owner(tx, before.assessment.owner.as_ref())? {
            return Err(Error::invalid("assessment", AssessmentComplaint::Owner));
        }
        self.require_decider(tx)?;
        self.check_direct_approval(tx, requirement)?;
        let by = self.caller.actor().to_string();
        let decider = self.decider(tx, &by, &before.assessment.editors)?;
        let after = before.assessment.approve(decider, self.now);
        let after = after.map_err(|complaint| Error::invalid("assessment", complaint))?;
        let changed = self.keep_assessment(tx, requirement, &before, after, "assessment.approved", None)?;
        if changed {
            self.note_approval(tx, requirement, &before)?;
        }
        Ok(changed)
    }

    fn carry(&self, tx: &mut Tx<'_>, edition: &Edition, from: &str, to: &Requirement) -> Result<bool> {
        let related = edition.related_to(&to.id).find(|related| &*related.requirement.id == from);
        let related = related.ok_or_else(|| Error::invalid("from", AssessmentComplaint::NotRelated))?;
        let source = current(tx, self.scope(), related.requirement)?;
        let before = current(tx, self.scope(), to)?;
        self.require_owner(tx, Resource::Assessments, before.assessment.owner.as_ref())?;
        let carried =
            CarriedFrom { requirement: from.to_owned(), crosswalk: related.crosswalk.id.to_string() };
        let by = self.caller.actor().to_string();
        let after = source.assessment.carry_to(&before.assessment, carried, &by, self.now);
        let after = after.map_err(|complaint| Error::invalid("from", complaint))?;
        let note = Prose::fitted(&format!(
            "{}: {}",
            related.requirement.id,
            related.crosswalk.title.get(self.language(tx)?)
        ));
        self.check_left_out(tx, to, (&before.assessment, &after), None)?;
        self.keep_assessment(tx, to, &before, after, "assessment.carried", note)
    }

    /// Stores the current assessment, and the previous one as a version.
    pub(super) fn keep_assessment(
        &self,
        tx: &mut Tx<'_>,
        requirement: &Requirement,
        before: &AssessmentRow,
        after: Assessment,
        action: &str,
        note: Option<Prose>,
    ) -> Result<bool> {
        if after == before.assessment {
            return Ok(false);
        }
        let (scope, id) = (self.scope(), &*requirement.id);
        let changes = difference(&fields(&before.assessment), &fields(&after));
        let (from, to) = (before.assessment.status, after.status);
        let is_new = before.version == 0;
        let row = AssessmentRow {
            requirement: id.to_owned(),
            assessment: after,
            version: before.version + 1,
            created_at: if is_new { self.now } else { before.created_at },
            updated_at: self.now,
        };
        if is_new {
            rows::insert(tx, scope, requirement.framework, &row)?;
        } else {
            if !rows::update(tx, scope, before.version, &row)? {
                return Err(Error::Stale);
            }
            let earlier = VersionRow {
                version: before.version,
                from: before.updated_at,
                until: self.now,
                replaced_by: self.caller.actor().to_string(),
                content: fields(&before.assessment).to_string(),
            };
            version::keep(tx, scope, id, &earlier, None)?;
        }
        if from != to || note.is_some() {
            let earlier = (!is_new).then(|| from.as_str());
            self.note_status(tx, id, earlier, to.as_str(), note)?;
        }
        self.audit(tx, action, id, &changes)?;
        self.lapse_assessment(tx, requirement, &changes)?;
        Ok(true)
    }
}
