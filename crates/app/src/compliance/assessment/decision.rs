//! Decisions about assessments and the statement of applicability that need a second person: how a granted one is
//! carried out, and who changed what it is about.

use std::collections::BTreeSet;

use domain::{
    approval::{Approval, ApprovalAction, ApprovalComplaint, ApprovalDetails},
    approval_policy::ApprovedKind,
    assessment::{Assessment, AssessmentComplaint, AssessmentInput, AssessmentStatus, StatedApplicability},
    change::Change,
    framework::Framework,
    second_person::Decider,
    text::Prose,
};
use serde_json::json;
use store::{
    Reader, Tx, approval as approvals,
    assessment::{self as rows, AssessmentRow},
    audit,
};

use super::{change::current, facts, summary::ANNEX_A, untouched};
use crate::{
    Error, Result,
    approval::{ApprovalTerms, ApprovalWanted, Direct, NewApproval, made},
    author::Author,
    catalogue::{Edition, applicability::Addressee, framework::Requirement},
    records::Standing,
};

/// The id of the statement of applicability of ISO/IEC 27001 in requests for its approval.
pub const STATEMENT: &str = "statement-of-applicability";

/// How many changes of one assessment are looked at.
const MOST: u32 = 500;

/// Whether the statement of applicability has a line about the requirement.
pub(super) fn is_stated(requirement: &Requirement) -> bool {
    requirement.framework == Framework::ISO_27001 && requirement.section.starts_with(ANNEX_A)
}

/// An assessment as far as decisions about it depend on it; `None` if there is no such requirement.
pub(crate) fn standing(author: &Author, reader: &mut Reader<'_>, id: &str) -> Result<Option<Standing>> {
    let edition = author.core.edition_in(reader, author.scope())?;
    let Some(requirement) = edition.requirements.get(id) else { return Ok(None) };
    let row = rows::get(reader, author.scope(), id)?.unwrap_or_else(|| untouched(requirement));
    let policy = approvals::policy(reader, author.scope())?;
    let rules = vec![
        (ApprovalAction::Approve, policy.rule(ApprovalAction::Approve, ApprovedKind::Assessment)),
        (ApprovalAction::NotApplicable, policy.rule(ApprovalAction::NotApplicable, None)),
    ];
    Ok(Some(Standing {
        version: row.version,
        owner: row.assessment.owner,
        severity: None,
        policy,
        rules,
        editors: Some(row.assessment.editors),
    }))
}

/// The statement as far as its approval depends on it. Its version counts the changes of its lines.
pub(crate) fn statement_standing(author: &Author, reader: &mut Reader<'_>) -> Result<Standing> {
    let lines = stated(author, reader)?;
    let policy = approvals::policy(reader, author.scope())?;
    let rule = policy.rule(ApprovalAction::Approve, ApprovedKind::Statement);
    Ok(Standing {
        version: lines.iter().map(|line| line.version).sum(),
        owner: None,
        severity: None,
        policy,
        rules: vec![(ApprovalAction::Approve, rule)],
        editors: Some(author.statement_editors(reader, &lines)?),
    })
}

/// What people call an assessment: by its requirement.
pub(crate) fn name_of(author: &Author, reader: &mut Reader<'_>, id: &str) -> Result<Option<String>> {
    let edition = author.core.edition_in(reader, author.scope())?;
    let Some(requirement) = edition.requirements.get(id) else { return Ok(None) };
    let title = requirement.title.get(author.language(reader)?);
    Ok(Some(format!("{} {title}", requirement.number)))
}

/// The assessments that the statement has lines about, as far as they were ever changed.
fn stated(author: &Author, reader: &mut Reader<'_>) -> Result<Vec<AssessmentRow>> {
    let edition = author.core.edition_in(reader, author.scope())?;
    let all = rows::all(reader, author.scope(), Some(Framework::ISO_27001))?;
    let is_line = |row: &AssessmentRow| edition.requirements.get(&row.requirement).is_some_and(is_stated);
    Ok(all.into_iter().filter(is_line).collect())
}

/// Whether a change takes a requirement out of what applies.
fn leaves_out(before: &Assessment, after: &Assessment) -> bool {
    let is_out = |said: &Assessment| {
        said.status == AssessmentStatus::NotApplicable
            || said.applies.as_ref().is_some_and(|word| !word.applies)
    };
    is_out(after) && !is_out(before)
}

