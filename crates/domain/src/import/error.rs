//! Why a file cannot be imported at all. What is wrong with a single line is told apart from it.

use std::io;

use super::{
    encoding::EncodingError,
    json::{self, MAX_DEPTH},
};

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the file cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    #[error("the file is not valid JSON: {0}")]
    NotJson(String),
    #[error("the file is JSON but not {expected}: {problem}")]
    OtherShape { expected: &'static str, problem: String },
    #[error("the file is nested more than {MAX_DEPTH} levels deep, which no scanner writes")]
    TooDeep,
    #[error("the file holds a text of more than {} MiB, which no scanner writes", json::MAX_TEXT >> 20)]
    LongText,
    #[error("the file has more than {0} results; split it")]
    TooMany(u64),
    #[error("line 1: {0}")]
    Header(String),
    #[error("line {line}: the record is longer than {limit} bytes; is a quotation mark not closed?")]
    LongRecord { line: u64, limit: u64 },
    #[error("line {line}: the record has more than {limit} cells; is the separator right?")]
    WideRecord { line: u64, limit: usize },
}

impl ImportError {
    /// Sorts out what the JSON parser met: the file itself, our guard, bad syntax, or another shape.
    pub(super) fn from_json(error: serde_json::Error, expected: &'static str) -> Self {
        use serde_json::error::Category;

        match error.classify() {
            Category::Io => Self::from_io(io::Error::from(error)),
            Category::Syntax | Category::Eof => Self::NotJson(error.to_string()),
            Category::Data => Self::OtherShape { expected, problem: error.to_string() },
        }
    }

    pub(super) fn from_io(error: io::Error) -> Self {
        let error = match error.downcast::<json::Refused>() {
            Ok(json::Refused::TooDeep) => return Self::TooDeep,
            Ok(json::Refused::LongText) => return Self::LongText,
            Err(error) => error,
        };
        error.downcast::<EncodingError>().map_or_else(Self::Read, Self::Encoding)
    }
}
