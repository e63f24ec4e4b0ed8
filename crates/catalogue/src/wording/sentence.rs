//! The sentences of a paragraph, with the points that belong to each.

use super::tree::{Item, Node};

/// A sentence and the points of its list.
pub(crate) struct Sentence<'n, 't> {
    pub(crate) text: &'t str,
    pub(crate) points: Vec<&'n Node<'t>>,
}

/// The sentences of a paragraph. The last sentence before a list owns the list.
pub(crate) fn sentences<'n, 't>(paragraph: &'n Node<'t>) -> Vec<Sentence<'n, 't>> {
    let mut found: Vec<Sentence<'n, 't>> = Vec::new();
    for part in paragraph.children() {
        for item in &part.items {
            match item {
                Item::Line(line) => {
                    found.extend(split(line).into_iter().map(|text| Sentence { text, points: Vec::new() }));
                }
                Item::Child(point) => {
                    if let Some(sentence) = found.last_mut() {
                        sentence.points.push(point);
                    }
                }
            }
        }
    }
    found
}

/// Words after which a full stop ends no sentence.
const ABBREVIATIONS: [&str; 7] = ["Nr", "No", "Abs", "Art", "S", "bzw", "vgl"];

/// Divides a line at full stops that end a sentence: a capital letter follows, and no number, ordinal or abbreviation
/// stands before.
fn split(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in line.match_indices(['.', '!', '?']) {
        let after = &line[at + 1..];
        let begins = after.strip_prefix(' ').and_then(|rest| rest.chars().next());
        let before = line[..at].rsplit([' ', '\u{a0}', '(']).next().unwrap_or_default();
        let is_ordinal = !before.is_empty() && before.chars().all(|c| c.is_ascii_digit());
        let ends = begins.is_some_and(|c| c.is_uppercase() || c == '§' || c == '„')
            && !(is_ordinal && before.len() <= 2)
            && !ABBREVIATIONS.contains(&before);
        if ends {
            found.push(line[start..=at].trim());
            start = at + 1;
        }
    }
    let rest = line[start..].trim();
    if !rest.is_empty() {
        found.push(rest);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::tree::{Style, paragraphs};

    #[test]
    fn days_and_abbreviations_end_no_sentence() {
        assert_eq!(
            split("(1) Bis zum 2. Dezember gilt es. Danach nicht."),
            ["(1) Bis zum 2. Dezember gilt es.", "Danach nicht."]
        );
        assert_eq!(split("Regulation (EU) No. 575 applies."), ["Regulation (EU) No. 575 applies."]);
        assert_eq!(split("Nach Absatz 1. § 5 bleibt."), ["Nach Absatz 1. § 5 bleibt."]);
    }

    #[test]
    fn a_list_belongs_to_the_sentence_before_it() {
        let lines = ["(2) Eins gilt. Zwei umfasst:", "1. a,", "2. b.", "Drei folgt. Vier auch."];
        let paragraph = &paragraphs(&lines, Style::German)[0];
        let found = sentences(paragraph);
        assert_eq!(found.iter().map(|sentence| sentence.points.len()).collect::<Vec<_>>(), [0, 2, 0, 0]);
        assert_eq!(found[2].text, "Drei folgt.");
    }
}
