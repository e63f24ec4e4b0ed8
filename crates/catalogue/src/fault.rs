//! Mistakes in a catalogue, with file and line, in sentences an editor can act on.

use std::fmt;

/// One mistake.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The path below the catalogue's folder, such as `measures/sharing.toml`.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// Every mistake found, sorted by position. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// `Err` with the faults in order, or `Ok` when there are none.
    pub(crate) fn refuse(mut faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() {
            return Ok(());
        }
        faults.sort();
        faults.dedup();
        Err(Self(faults))
    }

    pub(crate) fn one(file: impl Into<String>, line: usize, message: impl fmt::Display) -> Self {
        Self(vec![Fault { file: file.into(), line, message: message.to_string() }])
    }

    pub fn as_slice(&self) -> &[Fault] {
        &self.0
    }
}

impl fmt::Display for Faults {
    /// One mistake per line, in the form that editors and terminals turn into links.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut faults = self.0.iter();
        if let Some(first) = faults.next() {
            write!(f, "{first}")?;
        }
        faults.try_for_each(|fault| write!(f, "\n{fault}"))
    }
}

impl std::error::Error for Faults {}
