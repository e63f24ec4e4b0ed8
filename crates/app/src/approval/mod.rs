//! Approvals: decisions that need a second person are asked for, decided by people whom the policy allows, and carried
//! out in the transaction that grants them.

mod decide;
mod document;
mod hand_over;
mod panel;
mod policy;
mod subject;

use std::{convert::Infallible, fmt::Display};

use domain::{
    approval::{
        Approval, ApprovalAction, ApprovalComplaint, ApprovalDetails, ApprovalInput, ApprovalState,
        ApprovalWish,
    },
    id::UserId,
    inbox::Reason,
    key_limits::Verb,
    moment::Day,
    right::{Resource, Right},
    text::{Name, Prose},
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, approval as rows};

pub use self::decide::{ApprovalDecision, ApprovedVersion};
use self::panel::Panel;
pub(crate) use self::subject::{Subject, require_all_kinds};
use crate::{
    Approvals, Core, Error, Result,
    author::Author,
    authz::Caller,
    inbox::About,
    records::{RecordKind, RecordRequest, Standing},
    words::{Kind, Texts},
};

pub use store::approval::{ApprovalFilter, ApprovalRow};

/// What an approval says about how its action is carried out.
#[derive(Debug, Clone)]
pub struct ApprovalTerms {
    pub reason: Prose,
    /// The last day of an acceptance.
    pub until: Option<Day>,
    pub details: ApprovalDetails,
}

/// A decision that has to be asked for, as it can be sent to ask for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalWanted {
    pub subject: String,
    pub action: ApprovalAction,
    pub details: ApprovalDetails,
    /// What the caller said about the decision, if anything.
    pub reason: Option<String>,
}

impl ApprovalWanted {
    /// The error of a decision without details.
    pub(crate) fn plain(subject: impl Display, action: ApprovalAction) -> Error {
        let (subject, details) = (subject.to_string(), ApprovalDetails::new());
        Error::ApprovalRequired(Box::new(Self { subject, action, details, reason: None }))
    }
}

/// A new approval. A request is not changed: it is decided, withdrawn, or asked anew.
#[derive(Debug, Clone)]
pub enum NewApproval {
    Ask(ApprovalInput),
    /// A decision that a second person made by the direct route of the record.
    Made(Box<Approval>),
}

/// What is asked of a person about an approval, and who else can decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalView {
    pub row: ApprovalRow,
    /// The people whom the policy allows to decide, while nothing is decided.
    pub deciders: Vec<(UserId, Name)>,
    /// Why the caller may not decide; `None` if they may.
    pub refusal: Option<ApprovalComplaint>,
    /// Whether the caller asked for it.
    pub is_own: bool,
}

impl From<ApprovalInput> for NewApproval {
    fn from(input: ApprovalInput) -> Self {
        Self::Ask(input)
    }
}

impl RecordKind for Approval {
    type Input = ApprovalInput;
    type New = NewApproval;
    type Change = Infallible;
    type View = ApprovalRow;

    const NOUN: &'static str = "approval";
    const LIST: &'static str = "approvals";
    const WORDS: Kind = Kind::new('k');
    const FOUND: Option<&'static str> = Some("approval");
    const RESOURCE: Resource = Resource::Approvals;
    const OWN_FIELDS: bool = false;

    /// An approval shows contents of its record.
    fn shown_to(filter: ApprovalFilter, caller: &Caller) -> ApprovalFilter {
        ApprovalFilter { kinds: subject::kinds_shown_to(caller), ..filter }
    }

    fn check_reader(&self, caller: &Caller) -> Result<()> {
        Subject::of_id(self.subject.as_str()).require_reader(caller)
    }

    fn create(author: &Author, tx: &mut Tx<'_>, new: &NewApproval) -> Result<Self> {
        match new {
            NewApproval::Ask(input) => author.asked(tx, input.read(author.now.day())?),
            NewApproval::Made(record) => Ok((**record).clone()),
        }
    }

