//! The records of the reference catalogue on the wire.
//!
//! Public routes and v2 share these types and no others, because a record must be the same in both. A record is
//! serialised once per catalogue and language; the lists of both APIs join the results.

pub(crate) mod change;
pub(crate) mod clock;
pub(crate) mod drill;
pub(crate) mod evidence;
pub(crate) mod framework;
pub(crate) mod gap;
pub(crate) mod measure;
pub(crate) mod proof;
pub(crate) mod provider;
pub(crate) mod query;
pub(crate) mod question;
pub(crate) mod requirement;
pub(crate) mod risk;
pub(crate) mod signal;
pub(crate) mod source;
pub(crate) mod training;
pub(crate) mod vendor;
pub(crate) mod widget;
pub(crate) mod wording;

use app::catalogue::{
    Edition, RecordSet, Records,
    record::{Record, Shelf},
};
use domain::wording::Language;
use serde::Serialize;

pub(crate) use self::{
    change::CatalogueChange,
    clock::Clock,
    drill::Drill,
    evidence::Evidence,
    framework::{Framework, FrameworkAct},
    gap::Gap,
    measure::Measure,
    proof::Proof,
    provider::Provider,
    query::{ReferenceQuery, SearchParams},
    question::Question,
    requirement::Requirement,
    risk::Risk,
    signal::Signal,
    source::LegalSource,
    training::Training,
    vendor::Vendor,
    widget::Widget,
    wording::WordedRequirement,
};

/// A record of the catalogue in one language.
pub(crate) trait Reference: Serialize + Sized {
    /// The type of the catalogue's record.
    type Source: Record;

    /// The key of its serialised form.
    const NAME: &'static str;

    fn shelf(edition: &Edition) -> &Shelf<Self::Source>;

    fn new(source: &Self::Source, edition: &Edition, language: Language) -> Self;

    /// All records of this kind, serialised once.
    fn set() -> RecordSet {
        RecordSet {
            name: Self::NAME,
            write: |edition, language| {
                Records::of(Self::shelf(edition).iter().map(|source| Self::new(source, edition, language)))
            },
        }
    }
}

/// Ids for a list in a response.
fn owned(ids: &[Box<str>]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

fn optional(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

fn spoken(texts: &[app::catalogue::language::Text], language: Language) -> Vec<String> {
    texts.iter().map(|text| text.get(language).to_owned()).collect()
}
