//! Filings: the register is frozen as a package, and submitted by a second person.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{
    approval::ApprovalAction,
    approval_policy::{ApprovalPolicy, ApprovalRule},
    change::Change,
    id::RegisterFilingId,
    page::PageRequest,
    register::filing::ProblemFilter,
    register_filing::{
        Asker, FeedbackRead, FilingWish, Freezing, FrozenPackage, RegisterFiling, RegisterFilingComplaint,
        RegisterFilingInput, RegisterFilingStatus,
    },
    right::{Resource, Right},
    text::{Name, Prose},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use store::{
    Reader, Revision, TenantScope, Tx, record, register as tables,
    register_filing::{self as rows, FeedbackLine},
};

pub(crate) use super::difference::Compared;
use super::{export, row::reported};
use crate::{
    Core, Error, Result, ThirdParties,
    approval::ApprovalTerms,
    author::Author,
    authz::Caller,
    costly::WorkContext,
    history::Detail,
    idempotency::{Creation, Idempotency},
    pages::Precondition,
    records::{Announced, RecordKind, RecordRequest, RecordRow},
    words::{Kind, Texts},
};

pub use store::register_filing::{RegisterFilingFilter, RegisterFilingRow};

/// A frozen package with its stored bytes.
#[derive(Debug, Clone)]
pub struct Frozen {
    freezing: Freezing,
    content: String,
}

/// A new filing with its frozen package.
#[derive(Debug)]
pub struct NewRegisterFiling {
    input: RegisterFilingInput,
    frozen: Frozen,
}

/// The changes that requests make to a filing.
#[derive(Debug, Clone)]
pub enum RegisterFilingChange {
    /// With the frozen package, if the filing becomes a draft again.
    Fields(RegisterFilingInput, Option<Box<Frozen>>),
    /// The authority's feedback on an edition.
    Feedback(u32, Vec<FeedbackLine>),
}

/// The bytes of a package.
#[derive(Debug, Clone)]
pub struct FiledPackage {
    pub frozen: FrozenPackage,
    pub bytes: Vec<u8>,
}

impl RecordKind for RegisterFiling {
    type Input = RegisterFilingInput;
    type New = NewRegisterFiling;
    type Change = RegisterFilingChange;
    type View = RegisterFilingRow;

    const NOUN: &'static str = "register_filing";
    const LIST: &'static str = "register_filings";
    const WORDS: Kind = Kind::new('g');
    const RESOURCE: Resource = Resource::Register;
    const OWN_FIELDS: bool = false;
    const CORRECTS: bool = true;

    const DECISIONS: &'static [ApprovalAction] = &[ApprovalAction::Submit];

    fn decision(action: ApprovalAction, _: &ApprovalTerms) -> Option<RegisterFilingChange> {
        let status = Change::Set(RegisterFilingStatus::Submitted.as_str().to_owned());
        let input = RegisterFilingInput { status, ..RegisterFilingInput::default() };
        (action == ApprovalAction::Submit).then_some(RegisterFilingChange::Fields(input, None))
    }

    fn decided(before: &Self, after: &Self) -> Option<ApprovalAction> {
        let submits = after.submission.is_some() && after.submission != before.submission;
        submits.then_some(ApprovalAction::Submit)
    }

    /// One person freezes the register, and another one submits it.
    fn proposed_by(&self) -> Option<String> {
        Some(self.frozen.by.clone())
    }

    fn rule(
        &self,
        _: &Author,
        _: &mut Reader<'_>,
        policy: &ApprovalPolicy,
        action: ApprovalAction,
    ) -> Result<ApprovalRule> {
        Ok(policy.rule(action, None))
    }

