//! The kinds of records as one table. What goes over all kinds loops over it, so that a new kind is added here and is
//! then announced, handed over, found and named like the others.

use catalogue::search::Asked;
use domain::{
    approval::{Approval, ApprovalAction},
    arrangement::Arrangement,
    control::Control,
    cra_report::CraReport,
    custom_field::CustomInput,
    drill_run::DrillRun,
    evidence::Evidence,
    evidence_request::EvidenceRequest,
    field::{self, Field},
    finding::Finding,
    function::Function,
    incident::Incident,
    moment::{Day, Moment},
    own_framework::OwnFramework,
    page::PageRequest,
    programme::Programme,
    provider::Provider,
    provider::Review,
    register_filing::RegisterFiling,
    right::Resource,
    risk::Risk,
    task::Task,
    task::TaskType,
    test_case::TestCase,
    text::Name,
    training::Training,
};
use serde_json::{Map, Value};
use store::{Reader, TenantScope, Tx, record, sql::Search};

use super::{
    Pick, RecordKind,
    decision::{self, Standing},
    of_kind,
};
use crate::{
    Error, Result,
    approval::ApprovalTerms,
    author::Author,
    pages::Precondition,
    words::{Kind as WordKind, Words},
};

/// The day of a deadline, and what its event says of the record.
pub(crate) type Announced = (Day, Value);

/// What a search shows of a record.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) title: String,
    pub(crate) snippet: String,
    pub(crate) status: Option<&'static str>,
}

/// The current content of a record, with its id and its version.
pub(crate) type Content = (String, i64, Value);

