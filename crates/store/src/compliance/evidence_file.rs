//! The bytes of evidence, each file once per tenant: in parts in the store, or as an object in a bucket.
//!
//! Bytes are stored under an upload before any evidence refers to them; the transaction that creates the evidence
//! turns the upload into a file. An upload that never becomes a file is deleted by a job. The transaction that deletes
//! a file in a bucket leaves an order to remove its object, which the job carries out: an object can be removed only
//! after no committed row refers to it.

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
    POSTPONE = "UPDATE evidence_uploads SET started_at = $3 WHERE tenant_id = $1 AND content_id = $2";
    AFTER = "SELECT tenant_id, sha256, content_id, bytes FROM evidence_files
             WHERE (tenant_id, sha256) > ($1, $2) ORDER BY tenant_id, sha256 LIMIT $3";
    PART = "SELECT content FROM evidence_chunks WHERE tenant_id = $1 AND content_id = $2 AND place = $3";
}

/// The beginning of the id of content that is in the bucket.
const IN_BUCKET: &str = "s3:";
/// The beginning of the id of an order to remove an object.
const TO_REMOVE: &str = "s3-remove:";

/// Where bytes are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    Store,
    Bucket,
}

/// The id of new content. It says where the bytes are, so files in both places can be used side by side.
pub fn content_id(storage: Storage, random: u128) -> String {
    match storage {
        Storage::Store => format!("{random:032x}"),
        Storage::Bucket => format!("{IN_BUCKET}{random:032x}"),
    }
}

/// Where the bytes of a file are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    pub content_id: String,
    pub bytes: u64,
}

/// The name of the object with this content, if it is in the bucket.
pub fn object(tenant: TenantId, content_id: &str) -> Option<String> {
    content_id.strip_prefix(IN_BUCKET).map(|id| format!("{tenant}/{id}"))
}

/// Something that a job has to clean up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    pub tenant: TenantId,
    pub content_id: String,
}

impl Leftover {
    /// The name of the object to remove; `None` for an interrupted upload.
    pub fn object(&self) -> Option<String> {
        self.content_id.strip_prefix(TO_REMOVE).map(|id| format!("{}/{id}", self.tenant))
    }
}

/// A file whose bytes are in the bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketFile {
    /// The name of its object.
    pub object: String,
    pub bytes: u64,
    pub sha256: String,
}

impl BucketFile {
    /// A row of the table, if its bytes are in the bucket.
    pub(crate) fn of(tenant: TenantId, content_id: &str, bytes: u64, sha256: String) -> Option<Self> {
        object(tenant, content_id).map(|object| Self { object, bytes, sha256 })
    }
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

/// Keeps the bytes of an upload for what refers to them by their id. Returns whether the upload still existed.
pub fn take(tx: &mut Tx<'_>, scope: &TenantScope, content: &str) -> Result<bool> {
    Ok(tx.execute(&END, params![scope.tenant(), content])? > 0)
}

/// Deletes an upload with its bytes. One that has become a file is kept: its client may not have received the answer.
pub fn drop_upload(tx: &mut Tx<'_>, tenant: TenantId, content: &str) -> Result<()> {
    if tx.execute(&END, params![tenant, content])? > 0 {
        drop_bytes(tx, tenant, content)?;
    }
    Ok(())
}

/// Deletes parts at once; orders the removal of an object, which is due immediately.
pub fn drop_bytes(tx: &mut Tx<'_>, tenant: TenantId, content: &str) -> Result<()> {
    match content.strip_prefix(IN_BUCKET) {
        Some(id) => begin(tx, tenant, &format!("{TO_REMOVE}{id}"), Moment::from_millis(0)),
        None => tx.execute(&DROP_CHUNKS, params![tenant, content]).map(|_| ()),
    }
}

/// Uploads of all tenants that began before this moment, and removals that are due, oldest first.
pub fn stale(reader: &mut Reader<'_>, before: Moment, limit: u32) -> Result<Vec<Leftover>> {
    reader.query(&STALE, params![before, limit], |row| {
        Ok(Leftover { tenant: row.parse(0)?, content_id: row.get(1)? })
    })
}

/// Ends an order to remove an object after it was removed.
pub fn removed(tx: &mut Tx<'_>, leftover: &Leftover) -> Result<()> {
    tx.execute(&END, params![leftover.tenant, &leftover.content_id])?;
    Ok(())
}

/// Treats a leftover as if it had begun at this moment.
pub fn postpone(tx: &mut Tx<'_>, leftover: &Leftover, at: Moment) -> Result<()> {
    tx.execute(&POSTPONE, params![leftover.tenant, &leftover.content_id, at])?;
    Ok(())
}

/// A tenant and the digest of one of its files.
type FileKey = (String, String);

/// Those of the next files of all tenants that are in the bucket, and where to continue; `None` after the last.
pub(crate) fn in_bucket_after(
    reader: &mut Reader<'_>,
    (tenant, sha256): &FileKey,
    limit: u32,
) -> Result<(Vec<BucketFile>, Option<FileKey>)> {
    let rows: Vec<(String, String, String, u64)> =
        reader.query(&AFTER, params![tenant, sha256, limit], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
    let next = rows.last().map(|(tenant, sha256, ..)| (tenant.clone(), sha256.clone()));
    let mut files = Vec::new();
    for (tenant, sha256, content_id, bytes) in rows {
        let tenant = tenant.parse().map_err(crate::Error::corrupt)?;
        files.extend(BucketFile::of(tenant, &content_id, bytes, sha256));
    }
    Ok((files, next))
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, sha256: &str) -> Result<Option<StoredFile>> {
    reader.query_opt(&GET, params![scope.tenant(), sha256], |row| {
        Ok(StoredFile { content_id: row.get(0)?, bytes: row.get(1)? })
    })
}

/// Deletes a file with its bytes.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, sha256: &str) -> Result<()> {
    if let Some(file) = get(tx, scope, sha256)? {
        drop_bytes(tx, scope.tenant(), &file.content_id)?;
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
