//! Closed lists of words, and those that several kinds of records share.
//!
//! A list says how its words are written and how they are shown; the words of one kind of record live with
//! that kind.

use crate::language::Language;

/// A closed list of words.
pub trait Vocabulary: Copy + Eq + 'static {
    /// Every word, in the order people expect to see them.
    const ALL: &'static [Self];

    /// The word as written in the catalogue, in JSON and in filters.
    fn as_str(self) -> &'static str;

    /// The word as shown to a person.
    fn label(self, language: Language) -> &'static str;

    fn find(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.as_str() == text)
    }
}

/// The text is none of the words; says which they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of {}", .0.join(", "))]
pub struct UnknownWord(pub &'static [&'static str]);

/// Declares an enum whose variants are the words of a list: `Variant = "word" ("English", "Deutsch")`.
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
            /// Every word as written in the catalogue, in JSON and in filters.
            pub const WORDS: &'static [&'static str] = &[$($word),*];
        }

        impl $crate::vocabulary::Vocabulary for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),*];

            fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            fn label(self, language: $crate::language::Language) -> &'static str {
                match (self, language) {
                    $(
                        (Self::$variant, $crate::language::Language::English) => $en,
                        (Self::$variant, $crate::language::Language::German) => $de,
                    )*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::vocabulary::Vocabulary::as_str(*self))
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::vocabulary::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                <Self as $crate::vocabulary::Vocabulary>::find(text)
                    .ok_or($crate::vocabulary::UnknownWord(Self::WORDS))
            }
        }
    };
}
pub(crate) use vocabulary;

vocabulary! {
    /// The rule book a record belongs to.
    FrameworkId {
        Dora = "dora" ("DORA", "DORA"),
        MaRisk = "marisk" ("MaRisk", "MaRisk"),
        Iso27001 = "iso-27001" ("ISO 27001", "ISO 27001"),
        Cra = "cra" ("CRA", "CRA"),
        Nis2 = "nis2" ("NIS2", "NIS2"),
    }
}

vocabulary! {
    /// How urgent a measure or a gap is, most urgent first.
    Priority {
        Critical = "critical" ("Critical", "Kritisch"),
        High = "high" ("High", "Hoch"),
        Medium = "medium" ("Medium", "Mittel"),
        Low = "low" ("Low", "Niedrig"),
    }
}

vocabulary! {
    /// How often something is done or renewed.
    Cadence {
        Continuous = "continuous" ("Continuous", "Laufend"),
        Daily = "daily" ("Daily", "Täglich"),
        Weekly = "weekly" ("Weekly", "Wöchentlich"),
        Monthly = "monthly" ("Monthly", "Monatlich"),
        Quarterly = "quarterly" ("Quarterly", "Vierteljährlich"),
        HalfYearly = "half-yearly" ("Half-yearly", "Halbjährlich"),
        Yearly = "yearly" ("Yearly", "Jährlich"),
        ThreeYearly = "three-yearly" ("Every three years", "Alle drei Jahre"),
        EventDriven = "event-driven" ("When an event calls for it", "Anlassbezogen"),
        Once = "once" ("Once", "Einmalig"),
    }
}

vocabulary! {
    /// The function in a financial entity that owns or does something.
    Role {
        ManagementBody = "management-body" ("Management body", "Leitungsorgan"),
        Ciso = "ciso" ("CISO", "Informationssicherheitsbeauftragte"),
        IctRiskManager = "ict-risk-manager" ("ICT risk management", "IKT-Risikomanagement"),
        ItOperations = "it-operations" ("IT operations", "IT-Betrieb"),
        SecurityOperations = "security-operations" ("Security operations", "Sicherheitsbetrieb"),
        BcmManager = "bcm-manager" ("Business continuity", "Notfallmanagement"),
        ThirdPartyManager = "third-party-manager" ("Third-party management", "Dienstleistersteuerung"),
        Procurement = "procurement" ("Procurement", "Einkauf"),
        Compliance = "compliance" ("Compliance", "Compliance"),
        InternalAudit = "internal-audit" ("Internal audit", "Interne Revision"),
        DataProtection = "data-protection" ("Data protection", "Datenschutz"),
        Communications = "communications" ("Communications", "Kommunikation"),
        Development = "development" ("Development", "Entwicklung"),
        HumanResources = "human-resources" ("Human resources", "Personal"),
        Legal = "legal" ("Legal", "Recht"),
        BusinessOwner = "business-owner" ("Business owner", "Fachbereich"),
    }
}

vocabulary! {
    /// How demanding a drill or a training module is.
    Difficulty {
        Basic = "basic" ("Basic", "Grundlagen"),
        Intermediate = "intermediate" ("Intermediate", "Fortgeschritten"),
        Advanced = "advanced" ("Advanced", "Anspruchsvoll"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashSet;

    use super::*;

    /// What must hold for every list: words that differ, labels in both languages, a way back from each word.
    pub(crate) fn is_sound<V: Vocabulary + std::fmt::Debug>() {
        let words: HashSet<_> = V::ALL.iter().map(|word| word.as_str()).collect();
        assert_eq!(words.len(), V::ALL.len(), "a word twice in {words:?}");
        for word in V::ALL.iter().copied() {
            assert_eq!(V::find(word.as_str()), Some(word));
            assert!(Language::ALL.into_iter().all(|language| !word.label(language).is_empty()), "{word:?}");
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c);
            assert!(word.as_str().chars().all(plain), "{word:?}");
        }
    }

    #[test]
    fn every_shared_list_is_sound() {
        is_sound::<FrameworkId>();
        is_sound::<Priority>();
        is_sound::<Cadence>();
        is_sound::<Role>();
        is_sound::<Difficulty>();
    }

    #[test]
    fn an_unknown_word_names_the_known_ones() {
        let error = "hard".parse::<Difficulty>().unwrap_err();
        assert_eq!(error.to_string(), "must be one of basic, intermediate, advanced");
        assert!("Basic".parse::<Difficulty>().is_err());
    }
}
