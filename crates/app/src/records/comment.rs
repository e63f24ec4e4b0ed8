//! Comments on records of every kind, and the people who watch a record.
//!
//! A comment belongs to its author: a person, a key that stands for no person, or the person a key stands for. Its text
//! is found by the search until it is withdrawn; then only those who read the audit log see it.

mod discussion;
mod note;
mod notices;
mod view;
mod watch;

use domain::{
    comment::{Comment as Said, CommentComplaint, CommentInput, CommentState},
    id::{CommentId, UserId},
    key_limits::Verb,
    page::{Page, PageRequest},
    right::{Resource, Right},
    violation::ArchiveComplaint,
};
use serde_json::{Value, json};
use store::{
    Reader, TenantScope, Tx,
    comment::{self as rows, CommentRow},
    document, user,
};

pub use self::{
    discussion::Discussion,
    note::WorkingNote,
    view::{Comment, CommentAuthor},
};
use crate::{
    Error, Records, Result,
    author::Author,
    authz::Caller,
    idempotency::{Creation, Idempotency},
    records::{AnyKind, any},
    words::{Kind as WordKind, Texts},
};

/// The mark of the words of comments.
pub(crate) const WORDS: WordKind = WordKind::new('x');
/// The name of comments in the results of the search.
pub(crate) const FOUND: &str = "comment";

/// The record that a comment or a watch is about.
#[derive(Debug, Clone)]
pub struct Subject {
    id: String,
    /// The id of the record it is reached through: of a due-diligence review, its provider.
    below: Option<String>,
}

impl Subject {
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), below: None }
    }

    /// A record that exists only below another one.
    #[must_use]
    pub fn below(self, parent: impl Into<String>) -> Self {
        Self { below: Some(parent.into()), ..self }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The kind and the fields of the record.
    fn find(&self, reader: &mut Reader<'_>, scope: &TenantScope) -> Result<(&'static AnyKind, Value)> {
        let kind = AnyKind::of_id(&self.id).ok_or(Error::NotFound)?;
        let fields = kind.find(reader, scope, &self.id)?.ok_or(Error::NotFound)?;
        match &self.below {
            Some(parent) if parent_in(&fields) != Some(parent.as_str()) => Err(Error::NotFound),
            _ => Ok((kind, fields)),
        }
    }

    /// The same for a caller who may read the record: by their right, or because it is their own training.
    pub(crate) fn reach(
        &self,
        reader: &mut Reader<'_>,
        caller: &Caller,
    ) -> Result<(&'static AnyKind, Value)> {
        let (kind, fields) = self.find(reader, caller.scope())?;
        let own = fields.get("owner").and_then(Value::as_str);
        let is_own = own.is_some_and(|person| person == caller.actor().to_string());
        if is_own || caller.has(kind.resource, Right::Read) {
            Ok((kind, fields))
        } else {
            Err(Error::NotFound)
        }
    }
}

/// The record that one with these fields is shown below.
fn parent_in(fields: &Value) -> Option<&str> {
    fields.get("provider_id").and_then(Value::as_str)
}

/// The name of a record that is commented on: its own, or that of the record it is shown below.
pub(crate) fn name_of(reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<Option<String>> {
    if let Some(name) = any::name_of(reader, scope, id)? {
        return Ok(Some(name));
    }
    let Ok((_, fields)) = Subject::new(id).find(reader, scope) else { return Ok(None) };
    parent_in(&fields).map_or(Ok(None), |parent| any::name_of(reader, scope, parent))
}

/// Refuses to write about an archived record, like every other change of it.
pub(crate) fn check_open(kind: &AnyKind, fields: &Value) -> Result<()> {
    match fields.get("archived_at") {
        Some(at) if !at.is_null() => Err(Error::invalid(kind.noun, ArchiveComplaint::Archived)),
        _ => Ok(()),
    }
}

fn texts(comment: &Said) -> Texts<'_> {
    Texts { heading: Vec::new(), body: vec![comment.text.as_str()] }
}

