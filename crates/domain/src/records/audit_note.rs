//! Working notes of auditors on records: seen by auditors alone, until their author releases one as a comment.

use crate::{
    change::Change,
    comment::{Comment, CommentInput},
    identifier::{Id, Identified},
    moment::Moment,
    text::Prose,
    violation::Violations,
};

/// A working note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditNote {
    /// The id of the record.
    pub subject: String,
    pub text: Prose,
    /// The id of the person who wrote it.
    pub author: String,
    pub written_at: Moment,
}

pub type AuditNoteId = Id<AuditNote>;

impl Identified for AuditNote {
    const PREFIX: &'static str = "nte";
}

impl AuditNote {
    /// The text of a note: it can become a comment, so it is bound by the same rules.
    pub fn text_of(text: &str) -> Result<Prose, Violations> {
        let input = CommentInput { text: Change::Set(text.to_owned()), ..CommentInput::default() };
        Ok(input.create()?.text)
    }

    /// What the record's readers see once it is released.
    #[must_use]
    pub fn as_comment(&self) -> Comment {
        Comment { text: self.text.clone(), mentions: Vec::new() }
    }
}
