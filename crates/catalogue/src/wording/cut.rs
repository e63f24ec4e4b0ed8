//! Cuts a provision out of the text of its act. What is left out between the opening words and a point is marked `[…]`;
//! runs of spaces become one; nothing else is changed.

use super::{
    annex, numbered,
    place::{Place, Step, Unit},
    sentence::sentences,
    tree::{Label, Node, Style, paragraphs},
};

/// What stands for words that were left out.
pub(crate) const LEFT_OUT: &str = "[…]";

/// The text of an act as its file has it: one line for each printed block, units under headings.
#[derive(Debug)]
pub(crate) struct ActText<'t> {
    lines: Vec<&'t str>,
    is_german: bool,
}

impl<'t> ActText<'t> {
    pub(crate) fn new(text: &'t str, is_german: bool) -> Self {
        Self { lines: text.lines().collect(), is_german }
    }

    /// The provisions of a citation, one after the other; `None` if the text lacks one of them.
    pub(crate) fn cut_all(&self, places: &[Place]) -> Option<String> {
        let cut: Option<Vec<String>> = places.iter().map(|place| self.cut(place)).collect();
        cut.filter(|cut| !cut.is_empty()).map(|cut| cut.join("\n"))
    }

    /// The provision; `None` if the text has no such place.
    fn cut(&self, place: &Place) -> Option<String> {
        let cut = match (&place.unit, place.steps.first()) {
            (Unit::Annex(None), Some(Step::Numbered(number))) => {
                return numbered::cut(&self.lines, number, &place.steps[1..]);
            }
            (Unit::Annex(number), _) => {
                let lines = annex::lines(&self.lines, number.as_deref()?)?;
                if let Some(Step::Template(codes)) = place.steps.first() {
                    annex::templates(&lines, codes)?
                } else {
                    let (lines, steps) = annex::part(lines, &place.steps)?;
                    within(&lines, steps, Style::Annex)?
                }
            }
            (Unit::Article(number), _) => self.in_unit(&self.article(number)?, &place.steps)?,
            (Unit::Section(number), _) => {
                self.in_unit(&self.unit(&format!("## § {number}"))?, &place.steps)?
            }
        };
        Some(cut.iter().map(|line| spaced(line)).collect::<Vec<_>>().join("\n"))
    }

    fn in_unit(&self, lines: &[&'t str], steps: &[Step]) -> Option<Vec<&'t str>> {
        within(lines, steps, if self.is_german { Style::German } else { Style::English })
    }

    fn article(&self, number: &str) -> Option<Vec<&'t str>> {
        let name = if self.is_german { "Artikel" } else { "Article" };
        self.unit(&format!("## {name} {number}"))
    }

    /// The lines under a heading, up to the next one or the signatures. A heading without a title has it in the next
    /// line.
    fn unit(&self, heading: &str) -> Option<Vec<&'t str>> {
        let is_it = |line: &&str| {
            line.strip_prefix(heading).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let at = self.lines.iter().position(is_it)?;
        let bare = self.lines[at].trim_end() == heading && !self.is_german;
        let body = self.lines[at + 1 + usize::from(bare)..].iter();
        let lines = body.take_while(|line| !ends_unit(line)).copied();
        let mut lines: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).collect();
        // The title of the next chapter stands behind the last line of an article; no sentence ends without a mark.
        while !self.is_german && lines.len() > 1 && lines.last().is_some_and(|line| is_title(line)) {
            lines.pop();
        }
        Some(lines)
    }
}

fn is_title(line: &str) -> bool {
    !line.trim_end().ends_with(['.', ';', ':', ',', ')', '’', '”', '‘'])
}

fn ends_unit(line: &str) -> bool {
    let signatures = ["Done at ", "Geschehen zu ", "ANNEX", "ANHANG", "#"];
    signatures.iter().any(|start| line.starts_with(start)) || annex::is_footnote(line)
}

/// The lines that the steps lead to.
fn within<'t>(lines: &[&'t str], steps: &[Step], style: Style) -> Option<Vec<&'t str>> {
    if steps.is_empty() {
        return (!lines.is_empty()).then(|| lines.to_vec());
    }
    let all = paragraphs(lines, style);
    let (node, rest) = match &steps[0] {
        Step::Paragraph(number) => {
            let numbered =
                all.iter().find(|node| matches!(&node.label, Label::Paragraph(known) if known == number));
            let Some(node) = numbered else {
                // A list of numbers, such as definitions, is cited like paragraphs.
                let point = [Step::Point(number.clone())];
                return follow(all.first()?, &[&point[..], &steps[1..]].concat());
            };
            (node, &steps[1..])
        }
        // An article without numbered paragraphs is one paragraph.
        _ => (all.first()?, steps),
    };
    follow(node, rest)
}

fn follow<'t>(paragraph: &Node<'t>, steps: &[Step]) -> Option<Vec<&'t str>> {
    let mut cut = Vec::new();
    match steps.first() {
        None => paragraph.lines(&mut cut),
        Some(Step::Subparagraph(count)) => {
            let part = paragraph.children().nth(count.checked_sub(1)?)?;
            match steps.get(1) {
                None => part.lines(&mut cut),
                Some(_) => points(part, &labels(&steps[1..])?, &mut cut)?,
            }
        }
        Some(Step::Sentences(first, last)) => in_sentences(paragraph, *first, *last, &steps[1..], &mut cut)?,
        Some(_) => {
            let labels = labels(steps)?;
            let part = paragraph.children().find(|part| holds(part, &labels))?;
            points(part, &labels, &mut cut)?;
        }
    }
    Some(cut)
}

