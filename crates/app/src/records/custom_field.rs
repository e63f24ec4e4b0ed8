//! Own fields of the kinds of records: which there are, and the values of a record in them.

use std::collections::BTreeMap;

use domain::{
    change::Change,
    custom_field::{
        CUSTOM, CustomField, CustomFieldInput, CustomInput, CustomValues, Holding, SentValue, ValueDigest,
    },
    id::CustomFieldId,
    right::{Resource, Right},
};
use serde_json::{Value, json};
use store::{Reader, Tx, custom_field as rows};

use crate::{
    Error, Records, Result,
    author::Author,
    authz::Caller,
    change_log::difference,
    comment::Subject,
    idempotency::{Creation, Idempotency},
    pages::Precondition,
    records::{AnyKind, KINDS, RecordKind},
};

pub use store::custom_field::CustomFieldRow;

/// The nouns of the kinds that have own fields.
pub fn kinds() -> Vec<&'static str> {
    KINDS.iter().filter(|kind| kind.has_own_fields).map(|kind| kind.noun).collect()
}

/// The own fields of a record, with its values in them.
#[derive(Debug, Clone)]
pub struct OwnFields {
    /// In their order; an archived one only if the record has a value in it.
    pub fields: Vec<CustomField>,
    pub values: CustomValues,
    /// What the record was read with, to notice that another user changed it meanwhile.
    pub seen: String,
    pub may_write: bool,
}

impl Records {
    /// The fields of one kind, or of all; those of a kind in their order.
    pub async fn custom_fields(&self, caller: &Caller, kind: Option<String>) -> Result<Vec<CustomFieldRow>> {
        caller.require_right(Resource::OwnFields, Right::Read)?;
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| match &kind {
            Some(kind) => rows::of_kind(reader, &scope, kind),
            None => rows::all(reader, &scope),
        };
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }

    pub async fn custom_field(&self, caller: &Caller, id: CustomFieldId) -> Result<CustomFieldRow> {
        caller.require_right(Resource::OwnFields, Right::Read)?;
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| rows::get(reader, &scope, id)?.ok_or(Error::NotFound);
        self.db.tenant(&scope).read(read).await
    }

    /// The fields of a kind in their order, for those who see its records.
    pub async fn fields_of<K: RecordKind>(&self, caller: &Caller) -> Result<Vec<CustomField>> {
        if !K::OWN_FIELDS {
            return Ok(Vec::new());
        }
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| rows::of_kind(reader, &scope, K::NOUN).map_err(Error::from);
        let rows = self.db.tenant(&scope).read(read).await?;
        Ok(rows.into_iter().map(|row| row.field).collect())
    }

    /// What records must have for a list that is filtered by own fields, by their keys.
    pub async fn holding<K: RecordKind>(
        &self,
        caller: &Caller,
        wanted: BTreeMap<String, String>,
    ) -> Result<Holding> {
        let fields = if wanted.is_empty() { Vec::new() } else { self.fields_of::<K>(caller).await? };
        let mut input = CustomInput::default();
        for (key, text) in wanted {
            input.set(key, SentValue::Typed(text));
        }
        let values = input.sought(&fields)?;
        let digests = values.iter().map(|(key, value)| ValueDigest::of(K::TABLE.name, key, value));
        Holding::of(digests).map_err(|complaint| Error::invalid("custom", complaint))
    }

    /// The own fields on the page of a record; none for a kind that has none.
    pub async fn own_fields(&self, caller: &Caller, subject: Subject) -> Result<Option<OwnFields>> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            let (kind, content) = subject.reach(reader, &author.caller)?;
            if !kind.has_own_fields {
                return Ok::<_, Error>(None);
            }
            let values = content.get(CUSTOM).and_then(Value::as_object).map(CustomValues::of_json);
            let values = values.unwrap_or_default();
            let fields = rows::of_kind(reader, author.scope(), kind.noun)?.into_iter().map(|row| row.field);
            let is_shown = |field: &CustomField| !field.is_archived() || values.get(&field.key).is_some();
            let fields: Vec<_> = fields.filter(is_shown).collect();
            let may_write = author.require_tagging(reader, kind, &content).is_ok();
            let version = kind.version(reader, author.scope(), subject.id())?;
            Ok(Some((OwnFields { fields, values, seen: String::new(), may_write }, version)))
        };
        let (own, revision) = self.db.tenant(caller.scope()).read_at(read).await?;
        Ok(own.map(|(own, version)| OwnFields { seen: self.record_validator(version, revision), ..own }))
    }

    /// Changes own fields of a record of any kind, and nothing else of it.
    pub async fn fill_in(
        &self,
        caller: &Caller,
        subject: Subject,
        input: CustomInput,
        precondition: Precondition,
    ) -> Result<()> {
        if let Some(kind) = AnyKind::of_id(subject.id()) {
            caller.require_right(kind.resource, Right::Own)?;
        }
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let (kind, content) = subject.reach(tx, &author.caller)?;
            author.require_tagging(tx, kind, &content)?;
            kind.fill_in(&author, tx, subject.id(), &input, &precondition)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    pub async fn create_custom_field(
        &self,
        caller: &Caller,
        input: CustomFieldInput,
        idempotency: Option<Idempotency>,
        render: fn(&CustomFieldRow) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::OwnFields, Right::Decide)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let create = |tx: &mut Tx<'_>| {
                let row = author.add_custom_field(tx, &input)?;
                Ok((row.id.to_string(), row))
            };
            author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    pub async fn change_custom_field(
        &self,
        caller: &Caller,
        id: CustomFieldId,
        input: CustomFieldInput,
    ) -> Result<CustomFieldRow> {
        caller.require_right(Resource::OwnFields, Right::Decide)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.change_custom_field(tx, id, &input);
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Deletes a field that no record ever had a value in, and archives any other. Returns whether it was deleted.
    pub async fn delete_custom_field(&self, caller: &Caller, id: CustomFieldId) -> Result<bool> {
        caller.require_right(Resource::OwnFields, Right::Decide)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.delete_custom_field(tx, id);
        self.db.tenant(caller.scope()).write(write).await
    }
}

