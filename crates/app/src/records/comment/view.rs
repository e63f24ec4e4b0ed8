//! Comments as a caller sees them: with names instead of ids, and without a text that was withdrawn.

use domain::{
    comment::{Comment as Said, CommentState},
    id::UserId,
    right::{Resource, Right},
    text::Prose,
};
use store::{Reader, comment::CommentRow};

use crate::{
    Result,
    audit::{Who, who},
    author::Author,
    records::AnyKind,
};

/// The author of a comment, or the person who resolved it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentAuthor {
    /// The id of the person or the key.
    pub id: String,
    pub who: Who,
}

/// A comment as a caller sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub row: CommentRow,
    /// The noun of the kind of its record.
    pub noun: &'static str,
    pub state: CommentState,
    /// `None` if it was withdrawn, unless the caller reads the audit log.
    pub text: Option<Prose>,
    pub author: CommentAuthor,
    pub resolved_by: Option<CommentAuthor>,
    /// The names of the people it mentions, as far as their accounts exist.
    pub mentioned: Vec<(UserId, String)>,
    /// Whether the caller can change it now.
    pub may_change: bool,
    /// Whether the caller can delete or withdraw it.
    pub may_withdraw: bool,
    pub may_resolve: bool,
}

impl Author {
    pub(super) fn comment_view(
        &self,
        reader: &mut Reader<'_>,
        kind: &'static AnyKind,
        row: CommentRow,
    ) -> Result<Comment> {
        let caller = self.stands_for(reader)?.to_string();
        self.seen_by(reader, kind, row, &caller)
    }

    pub(super) fn comment_views(
        &self,
        reader: &mut Reader<'_>,
        kind: &'static AnyKind,
        rows: Vec<CommentRow>,
    ) -> Result<Vec<Comment>> {
        let caller = self.stands_for(reader)?.to_string();
        rows.into_iter().map(|row| self.seen_by(reader, kind, row, &caller)).collect()
    }

    fn seen_by(
        &self,
        reader: &mut Reader<'_>,
        kind: &'static AnyKind,
        row: CommentRow,
        caller: &str,
    ) -> Result<Comment> {
        let (state, is_own) = (row.state(), row.author == caller);
        let is_hidden = state == CommentState::Withdrawn && !self.caller.has(Resource::AuditLog, Right::Read);
        let may_write = self.caller.has(Resource::Comments, Right::Own);
        let author = self.named_author(reader, row.author.clone())?;
        let resolved_by = match row.resolved_by.clone() {
            Some(id) => Some(self.named_author(reader, id)?),
            None => None,
        };
        let mut mentioned = Vec::new();
        for person in &row.comment.mentions {
            if let Who::Person { name, .. } = who(reader, self.scope(), &person.to_string())? {
                mentioned.push((*person, name));
            }
        }
        let is_kept = state != CommentState::Withdrawn;
        Ok(Comment {
            noun: kind.noun,
            state,
            text: (!is_hidden).then(|| row.comment.text.clone()),
            author,
            resolved_by,
            mentioned,
            may_change: may_write && is_own && is_kept && Said::can_be_changed(row.created_at, self.now),
            may_withdraw: may_write && is_own && is_kept,
            may_resolve: may_write
                && state == CommentState::Open
                && (is_own || self.caller.has(kind.resource, Right::Own)),
            row,
        })
    }

    fn named_author(&self, reader: &mut Reader<'_>, id: String) -> Result<CommentAuthor> {
        let who = who(reader, self.scope(), &id)?;
        Ok(CommentAuthor { id, who })
    }
}