/// A comment, the kind of its record and the fields of that.
type Found = (CommentRow, &'static AnyKind, Value);

/// The comment with this id, if its record is still there and the caller may reach it.
fn found(reader: &mut Reader<'_>, caller: &Caller, id: CommentId, verb: Verb) -> Result<Found> {
    let row = rows::get(reader, caller.scope(), id)?.ok_or(Error::NotFound)?;
    let (kind, fields) = Subject::new(row.subject.as_str()).reach(reader, caller)?;
    caller.require_noun(kind.noun, verb)?;
    Ok((row, kind, fields))
}

impl Records {
    /// The comments on a record, oldest first.
    pub async fn comments(
        &self,
        caller: &Caller,
        subject: Subject,
        request: PageRequest,
    ) -> Result<Page<Comment>> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            let (kind, _) = subject.reach(reader, &author.caller)?;
            let mut page = rows::list(reader, author.scope(), &subject.id, request)?;
            let rows = std::mem::take(&mut page.items);
            Ok(page.with(author.comment_views(reader, kind, rows)?))
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    pub async fn comment(&self, caller: &Caller, id: CommentId) -> Result<Comment> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            let (row, kind, _) = found(reader, &author.caller, id, Verb::Read)?;
            author.comment_view(reader, kind, row)
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    pub async fn create_comment(
        &self,
        caller: &Caller,
        subject: Subject,
        input: CommentInput,
        idempotency: Option<Idempotency>,
        render: fn(&Comment) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Comments, Right::Own)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let create = |tx: &mut Tx<'_>| {
                let comment = author.add_comment(tx, &subject, &input)?;
                Ok((comment.row.id.to_string(), comment))
            };
            author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Changes a comment that its author wrote a moment ago.
    pub async fn change_comment(
        &self,
        caller: &Caller,
        id: CommentId,
        input: CommentInput,
    ) -> Result<Comment> {
        self.with_comment(caller, move |author, tx| author.edit_comment(tx, id, &input)).await
    }

    /// Marks a comment as resolved. One that is resolved already stays as it is.
    pub async fn resolve_comment(&self, caller: &Caller, id: CommentId) -> Result<Comment> {
        self.with_comment(caller, move |author, tx| author.resolve_comment(tx, id)).await
    }

    /// Deletes a comment that its author wrote a moment ago, and withdraws an older one. Returns the id of its record.
    pub async fn withdraw_comment(&self, caller: &Caller, id: CommentId) -> Result<String> {
        self.with_comment(caller, move |author, tx| author.withdraw_comment(tx, id)).await
    }

    async fn with_comment<T: Send + 'static>(
        &self,
        caller: &Caller,
        change: impl Fn(&Author, &mut Tx<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        caller.require_right(Resource::Comments, Right::Own)?;
        let author = Author::new(self, caller);
        self.db.tenant(caller.scope()).write(move |tx| change(&author, tx)).await
    }

    /// The id of the record that this one is shown below, if there is one.
    pub async fn parent_of_record(&self, caller: &Caller, id: String) -> Result<Option<String>> {
        let reader = caller.clone();
        let read = move |r: &mut Reader<'_>| {
            let (_, fields) = Subject::new(id.as_str()).reach(r, &reader)?;
            Ok::<_, Error>(parent_in(&fields).map(str::to_owned))
        };
        self.db.tenant(caller.scope()).read(read).await
    }
}

impl Author {
    pub(crate) fn add_comment(
        &self,
        tx: &mut Tx<'_>,
        subject: &Subject,
        input: &CommentInput,
    ) -> Result<Comment> {
        let (kind, fields) = subject.reach(tx, &self.caller)?;
        check_open(kind, &fields)?;
        let comment = input.create()?;
        self.check_mentions(tx, &comment.mentions)?;
        self.store_comment(tx, subject, comment)
    }

    /// Stores a comment that was judged, with everything that follows from it.
    pub(crate) fn store_comment(&self, tx: &mut Tx<'_>, subject: &Subject, comment: Said) -> Result<Comment> {
        let (kind, fields) = subject.reach(tx, &self.caller)?;
        check_open(kind, &fields)?;
        let (actor, writer) = (self.caller.actor(), self.stands_for(tx)?);
        let row = CommentRow {
            id: self.core.ids.next(self.now),
            subject: subject.id.clone(),
            kind: kind.table.to_owned(),
            comment,
            author: writer.to_string(),
            written_with: (actor != writer).then(|| actor.to_string()),
            created_at: self.now,
            edited_at: None,
            resolved_at: None,
            resolved_by: None,
            withdrawn_at: None,
        };
        rows::insert(tx, self.scope(), &row)?;
        self.index(tx, WORDS, &row.id.to_string(), &texts(&row.comment).words())?;
        self.audit(tx, "comment.added", &row.subject, &detail(&row))?;
        self.notify_of_comment(tx, &row, kind, &fields)?;
        self.comment_view(tx, kind, row)
    }

