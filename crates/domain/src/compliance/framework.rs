//! The framework a record belongs to. The catalogue defines which frameworks exist; here is only the format of their
//! ids, so that a store keeps records of a framework that is no longer loaded.

use std::{fmt, str::FromStr};

use crate::wording::sentences;

/// The id of a framework: `dora`, `iso-27001`, or any other in the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Framework {
    /// The id, padded with zeros. Stored inline, so that ids are `Copy`.
    bytes: [u8; Self::MAX],
    length: usize,
}

sentences! {
    /// Why a text is no framework.
    FrameworkError {
        Form = "must be the id of a framework: at most 31 lower-case letters, digits and hyphens",
            "muss die Kennung eines Rahmenwerks sein: höchstens 31 Kleinbuchstaben, Ziffern und Bindestriche";
        Unknown { known: String } = "must be one of {known}", "muss einer dieser Werte sein: {known}";
    }
}

impl Framework {
    /// The longest id.
    pub const MAX: usize = 31;

    /// The frameworks that have routes of their own.
    pub const DORA: Self = Self::fixed("dora");
    pub const MARISK: Self = Self::fixed("marisk");
    pub const ISO_27001: Self = Self::fixed("iso-27001");
    pub const CRA: Self = Self::fixed("cra");
    pub const NIS2: Self = Self::fixed("nis2");

    const fn fixed(id: &str) -> Self {
        let (source, mut bytes, mut at) = (id.as_bytes(), [0; Self::MAX], 0);
        while at < source.len() {
            bytes[at] = source[at];
            at += 1;
        }
        Self { bytes, length: at }
    }

    pub fn as_str(&self) -> &str {
        let used = self.bytes.get(..self.length).unwrap_or_default();
        std::str::from_utf8(used).unwrap_or_default()
    }

    /// The short name, derived from the id: `NIST CSF`, `ISO 27001`. Short words are abbreviations.
    pub fn name(&self) -> String {
        let word = |word: &str| match word {
            "marisk" => "MaRisk".to_owned(),
            "kritis" => "KRITIS".to_owned(),
            "dachg" => "DachG".to_owned(),
            // Has a different abbreviation in each language.
            "gdpr" => "GDPR / DSGVO".to_owned(),
            short if short.len() <= 4 || short.bytes().any(|byte| byte.is_ascii_digit()) => {
                short.to_ascii_uppercase()
            }
            long => format!("{}{}", long[..1].to_ascii_uppercase(), &long[1..]),
        };
        self.as_str().split('-').map(word).collect::<Vec<_>>().join(" ")
    }
}

impl FromStr for Framework {
    type Err = FrameworkError;

    fn from_str(text: &str) -> Result<Self, FrameworkError> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let is_id = text.len() <= Self::MAX
            && text.split('-').all(|word| !word.is_empty() && word.chars().all(plain));
        if is_id { Ok(Self::fixed(text)) } else { Err(FrameworkError::Form) }
    }
}

impl fmt::Display for Framework {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Framework {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl serde::Serialize for Framework {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_comes_back_as_it_was() {
        let longest = "a".repeat(Framework::MAX);
        for id in ["dora", "iso-27001", "nist-csf", "c5", &longest] {
            let framework: Framework = id.parse().unwrap();
            assert_eq!(framework.as_str(), id);
            assert_eq!(framework.to_string(), id);
            assert_eq!(serde_json::to_value(framework).unwrap(), id);
        }
        assert_eq!("marisk".parse(), Ok(Framework::MARISK));
    }

    #[test]
    fn other_texts_are_refused() {
        let long = "a".repeat(Framework::MAX + 1);
        for text in ["", "DORA", " dora", "-", "a--b", "a-", "-a", "nist csf", "dora\0", "ä", &long] {
            assert_eq!(text.parse::<Framework>(), Err(FrameworkError::Form), "{text:?}");
        }
    }

    #[test]
    fn the_name_follows_from_the_id() {
        let names = [
            ("dora", "DORA"),
            ("marisk", "MaRisk"),
            ("iso-27001", "ISO 27001"),
            ("nis2", "NIS2"),
            ("nist-csf", "NIST CSF"),
            ("bsi-c5", "BSI C5"),
            ("kritis-dachg", "KRITIS DachG"),
            ("house-it-policy", "House IT Policy"),
        ];
        for (id, name) in names {
            assert_eq!(id.parse::<Framework>().unwrap().name(), name);
        }
    }
}
