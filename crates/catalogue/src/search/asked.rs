//! The words of a query for texts outside the catalogue: they are indexed and searched elsewhere, but by the same
//! rules, and matches are marked in the same way.

use domain::wording::Language;

use super::{
    Query,
    analysis::{Stems, spelling},
    snippet::{Snippet, Wants},
};
use crate::language::LANGUAGES;

/// Shorter words only match whole words: as a prefix they would match everything.
const SHORTEST_BEGINNING: usize = 2;

/// Stop words. A record need not contain them if the query has other words.
const FILLERS: [&str; 48] = [
    "a", "als", "am", "an", "and", "are", "as", "at", "auf", "aus", "be", "bei", "by", "das", "dem", "den",
    "der", "des", "die", "ein", "eine", "einer", "for", "from", "fur", "im", "in", "is", "ist", "mit", "of",
    "oder", "on", "or", "sind", "the", "to", "um", "und", "vom", "von", "was", "wer", "wie", "with", "zu",
    "zum", "zur",
];

/// The words of a query.
#[derive(Debug, Clone)]
pub struct Asked(Vec<AskedWord>);

/// A word that a text must have.
#[derive(Debug, Clone)]
pub struct AskedWord {
    /// As typed, folded.
    pub folded: String,
    /// The stems of the word, in either language.
    pub stems: Vec<String>,
    /// A longer word with this prefix also matches.
    pub is_beginning: bool,
}

impl AskedWord {
    fn new(folded: &str, open: bool) -> Self {
        let letters = folded.chars().count();
        let is_beginning = open && letters >= SHORTEST_BEGINNING;
        Self { folded: folded.to_owned(), stems: stems_of(folded), is_beginning }
    }
}

impl Asked {
    pub fn of(query: &Query) -> Self {
        let last = query.words.len().saturating_sub(1);
        let words = query.words.iter().enumerate();
        let is_filler = |(place, word): &(usize, &String)| {
            FILLERS.contains(&word.as_str()) && !(query.open && *place == last)
        };
        let word = |(place, word): (usize, &String)| AskedWord::new(word, query.open && place == last);
        let telling: Vec<_> = words.clone().filter(|each| !is_filler(each)).map(word).collect();
        Self(if telling.is_empty() { words.map(word).collect() } else { telling })
    }

    pub fn words(&self) -> &[AskedWord] {
        &self.0
    }

    /// The passage of these texts that shows best why they were found.
    pub fn snippet(&self, texts: &[&str]) -> Snippet {
        let initials = self.0.iter().filter_map(|word| word.folded.chars().next()).collect();
        Snippet::best(texts, &Marked { asked: self, initials })
    }
}

/// The stems of a folded word, in either language.
pub fn stems_of(folded: &str) -> Vec<String> {
    let stem = |language: Language| Stems::of(language).stem(&spelling(language, folded)).into_owned();
    let [english, german] = LANGUAGES.map(stem);
    if english == german { vec![english] } else { vec![english, german] }
}

struct Marked<'a> {
    asked: &'a Asked,
    /// Stems keep the first letter, so most words need no stemming.
    initials: Vec<char>,
}

impl Wants for Marked<'_> {
    fn wants(&self, folded: &str) -> bool {
        if !folded.chars().next().is_some_and(|first| self.initials.contains(&first)) {
            return false;
        }
        let begins = |word: &AskedWord| word.is_beginning && folded.starts_with(&word.folded);
        let words = &self.asked.0;
        words.iter().any(begins) || {
            let stems = stems_of(folded);
            words.iter().any(|word| word.stems.iter().any(|stem| stems.contains(stem)))
        }
    }

    fn enough(&self) -> usize {
        self.asked.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Asked {
        Asked::of(&Query::new(text, Language::English))
    }

    fn folded(text: &str) -> Vec<String> {
        asked(text).0.into_iter().map(|word| word.folded).collect()
    }

    #[test]
    fn words_that_tell_nothing_are_left_out_unless_there_are_no_others() {
        assert_eq!(folded("the policy for Prüfung der"), ["policy", "prufung", "der"]);
        assert_eq!(folded("the policy for Prüfung der "), ["policy", "prufung"]);
        assert_eq!(folded("to be or "), ["to", "be", "or"]);
        assert_eq!(folded(" ?! "), [""; 0]);
    }

    #[test]
    fn the_last_word_may_go_on() {
        let beginnings: Vec<_> = asked("tls cyber risk").0.iter().map(|word| word.is_beginning).collect();
        assert_eq!(beginnings, [false, false, true]);
        assert!(!asked("x").0[0].is_beginning);
        assert!(asked("tls").0[0].is_beginning && !asked("tls ").0[0].is_beginning);
    }

    #[test]
    fn forms_and_beginnings_are_marked() {
        let texts = ["Alle Prüfungen", "Policies were tested; Auslagerungsregister <neu>"];
        let marked = |question: &str| asked(question).snippet(&texts).to_html();
        assert_eq!(marked("pruefung"), "Alle <mark>Prüfungen</mark>");
        assert_eq!(
            marked("policy testing auslagerung"),
            "<mark>Policies</mark> were <mark>tested</mark>; <mark>Auslagerungsregister</mark> &lt;neu&gt;"
        );
        assert_eq!(marked("nothing "), "Alle Prüfungen");
    }
}
