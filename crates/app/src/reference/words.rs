//! The search tokens of a record: its words, folded so that case and accents do not matter.
//!
//! They are indexed in two ways. Words as they are, under the letter of the record's kind, for the lists of one kind.
//! And under other letters, for the search over everything: stems, prefixes (so that the engine need not collect
//! every word that begins with two typed letters), and both again for the words of the heading, where a match counts
//! more.

use std::{borrow::Cow, collections::BTreeSet};

use catalogue::search::{Asked, AskedWord, Snippet, stems_of};
use domain::{id::TenantId, words::words_of};
use store::sql::{Mark, Search, Term, Tokens};

use crate::{comment, records::KINDS};

/// The maximum number of distinct words indexed for a record.
const MAX_WORDS: usize = 4000;

/// Prefixes of these lengths are indexed. Longer ones are rare enough to be collected by the engine.
const BEGINNINGS: std::ops::RangeInclusive<usize> = 2..=6;

/// The texts of a record.
#[derive(Debug, Clone, Default)]
pub struct Texts<'r> {
    /// The texts users know it by.
    pub(crate) heading: Vec<Cow<'r, str>>,
    /// All other texts, the best for a snippet first.
    pub(crate) body: Vec<&'r str>,
}

impl Texts<'_> {
    pub(crate) fn words(&self) -> Words {
        Words::of(self.body.iter().copied()).headed(self.heading.iter().map(|text| &**text))
    }

    /// The passage that shows best why the record was found.
    pub(crate) fn snippet(&self, asked: &Asked) -> Snippet {
        let heading = self.heading.join(" – ");
        asked.snippet(&self.body.iter().copied().chain([heading.as_str()]).collect::<Vec<_>>())
    }
}

/// Distinct words, in alphabetical order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words {
    all: BTreeSet<String>,
    /// The words of the heading; they are also among all.
    heading: BTreeSet<String>,
}

impl Words {
    pub(crate) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut words = Self::default();
        for text in texts {
            add(&mut words.all, text);
        }
        words
    }

    /// Adds further texts, such as tags.
    pub(crate) fn and<'t>(mut self, texts: impl IntoIterator<Item = &'t str>) -> Self {
        for text in texts {
            add(&mut self.all, text);
        }
        self
    }

    /// Adds the texts of the heading.
    pub(crate) fn headed<'t>(mut self, texts: impl IntoIterator<Item = &'t str>) -> Self {
        for text in texts {
            add(&mut self.heading, text);
        }
        self.all.extend(self.heading.iter().cloned());
        self
    }

    /// All tokens of a record of this kind.
    pub(crate) fn tokens(&self, tenant: TenantId, kind: Kind) -> Tokens {
        let marks = Marks::of(tenant);
        Tokens::default()
            .with(&kind.mark(tenant), &self.all)
            .with(&marks.stems, stems(&self.all))
            .with(&marks.beginnings, beginnings(&self.all))
            .with(&marks.heading_stems, stems(&self.heading))
            .with(&marks.heading_beginnings, beginnings(&self.heading))
            .with(&marks.heading, &self.heading)
    }
}

fn add(words: &mut BTreeSet<String>, text: &str) {
    for word in words_of(text) {
        if words.len() < MAX_WORDS {
            words.insert(word);
        }
    }
}

fn stems(words: &BTreeSet<String>) -> BTreeSet<String> {
    words.iter().flat_map(|word| stems_of(word)).collect()
}

fn beginnings(words: &BTreeSet<String>) -> BTreeSet<&str> {
    let cut = |word| BEGINNINGS.filter_map(move |length| beginning(word, length));
    words.iter().flat_map(|word| cut(word.as_str())).collect()
}

/// The first letters of a word, if it has that many.
fn beginning(word: &str, length: usize) -> Option<&str> {
    let last = word.char_indices().nth(length - 1)?;
    word.get(..last.0 + last.1.len_utf8())
}

/// The marks of the search over everything.
struct Marks {
    stems: Mark,
    beginnings: Mark,
    heading: Mark,
    heading_stems: Mark,
    heading_beginnings: Mark,
}

impl Marks {
    fn of(tenant: TenantId) -> Self {
        let mark = |letter| Mark::new(tenant, letter);
        Self {
            stems: mark('s'),
            beginnings: mark('b'),
            heading: mark('h'),
            heading_stems: mark('k'),
            heading_beginnings: mark('i'),
        }
    }
}

/// The letter that marks the words of a kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind(char);

