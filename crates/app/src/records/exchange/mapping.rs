//! Which column of the records each column of a file is assigned to.

use std::collections::{BTreeMap, HashSet};

use data_encoding::HEXLOWER;
use domain::{custom_field::CustomField, exchange::ExchangeComplaint, import::headings::folded};
use sha2::{Digest as _, Sha256};

use crate::{Error, Result, report::TableColumn};

/// The columns as a caller assigned them; an empty name leaves a column of the file out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mapping {
    /// By the headings of the file. Headings that are not named keep the column with their name.
    ByHeading(BTreeMap<String, Option<String>>),
    /// One for each column of the file, in its order.
    ByPlace(Vec<String>),
}

/// What the columns of a file can be assigned to: the columns of a kind, and its own fields.
#[derive(Debug, Clone)]
pub(super) struct Targets {
    pub(super) columns: &'static [TableColumn],
    pub(super) own: Vec<CustomField>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Column(&'static str),
    Own(String),
}

impl Target {
    /// Its name in a CSV file.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Column(name) => (*name).to_owned(),
            Self::Own(name) => name.clone(),
        }
    }
}

impl Targets {
    /// The target with this name.
    fn find(&self, name: &str) -> Option<Target> {
        let column = self.columns.iter().find(|column| column.name == name);
        let own = || self.own.iter().map(CustomField::name).find(|own| own == name);
        column.map(|column| Target::Column(column.name)).or_else(|| own().map(Target::Own))
    }

    /// The target that a heading names. A column of the kind comes before an own field with the same label.
    fn named(&self, heading: &str) -> Option<Target> {
        let wanted = folded(heading);
        let is_meant = |label: &str| folded(label) == wanted;
        let by_label = |column: &&TableColumn| [column.label.en, column.label.de].into_iter().any(is_meant);
        let by_own_label = |field: &&CustomField| {
            is_meant(&field.label.text) || field.label.german.as_deref().is_some_and(is_meant)
        };
        self.find(&wanted)
            .or_else(|| self.columns.iter().find(by_label).map(|column| Target::Column(column.name)))
            .or_else(|| self.own.iter().find(by_own_label).map(|field| Target::Own(field.name())))
    }
}

/// The columns of a file with what they are assigned to.
#[derive(Debug, Clone)]
pub(super) struct Assigned {
    pub(super) shape: String,
    places: Vec<Option<Target>>,
}

/// The digest of the headings of a file: files with the same headings are read in the same way.
pub(super) fn shape(headings: &[String]) -> String {
    let mut digest = Sha256::new();
    for heading in headings {
        digest.update(folded(heading).as_bytes());
        digest.update(b"\n");
    }
    HEXLOWER.encode(&digest.finalize())
}

impl Assigned {
    /// By the names of the API, or by the headings of our exports in either language.
    pub(super) fn guessed(targets: &Targets, headings: &[String]) -> Self {
        let mut seen = HashSet::new();
        let guess = |heading: &String| targets.named(heading).filter(|target| seen.insert(target.name()));
        let places = headings.iter().map(guess).collect();
        Self { shape: shape(headings), places }
    }

    pub(super) fn remembered(targets: &Targets, headings: &[String], known: &str) -> Option<Self> {
        let names: Vec<String> = serde_json::from_str(known).ok()?;
        Self::requested(targets, headings, &Mapping::ByPlace(names)).ok()
    }

    pub(super) fn requested(targets: &Targets, headings: &[String], mapping: &Mapping) -> Result<Self> {
        let wanted = |place: usize, heading: &String| match mapping {
            Mapping::ByPlace(names) => names.get(place).cloned().unwrap_or_default(),
            Mapping::ByHeading(names) => match names.get(heading.trim()) {
                Some(name) => name.clone().unwrap_or_default(),
                None => targets.named(heading).map(|target| target.name()).unwrap_or_default(),
            },
        };
        let mut seen = HashSet::new();
        let mut places = Vec::with_capacity(headings.len());
        for (place, heading) in headings.iter().enumerate() {
            let name = wanted(place, heading);
            let target = targets.find(&name);
            if target.is_none() && !name.is_empty() {
                let name = name.chars().take(40).collect();
                return Err(Error::invalid("mapping", ExchangeComplaint::UnknownColumn { name }));
            }
            if !name.is_empty() && !seen.insert(name.clone()) {
                return Err(Error::invalid("mapping", ExchangeComplaint::ColumnTwice { name }));
            }
            places.push(target);
        }
        Ok(Self { shape: shape(headings), places })
    }

    pub(super) fn at(&self, place: usize) -> Option<&Target> {
        self.places.get(place)?.as_ref()
    }

    /// The place of a column in the file, by the name of its target.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        let is_it = |target: &Target| match target {
            Target::Column(column) => *column == name,
            Target::Own(own) => own == name,
        };
        self.places.iter().position(|target| target.as_ref().is_some_and(is_it))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.iter().all(Option::is_none)
    }

    pub(super) fn to_json(&self) -> String {
        let names = self.places.iter().map(|target| target.as_ref().map(Target::name).unwrap_or_default());
        serde_json::json!(names.collect::<Vec<_>>()).to_string()
    }
}
