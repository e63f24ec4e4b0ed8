//! The words of one language, the records that contain them, and related words.

use std::{borrow::Cow, collections::HashMap, fmt};

use anda_db_tfs::{BM25Index, Token, TokenStream, Tokenizer};
use domain::wording::Language;

use super::{
    analysis::{Stems, each_word, spelling},
    snippet::Wants,
};
use crate::record::Record;

/// The weight of a match in the title relative to one in the text.
const TITLE: f32 = 2.5;

/// The weight of a related word relative to one typed in full.
const RELATED: f32 = 0.5;

/// Completing shorter words would match everything.
const SHORTEST_PREFIX: usize = 2;

/// The minimum length of a German word that matches as part of longer ones: at their start, at their end.
const SHORTEST_FIRST_PART: usize = 5;
const SHORTEST_LAST_PART: usize = 7;

/// The maximum number of related words; the most frequent ones are the likeliest.
const MOST_RELATED: usize = 16;

pub(super) struct Lexicon {
    language: Language,
    stems: Stems,
    /// Sorted by the word.
    entries: Vec<Entry>,
    titles: BM25Index<Terms>,
    bodies: BM25Index<Terms>,
}

#[derive(Debug)]
struct Entry {
    word: Box<str>,
    term: Box<str>,
    count: usize,
}

struct LexiconBuilder {
    lexicon: Lexicon,
    /// The position of each word in the lexicon's entries, which are not yet sorted.
    known: HashMap<Box<str>, usize>,
}

impl LexiconBuilder {
    fn new(language: Language) -> Self {
        let engine = |field: &str| BM25Index::new(field.to_owned(), Terms, None);
        let stems = Stems::of(language);
        let (titles, bodies) = (engine("titles"), engine("bodies"));
        Self {
            lexicon: Lexicon { language, stems, entries: Vec::new(), titles, bodies },
            known: HashMap::new(),
        }
    }

    fn add(&mut self, document: usize, record: &dyn Record) {
        let language = self.lexicon.language;
        let mut title = String::new();
        self.add_terms(record.title().get(language), &mut title);
        let mut body = String::new();
        record.wordings(&mut |wording| self.add_terms(wording.get(language), &mut body));
        // The only errors are an empty text and a document added twice: neither adds anything to find.
        let _ = self.lexicon.titles.insert(document as u64, &title, 0);
        let _ = self.lexicon.bodies.insert(document as u64, &body, 0);
    }

    fn add_terms(&mut self, text: &str, terms: &mut String) {
        each_word(text, |_, folded| {
            let word = self.lexicon.spelling(folded);
            let position = self.known.get(&*word).copied().unwrap_or_else(|| self.learn(&word));
            let entry = &mut self.lexicon.entries[position];
            entry.count += 1;
            terms.push_str(&entry.term);
            terms.push(' ');
        });
    }

    fn learn(&mut self, word: &str) -> usize {
        let term = term_of(&self.lexicon.stems.stem(word));
        let position = self.lexicon.entries.len();
        self.lexicon.entries.push(Entry { word: word.into(), term: term.into(), count: 0 });
        self.known.insert(word.into(), position);
        position
    }

    fn finish(mut self) -> Lexicon {
        self.lexicon.entries.sort_by(|a, b| a.word.cmp(&b.word));
        self.lexicon
    }
}

