//! Which column of the records each column of a file is assigned to.

use std::collections::{BTreeMap, HashSet};

use data_encoding::HEXLOWER;
use domain::{exchange::ExchangeComplaint, import::headings::folded};
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

/// The columns of a file with what they are assigned to.
#[derive(Debug, Clone)]
pub(super) struct Assigned {
    pub(super) shape: String,
    places: Vec<Option<&'static TableColumn>>,
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
    pub(super) fn guessed(columns: &'static [TableColumn], headings: &[String]) -> Self {
        let mut seen = HashSet::new();
        let guess = |heading: &String| named(columns, heading).filter(|column| seen.insert(column.name));
        let places = headings.iter().map(guess).collect();
        Self { shape: shape(headings), places }
    }

    pub(super) fn remembered(
        columns: &'static [TableColumn],
        headings: &[String],
        known: &str,
    ) -> Option<Self> {
        let names: Vec<String> = serde_json::from_str(known).ok()?;
        Self::requested(columns, headings, &Mapping::ByPlace(names)).ok()
    }

    pub(super) fn requested(
        columns: &'static [TableColumn],
        headings: &[String],
        mapping: &Mapping,
    ) -> Result<Self> {
        let wanted = |place: usize, heading: &String| match mapping {
            Mapping::ByPlace(names) => names.get(place).cloned().unwrap_or_default(),
            Mapping::ByHeading(names) => match names.get(heading.trim()) {
                Some(name) => name.clone().unwrap_or_default(),
                None => named(columns, heading).map(|column| column.name.to_owned()).unwrap_or_default(),
            },
        };
        let mut seen = HashSet::new();
        let mut places = Vec::with_capacity(headings.len());
        for (place, heading) in headings.iter().enumerate() {
            let name = wanted(place, heading);
            let column = columns.iter().find(|column| column.name == name);
            if column.is_none() && !name.is_empty() {
                let name = name.chars().take(40).collect();
                return Err(Error::invalid("mapping", ExchangeComplaint::UnknownColumn { name }));
            }
            if !name.is_empty() && !seen.insert(name.clone()) {
                return Err(Error::invalid("mapping", ExchangeComplaint::ColumnTwice { name }));
            }
            places.push(column);
        }
        Ok(Self { shape: shape(headings), places })
    }

    pub(super) fn at(&self, place: usize) -> Option<&'static TableColumn> {
        self.places.get(place).copied().flatten()
    }

    /// The place of a column in the file.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|column| column.is_some_and(|column| column.name == name))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.iter().all(Option::is_none)
    }

    pub(super) fn to_json(&self) -> String {
        let names = self.places.iter().map(|column| column.map_or("", |column| column.name));
        serde_json::json!(names.collect::<Vec<_>>()).to_string()
    }
}

/// The column that a heading names.
fn named(columns: &'static [TableColumn], heading: &str) -> Option<&'static TableColumn> {
    let wanted = folded(heading);
    let by_name = columns.iter().find(|column| column.name == wanted);
    by_name.or_else(|| {
        columns
            .iter()
            .find(|column| [column.label.en, column.label.de].iter().any(|label| folded(label) == wanted))
    })
}
