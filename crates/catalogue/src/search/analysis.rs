//! Cuts texts into words and words down to their stems.

use std::{borrow::Cow, ops::Range};

use domain::wording::Language;
use frostem::{Algorithm, Stemmer};
use unicode_normalization::char::is_combining_mark;

use crate::fold::fold;

/// A word of a text: where it stands, and its folded form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) range: Range<usize>,
    pub(crate) folded: String,
}

/// The words of a text: what stands between signs and spaces.
pub(crate) fn words_of(text: &str) -> impl Iterator<Item = Word> {
    ranges_of(text).map(|range| {
        let mut folded = String::new();
        fold(&text[range.clone()], &mut folded);
        Word { range, folded }
    })
}

/// Where the words of a text stand.
pub(crate) fn ranges_of(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, _) = chars.find(|(_, c)| is_word_part(*c))?;
        while chars.next_if(|(_, c)| is_word_part(*c)).is_some() {}
        let end = chars.peek().map_or(text.len(), |(end, _)| *end);
        Some(start..end)
    })
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || (!c.is_ascii() && is_combining_mark(c))
}

/// How a folded word is spelt before it is stemmed. Germans without umlauts on their keyboard write ue for ü,
/// which folds to u: so both are u here.
pub(crate) fn spelling(language: Language, folded: &str) -> Cow<'_, str> {
    let spelt_out = |pair: &[u8]| matches!(pair, b"ae" | b"oe" | b"ue");
    if language == Language::English || !folded.as_bytes().windows(2).any(spelt_out) {
        return Cow::Borrowed(folded);
    }
    Cow::Owned(folded.replace("ae", "a").replace("oe", "o").replace("ue", "u"))
}

/// Finds the stem of folded words of one language.
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
    fn words_stand_between_signs() {
        let text = "IKT-Drittdienstleister: Art. 6(5), Übe\u{301}r";
        let words: Vec<_> = words_of(text).map(|word| word.folded).collect();
        assert_eq!(words, ["ikt", "drittdienstleister", "art", "6", "5", "uber"]);
        let last = words_of(text).last().unwrap();
        assert_eq!(&text[last.range], "Übe\u{301}r");
        assert_eq!(words_of(" – ").count(), 0);
    }

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
