//! The structure of an article, a section or a part of an annex: paragraphs, subparagraphs and points, read from lines
//! of which each is one block of the printed text.

/// The language decides how paragraphs and points are numbered: `1.` and `(1)` change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    English,
    German,
    /// Annexes in English have no paragraphs: every number is a point.
    Annex,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Label {
    /// A numbered paragraph, or the only one of an article without numbers.
    Paragraph(String),
    Subparagraph,
    /// A number, a letter or a roman numeral, without brackets.
    Point(String),
}

/// A part of the text with what it contains, in the order of the text.
#[derive(Debug, Clone)]
pub(crate) struct Node<'t> {
    pub(crate) label: Label,
    pub(crate) items: Vec<Item<'t>>,
}

#[derive(Debug, Clone)]
pub(crate) enum Item<'t> {
    Line(&'t str),
    Child(Node<'t>),
}

impl<'t> Node<'t> {
    fn new(label: Label) -> Self {
        Self { label, items: Vec::new() }
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = &Node<'t>> {
        self.items.iter().filter_map(|item| match item {
            Item::Child(child) => Some(child),
            Item::Line(_) => None,
        })
    }

    /// The lines before the first point.
    pub(crate) fn opening(&self) -> impl Iterator<Item = &'t str> {
        self.items.iter().map_while(|item| match item {
            Item::Line(line) => Some(*line),
            Item::Child(_) => None,
        })
    }

    /// All lines.
    pub(crate) fn lines(&self, into: &mut Vec<&'t str>) {
        for item in &self.items {
            match item {
                Item::Line(line) => into.push(line),
                Item::Child(child) => child.lines(into),
            }
        }
    }
}

/// What a line begins with, and its depth below the paragraph: 1 for numbers, 2 for letters, 3 for roman numerals, 4
/// for numbers below them.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mark {
    Paragraph(String),
    Point(usize, String),
    None,
}

const NUMBER: usize = 1;
const LETTER: usize = 2;
const ROMAN: usize = 3;
const INNER: usize = 4;

/// The paragraphs of these lines.
pub(crate) fn paragraphs<'t>(lines: &[&'t str], style: Style) -> Vec<Node<'t>> {
    let marks = marks(lines, style);
    let mut reader = Reader { paragraphs: Vec::new(), open: Vec::new() };
    for (at, line) in lines.iter().enumerate() {
        match &marks[at] {
            Mark::Paragraph(number) => reader.paragraph(number.clone(), line),
            Mark::Point(depth, label) => reader.point(*depth, label, line),
            Mark::None => reader.plain(line, &marks[at + 1..]),
        }
    }
    reader.finish()
}

struct Reader<'t> {
    paragraphs: Vec<Node<'t>>,
    /// The open points, outermost first, with their depths.
    open: Vec<(usize, Node<'t>)>,
}

impl<'t> Reader<'t> {
    fn paragraph(&mut self, number: String, line: &'t str) {
        self.close(0);
        self.paragraphs.push(Node::new(Label::Paragraph(number)));
        self.subparagraph(line);
    }

    fn subparagraph(&mut self, line: &'t str) {
        self.close(0);
        if self.paragraphs.is_empty() {
            self.paragraphs.push(Node::new(Label::Paragraph(String::new())));
        }
        let mut node = Node::new(Label::Subparagraph);
        node.items.push(Item::Line(line));
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.items.push(Item::Child(node));
        }
    }

    fn point(&mut self, depth: usize, label: &str, line: &'t str) {
        self.close(depth);
        let mut node = Node::new(Label::Point(label.to_owned()));
        node.items.push(Item::Line(line));
        self.open.push((depth, node));
    }

    /// An unmarked line continues a point if the points go on after it, or the sentence around the points if it begins
    /// with a small letter; otherwise it begins a subparagraph.
    fn plain(&mut self, line: &'t str, following: &[Mark]) {
        let next = following.iter().find(|mark| **mark != Mark::None);
        if let Some(Mark::Point(depth, label)) = next {
            let continued = self.open.iter().position(|(known, node)| {
                known == depth && matches!(&node.label, Label::Point(last) if follows(last, label))
            });
            if let Some(at) = continued {
                self.close(self.open[at].0 + 1);
                if let Some((_, node)) = self.open.last_mut() {
                    node.items.push(Item::Line(line));
                }
                return;
            }
        }
        let is_small = line.chars().next().is_some_and(char::is_lowercase);
        let is_dash = line.starts_with(['—', '–', '-', '☐']);
        if is_dash && let Some((_, node)) = self.open.last_mut() {
            node.items.push(Item::Line(line));
            return;
        }
        if is_small || is_dash {
            self.close(0);
            if let Some(Item::Child(node)) = self.paragraphs.last_mut().and_then(|last| last.items.last_mut())
            {
                node.items.push(Item::Line(line));
                return;
            }
        }
        self.subparagraph(line);
    }

    /// Closes the open points from this depth on.
    fn close(&mut self, depth: usize) {
        while let Some((_, node)) = self.open.pop_if(|(known, _)| *known >= depth.max(1)) {
            let child = Item::Child(node);
            if let Some((_, outer)) = self.open.last_mut() {
                outer.items.push(child);
                continue;
            }
            if self.paragraphs.is_empty() {
                self.paragraphs.push(Node::new(Label::Paragraph(String::new())));
            }
            if let Some(paragraph) = self.paragraphs.last_mut() {
                if !matches!(paragraph.items.last(), Some(Item::Child(_))) {
                    paragraph.items.push(Item::Child(Node::new(Label::Subparagraph)));
                }
                if let Some(Item::Child(part)) = paragraph.items.last_mut() {
                    part.items.push(child);
                }
            }
        }
    }

    fn finish(mut self) -> Vec<Node<'t>> {
        self.close(0);
        self.paragraphs
    }
}

