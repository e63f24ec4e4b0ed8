//! The layer a value came from.

use std::{fmt, path::PathBuf};

/// Where a value was set. Displays as a text an operator can act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Default,
    File {
        path: PathBuf,
        line: usize,
    },
    /// The name of the variable.
    Environment(String),
    /// The flag as typed, with its dashes.
    Flag(String),
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => out.write_str("default"),
            Self::File { path, line } => write!(out, "{} line {line}", path.display()),
            Self::Environment(variable) => write!(out, "environment {variable}"),
            Self::Flag(flag) => write!(out, "flag {flag}"),
        }
    }
}
