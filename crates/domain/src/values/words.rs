//! Splits texts into words for searching: case and accents do not matter.

use std::ops::Range;

use crate::fold::fold_char;

/// Longer words are cut, so that every index accepts them: PostgreSQL refuses a term of more than 2,046 bytes.
const LONGEST: usize = 48;

/// Calls `each` for the words of a text, with their positions and their folded forms.
///
/// The text is folded before it is split, because one character can fold to several words: U+FDFA is a phrase of
/// four. Such words share their position.
pub fn each_word(text: &str, mut each: impl FnMut(Range<usize>, &str)) {
    let mut word = Word::default();
    let mut folded = String::new();
    for (start, c) in text.char_indices() {
        let place = start..start + c.len_utf8();
        if c.is_ascii() {
            word.take(c.to_ascii_lowercase(), &place, &mut each);
            continue;
        }
        folded.clear();
        fold_char(c, &mut folded);
        if folded.is_empty() {
            // An accent belongs to the letter before it.
            word.extend(&place);
        }
        for part in folded.chars() {
            word.take(part, &place, &mut each);
        }
    }
    word.finish(&mut each);
}

/// The folded words of a text: the runs between signs and spaces after folding.
pub fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |_, word| words.push(word.to_owned()));
    words
}

/// A word while it is read.
#[derive(Default)]
struct Word {
    place: Range<usize>,
    folded: String,
    letters: usize,
}

impl Word {
    /// Adds a folded character at a position, or ends the word at a separator.
    fn take(&mut self, c: char, place: &Range<usize>, each: &mut impl FnMut(Range<usize>, &str)) {
        if !c.is_alphanumeric() {
            return self.finish(each);
        }
        if self.letters == 0 {
            self.place.start = place.start;
        }
        self.place.end = place.end;
        self.letters += 1;
        if self.letters <= LONGEST {
            self.folded.push(c);
        }
    }

    fn extend(&mut self, place: &Range<usize>) {
        if self.letters > 0 {
            self.place.end = place.end;
        }
    }

    fn finish(&mut self, each: &mut impl FnMut(Range<usize>, &str)) {
        if self.letters > 0 {
            each(self.place.clone(), &self.folded);
            self.folded.clear();
            self.letters = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_signs() {
        let text = "IKT-Drittdienstleister: Art. 6(5), Übe\u{301}r";
        assert_eq!(words_of(text), ["ikt", "drittdienstleister", "art", "6", "5", "uber"]);
        let mut last = 0..0;
        each_word(text, |place, _| last = place);
        assert_eq!(&text[last], "Übe\u{301}r");
        assert!(words_of(" – ").is_empty());
    }

    #[test]
    fn a_character_that_folds_to_several_words_is_split() {
        let words = |text: &str| {
            let mut words = Vec::new();
            each_word(text, |place, word| words.push((place, word.to_owned())));
            words
        };
        assert_eq!(words("a\u{fdfa}b").len(), 4);
        assert!(words("a\u{fdfa}b")[0].1.starts_with('a') && words("a\u{fdfa}b")[3].1.ends_with('b'));
        assert_eq!(
            words("a\u{fdfa}b").iter().map(|word| word.0.clone()).collect::<Vec<_>>(),
            [0..4, 1..4, 1..4, 1..5]
        );
        assert_eq!(
            words("½ ⒈ ™"),
            [(0..2, "1".into()), (0..2, "2".into()), (3..6, "1".into()), (7..10, "tm".into())]
        );
        for c in ('\0'..=char::MAX).filter(|c| !c.is_ascii()) {
            for word in words_of(&c.to_string()) {
                assert!(word.chars().all(char::is_alphanumeric), "{c:?} folds to {word:?}");
            }
        }
    }

    #[test]
    fn an_endless_word_is_cut() {
        assert_eq!(words_of(&"x".repeat(1000)), ["x".repeat(LONGEST)]);
    }
}
