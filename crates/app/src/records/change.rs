//! The steps of every change of a record, inside its transaction: rules, row, earlier version, history, search index,
//! audit entry.

use domain::text::Prose;
use serde_json::{Value, json};
use store::{
    Tx,
    record::{self as rows, RecordRow},
    version::{self, VersionRow},
};

use super::RecordKind;
use crate::{Error, Result, author::Author, change_log::difference, pages::Precondition};

impl Author {
    pub(crate) fn create<K: RecordKind>(&self, tx: &mut Tx<'_>, input: &K::Input) -> Result<K::Id> {
        let record = K::create(self, tx, input)?;
        self.add(tx, record, K::note(input))
    }

    /// Stores a validated record.
    pub(crate) fn add<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        record: K,
        note: Option<Prose>,
    ) -> Result<K::Id> {
        let id: K::Id = self.app.ids.next(self.now);
        let subject = id.to_string();
        self.index(tx, K::WORDS, &subject, &record.texts().words())?;
        self.audit(tx, &action::<K>("created"), id, &record.fields())?;
        let status = record.status();
        rows::insert(tx, self.scope(), &RecordRow::new(id, record, self.now))?;
        if let Some(status) = status {
            self.note_status(tx, &subject, None, status, note)?;
        }
        Ok(id)
    }

    /// Returns whether anything changed.
    pub(crate) fn change<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        id: K::Id,
        input: &K::Input,
        precondition: &Precondition,
    ) -> Result<bool> {
        let before = self.current::<K>(tx, id, precondition)?;
        let record = K::change(self, tx, &before, input)?;
        if record == before.record {
            return Ok(false);
        }
        let after = RecordRow { record, updated_at: self.now, ..before.clone() };
        self.store(tx, &before, &after)?;
        let subject = id.to_string();
        if let (Some(from), Some(to)) = (before.record.status(), after.record.status())
            && K::is_step(&before.record, &after.record)
        {
            self.note_status(tx, &subject, Some(from), to, K::note(input))?;
        }
        K::changed(self, tx, &before, &after)?;
        self.reindex(tx, K::WORDS, &subject, &before.record.texts().words(), &after.record.texts().words())?;
        let changes = difference(&before.record.fields(), &after.record.fields());
        self.audit(tx, &action::<K>("changed"), id, &changes)?;
        Ok(true)
    }

    pub(crate) fn delete<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        id: K::Id,
        precondition: &Precondition,
    ) -> Result<()> {
        let row = self.current::<K>(tx, id, precondition)?;
        K::release(self, tx, &row)?;
        let subject = id.to_string();
        self.forget(tx, &subject)?;
        version::delete(tx, self.scope(), &subject)?;
        rows::delete(tx, self.scope(), &row)?;
        self.audit(tx, &action::<K>("deleted"), id, &row.record.fields())
    }

    /// Archives or restores a record.
    pub(crate) fn put_away<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        before: &RecordRow<K>,
        archived: bool,
    ) -> Result<()> {
        let archived_at = archived.then_some(self.now);
        let after = RecordRow { archived_at, updated_at: self.now, ..before.clone() };
        self.store(tx, before, &after)?;
        let verb = if archived { "archived" } else { "restored" };
        let detail = json!({ "archived_at": [before.archived_at, archived_at] });
        self.audit(tx, &action::<K>(verb), before.id, &detail)
    }

    /// The current record, if it is the version the caller has seen.
    pub(crate) fn current<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        id: K::Id,
        precondition: &Precondition,
    ) -> Result<RecordRow<K>> {
        let row = rows::get::<K>(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, row.version)?;
        Ok(row)
    }

    /// Stores the row and the version before.
    pub(crate) fn store<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        before: &RecordRow<K>,
        after: &RecordRow<K>,
    ) -> Result<()> {
        if !rows::update(tx, self.scope(), before, after)? {
            return Err(Error::Stale);
        }
        let earlier = VersionRow {
            version: before.version,
            from: before.updated_at,
            until: self.now,
            replaced_by: self.caller.actor().to_string(),
            content: content(before).to_string(),
        };
        let (id, past) = (before.id.to_string(), rows::past(before));
        version::keep(tx, self.scope(), &id, &earlier, Some(&past)).map_err(Error::from)
    }
}

/// The content of a record in its versions.
pub(super) fn content<K: RecordKind>(row: &RecordRow<K>) -> Value {
    let mut fields = row.record.fields();
    if K::TABLE.archives {
        fields["archived_at"] = json!(row.archived_at);
    }
    fields
}

fn action<K: RecordKind>(verb: &str) -> String {
    format!("{}.{verb}", K::NOUN)
}
