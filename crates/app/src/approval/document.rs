//! The document of what is approved. When an approval is granted, the document of the approved version is signed with the
//! key of the installation and stored with its content; none of that changes afterwards. The statement of applicability
//! is written at that moment in every language; of a management review the report is signed that was approved.

use bytes::{Bytes, BytesMut};
use domain::{
    approval::{ApprovalAction, ApprovalState},
    period_report::PeriodReportId,
    wording::Language,
};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use store::{
    Reader, Tx, approved_document as rows,
    evidence_file::{self, CHUNK, Storage},
    period_report,
};

use super::ApprovalRow;
use crate::{
    Approvals, Error, Result,
    approved_document::{Approved, ApprovedDocument, SignedFile},
    assessment::STATEMENT,
    author::Author,
    ids::random_u128,
    period_report::MANAGEMENT_REVIEW,
};

/// A document that is written and signed, before its approval is granted.
#[derive(Debug)]
pub(super) struct Prepared {
    subject: &'static str,
    /// The content as JSON.
    data: String,
    document: ApprovedDocument,
    /// The bytes of each of its files; none of one that is stored already.
    contents: Vec<Bytes>,
}

/// What is kept as numbered versions.
#[derive(Debug, Clone, Copy)]
enum Series {
    /// Written when its approval is granted.
    Statement,
    /// The report as the person who approves it has read it.
    Review(PeriodReportId),
}

impl Series {
    /// The versions that an approval belongs to, if what it is about is kept as documents.
    fn of(approval: &ApprovalRow) -> Option<Self> {
        let record = &approval.record;
        if record.action != ApprovalAction::Approve {
            return None;
        }
        match record.subject.as_str() {
            STATEMENT => Some(Self::Statement),
            id => id.parse().ok().map(Self::Review),
        }
    }

    /// Under which the versions are stored.
    fn subject(self) -> &'static str {
        match self {
            Self::Statement => STATEMENT,
            Self::Review(_) => MANAGEMENT_REVIEW,
        }
    }

    /// What the audit log says when a version is kept.
    fn kept(self) -> &'static str {
        match self {
            Self::Statement => "statement.kept",
            Self::Review(_) => "management_review.kept",
        }
    }
}

/// A file that a version consists of, in its language.
struct Written {
    language: Language,
    bytes: Bytes,
    /// Where its bytes are already.
    stored: Option<String>,
}

impl Approvals {
    /// Writes the document that is kept if the caller grants an approval now. That takes a while, so it is done before the
    /// transaction that grants it.
    pub(super) async fn prepare_document(
        &self,
        author: &Author,
        approval: &ApprovalRow,
    ) -> Result<Option<Prepared>> {
        let Some(series) = Series::of(approval) else { return Ok(None) };
        if approval.record.state != ApprovalState::Asked {
            return Ok(None);
        }
        let approved = self.to_be_approved(author, approval, series).await?;
        let (data, written) = match series {
            Series::Statement => self.written_statement(author, &approved).await?,
            Series::Review(id) => self.written_review(author, id).await?,
        };
        let key = self.signing_key().await?;
        let mut document = approved.document;
        let mut contents = Vec::new();
        for Written { language, bytes, stored } in written {
            let digest: [u8; 32] = Sha256::digest(&bytes).into();
            let about = (bytes.len() as u64, store::sql::hex(&digest));
            let is_stored = stored.is_some();
            let content = stored.unwrap_or_else(|| evidence_file::content_id(Storage::Store, random_u128()));
            document.files.push(SignedFile::new(language, content, about, key.sign_document(&digest)));
            contents.push(if is_stored { Bytes::new() } else { bytes });
        }
        document.signed_with = key.public().to_string();
        Ok(Some(Prepared { subject: series.subject(), data: data.to_string(), document, contents }))
    }

    async fn written_statement(&self, author: &Author, approved: &Approved) -> Result<(Value, Vec<Written>)> {
        let (data, files) = self.report.statement_files(&author.caller, approved).await?;
        let written = files.into_iter().map(|(language, bytes)| Written { language, bytes, stored: None });
        Ok((data, written.collect()))
    }

    /// The bytes of the report, read again, so that what is signed is what is stored.
    async fn written_review(&self, author: &Author, id: PeriodReportId) -> Result<(Value, Vec<Written>)> {
        let scope = *author.scope();
        let read = move |reader: &mut Reader<'_>| period_report::get(reader, &scope, id);
        let row = self.db.tenant(author.scope()).read(read).await?.ok_or(Error::NotFound)?;
        let content = self.period_report.report_content(&author.caller, id).await?;
        let (bytes, stored) = (content.file.bytes, row.file.map(|file| file.content_id));
        let mut parts = std::pin::pin!(content.open(0..bytes).await?);
        let mut whole = BytesMut::new();
        while let Some(part) = parts.next().await {
            whole.extend_from_slice(&part.map_err(Error::internal)?);
        }
        let wish = row.wish;
        let data = json!({
            "report": id, "from": wish.from, "until": wish.until, "language": wish.language.as_str(),
        });
        Ok((data, vec![Written { language: wish.language, bytes: whole.freeze(), stored }]))
    }

    async fn to_be_approved(
        &self,
        author: &Author,
        approval: &ApprovalRow,
        series: Series,
    ) -> Result<Approved> {
        let scope = *author.scope();
        let count = move |reader: &mut Reader<'_>| rows::count(reader, &scope, series.subject());
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
}

impl Author {
    /// Stores the document of an approval that this transaction grants.
    pub(super) fn keep_document(
        &self,
        tx: &mut Tx<'_>,
        approval: &ApprovalRow,
        prepared: Option<&Prepared>,
    ) -> Result<()> {
        let Some(series) = Series::of(approval) else { return Ok(()) };
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
        self.audit(tx, series.kept(), subject, &detail)
    }
}
