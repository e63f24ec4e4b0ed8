//! Documents of what was approved, signed with the key of the installation; nothing of them changes afterwards.

mod statement;

use domain::{
    evidence::{EvidenceFile, FileName},
    page::{Page, PageRequest},
    wording::Language,
};
use serde_json::Value;
use store::{Reader, approved_document as rows, evidence_file::StoredFile};

pub(crate) use self::statement::changes;
pub use self::statement::{Both, StatedControl, StatementChange, StatementLine, StatementVersion};
use crate::{
    Compliance, Error, Result, approval::Subject, audit::Who, authz::Caller, evidence::EvidenceContent,
};

pub use store::approved_document::{ApprovedDocument, SignedFile};

/// What a document says about its approval.
#[derive(Debug)]
pub(crate) struct Approved {
    pub(crate) document: ApprovedDocument,
    pub(crate) asker: Option<Who>,
    pub(crate) approver: Option<Who>,
    pub(crate) reason: String,
}

impl Compliance {
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
