//! What a bundle claims: each record of a list rests on an entry of the audit chain, each requirement on records and
//! files.

use std::{
    collections::{BTreeSet, HashMap},
    io::BufRead,
};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{
    Fault, FileEntry, LISTS, REQUIREMENTS_FILE,
    chain::{Entries, Rests},
    verify::KindCount,
};

/// A line of a list: a record as it was at the end of the day.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListedRecord {
    pub id: String,
    pub version: i64,
    /// The entry of the audit chain about the change that made it what it is; nothing if none names the record.
    pub rests_on: Option<i64>,
    /// Its fields.
    pub data: Box<RawValue>,
}

/// A version of a record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RecordStamp {
    /// The name of its list, without folder and suffix.
    pub list: String,
    pub id: String,
    pub version: i64,
}

/// A line about a requirement: what its assessment rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequirementClaim {
    pub requirement: String,
    pub title: String,
    /// The status of the assessment; nothing if there was none.
    pub status: Option<String>,
    pub applies: Option<bool>,
    pub records: Vec<RecordStamp>,
    /// Paths and SHA-256 of the evidence.
    pub files: Vec<(String, String)>,
}

/// The records that requirements rest on and that have not been met yet in the lists.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    records: BTreeSet<RecordStamp>,
    pub(crate) requirements: u64,
}

impl Wanted {
    /// Reads what the requirements rest on; files are compared at once.
    pub(crate) fn read(lines: impl BufRead, files: &[FileEntry]) -> Result<Self, Fault> {
        let digests: HashMap<&str, &str> =
            files.iter().map(|file| (file.path.as_str(), file.sha256.as_str())).collect();
        let mut wanted = Self::default();
        for (number, line) in (1..).zip(lines.lines()) {
            let claim: RequirementClaim = parse(line, REQUIREMENTS_FILE, number)?;
            for (path, sha256) in claim.files {
                if digests.get(path.as_str()) != Some(&sha256.as_str()) {
                    return Err(Fault::ClaimFile(path));
                }
            }
            wanted.records.extend(claim.records);
            wanted.requirements += 1;
        }
        Ok(wanted)
    }

    /// Reads a list: what its records rest on, and which of them are wanted.
    pub(crate) fn meet(
        &mut self,
        lines: impl BufRead,
        path: &str,
        entries: &Entries,
    ) -> Result<KindCount, Fault> {
        let list = list_name(path).unwrap_or_default();
        let mut count = KindCount::default();
        for (number, line) in (1..).zip(lines.lines()) {
            let record: ListedRecord = parse(line, path, number)?;
            match record.rests_on.map(|entry| (entry, entries.find(entry, &record.id))) {
                None => count.without_entry += 1,
                Some((_, Rests::InSlice)) => count.in_slice += 1,
                Some((_, Rests::BeforeSlice)) => count.before_slice += 1,
                Some((entry, Rests::Nowhere)) => {
                    return Err(Fault::ClaimEntry {
                        path: path.to_owned(),
                        line: number,
                        entry,
                        id: record.id,
                    });
                }
            }
            let ListedRecord { id, version, .. } = record;
            self.records.remove(&RecordStamp { list: list.to_owned(), id, version });
        }
        Ok(count)
    }

    /// Every record that a requirement rests on must have been met.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        match self.records.into_iter().next() {
            None => Ok(()),
            Some(RecordStamp { list, id, version }) => Err(Fault::ClaimRecord { list, id, version }),
        }
    }
}

/// The name of a list, if the path is one.
pub(crate) fn list_name(path: &str) -> Option<&str> {
    path.strip_prefix(LISTS)?.strip_suffix(".jsonl")
}

fn parse<T: for<'t> Deserialize<'t>>(
    line: std::io::Result<String>,
    path: &str,
    number: u64,
) -> Result<T, Fault> {
    let unreadable = || Fault::ClaimUnreadable { path: path.to_owned(), line: number };
    serde_json::from_str(&line.map_err(|_| unreadable())?).map_err(|_| unreadable())
}