    fn create(author: &Author, tx: &mut Tx<'_>, new: &NewRegisterFiling) -> Result<Self> {
        let NewRegisterFiling { input, frozen } = new;
        let filing = input.create(&frozen.freezing)?;
        keep(author, tx, frozen)?;
        Ok(filing)
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &RegisterFilingRow,
        change: &RegisterFilingChange,
    ) -> Result<Self> {
        let current = &before.record;
        match change {
            RegisterFilingChange::Fields(input, frozen) => {
                // The filing was refused after it had been read.
                if input.freezes_again(current) && frozen.is_none() {
                    return Err(Error::Stale);
                }
                let name = author.caller.actor().to_string();
                let froze = [current.frozen.by.clone()];
                let is_editor = author.decider(tx, &name, &froze)?.is_editor;
                let asker = Asker { name: &name, now: author.now, is_editor };
                let package = frozen.as_ref().map(|frozen| &frozen.freezing.package);
                let after = input.change(current, asker, package)?;
                if after.submission != current.submission && after.submission.is_some() {
                    author.require_decider(tx)?;
                }
                if let Some(frozen) = frozen {
                    keep(author, tx, frozen)?;
                }
                Ok(after)
            }
            RegisterFilingChange::Feedback(edition, lines) => {
                if *edition != current.frozen.edition {
                    return Err(Error::Stale);
                }
                rows::put_feedback(tx, author.scope(), before.id, *edition, lines)?;
                let placed = lines.iter().filter(|line| line.row_number.is_some()).count() as u64;
                let read = FeedbackRead { at: author.now, lines: lines.len() as u64, placed };
                Ok(Self { feedback: Some(read), ..current.clone() })
            }
        }
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn submitted(before: &Self, after: &Self) -> Vec<Value> {
        super::correct::submitted(before, after).into_iter().collect()
    }

    fn fields(&self) -> Value {
        json!({
            "scope": self.scope,
            "reference_date": self.reference_date,
            "country": self.country.as_str(),
            "status": self.status,
            "owner": self.owner.as_ref().map(Name::as_str),
            "due_on": self.due_on,
            "edition": self.frozen.edition,
            "file_name": self.frozen.name,
            "sha256": self.frozen.sha256,
            "rows": self.frozen.rows,
            "problems": {
                "refused": self.frozen.problems.refused,
                "noted": self.frozen.problems.noted,
                "advice": self.frozen.problems.advice,
            },
            "frozen_at": self.frozen.at,
            "frozen_by": self.frozen.by,
            "submitted_at": self.submission.as_ref().map(|sent| sent.at),
            "submitted_by": self.submission.as_ref().map(|sent| sent.by.clone()),
            "submission_reference":
                self.submission.as_ref().and_then(|sent| sent.reference.as_ref()).map(Name::as_str),
            "feedback_lines": self.feedback.as_ref().map(|read| read.lines),
        })
    }

    /// Filings are reached through the register and are not in the full-text index.
    fn texts(&self) -> Texts<'_> {
        Texts::default()
    }

    fn search_text(_: &RegisterFilingFilter) -> Option<&str> {
        None
    }

    fn views(
        _: &Core,
        _: &mut Reader<'_>,
        _: &TenantScope,
        rows: Vec<RegisterFilingRow>,
    ) -> Result<Vec<RegisterFilingRow>> {
        Ok(rows)
    }

    fn row(view: &RegisterFilingRow) -> &RegisterFilingRow {
        view
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        let owner = Change::Set(heir.to_string());
        let input = RegisterFilingInput { owner, ..RegisterFilingInput::default() };
        Some(RegisterFilingChange::Fields(input, None))
    }

    fn deadline(row: &RecordRow<Self>) -> Option<Announced> {
        row.record
            .due_on
            .filter(|_| row.record.status.is_pending())
            .map(|due| (due, summary(row.id, &row.record)))
    }

    /// Submitted filings are kept; a draft that was never submitted can be deleted.
    fn release(author: &Author, tx: &mut Tx<'_>, row: &RegisterFilingRow) -> Result<()> {
        let filing = &row.record;
        if filing.status != RegisterFilingStatus::Drafted || !filing.earlier.is_empty() {
            return Err(Error::invalid("status", RegisterFilingComplaint::WasSubmitted));
        }
        rows::forget_feedback(tx, author.scope(), row.id)?;
        Ok(rows::release_package(tx, author.scope(), &filing.frozen.sha256)?)
    }
}

/// To freeze the register and to move a filing are decisions; to plan it is none.
impl RecordRequest<RegisterFiling> for NewRegisterFiling {
    fn decides(&self, _: Option<&RegisterFiling>) -> bool {
        true
    }

    fn note(&self) -> Option<Prose> {
        self.input.note.as_note()
    }
}

impl RecordRequest<RegisterFiling> for RegisterFilingChange {
    fn decides(&self, _: Option<&RegisterFiling>) -> bool {
        matches!(self, Self::Fields(input, _) if input.status != Change::Keep)
    }

    fn note(&self) -> Option<Prose> {
        match self {
            Self::Fields(input, _) => input.note.as_note(),
            Self::Feedback(..) => None,
        }
    }
}

fn keep(author: &Author, tx: &mut Tx<'_>, frozen: &Frozen) -> Result<()> {
    let sha256 = &frozen.freezing.package.sha256;
    Ok(rows::put_package(tx, author.scope(), sha256, &frozen.content, author.now)?)
}

/// The main fields, as events show them.
pub(crate) fn summary(id: RegisterFilingId, filing: &RegisterFiling) -> Value {
    json!({
        "id": id,
        "title": format!("Register of information {} ({})", filing.reference_date, filing.scope),
        "scope": filing.scope,
        "reference_date": filing.reference_date,
        "country": filing.country.as_str(),
        "status": filing.status,
        "owner": filing.owner.as_ref().map(Name::as_str),
        "due_on": filing.due_on,
    })
}

