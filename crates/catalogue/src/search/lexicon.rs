//! The words of one language, the records that contain them, and related words.

use std::{borrow::Cow, collections::HashMap, fmt};

use domain::{wording::Language, words::each_word};

use super::{
    analysis::{Stems, spelling},
    postings::{Postings, Term},
    snippet::Wants,
};
use crate::record::Record;

/// The weight of a match in the title relative to one in the text.
const TITLE: f32 = 2.5;

/// The weight of a match in the official wording relative to one in the text.
const LAW: f32 = 0.4;

/// The weight of a related word relative to one typed in full.
const RELATED: f32 = 0.5;

/// Completing shorter words would match everything.
const SHORTEST_PREFIX: usize = 2;

/// The minimum length of a German word that matches as part of longer ones: at their start, at their end.
const SHORTEST_FIRST_PART: usize = 5;
const SHORTEST_LAST_PART: usize = 7;

/// The maximum number of related words; the most frequent ones are the likeliest.
const MOST_RELATED: usize = 16;

/// Passes the official wording of documents in a language to a function, each with the number of its document.
pub(super) type Laws<'l> = dyn Fn(Language, &mut dyn FnMut(usize, &str)) + Sync + 'l;

pub(super) struct Lexicon {
    language: Language,
    stems: Stems,
    /// Sorted by the word.
    entries: Vec<Entry>,
    terms: HashMap<Box<str>, Term>,
    titles: Postings,
    bodies: Postings,
    laws: Postings,
}

#[derive(Debug)]
struct Entry {
    word: Box<str>,
    stem: Box<str>,
    term: Term,
    count: usize,
}

struct LexiconBuilder {
    lexicon: Lexicon,
    /// The position of each word in the lexicon's entries, which are not yet sorted.
    known: HashMap<Box<str>, usize>,
}

impl LexiconBuilder {
    fn new(language: Language) -> Self {
        let lexicon = Lexicon {
            language,
            stems: Stems::of(language),
            entries: Vec::new(),
            terms: HashMap::new(),
            titles: Postings::default(),
            bodies: Postings::default(),
            laws: Postings::default(),
        };
        Self { lexicon, known: HashMap::new() }
    }

    fn add(&mut self, record: &dyn Record) {
        let language = self.lexicon.language;
        let (mut title, mut body) = (Vec::new(), Vec::new());
        self.add_terms(record.title().get(language), &mut title, 1);
        record.wordings(&mut |wording| self.add_terms(wording.get(language), &mut body, 1));
        self.lexicon.titles.add(title);
        self.lexicon.bodies.add(body);
    }

    /// Adds the official wording of documents. Its words count nothing when the likeliest related words are chosen, so
    /// that the records themselves decide.
    fn add_laws(&mut self, documents: usize, laws: &Laws<'_>) {
        let mut terms: Vec<Vec<Term>> = vec![Vec::new(); documents];
        laws(self.lexicon.language, &mut |document, text| {
            if let Some(terms) = terms.get_mut(document) {
                self.add_terms(text, terms, 0);
            }
        });
        for terms in terms {
            self.lexicon.laws.add(terms);
        }
    }

    fn add_terms(&mut self, text: &str, terms: &mut Vec<Term>, count: usize) {
        each_word(text, |_, folded| {
            let word = self.lexicon.spelling(folded);
            let position = self.known.get(&*word).copied().unwrap_or_else(|| self.learn(&word));
            let entry = &mut self.lexicon.entries[position];
            entry.count += count;
            terms.push(entry.term);
        });
    }

    fn learn(&mut self, word: &str) -> usize {
        let stem: Box<str> = self.lexicon.stems.stem(word).into();
        let next = Term::try_from(self.lexicon.terms.len()).unwrap_or(Term::MAX);
        let term = *self.lexicon.terms.entry(stem.clone()).or_insert(next);
        let position = self.lexicon.entries.len();
        self.lexicon.entries.push(Entry { word: word.into(), stem, term, count: 0 });
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
    pub(super) fn build<'c>(
        language: Language,
        records: impl Iterator<Item = &'c dyn Record>,
        laws: &Laws<'_>,
    ) -> Self {
        let mut builder = LexiconBuilder::new(language);
        let mut documents = 0;
        for record in records {
            builder.add(record);
            documents += 1;
        }
        builder.add_laws(documents, laws);
        builder.finish()
    }

