//! A full-text query, for either engine.
//!
//! Words are folded and prefixed with a mark of the tenant and of their meaning (the kind of record, a heading, a
//! stem), so that a search never reads another tenant's postings. The rows found are still checked against the
//! tenant.

use std::fmt::Write as _;

use domain::id::TenantId;

/// Words shorter than this must match exactly: as prefixes they match too much. So must numbers, such as the year of
/// a reference, which would match half the words of a tenant. The last word may be incomplete.
const SHORTEST_PREFIX: usize = 2;
/// Further words of a query are ignored.
const MAX_WORDS: usize = 12;

/// The prefix of tokens of one tenant and meaning: a short form of the tenant's id, and a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark(String);

impl Mark {
    #[must_use]
    pub fn new(tenant: TenantId, letter: char) -> Self {
        let id = tenant.to_string();
        Self(format!("{}{letter}", &id[id.len() - 8..]))
    }
}

/// The tokens of one record, as stored in the index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tokens(String);

impl Tokens {
    /// Adds words under a mark.
    #[must_use]
    pub fn with<W: AsRef<str>>(mut self, mark: &Mark, words: impl IntoIterator<Item = W>) -> Self {
        for word in words {
            let separator = if self.0.is_empty() { "" } else { " " };
            // Writing to a String cannot fail.
            let _ = write!(self.0, "{separator}{}{}", mark.0, word.as_ref());
        }
        self
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A marked word, or a prefix of one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    token: String,
    is_beginning: bool,
}

impl Term {
    #[must_use]
    pub fn whole(mark: &Mark, word: &str) -> Self {
        Self { token: format!("{}{word}", mark.0), is_beginning: false }
    }

    #[must_use]
    pub fn beginning(mark: &Mark, word: &str) -> Self {
        Self { is_beginning: true, ..Self::whole(mark, word) }
    }

    /// For FTS5: `"abc"*`. Words consist of letters and digits, so they cannot end the quotes.
    pub(super) fn fts5(&self) -> String {
        format!("\"{}\"{}", self.token, if self.is_beginning { "*" } else { "" })
    }

    /// For PostgreSQL: `'abc':*`.
    pub(super) fn tsquery(&self) -> String {
        format!("'{}'{}", self.token, if self.is_beginning { ":*" } else { "" })
    }
}

/// A query: at least one term of each group must occur.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    all: Vec<Vec<Term>>,
}

impl Search {
    /// All of these words, each as a prefix.
    #[must_use]
    pub fn new(mark: &Mark, words: &[String]) -> Self {
        let words = &words[..words.len().min(MAX_WORDS)];
        let term = |(place, word): (usize, &String)| {
            let is_number = word.chars().all(|letter| letter.is_ascii_digit());
            let is_long = word.chars().count() >= SHORTEST_PREFIX;
            let is_prefix = place + 1 == words.len() || (is_long && !is_number);
            vec![if is_prefix { Term::beginning(mark, word) } else { Term::whole(mark, word) }]
        };
        Self::all(words.iter().enumerate().map(term))
    }

    #[must_use]
    pub fn all(groups: impl IntoIterator<Item = Vec<Term>>) -> Self {
        Self { all: groups.into_iter().take(MAX_WORDS).collect() }
    }

    pub(super) fn groups(&self) -> &[Vec<Term>] {
        &self.all
    }

    /// Whether the query is empty and therefore finds nothing.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use domain::id::Uuid7;

    use super::*;

    fn mark(letter: char) -> Mark {
        Mark::new(TenantId::from(Uuid7::from_parts(1, 2)), letter)
    }

    #[test]
    fn a_word_is_said_in_the_way_of_each_engine() {
        let terms = [Term::whole(&mark('f'), "2026"), Term::beginning(&mark('f'), "tls")];
        assert_eq!(terms.each_ref().map(Term::fts5), [r#""00000002f2026""#, r#""00000002ftls"*"#]);
        assert_eq!(terms.each_ref().map(Term::tsquery), ["'00000002f2026'", "'00000002ftls':*"]);
    }

    #[test]
    fn numbers_before_the_last_word_must_be_whole() {
        let search = Search::new(&mark('f'), &["2026", "tls", "1"].map(String::from));
        let beginnings: Vec<bool> = search.groups().iter().map(|group| group[0].is_beginning).collect();
        assert_eq!(beginnings, [false, true, true]);
        assert!(Search::new(&mark('f'), &[]).is_empty());
    }
}
