//! The tenant's own kinds of records in the search: the marks of their words, their names and their order, and their
//! records as results.

use catalogue::search::{Asked, Match};
use domain::{
    arrangement::Entry,
    control::Control,
    cra_report::CraReport,
    drill_run::DrillRun,
    evidence::Evidence,
    finding::Finding,
    function::Function,
    id::TenantId,
    incident::Incident,
    own_framework::OwnFramework,
    programme::Programme,
    provider::{Provider, Review},
    register_filing::RegisterFiling,
    risk::Risk,
    task::Task,
    test_case::TestCase,
    text::Name,
};
use store::{Reader, TenantScope, record, sql::Mark};

use super::{Hit, Kind};
use crate::{
    Result,
    records::{RecordKind, any},
    words::Texts,
};

/// The kinds of records that can be searched, each with the letter that marks its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    Programme,
    TestCase,
    Finding,
    CraReport,
    DrillRun,
    Arrangement,
    Incident,
    OwnFramework,
    Control,
    Evidence,
    Function,
    Provider,
    Review,
    RegisterFiling,
    Risk,
    Task,
}

impl WordKind {
    pub const ALL: [Self; 16] = [
        Self::Programme,
        Self::TestCase,
        Self::Finding,
        Self::CraReport,
        Self::DrillRun,
        Self::Arrangement,
        Self::Incident,
        Self::OwnFramework,
        Self::Control,
        Self::Evidence,
        Self::Function,
        Self::Provider,
        Self::Review,
        Self::RegisterFiling,
        Self::Risk,
        Self::Task,
    ];

    pub(crate) fn mark(self, tenant: TenantId) -> Mark {
        let letter = match self {
            Self::Programme => 'p',
            Self::TestCase => 't',
            Self::Finding => 'f',
            Self::CraReport => 'c',
            Self::DrillRun => 'd',
            Self::Arrangement => 'a',
            Self::RegisterFiling => 'g',
            Self::Control => 'o',
            Self::Risk => 'r',
            Self::Task => 'w',
            Self::Evidence => 'e',
            Self::Incident => 'n',
            Self::OwnFramework => 'm',
            Self::Function => 'u',
            Self::Provider => 'v',
            Self::Review => 'q',
        };
        Mark::new(tenant, letter)
    }

    /// What is done with its records without knowing their type.
    pub(crate) fn any(self) -> any::AnyKind {
        match self {
            Self::Programme => any::AnyKind::of::<Programme>(),
            Self::TestCase => any::AnyKind::of::<TestCase>(),
            Self::Finding => any::AnyKind::of::<Finding>(),
            Self::CraReport => any::AnyKind::of::<CraReport>(),
            Self::DrillRun => any::AnyKind::of::<DrillRun>(),
            Self::Arrangement => any::AnyKind::of::<Entry>(),
            Self::Incident => any::AnyKind::of::<Incident>(),
            Self::OwnFramework => any::AnyKind::of::<OwnFramework>(),
            Self::Control => any::AnyKind::of::<Control>(),
            Self::Evidence => any::AnyKind::of::<Evidence>(),
            Self::Function => any::AnyKind::of::<Function>(),
            Self::Provider => any::AnyKind::of::<Provider>(),
            Self::Review => any::AnyKind::of::<Review>(),
            Self::RegisterFiling => any::AnyKind::of::<RegisterFiling>(),
            Self::Risk => any::AnyKind::of::<Risk>(),
            Self::Task => any::AnyKind::of::<Task>(),
        }
    }
}

impl WordKind {
    /// The word for records of the kind in addresses.
    pub fn word(self) -> &'static str {
        self.any().noun
    }

    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// The kind of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitKind {
    Catalogue(Kind),
    Programme,
    TestCase,
    Finding,
    CraReport,
    DrillRun,
    Arrangement,
    Provider,
    Control,
    Evidence,
    Incident,
    OwnFramework,
    /// A requirement of one of the institution's own frameworks that are in force.
    OwnRequirement,
    Risk,
    Task,
}

impl HitKind {
    pub(super) fn of(found: &Match<'_>) -> Self {
        if found.is_own { Self::OwnRequirement } else { Self::Catalogue(found.record.kind()) }
    }

    /// Whether it is a record of the tenant.
    pub fn is_own(self) -> bool {
        !matches!(self, Self::Catalogue(_))
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Catalogue(kind) => kind.as_str(),
            own => OWN.iter().find(|each| each.kind == own).map_or("", |each| each.word),
        }
    }
}

/// How the search finds the records of a kind.
struct OwnKind {
    kind: HitKind,
    /// Its name in results.
    word: &'static str,
    /// The prefix of its ids; none for requirements, which are found with the catalogue that they extend.
    prefix: Option<&'static str>,
    read: fn(&mut Search<'_, '_>) -> Result<Option<Hit>>,
}

