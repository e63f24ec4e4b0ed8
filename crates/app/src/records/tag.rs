//! The tags of records of every kind: shown and found with the record, and changed by those who may write it.

use domain::{
    right::Right,
    tag::{Tag, TagsInput},
    text::Name,
};
use serde_json::{Value, json};
use store::{Reader, Tx, document, tag as rows};

use crate::{
    Error, Records, Result,
    author::Author,
    authz::Caller,
    comment::{Subject, check_open},
    inbox::owner_of,
    records::{AnyKind, RecordKind},
};

/// The maximum number of tags that a list offers to filter by.
const OFFERED: u32 = 200;

/// The tags of a record, and whether the reader can change them.
#[derive(Debug, Clone)]
pub struct Tagged {
    pub tags: Vec<Tag>,
    pub may_write: bool,
}

impl Records {
    /// The tags of a record, in alphabetical order.
    pub async fn tags(&self, caller: &Caller, subject: Subject) -> Result<Tagged> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            let (kind, fields) = subject.reach(reader, &author.caller)?;
            let tags = rows::of(reader, author.scope(), subject.id())?;
            let may_write = author.require_tagging(reader, kind, &fields).is_ok();
            Ok::<_, Error>(Tagged { tags, may_write })
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// Replaces the tags of a record.
    pub async fn set_tags(&self, caller: &Caller, subject: Subject, input: TagsInput) -> Result<Vec<Tag>> {
        if let Some(kind) = AnyKind::of_id(subject.id()) {
            caller.require_right(kind.resource, Right::Own)?;
        }
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let (kind, fields) = subject.reach(tx, &author.caller)?;
            author.require_tagging(tx, kind, &fields)?;
            let tags = input.read()?;
            author.set_tags(tx, kind, subject.id(), &tags)?;
            Ok::<_, Error>(tags)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    /// The tags that records of this kind have.
    pub async fn used_tags<K: RecordKind>(&self, caller: &Caller) -> Result<Vec<String>> {
        // People see their own trainings, but not what the others are tagged with.
        if !caller.has(K::RESOURCE, Right::Read) {
            return Ok(Vec::new());
        }
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            rows::used(reader, &scope, K::TABLE.name, OFFERED).map_err(Error::from)
        };
        self.db.tenant(&scope).read(read).await
    }
}

impl Author {
    /// Refuses a caller who may not write the record, and an archived record.
    pub(crate) fn require_tagging(
        &self,
        reader: &mut Reader<'_>,
        kind: &AnyKind,
        fields: &Value,
    ) -> Result<()> {
        self.caller.require_right(kind.resource, Right::Own)?;
        let owner = owner_of(fields).and_then(|owner| Name::parse(owner).ok());
        self.require_owner(reader, kind.resource, owner.as_ref())?;
        check_open(kind, fields)
    }

    /// Returns whether anything changed. The version of the record stays: its fields are the same.
    pub(crate) fn set_tags(
        &self,
        tx: &mut Tx<'_>,
        kind: &AnyKind,
        record: &str,
        tags: &[Tag],
    ) -> Result<bool> {
        let before = rows::of(tx, self.scope(), record)?;
        if before == tags {
            return Ok(false);
        }
        rows::put(tx, self.scope(), record, kind.table, tags)?;
        if let Some(words) = kind.own_words(tx, self.scope(), record)? {
            let words = words.and(tags.iter().map(Tag::as_str));
            let tokens = words.tokens(self.caller.tenant(), kind.words);
            document::update(tx, self.scope(), record, &tokens)?;
        }
        let shown = |tags: &[Tag]| tags.iter().map(ToString::to_string).collect::<Vec<_>>();
        self.audit(tx, "tags.changed", record, &json!({ "tags": [shown(&before), shown(tags)] }))?;
        Ok(true)
    }
}