fn labels<'s>(steps: &'s [Step]) -> Option<Vec<&'s str>> {
    let label = |step: &'s Step| match step {
        Step::Point(label) => Some(label.as_str()),
        _ => None,
    };
    steps.iter().map(label).collect()
}

fn is_point(node: &Node<'_>, label: &str) -> bool {
    matches!(&node.label, Label::Point(known) if known == label)
}

fn child<'n, 't>(node: &'n Node<'t>, label: &str) -> Option<&'n Node<'t>> {
    node.children().find(|child| is_point(child, label))
}

fn holds(node: &Node<'_>, labels: &[&str]) -> bool {
    match labels {
        [] => true,
        [first, rest @ ..] => child(node, first).is_some_and(|child| holds(child, rest)),
    }
}

/// The opening words of each level, then the point itself with all that belongs to it.
fn points<'t>(node: &Node<'t>, labels: &[&str], cut: &mut Vec<&'t str>) -> Option<()> {
    let [first, rest @ ..] = labels else {
        node.lines(cut);
        return Some(());
    };
    cut.extend(node.opening());
    let at = node.children().position(|child| is_point(child, first))?;
    if at > 0 && !cut.is_empty() {
        cut.push(LEFT_OUT);
    }
    points(child(node, first)?, rest, cut)
}

fn in_sentences<'t>(
    paragraph: &Node<'t>,
    first: usize,
    last: usize,
    steps: &[Step],
    cut: &mut Vec<&'t str>,
) -> Option<()> {
    let found = sentences(paragraph);
    let chosen = found.get(first.checked_sub(1)?..last)?;
    let labels = labels(steps)?;
    let [label, rest @ ..] = &labels[..] else {
        for sentence in chosen {
            cut.push(sentence.text);
            sentence.points.iter().for_each(|point| point.lines(cut));
        }
        return Some(());
    };
    let sentence = chosen.first()?;
    cut.push(sentence.text);
    let at = sentence.points.iter().position(|node| is_point(node, label))?;
    if at > 0 {
        cut.push(LEFT_OUT);
    }
    points(sentence.points[at], rest, cut)
}

/// The line with single spaces.
pub(crate) fn spaced(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "\
Title
## Article 1 Subject
In order to:
(a) one;
(b) two:
(i) inner;
(ii) other.
The title of the next chapter

## Article 2
A title in a line of its own
1.   First. It has two sentences.
Second subparagraph:
(a) alpha;
(b) beta.
2.   They   shall:
(a) do;
(b) leave.
Done at Brussels
";

    fn cut(text: &str, place: &str) -> Option<String> {
        let is_german = text.contains("## §");
        ActText::new(text, is_german).cut(&Place::parse(place)?)
    }

    #[test]
    fn a_point_comes_with_the_words_that_introduce_it() {
        assert_eq!(
            cut(ENGLISH, "Art. 1").unwrap().lines().count(),
            5,
            "without the title of the next chapter"
        );
        assert_eq!(cut(ENGLISH, "Art. 1(a)").unwrap(), "In order to:\n(a) one;");
        assert_eq!(cut(ENGLISH, "Art. 2(2)(b)").unwrap(), "2. They shall:\n[…]\n(b) leave.");
        assert_eq!(cut(ENGLISH, "Art. 1(b)(ii)").unwrap(), "In order to:\n[…]\n(b) two:\n[…]\n(ii) other.");
    }

    #[test]
    fn a_paragraph_comes_whole_and_a_subparagraph_alone() {
        assert_eq!(
            cut(ENGLISH, "Art. 2(1)").unwrap(),
            "1. First. It has two sentences.\nSecond subparagraph:\n(a) alpha;\n(b) beta."
        );
        assert_eq!(cut(ENGLISH, "Art. 2(1), first subparagraph").unwrap(), "1. First. It has two sentences.");
        assert_eq!(
            cut(ENGLISH, "Art. 2(1), second subparagraph, point (b)").unwrap(),
            "Second subparagraph:\n[…]\n(b) beta."
        );
        assert_eq!(cut(ENGLISH, "Art. 2(1), second sentence").unwrap(), "It has two sentences.");
    }

    #[test]
    fn what_the_act_does_not_have_is_not_found() {
        for place in ["Art. 3", "Art. 2(3)", "Art. 2(2)(c)", "Art. 2(1), third subparagraph", "Annex I"] {
            assert_eq!(cut(ENGLISH, place), None, "{place}");
        }
    }

    #[test]
    fn sentences_and_numbers_of_german_acts_are_cut() {
        let text = "## § 30 Titel\n(1) Eins. Zwei.\n(2) Drei. Vier umfasst:\n1. a,\n2. b:\na) c.\nFünf.\n\n## § 31 Mehr\nSechs.\n";
        assert_eq!(cut(text, "§ 30 Abs. 1 Satz 2").unwrap(), "Zwei.");
        assert_eq!(cut(text, "§ 30 Abs. 2 Satz 2 Nr. 2").unwrap(), "Vier umfasst:\n[…]\n2. b:\na) c.");
        assert_eq!(cut(text, "§ 30 Abs. 2 Nr. 1").unwrap(), "(2) Drei. Vier umfasst:\n1. a,");
        assert_eq!(
            cut(text, "§ 30 Abs. 2 Satz 2 bis 3").unwrap(),
            "Vier umfasst:\n1. a,\n2. b:\na) c.\nFünf."
        );
        assert_eq!(cut(text, "§ 31").unwrap(), "Sechs.");
    }
}
