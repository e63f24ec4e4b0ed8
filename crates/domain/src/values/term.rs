//! A short text that records are grouped by: outer and repeated spaces are ignored, so that a typing error does not
//! split one provider or region into two.

use std::{borrow::Borrow, collections::HashSet, fmt, sync::Arc};

use crate::text::{self, TextError};

/// One line of at most 255 characters with single spaces between its words. Upper and lower case differ. A clone
/// shares the text.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(Arc<str>);

impl Term {
    pub const MAX: usize = 255;

    pub fn parse(text: &str) -> Result<Self, TextError> {
        let text = text::line(text, Self::MAX)?;
        if is_tidy(text) {
            return Ok(Self(text.into()));
        }
        let words: Vec<_> = text.split_whitespace().collect();
        Ok(Self(words.join(" ").into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether the words are already separated by single plain spaces, which is nearly always the case.
fn is_tidy(text: &str) -> bool {
    let mut before = ' ';
    text.chars().all(|c| {
        let fine = !c.is_whitespace() || (c == ' ' && before != ' ');
        before = c;
        fine
    }) && before != ' '
}

/// Interned terms: equal texts share their memory. A register names few companies very often.
#[derive(Debug, Default)]
pub struct Terms(HashSet<Term>);

impl Terms {
    pub fn parse(&mut self, text: &str) -> Result<Term, TextError> {
        if let Some(known) = self.0.get(text) {
            return Ok(known.clone());
        }
        let term = Term::parse(text)?;
        // The normalised text may be interned although the raw one is not.
        let known = self.0.get(&term).cloned();
        Ok(known.unwrap_or_else(|| {
            self.0.insert(term.clone());
            term
        }))
    }
}

impl Borrow<str> for Term {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_do_not_split_a_group() {
        for same in
            ["Frankfurt am Main", " Frankfurt am Main", "Frankfurt  am Main ", "Frankfurt\u{a0}am Main"]
        {
            assert_eq!(Term::parse(same).unwrap().as_str(), "Frankfurt am Main");
        }
        assert_eq!(Term::parse("  "), Err(TextError::Empty));
        assert_eq!(Term::parse("a\tb"), Err(TextError::Control));
        assert_eq!(Term::parse(&"x".repeat(256)), Err(TextError::TooLong(255)));
    }

    #[test]
    fn the_same_text_is_kept_once() {
        let mut terms = Terms::default();
        let [first, again, spaced] = ["Bonn", "Bonn", " Bonn"].map(|text| terms.parse(text).unwrap());
        assert!(Arc::ptr_eq(&first.0, &again.0) && Arc::ptr_eq(&first.0, &spaced.0));
        assert_eq!(terms.parse(""), Err(TextError::Empty));
    }
}