impl Author {
    /// Refuses to leave a requirement out where the policy wants a second person for that.
    pub(super) fn check_left_out(
        &self,
        tx: &mut Tx<'_>,
        requirement: &Requirement,
        (before, after): (&Assessment, &Assessment),
        reason: Option<&Prose>,
    ) -> Result<()> {
        if !leaves_out(before, after) {
            return Ok(());
        }
        let (policy, action) = (approvals::policy(tx, self.scope())?, ApprovalAction::NotApplicable);
        if !self.is_bound(&policy, &policy.rule(action, None)) {
            return Ok(());
        }
        let stated = after.applies.as_ref().filter(|word| !word.applies).map(|word| &word.reason);
        let reason = reason.or(stated).or(after.rationale.as_ref());
        Err(Error::ApprovalRequired(Box::new(ApprovalWanted {
            subject: requirement.id.to_string(),
            action,
            details: ApprovalDetails::new(),
            reason: reason.map(ToString::to_string),
        })))
    }

    /// Refuses a change that has left the requirement out, where nothing is decided, such as in an import.
    pub(crate) fn refuse_left_out(
        &self,
        tx: &mut Tx<'_>,
        requirement: &Requirement,
        before: &Assessment,
    ) -> Result<()> {
        if leaves_out(before, &current(tx, self.scope(), requirement)?.assessment) {
            return Err(Error::invalid("status", ApprovalComplaint::Required));
        }
        Ok(())
    }

    /// Refuses an approval by the direct route where the policy names others, or binds keys.
    pub(super) fn check_direct_approval(&self, tx: &mut Tx<'_>, requirement: &Requirement) -> Result<()> {
        let policy = approvals::policy(tx, self.scope())?;
        let rule = policy.rule(ApprovalAction::Approve, ApprovedKind::Assessment);
        if self.grants_for.is_some() || self.may_decide_directly(&policy, &rule) {
            return Ok(());
        }
        Err(ApprovalWanted::plain(&requirement.id, ApprovalAction::Approve))
    }

    /// Keeps an approval by the direct route as a decision like the others.
    pub(super) fn note_approval(
        &self,
        tx: &mut Tx<'_>,
        requirement: &Requirement,
        before: &AssessmentRow,
    ) -> Result<()> {
        let said = &before.assessment;
        let author = said.editors.last().or(said.changed_by.as_ref()).cloned().unwrap_or_default();
        let title = format!("{} {}", requirement.number, requirement.title.get(self.language(tx)?));
        let direct = Direct {
            subject: &requirement.id,
            kind: "assessment",
            version: before.version,
            action: ApprovalAction::Approve,
            asked_by: author,
            title: &title,
        };
        let approval = made(self, direct)?;
        self.create::<Approval>(tx, &NewApproval::Made(Box::new(approval))).map(|_| ())
    }

    /// What was asked about the assessment lapses when it changes, and so does what was asked about the statement.
    pub(super) fn lapse_assessment(
        &self,
        tx: &mut Tx<'_>,
        requirement: &Requirement,
        changes: &serde_json::Value,
    ) -> Result<()> {
        let id = requirement.id.to_string();
        let fields = || changes.as_object().map(|all| all.keys().cloned().collect()).unwrap_or_default();
        self.lapse(tx, &id, fields)?;
        if is_stated(requirement) { self.lapse(tx, STATEMENT, || vec![id.clone()]) } else { Ok(()) }
    }

    pub(crate) fn try_out_assessment(
        &self,
        tx: &mut Tx<'_>,
        id: &str,
        action: ApprovalAction,
        terms: &ApprovalTerms,
    ) -> Result<()> {
        let edition = self.core.edition_in(tx, self.scope())?;
        let requirement = edition.requirements.get(id).ok_or(Error::NotFound)?;
        let before = current(tx, self.scope(), requirement)?;
        if action == ApprovalAction::NotApplicable {
            let after = self.left_out(tx, (&edition, requirement), &before, terms)?;
            if leaves_out(&before.assessment, &after) {
                return Ok(());
            }
            return Err(Error::invalid("action", ApprovalComplaint::NeedsNone));
        }
        // Who decides is not known yet.
        let approved = before.assessment.approve(Decider { name: "", is_editor: false }, self.now);
        approved.map(|_| ()).map_err(|complaint| Error::invalid("subject", complaint))
    }

    pub(crate) fn decide_assessment(
        &self,
        tx: &mut Tx<'_>,
        id: &str,
        action: ApprovalAction,
        terms: &ApprovalTerms,
    ) -> Result<()> {
        let edition = self.core.edition_in(tx, self.scope())?;
        let requirement = edition.requirements.get(id).ok_or(Error::NotFound)?;
        let before = current(tx, self.scope(), requirement)?;
        if action == ApprovalAction::Approve {
            return self.approve_granted(tx, requirement, &before);
        }
        let by = self.caller.actor().to_string();
        let after = self.left_out(tx, (&edition, requirement), &before, terms)?;
        // Two people stand behind it: the one who asked is its author, the one who granted it has approved it.
        let after = after.approve(Decider { name: &by, is_editor: false }, self.now);
        let after = after.map_err(|complaint| Error::invalid("approval", complaint))?;
        let note = Some(terms.reason.clone());
        self.keep_assessment(tx, requirement, &before, after, "assessment.changed", note).map(|_| ())
    }

