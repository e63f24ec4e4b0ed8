//! What the import of tables needs of the records, so that it works for all kinds and for assessments.

use std::{hash::Hash, str::FromStr};

use domain::{
    approval::ApprovalComplaint,
    custom_field::{CustomField, CustomInput, CustomValues},
    exchange::ExchangeComplaint,
    right::Resource,
    wording::Language,
};
use store::{Reader, Tx, record as rows, record::RecordRow};

use super::{Exchanged, Given};
use crate::{
    Error, Records, Result, author::Author, authz::Caller, pages::Precondition, records::RecordKind,
    report::TableColumn,
};

/// What can be imported from a table.
pub trait Importable: Sized + Send + Sync + 'static {
    /// What scopes and audit entries call one of the records.
    const CALLED: &'static str;
    /// What imports, mappings and notices call the list: the name of its table.
    const LIST: &'static str;
    const RESOURCE: Resource;
    /// The columns of its exports.
    const COLUMNS: &'static [TableColumn];
    /// Whether a line without a record creates one.
    const CREATES: bool;
    /// The column with what names a record to programs.
    const KEY: &'static str;

    type Id: Clone + Eq + Hash + FromStr + ToString + Send;
    /// A record as it is.
    type Before: Send;

    fn own_fields(
        records: &Records,
        caller: &Caller,
    ) -> impl Future<Output = Result<Vec<CustomField>>> + Send {
        let _ = (records, caller);
        async { Ok(Vec::new()) }
    }

    /// The records of these ids that the caller may see, each as an export would write it now.
    fn current(
        author: &Author,
        reader: &mut Reader<'_>,
        ids: &[Self::Id],
        language: Language,
    ) -> Result<Vec<(Self::Before, Vec<String>)>>;

    fn id_of(before: &Self::Before) -> String;

    /// The values of a record in own fields.
    fn custom(before: &Self::Before) -> Option<&CustomValues> {
        let _ = before;
        None
    }

    /// Returns whether anything changed.
    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &Self::Before,
        given: &Given,
        own: &CustomInput,
    ) -> Result<bool>;

    /// Creates a record and returns its id.
    fn create(author: &Author, tx: &mut Tx<'_>, given: &Given, own: &CustomInput) -> Result<String>;

    /// Whether there is a record with this id.
    fn exists(author: &Author, reader: &mut Reader<'_>, id: &str) -> Result<bool>;
}

impl<K: Exchanged> Importable for K {
    const CALLED: &'static str = <K as RecordKind>::NOUN;
    const LIST: &'static str = K::TABLE.name;
    const RESOURCE: Resource = <K as RecordKind>::RESOURCE;
    const COLUMNS: &'static [TableColumn] = <K as Exchanged>::COLUMNS;
    const CREATES: bool = K::NEW.is_some();
    const KEY: &'static str = "id";

    type Id = <K as store::record::Kind>::Id;
    type Before = RecordRow<K>;

    async fn own_fields(records: &Records, caller: &Caller) -> Result<Vec<CustomField>> {
        let mut own = records.fields_of::<K>(caller).await?;
        own.retain(|field| !field.is_archived());
        Ok(own)
    }

    fn current(
        author: &Author,
        reader: &mut Reader<'_>,
        ids: &[Self::Id],
        _: Language,
    ) -> Result<Vec<(Self::Before, Vec<String>)>> {
        let scope = author.scope();
        let mut found = rows::get_many::<K>(reader, scope, ids)?;
        found.retain(|row| row.record.check_reader(&author.caller).is_ok());
        let views = K::views(&author.core, reader, scope, found)?;
        Ok(views.iter().map(|view| (K::row(view).clone(), K::cells(view))).collect())
    }

    fn id_of(before: &Self::Before) -> String {
        before.id.to_string()
    }

    fn custom(before: &Self::Before) -> Option<&CustomValues> {
        Some(&before.custom)
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &Self::Before,
        given: &Given,
        own: &CustomInput,
    ) -> Result<bool> {
        let change = if given.changed().is_empty() {
            None
        } else {
            Some(K::refined(author, tx, Some(&before.record), K::input(given))?.into())
        };
        if !author.change_with::<K>(tx, before.id, (change.as_ref(), own), &Precondition::None)? {
            return Ok(false);
        }
        // What a decision changes is changed by its own step, even if the caller may decide it.
        let after = rows::get::<K>(tx, author.scope(), before.id)?.ok_or(Error::NotFound)?;
        if K::decided(&before.record, &after.record).is_some() {
            return Err(Error::invalid("status", ApprovalComplaint::Required));
        }
        Ok(true)
    }

    fn create(author: &Author, tx: &mut Tx<'_>, given: &Given, own: &CustomInput) -> Result<String> {
        let new_of = K::NEW.ok_or_else(|| Error::invalid(Self::KEY, ExchangeComplaint::NotCreated))?;
        let new = new_of(K::refined(author, tx, None, K::input(given))?);
        Ok(author.create_with::<K>(tx, (&new, own))?.to_string())
    }

    fn exists(author: &Author, reader: &mut Reader<'_>, id: &str) -> Result<bool> {
        let Ok(id) = id.parse::<Self::Id>() else { return Ok(false) };
        Ok(rows::get::<K>(reader, author.scope(), id)?.is_some())
    }
}
