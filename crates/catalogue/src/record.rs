//! The interface of all records, and their ordered collection.

use std::{
    iter::Chain,
    slice,
    sync::{Arc, OnceLock},
};

use domain::fold::fold;
use memchr::memmem::Finder;

use crate::{
    kind::Kind,
    language::{Language, Text},
};

/// One text of a record: in both languages, or language-neutral.
#[derive(Debug, Clone, Copy)]
pub enum Wording<'a> {
    Both(&'a Text),
    One(&'a str),
}

impl<'a> Wording<'a> {
    pub fn get(self, language: Language) -> &'a str {
        match self {
            Self::Both(text) => text.get(language),
            Self::One(text) => text,
        }
    }

    /// Passes the sources of a record to `visit`.
    pub(crate) fn of_source(cite: &'a str, source: Option<&'a str>, visit: &mut dyn FnMut(Self)) {
        visit(Self::One(cite));
        if let Some(source) = source {
            visit(Self::One(source));
        }
    }
}

/// A record of the catalogue.
pub trait Record {
    fn kind(&self) -> Kind;

    fn id(&self) -> &str;

    fn title(&self) -> &Text;

    /// The number it is cited by, where it has one.
    fn number(&self) -> Option<&str> {
        None
    }

    /// Passes every text besides id and title to `visit`, the most relevant first.
    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>));
}

/// The records of one kind, in the order they are listed, found by id and by the words in them.
///
/// Records that an institution adds for itself stand behind those of the catalogue, which all shelves share.
#[derive(Debug)]
pub struct Shelf<T> {
    base: Arc<Part<T>>,
    own: Part<T>,
}

#[derive(Debug)]
struct Part<T> {
    records: Vec<T>,
    /// Positions in `records`, sorted by id.
    by_id: Vec<usize>,
    /// All texts of each record, folded, in English and in German. Most processes never search a list by its words, so
    /// they are folded when one first does.
    folded: [OnceLock<Vec<Box<str>>>; 2],
}

impl<T: Record> Part<T> {
    fn new(records: Vec<T>) -> Self {
        let mut by_id: Vec<usize> = (0..records.len()).collect();
        by_id.sort_by_key(|position| records[*position].id());
        Self { records, by_id, folded: Default::default() }
    }

    fn folded(&self, language: Language) -> &[Box<str>] {
        let [english, german] = &self.folded;
        let kept = match language {
            Language::English => english,
            Language::German => german,
        };
        kept.get_or_init(|| self.records.iter().map(|record| folded_text(record, language)).collect())
    }

    fn position(&self, id: &str) -> Option<usize> {
        let found = self.by_id.binary_search_by(|position| self.records[*position].id().cmp(id)).ok()?;
        self.by_id.get(found).copied()
    }

    fn positions<'p>(
        &'p self,
        needle: &'p Needle,
        language: Language,
        keep: &'p impl Fn(&T) -> bool,
    ) -> impl Iterator<Item = usize> + 'p {
        let folded = (!needle.is_empty()).then(|| self.folded(language));
        let has_words = move |position: usize| folded.is_none_or(|folded| needle.is_in(&folded[position]));
        let kept = move |position: &usize| keep(&self.records[*position]) && has_words(*position);
        (0..self.records.len()).filter(kept)
    }
}

impl<T: Record> Shelf<T> {
    pub fn new(records: Vec<T>) -> Self {
        Self { base: Arc::new(Part::new(records)), own: Part::new(Vec::new()) }
    }

    /// The same records of the catalogue, with these behind them.
    pub(crate) fn with(&self, own: Vec<T>) -> Self {
        Self { base: Arc::clone(&self.base), own: Part::new(own) }
    }

    pub fn get(&self, id: &str) -> Option<&T> {
        self.position(id).and_then(|position| self.at(position))
    }

    /// The record at this place of the list.
    pub fn at(&self, position: usize) -> Option<&T> {
        match position.checked_sub(self.base.records.len()) {
            None => self.base.records.get(position),
            Some(position) => self.own.records.get(position),
        }
    }

    /// The position of the record with this id.
    pub fn position(&self, id: &str) -> Option<usize> {
        let own = || self.own.position(id).map(|position| self.base.records.len() + position);
        self.base.position(id).or_else(own)
    }

    /// The records that pass `keep` and contain, in the given language, every word of the needle.
    pub fn select(&self, needle: &Needle, language: Language, keep: impl Fn(&T) -> bool) -> Vec<&T> {
        let found = self.positions(needle, language, keep);
        found.into_iter().filter_map(|position| self.at(position)).collect()
    }

    /// The positions of the records that [`select`](Self::select) finds.
    pub fn positions(&self, needle: &Needle, language: Language, keep: impl Fn(&T) -> bool) -> Vec<usize> {
        let own = self.own.positions(needle, language, &keep);
        let own = own.map(|position| self.base.records.len() + position);
        self.base.positions(needle, language, &keep).chain(own).collect()
    }

    pub fn iter(&self) -> Iter<'_, T> {
        self.base.records.iter().chain(self.own.records.iter())
    }

    /// The records of the catalogue, without what an institution added.
    pub fn as_slice(&self) -> &[T] {
        &self.base.records
    }

    pub fn len(&self) -> usize {
        self.base.records.len() + self.own.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Every record of a shelf, in order.
pub type Iter<'a, T> = Chain<slice::Iter<'a, T>, slice::Iter<'a, T>>;

impl<'a, T: Record> IntoIterator for &'a Shelf<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

fn folded_text<T: Record>(record: &T, language: Language) -> Box<str> {
    let mut all = String::with_capacity(512);
    all.push_str(record.id());
    let mut add = |text: &str| {
        // A line break, so that no match crosses two fields.
        all.push('\n');
        fold(text, &mut all);
    };
    add(record.title().get(language));
    record.wordings(&mut |wording| add(wording.get(language)));
    all.into()
}

/// The words of a list filter: each must occur, anywhere, in any case, with or without accents.
#[derive(Debug, Default)]
pub struct Needle(Vec<Finder<'static>>);

impl Needle {
    pub fn new(words: &str) -> Self {
        let mut folded = String::new();
        fold(words, &mut folded);
        Self(folded.split_whitespace().map(|word| Finder::new(word).into_owned()).collect())
    }

    /// Whether every word occurs in one of the texts.
    pub fn is_in_any(&self, texts: &[&str]) -> bool {
        let mut folded = String::new();
        for text in texts {
            fold(text, &mut folded);
            folded.push('\n');
        }
        self.is_in(&folded)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn is_in(&self, folded: &str) -> bool {
        self.0.iter().all(|word| word.find(folded.as_bytes()).is_some())
    }
}