    fn edit_comment(&self, tx: &mut Tx<'_>, id: CommentId, input: &CommentInput) -> Result<Comment> {
        let (row, kind, fields) = self.own_comment(tx, id)?;
        if row.state() == CommentState::Withdrawn {
            return Err(Error::Conflict(CommentComplaint::Withdrawn.into()));
        }
        if !Said::can_be_changed(row.created_at, self.now) {
            return Err(Error::Conflict(CommentComplaint::TooLate { minutes: Said::MINUTES }.into()));
        }
        check_open(kind, &fields)?;
        let comment = input.change(&row.comment)?;
        if comment == row.comment {
            return self.comment_view(tx, kind, row);
        }
        self.check_mentions(tx, &comment.mentions)?;
        let after = CommentRow { comment, edited_at: Some(self.now), ..row.clone() };
        rows::update(tx, self.scope(), &after, self.now)?;
        let (was, is) = (texts(&row.comment).words(), texts(&after.comment).words());
        self.reindex(tx, WORDS, &id.to_string(), &was, &is)?;
        self.audit(tx, "comment.edited", &after.subject, &detail(&after))?;
        self.notify_mentioned(tx, &after, &row.comment.mentions, kind, &fields)?;
        self.comment_view(tx, kind, after)
    }

    fn withdraw_comment(&self, tx: &mut Tx<'_>, id: CommentId) -> Result<String> {
        let (row, ..) = self.own_comment(tx, id)?;
        if row.state() == CommentState::Withdrawn {
            return Ok(row.subject);
        }
        document::delete(tx, self.scope(), &id.to_string())?;
        if Said::can_be_changed(row.created_at, self.now) {
            rows::delete(tx, self.scope(), id)?;
            self.audit(tx, "comment.deleted", &row.subject, &detail(&row))?;
        } else {
            let after = CommentRow { withdrawn_at: Some(self.now), ..row.clone() };
            rows::update(tx, self.scope(), &after, self.now)?;
            self.audit(tx, "comment.withdrawn", &row.subject, &detail(&row))?;
        }
        Ok(row.subject)
    }

    fn resolve_comment(&self, tx: &mut Tx<'_>, id: CommentId) -> Result<Comment> {
        let (row, kind, _) = found(tx, &self.caller, id, Verb::Write)?;
        let writer = self.stands_for(tx)?.to_string();
        if row.author != writer {
            self.caller.require_right(kind.resource, Right::Own)?;
        }
        let after = match row.state() {
            CommentState::Withdrawn => return Err(Error::Conflict(CommentComplaint::Withdrawn.into())),
            CommentState::Resolved => row,
            CommentState::Open => {
                let after = CommentRow { resolved_at: Some(self.now), resolved_by: Some(writer), ..row };
                rows::update(tx, self.scope(), &after, self.now)?;
                self.audit(tx, "comment.resolved", &after.subject, &detail(&after))?;
                after
            }
        };
        self.comment_view(tx, kind, after)
    }

    /// The comment with this id, if the caller wrote it.
    fn own_comment(&self, tx: &mut Tx<'_>, id: CommentId) -> Result<Found> {
        let found = found(tx, &self.caller, id, Verb::Write)?;
        if found.0.author == self.stands_for(tx)?.to_string() { Ok(found) } else { Err(Error::NotAuthor) }
    }

    /// Refuses to mention who is no person of the tenant or has left.
    fn check_mentions(&self, tx: &mut Tx<'_>, mentions: &[UserId]) -> Result<()> {
        for person in mentions {
            let found = user::get(tx, self.scope(), *person)?;
            if found.is_none_or(|(person, _)| person.disabled_at.is_some()) {
                let unknown = CommentComplaint::NoSuchPerson { id: person.to_string() };
                return Err(Error::invalid("mentions", unknown));
            }
        }
        Ok(())
    }
}

/// What the audit log says of a comment: which one it is and whom it mentions, but not its text, which its author can
/// delete.
fn detail(row: &CommentRow) -> Value {
    json!({ "comment_of": row.created_at, "mentions": row.comment.mentions })
}
