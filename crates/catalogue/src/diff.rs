//! The differences between two catalogues, record by record and field by field.

use std::{collections::BTreeMap, fmt, path::Path};

use toml::{Table, Value};

use crate::{
    fault::Faults,
    source::{self, SourceFile},
};

/// One record that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The block it is written in: `requirement`, `measure` …
    pub kind: String,
    pub id: String,
    pub change: Change,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Added,
    Removed,
    /// The fields that differ.
    Changed(Vec<String>),
}

impl Change {
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed(_) => "changed",
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<8} {} {}", self.change.as_str(), self.kind, self.id)?;
        match &self.change {
            Change::Changed(fields) => write!(f, ": {}", fields.join(", ")),
            _ => Ok(()),
        }
    }
}

type Records = BTreeMap<(String, String), Table>;

/// Compares two folders; `None` is the embedded catalogue.
pub fn diff(old: Option<&Path>, new: Option<&Path>) -> Result<Vec<Difference>, Faults> {
    let (old, new) = (records(&files(old)?)?, records(&files(new)?)?);
    let mut found = Vec::new();
    for (key, before) in &old {
        let change = match new.get(key) {
            None => Change::Removed,
            Some(after) if after == before => continue,
            Some(after) => Change::Changed(fields(before, after)),
        };
        found.push(difference(key, change));
    }
    found.extend(new.keys().filter(|key| !old.contains_key(*key)).map(|key| difference(key, Change::Added)));
    found.sort_by(|a, b| (&a.kind, &a.id).cmp(&(&b.kind, &b.id)));
    Ok(found)
}

fn difference((kind, id): &(String, String), change: Change) -> Difference {
    Difference { kind: kind.clone(), id: id.clone(), change }
}

fn files(folder: Option<&Path>) -> Result<Vec<SourceFile>, Faults> {
    folder.map_or_else(source::embedded, source::from_dir)
}

fn records(files: &[SourceFile]) -> Result<Records, Faults> {
    let mut records = Records::new();
    for file in files {
        let table: Table = file
            .text
            .parse()
            .map_err(|error: toml::de::Error| Faults::one(&*file.path, 1, error.message()))?;
        for (kind, value) in table {
            let blocks = match value {
                Value::Array(blocks) => blocks,
                single => vec![single],
            };
            for block in blocks {
                if let Value::Table(block) = block {
                    let id = block.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
                    records.insert((kind.clone(), id), block);
                }
            }
        }
    }
    Ok(records)
}

fn fields(before: &Table, after: &Table) -> Vec<String> {
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    names.into_iter().filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}
