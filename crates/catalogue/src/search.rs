//! Full-text search over every record: German and English, without regard to case and accents, by stem, with the last
//! word completed while typing, best match first.
//!
//! Stems come from `frostem` (the Snowball algorithms, generated again with every change upstream; tantivy uses it too).
//! Postings and BM25 scores for a few thousand short records are a hundred lines of `postings`; compared in November 2026:
//!
//! - `tantivy`, the first choice for large indexes, costs about two further minutes of processor time in every
//!   cold build, a sixth of what the whole product may take, and brings threads and a file abstraction that a
//!   megabyte of text has no use for.
//! - `probly-search` completes words, but has had no release since July 2024 and counts a document once per
//!   occurrence of a word, which spoils its ranking; `bm25` rests on the unmaintained `fxhash`; `indicium`
//!   does not rank; `elasticlunr-rs` only writes indexes for a browser to read.
//! - SQLite's FTS5 would do, but database drivers are only allowed in `store`, and its stemmer has no German.
//!
//! Tenant records are searched by the database.

mod analysis;
mod asked;
mod lexicon;
mod number;
mod postings;
mod snippet;

use std::{panic, thread};

use domain::{fold::fold, wording::Language, words::words_of};

pub use self::{
    asked::{Asked, AskedWord, stems_of},
    snippet::Snippet,
};
use self::{
    lexicon::{Lexicon, QueryStems},
    number::Numbers,
};
use crate::{
    Catalogue,
    kind::Kind,
    language::LANGUAGES,
    record::{Record, Wording},
};

/// Further words of a query are ignored.
const MOST_WORDS: usize = 16;

/// A match in the other language counts a little less.
const OTHER_LANGUAGE: f32 = 0.8;

/// A record must match at least this share of the query's weight; rare words weigh more.
const LEAST_COVERAGE: f32 = 0.5;

/// The score at which a match is half as good as the best possible one.
const MIDDLING_SCORE: f32 = 8.0;

/// The full-text index.
#[derive(Debug)]
pub struct SearchIndex {
    /// The record of each document.
    documents: Vec<(Kind, usize)>,
    /// In the order of [`LANGUAGES`].
    lexicons: [Lexicon; 2],
    numbers: Numbers,
}

/// A search query.
#[derive(Debug, Clone)]
pub struct Query {
    words: Vec<String>,
    /// The last word may be incomplete: nothing was typed after it.
    open: bool,
    number: String,
    language: Language,
}

impl Query {
    pub fn new(text: &str, language: Language) -> Self {
        let mut words = words_of(text);
        words.truncate(MOST_WORDS);
        let mut folded = String::new();
        fold(text, &mut folded);
        let open = folded.chars().next_back().is_some_and(char::is_alphanumeric);
        Self { words, open, number: number::squeeze(text), language }
    }

    /// Each word, with whether it may be incomplete.
    fn each_word(&self) -> impl Iterator<Item = (&str, bool)> {
        let last = self.words.len().saturating_sub(1);
        self.words.iter().enumerate().map(move |(index, word)| (word.as_str(), self.open && index == last))
    }
}

/// A record that matches a query.
#[derive(Clone, Copy)]
pub struct Match<'c> {
    pub record: &'c dyn Record,
    /// Above 0 and below 1; the higher, the better.
    pub score: f32,
    /// Whether an institution added the record for itself.
    pub is_own: bool,
}

/// How often the words of a query occur in an index.
#[derive(Debug, Default)]
struct Census {
    records: usize,
    /// For each word, the records with it.
    hits: Vec<usize>,
}

impl Catalogue {
    /// Every match, best first: records of the catalogue, whose scores do not depend on an institution, and the
    /// institution's own requirements.
    pub fn find(&self, query: &Query) -> Vec<Match<'_>> {
        let index = self.search();
        let mut matches = index.find(self, query);
        if let Some(own) = self.own_search() {
            matches.extend(own.find_beside(index, self, query));
            matches.sort_by(|a, b| b.score.total_cmp(&a.score));
        }
        matches
    }
}

/// A searchable record, with its kind and its position within its kind.
pub(crate) type Document<'c> = (Kind, usize, &'c dyn Record);

