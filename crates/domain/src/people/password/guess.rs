//! Estimates how easily a password is guessed.
//!
//! Attackers do not try characters but words, keyboard rows, repetitions and years. So a password is split into such
//! parts in the cheapest possible way, and each part counts as many random characters as it is worth.

use sha2::{Digest as _, Sha256};

/// Hashes of common passwords and words, sorted: the first four bytes of their SHA-256. `scripts/passwords` creates
/// it.
const COMMON: &[u8] = include_bytes!("common.bin");
const MARK: usize = 4;
/// The longest word that is looked up.
const LONGEST: usize = 24;
/// The minimum lengths of parts.
const SHORTEST_WORD: usize = 4;
const SHORTEST_ROW: usize = 4;
const SHORTEST_NAME: usize = 3;

/// The worth of parts, in random characters. One of 60,000 words has 16 bits, a random character between 5 and 6.
const WORD: usize = 3;
const ROW: usize = 2;
const NAME: usize = 1;
const REPETITION: usize = 1;
const YEAR: usize = 1;
const CHARACTER: usize = 1;

/// Keyboard rows, and the letters and digits in order.
const ROWS: [&str; 8] = [
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "qwertzuiopü",
    "asdfghjklöä",
    "zxcvbnm",
    "yxcvbnm",
    "1q2w3e4r5t6y7u8i9o0p",
];

/// How many random characters the password is worth. `names` are words that an attacker knows of its owner.
pub(super) fn worth(password: &str, names: &[String]) -> usize {
    let lower: Vec<char> = password.to_lowercase().chars().collect();
    let plain: Vec<char> = lower.iter().copied().map(unmasked).collect();
    cheapest(&lower, names).min(cheapest(&plain, names))
}

/// Letters behind common substitutions.
fn unmasked(character: char) -> char {
    match character {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' | '€' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// The minimum total worth of a split into parts.
fn cheapest(text: &[char], names: &[String]) -> usize {
    // The worth of the text up to each of its characters.
    let mut best = vec![0; text.len() + 1];
    for end in 1..=text.len() {
        best[end] = best[end - 1] + CHARACTER;
        for start in end.saturating_sub(LONGEST)..end - 1 {
            if let Some(worth) = piece(text, start, end, names) {
                best[end] = best[end].min(best[start] + worth);
            }
        }
    }
    best[text.len()]
}

/// The worth of the characters from `start` to `end` as one part, if they are one.
fn piece(text: &[char], start: usize, end: usize, names: &[String]) -> Option<usize> {
    let piece = &text[start..end];
    let word: String = piece.iter().collect();
    let repeats =
        piece.len() >= SHORTEST_NAME && text[..start].windows(piece.len()).any(|earlier| earlier == piece);
    let same = piece.len() >= SHORTEST_ROW && piece.iter().all(|character| *character == piece[0]);
    if names.contains(&word) || repeats || is_year(&word) || same {
        return Some(NAME.max(REPETITION).max(YEAR));
    }
    if piece.len() >= SHORTEST_ROW && is_row(&word) {
        return Some(ROW);
    }
    (piece.len() >= SHORTEST_WORD && is_common(&word)).then_some(WORD)
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && (1940..=2040).any(|year: u16| word.parse() == Ok(year))
}

fn is_row(word: &str) -> bool {
    let backwards: String = word.chars().rev().collect();
    ROWS.iter().any(|row| row.contains(word) || row.contains(&backwards))
}

fn is_common(word: &str) -> bool {
    let digest = Sha256::digest(word.as_bytes());
    let (mut low, mut high) = (0, COMMON.len() / MARK);
    while low < high {
        let middle = usize::midpoint(low, high);
        match COMMON[middle * MARK..(middle + 1) * MARK].cmp(&digest[..MARK]) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    false
}

/// The words of names that an attacker would try: whole, and each part of them.
pub(super) fn words<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let mut words = Vec::new();
    for name in names {
        let lower = name.to_lowercase();
        let parts = lower.split(|character: char| !character.is_alphanumeric());
        let parts = parts.filter(|part| part.chars().count() >= SHORTEST_NAME).map(str::to_owned);
        words.extend(parts);
        words.push(lower.clone());
        words.push(lower.chars().filter(|character| character.is_alphanumeric()).collect());
    }
    // A name is found in the password with or without substitutions.
    let masked: Vec<String> = words.iter().map(|word| word.chars().map(unmasked).collect()).collect();
    words.extend(masked);
    words.retain(|word| word.chars().count() >= SHORTEST_NAME);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_knows_its_words() {
        assert!(COMMON.chunks_exact(MARK).is_sorted());
        assert_eq!(COMMON.len() % MARK, 0);
        for word in ["password", "123456", "qwerty", "entschuldigung", "dragon"] {
            assert!(is_common(word), "{word}");
        }
        for word in ["tidewall", "xkqzvw", "möwenkolonie"] {
            assert!(!is_common(word), "{word}");
        }
    }

    #[test]
    fn pieces_count_for_what_they_are_worth() {
        let names = words(["Anna Weber"]);
        for (password, expected) in [
            ("password", 3),
            ("p@ssw0rd", 3),
            ("passwordpassword", 3),
            ("dragonfish-dragonfish", 7),
            ("qwertz", 2),
            ("987654", 2),
            ("aaaaaaaa", 1),
            ("annaweber", 1),
            ("Anna1987", 2),
            ("xkq9vw", 6),
        ] {
            assert_eq!(worth(password, &names), expected, "{password}");
        }
    }

    #[test]
    fn the_longest_password_is_judged_quickly() {
        let long: String = (0..256_u32).filter_map(|n| char::from_u32(0x61 + n * 7 % 26)).collect();
        assert!(worth(&long, &words(["Anna Weber", "Nordbank"])) >= 9);
    }
}