/// Records that match a search, newest first, as they are named.
type List = fn(&mut Reader<'_>, &TenantScope, Option<Search>, PageRequest) -> Result<Vec<Pick>>;

/// Calls a function with every record as it was at a moment.
type EachPast =
    fn(&mut Reader<'_>, &TenantScope, Moment, &mut dyn FnMut(PastRecord) -> Result<()>) -> Result<()>;

/// A kind of record without its type.
#[derive(Debug)]
pub struct AnyKind {
    /// The name of its table, such as `findings`.
    pub table: &'static str,
    /// The prefix of its ids.
    pub prefix: &'static str,
    /// The noun of the kind, such as `finding`.
    pub noun: &'static str,
    /// Whether an institution can define own fields of the kind.
    pub has_own_fields: bool,
    /// What its name is in the plural.
    pub resource: Resource,
    /// The mark of its words.
    pub(crate) words: WordKind,
    /// Its name in the results of the search over everything, if it is found there.
    pub found: Option<&'static str>,
    /// The kind of its tasks, if its records are work of a person.
    pub task: Option<TaskType>,
    fields: &'static [Field],
    shown: fn(&mut Reader<'_>, &TenantScope, &str, &Asked) -> Result<Option<Shown>>,
    own_words: fn(&mut Reader<'_>, &TenantScope, &str) -> Result<Option<Words>>,
    list: List,
    find: fn(&mut Reader<'_>, &TenantScope, &str) -> Result<Option<Value>>,
    contents: fn(&mut Reader<'_>, &TenantScope, &[&str]) -> Result<Vec<Content>>,
    each_past: EachPast,
    columns: fn() -> Vec<&'static str>,
    announced: fn(&mut Reader<'_>, &TenantScope, &str) -> Result<Option<Announced>>,
    hand_over: fn(&Author, &mut Tx<'_>, &str, &Name) -> Result<()>,
    fill_in: FillIn,
    decisions: Decisions,
}

/// Changes own fields alone.
type FillIn = fn(&Author, &mut Tx<'_>, &str, &CustomInput, &Precondition) -> Result<()>;

/// What the approvals of a kind need.
#[derive(Debug)]
struct Decisions {
    actions: (&'static [ApprovalAction], bool),
    detail_names: fn(ApprovalAction) -> &'static [&'static str],
    standing: fn(&Author, &mut Reader<'_>, &str) -> Result<Option<Standing>>,
    try_out: Decide,
    decide: Decide,
}

type Decide = fn(&Author, &mut Tx<'_>, &str, ApprovalAction, &ApprovalTerms) -> Result<()>;

impl AnyKind {
    const fn of<K: RecordKind>() -> Self {
        Self {
            table: K::TABLE.name,
            prefix: K::TABLE.prefix,
            noun: K::NOUN,
            has_own_fields: K::OWN_FIELDS,
            resource: K::RESOURCE,
            words: K::WORDS,
            found: K::FOUND,
            task: K::TASK,
            fields: K::ALL,
            shown: of_kind::shown::<K>,
            own_words: of_kind::own_words::<K>,
            list: of_kind::list::<K>,
            find: of_kind::find::<K>,
            contents: of_kind::contents::<K>,
            each_past: of_kind::each_past::<K>,
            columns: record::past_columns::<K>,
            announced: of_kind::announced::<K>,
            hand_over: of_kind::hand_over::<K>,
            fill_in: of_kind::fill_in::<K>,
            decisions: Decisions {
                actions: decision::actions::<K>(),
                detail_names: K::detail_names,
                standing: decision::standing::<K>,
                try_out: decision::try_out::<K>,
                decide: decision::decide::<K>,
            },
        }
    }

    /// The kind of the record with this id.
    pub fn of_id(id: &str) -> Option<&'static Self> {
        let prefix = id.split('_').next();
        KINDS.iter().find(|kind| Some(kind.prefix) == prefix)
    }

    /// The kind with this noun.
    pub fn of_noun(noun: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.noun == noun)
    }

    /// The kind whose table has this name.
    pub fn of_table(table: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.table == table)
    }

    /// The kind with tasks of this kind.
    pub fn of_task(task: TaskType) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.task == Some(task))
    }

    /// The field of its records with this name.
    pub fn field(&self, name: &str) -> Option<Field> {
        field::find(self.fields, name)
    }

    /// Records that match a search, newest first, as they are named.
    pub(crate) fn list(
        &self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        search: Option<Search>,
        request: PageRequest,
    ) -> Result<Vec<Pick>> {
        (self.list)(reader, scope, search, request)
    }

    /// The fields of the record with this id; `None` if there is none.
    pub(crate) fn find(
        &self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        id: &str,
    ) -> Result<Option<Value>> {
        (self.find)(reader, scope, id)
    }

    /// The contents of those of these records that exist, in one statement, in any order.
    pub(crate) fn contents(
        &self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        ids: &[&str],
    ) -> Result<Vec<Content>> {
        (self.contents)(reader, scope, ids)
    }

    /// Calls `each` with every record as it was at a moment, in the order of their ids.
    pub(crate) fn each_past(
        &self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        at: Moment,
        each: &mut dyn FnMut(PastRecord) -> Result<()>,
    ) -> Result<()> {
        (self.each_past)(reader, scope, at, each)
    }

    /// The names of the columns that such a record has, in their order.
    pub(crate) fn columns(&self) -> Vec<&'static str> {
        (self.columns)()
    }

    /// The words of the record's own texts; `None` if there is no such record.
    pub(crate) fn own_words(
        &self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        id: &str,
    ) -> Result<Option<Words>> {
        (self.own_words)(reader, scope, id)
    }

    /// What a search shows of the record with this id; `None` if there is none.
    pub(crate) fn shown(
        &self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        id: &str,
        asked: &Asked,
    ) -> Result<Option<Shown>> {
        (self.shown)(reader, scope, id, asked)
    }

    /// The deadline of a record that still has one.
    pub(crate) fn announced(
        &self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        id: &str,
    ) -> Result<Option<Announced>> {
        (self.announced)(reader, scope, id)
    }

    /// Changes the owner as if it was changed in the form of the record.
    pub(crate) fn hand_over(&self, author: &Author, tx: &mut Tx<'_>, id: &str, heir: &Name) -> Result<()> {
        (self.hand_over)(author, tx, id, heir)
    }

    /// Changes own fields of a record as if they were changed in its form.
    pub(crate) fn fill_in(
        &self,
        author: &Author,
        tx: &mut Tx<'_>,
        id: &str,
        custom: &CustomInput,
        precondition: &Precondition,
    ) -> Result<()> {
        (self.fill_in)(author, tx, id, custom, precondition)
    }

    /// The version of a record.
    pub(crate) fn version(&self, reader: &mut Reader<'_>, scope: &TenantScope, id: &str) -> Result<i64> {
        let contents = self.contents(reader, scope, &[id])?;
        contents.first().map(|(_, version, _)| *version).ok_or(Error::NotFound)
    }
}

/// Decisions about records of the kind.
impl AnyKind {
    /// What can be decided about its records.
    pub fn actions(&self) -> Vec<ApprovalAction> {
        let (own, archives) = self.decisions.actions;
        own.iter().copied().chain(archives.then_some(ApprovalAction::Archive)).collect()
    }

    /// The names of what a decision is carried out with.
    pub(crate) fn detail_names(&self, action: ApprovalAction) -> &'static [&'static str] {
        (self.decisions.detail_names)(action)
    }

    /// The record as far as decisions about it depend on it, read once.
    pub(crate) fn standing(
        &self,
        author: &Author,
        reader: &mut Reader<'_>,
        id: &str,
    ) -> Result<Option<Standing>> {
        (self.decisions.standing)(author, reader, id)
    }

    /// Judges a decision and stores nothing.
    pub(crate) fn try_out(
        &self,
        author: &Author,
        tx: &mut Tx<'_>,
        id: &str,
        action: ApprovalAction,
        terms: &ApprovalTerms,
    ) -> Result<()> {
        (self.decisions.try_out)(author, tx, id, action, terms)
    }

    /// Carries out a decision that was granted.
    pub(crate) fn decide(
        &self,
        author: &Author,
        tx: &mut Tx<'_>,
        id: &str,
        action: ApprovalAction,
        terms: &ApprovalTerms,
    ) -> Result<()> {
        (self.decisions.decide)(author, tx, id, action, terms)
    }
}

/// Every kind of record, in the order in which a search shows them.
pub static KINDS: [AnyKind; 19] = [
    AnyKind::of::<Incident>(),
    AnyKind::of::<Finding>(),
    AnyKind::of::<TestCase>(),
    AnyKind::of::<Programme>(),
    AnyKind::of::<Control>(),
    AnyKind::of::<OwnFramework>(),
    AnyKind::of::<CraReport>(),
    AnyKind::of::<DrillRun>(),
    AnyKind::of::<Provider>(),
    AnyKind::of::<Arrangement>(),
    AnyKind::of::<Risk>(),
    AnyKind::of::<Evidence>(),
    AnyKind::of::<Task>(),
    AnyKind::of::<Function>(),
    AnyKind::of::<Review>(),
    AnyKind::of::<RegisterFiling>(),
    AnyKind::of::<Approval>(),
    AnyKind::of::<Training>(),
    AnyKind::of::<EvidenceRequest>(),
];

/// A record as it was at a moment, by its columns.
#[derive(Debug)]
pub(crate) struct PastRecord {
    pub(crate) id: String,
    pub(crate) version: i64,
    /// Every column by its name.
    pub(crate) cells: Map<String, Value>,
}
