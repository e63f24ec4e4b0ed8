//! Finds records by their number or id: `Art. 6(5)`, `A.8.13`, `dora-art-06-05`.

use domain::fold::fold;

/// The scores of an exact number and of a prefix.
const WHOLE: f32 = 40.0;
const PART: f32 = 20.0;

/// Normalised numbers and ids with their documents.
#[derive(Debug, Default)]
pub(super) struct Numbers(Vec<(Box<str>, usize)>);

impl Numbers {
    pub(super) fn add(&mut self, document: usize, number: &str) {
        self.0.push((squeeze(number).into(), document));
    }

    pub(super) fn sort(&mut self) {
        self.0.sort();
    }

    /// The documents with this normalised number, or with one that begins with it, and their scores.
    pub(super) fn find<'a>(&'a self, number: &'a str) -> impl Iterator<Item = (usize, f32)> + 'a {
        let first = self.0.partition_point(|(known, _)| **known < *number);
        // Without a digit it is an ordinary word, and half of all ids begin with it.
        let has_digit = number.bytes().any(|byte| byte.is_ascii_digit());
        let near = self.0[first..].iter().take_while(move |(known, _)| known.starts_with(number));
        near.filter_map(move |(known, document)| match known.strip_prefix(number)? {
            "" if !number.is_empty() => Some((*document, WHOLE)),
            rest if has_digit && rest.starts_with('.') => Some((*document, PART)),
            _ => None,
        })
    }
}

/// The letters and numbers of a text with a full stop between them: `Art. 06(5)` becomes `art.6.5`.
pub(super) fn squeeze(text: &str) -> String {
    let mut folded = String::new();
    fold(text, &mut folded);
    let mut parts: Vec<String> = Vec::new();
    let mut before = None;
    for c in folded.chars() {
        let class = (c.is_alphabetic(), c.is_numeric());
        match (class, parts.last_mut()) {
            ((false, false), _) => {}
            (_, Some(part)) if before == Some(class) => part.push(c),
            _ => parts.push(c.to_string()),
        }
        before = Some(class);
    }
    for part in &mut parts {
        let number = part.trim_start_matches('0');
        if number.len() < part.len() {
            *part = if number.is_empty() { "0".to_owned() } else { number.to_owned() };
        }
        if matches!(part.as_str(), "artikel" | "article" | "articles") {
            "art".clone_into(part);
        }
    }
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        for same in ["Art. 6(5)", "art 6 5", "Artikel 6 (5)", "ART.06(05)", "article 6.5"] {
            assert_eq!(squeeze(same), "art.6.5", "{same}");
        }
        assert_eq!(squeeze("A8.13"), squeeze("A.8.13"));
        assert_eq!(squeeze("dora-art-06-05"), "dora.art.6.5");
        assert_eq!(squeeze("– !"), "");
    }

    #[test]
    fn a_number_finds_itself_and_what_it_begins() {
        let mut numbers = Numbers::default();
        for (document, number) in ["Art. 6", "Art. 6(5)", "Art. 65", "risk-fire"].into_iter().enumerate() {
            numbers.add(document, number);
        }
        numbers.sort();
        let find =
            |number: &str| -> Vec<usize> { numbers.find(&squeeze(number)).map(|found| found.0).collect() };
        assert_eq!(find("Art. 6"), [0, 1]);
        assert_eq!(find("Art. 65"), [2]);
        assert_eq!(find("risk-fire"), [3]);
        assert!(find("risk").is_empty() && find("Art").is_empty() && find("").is_empty());
    }
}
