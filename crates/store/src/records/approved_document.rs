//! Versions of documents that were approved. They are stored once; there is no statement that changes one.

use domain::{
    id::ApprovalId,
    moment::Moment,
    page::{Page, PageRequest},
    wording::Language,
};
use serde::{Deserialize, Serialize};

use crate::{Error, Reader, Result, TenantScope, Tx, params, sql::Row};

crate::sql! {
    INSERT = "INSERT INTO approved_documents (tenant_id, subject, number, subject_version, approval_id, asked_by, asked_at,
                                              approved_by, approved_at, signed_with, data, files)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    LIST = "SELECT number, subject_version, approval_id, asked_by, asked_at, approved_by, approved_at, signed_with, files
            FROM approved_documents WHERE tenant_id = $1 AND subject = $2 ORDER BY number DESC LIMIT $3 OFFSET $4";
    COUNT = "SELECT COUNT(*) FROM approved_documents WHERE tenant_id = $1 AND subject = $2";
    GET = "SELECT number, subject_version, approval_id, asked_by, asked_at, approved_by, approved_at, signed_with, files
           FROM approved_documents WHERE tenant_id = $1 AND subject = $2 AND number = $3";
    DATA = "SELECT data FROM approved_documents WHERE tenant_id = $1 AND subject = $2 AND number = $3";
}

/// The file of a version in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedFile {
    language: String,
    pub content_id: String,
    pub bytes: u64,
    pub sha256: String,
    /// Of the digest, by the key of the installation.
    pub signature: String,
}

impl SignedFile {
    pub fn new(
        language: Language,
        content_id: String,
        (bytes, sha256): (u64, String),
        signature: String,
    ) -> Self {
        Self { language: language.as_str().to_owned(), content_id, bytes, sha256, signature }
    }

    pub fn language(&self) -> Language {
        self.language.parse().unwrap_or_default()
    }
}

/// A version of a document, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedDocument {
    /// Counted from 1 for each subject.
    pub number: i64,
    /// The version of the subject that was approved.
    pub subject_version: i64,
    pub approval: ApprovalId,
    pub asked_by: String,
    pub asked_at: Moment,
    pub approved_by: String,
    pub approved_at: Moment,
    /// The public key that checks the signatures.
    pub signed_with: String,
    pub files: Vec<SignedFile>,
}

impl ApprovedDocument {
    pub fn file(&self, language: Language) -> Option<&SignedFile> {
        self.files.iter().find(|file| file.language() == language)
    }
}

fn read(row: &Row<'_>) -> Result<ApprovedDocument> {
    Ok(ApprovedDocument {
        number: row.get(0)?,
        subject_version: row.get(1)?,
        approval: row.parse(2)?,
        asked_by: row.get(3)?,
        asked_at: row.get(4)?,
        approved_by: row.get(5)?,
        approved_at: row.get(6)?,
        signed_with: row.get(7)?,
        files: serde_json::from_str(&row.get::<String>(8)?).map_err(Error::corrupt)?,
    })
}

/// Stores a version with its content as JSON.
pub fn insert(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    subject: &str,
    document: &ApprovedDocument,
    data: &str,
) -> Result<()> {
    let files = serde_json::to_string(&document.files).map_err(Error::corrupt)?;
    tx.execute(
        &INSERT,
        params![
            scope.tenant(),
            subject,
            document.number,
            document.subject_version,
            document.approval,
            document.asked_by.as_str(),
            document.asked_at,
            document.approved_by.as_str(),
            document.approved_at,
            document.signed_with.as_str(),
            data,
            files.as_str(),
        ],
    )?;
    Ok(())
}

/// How many versions there are, which is the number of the last one.
pub fn count(reader: &mut Reader<'_>, scope: &TenantScope, subject: &str) -> Result<i64> {
    reader.query_one(&COUNT, params![scope.tenant(), subject], |row| row.get(0))
}

/// Newest first.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    subject: &str,
    request: PageRequest,
) -> Result<Page<ApprovedDocument>> {
    let total = u64::try_from(count(reader, scope, subject)?).unwrap_or_default();
    let values = params![scope.tenant(), subject, request.limit(), request.offset()];
    Ok(Page::new(reader.query(&LIST, values, read)?, total, request))
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    subject: &str,
    number: i64,
) -> Result<Option<ApprovedDocument>> {
    reader.query_opt(&GET, params![scope.tenant(), subject, number], read)
}

/// The content of a version as JSON.
pub fn data(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    subject: &str,
    number: i64,
) -> Result<Option<String>> {
    reader.query_opt(&DATA, params![scope.tenant(), subject, number], |row| row.get(0))
}
