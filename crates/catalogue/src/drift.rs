//! Finds differences between the numbers in two languages: years, days, articles, amounts, periods. Numbers written
//! as words are ignored, because languages differ in when they use them.

use std::collections::BTreeSet;

/// The numbers that only one language contains.
pub(crate) fn drift(english: &str, german: &str) -> Option<String> {
    let (en, de) = (numbers(english), numbers(german));
    if en == de {
        return None;
    }
    let only =
        |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>().join(", ");
    let said = |language: &str, numbers: String| {
        (!numbers.is_empty()).then(|| format!("{numbers} only in {language}"))
    };
    let parts = [said("en", only(&en, &de)), said("de", only(&de, &en))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Some(format!("says different numbers in the two languages: {}", parts.join("; ")))
}

/// The numbers in a text, without digit separators: `100 000`, `100.000` and `100,000` are equal.
fn numbers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return found;
    }
    let chars: Vec<char> = text.chars().collect();
    let digits = |from: usize| chars[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    let mut at = 0;
    while at < chars.len() {
        let mut length = digits(at);
        if length == 0 {
            at += 1;
            continue;
        }
        let is_name = named(&chars[..at], length);
        let mut number: String = chars[at..at + length].iter().collect();
        at += length;
        // Groups of a larger number, or its fraction.
        while let Some(mark) = chars.get(at).filter(|mark| ".,\u{a0}\u{202f} ".contains(**mark)) {
            let group = chars.get(at + 1..).map_or(0, |_| digits(at + 1));
            let is_space = !".,".contains(*mark);
            if group == 0 || (is_space && !(group == 3 && length <= 3)) {
                break;
            }
            number.extend(&chars[at + 1..at + 1 + group]);
            at += 1 + group;
            length = group;
        }
        if is_name {
            continue;
        }
        let plain = number.trim_start_matches('0');
        found.insert(if plain.is_empty() { "0".to_owned() } else { plain.to_owned() });
    }
    found
}

/// Whether digits after this text belong to a name: `NIS2`, `NIS-2`, but not `mid-2026`.
fn named(before: &[char], digits: usize) -> bool {
    match before {
        [.., letter, '-'] => digits == 1 && letter.is_alphabetic(),
        [.., letter] => letter.is_alphabetic(),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::drift;

    #[test]
    fn the_same_numbers_in_other_clothes_are_the_same() {
        for (en, de) in [
            ("EUR 100,000 by 17 January 2025", "100.000 EUR bis zum 17. Januar 2025"),
            ("above 100 000 or 2.5 %", "über 100 000 oder 2,5 %"),
            ("Art. 6(5), point (a)", "Art. 6 Abs. 5 Buchst. a"),
            ("the NIS2 Directive", "die NIS-2-Richtlinie"),
            ("no number at all", "keine Zahl"),
            ("in 2024. 5 banks", "5 Banken im Jahr 2024"),
        ] {
            assert_eq!(drift(en, de), None, "{en} / {de}");
        }
    }

    #[test]
    fn another_number_is_noticed() {
        let said = drift("within 4 hours", "binnen 24 Stunden").unwrap();
        assert_eq!(said, "says different numbers in the two languages: 4 only in en; 24 only in de");
        assert!(drift("Art. 6(5)", "Art. 6 Abs. 4").is_some());
        assert!(drift("since 17 January 2025", "seit Januar 2025").is_some());
    }
}
