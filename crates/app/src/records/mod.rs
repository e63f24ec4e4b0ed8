//! Records of the tenant of any kind: one way to list, show, create, change and delete them.
//!
//! A kind implements [`RecordKind`] with what is specific to it: its rules, its texts, its computed values.

pub(crate) mod any;
pub mod archive;
mod as_of;
pub(crate) mod author;
mod bulk;
mod change;
pub(crate) mod change_log;
pub mod comment;
mod content;
mod correct;
pub mod custom_field;
mod decision;
mod exchange;
pub mod history;
mod kinds;
mod of_kind;
mod pick;
mod read;
pub mod record_change;
pub mod sample;
pub mod tag;
pub mod task;
mod version;
pub mod view;
mod write;

use std::{convert::Infallible, fmt::Debug};

use domain::{
    approval::{ApprovalAction, ApprovalDetails},
    approval_policy::{ApprovalPolicy, ApprovalRule},
    field::Fields,
    moment::{Day, Moment},
    right::Resource,
    task::TaskType,
    text::{Name, Prose},
    vocabulary::Severity,
    wording::Language,
};
use serde_json::Value;
use store::{Reader, TenantScope, Tx, record};

use crate::{
    Core, Result,
    approval::ApprovalTerms,
    author::Author,
    authz::Caller,
    catalogue::Edition,
    change_log::difference,
    words::{Kind as WordKind, Texts},
};

pub(crate) use self::{
    as_of::end_of,
    change::{check_live, has_more, is_used},
    content::{changes, content, words_of},
    decision::Standing,
    kinds::{Announced, PastRecord},
    read::detail,
    version::versions,
};
pub use self::{
    bulk::{BulkChange, BulkResult, BulkResults},
    correct::Corrects,
    exchange::{
        Exchanged, Given, ImportPlan, Importable, ImportedLine, LineOutcome, Mapping, PlannedColumn,
        RecordImport, RecordImportReport, require_import,
    },
    kinds::{AnyKind, KINDS},
    pick::{Pick, PickKind},
    read::Writing,
    version::Version,
};
pub use store::record::{Kind, RecordRow};

/// What a request asks for: a new record of a kind, or a change of one.
pub trait RecordRequest<K>: Debug + Send + Sync + 'static {
    /// Whether it decides something, such as an acceptance: then the right to write is not enough.
    fn decides(&self, before: Option<&K>) -> bool {
        let _ = before;
        false
    }

    /// The reason for a change of status, for the history.
    fn note(&self) -> Option<Prose> {
        None
    }
}

/// What is asked of a kind whose records are not created one by one, or are not changed by requests.
impl<K> RecordRequest<K> for Infallible {}

/// The part of a record that is specific to its kind.
pub trait RecordKind: Kind + Fields {
    /// The fields that requests, forms and tables name.
    type Input: Debug + Send + Sync + 'static;
    /// What a record is created from: its fields, and what else a new one needs.
    type New: RecordRequest<Self>;
    /// What is done with a record: its fields change, or a step is taken.
    type Change: RecordRequest<Self>;
    /// The record with computed values, such as counts.
    type View: Debug + Clone + Send + 'static;

    /// The noun in audit actions and error fields, such as `programme`.
    const NOUN: &'static str;
    /// The name of the list in caches, such as `programmes`.
    const LIST: &'static str;
    const WORDS: WordKind;
    /// Its name in the results of the search over everything; `None` if it is not found there.
    const FOUND: Option<&'static str> = None;

    /// Whether a record with history is archived where it would be deleted.
    const KEEPS: bool = false;

    /// Whether an archived record cannot be changed, of a kind that is archived only where that is asked for. Kinds that
    /// keep their records rest anyway.
    const RESTS: bool = false;

    /// Whether an institution can define own fields of the kind: people and programs fill its records in.
    const OWN_FIELDS: bool = true;

    /// Whether what was recorded is corrected, so that the record is shown with its corrections.
    const CORRECTS: bool = false;

    /// The kind of its tasks, if its records are work of a person.
    const TASK: Option<TaskType> = match Self::TABLE.work {
        Some(work) => work.task,
        None => None,
    };

    /// What the rights of roles call records of this kind.
    const RESOURCE: Resource;

    /// The owner, of a kind that some roles may write only as the owner.
    fn owner(&self) -> Option<&Name> {
        None
    }

    /// The filter of a list without the records that the caller must not see.
    fn shown_to(filter: Self::Filter, caller: &Caller) -> Self::Filter {
        let _ = caller;
        filter
    }

    /// Refuses a caller who must not see this record, though others of its kind.
    fn check_reader(&self, caller: &Caller) -> Result<()> {
        let _ = caller;
        Ok(())
    }

    /// The decisions about records of this kind that an approval can carry out, besides archiving them.
    const DECISIONS: &'static [ApprovalAction] = &[];

    /// The change that carries out a decision; `None` for one that is not about this kind.
    fn decision(action: ApprovalAction, terms: &ApprovalTerms) -> Option<Self::Change> {
        let _ = (action, terms);
        None
    }

