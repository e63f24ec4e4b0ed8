//! What a decision can be about: a record of any kind, an assessment, the statement of applicability, or a management
//! review.

use domain::{
    approval::{ApprovalAction, ApprovalComplaint},
    key_limits::Verb,
    period_report::PeriodReportId,
    right::{Resource, Right},
};
use store::{Reader, Tx};

use super::ApprovalTerms;
use crate::{
    Approvals, Error, Result,
    assessment::{self, STATEMENT},
    author::Author,
    authz::Caller,
    period_report::{self, MANAGEMENT_REVIEW},
    records::{AnyKind, KINDS, Standing, any},
};

/// The kind of what is decided about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Subject {
    Record(&'static AnyKind),
    /// By the id of its requirement.
    Assessment,
    /// Of ISO/IEC 27001.
    Statement,
    /// A management review, by the id of its report, or all of its versions by their name.
    Review,
}

impl Subject {
    /// The kind of the subject with this id. Whether it exists is known when it is read.
    pub(crate) fn of_id(id: &str) -> Self {
        match AnyKind::of_id(id) {
            Some(kind) => Self::Record(kind),
            None if id == STATEMENT => Self::Statement,
            None if id == MANAGEMENT_REVIEW || id.parse::<PeriodReportId>().is_ok() => Self::Review,
            None => Self::Assessment,
        }
    }

    /// The noun of the kind.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Record(kind) => kind.noun,
            Self::Assessment => "assessment",
            Self::Statement => "statement_of_applicability",
            Self::Review => "management_review",
        }
    }

    /// The noun by which the scopes of a key name it.
    pub(super) fn scoped_noun(self) -> &'static str {
        match self {
            Self::Record(kind) => kind.noun,
            Self::Assessment | Self::Statement => "assessment",
            Self::Review => "management_review",
        }
    }

    pub(super) fn resource(self) -> Resource {
        match self {
            Self::Record(kind) => kind.resource,
            Self::Assessment | Self::Statement => Resource::Assessments,
            Self::Review => Resource::Reports,
        }
    }

    /// Refuses a caller who may not read what is decided about.
    pub(crate) fn require_reader(self, caller: &Caller) -> Result<()> {
        if !caller.has(self.resource(), Right::Read) {
            return Err(Error::NotFound);
        }
        caller.require_noun(self.scoped_noun(), Verb::Read)
    }

    /// What can be decided about it.
    pub(super) fn actions(self) -> Vec<ApprovalAction> {
        match self {
            Self::Record(kind) => kind.actions(),
            Self::Assessment => vec![ApprovalAction::Approve, ApprovalAction::NotApplicable],
            Self::Statement | Self::Review => vec![ApprovalAction::Approve],
        }
    }

    /// Refuses a decision that is not about such records, and details that do not belong to it.
    pub(super) fn check_action(self, action: ApprovalAction, details: &[&str]) -> Result<()> {
        let actions = self.actions();
        if !actions.contains(&action) {
            let actions = actions.iter().map(|action| action.as_str()).collect::<Vec<_>>().join(", ");
            return Err(Error::invalid("action", ApprovalComplaint::NotOfThisKind { actions }));
        }
        let names = match self {
            Self::Record(kind) => kind.detail_names(action),
            Self::Assessment | Self::Statement | Self::Review => &[],
        };
        if details.iter().all(|name| names.contains(name)) {
            return Ok(());
        }
        Err(Error::invalid(
            "details",
            if names.is_empty() {
                ApprovalComplaint::NoDetails
            } else {
                ApprovalComplaint::Details { names: names.join(", ") }
            },
        ))
    }

    /// The record as far as decisions about it depend on it, read once.
    pub(super) fn standing(
        self,
        author: &Author,
        reader: &mut Reader<'_>,
        id: &str,
    ) -> Result<Option<Standing>> {
        match self {
            Self::Record(kind) => kind.standing(author, reader, id),
            Self::Assessment => assessment::standing(author, reader, id),
            Self::Statement => assessment::statement_standing(author, reader).map(Some),
            Self::Review => period_report::review_standing(author, reader, id),
        }
    }

    /// Judges a decision and stores nothing.
    pub(super) fn try_out(
        self,
        author: &Author,
        tx: &mut Tx<'_>,
        id: &str,
        action: ApprovalAction,
        terms: &ApprovalTerms,
    ) -> Result<()> {
        match self {
            Self::Record(kind) => kind.try_out(author, tx, id, action, terms),
            Self::Assessment => author.try_out_assessment(tx, id, action, terms),
            Self::Statement => author.try_out_statement(tx),
            Self::Review => author.try_out_review(tx, id),
        }
    }

    /// Carries out a decision that was granted.
    pub(super) fn decide(
        self,
        author: &Author,
        tx: &mut Tx<'_>,
        id: &str,
        action: ApprovalAction,
        terms: &ApprovalTerms,
    ) -> Result<()> {
        match self {
            Self::Record(kind) => kind.decide(author, tx, id, action, terms),
            Self::Assessment => author.decide_assessment(tx, id, action, terms),
            Self::Statement => author.confirm_statement(tx),
            Self::Review => author.confirm_review(tx, id),
        }
    }

    /// What people call it; `None` if there is no such record.
    pub(super) fn name(self, author: &Author, reader: &mut Reader<'_>, id: &str) -> Result<Option<String>> {
        match self {
            Self::Record(_) => any::name_of(reader, author.scope(), id),
            Self::Assessment => assessment::name_of(author, reader, id),
            Self::Statement => author.statement_name(reader).map(Some),
            Self::Review => period_report::review_name(author, reader, id),
        }
    }
}

/// Everything that can be decided about.
fn all() -> impl Iterator<Item = Subject> {
    KINDS.iter().map(Subject::Record).chain([Subject::Assessment, Subject::Statement, Subject::Review])
}

/// Refuses a caller who may not read everything that can be decided about.
pub(crate) fn require_all_kinds(caller: &Caller) -> Result<()> {
    all().try_for_each(|subject| caller.require_noun(subject.scoped_noun(), Verb::Read))
}

/// The nouns of the kinds whose approvals a caller sees, each between commas; `None` for all.
pub(super) fn kinds_shown_to(caller: &Caller) -> Option<String> {
    let is_shown = |subject: &Subject| subject.require_reader(caller).is_ok();
    if all().all(|subject| is_shown(&subject)) {
        return None;
    }
    let nouns: Vec<_> = all().filter(is_shown).map(Subject::noun).collect();
    Some(format!(",{},", nouns.join(",")))
}

impl Approvals {
    /// What people call the subject of a decision; `None` if there is none that the caller may read.
    pub async fn name_of_subject(&self, caller: &Caller, id: String) -> Result<Option<String>> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            if any::is_reached(reader, &author.caller, &id)? {
                Subject::of_id(&id).name(&author, reader, &id)
            } else {
                Ok(None)
            }
        };
        self.db.tenant(caller.scope()).read(read).await
    }
}