impl Lexicon {
    /// The lexicon of a language; the first record is document 0.
    pub(super) fn build<'c>(language: Language, records: impl Iterator<Item = &'c dyn Record>) -> Self {
        let mut builder = LexiconBuilder::new(language);
        for (document, record) in records.enumerate() {
            builder.add(document, record);
        }
        builder.finish()
    }

    fn spelling<'w>(&self, folded: &'w str) -> Cow<'w, str> {
        spelling(self.language, folded)
    }

    /// Calls `add` with each document that contains the word or a related one, and its score.
    pub(super) fn score(&self, word: &str, open: bool, add: &mut impl FnMut(usize, f32)) {
        let word = &*self.spelling(word);
        let typed = term_of(&self.stems.stem(word));
        self.score_terms(&typed, 1.0, add);
        let related = self.related(word, &typed, open);
        if !related.is_empty() {
            self.score_terms(&related.join(" "), RELATED, add);
        }
    }

    fn score_terms(&self, terms: &str, factor: f32, add: &mut impl FnMut(usize, f32)) {
        for (engine, weight) in [(&self.titles, TITLE), (&self.bodies, 1.0)] {
            for (document, score) in engine.search(terms, usize::MAX, None) {
                if let Ok(document) = usize::try_from(document) {
                    add(document, score * weight * factor);
                }
            }
        }
    }

    /// The terms of words that complete an open word, or contain the word as a part.
    fn related(&self, word: &str, typed: &str, open: bool) -> Vec<&str> {
        let mut found: Vec<&Entry> = Vec::new();
        let compounds = self.language == Language::German;
        let letters = word.chars().count();
        if (open && letters >= SHORTEST_PREFIX) || (compounds && letters >= SHORTEST_FIRST_PART) {
            let first = self.entries.partition_point(|entry| *entry.word < *word);
            found.extend(self.entries[first..].iter().take_while(|entry| entry.word.starts_with(word)));
        }
        if compounds && typed.chars().count() >= SHORTEST_LAST_PART {
            found.extend(self.entries.iter().filter(|entry| entry.term.ends_with(typed)));
        }
        found.sort_by_key(|entry| std::cmp::Reverse(entry.count));
        let mut terms: Vec<&str> = Vec::new();
        for entry in found {
            if *entry.term != *typed && !terms.contains(&&*entry.term) {
                terms.push(&entry.term);
            }
        }
        terms.truncate(MOST_RELATED);
        terms
    }

    /// The words of a query, for marking them in texts. Very common words are left out if the query has others.
    pub(super) fn wanted(&self, words: &[String], open: bool) -> Wanted<'_> {
        let mut rare = Vec::new();
        let mut common = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let word = &*self.spelling(word);
            let typed = term_of(&self.stems.stem(word));
            let related = self.related(word, &typed, open && index + 1 == words.len());
            // A word that occurs in every other record does not help to choose a passage.
            let is_common = self.entry(word).is_some_and(|entry| entry.count > self.titles.len() / 2);
            let terms = if is_common { &mut common } else { &mut rare };
            terms.extend(related.into_iter().map(Box::from));
            terms.push(typed.into_boxed_str());
        }
        let terms = if rare.is_empty() { common } else { rare };
        let initials =
            terms.iter().filter_map(|term| term.trim_start_matches(SINGLE).chars().next()).collect();
        Wanted { lexicon: self, terms, initials, words: words.len() }
    }

    fn entry(&self, word: &str) -> Option<&Entry> {
        let position = self.entries.binary_search_by(|entry| (*entry.word).cmp(word)).ok()?;
        self.entries.get(position)
    }
}

/// The terms of a query.
#[derive(Debug)]
pub(super) struct Wanted<'l> {
    lexicon: &'l Lexicon,
    terms: Vec<Box<str>>,
    /// The first letters of the terms. Stems keep the first letter, so most words need no lookup.
    initials: Vec<char>,
    /// The number of words in the query.
    words: usize,
}

impl Wanted<'_> {
    pub(super) fn language(&self) -> Language {
        self.lexicon.language
    }
}

impl Wants for Wanted<'_> {
    fn wants(&self, folded: &str) -> bool {
        let likely = folded.chars().next().is_some_and(|first| self.initials.contains(&first));
        likely
            && self
                .lexicon
                .entry(&self.lexicon.spelling(folded))
                .is_some_and(|entry| self.terms.contains(&entry.term))
    }

    fn enough(&self) -> usize {
        self.words
    }
}

impl fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lexicon")
            .field("language", &self.language)
            .field("words", &self.entries.len())
            .finish_non_exhaustive()
    }
}

/// The engines' term for a stem. They drop terms of one byte, but `5` in `Art. 5` matters here.
fn term_of(stem: &str) -> String {
    if stem.len() > 1 { stem.to_owned() } else { format!("{SINGLE}{stem}") }
}

const SINGLE: char = '_';

/// Passes the terms of an already analysed text to an engine.
#[derive(Clone)]
struct Terms;

struct TermStream<'a> {
    rest: std::str::SplitAsciiWhitespace<'a>,
    token: Token,
}

impl Tokenizer for Terms {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        TermStream { rest: text.split_ascii_whitespace(), token: Token::default() }
    }
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(term) = self.rest.next() else { return false };
        self.token.text.clear();
        self.token.text.push_str(term);
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