    fn change(_: &Author, _: &mut Tx<'_>, _: &ApprovalRow, change: &Infallible) -> Result<Self> {
        match *change {}
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.state.as_str())
    }

    fn fields(&self) -> Value {
        json!({
            "subject": self.subject.as_str(),
            "kind": self.kind,
            "title": self.title.as_str(),
            "subject_version": self.subject_version,
            "action": self.action,
            "state": self.state,
            "asked_by": self.asked_by,
            "reason": self.reason.as_str(),
            "until": self.until,
            "details": self.details,
            "direct": self.is_direct,
            "approvers": self.approvers,
            "decided_by": self.decided_by,
            "decided_at": self.decided_at,
            "note": self.note.as_ref().map(Prose::as_str),
            "changed": self.changed,
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        // What stands for the reason of a direct decision is no text of a person.
        let body = [Some(&self.reason).filter(|_| !self.is_direct), self.note.as_ref()];
        Texts {
            heading: vec![self.title.as_str().into()],
            body: body.into_iter().flatten().map(Prose::as_str).collect(),
        }
    }

    fn search_text(filter: &ApprovalFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        _: &Core,
        _: &mut Reader<'_>,
        _: &TenantScope,
        rows: Vec<ApprovalRow>,
    ) -> Result<Vec<ApprovalRow>> {
        Ok(rows)
    }

    fn row(view: &ApprovalRow) -> &ApprovalRow {
        view
    }

    fn created(author: &Author, tx: &mut Tx<'_>, row: &ApprovalRow) -> Result<()> {
        if row.record.state == ApprovalState::Asked { author.ask_people(tx, row) } else { Ok(()) }
    }

    /// What was decided stays.
    fn release(_: &Author, _: &mut Tx<'_>, row: &ApprovalRow) -> Result<()> {
        Err(Error::invalid(
            "approval",
            ApprovalComplaint::NotAsked { state: domain::vocabulary::Word::of(row.record.state) },
        ))
    }
}

impl RecordRequest<Approval> for NewApproval {
    fn note(&self) -> Option<Prose> {
        match self {
            Self::Ask(input) => input.reason.as_note(),
            Self::Made(_) => None,
        }
    }
}

impl Author {
    /// The request, if the caller may ask for it and the policy wants it to be asked for.
    fn asked(&self, tx: &mut Tx<'_>, wish: ApprovalWish) -> Result<Approval> {
        let (id, no_record) =
            (wish.subject.as_str(), || Error::invalid("subject", ApprovalComplaint::NoSuchRecord));
        let subject = Subject::of_id(id);
        self.caller.require_noun(subject.scoped_noun(), Verb::Write)?;
        self.caller.require_right(subject.resource(), Right::Own)?;
        let standing = subject.standing(self, tx, id)?.ok_or_else(no_record)?;
        self.require_owner(tx, subject.resource(), standing.owner.as_ref())?;
        let details: Vec<&str> = wish.details.keys().map(String::as_str).collect();
        subject.check_action(wish.action, &details)?;
        if !standing.rule(wish.action).is_needed() {
            return Err(Error::invalid("action", ApprovalComplaint::NeedsNone));
        }
        if rows::asked(tx, self.scope(), id)?.iter().any(|row| row.record.action == wish.action) {
            return Err(Error::invalid("subject", ApprovalComplaint::AskedAlready));
        }
        self.check_term(&standing, wish.until)?;
        let terms =
            ApprovalTerms { reason: wish.reason.clone(), until: wish.until, details: wish.details.clone() };
        // A request that could not be carried out is refused here, not when it is granted.
        let mut trial = self.granting(&self.caller.actor().to_string());
        trial.is_trial = true;
        subject.try_out(&trial, tx, id, wish.action, &terms)?;
        let title = subject.name(self, tx, id)?.unwrap_or_else(|| id.to_owned());
        let asked = Approval {
            subject: wish.subject.clone(),
            kind: subject.noun().to_owned(),
            title: Name::fitted(&title).unwrap_or_else(|| wish.subject.clone()),
            subject_version: standing.version,
            action: wish.action,
            state: ApprovalState::Asked,
            asked_by: self.caller.actor().to_string(),
            reason: wish.reason,
            until: wish.until,
            details: wish.details,
            is_direct: false,
            approvers: wish.approvers,
            decided_by: None,
            decided_at: None,
            note: None,
            changed: Vec::new(),
        };
        self.check_approvers(tx, &asked, &standing)?;
        Ok(asked)
    }

    /// Refuses an acceptance that lasts longer than the policy allows.
    fn check_term(&self, standing: &Standing, until: Option<Day>) -> Result<()> {
        let (Some(until), Some(severity)) = (until, standing.severity) else { return Ok(()) };
        let latest = standing.policy.latest(severity, self.now.day());
        if until <= latest {
            Ok(())
        } else {
            Err(Error::invalid("until", ApprovalComplaint::TooLong { latest }))
        }
    }

    fn check_approvers(&self, tx: &mut Tx<'_>, asked: &Approval, standing: &Standing) -> Result<()> {
        if asked.approvers.is_empty() {
            return Ok(());
        }
        let panel = Panel::from_standing(self, tx, asked, standing)?;
        let able = panel.deciders(tx, self.scope())?;
        for person in &asked.approvers {
            if !able.iter().any(|(id, _)| id == person) {
                let known = store::user::get(tx, self.scope(), *person)?;
                let name = known.map_or_else(|| person.to_string(), |(person, _)| person.name.to_string());
                return Err(Error::invalid("approvers", ApprovalComplaint::CannotDecide { name }));
            }
        }
        Ok(())
    }

    /// The people who can decide, or those among them who were named, get a notice, and the request is on their lists.
    fn ask_people(&self, tx: &mut Tx<'_>, row: &ApprovalRow) -> Result<()> {
        let people: Vec<UserId> = if row.record.approvers.is_empty() {
            let panel = Panel::of(self, tx, &row.record)?;
            panel.deciders(tx, self.scope())?.into_iter().map(|(id, _)| id).collect()
        } else {
            row.record.approvers.clone()
        };
        for person in people {
            rows::wait(tx, self.scope(), row.id, person)?;
            self.notify(tx, person, Reason::ApprovalWanted, &about(row))?;
        }
        Ok(())
    }

    /// Everything that was asked about a record lapses when the record changes.
    pub(crate) fn lapse(
        &self,
        tx: &mut Tx<'_>,
        subject: &str,
        changed: impl FnOnce() -> Vec<String>,
    ) -> Result<()> {
        let asked = rows::asked(tx, self.scope(), subject)?;
        if asked.is_empty() {
            return Ok(());
        }
        let changed = changed();
        for before in asked {
            let lapsed = before.record.lapsed(changed.clone(), self.now);
            let lapsed = lapsed.map_err(|complaint| Error::invalid("approval", complaint))?;
            self.settle(tx, &before, lapsed, "approval.lapsed")?;
        }
        Ok(())
    }

    /// Stores a decision, takes the request off all lists and gives a notice to who asked.
    fn settle(&self, tx: &mut Tx<'_>, before: &ApprovalRow, after: Approval, action: &str) -> Result<()> {
        let note = after.note.clone();
        let state = after.state;
        let after = self.replace(tx, before, after, note)?;
        let detail =
            json!({ "state": [before.record.state, state], "subject": after.record.subject.as_str() });
        self.audit(tx, action, after.id, &detail)?;
        rows::forget_waits(tx, self.scope(), after.id)?;
        match (state, self.person_of(tx, &after.record.asked_by)?.parse::<UserId>()) {
            (ApprovalState::Withdrawn, _) | (_, Err(_)) => Ok(()),
            (_, Ok(asker)) => self.notify(tx, asker, Reason::ApprovalDecided, &about(&after)),
        }
    }
}

/// What notices say of a request.
fn about(row: &ApprovalRow) -> About {
    let whole = row.record.title.as_str();
    let (reference, title) = match whole.split_once(' ') {
        Some((first, rest)) if first.contains('-') => (Some(first), rest),
        _ => (None, whole),
    };
    About {
        subject: row.id.to_string(),
        version: row.version,
        kind: "approvals",
        reference: reference.map(str::to_owned),
        title: title.to_owned(),
        due: None,
    }
}

impl Approvals {
    /// How many requests wait for the caller's decision.
    pub async fn approvals_waiting(&self, caller: &Caller) -> Result<u64> {
        let domain::actor::Actor::User(person) = caller.actor() else { return Ok(0) };
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| rows::waiting_for(reader, &scope, person);
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }
}

/// A decision that a second person made on the page of the record or by its direct route.
#[derive(Debug)]
pub(crate) struct Direct<'d> {
    pub(crate) subject: &'d str,
    pub(crate) kind: &'static str,
    /// The version that was decided about.
    pub(crate) version: i64,
    pub(crate) action: ApprovalAction,
    /// Who proposed what was decided.
    pub(crate) asked_by: String,
    pub(crate) title: &'d str,
}

/// The approval of a decision that was made directly. It has no reason of its own; what is stored as one is shown to
/// people in their language.
pub(crate) fn made(author: &Author, direct: Direct<'_>) -> Result<Approval> {
    let Direct { subject, kind, version, action, asked_by, title } = direct;
    let subject = Name::parse(subject).map_err(|error| Error::internal(error.to_string()))?;
    let reason = Prose::parse(action.label().en).map_err(|error| Error::internal(error.to_string()))?;
    Ok(Approval {
        kind: kind.to_owned(),
        title: Name::fitted(title).unwrap_or_else(|| subject.clone()),
        subject_version: version,
        action,
        state: ApprovalState::Granted,
        asked_by,
        reason,
        subject,
        until: None,
        details: ApprovalDetails::new(),
        is_direct: true,
        approvers: Vec::new(),
        decided_by: Some(author.caller.actor().to_string()),
        decided_at: Some(author.now),
        note: None,
        changed: Vec::new(),
    })
}
