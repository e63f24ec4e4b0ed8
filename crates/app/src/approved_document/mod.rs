//! Documents of what was approved. When an approval is granted, the document of the approved version is written in every
//! language, signed with the key of the installation and stored with its content; none of that changes afterwards.

mod statement;

use bytes::Bytes;
use domain::{
    approval::{ApprovalAction, ApprovalState},
    evidence::{EvidenceFile, FileName},
    page::{Page, PageRequest},
    wording::Language,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use store::{
    Reader, Tx, approved_document as rows,
    evidence_file::{self, CHUNK, Storage, StoredFile},
};

pub(crate) use self::statement::changes;
pub use self::statement::{Both, StatedControl, StatementChange, StatementLine, StatementVersion};
use crate::{
    App, Error, Result,
    approval::{ApprovalRow, Subject},
    assessment::STATEMENT,
    audit::Who,
    author::Author,
    authz::Caller,
    evidence::EvidenceContent,
    ids::random_u128,
};

pub use store::approved_document::{ApprovedDocument, SignedFile};

/// A document that is written and signed, before its approval is granted.
#[derive(Debug)]
pub(crate) struct Prepared {
    subject: String,
    /// The content as JSON.
    data: String,
    document: ApprovedDocument,
    /// The bytes of each of its files.
    contents: Vec<Bytes>,
}

/// What a document says about its approval.
#[derive(Debug)]
pub(crate) struct Approved {
    pub(crate) document: ApprovedDocument,
    pub(crate) asker: Option<Who>,
    pub(crate) approver: Option<Who>,
    pub(crate) reason: String,
}

/// Whether the approved versions of what an approval is about are kept as documents.
fn has_document(approval: &ApprovalRow) -> bool {
    let record = &approval.record;
    record.action == ApprovalAction::Approve && record.subject.as_str() == STATEMENT
}

impl App {
    /// Writes the document that is kept if the caller grants an approval now. That takes a while, so it is done before the
    /// transaction that grants it.
    pub(crate) async fn prepare_document(
        &self,
        author: &Author,
        approval: &ApprovalRow,
    ) -> Result<Option<Prepared>> {
        if !has_document(approval) || approval.record.state != ApprovalState::Asked {
            return Ok(None);
        }
        let approved = self.to_be_approved(author, approval).await?;
        let (data, written) = self.statement_files(&author.caller, &approved).await?;
        let key = self.signing_key().await?;
        let mut document = approved.document;
        let mut contents = Vec::new();
        for (language, bytes) in written {
            let digest: [u8; 32] = Sha256::digest(&bytes).into();
            let content = evidence_file::content_id(Storage::Store, random_u128());
            let about = (bytes.len() as u64, store::sql::hex(&digest));
            document.files.push(SignedFile::new(language, content, about, key.sign_document(&digest)));
            contents.push(bytes);
        }
        document.signed_with = key.public().to_string();
        let subject = approval.record.subject.to_string();
        Ok(Some(Prepared { subject, data: data.to_string(), document, contents }))
    }

    async fn to_be_approved(&self, author: &Author, approval: &ApprovalRow) -> Result<Approved> {
        let (scope, subject) = (*author.scope(), approval.record.subject.to_string());
        let count = move |reader: &mut Reader<'_>| rows::count(reader, &scope, &subject);
        let known = self.db.tenant(author.scope()).read(count).await?;
        let (asked_by, approved_by) = (approval.record.asked_by.clone(), author.caller.actor().to_string());
        let both = vec![asked_by.clone(), approved_by.clone()];
        let mut people = self.actor_names(&author.caller, both).await?;
        let approver = people.get(&approved_by).cloned();
        Ok(Approved {
            asker: people.remove(&asked_by),
            approver,
            reason: approval.record.reason.to_string(),
            document: ApprovedDocument {
                number: known + 1,
                subject_version: approval.record.subject_version,
                approval: approval.id,
                asked_by,
                asked_at: approval.created_at,
                approved_by,
                approved_at: author.now,
                signed_with: String::new(),
                files: Vec::new(),
            },
        })
    }

    /// The approved versions of a subject, newest first.
    pub async fn approved_documents(
        &self,
        caller: &Caller,
        subject: &str,
        request: PageRequest,
    ) -> Result<Page<ApprovedDocument>> {
        Subject::of_id(subject).require_reader(caller)?;
        let (scope, id) = (*caller.scope(), subject.to_owned());
        let read = move |reader: &mut Reader<'_>| rows::list(reader, &scope, &id, request);
        self.db.tenant(caller.scope()).read(read).await.map_err(Error::from)
    }

    /// One version with its content.
    pub(crate) async fn approved_document(
        &self,
        caller: &Caller,
        subject: &str,
        number: i64,
    ) -> Result<(ApprovedDocument, Value)> {
        Subject::of_id(subject).require_reader(caller)?;
        let (scope, id) = (*caller.scope(), subject.to_owned());
        let read = move |reader: &mut Reader<'_>| {
            let document = rows::get(reader, &scope, &id, number)?.ok_or(Error::NotFound)?;
            let data = rows::data(reader, &scope, &id, number)?.ok_or(Error::NotFound)?;
            Ok::<_, Error>((document, serde_json::from_str(&data).map_err(Error::internal)?))
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// The file of a version in one language.
    pub async fn approved_content(
        &self,
        caller: &Caller,
        subject: &str,
        number: i64,
        language: Language,
    ) -> Result<EvidenceContent> {
        let (document, _) = self.approved_document(caller, subject, number).await?;
        let file = document.file(language).ok_or(Error::NotFound)?;
        let name = FileName::cleaned(&format!("{subject}-{number}-{language}.pdf"));
        let shown = EvidenceFile {
            name,
            media_type: "application/pdf".to_owned(),
            bytes: file.bytes,
            sha256: file.sha256.clone(),
        };
        let stored = StoredFile { content_id: file.content_id.clone(), bytes: file.bytes };
        Ok(EvidenceContent::of(self, *caller.scope(), shown, stored))
    }
}

impl Author {
    /// Stores the document of an approval that this transaction grants.
    pub(crate) fn keep_document(
        &self,
        tx: &mut Tx<'_>,
        approval: &ApprovalRow,
        prepared: Option<&Prepared>,
    ) -> Result<()> {
        if !has_document(approval) {
            return Ok(());
        }
        let Prepared { subject, data, document, contents } =
            prepared.ok_or_else(|| Error::Unavailable("the document was not written".to_owned()))?;
        if rows::count(tx, self.scope(), subject)? + 1 != document.number {
            return Err(Error::Unavailable("another version was approved meanwhile".to_owned()));
        }
        for (file, bytes) in document.files.iter().zip(contents) {
            for (place, part) in (0..).zip(bytes.chunks(CHUNK)) {
                evidence_file::append(tx, self.caller.tenant(), &file.content_id, place, part)?;
            }
        }
        rows::insert(tx, self.scope(), subject, document, data)?;
        let digests: Vec<_> = document
            .files
            .iter()
            .map(|file| json!({ "language": file.language().as_str(), "sha256": file.sha256 }))
            .collect();
        let detail =
            json!({ "number": document.number, "version": document.subject_version, "files": digests });
        self.audit(tx, "statement.kept", subject, &detail)
    }
}
