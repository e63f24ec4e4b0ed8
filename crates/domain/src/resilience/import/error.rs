//! Why a file cannot be imported at all. Problems with a single line are separate.

use std::io;

use super::{
    encoding::EncodingError,
    json::{self, MAX_DEPTH},
};
use crate::wording::sentences;

const MAX_TEXT_MIB: u64 = json::MAX_TEXT >> 20;

sentences! {
    ImportError {
        Read(problem: String) = "the file cannot be read: {problem}", "Die Datei lässt sich nicht lesen: {problem}";
        Encoding(error: EncodingError) = "{error}", "{error}";
        NotJson(problem: String) =
            "the file is not valid JSON: {problem}",
            "Die Datei ist kein gültiges JSON: {problem}";
        OtherShape { expected: &'static str, problem: String } =
            "the file is JSON but not {expected}: {problem}",
            "Die Datei ist JSON, aber nicht {expected}: {problem}";
        TooDeep =
            "the file is nested more than {MAX_DEPTH} levels deep, which no scanner writes",
            "Die Datei ist mehr als {MAX_DEPTH} Ebenen tief verschachtelt, was kein Scanner schreibt";
        LongText =
            "the file holds a text of more than {MAX_TEXT_MIB} MiB, which no scanner writes",
            "Die Datei enthält einen Text von mehr als {MAX_TEXT_MIB} MiB, was kein Scanner schreibt";
        TooMany(most: u64) =
            "the file has more than {most} results; split it",
            "Die Datei hat mehr als {most} Ergebnisse; bitte aufteilen";
        Header(problem: HeaderProblem) = "line 1: {problem}", "Zeile 1: {problem}";
        LongRecord { line: u64, limit: u64 } =
            "line {line}: the record is longer than {limit} bytes; is a quotation mark not closed?",
            "Zeile {line}: Der Datensatz ist länger als {limit} Bytes; ist ein Anführungszeichen nicht geschlossen?";
        WideRecord { line: u64, limit: usize } =
            "line {line}: the record has more than {limit} cells; is the separator right?",
            "Zeile {line}: Der Datensatz hat mehr als {limit} Zellen; stimmt das Trennzeichen?";
    }

    /// What is wrong with the header line of a CSV file.
    HeaderProblem {
        Empty = "the file is empty", "Die Datei ist leer";
        UnknownColumn { name: String, columns: String } =
            "{name} is not a column; rename or remove it. The columns are {columns}",
            "{name} ist keine Spalte; bitte umbenennen oder entfernen. Die Spalten sind {columns}";
        Twice { name: &'static str } =
            "the column {name} is there twice",
            "Die Spalte {name} ist zweimal vorhanden";
        Missing { name: &'static str, columns: String } =
            "the column {name} is missing. The columns are {columns}",
            "Die Spalte {name} fehlt. Die Spalten sind {columns}";
    }

    /// What is wrong with one line of a CSV file as a whole.
    #[derive(Copy)]
    LineComplaint {
        Cells { found: usize, expected: usize } =
            "has {found} cells where the header has {expected}; is a separator or a quotation mark missing?",
            "hat {found} Zellen, die Kopfzeile aber {expected}; fehlt ein Trennzeichen oder ein Anführungszeichen?";
        NotAFindingId =
            "must be the id of a finding, as an export has it",
            "muss die Kennung einer Feststellung sein, wie sie im Export steht";
        Repeated { first: u64 } =
            "repeats the finding of line {first}",
            "wiederholt die Feststellung aus Zeile {first}";
    }
}

impl From<EncodingError> for ImportError {
    fn from(error: EncodingError) -> Self {
        Self::Encoding(error)
    }
}

impl ImportError {
    pub(super) fn unreadable(error: impl std::fmt::Display) -> Self {
        Self::Read(error.to_string())
    }

    /// Classifies an error of the JSON parser: the file itself, our guard, bad syntax, or another structure.
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
        error.downcast::<EncodingError>().map_or_else(Self::unreadable, Self::Encoding)
    }
}
