//! Notices about comments: to the people they mention, and to the owner and the watchers of the record.

use std::collections::BTreeSet;

use domain::{
    actor::Actor,
    id::{UserId, Uuid7},
    inbox::Reason,
    text::Name,
};
use serde_json::Value;
use store::{Reader, TenantScope, Tx, comment::CommentRow, watch};

use super::name_of;
use crate::{
    Result,
    author::Author,
    inbox::{About, owner_of},
    records::AnyKind,
};

/// What a notice about a comment is about: the record.
fn about(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    row: &CommentRow,
    kind: &AnyKind,
    fields: &Value,
) -> Result<About> {
    // Each comment gives a notice of its own, whatever the version of the record: its id has no version.
    let bits = Uuid7::of_id(&row.id.to_string()).map_or(0, Uuid7::bits);
    let version = i64::try_from(bits & u128::from(i64::MAX.unsigned_abs())).unwrap_or_default();
    let mut about = About::of_fields(kind.table, row.subject.clone(), version, fields);
    about.due = None;
    if about.title.is_empty() && about.reference.is_none() {
        about.title = name_of(reader, scope, &row.subject)?.unwrap_or_default();
    }
    Ok(about)
}

impl Author {
    /// One notice to each person whom a new comment concerns; to be mentioned counts more than to own or to watch.
    pub(super) fn notify_of_comment(
        &self,
        tx: &mut Tx<'_>,
        row: &CommentRow,
        kind: &AnyKind,
        fields: &Value,
    ) -> Result<()> {
        self.notify_mentioned(tx, row, &[], kind, fields)?;
        let about = about(tx, self.scope(), row, kind, fields)?;
        let mut people: BTreeSet<UserId> = watch::of(tx, self.scope(), &row.subject)?.into_iter().collect();
        if let Some(owner) = owner_of(fields).and_then(|owner| Name::parse(owner).ok())
            && let [owner] = self.named(tx, &owner)?[..]
        {
            people.insert(owner);
        }
        for person in people.into_iter().filter(|person| !row.comment.mentions.contains(person)) {
            self.notify_other(tx, row, person, Reason::Commented, &about)?;
        }
        Ok(())
    }

    /// A notice to each person who is mentioned and was not before.
    pub(super) fn notify_mentioned(
        &self,
        tx: &mut Tx<'_>,
        row: &CommentRow,
        before: &[UserId],
        kind: &AnyKind,
        fields: &Value,
    ) -> Result<()> {
        let about = about(tx, self.scope(), row, kind, fields)?;
        for person in row.comment.mentions.iter().filter(|person| !before.contains(person)) {
            self.notify_other(tx, row, *person, Reason::Mentioned, &about)?;
        }
        Ok(())
    }

    /// The author gets none, not even when they write with a key.
    fn notify_other(
        &self,
        tx: &mut Tx<'_>,
        row: &CommentRow,
        person: UserId,
        reason: Reason,
        about: &About,
    ) -> Result<()> {
        if row.author == Actor::User(person).to_string() {
            return Ok(());
        }
        self.notify(tx, person, reason, about)
    }
}
