//! Notes of reading the files besides the records: where ids are defined, where they are used, and every mistake so
//! far. The rules across records use them.

use crate::{
    fault::Fault,
    kind::Kind,
    source::{SourceFile, line_of},
};

/// A position in one of the files being read. Lines are counted only when a fault is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SourcePosition {
    pub(crate) file: usize,
    pub(crate) offset: usize,
}

impl SourcePosition {
    /// The position for reporting what is missing from the catalogue as a whole.
    pub(crate) const NOWHERE: Self = Self { file: usize::MAX, offset: 0 };

    pub(crate) fn path(self, files: &[SourceFile]) -> String {
        let path = |file: &SourceFile| format!("{}{}", file.root, file.path);
        files.get(self.file).map_or_else(|| "catalogue.toml".to_owned(), path)
    }

    pub(crate) fn line(self, files: &[SourceFile]) -> usize {
        files.get(self.file).map_or(1, |file| line_of(file.text.as_bytes(), self.offset))
    }
}

/// An id and the position that defines or uses it.
#[derive(Debug, Clone)]
pub(crate) struct Mention {
    pub(crate) kind: Kind,
    pub(crate) id: Box<str>,
    pub(crate) place: SourcePosition,
    /// The field that uses the id; for a definition, `id`.
    pub(crate) field: &'static str,
}

/// The source of a record, for the rules that compare it with the acts.
#[derive(Debug, Clone)]
pub(crate) struct Citation {
    pub(crate) place: SourcePosition,
    pub(crate) cite: Box<str>,
    /// The record names another source than the act.
    pub(crate) secondary: bool,
    pub(crate) linked: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) defined: Vec<Mention>,
    pub(crate) used: Vec<Mention>,
    pub(crate) cited: Vec<Citation>,
    faults: Vec<(SourcePosition, String)>,
    /// A file could not be parsed, so records that seem missing may be in it.
    pub(crate) unparsed: bool,
}

impl Notes {
    pub(crate) fn fault(&mut self, place: SourcePosition, message: impl Into<String>) {
        self.faults.push((place, message.into()));
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.defined.append(&mut other.defined);
        self.used.append(&mut other.used);
        self.cited.append(&mut other.cited);
        self.faults.append(&mut other.faults);
        self.unparsed |= other.unparsed;
    }

    pub(crate) fn into_faults(self, files: &[SourceFile]) -> Vec<Fault> {
        let with_line = |(place, message): (SourcePosition, String)| Fault {
            file: place.path(files),
            line: place.line(files),
            message,
        };
        self.faults.into_iter().map(with_line).collect()
    }
}
