//! What all records have in common, and the ordered collection they are kept in.

use memchr::memmem::Finder;

use crate::{
    fold::fold,
    kind::Kind,
    language::{LANGUAGES, Language, Text},
};

/// One text of a record: in both languages, or with one form.
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

    /// Hands what a record rests on to `visit`.
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

    /// Hands every text besides id and title to `visit`, the most telling first.
    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>));
}

/// The records of one kind, in the order they are listed, found by id and by the words in them.
#[derive(Debug)]
pub struct Shelf<T> {
    records: Vec<T>,
    /// Positions in `records`, sorted by id.
    by_id: Vec<usize>,
    /// Everything each record says, folded, in English and in German.
    folded: [Vec<Box<str>>; 2],
}

impl<T: Record> Shelf<T> {
    pub fn new(records: Vec<T>) -> Self {
        let mut by_id: Vec<usize> = (0..records.len()).collect();
        by_id.sort_by_key(|position| records[*position].id());
        let folded = LANGUAGES.map(|language| records.iter().map(|r| folded_text(r, language)).collect());
        Self { records, by_id, folded }
    }

    pub fn get(&self, id: &str) -> Option<&T> {
        self.position(id).map(|position| &self.records[position])
    }

    /// Where the record of this id stands in the list.
    pub fn position(&self, id: &str) -> Option<usize> {
        let found = self.by_id.binary_search_by(|position| self.records[*position].id().cmp(id)).ok()?;
        self.by_id.get(found).copied()
    }

    /// The records that `keep` and, in the given language, hold every word of the needle.
    pub fn select(&self, needle: &Needle, language: Language, keep: impl Fn(&T) -> bool) -> Vec<&T> {
        let found = self.positions(needle, language, keep);
        found.into_iter().filter_map(|position| self.records.get(position)).collect()
    }

    /// Where the records that [`select`](Self::select) finds stand in the list.
    pub fn positions(&self, needle: &Needle, language: Language, keep: impl Fn(&T) -> bool) -> Vec<usize> {
        let folded = match language {
            Language::English => &self.folded[0],
            Language::German => &self.folded[1],
        };
        let kept = |position: &usize| keep(&self.records[*position]) && needle.is_in(&folded[*position]);
        (0..self.records.len()).filter(kept).collect()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.records.iter()
    }

    pub fn as_slice(&self) -> &[T] {
        &self.records
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

impl<'a, T: Record> IntoIterator for &'a Shelf<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

fn folded_text<T: Record>(record: &T, language: Language) -> Box<str> {
    let mut all = String::with_capacity(512);
    all.push_str(record.id());
    let mut add = |text: &str| {
        // A line break, so that no needle matches across two fields.
        all.push('\n');
        fold(text, &mut all);
    };
    add(record.title().get(language));
    record.wordings(&mut |wording| add(wording.get(language)));
    all.into()
}

/// The words a caller filters a list by: each must occur, anywhere, in any case, with or without accents.
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

    fn is_in(&self, folded: &str) -> bool {
        self.0.iter().all(|word| word.find(folded.as_bytes()).is_some())
    }
}