    /// The names of what a decision is carried out with.
    fn detail_names(action: ApprovalAction) -> &'static [&'static str] {
        let _ = action;
        &[]
    }

    /// What the decision that a change made was carried out with.
    fn decided_with(&self, before: &Self, action: ApprovalAction) -> ApprovalDetails {
        let _ = (before, action);
        ApprovalDetails::new()
    }

    /// Whether a decision changes nothing in the record: the approval itself says which version was approved.
    fn confirms(action: ApprovalAction) -> bool {
        let _ = action;
        false
    }

    /// The decision that a change makes.
    fn decided(before: &Self, after: &Self) -> Option<ApprovalAction> {
        let _ = (before, after);
        None
    }

    /// Who proposed what is decided, of a kind whose own route is for the second person. Other kinds are asked about.
    fn proposed_by(&self) -> Option<String> {
        None
    }

    /// What a decision about the record needs.
    fn rule(
        &self,
        author: &Author,
        reader: &mut Reader<'_>,
        policy: &ApprovalPolicy,
        action: ApprovalAction,
    ) -> Result<ApprovalRule> {
        let _ = (author, reader);
        Ok(policy.rule(action, self.severity()))
    }

    /// How bad it is, where the policy of approvals asks for that.
    fn severity(&self) -> Option<Severity> {
        None
    }

    /// The rules of a new record.
    fn create(author: &Author, tx: &mut Tx<'_>, new: &Self::New) -> Result<Self>;

    /// The rules of a change: returns the changed record.
    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &RecordRow<Self>,
        change: &Self::Change,
    ) -> Result<Self>;

    /// `None` for a kind without states.
    fn status(&self) -> Option<&'static str>;

    /// Whether a change is added to the history of the record.
    fn is_step(before: &Self, after: &Self) -> bool {
        before.status() != after.status()
    }

    /// The record's fields as stored in the audit log and in earlier versions.
    fn fields(&self) -> Value;

    /// What the audit log says of a record that was created or deleted.
    fn summary(&self) -> Value {
        self.fields()
    }

    /// What the audit log says of a change of these fields: each that changed, before and after.
    fn changes(before: &Value, after: &Value) -> Value {
        difference(before, after)
    }

    /// Its title in the results of a search.
    fn shown_as(&self) -> String {
        String::new()
    }

    /// The texts that the record is searched by.
    fn texts(&self) -> Texts<'_>;

    fn search_text(filter: &Self::Filter) -> Option<&str>;

    fn views(
        core: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<RecordRow<Self>>,
    ) -> Result<Vec<Self::View>>;

    /// Whether serialised records are cached, by their version and `context`: of a kind whose views need no other records
    /// and are the same for every reader.
    const CACHED: bool = false;

    /// A digest of what a view is computed from besides its record, such as the profile.
    fn context(core: &Core, reader: &mut Reader<'_>, scope: &TenantScope) -> Result<u64> {
        let _ = (core, reader, scope);
        Ok(0)
    }

    /// The last moment at which a view is as it is by itself; `None` if time does not change it.
    fn lasts_until(view: &Self::View) -> Option<Moment> {
        let _ = view;
        None
    }

    /// The stored part of a view.
    fn row(view: &Self::View) -> &RecordRow<Self>;

    /// Shows the texts that an adopted record shares with the catalogue in the reader's language.
    fn translate(view: &mut Self::View, edition: &Edition, language: Language) {
        let _ = (view, edition, language);
    }

    /// Further effects of a new record, such as an event.
    fn created(author: &Author, tx: &mut Tx<'_>, row: &RecordRow<Self>) -> Result<()> {
        let _ = (author, tx, row);
        Ok(())
    }

    /// Further effects of a change, such as events.
    fn changed(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &RecordRow<Self>,
        after: &RecordRow<Self>,
    ) -> Result<()> {
        let _ = (author, tx, before, after);
        Ok(())
    }

    /// What a change records as sent to an authority, as events describe it.
    fn submitted(before: &Self, after: &Self) -> Vec<Value> {
        let _ = (before, after);
        Vec::new()
    }

    /// The change that gives the record to another owner; `None` for a kind without an owner.
    fn with_owner(heir: &Name) -> Option<Self::Change> {
        let _ = heir;
        None
    }

    /// The day that events announce, while the record is open, and what they say of the record.
    fn deadline(row: &RecordRow<Self>) -> Option<Announced> {
        let _ = row;
        None
    }

    /// The same by the record's id, for a kind whose day is stored apart from its records.
    fn deadline_of(reader: &mut Reader<'_>, scope: &TenantScope, id: Self::Id) -> Result<Option<Announced>> {
        Ok(record::get::<Self>(reader, scope, id)?.as_ref().and_then(Self::deadline))
    }

    /// Refuses to archive a record that is not finished on this day.
    fn check_archive(&self, today: Day) -> Result<()> {
        let _ = today;
        Ok(())
    }

    /// Whether its status says that it is archived; `None` for a kind whose archive is apart from its status.
    fn archived_by_status(&self) -> Option<bool> {
        None
    }

    /// The record once it is archived or restored, of a kind whose status says so.
    fn put_away(
        author: &Author,
        tx: &mut Tx<'_>,
        row: &RecordRow<Self>,
        archived: bool,
    ) -> Result<Option<Self>> {
        let _ = (author, tx, row, archived);
        Ok(None)
    }

    /// The answer to archiving an archived record, or restoring one that is not archived. Nothing changes either way.
    fn archive_again(archived: bool) -> Result<()> {
        let _ = archived;
        Ok(())
    }

    /// Refuses to delete or archive a record that others rely on; of kinds that keep their records.
    fn check_removal(author: &Author, tx: &mut Tx<'_>, row: &RecordRow<Self>) -> Result<()> {
        let _ = (author, tx, row);
        Ok(())
    }

    /// Refuses to remove a record by a request to delete it, although it would only be archived.
    fn check_delete(&self, author: &Author) -> Result<()> {
        let _ = author;
        Ok(())
    }

    /// Whether a record has results besides its fields, such as a performance, that a deletion would lose.
    fn is_referred(reader: &mut Reader<'_>, scope: &TenantScope, row: &RecordRow<Self>) -> Result<bool> {
        let _ = (reader, scope, row);
        Ok(false)
    }

    /// Refuses to delete a record that must be kept, and deletes the rows that belong to it.
    fn release(author: &Author, tx: &mut Tx<'_>, row: &RecordRow<Self>) -> Result<()>;
}