/// Reads what every line begins with. Whether `(i)` is a letter or a roman numeral follows from the lines before it.
fn marks(lines: &[&str], style: Style) -> Vec<Mark> {
    let (mut letter, mut roman): (Option<String>, Option<String>) = (None, None);
    let mut inner: Option<String> = None;
    let mut marks = Vec::with_capacity(lines.len());
    let mut introduces = false;
    for line in lines {
        let mark = match begin(line, style) {
            Begin::Top(number) => Mark::Paragraph(number),
            Begin::Number(number) => {
                // `(1)` below a letter or a roman numeral, which introduces it.
                let begins = introduces && letter.is_some() && number == "1";
                let continues = inner.as_deref().is_some_and(|last| follows(last, &number));
                Mark::Point(if begins || continues { INNER } else { NUMBER }, number)
            }
            Begin::Letters(label) => {
                let depth = depth_of(&label, letter.as_deref(), roman.as_deref(), introduces);
                Mark::Point(depth, label)
            }
            Begin::Nothing => Mark::None,
        };
        match &mark {
            Mark::Paragraph(_) | Mark::Point(NUMBER, _) => (letter, roman, inner) = (None, None, None),
            Mark::Point(LETTER, label) => (letter, roman, inner) = (Some(label.clone()), None, None),
            Mark::Point(INNER, label) => inner = Some(label.clone()),
            Mark::Point(_, label) => (roman, inner) = (Some(label.clone()), None),
            Mark::None => {}
        }
        introduces = line.trim_end().ends_with(':');
        marks.push(mark);
    }
    marks
}

fn depth_of(label: &str, letter: Option<&str>, roman: Option<&str>, introduces: bool) -> usize {
    if roman.is_some_and(|last| follows_roman(last, label)) {
        return ROMAN;
    }
    let continues = letter.is_some_and(|last| follows(last, label));
    let doubled =
        label.len() == 2 && label.as_bytes()[0] == label.as_bytes()[1] && label != "ii" && label != "xx";
    if label == "i" {
        return if continues && !introduces { LETTER } else { ROMAN };
    }
    if doubled && letter.is_some() && !continues {
        return ROMAN;
    }
    LETTER
}

enum Begin {
    Top(String),
    Number(String),
    Letters(String),
    Nothing,
}

fn begin(line: &str, style: Style) -> Begin {
    let (label, bracketed) = if let Some(inner) = line.strip_prefix('(') {
        match inner.split_once(')') {
            Some((label, rest)) if rest.starts_with(char::is_whitespace) => (label, true),
            _ => return Begin::Nothing,
        }
    } else {
        let Some(word) = line.split_whitespace().next() else { return Begin::Nothing };
        let is_german = style == Style::German;
        match word.strip_suffix('.').or_else(|| word.strip_suffix(')').filter(|_| is_german)) {
            Some(label) if line.len() > word.len() => {
                let is_letter = word.ends_with(')');
                if is_letter == label.starts_with(|c: char| c.is_ascii_digit()) {
                    return Begin::Nothing;
                }
                (label, false)
            }
            _ => return Begin::Nothing,
        }
    };
    let is_number = label.starts_with(|c: char| c.is_ascii_digit())
        && label.len() <= 3
        && label.trim_start_matches(|c: char| c.is_ascii_digit()).len() <= 1
        && label.chars().all(|c| c.is_ascii_digit() || c.is_ascii_lowercase());
    let is_letters = (1..=5).contains(&label.len()) && label.chars().all(|c| c.is_ascii_lowercase());
    let label = label.to_owned();
    match style {
        _ if is_letters && (bracketed || style == Style::German) => Begin::Letters(label),
        Style::English if is_number && !bracketed => Begin::Top(label),
        Style::German if is_number && bracketed => Begin::Top(label),
        _ if is_number => Begin::Number(label),
        _ => Begin::Nothing,
    }
}

