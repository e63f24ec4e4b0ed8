//! Citations of acts in the form that readers of a language expect: the catalogue writes `Art. 5(2)(a)`, German law
//! writes `Art. 5 Abs. 2 Buchst. a`.

use std::borrow::Cow;

use crate::wording::Language;

/// The citation as readers of this language write it.
pub fn cited(language: Language, text: &str) -> Cow<'_, str> {
    match language {
        Language::English => Cow::Borrowed(text),
        Language::German => Cow::Owned(Writer::default().write(text)),
    }
}

/// Longer ones first, because the first that fits is taken.
const PHRASES: &[(&str, &str)] = &[
    ("Commission Delegated Regulation", "Delegierte Verordnung"),
    ("Commission Implementing Regulation", "Durchführungsverordnung"),
    ("Delegated Regulation", "Delegierte Verordnung"),
    ("Implementing Regulation", "Durchführungsverordnung"),
    ("Regulations", "Verordnungen"),
    ("Regulation", "Verordnung"),
    ("Directive", "Richtlinie"),
    ("Annexes", "Anhänge"),
    ("Annex", "Anhang"),
    ("Articles", "Art."),
    ("Article", "Art."),
    ("Clause", "Abschnitt"),
    ("basis:", "Grundlage:"),
    ("GDPR", "DSGVO"),
];

/// Parts that German law writes after the place they belong to, without a comma.
const SUFFIXES: &[(&str, &str)] = &[
    (", first subparagraph", " Unterabs. 1"),
    (", second subparagraph", " Unterabs. 2"),
    (", third subparagraph", " Unterabs. 3"),
    (", fourth subparagraph", " Unterabs. 4"),
    (", fifth subparagraph", " Unterabs. 5"),
    (", first sentence", " Satz 1"),
    (", second sentence", " Satz 2"),
    (", third sentence", " Satz 3"),
    (", Part ", " Teil "),
    (" Part ", " Teil "),
];

/// Words between two places.
const CONNECTORS: &[(&str, &str)] = &[(" and ", " und "), (" to ", " bis "), (" or ", " oder ")];

/// What a bracket names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Paragraph,
    Point,
    Item,
}

impl Part {
    fn label(self) -> &'static str {
        match self {
            Self::Paragraph => "Abs. ",
            Self::Point => "Buchst. ",
            Self::Item => "Ziff. ",
        }
    }
}

#[derive(Debug, Default)]
struct Writer {
    out: String,
    /// The last bracket of the act that is being cited.
    last: Option<Part>,
}

impl Writer {
    fn write(mut self, text: &str) -> String {
        let mut at = 0;
        while let Some(next) = text[at..].chars().next() {
            at += self
                .bracket(text, at)
                .or_else(|| self.point(&text[at..]))
                .or_else(|| self.word(text, at))
                .unwrap_or_else(|| self.plain(next));
        }
        self.out
    }

    fn plain(&mut self, next: char) -> usize {
        if next == ';' {
            self.last = None;
        }
        self.out.push(next);
        next.len_utf8()
    }

    /// A bracket such as `(2)` or `(a)`: directly after a number or another bracket, or after a word that continues them.
    fn bracket(&mut self, text: &str, at: usize) -> Option<usize> {
        let inside = text[at..].strip_prefix('(')?.split_once(')')?.0;
        let is_number = inside.len() <= 3 && inside.bytes().all(|byte| byte.is_ascii_digit());
        let is_letter = inside.len() <= 4 && inside.bytes().all(|byte| byte.is_ascii_lowercase());
        if inside.is_empty() || !(is_number || is_letter) {
            return None;
        }
        let before = &text[..at];
        let is_joined = before.ends_with(|last: char| last == ')' || last.is_ascii_digit())
            || before.ends_with(|last: char| last.is_ascii_lowercase())
                && before[..before.len() - 1].ends_with(|last: char| last.is_ascii_digit());
        let continues = [", ", " and ", " to ", " or "].iter().any(|word| before.ends_with(word));
        // A bracket after a part of an annex is a Nummer of that part.
        if is_number && before.ends_with(['I', 'V', 'X']) {
            self.out.push_str(" Nummer ");
        }
        let is_numbered = self.out.ends_with("Nummer ");
        let is_of_annex = is_letter && text.contains("Annex") && before.ends_with(['I', 'V', 'X']);
        let is_named = before.ends_with("point ") || before.ends_with("points ");
        let is_in_a_list = continues && self.last.is_some();
        if !(is_joined || is_numbered || is_of_annex || is_named || is_in_a_list) {
            return None;
        }
        let is_roman = inside.bytes().all(|byte| matches!(byte, b'i' | b'v' | b'x'));
        let is_inside_point = matches!(self.last, Some(Part::Point | Part::Item));
        let part = match (is_number, is_roman && is_inside_point && (is_joined || inside.len() > 1)) {
            (true, _) => Part::Paragraph,
            (false, true) => Part::Item,
            (false, false) => Part::Point,
        };
        let is_listed = !is_joined && self.last == Some(part);
        if !is_numbered && !is_listed {
            if !self.out.ends_with(' ') {
                self.out.push(' ');
            }
            self.out.push_str(part.label());
        }
        self.out.push_str(inside);
        self.last = Some(part);
        Some(inside.len() + 2)
    }

