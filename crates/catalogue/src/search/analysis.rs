//! Reduces words to their stems.

use std::borrow::Cow;

use domain::wording::Language;
use frostem::{Algorithm, Stemmer};

/// The spelling of a folded word before it is stemmed. Germans without umlauts on their keyboard write ue for ü,
/// which folds to u: so both are u here.
pub(crate) fn spelling(language: Language, folded: &str) -> Cow<'_, str> {
    let spelt_out = |pair: &[u8]| matches!(pair, b"ae" | b"oe" | b"ue");
    if language == Language::English || !folded.as_bytes().windows(2).any(spelt_out) {
        return Cow::Borrowed(folded);
    }
    Cow::Owned(folded.replace("ae", "a").replace("oe", "o").replace("ue", "u"))
}

/// Stems folded words of one language.
#[derive(Clone, Copy)]
pub(crate) struct Stems(Stemmer);

impl Stems {
    pub(crate) fn of(language: Language) -> Self {
        Self(Stemmer::new(match language {
            Language::English => Algorithm::English,
            Language::German => Algorithm::German,
        }))
    }

    pub(crate) fn stem<'a>(&self, folded: &'a str) -> Cow<'a, str> {
        self.0.stem(folded)
    }
}

impl std::fmt::Debug for Stems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stems").field(&self.0.algorithm()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        let (english, german) = (Stems::of(Language::English), Stems::of(Language::German));
        assert_eq!(english.stem("policies"), english.stem("policy"));
        assert_eq!(english.stem("testing"), english.stem("tests"));
        assert_eq!(german.stem("vorfalle"), german.stem("vorfall"));
        assert_eq!(german.stem("prufungen"), german.stem("prufung"));
        // Typed on a keyboard without umlauts.
        assert_eq!(german.stem("pruefung"), german.stem("prufung"));
    }
}
