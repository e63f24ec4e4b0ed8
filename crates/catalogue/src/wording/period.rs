//! Periods in a text: `within 72 hours`, `binnen eines Monats`.

use std::collections::BTreeSet;

use domain::wording::Language;

const ENGLISH: [(&str, u32); 12] = [
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
];

const GERMAN: [(&str, u32); 16] = [
    ("ein", 1),
    ("eine", 1),
    ("einem", 1),
    ("einen", 1),
    ("einer", 1),
    ("eines", 1),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("fünf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("neun", 9),
    ("zehn", 10),
    ("zwölf", 12),
];

/// The beginnings of units, in both languages, and what a period is written with.
const UNITS: [(&str, &str); 10] = [
    ("hour", "hours"),
    ("stunde", "hours"),
    ("day", "days"),
    ("tag", "days"),
    ("week", "weeks"),
    ("woche", "weeks"),
    ("month", "months"),
    ("monat", "months"),
    ("year", "years"),
    ("jahr", "years"),
];

/// Words between a number and its unit.
const BETWEEN: [&str; 4] = ["calendar", "working", "business", "full"];

/// The periods of a text in small letters: `72 hours`.
pub(super) fn periods(text: &str, language: Language) -> BTreeSet<String> {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c == '-').collect();
    let mut found = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let Some(number) = number(word.trim_matches(|c: char| !c.is_alphanumeric()), language) else {
            continue;
        };
        let unit = words[at + 1..].iter().take(2).find(|word| !BETWEEN.contains(word));
        let unit = unit.and_then(|word| {
            let word = word.strip_prefix("kalender").or_else(|| word.strip_prefix("arbeits")).unwrap_or(word);
            UNITS.iter().find(|(start, _)| word.starts_with(start))
        });
        if let Some((_, unit)) = unit {
            found.insert(format!("{number} {unit}"));
        }
    }
    found
}

fn number(word: &str, language: Language) -> Option<u32> {
    let words: &[(&str, u32)] = match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
    };
    let named = words.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    named.or_else(|| word.parse().ok())
}

/// Whether the word is a number or a rhythm, in either language.
pub(super) fn is_quantity(word: &str) -> bool {
    const RHYTHMS: [&str; 11] = [
        "once",
        "every",
        "annual",
        "year",
        "week",
        "month",
        "half",
        "einmal",
        "alle",
        "jährlich",
        "monatlich",
    ];
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    Language::ALL.into_iter().any(|language| number(word, language).is_some())
        || RHYTHMS.iter().any(|rhythm| word.starts_with(rhythm))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_read_in_figures_and_words() {
        let english = periods("within 72 hours, one month or 60 calendar days; article 5", Language::English);
        assert_eq!(english.into_iter().collect::<Vec<_>>(), ["1 months", "60 days", "72 hours"]);
        let german = periods("binnen 60 kalendertagen, eines monats, drei jahre", Language::German);
        assert_eq!(german.into_iter().collect::<Vec<_>>(), ["1 months", "3 years", "60 days"]);
        assert_eq!(periods("a 24-hour warning", Language::English).len(), 1);
    }
}
