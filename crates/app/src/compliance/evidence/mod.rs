//! Evidence: files and URLs that prove something, attached to records, with validity and retention.

mod bucket;
mod bytes;
mod content;
mod leftover;
mod link;
mod types;

use domain::{
    approval::ApprovalAction,
    approval_policy::{ApprovalPolicy, ApprovalRule, ApprovedKind},
    change::Change,
    custom_field::Sent,
    evidence::{Evidence, EvidenceComplaint, EvidenceFile, EvidenceInput, EvidenceState},
    id::EvidenceId,
    right::{Resource, Right},
    text::{Name, Prose},
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, evidence as rows, evidence_file, evidence_link};

use crate::{
    Compliance, Core, Error, Result,
    author::Author,
    authz::Caller,
    history::Detail,
    idempotency::{Creation, Idempotency},
    records::{Announced, RecordKind, RecordRequest, RecordRow},
    words::{Kind, Texts},
};

pub(crate) use self::bucket::ObjectReader;
pub use self::{bytes::SentFile, content::EvidenceContent, leftover::Pruned};
pub use store::{
    evidence::{EvidenceFilter, EvidenceRow},
    evidence_file::Storage,
    evidence_link::Link,
};

/// The operator's settings for evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceRules {
    /// The largest file.
    pub max_file_bytes: u64,
    /// The maximum total size of an institution's files; `None` means no limit.
    pub quota_bytes: Option<u64>,
    /// The address of a virus scanner, if there is one.
    pub clamd: Option<String>,
    /// Where the bytes of new files go.
    pub storage: Storage,
}

impl Default for EvidenceRules {
    fn default() -> Self {
        Self {
            max_file_bytes: 25 * 1024 * 1024,
            quota_bytes: Some(10 * 1024 * 1024 * 1024),
            clamd: None,
            storage: Storage::Store,
        }
    }
}

/// The current state of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceView {
    pub row: EvidenceRow,
    pub state: EvidenceState,
    pub links: Vec<Link>,
}

/// New evidence, with its file if it has one.
#[derive(Debug)]
pub struct NewEvidence {
    input: EvidenceInput,
    file: Option<NewFile>,
}

impl From<EvidenceInput> for NewEvidence {
    fn from(input: EvidenceInput) -> Self {
        Self { input, file: None }
    }
}

/// A file whose bytes are already stored.
#[derive(Debug, Clone)]
pub struct NewFile {
    pub(crate) file: EvidenceFile,
    /// The upload with the bytes, unless the tenant already had them.
    pub(crate) upload: Option<String>,
}

impl RecordKind for Evidence {
    type Input = EvidenceInput;
    type New = NewEvidence;
    type Change = EvidenceInput;
    type View = EvidenceView;

    const NOUN: &'static str = "evidence";
    const LIST: &'static str = "evidence";
    const WORDS: Kind = Kind::new('e');
    const FOUND: Option<&'static str> = Some("own_evidence");
    const RESOURCE: Resource = Resource::Evidence;
    const KEEPS: bool = true;

    const DECISIONS: &'static [ApprovalAction] = &[ApprovalAction::Approve];

    fn confirms(action: ApprovalAction) -> bool {
        action == ApprovalAction::Approve
    }

    fn rule(
        &self,
        _: &Author,
        _: &mut Reader<'_>,
        policy: &ApprovalPolicy,
        action: ApprovalAction,
    ) -> Result<ApprovalRule> {
        Ok(policy.rule(action, ApprovedKind::Evidence))
    }

    fn create(author: &Author, tx: &mut Tx<'_>, new: &NewEvidence) -> Result<Self> {
        let record = author.new_evidence(&new.input, new.file.as_ref().map(|new| new.file.clone()))?;
        if let Some(file) = &new.file {
            author.keep_file(tx, file)?;
        }
        Ok(record)
    }

    fn change(author: &Author, _: &mut Tx<'_>, before: &EvidenceRow, input: &EvidenceInput) -> Result<Self> {
        let edition = author.core.catalogue()?;
        let is_kind = |id: &str| edition.evidence.get(id).is_some();
        Ok(input.change(&before.record, author.now.day(), &is_kind)?)
    }

