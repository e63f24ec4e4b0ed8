//! The glyphs of the words of one report, so that each is shaped once.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::typeface::Glyph;

/// The limits keep the words of one face below ten megabytes, and usually at one or two. A word beyond them is shaped
/// each time. The length is in bytes.
const MOST_WORDS: usize = 8_192;
const LONGEST: usize = 32;

#[derive(Default)]
pub(super) struct Words {
    shaped: HashMap<Box<str>, Box<[Glyph]>, RandomState>,
}

impl Words {
    /// Appends the glyphs of a known word that begins at this byte of its text. Returns whether the word is known.
    pub(super) fn append(&self, word: &str, start: usize, glyphs: &mut Vec<Glyph>) -> bool {
        let Some(shaped) = self.shaped.get(word) else { return false };
        glyphs.extend(shaped.iter().map(|glyph| glyph.moved(start)));
        true
    }

    pub(super) fn insert(&mut self, word: &str, glyphs: Vec<Glyph>) {
        if word.len() <= LONGEST && self.shaped.len() < MOST_WORDS {
            self.shaped.insert(word.into(), glyphs.into_boxed_slice());
        }
    }
}
