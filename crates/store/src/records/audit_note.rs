//! Working notes of auditors. They are in a table of their own, so that nothing that reads comments can show them.

use domain::{audit_note::AuditNote, id::AuditNoteId, text::Prose};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Row};

crate::sql! {
    INSERT = "INSERT INTO audit_notes (id, tenant_id, subject, text, author, written_at) VALUES ($1, $2, $3, $4, $5, $6)";
    GET = "SELECT id, subject, text, author, written_at FROM audit_notes WHERE tenant_id = $1 AND id = $2";
    OF = "SELECT id, subject, text, author, written_at FROM audit_notes
          WHERE tenant_id = $1 AND subject = $2 ORDER BY id LIMIT $3";
    DELETE = "DELETE FROM audit_notes WHERE tenant_id = $1 AND id = $2";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditNoteRow {
    pub id: AuditNoteId,
    pub note: AuditNote,
}

fn read(row: &Row<'_>) -> Result<AuditNoteRow> {
    let note = AuditNote {
        subject: row.get(1)?,
        text: row.check(2, Prose::parse)?,
        author: row.get(3)?,
        written_at: row.get(4)?,
    };
    Ok(AuditNoteRow { id: row.parse(0)?, note })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &AuditNoteRow) -> Result<()> {
    let note = &row.note;
    let params = params![
        row.id,
        scope.tenant(),
        note.subject.as_str(),
        &note.text,
        note.author.as_str(),
        note.written_at,
    ];
    tx.execute(&INSERT, params)?;
    Ok(())
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: AuditNoteId) -> Result<Option<AuditNoteRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// The notes on a record, oldest first, at most so many.
pub fn of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    subject: &str,
    most: u32,
) -> Result<Vec<AuditNoteRow>> {
    reader.query(&OF, params![scope.tenant(), subject, most], read)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: AuditNoteId) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), id])?;
    Ok(())
}
