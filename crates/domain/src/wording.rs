//! What a person reads for a word of the service, in the two languages it speaks.
//!
//! Only fixed words live here (states, kinds, button texts). Prose of the catalogue and of tenants is data.

use std::{fmt, str::FromStr};

/// A language the service speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    #[default]
    English,
    German,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of en, de")]
pub struct UnknownLanguage;

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Self, UnknownLanguage> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownLanguage)
    }
}

/// One fixed word or phrase in every language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label {
    pub en: &'static str,
    pub de: &'static str,
}

impl Label {
    #[must_use]
    pub const fn new(en: &'static str, de: &'static str) -> Self {
        Self { en, de }
    }

    pub const fn text(self, language: Language) -> &'static str {
        match language {
            Language::English => self.en,
            Language::German => self.de,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speaks_both_languages() {
        let label = Label::new("Open", "Offen");
        assert_eq!(label.text(Language::default()), "Open");
        assert_eq!(label.text(Language::German), "Offen");
    }
}
