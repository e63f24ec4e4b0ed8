//! The bytes of evidence, in parts, each file once per tenant.
//!
//! Parts are stored under an upload before any evidence refers to them; the transaction that creates the evidence
//! turns the upload into a file. An upload that never becomes a file is deleted by a job.

use domain::{id::TenantId, moment::Moment};

use crate::{Reader, Result, TenantScope, Tx, params};

/// How many bytes a part has; the last one has fewer.
pub const CHUNK: usize = 256 * 1024;

crate::sql! {
    BEGIN = "INSERT INTO evidence_uploads (tenant_id, content_id, started_at) VALUES ($1, $2, $3)";
    APPEND = "INSERT INTO evidence_chunks (tenant_id, content_id, place, content) VALUES ($1, $2, $3, $4)";
    END = "DELETE FROM evidence_uploads WHERE tenant_id = $1 AND content_id = $2";
    STALE = "SELECT tenant_id, content_id FROM evidence_uploads WHERE started_at < $1
             ORDER BY started_at, tenant_id, content_id LIMIT $2";
    DROP_CHUNKS = "DELETE FROM evidence_chunks WHERE tenant_id = $1 AND content_id = $2";
    GET = "SELECT content_id, bytes FROM evidence_files WHERE tenant_id = $1 AND sha256 = $2";
    PUT = "INSERT INTO evidence_files (tenant_id, sha256, content_id, bytes, created_at) VALUES ($1, $2, $3, $4, $5)";
    DELETE = "DELETE FROM evidence_files WHERE tenant_id = $1 AND sha256 = $2";
    HELD = "SELECT COALESCE(CAST(SUM(bytes) AS BIGINT), 0) FROM evidence_files WHERE tenant_id = $1";
    PART = "SELECT content FROM evidence_chunks WHERE tenant_id = $1 AND content_id = $2 AND place = $3";
}

/// Where the bytes of a file are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    pub content_id: String,
    pub bytes: u64,
}

pub fn begin(tx: &mut Tx<'_>, tenant: TenantId, content: &str, at: Moment) -> Result<()> {
    tx.execute(&BEGIN, params![tenant, content, at])?;
    Ok(())
}

/// Stores a part of an upload; the first position is 0.
pub fn append(tx: &mut Tx<'_>, tenant: TenantId, content: &str, place: u64, part: &[u8]) -> Result<()> {
    tx.execute(&APPEND, params![tenant, content, place, part])?;
    Ok(())
}

/// Turns an upload into a file. Returns whether the upload still existed.
pub fn keep(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    sha256: &str,
    file: &StoredFile,
    at: Moment,
) -> Result<bool> {
    if tx.execute(&END, params![scope.tenant(), &file.content_id])? == 0 {
        return Ok(false);
    }
    tx.execute(&PUT, params![scope.tenant(), sha256, &file.content_id, file.bytes, at])?;
    Ok(true)
}

/// Deletes an upload with its parts. One that has become a file is kept: its client may not have received the answer.
pub fn drop_upload(tx: &mut Tx<'_>, tenant: TenantId, content: &str) -> Result<()> {
    if tx.execute(&END, params![tenant, content])? > 0 {
        tx.execute(&DROP_CHUNKS, params![tenant, content])?;
    }
    Ok(())
}

/// Uploads of all tenants that began before this moment, oldest first.
pub fn stale(reader: &mut Reader<'_>, before: Moment, limit: u32) -> Result<Vec<(TenantId, String)>> {
    reader.query(&STALE, params![before, limit], |row| Ok((row.parse(0)?, row.get(1)?)))
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, sha256: &str) -> Result<Option<StoredFile>> {
    reader.query_opt(&GET, params![scope.tenant(), sha256], |row| {
        Ok(StoredFile { content_id: row.get(0)?, bytes: row.get(1)? })
    })
}

/// Deletes a file with its bytes.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, sha256: &str) -> Result<()> {
    if let Some(file) = get(tx, scope, sha256)? {
        tx.execute(&DROP_CHUNKS, params![scope.tenant(), &file.content_id])?;
        tx.execute(&DELETE, params![scope.tenant(), sha256])?;
    }
    Ok(())
}

/// The total size of the tenant's files in bytes.
pub fn held(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<u64> {
    reader.query_one(&HELD, params![scope.tenant()], |row| row.get(0))
}

/// One part of a file.
pub fn part(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    content: &str,
    place: u64,
) -> Result<Option<Vec<u8>>> {
    reader.query_opt(&PART, params![scope.tenant(), content, place], |row| row.get(0))
}
