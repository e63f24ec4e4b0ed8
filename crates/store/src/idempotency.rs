//! Responses to creating requests, stored so that a repeated request creates nothing twice.

use domain::moment::Moment;

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    GET = "SELECT request_digest, subject, answer, created_at FROM idempotency_keys
           WHERE tenant_id = $1 AND idempotency_key = $2";
    PUT = "INSERT INTO idempotency_keys (tenant_id, idempotency_key, request_digest, subject, answer, created_at)
           VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (tenant_id, idempotency_key) DO UPDATE SET
               request_digest = excluded.request_digest, subject = excluded.subject,
               answer = excluded.answer, created_at = excluded.created_at";
    PRUNE = "DELETE FROM idempotency_keys WHERE created_at < $1";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerRow {
    /// Covers method, path and body: another request under the same key is a mistake.
    pub request_digest: String,
    /// The record the request created.
    pub subject: String,
    /// The sealed response.
    pub answer: String,
    pub created_at: Moment,
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, key: &str) -> Result<Option<AnswerRow>> {
    reader.query_opt(&GET, params![scope.tenant(), key], |row| {
        Ok(AnswerRow {
            request_digest: row.get(0)?,
            subject: row.get(1)?,
            answer: row.get(2)?,
            created_at: row.get(3)?,
        })
    })
}

pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, key: &str, answer: &AnswerRow) -> Result<()> {
    tx.execute(
        &PUT,
        params![
            scope.tenant(),
            key,
            &answer.request_digest,
            &answer.subject,
            &answer.answer,
            answer.created_at,
        ],
    )?;
    Ok(())
}

/// Deletes responses older than `before` and returns their number.
pub fn prune(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![before])
}
