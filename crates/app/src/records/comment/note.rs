//! Working notes of auditors. The institution does not see them: they are in no search, history, audit log, bundle,
//! file, event or notice until their author releases one, which then is a comment like any other.

use domain::{
    audit_note::AuditNote,
    id::AuditNoteId,
    right::{Resource, Right},
};
use store::{
    Reader, Tx,
    audit_note::{self as rows, AuditNoteRow},
};

use super::Subject;
use crate::{
    Error, Records, Result,
    audit::{Who, who},
    author::Author,
    authz::Caller,
};

/// How many notes the page of a record shows.
const SHOWN: u32 = 500;

/// A working note as an auditor sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkingNote {
    pub row: AuditNoteRow,
    pub author: Who,
    /// Whether the reader wrote it, and so can release and delete it.
    pub is_own: bool,
}

impl Records {
    /// The working notes on a record, oldest first; none for readers who are no auditors.
    pub async fn working_notes(&self, caller: &Caller, subject: Subject) -> Result<Vec<WorkingNote>> {
        if !caller.has(Resource::Notes, Right::Own) {
            return Ok(Vec::new());
        }
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            subject.reach(reader, &author.caller)?;
            let reader_id = author.caller.actor().to_string();
            let mut notes = Vec::new();
            for row in rows::of(reader, author.scope(), subject.id(), SHOWN)? {
                let is_own = row.note.author == reader_id;
                notes.push(WorkingNote {
                    author: who(reader, author.scope(), &row.note.author)?,
                    is_own,
                    row,
                });
            }
            Ok::<_, Error>(notes)
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// Writes a working note. The audit log is for the institution to read, so it has no entry of it.
    pub async fn write_note(&self, caller: &Caller, subject: Subject, text: &str) -> Result<()> {
        caller.require_right(Resource::Notes, Right::Own)?;
        let text = AuditNote::text_of(text)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            subject.reach(tx, &author.caller)?;
            let note = AuditNote {
                subject: subject.id().to_owned(),
                text: text.clone(),
                author: author.caller.actor().to_string(),
                written_at: author.now,
            };
            let row = AuditNoteRow { id: author.core.ids.next(author.now), note };
            rows::insert(tx, author.scope(), &row)?;
            Ok::<_, Error>(())
        };
        self.db.platform().bookkeep(write).await
    }

    /// Deletes a working note of the caller. Returns the id of its record.
    pub async fn delete_note(&self, caller: &Caller, id: AuditNoteId) -> Result<String> {
        caller.require_right(Resource::Notes, Right::Own)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let note = author.own_note(tx, id)?;
            rows::delete(tx, author.scope(), id)?;
            Ok::<_, Error>(note.subject)
        };
        self.db.platform().bookkeep(write).await
    }

    /// Makes a working note of the caller a comment. Returns the id of its record.
    pub async fn release_note(&self, caller: &Caller, id: AuditNoteId) -> Result<String> {
        caller.require_right(Resource::Notes, Right::Own)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let note = author.own_note(tx, id)?;
            author.store_comment(tx, &Subject::new(note.subject.as_str()), note.as_comment())?;
            rows::delete(tx, author.scope(), id)?;
            Ok::<_, Error>(note.subject)
        };
        self.db.tenant(caller.scope()).write(write).await
    }
}

impl Author {
    /// The note with this id, if the caller wrote it.
    fn own_note(&self, tx: &mut Tx<'_>, id: AuditNoteId) -> Result<AuditNote> {
        let row = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        Subject::new(row.note.subject.as_str()).reach(tx, &self.caller)?;
        if row.note.author == self.caller.actor().to_string() { Ok(row.note) } else { Err(Error::NotAuthor) }
    }
}