    fn spelling<'w>(&self, folded: &'w str) -> Cow<'w, str> {
        spelling(self.language, folded)
    }

    /// Calls `add` with each document that contains the word or a related one, and its score.
    pub(super) fn score(&self, word: &str, open: bool, add: &mut impl FnMut(usize, f32)) {
        let word = &*self.spelling(word);
        let typed = self.stems.stem(word);
        if let Some(term) = self.terms.get(&*typed) {
            self.score_terms(&[*term], 1.0, add);
        }
        let related: Vec<Term> = self.related(word, &typed, open).iter().map(|entry| entry.term).collect();
        self.score_terms(&related, RELATED, add);
    }

    fn score_terms(&self, terms: &[Term], factor: f32, add: &mut impl FnMut(usize, f32)) {
        if terms.is_empty() {
            return;
        }
        for (field, weight) in [(&self.titles, TITLE), (&self.bodies, 1.0), (&self.laws, LAW)] {
            field.score(terms, |document, score| add(document, score * weight * factor));
        }
    }

    /// Words that complete an open word, or contain the word as a part; one for each of their stems.
    fn related(&self, word: &str, typed: &str, open: bool) -> Vec<&Entry> {
        let mut found: Vec<&Entry> = Vec::new();
        let compounds = self.language == Language::German;
        let letters = word.chars().count();
        if (open && letters >= SHORTEST_PREFIX) || (compounds && letters >= SHORTEST_FIRST_PART) {
            let first = self.entries.partition_point(|entry| *entry.word < *word);
            found.extend(self.entries[first..].iter().take_while(|entry| entry.word.starts_with(word)));
        }
        if compounds && typed.chars().count() >= SHORTEST_LAST_PART {
            found.extend(self.entries.iter().filter(|entry| entry.stem.ends_with(typed)));
        }
        found.sort_by_key(|entry| std::cmp::Reverse(entry.count));
        let mut related: Vec<&Entry> = Vec::new();
        for entry in found {
            if *entry.stem != *typed && !related.iter().any(|known| known.term == entry.term) {
                related.push(entry);
            }
        }
        related.truncate(MOST_RELATED);
        related
    }

    /// The words of a query, for marking them in texts. Very common words are left out if the query has others.
    pub(super) fn wanted(&self, words: &[String], open: bool) -> QueryStems<'_> {
        let mut rare = Vec::new();
        let mut common = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let word = &*self.spelling(word);
            let typed = self.stems.stem(word);
            let related = self.related(word, &typed, open && index + 1 == words.len());
            // A word that occurs in every other record does not help to choose a passage.
            let is_common = self.entry(word).is_some_and(|entry| entry.count > self.titles.documents() / 2);
            let stems = if is_common { &mut common } else { &mut rare };
            stems.extend(related.into_iter().map(|entry| entry.stem.clone()));
            stems.push(typed.into());
        }
        let stems: Vec<Box<str>> = if rare.is_empty() { common } else { rare };
        let initials = stems.iter().filter_map(|stem| stem.chars().next()).collect();
        QueryStems { lexicon: self, stems, initials, words: words.len() }
    }

    fn entry(&self, word: &str) -> Option<&Entry> {
        let position = self.entries.binary_search_by(|entry| (*entry.word).cmp(word)).ok()?;
        self.entries.get(position)
    }
}

/// The stems of a query.
#[derive(Debug)]
pub(super) struct QueryStems<'l> {
    lexicon: &'l Lexicon,
    stems: Vec<Box<str>>,
    /// The first letters of the stems. Stems keep the first letter, so most words need no lookup.
    initials: Vec<char>,
    /// The number of words in the query.
    words: usize,
}

impl QueryStems<'_> {
    pub(super) fn language(&self) -> Language {
        self.lexicon.language
    }
}

impl Wants for QueryStems<'_> {
    fn wants(&self, folded: &str) -> bool {
        let likely = folded.chars().next().is_some_and(|first| self.initials.contains(&first));
        likely
            && self
                .lexicon
                .entry(&self.lexicon.spelling(folded))
                .is_some_and(|entry| self.stems.contains(&entry.stem))
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
