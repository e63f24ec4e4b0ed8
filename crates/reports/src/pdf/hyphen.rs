//! Divides words that are wider than a line.
//!
//! A word is divided before a consonant that a vowel follows, which is right for most German and English words and
//! needs no dictionary. Other text, such as an address or a number, is not divided: a hyphen would be read as part of
//! it.

/// Longer than any word; a longer text is data.
const LONGEST: usize = 80;
/// The minimum number of letters before and after a hyphen.
const BEFORE: usize = 2;
const AFTER: usize = 3;
/// Letters that form one sound, or often begin a part of a compound, and are not separated.
const TOGETHER: [&str; 8] = ["ch", "ck", "ph", "th", "sh", "qu", "st", "sp"];

/// Whether a hyphen may be put into this text: letters with a vowel among them, and punctuation around.
pub(super) fn is_word(text: &str) -> bool {
    let inner = text.trim_matches(|c: char| !c.is_alphanumeric());
    inner.chars().count() <= LONGEST && inner.chars().all(char::is_alphabetic) && inner.chars().any(is_vowel)
}

/// The byte positions before which the word may be divided, from its beginning to its end.
pub(super) fn divisions(word: &str) -> Vec<usize> {
    let letters: Vec<(usize, char)> =
        word.char_indices().filter_map(|(at, c)| c.to_lowercase().next().map(|c| (at, c))).collect();
    let first = letters.iter().position(|(_, c)| c.is_alphabetic()).unwrap_or(0);
    let last = letters.iter().rposition(|(_, c)| c.is_alphabetic()).map_or(0, |last| last + 1);
    let spelt: Vec<char> = letters.iter().map(|(_, c)| *c).collect();
    let fits = |at: &usize| {
        let at = *at;
        !is_vowel(spelt[at])
            && !parts(&spelt, at)
            && sounds(&spelt[at..last])
            && spelt[first..at].iter().copied().any(is_vowel)
    };
    let from = first + BEFORE;
    (from..(last + 1).saturating_sub(AFTER)).filter(fits).map(|at| letters[at].0).collect()
}

/// Whether a syllable begins here: one consonant, or several that form one sound, and a vowel.
fn sounds(rest: &[char]) -> bool {
    let text: String = rest.iter().take(4).collect();
    let together = std::iter::once("sch").chain(TOGETHER).find(|sound| text.starts_with(sound));
    let consonants = together.map_or(1, |sound| sound.chars().count());
    // In "qu" the vowel belongs to the sound.
    together == Some("qu") || rest.get(consonants).copied().is_some_and(is_vowel)
}

/// Whether a division here would separate letters that belong together.
fn parts(spelt: &[char], at: usize) -> bool {
    let around: String = spelt[at - 1..=at].iter().collect();
    let before_sch = spelt[at - 1] == 's' && spelt.get(at..at + 2) == Some(&['c', 'h']);
    TOGETHER.contains(&around.as_str()) || before_sch
}

fn is_vowel(letter: char) -> bool {
    "aeiouyäöüáàâãåéèêëíìîïóòôõúùûæøœ".contains(letter.to_lowercase().next().unwrap_or(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(word: &str) -> String {
        let mut text = word.to_owned();
        for at in divisions(word).into_iter().rev() {
            text.insert(at, '-');
        }
        text
    }

    #[test]
    fn words_are_divided_between_syllables() {
        for expected in [
            "Schwach-stel-len-be-wer-tung",
            "In-for-ma-tions-si-cher-heit",
            "vul-ne-ra-bi-lity",
            "Ri-si-ko-ma-na-ge-ment",
            "„Über-mitt-lun-gen“,",
        ] {
            assert_eq!(divided(&expected.replace('-', "")), expected);
        }
        assert_eq!(divided("Straße"), "Straße", "too short a rest");
    }

    #[test]
    fn what_is_no_word_is_left_alone() {
        for text in ["https://example.test/path", "cra_01m7hc8tt9", "MMMMMMMM", "2026-11-14", "漢字", ""] {
            assert!(!is_word(text) || divisions(text).is_empty(), "{text}");
        }
        assert!(is_word("(Aufsichtsbehörde)."));
    }
}