impl SearchIndex {
    /// The index of these records, which are read several times, and of the official wording of requirements: `laws`
    /// passes it with the position of each requirement.
    pub(crate) fn build<'c, R: Iterator<Item = Document<'c>>>(
        records: impl Fn() -> R + Sync,
        laws: impl Fn(Language, &mut dyn FnMut(usize, &str)) + Sync,
    ) -> Self {
        let mut documents = Vec::new();
        let mut numbers = Numbers::default();
        for (kind, position, record) in records() {
            let document = documents.len();
            documents.push((kind, position));
            numbers.add(document, record.id());
            if let Some(number) = record.number() {
                numbers.add(document, number);
            }
        }
        numbers.sort();
        let first = documents.iter().position(|(kind, _)| *kind == Kind::Requirement).unwrap_or_default();
        let laws = |language: Language, visit: &mut dyn FnMut(usize, &str)| {
            laws(language, &mut |position, text| visit(first + position, text));
        };
        let lexicon = |language| Lexicon::build(language, records().map(|(_, _, record)| record), &laws);
        let lexicons = thread::scope(|scope| {
            let german = scope.spawn(|| lexicon(Language::German));
            let english = lexicon(Language::English);
            [english, german.join().unwrap_or_else(|cause| panic::resume_unwind(cause))]
        });
        Self { documents, lexicons, numbers }
    }

    /// Every match, best first.
    fn find<'c>(&self, catalogue: &'c Catalogue, query: &Query) -> Vec<Match<'c>> {
        self.matches(catalogue, self.scores(query, &Census::default()))
    }

    /// Every match of this small index, best first. How rare a word is follows from both indexes together, so that
    /// the scores can be compared with those of the other one.
    fn find_beside<'c>(&self, other: &Self, catalogue: &'c Catalogue, query: &Query) -> Vec<Match<'c>> {
        self.matches(catalogue, self.scores(query, &other.census(query)))
    }

    fn matches<'c>(&self, catalogue: &'c Catalogue, mut matches: Vec<(usize, f32)>) -> Vec<Match<'c>> {
        matches.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let found = |(document, score): (usize, f32)| {
            let (kind, position) = *self.documents.get(document)?;
            let record = catalogue.record(kind, position)?;
            Some(Match { record, score: graded(score), is_own: catalogue.is_added(kind, position) })
        };
        matches.into_iter().filter_map(found).collect()
    }

    /// In how many records each word of the query occurs.
    fn census(&self, query: &Query) -> Census {
        let hits = query.each_word().map(|(word, open)| {
            let scores = self.scores_of_word(word, open, query.language);
            scores.into_iter().filter(|score| *score > 0.0).count()
        });
        Census { records: self.documents.len(), hits: hits.collect() }
    }

    fn scores(&self, query: &Query, elsewhere: &Census) -> Vec<(usize, f32)> {
        let count = self.documents.len();
        let count_of_all = count + elsewhere.records;
        let mut score = vec![0.0_f32; count];
        let mut covered = vec![0.0_f32; count];
        let mut weight_of_all = 0.0;
        for (index, (word, open)) in query.each_word().enumerate() {
            let scores = self.scores_of_word(word, open, query.language);
            let hits = scores.iter().filter(|score| **score > 0.0).count();
            let hits_of_all = hits + elsewhere.hits.get(index).copied().unwrap_or_default();
            if hits_of_all == 0 {
                continue;
            }
            let weight = rarity(count_of_all, hits_of_all);
            weight_of_all += weight;
            let scale = if elsewhere.records == 0 {
                1.0
            } else {
                frequency_weight(count_of_all, hits_of_all) / frequency_weight(count, hits)
            };
            for (document, word_score) in scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0) {
                score[document] += word_score * scale;
                covered[document] += weight;
            }
        }
        for (document, bonus) in self.numbers.find(&query.number) {
            score[document] += bonus;
            covered[document] = weight_of_all;
        }
        let share =
            |document: usize| if weight_of_all > 0.0 { covered[document] / weight_of_all } else { 1.0 };
        let kept = |(document, score): (usize, f32)| {
            let share = share(document);
            (score > 0.0 && share >= LEAST_COVERAGE).then_some((document, score * share))
        };
        score.iter().copied().enumerate().filter_map(kept).collect()
    }

    /// The better of the two languages for each document.
    fn scores_of_word(&self, word: &str, open: bool, language: Language) -> Vec<f32> {
        let mut best = vec![0.0_f32; self.documents.len()];
        for (lexicon, own) in self.lexicons.iter().zip(LANGUAGES) {
            let factor = if own == language { 1.0 } else { OTHER_LANGUAGE };
            lexicon.score(word, open, &mut |document, score| {
                if let Some(best) = best.get_mut(document) {
                    *best = best.max(score * factor);
                }
            });
        }
        best
    }

    /// Creates a marker, which cuts the passages that show why records match.
    pub fn marker(&self, query: &Query) -> Marker<'_> {
        let mut wanted = self.lexicons.each_ref().map(|lexicon| lexicon.wanted(&query.words, query.open));
        wanted.sort_by_key(|wanted| wanted.language() != query.language);
        Marker(wanted)
    }
}

