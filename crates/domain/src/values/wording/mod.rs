//! Labels: fixed words of the service in its two languages.
//!
//! Only fixed words are here (states, kinds, button texts). Texts of the catalogue and of tenants are data.

mod sentence;

use std::{fmt, str::FromStr};

pub(crate) use self::sentence::shown_as_printed;
pub use self::sentence::{
    Reader, Sentence, Shown, sentence, sentence_enums, sentence_traits, sentences, written_for,
};

/// A language of the service.
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

    /// The preferred language of an `Accept-Language` header; the first one wins among equals, and `None` if it
    /// contains none of ours.
    pub fn preferred(accept_language: &str) -> Option<Self> {
        let mut best: Option<(Self, u16)> = None;
        for range in accept_language.split(',') {
            let (tag, weight) = range.split_once(';').map_or((range, 1000), |(tag, q)| (tag, thousandths(q)));
            let primary = tag.trim().split('-').next().unwrap_or("").to_ascii_lowercase();
            let Ok(language) = primary.parse() else { continue };
            if weight > best.map_or(0, |(_, weight)| weight) {
                best = Some((language, weight));
            }
        }
        best.map(|(language, _)| language)
    }
}

/// The weight `q=0.8` as thousandths; an invalid one is zero.
fn thousandths(parameter: &str) -> u16 {
    let Some(number) = parameter.trim().strip_prefix("q=") else { return 0 };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    match (whole, fraction.len()) {
        ("1", _) => 1000,
        ("0", 0..=3) => format!("{fraction:0<3}").parse().unwrap_or(0),
        _ => 0,
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

sentence! {
    /// The text names no language of the service.
    UnknownLanguage =
        "must be one of en, de",
        "muss einer dieser Werte sein: en, de";
}

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

/// The text with each `{name}` replaced by its value. `{name|one|many}` is the first wording if the value is 1, and the
/// second otherwise. A place without a value stays as it is, and values are not searched for places.
pub fn filled(text: &str, value_of: impl Fn(&str) -> Option<String>) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, opened)) = rest.split_once('{') {
        written.push_str(before);
        let Some((place, after)) = opened.split_once('}') else {
            rest = &rest[before.len()..];
            break;
        };
        let mut parts = place.split('|');
        let value = parts.next().and_then(&value_of);
        match (value, parts.next(), parts.next()) {
            (Some(value), Some(one), Some(many)) => written.push_str(if value == "1" { one } else { many }),
            (Some(value), ..) => written.push_str(&value),
            (None, ..) => {
                written.push('{');
                written.push_str(place);
                written.push('}');
            }
        }
        rest = after;
    }
    written.push_str(rest);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_numbers_have_their_form() {
        let text = "{n} {n|row is|rows are} of {name} {other} {";
        let with = |n: &'static str| {
            move |place: &str| match place {
                "n" => Some(n.to_owned()),
                "name" => Some("{n}".to_owned()),
                _ => None,
            }
        };
        assert_eq!(filled(text, with("1")), "1 row is of {n} {other} {");
        assert_eq!(filled(text, with("0")), "0 rows are of {n} {other} {");
        assert_eq!(filled(text, with("21")), "21 rows are of {n} {other} {");
    }

    #[test]
    fn speaks_both_languages() {
        let label = Label::new("Open", "Offen");
        assert_eq!(label.text(Language::default()), "Open");
        assert_eq!(label.text(Language::German), "Offen");
    }

    #[test]
    fn the_heaviest_known_language_wins() {
        let cases = [
            ("de-DE,de;q=0.9,en;q=0.8", Some(Language::German)),
            ("en-GB;q=0.8, de-AT", Some(Language::German)),
            ("fr, en;q=0.4, de;q=0.3", Some(Language::English)),
            ("DE", Some(Language::German)),
            ("en;q=0, fr", None),
            ("de;q=nonsense", None),
            ("*", None),
            ("", None),
        ];
        for (header, expected) in cases {
            assert_eq!(Language::preferred(header), expected, "{header}");
        }
    }
}
