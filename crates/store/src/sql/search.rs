//! A question to the full-text index, in the words of either engine.
//!
//! Words come folded (see `domain::words`) and are marked with the tenant and the kind of record, so that one
//! tenant's search never walks through another's postings. The rows found are still checked against the tenant.

use std::fmt::Write as _;

use domain::id::TenantId;

/// Words shorter than this must match whole: their beginnings are everywhere. So must numbers, such as the year of a
/// reference, which begins half the words of a tenant. The last word may still be being typed.
const SHORTEST_PREFIX: usize = 2;
/// More words in a question than this only make it slower.
const MAX_WORDS: usize = 12;

/// What marks the words of one tenant's records of one kind: enough of the id to keep tenants apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark(String);

impl Mark {
    #[must_use]
    pub fn new(tenant: TenantId, kind: char) -> Self {
        let id = tenant.to_string();
        Self(format!("{}{kind}", &id[id.len() - 8..]))
    }

    /// The words as the index keeps them.
    pub(crate) fn tokens<'w>(&self, words: impl Iterator<Item = &'w str>) -> String {
        words.fold(String::new(), |mut tokens, word| {
            let separator = if tokens.is_empty() { "" } else { " " };
            // Writing to a String cannot fail.
            let _ = write!(tokens, "{separator}{}{word}", self.0);
            tokens
        })
    }
}

/// All of these words, each as the beginning of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    terms: Vec<String>,
}

impl Search {
    #[must_use]
    pub fn new(mark: &Mark, words: &[String]) -> Self {
        let words = &words[..words.len().min(MAX_WORDS)];
        let term = |(place, word): (usize, &String)| {
            let is_number = word.chars().all(|letter| letter.is_ascii_digit());
            let is_long = word.chars().count() >= SHORTEST_PREFIX;
            let is_prefix = place + 1 == words.len() || (is_long && !is_number);
            format!("{}{word}{}", mark.0, if is_prefix { "*" } else { "" })
        };
        Self { terms: words.iter().enumerate().map(term).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// For FTS5: `"abc"* AND "de"`. Words hold letters and digits only, so the quotes cannot be left.
    pub(super) fn fts5(&self) -> String {
        self.joined(" AND ", |word, prefix| format!("\"{word}\"{}", if prefix { "*" } else { "" }))
    }

    /// For PostgreSQL: `'abc':* & 'de'`.
    pub(super) fn tsquery(&self) -> String {
        self.joined(" & ", |word, prefix| format!("'{word}'{}", if prefix { ":*" } else { "" }))
    }

    fn joined(&self, with: &str, term: impl Fn(&str, bool) -> String) -> String {
        let terms = self.terms.iter().map(|text| {
            let word = text.strip_suffix('*');
            term(word.unwrap_or(text), word.is_some())
        });
        terms.collect::<Vec<_>>().join(with)
    }
}

#[cfg(test)]
mod tests {
    use domain::id::Uuid7;

    use super::*;

    #[test]
    fn a_question_is_said_in_the_words_of_each_engine() {
        let mark = Mark::new(TenantId::from(Uuid7::from_parts(1, 2)), 'f');
        let search = Search::new(&mark, &["2026", "tls", "1"].map(String::from));
        assert_eq!(search.fts5(), r#""00000002f2026" AND "00000002ftls"* AND "00000002f1"*"#);
        assert_eq!(search.tsquery(), "'00000002f2026' & '00000002ftls':* & '00000002f1':*");
        assert!(Search::new(&mark, &[]).is_empty());
    }
}