impl ThirdParties {
    /// Freezes the current register. It may have problems; then it cannot be submitted.
    pub async fn create_register_filing(
        &self,
        caller: &Caller,
        input: RegisterFilingInput,
        idempotency: Option<Idempotency>,
        render: fn(&Detail<RegisterFilingRow>) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Register, Right::Decide)?;
        let frozen = self.freeze(caller, input.wish()?).await?;
        let new = NewRegisterFiling { input, frozen };
        self.records.create_record::<RegisterFiling>(caller, new, idempotency, render).await
    }

    pub async fn change_register_filing(
        &self,
        caller: &Caller,
        id: RegisterFilingId,
        input: RegisterFilingInput,
        precondition: Precondition,
    ) -> Result<(Detail<RegisterFilingRow>, Revision)> {
        caller.require_right(Resource::Register, Right::Write)?;
        let (detail, _) = self.records.record::<RegisterFiling>(caller, id).await?;
        let current = &detail.record.record;
        let frozen = if input.freezes_again(current) {
            let wish = FilingWish {
                scope: current.scope,
                reference_date: Some(current.reference_date),
                country: Some(current.country),
            };
            Some(Box::new(self.freeze(caller, wish).await?))
        } else {
            None
        };
        let change = RegisterFilingChange::Fields(input, frozen);
        self.records.change_record::<RegisterFiling>(caller, id, change, precondition).await
    }

    async fn freeze(&self, caller: &Caller, wish: FilingWish) -> Result<Frozen> {
        let work = self.export_work(caller).await?;
        let (scope, now, by) = (*caller.scope(), self.clock.now(), caller.actor().to_string());
        let read = move |r: &mut Reader<'_>| {
            let sheets = tables::sheets(r, &scope)?;
            let report = reported(r, &scope, &sheets, ProblemFilter::counts())?;
            let changed_at = tables::changed_at(r, &scope)?;
            Ok::<_, Error>((report.counts(), report.readiness(sheets.len()), changed_at, sheets))
        };
        let (problems, readiness_pct, changed_at, sheets) = self.db.tenant(&scope).read(read).await?;
        let write = move |context: &WorkContext| {
            let (name, bytes) =
                export::official(&sheets, &wish, changed_at.unwrap_or(now), now.day(), context)?;
            let package = FrozenPackage {
                edition: 1,
                name: format!("{name}.zip"),
                sha256: Sha256::digest(&bytes)
                    .iter()
                    .fold(String::new(), |text, byte| text + &format!("{byte:02x}")),
                size: bytes.len() as u64,
                rows: sheets.len() as u64,
                readiness_pct,
                problems,
                at: now,
                by,
            };
            let freezing = Freezing {
                scope: name.scope,
                reference_date: name.reference_date,
                country: name.country,
                package,
            };
            Ok(Frozen { freezing, content: STANDARD.encode(bytes) })
        };
        work.run(write).await
    }

    /// The package of an edition; without one, the current.
    pub async fn register_package(
        &self,
        caller: &Caller,
        id: RegisterFilingId,
        edition: Option<u32>,
    ) -> Result<FiledPackage> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| package(r, &scope, id, edition)).await
    }

    /// The newest filing, and the one due next.
    pub async fn register_filing_glance(
        &self,
        caller: &Caller,
    ) -> Result<(Option<RegisterFilingRow>, Option<RegisterFilingRow>)> {
        let (scope, one) = (*caller.scope(), PageRequest::new(Some(1), None).unwrap_or_default());
        let read = move |r: &mut Reader<'_>| {
            let filter = RegisterFilingFilter::default();
            let newest = record::list::<RegisterFiling>(r, &scope, &filter, None, one)?.items.pop();
            Ok::<_, Error>((newest, rows::next_due(r, &scope, 1)?.pop()))
        };
        self.db.tenant(&scope).read(read).await
    }
}

/// Reads a frozen package.
pub(super) fn package(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: RegisterFilingId,
    edition: Option<u32>,
) -> Result<FiledPackage> {
    let row = record::get::<RegisterFiling>(reader, scope, id)?.ok_or(Error::NotFound)?;
    let frozen = row.record.edition(edition).ok_or(Error::NotFound)?.clone();
    let content = rows::package(reader, scope, &frozen.sha256)?
        .ok_or_else(|| Error::internal(format!("the package of {id} is missing")))?;
    let bytes = STANDARD.decode(content).map_err(Error::internal)?;
    Ok(FiledPackage { frozen, bytes })
}