impl OwnKind {
    const fn new<K: RecordKind>(
        kind: HitKind,
        word: &'static str,
        read: fn(&mut Search<'_, '_>) -> Result<Option<Hit>>,
    ) -> Self {
        Self { kind, word, prefix: Some(K::TABLE.prefix), read }
    }
}

/// The tenant's own kinds, in the order they are shown.
const OWN: [OwnKind; 14] = [
    OwnKind::new::<Incident>(HitKind::Incident, "incident", |one| one.hit::<Incident>(|of| &of.title)),
    OwnKind::new::<Finding>(HitKind::Finding, "finding", |one| one.hit::<Finding>(|of| &of.title)),
    OwnKind::new::<TestCase>(HitKind::TestCase, "test_case", |one| one.hit::<TestCase>(|of| &of.title)),
    OwnKind::new::<Programme>(HitKind::Programme, "programme", |one| one.hit::<Programme>(|of| &of.name)),
    OwnKind::new::<Control>(HitKind::Control, "control", |one| one.hit::<Control>(|of| &of.title)),
    OwnKind::new::<OwnFramework>(HitKind::OwnFramework, "own_framework", |one| {
        one.hit::<OwnFramework>(|of| &of.title)
    }),
    OwnKind { kind: HitKind::OwnRequirement, word: "own_requirement", prefix: None, read: |_| Ok(None) },
    OwnKind::new::<CraReport>(HitKind::CraReport, "cra_report", |one| one.hit::<CraReport>(|of| &of.title)),
    OwnKind::new::<DrillRun>(HitKind::DrillRun, "drill_run", |one| one.hit::<DrillRun>(|of| &of.title)),
    OwnKind::new::<Provider>(HitKind::Provider, "own_provider", |one| one.hit::<Provider>(|of| &of.name)),
    OwnKind::new::<Entry>(HitKind::Arrangement, "ict_arrangement", arrangement_hit),
    OwnKind::new::<Risk>(HitKind::Risk, "own_risk", |one| one.hit::<Risk>(|of| &of.title)),
    OwnKind::new::<Evidence>(HitKind::Evidence, "own_evidence", |one| one.hit::<Evidence>(|of| &of.title)),
    OwnKind::new::<Task>(HitKind::Task, "task", |one| one.hit::<Task>(|of| &of.title)),
];

pub(super) fn kinds() -> impl Iterator<Item = HitKind> {
    OWN.iter().map(|own| own.kind)
}

/// The kind of a record, by its id.
pub(super) fn kind_of(id: &str) -> Option<HitKind> {
    of_id(id).map(|own| own.kind)
}

fn of_id(id: &str) -> Option<&'static OwnKind> {
    let prefix = id.split('_').next();
    OWN.iter().find(|own| own.prefix.is_some() && own.prefix == prefix)
}

/// The record as a result. Its id gives its kind; `None` if it was deleted.
pub(super) fn hit(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
    asked: &Asked,
    worth: f32,
) -> Result<Option<Hit>> {
    match of_id(id) {
        Some(own) => (own.read)(&mut Search { reader, scope, kind: own.kind, id, asked, worth }),
        None => Ok(None),
    }
}

/// The search for one record.
struct Search<'s, 'r> {
    reader: &'s mut Reader<'r>,
    scope: &'s TenantScope,
    kind: HitKind,
    id: &'s str,
    asked: &'s Asked,
    worth: f32,
}

impl Search<'_, '_> {
    fn hit<K: RecordKind>(&mut self, title: fn(&K) -> &Name) -> Result<Option<Hit>> {
        let Ok(id) = self.id.parse::<K::Id>() else { return Ok(None) };
        let row = record::get::<K>(self.reader, self.scope, id)?;
        Ok(row.map(|row| {
            let record = &row.record;
            self.shown(title(record).as_str(), &record.texts(), record.status())
        }))
    }

    fn shown(&self, title: &str, texts: &Texts<'_>, status: Option<&'static str>) -> Hit {
        Hit {
            kind: self.kind,
            id: self.id.to_owned(),
            title: title.to_owned(),
            snippet: texts.snippet(self.asked).to_html(),
            snippet_language: None,
            score: self.worth,
            status,
        }
    }
}

fn arrangement_hit(one: &mut Search<'_, '_>) -> Result<Option<Hit>> {
    let Ok(id) = one.id.parse() else { return Ok(None) };
    let row = record::get::<Entry>(one.reader, one.scope, id)?;
    Ok(row.map(|row| {
        let content = &row.record.arrangement;
        let title = format!("{}: {}", content.provider.name.as_str(), content.service.as_str());
        one.shown(&title, &row.record.texts(), None)
    }))
}
