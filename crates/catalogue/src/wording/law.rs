//! The texts of acts that wording is cut from, what is to be known about them, and which acts have none at hand:
//! `catalogue/law/*.toml`.

use domain::wording::Language;

use super::signals::Differs;
use crate::{block::Block, kind::Kind, language::Text};

/// All of them.
#[derive(Debug, Clone, Default)]
pub struct Law {
    pub texts: Vec<LawText>,
    pub corrigenda: Vec<Corrigendum>,
    pub without: Vec<Without>,
    /// Where signal words of wording and summary differ on purpose.
    pub differs: Vec<Differs>,
}

impl Law {
    pub(crate) fn append(&mut self, mut other: Self) {
        self.texts.append(&mut other.texts);
        self.corrigenda.append(&mut other.corrigenda);
        self.without.append(&mut other.without);
        self.differs.append(&mut other.differs);
    }
}

/// The text of an act in one language, as a file beside this one.
#[derive(Debug, Clone)]
pub struct LawText {
    pub act: Box<str>,
    pub language: Language,
    pub file: Box<str>,
    /// The print that the file follows.
    pub version: Box<str>,
    /// What holds for every passage of it.
    pub notes: Vec<Text>,
    /// Remarks of the editor of the file, which are no part of the act.
    pub leave_out: Vec<Box<str>>,
}

/// A correction of some provisions.
#[derive(Debug, Clone)]
pub struct Corrigendum {
    pub act: Box<str>,
    /// The provisions that it touches; one that ends with `*` stands for all that begin like it.
    pub at: Vec<Box<str>>,
    pub note: Text,
}

/// Provisions without wording, or a whole act if none is named.
#[derive(Debug, Clone)]
pub struct Without {
    pub act: Box<str>,
    pub at: Vec<Box<str>>,
    pub reason: Text,
}

impl LawText {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            act: block.reference("act", Kind::Act),
            language: block.parsed("language").unwrap_or_default(),
            file: block.line("path"),
            version: block.line("version"),
            notes: block.optional_texts("notes"),
            leave_out: block.optional_lines("leave_out"),
        }
    }

    /// The name of the file with the passages cut from it.
    pub(crate) fn target(&self) -> String {
        format!("{}.{}.txt", self.act, self.language)
    }
}

impl Corrigendum {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            act: block.reference("act", Kind::Act),
            at: block.parsed_list::<String>("at").into_iter().map(Into::into).collect(),
            note: block.text("note"),
        }
    }

    pub(crate) fn touches(&self, at: &str) -> bool {
        self.at.iter().any(|known| matches(known, at))
    }
}

impl Without {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            act: block.reference("act", Kind::Act),
            at: block.optional_lines("at"),
            reason: block.text("reason"),
        }
    }

    pub(crate) fn covers(&self, at: Option<&str>) -> bool {
        self.at.is_empty() || at.is_some_and(|at| self.at.iter().any(|known| matches(known, at)))
    }
}

fn matches(pattern: &str, at: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == at, |stem| at.starts_with(stem))
}