/// Cuts passages for one query.
#[derive(Debug)]
pub struct Marker<'i>([QueryStems<'i>; 2]);

impl Marker<'_> {
    /// The passage of the record that shows best why it matches, in the reader's language if there is one; of a
    /// requirement that matches by its official wording alone, a passage of that. Its language is returned too, because
    /// a page has to declare it where it differs from its own.
    pub fn snippet(&self, catalogue: &Catalogue, record: &dyn Record) -> (Snippet, Language) {
        let [own, other] = &self.0;
        let passage = snippet_in(own, record);
        if passage.marks.is_empty() {
            let foreign = snippet_in(other, record);
            if !foreign.marks.is_empty() {
                return (foreign, other.language());
            }
            if let Some(official) = self.official(catalogue, record) {
                return official;
            }
        }
        (passage, own.language())
    }

    fn official(&self, catalogue: &Catalogue, record: &dyn Record) -> Option<(Snippet, Language)> {
        let requirement =
            catalogue.requirements.get(record.id()).filter(|_| record.kind() == Kind::Requirement)?;
        let wordings = catalogue.official_wording(requirement);
        self.0.iter().find_map(|wanted| {
            let wording = wordings.iter().find(|wording| wording.language == wanted.language())?;
            let snippet = Snippet::best(&[&*wording.text], wanted);
            (!snippet.marks.is_empty()).then(|| (snippet, wanted.language()))
        })
    }
}

fn snippet_in(wanted: &QueryStems<'_>, record: &dyn Record) -> Snippet {
    let language = wanted.language();
    // Numbers and citations are less useful in a snippet, and the title is shown anyway.
    let (mut prose, mut formal) = (Vec::new(), Vec::new());
    record.wordings(&mut |wording| match wording {
        Wording::Both(text) => prose.push(text.get(language)),
        Wording::One(text) => formal.push(text),
    });
    prose.push(record.title().get(language));
    let snippet = Snippet::best(&prose, wanted);
    if !snippet.marks.is_empty() {
        return snippet;
    }
    let formal = Snippet::best(&formal, wanted);
    if formal.marks.is_empty() { snippet } else { formal }
}

impl std::fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("Match");
        debug.field("kind", &self.record.kind()).field("id", &self.record.id());
        debug.field("score", &self.score).finish()
    }
}

/// The displayed score, which maps an unbounded score to below 1.
pub fn graded(score: f32) -> f32 {
    score / (score + MIDDLING_SCORE)
}

/// The factor of a word in a BM25 score, in an index of this size.
#[expect(clippy::cast_precision_loss, reason = "a few thousand documents are exact in 32 bits")]
fn frequency_weight(documents: usize, hits: usize) -> f32 {
    let (documents, hits) = (documents as f32, hits as f32);
    ((documents - hits + 0.5) / (hits + 0.5)).ln_1p()
}

/// The weight of a word: the fewer documents contain it, the higher.
#[expect(clippy::cast_precision_loss, reason = "a few thousand documents are exact in 32 bits")]
fn rarity(documents: usize, hits: usize) -> f32 {
    (1.0 + documents as f32 / hits as f32).ln()
}