impl Kind {
    pub(crate) const fn new(letter: char) -> Self {
        Self(letter)
    }

    pub(crate) fn mark(self, tenant: TenantId) -> Mark {
        Mark::new(tenant, self.0)
    }
}

/// A search among the tenant's records of one kind.
pub(crate) fn search(tenant: TenantId, kind: Kind, text: &str) -> Search {
    Search::new(&kind.mark(tenant), telling(kind, &words_of(text)))
}

/// The words that distinguish records: every finding has the `F` of `F-2026-0042`, so searching for it only takes
/// time.
fn telling(kind: Kind, words: &[String]) -> &[String] {
    let is_number = |word: &String| word.chars().all(|letter| letter.is_ascii_digit());
    match (kind, words) {
        (Kind('f'), [letter, rest @ ..])
            if letter == "f" && rest.len() == 2 && rest.iter().all(is_number) =>
        {
            rest
        }
        _ => words,
    }
}

/// A search among all of the tenant's records.
#[derive(Debug)]
pub(crate) struct Everywhere {
    /// Records with every word.
    pub(crate) anywhere: Search,
    /// Those of them with every word in the heading.
    pub(crate) in_headings: Search,
}

impl Everywhere {
    pub(crate) fn of(tenant: TenantId, asked: &Asked) -> Self {
        let marks = Marks::of(tenant);
        let kinds = KINDS.iter().map(|kind| kind.words).chain([comment::WORDS]);
        let words: Vec<Mark> = kinds.map(|kind| kind.mark(tenant)).collect();
        let in_headings = Search::all(asked.words().iter().map(|word| {
            let heading = std::slice::from_ref(&marks.heading);
            alternatives(word, &marks.heading_stems, &marks.heading_beginnings, heading)
        }));
        let anywhere = Search::all(
            asked.words().iter().map(|word| alternatives(word, &marks.stems, &marks.beginnings, &words)),
        );
        Self { anywhere, in_headings }
    }
}

/// The terms that match a word: a form of it, or a word with this prefix.
fn alternatives(word: &AskedWord, stems: &Mark, beginnings: &Mark, words: &[Mark]) -> Vec<Term> {
    if !word.is_beginning {
        return word.stems.iter().map(|stem| Term::whole(stems, stem)).collect();
    }
    // Words whose stem is the typed word begin with it.
    let others = word.stems.iter().filter(|stem| **stem != word.folded);
    let mut terms: Vec<Term> = others.map(|stem| Term::whole(stems, stem)).collect();
    if BEGINNINGS.contains(&word.folded.chars().count()) {
        terms.push(Term::whole(beginnings, &word.folded));
    } else {
        terms.extend(words.iter().map(|mark| Term::beginning(mark, &word.folded)));
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_punctuation_do_not_count() {
        let words = Words::of(["Prüf-Maßnahme: F-2026-0042", "PRUF massnahme"]);
        assert_eq!(words.all.iter().collect::<Vec<_>>(), ["0042", "2026", "f", "massnahme", "pruf"]);
        assert_eq!(Words::of([" !? "]).all.len(), 0);
    }

    #[test]
    fn an_endless_word_is_cut_and_an_endless_text_ends() {
        let long = "x".repeat(1000);
        assert!(Words::of([long.as_str()]).all.first().unwrap().len() < 100);
        let many = (0..10_000).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(Words::of([many.as_str()]).all.len(), MAX_WORDS);
    }

    #[test]
    fn headings_are_part_of_the_whole() {
        let words = Words::of(["one"]).headed(["Two"]);
        assert_eq!((words.all.len(), words.heading.len()), (2, 1));
        assert_ne!(words, Words::of(["one", "two"]));
    }

    #[test]
    fn the_letter_of_a_reference_is_not_looked_for() {
        assert_eq!(telling(Kind::new('f'), &words_of("F-2026-0042")), ["2026", "0042"]);
        assert_eq!(telling(Kind::new('f'), &words_of("f 2026 tls")), ["f", "2026", "tls"]);
        assert_eq!(telling(Kind::new('t'), &words_of("F-2026-0042")), ["f", "2026", "0042"]);
    }

    #[test]
    fn beginnings_are_cut_between_letters() {
        let words = Words::of(["Ωμέγα tls x"]).all;
        assert_eq!(
            beginnings(&words).into_iter().collect::<Vec<_>>(),
            ["tl", "tls", "ωμ", "ωμε", "ωμεγ", "ωμεγα"]
        );
    }
}