    /// `point 3` of an annex is a Nummer; `point (a)` of an article is a Buchstabe, which its bracket says.
    fn point(&mut self, rest: &str) -> Option<usize> {
        let start = [", points ", ", point ", " points ", " point "];
        let start = start.iter().find(|start| rest.starts_with(**start))?;
        let after = rest[start.len()..].trim_start_matches('(');
        self.out.push(' ');
        self.last = None;
        if after.starts_with(|first: char| first.is_ascii_digit()) {
            self.out.push_str("Nummer ");
        }
        Some(start.len())
    }

    /// A word of the catalogue's English with a German counterpart.
    fn word(&mut self, text: &str, at: usize) -> Option<usize> {
        let rest = &text[at..];
        if let Some((from, to)) = SUFFIXES.iter().find(|(from, _)| rest.starts_with(from)) {
            self.out.push_str(to);
            return Some(from.len());
        }
        if let Some((from, to)) = CONNECTORS.iter().find(|(from, _)| rest.starts_with(from)) {
            let is_place = names_a_place(&rest[from.len()..]);
            self.out.push_str(if is_place { to } else { from });
            return Some(from.len());
        }
        let is_start = !text[..at].ends_with(char::is_alphanumeric);
        let ends = |from: &str| !rest[from.len()..].starts_with(char::is_alphanumeric);
        let (from, to) = PHRASES.iter().find(|(from, _)| is_start && rest.starts_with(from) && ends(from))?;
        self.last = None;
        self.out.push_str(to);
        Some(from.len())
    }
}

/// Whether the text goes on with a place: a number, a bracket, an article, an annex or a Roman numeral.
fn names_a_place(text: &str) -> bool {
    let first = text.split([' ', ',', ';']).next().unwrap_or_default();
    let is_roman = !first.is_empty() && first.bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X'));
    is_roman
        || ["Art.", "Annex", "§", "COM(", "A."].iter().any(|start| text.starts_with(start))
        || text.starts_with(|first: char| first.is_ascii_digit() || first == '(')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn german_readers_see_german_citations() {
        for (english, german) in [
            (
                "Regulation (EU) 2022/2554 (DORA), Art. 5(2)",
                "Verordnung (EU) 2022/2554 (DORA), Art. 5 Abs. 2",
            ),
            ("Art. 9(5)(b)", "Art. 9 Abs. 5 Buchst. b"),
            ("Art. 30(3)(f)(ii)", "Art. 30 Abs. 3 Buchst. f Ziff. ii"),
            ("Art. 5(2)(i)", "Art. 5 Abs. 2 Buchst. i"),
            ("Art. 13(2) to (4)", "Art. 13 Abs. 2 bis 4"),
            ("Art. 4(1)(g) to (i), 3(1)(g)", "Art. 4 Abs. 1 Buchst. g bis i, 3 Abs. 1 Buchst. g"),
            ("2025/301 Art. 5(1)(a), (2)", "2025/301 Art. 5 Abs. 1 Buchst. a, Abs. 2"),
            (
                "Delegated Regulation (EU) 2025/532, Art. 3(1)(a) and (e)",
                "Delegierte Verordnung (EU) 2025/532, Art. 3 Abs. 1 Buchst. a und e",
            ),
            (
                "Regulation (EU) 2024/2847 (CRA), Annex I, Part I, point (2)(l)",
                "Verordnung (EU) 2024/2847 (CRA), Anhang I Teil I Nummer 2 Buchst. l",
            ),
            (
                "Implementing Regulation (EU) 2024/2690, Annex, point 9.2(c)(iv)",
                "Durchführungsverordnung (EU) 2024/2690, Anhang Nummer 9.2 Buchst. c Ziff. iv",
            ),
            ("Art. 6(5), point (a)", "Art. 6 Abs. 5 Buchst. a"),
            (
                "Implementing Regulation (EU) 2024/2956, Art. 2, third subparagraph",
                "Durchführungsverordnung (EU) 2024/2956, Art. 2 Unterabs. 3",
            ),
            ("Annex I, Part II(1), (2) and (8)", "Anhang I Teil II Nummer 1, 2 und 8"),
            ("Art. 28 and 30", "Art. 28 und 30"),
            ("Annexes III and IV", "Anhänge III und IV"),
            (
                "European Commission, COM(2025) 837 and COM(2025) 836",
                "European Commission, COM(2025) 837 und COM(2025) 836",
            ),
            (
                "BSI-Gesetz (BSIG) vom 2. Dezember 2025, § 31 Abs. 2 Satz 3 bis 5",
                "BSI-Gesetz (BSIG) vom 2. Dezember 2025, § 31 Abs. 2 Satz 3 bis 5",
            ),
            (
                "BaFin, Rundschreiben 06/2026 (BA), MaRisk, AT 9 Tz. 2",
                "BaFin, Rundschreiben 06/2026 (BA), MaRisk, AT 9 Tz. 2",
            ),
        ] {
            assert_eq!(cited(Language::German, english), german);
            assert_eq!(cited(Language::English, english), english);
        }
    }
}
