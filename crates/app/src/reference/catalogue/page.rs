//! A cache of serialised pages of the catalogue's lists.
//!
//! The key is the query and the language. An edition never changes, so entries never become stale; the size is
//! bounded by `ROOM`, because clients can send any number of different queries.

use bytes::Bytes;
use domain::wording::Language;
use quick_cache::{Weighter, sync::Cache};

use super::Edition;
use crate::{Result, pages::Rendered};

/// The maximum size of the cache in bytes.
const ROOM: u64 = 8 * 1024 * 1024;
/// A typical page, to size the cache's tables.
const TYPICAL_PAGE: u64 = 32 * 1024;
/// Longer queries are not cached.
const LONGEST_QUESTION: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    question: Box<str>,
    language: Language,
}

#[derive(Debug, Clone)]
struct Bytesize;

impl Weighter<Key, Rendered> for Bytesize {
    fn weight(&self, key: &Key, page: &Rendered) -> u64 {
        // The constant is the size of the entry itself and the allocator's overhead.
        (key.question.len() + page.body.len() + page.etag.len() + 200) as u64
    }
}

#[derive(Debug)]
pub(super) struct KeptPages(Cache<Key, Rendered, Bytesize>);

impl Default for KeptPages {
    fn default() -> Self {
        let items = usize::try_from(ROOM / TYPICAL_PAGE).unwrap_or(usize::MAX);
        Self(Cache::with_weighter(items, ROOM, Bytesize))
    }
}

impl Edition {
    /// The page for a query that names its list, from the cache or computed. The page must depend on the query, the
    /// language and the catalogue alone.
    pub fn page(
        &self,
        question: &str,
        language: Language,
        make: impl FnOnce() -> Result<(Vec<u8>, String)>,
    ) -> Result<Rendered> {
        let key = Key { question: question.into(), language };
        if let Some(kept) = self.pages.0.get(&key) {
            return Ok(kept);
        }
        let (body, etag) = make()?;
        let page = Rendered { body: Bytes::from(body), etag: etag.into() };
        if question.len() <= LONGEST_QUESTION {
            self.pages.0.insert(key, page.clone());
        }
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use catalogue::Catalogue;

    use super::*;

    #[test]
    fn a_question_is_answered_once_and_the_room_is_bounded() {
        let edition = Edition::new(Catalogue::embedded().unwrap());
        let ask = |question: &str, language, answer: u8| {
            let page = edition.page(question, language, || Ok((vec![answer; 50_000], "\"e\"".to_owned())));
            page.unwrap().body[0]
        };
        assert_eq!((ask("a", Language::English, 1), ask("a", Language::English, 2)), (1, 1));
        assert_eq!((ask("a", Language::German, 3), ask("b", Language::English, 4)), (3, 4));
        let long = "x".repeat(LONGEST_QUESTION + 1);
        assert_eq!((ask(&long, Language::English, 5), ask(&long, Language::English, 6)), (5, 6));
        for number in 0..1000 {
            ask(&number.to_string(), Language::English, 0);
            assert!(edition.pages.0.weight() <= ROOM);
        }
    }
}