    fn approve_granted(
        &self,
        tx: &mut Tx<'_>,
        requirement: &Requirement,
        before: &AssessmentRow,
    ) -> Result<()> {
        let by = self.caller.actor().to_string();
        let decider = self.decider(tx, &by, &before.assessment.editors)?;
        let after = before.assessment.approve(decider, self.now);
        let after = after.map_err(|complaint| Error::invalid("approval", complaint))?;
        self.keep_assessment(tx, requirement, before, after, "assessment.approved", None).map(|_| ())
    }

    /// The assessment once the requirement is left out, in the name of the person who asked for it.
    fn left_out(
        &self,
        tx: &mut Tx<'_>,
        (edition, requirement): (&Edition, &Requirement),
        before: &AssessmentRow,
        terms: &ApprovalTerms,
    ) -> Result<Assessment> {
        if requirement.applicability.addressee == Addressee::Authority {
            return Err(Error::invalid("subject", AssessmentComplaint::OfAuthority));
        }
        let facts = facts(tx, self.scope())?;
        let by_profile = edition.verdict(requirement, &facts, self.now.day()).applies();
        let reason = || Change::Set(terms.reason.to_string());
        let input = AssessmentInput {
            status: Change::Set(AssessmentStatus::NotApplicable.as_str().to_owned()),
            rationale: reason(),
            reason: reason(),
            ..AssessmentInput::default()
        };
        let actor = self.caller.actor().to_string();
        let by = self.grants_for.as_deref().unwrap_or(&actor);
        Ok(input.change(&before.assessment, by_profile, by, self.now)?)
    }
}

/// The statement of applicability.
impl Author {
    /// Who changed a line of the statement since its last approval. To approve a line is no change of it.
    fn statement_editors(&self, reader: &mut Reader<'_>, lines: &[AssessmentRow]) -> Result<Vec<String>> {
        let decided = approvals::last_decision(reader, self.scope(), STATEMENT)?;
        let is_since = |at| decided.is_none_or(|decided| at > decided);
        let chain = self.caller.tenant().to_string();
        let mut editors = BTreeSet::new();
        for line in lines.iter().filter(|line| is_since(line.updated_at)) {
            let entries = audit::of_subject(reader, &chain, &line.requirement, MOST)?;
            let changes = entries.into_iter().map(|row| row.entry);
            let changes = changes.filter(|entry| is_since(entry.at) && entry.action != "assessment.approved");
            editors.extend(changes.map(|entry| entry.actor));
        }
        Ok(editors.into_iter().collect())
    }

    /// A statement is approved once every line of it is decided.
    pub(crate) fn try_out_statement(&self, tx: &mut Tx<'_>) -> Result<()> {
        let edition = self.core.edition_in(tx, self.scope())?;
        let lines = stated(self, tx)?;
        let facts = facts(tx, self.scope())?;
        let is_decided = |line: &&AssessmentRow| {
            let found = edition.requirements.get(&line.requirement);
            found.is_some_and(|requirement| {
                let by_profile = edition.verdict(requirement, &facts, self.now.day()).applies();
                line.assessment.stated(by_profile) != StatedApplicability::NotDecided
            })
        };
        let decided = lines.iter().filter(is_decided).count();
        let all = edition.ledger().of_framework(Framework::ISO_27001);
        let all = all.iter().filter_map(|place| edition.requirements.at(*place));
        let open = all.filter(|requirement| is_stated(requirement)).count().saturating_sub(decided);
        if open > 0 {
            return Err(Error::invalid("subject", ApprovalComplaint::NotDecided { open }));
        }
        let version = lines.iter().map(|line| line.version).sum();
        self.check_unconfirmed(tx, STATEMENT, ApprovalAction::Approve, version)
    }

    /// The approval itself says which version was approved.
    pub(crate) fn confirm_statement(&self, tx: &mut Tx<'_>) -> Result<()> {
        let version = statement_standing(self, tx)?.version;
        self.audit(tx, "statement.approved", STATEMENT, &json!({ "version": version }))
    }

    pub(crate) fn statement_name(&self, reader: &mut Reader<'_>) -> Result<String> {
        let label = ApprovedKind::Statement.label().text(self.language(reader)?);
        Ok(format!("{label} (ISO/IEC 27001)"))
    }
}
