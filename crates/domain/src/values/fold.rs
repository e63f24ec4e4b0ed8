//! Folds texts for comparison: case, accents, ligatures and width are ignored.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Appends the folded form of `text`. Texts that are equal without accents fold alike: `Prüfmaßnahme` and
/// `PRUFMASSNAHME`.
pub fn fold(text: &str, folded: &mut String) {
    folded.reserve(text.len());
    for c in text.chars() {
        fold_char(c, folded);
    }
}

/// Appends the folded form of one character: nothing for an accent, several words for some signs.
pub(crate) fn fold_char(c: char, folded: &mut String) {
    if c.is_ascii() {
        folded.push(c.to_ascii_lowercase());
    } else {
        decompose_compatible(c, |part| fold_part(part, folded));
    }
}

fn fold_part(part: char, folded: &mut String) {
    match part {
        'ß' | 'ẞ' => folded.push_str("ss"),
        'æ' | 'Æ' => folded.push_str("ae"),
        'œ' | 'Œ' => folded.push_str("oe"),
        'ø' | 'Ø' => folded.push('o'),
        'ł' | 'Ł' => folded.push('l'),
        'đ' | 'Đ' | 'ð' | 'Ð' => folded.push('d'),
        // Typographic signs that keyboards do not have.
        '‘' | '’' => folded.push('\''),
        '“' | '”' | '„' => folded.push('"'),
        '‐'..='―' => folded.push('-'),
        part if is_combining_mark(part) => {}
        part => folded.extend(part.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut folded = String::new();
        fold(text, &mut folded);
        folded
    }

    #[test]
    fn case_accents_and_width_do_not_count() {
        assert_eq!(folded("Prüfmaßnahme"), folded("PRUFMASSNAHME"));
        assert_eq!(folded("re\u{301}silience Ø Łódź œuvre"), "resilience o lodz oeuvre");
        assert_eq!(folded("ＤＯＲＡ ﬁnal Art.\u{a0}5"), "dora final art. 5");
        assert_eq!(folded("2026–28 “x”"), "2026-28 \"x\"");
    }
}