/// Whether this label comes next after the other one in a list.
fn follows(last: &str, label: &str) -> bool {
    if let (Ok(last), Ok(next)) = (last.parse::<u32>(), label.parse::<u32>()) {
        return next == last + 1;
    }
    let next_letter = match (last.as_bytes(), label.as_bytes()) {
        ([last], [next]) => *next == *last + 1,
        ([b'z'], [b'a', b'a']) => true,
        ([a, b], [c, d]) if a == b && c == d => *c == *a + 1,
        _ => false,
    };
    next_letter || follows_roman(last, label)
}

fn follows_roman(last: &str, label: &str) -> bool {
    const ROMANS: [&str; 20] = [
        "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi",
        "xvii", "xviii", "xix", "xx",
    ];
    ROMANS.windows(2).any(|pair| pair == [last, label])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(node: &Node<'_>) -> String {
        let name = match &node.label {
            Label::Paragraph(number) => format!("P{number}"),
            Label::Subparagraph => "S".to_owned(),
            Label::Point(label) => label.clone(),
        };
        let inner: Vec<String> = node.children().map(shape).collect();
        if inner.is_empty() { name } else { format!("{name}[{}]", inner.join(" ")) }
    }

    fn shapes(text: &str, style: Style) -> String {
        let lines: Vec<&str> = text.lines().collect();
        paragraphs(&lines, style).iter().map(shape).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn points_belong_to_the_words_that_introduce_them() {
        let text = "1.   They shall:\n(a) do:\n(i) one;\n(ii) two;\n(b) rest.\nMore.\n2.   Again:\n(a) x.";
        assert_eq!(shapes(text, Style::English), "P1[S[a[i ii] b] S] P2[S[a]]");
    }

    #[test]
    fn the_letter_i_follows_h_unless_h_introduces_a_list() {
        let letters =
            "All of:\n(a) a;\n(b) b;\n(c) c;\n(d) d;\n(e) e;\n(f) f;\n(g) g;\n(h) h;\n(i) i;\n(j) j.";
        assert_eq!(shapes(letters, Style::English), "P[S[a b c d e f g h i j]]");
        let numerals = "All of:\n(g) g;\n(h) h:\n(i) one;\n(ii) two.";
        assert_eq!(shapes(numerals, Style::English), "P[S[g h[i ii]]]");
    }

    #[test]
    fn numbers_below_roman_numerals_are_points_of_theirs() {
        let text = "All:\n(c) c;\n(d) d:\n(i) i:\n(1) one;\n(2) two;\n(ii) ii;\n(e) e.";
        assert_eq!(shapes(text, Style::English), "P[S[c d[i[1 2] ii] e]]");
    }

    #[test]
    fn an_unmarked_line_between_points_belongs_to_the_point() {
        let text = "1.   All:\n(a) one.\nIt includes more.\n(b) two.\nA new subparagraph:\n(a) again.";
        assert_eq!(shapes(text, Style::English), "P1[S[a b] S[a]]");
        let closing = "1.   All:\n(a) one;\n(b) two,\nwhichever is later.";
        assert_eq!(shapes(closing, Style::English), "P1[S[a b]]");
    }

    #[test]
    fn german_acts_number_paragraphs_and_points_the_other_way_round() {
        let text =
            "(1) Sie melden:\n1. erstens\na) das\naa) dies\nb) jenes\n2. zweitens.\nSatz zwei.\n(2) Weiter.";
        assert_eq!(shapes(text, Style::German), "P1[S[1[a[aa] b] 2] S] P2[S]");
    }

    #[test]
    fn every_number_of_an_annex_is_a_point() {
        let text = "Shall have:\n1. one;\n2. two:\n(a) a;\n(b) b;\n3. three.";
        assert_eq!(shapes(text, Style::Annex), "P[S[1 2[a b] 3]]");
    }
}
