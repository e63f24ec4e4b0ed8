//! Closed lists of words: the values of a field such as `severity` or `test_type`.
//!
//! One list defines everything about its words (how they are written, stored and shown), so the API's error texts,
//! the workspace's choices and the documentation cannot differ.

use std::fmt;

use crate::{
    tone::Tone,
    wording::{Label, Language, Reader, Sentence, Shown, sentence_traits},
};

/// A closed list of words.
pub trait Vocabulary: Copy + Eq + 'static {
    /// Every word, in display order.
    const ALL: &'static [Self];

    /// The word as written in JSON, filters and the store.
    fn as_str(self) -> &'static str;

    /// The word as displayed.
    fn label(self) -> Label;

    /// The word by any of its names: as written in JSON, or its label in one of the languages, in any case.
    fn named(text: &str) -> Option<Self> {
        let wanted = text.trim().to_lowercase();
        let names = |word: &Self| {
            let label = word.label();
            [word.as_str(), label.en, label.de].iter().any(|name| name.to_lowercase() == wanted)
        };
        Self::ALL.iter().copied().find(names)
    }

    fn find(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.as_str() == text)
    }
}

/// The text is none of the words; the message lists them: the words of the API in English, and what German pages call
/// them in German, which imports read as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownWord(pub &'static [&'static str], pub &'static [&'static str]);

impl Sentence for UnknownWord {
    fn write(&self, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match reader.language() {
            Language::English => write!(f, "must be one of {}", self.0.join(", ")),
            Language::German => write!(f, "muss einer dieser Werte sein: {}", self.1.join(", ")),
        }
    }
}

sentence_traits!(UnknownWord);

/// A word of a vocabulary: a program gets the word, a person its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    pub word: &'static str,
    pub label: Label,
}

impl Word {
    pub fn of<V: Vocabulary>(word: V) -> Self {
        Self { word: word.as_str(), label: word.label() }
    }
}

impl Shown for Word {
    fn shown(&self, reader: Reader) -> String {
        match reader {
            Reader::Program => self.word.to_owned(),
            Reader::Person(language) => self.label.text(language).to_owned(),
        }
    }
}

/// Declares an enum whose variants are the words of a list: `Variant = "word" ("English", "Deutsch")`.
#[macro_export]
macro_rules! vocabulary {
    (
        $(#[$doc:meta])*
        $name:ident {
            $($(#[$variant_doc:meta])* $variant:ident = $word:literal ($en:literal, $de:literal),)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            /// Every word, in display order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
            /// Every word as written in JSON, filters and the store.
            pub const WORDS: &'static [&'static str] = &[$($word),*];
            /// Every word as German pages show it.
            pub const GERMAN: &'static [&'static str] = &[$($de),*];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            pub fn label(self) -> $crate::wording::Label {
                match self {
                    $(Self::$variant => $crate::wording::Label::new($en, $de),)*
                }
            }
        }

        impl $crate::vocabulary::Vocabulary for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn as_str(self) -> &'static str {
                self.as_str()
            }

            fn label(self) -> $crate::wording::Label {
                self.label()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::vocabulary::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                <Self as $crate::vocabulary::Vocabulary>::find(text)
                    .ok_or($crate::vocabulary::UnknownWord(Self::WORDS, Self::GERMAN))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}
pub use vocabulary;

vocabulary! {
    /// The priority of a test case.
    Priority {
        Critical = "critical" ("Critical", "Kritisch"),
        High = "high" ("High", "Hoch"),
        Medium = "medium" ("Medium", "Mittel"),
        Low = "low" ("Low", "Niedrig"),
    }
}

impl Priority {
    pub fn tone(self) -> Tone {
        match self {
            Self::Critical => Tone::Critical,
            Self::High => Tone::Warning,
            Self::Medium => Tone::Notice,
            Self::Low => Tone::Neutral,
        }
    }
}

vocabulary! {
    /// The severity of a finding or a reported vulnerability, worst first.
    Severity {
        Critical = "critical" ("Critical", "Kritisch"),
        High = "high" ("High", "Hoch"),
        Medium = "medium" ("Medium", "Mittel"),
        Low = "low" ("Low", "Niedrig"),
        Info = "info" ("Info", "Hinweis"),
    }
}

impl Severity {
    pub fn tone(self) -> Tone {
        match self {
            Self::Critical => Tone::Critical,
            Self::High => Tone::Warning,
            Self::Medium => Tone::Notice,
            Self::Low => Tone::Neutral,
            Self::Info => Tone::Muted,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The rules for every list: distinct words and labels, and every word parses to itself.
    pub(crate) fn is_sound<V: Vocabulary + fmt::Debug>() {
        let words: HashSet<_> = V::ALL.iter().map(|word| word.as_str()).collect();
        assert_eq!(words.len(), V::ALL.len(), "a word twice in {words:?}");
        for word in V::ALL.iter().copied() {
            assert_eq!(V::find(word.as_str()), Some(word));
            assert!(!word.label().en.is_empty() && !word.label().de.is_empty(), "{word:?} has no label");
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c);
            assert!(word.as_str().chars().all(plain), "{word:?}");
        }
    }

    #[test]
    fn every_list_is_sound() {
        is_sound::<Priority>();
        is_sound::<Severity>();
    }

    #[test]
    fn every_order_of_a_list_has_a_word_and_a_label() {
        is_sound::<crate::control::ControlSort>();
        is_sound::<crate::cra_report::CraReportSort>();
        is_sound::<crate::drill_run::DrillRunSort>();
        is_sound::<crate::evidence::EvidenceSort>();
        is_sound::<crate::finding::FindingSort>();
        is_sound::<crate::function::FunctionSort>();
        is_sound::<crate::incident::IncidentSort>();
        is_sound::<crate::programme::ProgrammeSort>();
        is_sound::<crate::provider::ProviderSort>();
        is_sound::<crate::register_filing::RegisterFilingSort>();
        is_sound::<crate::risk::RiskSort>();
        is_sound::<crate::test_case::TestCaseSort>();
        is_sound::<crate::training::TrainingSort>();
    }

    #[test]
    fn an_unknown_word_names_the_known_ones() {
        let error = "urgent".parse::<Priority>().unwrap_err();
        assert_eq!(error.to_string(), "must be one of critical, high, medium, low");
        for near in ["", "Critical", " critical", "CRITICAL"] {
            assert!(near.parse::<Priority>().is_err(), "{near}");
        }
    }

    #[test]
    fn a_word_is_known_by_its_labels_too() {
        for name in ["high", "HIGH", " Hoch ", "hoch"] {
            assert_eq!(Severity::named(name), Some(Severity::High), "{name}");
        }
        assert_eq!(Severity::named("höchst"), None);
    }

    #[test]
    fn the_worst_severity_sorts_first() {
        assert!(Severity::Critical < Severity::High && Severity::Low < Severity::Info);
    }
}
