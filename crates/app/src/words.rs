//! The words of a record, folded so that case and accents do not count, for the full-text index.

use std::collections::BTreeSet;

use catalogue::fold::fold;
use domain::id::TenantId;
use store::sql::{Mark, Search};

/// Longer words are cut: nobody types them to the end.
const MAX_WORD: usize = 48;
/// A record is found by its first so many different words.
const MAX_WORDS: usize = 4000;

/// The kinds of records that can be searched, by the letter that keeps their words apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Programme,
    TestCase,
    Finding,
    CraReport,
}

impl Kind {
    pub(crate) fn mark(self, tenant: TenantId) -> Mark {
        let letter = match self {
            Self::Programme => 'p',
            Self::TestCase => 't',
            Self::Finding => 'f',
            Self::CraReport => 'c',
        };
        Mark::new(tenant, letter)
    }
}

/// Different words, in alphabetical order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words(BTreeSet<String>);

impl Words {
    pub(crate) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut words = Self::default();
        for text in texts {
            words.add(text);
        }
        words
    }

    fn add(&mut self, text: &str) {
        each_word(text, |word| {
            if self.0.len() < MAX_WORDS {
                self.0.insert(word);
            }
        });
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

fn each_word(text: &str, mut each: impl FnMut(String)) {
    let mut folded = String::new();
    fold(text, &mut folded);
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        each(word.chars().take(MAX_WORD).collect());
    }
}

/// What a caller searches for among the tenant's records of one kind.
pub(crate) fn search(tenant: TenantId, kind: Kind, text: &str) -> Search {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word));
    Search::new(&kind.mark(tenant), &words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_punctuation_do_not_count() {
        let words = Words::of(["Prüf-Maßnahme: F-2026-0042", "PRUF massnahme"]);
        assert_eq!(words.iter().collect::<Vec<_>>(), ["0042", "2026", "f", "massnahme", "pruf"]);
        assert_eq!(Words::of([" !? "]).iter().count(), 0);
    }

    #[test]
    fn an_endless_word_is_cut_and_an_endless_text_ends() {
        let long = "x".repeat(1000);
        assert_eq!(Words::of([long.as_str()]).iter().next().unwrap().len(), MAX_WORD);
        let many = (0..10_000).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(Words::of([many.as_str()]).iter().count(), MAX_WORDS);
    }
}