impl Author {
    fn add_custom_field(&self, tx: &mut Tx<'_>, input: &CustomFieldInput) -> Result<CustomFieldRow> {
        let kind = match &input.kind {
            Change::Set(kind) => kind.as_str(),
            Change::Keep | Change::Clear => "",
        };
        let others: Vec<_> =
            rows::of_kind(tx, self.scope(), kind)?.into_iter().map(|row| row.field).collect();
        let field = input.create(&kinds(), |_| &others)?;
        let id = self.core.ids.next(self.now);
        let row = CustomFieldRow { id, field, is_used: false, created_at: self.now, updated_at: self.now };
        rows::insert(tx, self.scope(), &row)?;
        self.audit(tx, "custom_field.created", id, &content(&row.field))?;
        self.arrange(tx, &row.field.kind, None)?;
        rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)
    }

    fn change_custom_field(
        &self,
        tx: &mut Tx<'_>,
        id: CustomFieldId,
        input: &CustomFieldInput,
    ) -> Result<CustomFieldRow> {
        let before = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        let all = rows::of_kind(tx, self.scope(), &before.field.kind)?;
        let others: Vec<_> = all.into_iter().filter(|row| row.id != id).map(|row| row.field).collect();
        let field = input.change(&before.field, &others, self.now)?;
        let live = others.iter().filter(|other| !other.is_archived()).count();
        let place = input.place(live + usize::from(!field.is_archived()))?;
        if field != before.field {
            let row = CustomFieldRow { field, updated_at: self.now, ..before.clone() };
            rows::update(tx, self.scope(), &row)?;
        }
        self.arrange(tx, &before.field.kind, place.map(|place| (id, place)))?;
        let after = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        if after.field != before.field {
            let changes = difference(&content(&before.field), &content(&after.field));
            self.audit(tx, "custom_field.changed", id, &changes)?;
        }
        Ok(after)
    }

    fn delete_custom_field(&self, tx: &mut Tx<'_>, id: CustomFieldId) -> Result<bool> {
        let row = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        if row.is_used {
            let archived = Change::Set(true);
            self.change_custom_field(tx, id, &CustomFieldInput { archived, ..CustomFieldInput::default() })?;
            return Ok(false);
        }
        rows::delete(tx, self.scope(), id)?;
        self.audit(tx, "custom_field.deleted", id, &content(&row.field))?;
        self.arrange(tx, &row.field.kind, None)?;
        Ok(true)
    }

    /// Numbers the fields of a kind in their order, those in the archive last; one of them may get another place.
    fn arrange(&self, tx: &mut Tx<'_>, kind: &str, moved: Option<(CustomFieldId, usize)>) -> Result<()> {
        let mut all = rows::of_kind(tx, self.scope(), kind)?;
        all.sort_by_key(|row| row.field.is_archived());
        if let Some((id, place)) = moved
            && let Some(from) = all.iter().position(|row| row.id == id)
        {
            let row = all.remove(from);
            all.insert(place.saturating_sub(1).min(all.len()), row);
        }
        for (place, mut row) in (1..).zip(all) {
            if row.field.place != place {
                row.field.place = place;
                rows::update(tx, self.scope(), &row)?;
            }
        }
        Ok(())
    }

    /// The values of a record after a change of its own fields.
    pub(crate) fn custom_values<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        current: &CustomValues,
        input: &CustomInput,
    ) -> Result<CustomValues> {
        if input.is_empty() {
            return Ok(current.clone());
        }
        let defined = if K::OWN_FIELDS { rows::of_kind(tx, self.scope(), K::NOUN)? } else { Vec::new() };
        let fields: Vec<_> = defined.iter().map(|row| row.field.clone()).collect();
        let values = input.apply(&fields, current)?;
        for row in defined.iter().filter(|row| !row.is_used && values.get(&row.field.key).is_some()) {
            rows::note_use(tx, self.scope(), K::NOUN, &row.field.key)?;
        }
        Ok(values)
    }
}

/// What the audit log says of a field.
fn content(field: &CustomField) -> Value {
    json!({
        "kind": field.kind,
        "key": field.key,
        "type": field.field_type.as_str(),
        "label": field.label.text,
        "label_de": field.label.german,
        "choices": field.choices,
        "place": field.place,
        "archived_at": field.archived_at,
    })
}
