//! The steps of every change of a record, inside its transaction: rules, row, earlier version, history, search index,
//! audit entry.

use domain::{
    custom_field::{CustomInput, CustomValues},
    record_event::Occurrence,
    right::Right,
    text::Prose,
    violation::ArchiveComplaint,
};
use serde_json::{Value, json};
use store::{
    Reader, TenantScope, Tx, comment, evidence_link,
    record::{self as rows, RecordRow},
    record_event::Subject,
    version::{self, VersionRow},
};

use super::{
    RecordKind, RecordRequest,
    content::{changes, content, words_of},
};
use crate::{Error, Records, Result, author::Author, authz::Caller, pages::Precondition};

impl Records {
    pub async fn delete_record<K: RecordKind>(
        &self,
        caller: &Caller,
        id: K::Id,
        precondition: Precondition,
    ) -> Result<()> {
        caller.require_right(K::RESOURCE, Right::Decide)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.delete::<K>(tx, id, &precondition);
        self.db.tenant(caller.scope()).write(write).await
    }
}

impl Author {
    pub(crate) fn create<K: RecordKind>(&self, tx: &mut Tx<'_>, new: &K::New) -> Result<K::Id> {
        self.create_with::<K>(tx, (new, &CustomInput::default()))
    }

    /// Creates a record with values of own fields.
    pub(crate) fn create_with<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        (new, custom): (&K::New, &CustomInput),
    ) -> Result<K::Id> {
        self.require_for(None, new)?;
        let custom = self.custom_values::<K>(tx, &CustomValues::default(), custom);
        let (record, custom) = both(K::create(self, tx, new), custom)?;
        self.require_owner(tx, K::RESOURCE, record.owner())?;
        let summary = custom.within(record.summary());
        self.add_row(tx, (record, custom), new.note(), &summary)
    }

    /// Refuses a caller who may not make such a request, before its fields are judged.
    fn require_for<K: RecordKind>(&self, before: Option<&K>, request: &impl RecordRequest<K>) -> Result<()> {
        let needed = if request.decides(before) { Right::Decide } else { Right::Own };
        self.caller.require_right(K::RESOURCE, needed)
    }

    /// Stores a validated record.
    pub(crate) fn add<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        record: K,
        note: Option<Prose>,
    ) -> Result<K::Id> {
        let summary = record.summary();
        self.add_as(tx, record, note, &summary)
    }

    /// The same with another audit entry than the summary of the record.
    pub(crate) fn add_as<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        record: K,
        note: Option<Prose>,
        detail: &Value,
    ) -> Result<K::Id> {
        self.add_row(tx, (record, CustomValues::default()), note, detail)
    }

    fn add_row<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        (record, custom): (K, CustomValues),
        note: Option<Prose>,
        detail: &Value,
    ) -> Result<K::Id> {
        let mut row = RecordRow::new(self.core.ids.next(self.now), record, self.now);
        row.custom = custom;
        let subject = row.id.to_string();
        self.index(tx, K::WORDS, &subject, &words_of(&row))?;
        self.audit(tx, &action::<K>("created"), row.id, detail)?;
        rows::insert(tx, self.scope(), &row)?;
        if let Some(status) = row.record.status() {
            self.note_status(tx, &subject, None, status, note)?;
        }
        K::created(self, tx, &row)?;
        self.notify_assigned(tx, None, &row)?;
        Ok(row.id)
    }

    /// Returns whether anything changed.
    pub(crate) fn change<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        id: K::Id,
        change: &K::Change,
        precondition: &Precondition,
    ) -> Result<bool> {
        self.change_with::<K>(tx, id, (Some(change), &CustomInput::default()), precondition)
    }

    /// The same with values of own fields, or with them alone.
    pub(crate) fn change_with<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        id: K::Id,
        (change, custom): (Option<&K::Change>, &CustomInput),
        precondition: &Precondition,
    ) -> Result<bool> {
        let before = self.current::<K>(tx, id, precondition)?;
        check_live(&before)?;
        if self.grants_for.is_none() {
            match change {
                Some(change) => self.require_for(Some(&before.record), change)?,
                None => self.caller.require_right(K::RESOURCE, Right::Own)?,
            }
            self.require_owner(tx, K::RESOURCE, before.record.owner())?;
        }
        let custom = self.custom_values::<K>(tx, &before.custom, custom);
        let record = match change {
            Some(change) => K::change(self, tx, &before, change),
            None => Ok(before.record.clone()),
        };
        let (record, custom) = both(record, custom)?;
        if record == before.record && custom == before.custom {
            return Ok(false);
        }
        let note = change.and_then(RecordRequest::note);
        let made = self.check_decision(tx, &before, &record, note.as_ref())?;
        let after = self.replace_row(tx, &before, (record, custom), note)?;
        self.audit_change(tx, &before, &after)?;
        if let Some(action) = made {
            self.note_decision(tx, &before, action)?;
        }
        Ok(true)
    }

    /// Replaces a record by a validated one, with everything that belongs to it except the audit entry.
    pub(crate) fn replace<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        before: &RecordRow<K>,
        record: K,
        note: Option<Prose>,
    ) -> Result<RecordRow<K>> {
        self.replace_row(tx, before, (record, before.custom.clone()), note)
    }

    fn replace_row<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        before: &RecordRow<K>,
        (record, custom): (K, CustomValues),
        note: Option<Prose>,
    ) -> Result<RecordRow<K>> {
        let archived_at = match record.archived_by_status() {
            Some(archived) => archived.then_some(before.archived_at.unwrap_or(self.now)),
            // A record that is reopened is no longer archived.
            None => match before.archived_at {
                Some(_) if record.check_archive(self.today(tx)?).is_err() => None,
                unchanged => unchanged,
            },
        };
        let mut after = RecordRow { record, custom, archived_at, updated_at: self.now, ..before.clone() };
        self.store(tx, before, &after)?;
        let subject = after.id.to_string();
        if let (Some(from), Some(to)) = (before.record.status(), after.record.status())
            && K::is_step(&before.record, &after.record)
        {
            self.note_status(tx, &subject, Some(from), to, note)?;
        }
        self.reindex(tx, K::WORDS, &subject, &words_of(before), &words_of(&after))?;
        K::changed(self, tx, before, &after)?;
        self.lapse(tx, &subject, || changed_fields(before, &after))?;
        after.version += 1;
        for report in K::submitted(&before.record, &after.record) {
            self.publish(tx, Occurrence::ReportSubmitted, subject_of(&after), &report)?;
        }
        self.notify_assigned(tx, Some(before), &after)?;
        Ok(after)
    }

    /// The audit entry of a change.
    pub(crate) fn audit_change<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        before: &RecordRow<K>,
        after: &RecordRow<K>,
    ) -> Result<()> {
        let changes = changes::<K>(content(before), content(after));
        self.audit(tx, &action::<K>("changed"), after.id, &changes)
    }

    pub(crate) fn delete<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        id: K::Id,
        precondition: &Precondition,
    ) -> Result<()> {
        let row = self.current::<K>(tx, id, precondition)?;
        if K::KEEPS && is_used(tx, self.scope(), &row)? {
            return self.archive_used(tx, &row);
        }
        let is_kept = !K::KEEPS && has_more(tx, self.scope(), &row)?;
        // Its own rules come first: they know better what to do instead.
        K::release(self, tx, &row)?;
        if is_kept {
            return Err(Error::invalid(K::NOUN, kept(&row)));
        }
        self.forget(tx, &id.to_string())?;
        self.lapse(tx, &id.to_string(), || vec!["deleted".to_owned()])?;
        // What was deleted is still there in lists as of a day before.
        self.keep_version(tx, &row)?;
        rows::delete(tx, self.scope(), &row)?;
        self.audit(tx, &action::<K>("deleted"), id, &row.custom.within(row.record.summary()))
    }

    /// A record with history is archived where it would be deleted.
    fn archive_used<K: RecordKind>(&self, tx: &mut Tx<'_>, row: &RecordRow<K>) -> Result<()> {
        if row.archived_at.is_some() {
            return Err(Error::invalid(K::NOUN, ArchiveComplaint::ArchivedIsKept));
        }
        row.record.check_delete(self)?;
        row.record.check_archive(self.today(tx)?)?;
        K::check_removal(self, tx, row)?;
        self.require_archiving(tx, row)?;
        self.put_away(tx, row, true)
    }

    /// Archives or restores a record.
    pub(crate) fn put_away<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        before: &RecordRow<K>,
        archived: bool,
    ) -> Result<()> {
        let verb = if archived { "archived" } else { "restored" };
        if let Some(record) = K::put_away(self, tx, before, archived)? {
            let after = self.replace(tx, before, record, None)?;
            let changes = changes::<K>(content(before), content(&after));
            return self.audit(tx, &action::<K>(verb), before.id, &changes);
        }
        let archived_at = archived.then_some(self.now);
        let after = RecordRow { archived_at, updated_at: self.now, ..before.clone() };
        self.store(tx, before, &after)?;
        let mut detail = json!({ "archived_at": [before.archived_at, archived_at] });
        if let Some(reference) = before.record.fields().get_mut("reference") {
            detail["reference"] = reference.take();
        }
        self.lapse(tx, &before.id.to_string(), || vec!["archived_at".to_owned()])?;
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
        self.core.check_match(precondition, row.version)?;
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
        self.keep_version(tx, before)
    }

    /// Keeps a version that ends now.
    pub(crate) fn keep_version<K: RecordKind>(&self, tx: &mut Tx<'_>, before: &RecordRow<K>) -> Result<()> {
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

/// The record as events name it.
pub(super) fn subject_of<K: RecordKind>(row: &RecordRow<K>) -> Subject {
    Subject { table: K::TABLE.name, id: row.id.to_string(), version: row.version }
}

/// The names of the fields that a change touches.
fn changed_fields<K: RecordKind>(before: &RecordRow<K>, after: &RecordRow<K>) -> Vec<String> {
    match changes::<K>(content(before), content(after)) {
        Value::Object(changes) => changes.into_iter().map(|(field, _)| field).collect(),
        _ => Vec::new(),
    }
}

/// Why a record with comments, evidence or results is not deleted, and what to do instead.
fn kept<K: RecordKind>(row: &RecordRow<K>) -> ArchiveComplaint {
    match (K::TABLE.archives, row.archived_at) {
        (true, Some(_)) => ArchiveComplaint::ArchivedIsKept,
        (true, None) => ArchiveComplaint::ArchiveInstead,
        (false, _) => ArchiveComplaint::HasHistory,
    }
}

/// Refuses to change an archived record of a kind that is not changed in the archive.
pub(crate) fn check_live<K: RecordKind>(row: &RecordRow<K>) -> Result<()> {
    if (K::KEEPS || K::RESTS) && row.archived_at.is_some() {
        return Err(Error::invalid(K::NOUN, ArchiveComplaint::Archived));
    }
    Ok(())
}

/// Whether anything happened to a record since it was created, so that it must be kept.
pub(crate) fn is_used<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    row: &RecordRow<K>,
) -> Result<bool> {
    let changed = row.version > 1 || row.archived_at.is_some();
    Ok(changed || has_more(reader, scope, row)?)
}

/// Whether a record has more than its own fields, which alone are in its versions: comments, evidence or results.
pub(crate) fn has_more<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    row: &RecordRow<K>,
) -> Result<bool> {
    Ok(evidence_link::has_evidence(reader, scope, &row.id.to_string())?
        || comment::has_any(reader, scope, &row.id.to_string())?
        || K::is_referred(reader, scope, row)?)
}

/// A record with the values of its own fields, or what is wrong with either of them.
fn both<K>(record: Result<K>, custom: Result<CustomValues>) -> Result<(K, CustomValues)> {
    match (record, custom) {
        (Ok(record), Ok(custom)) => Ok((record, custom)),
        (Err(Error::Invalid(record)), Err(Error::Invalid(custom))) => {
            Err(Error::Invalid(record.and(Some(custom))))
        }
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

pub(super) fn action<K: RecordKind>(verb: &str) -> String {
    format!("{}.{verb}", K::NOUN)
}