    fn status(&self) -> Option<&'static str> {
        None
    }

    fn fields(&self) -> Value {
        json!({
            "title": self.title.as_str(),
            "kind": self.kind,
            "description": self.description.as_ref().map(Prose::as_str),
            "file": self.file.as_ref().map(|file| json!({
                "name": file.name.as_str(),
                "media_type": file.media_type,
                "bytes": file.bytes,
                "sha256": file.sha256,
            })),
            "url": self.url,
            "collected_on": self.collected_on,
            "valid_until": self.valid_until,
            "keep_until": self.keep_until,
            "keep_because": self.keep_because.as_ref().map(Name::as_str),
            "owner": self.owner.as_ref().map(Name::as_str),
            "uploaded_by": self.uploaded_by,
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let description = self.description.as_ref().map(Prose::as_str);
        let file = self.file.as_ref().map(|file| file.name.as_str());
        let owner = self.owner.as_ref().map(Name::as_str);
        let body = [description, file, owner].into_iter().flatten().collect();
        Texts { heading: vec![self.title.as_str().into()], body }
    }

    fn search_text(filter: &EvidenceFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        core: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<EvidenceRow>,
    ) -> Result<Vec<EvidenceView>> {
        let ids: Vec<EvidenceId> = rows.iter().map(|row| row.id).collect();
        let links = evidence_link::of_many(reader, scope, &ids)?;
        let today = core.clock.now().day();
        let view = |row: EvidenceRow| EvidenceView {
            state: row.record.state(today),
            links: links.iter().filter(|(id, _)| *id == row.id).map(|(_, link)| link.clone()).collect(),
            row,
        };
        Ok(rows.into_iter().map(view).collect())
    }

    fn row(view: &EvidenceView) -> &EvidenceRow {
        &view.row
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(EvidenceInput { owner: Change::Set(heir.to_string()), ..EvidenceInput::default() })
    }

    fn deadline(row: &RecordRow<Self>) -> Option<Announced> {
        row.record.valid_until.map(|due| (due, summary(row.id, &row.record)))
    }

    fn check_delete(&self, author: &Author) -> Result<()> {
        match self.must_be_kept(author.now.day()) {
            Some(kept) => Err(Error::invalid("evidence", kept)),
            None => Ok(()),
        }
    }

    fn is_referred(reader: &mut Reader<'_>, scope: &TenantScope, row: &EvidenceRow) -> Result<bool> {
        Ok(evidence_link::count(reader, scope, row.id)? > 0)
    }

    /// Refuses to delete evidence under retention. The bytes are deleted with the last evidence that uses them.
    fn release(author: &Author, tx: &mut Tx<'_>, row: &EvidenceRow) -> Result<()> {
        row.record.check_delete(author)?;
        evidence_link::forget_evidence(tx, author.scope(), row.id)?;
        if let Some(file) = &row.record.file
            && rows::with_digest(tx, author.scope(), &file.sha256)? == 1
        {
            evidence_file::delete(tx, author.scope(), &file.sha256)?;
        }
        Ok(())
    }
}

impl RecordRequest<Evidence> for EvidenceInput {}
impl RecordRequest<Evidence> for NewEvidence {}

impl Author {
    /// The rules of new evidence.
    fn new_evidence(&self, input: &EvidenceInput, file: Option<EvidenceFile>) -> Result<Evidence> {
        let edition = self.core.catalogue()?;
        let is_kind = |id: &str| edition.evidence.get(id).is_some();
        let actor = self.caller.actor().to_string();
        Ok(input.create(file, &actor, self.now.day(), &is_kind)?)
    }

    /// Turns the stored bytes into a file of the tenant, unless it already has them.
    fn keep_file(&self, tx: &mut Tx<'_>, new: &NewFile) -> Result<()> {
        let (scope, file) = (self.scope(), &new.file);
        let known = evidence_file::get(tx, scope, &file.sha256)?.is_some();
        match (&new.upload, known) {
            (None, true) => Ok(()),
            (Some(upload), true) => Ok(evidence_file::drop_upload(tx, scope.tenant(), upload)?),
            (Some(upload), false) => {
                self.core.check_room(evidence_file::held(tx, scope)?, file.bytes)?;
                let stored = evidence_file::StoredFile { content_id: upload.clone(), bytes: file.bytes };
                if evidence_file::keep(tx, scope, &file.sha256, &stored, self.now)? {
                    return Ok(());
                }
                Err(Error::Unavailable("the bytes of an upload were deleted before it ended".to_owned()))
            }
            (None, false) => {
                Err(Error::Unavailable("a file that was there was deleted meanwhile".to_owned()))
            }
        }
    }
}

impl Compliance {
    /// Adds evidence with a file, a URL, or both. A file is scanned before any byte of it is stored.
    pub async fn add_evidence(
        &self,
        caller: &Caller,
        input: impl Into<Sent<EvidenceInput>>,
        file: Option<SentFile>,
        link: Option<Link>,
        idempotency: Option<Idempotency>,
        render: fn(&Detail<EvidenceView>) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Evidence, Right::Write)?;
        let Sent { input, custom } = input.into();
        let author = Author::new(self, caller);
        let received = match file {
            Some(file) => Some(self.received_file(caller, file).await?),
            None => None,
        };
        // Invalid fields are reported before anything is stored.
        author.new_evidence(&input, received.as_ref().map(|received| received.file.clone()))?;
        let file = match received {
            Some(received) => Some(self.stored_file(caller, received).await?),
            None => None,
        };
        let upload = file.as_ref().and_then(|new| new.upload.clone());
        let (scope, new) = (*caller.scope(), NewEvidence { input, file });
        let done = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let id = author.create_with::<Evidence>(tx, (&new, &custom))?;
                    if let Some(link) = &link {
                        author.attach(tx, id, link)?;
                    }
                    Ok((id.to_string(), crate::records::detail::<Evidence>(&author.core, tx, &scope, id)?))
                };
                author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
            })
            .await;
        let unused = !done.as_ref().is_ok_and(|creation| !creation.replayed);
        if let Some(upload) = upload.filter(|_| unused) {
            self.drop_upload(caller, upload).await?;
        }
        done
    }
}

impl Core {
    /// Refuses a file that exceeds the quota.
    fn check_room(&self, held: u64, more: u64) -> Result<()> {
        match self.evidence.quota_bytes {
            Some(most) if held.saturating_add(more) > most => {
                Err(Error::invalid("file", EvidenceComplaint::QuotaReached { most, held }))
            }
            _ => Ok(()),
        }
    }
}

/// The fields of evidence in events.
pub(crate) fn summary(id: EvidenceId, evidence: &Evidence) -> Value {
    json!({
        "id": id,
        "title": evidence.title.as_str(),
        "kind": evidence.kind,
        "owner": evidence.owner.as_ref().map(Name::as_str),
        "valid_until": evidence.valid_until,
    })
}
