//! The records of the reference catalogue on the wire.
//!
//! Public routes and v2 share these types and no others, because it is promised that a record is the same in both.
//! A record is serialised once per catalogue and language; lists of either surface join the pieces.

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

use app::catalogue::{
    Edition, RecordSet, Records,
    record::{Record, Shelf},
};
use domain::wording::Language;
use serde::Serialize;

pub(crate) use self::{
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
};

/// A record of the catalogue as it is said in one language.
pub(crate) trait Reference: Serialize + Sized {
    /// What the record is made from.
    type Source: Record;

    /// How its serialised form is found again.
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

/// Ids as they are listed on the wire.
fn owned(ids: &[Box<str>]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

fn optional(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

fn spoken(texts: &[app::catalogue::language::Text], language: Language) -> Vec<String> {
    texts.iter().map(|text| text.get(language).to_owned()).collect()
}
