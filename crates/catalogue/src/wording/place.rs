//! The place of a provision within its act, read from a citation: `Art. 9(4)(c)`, `Art. 26(8), first subparagraph`,
//! `Annex I, Part I, point (2)(a)`, `Annex, point 3.2.3(a)`, `§ 30 Abs. 1 Satz 2 Nr. 3`.

/// A provision: the unit of the act, and the way from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) unit: Unit,
    pub(crate) steps: Vec<Step>,
}

/// The units that acts are divided into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unit {
    /// `Art. 6`.
    Article(String),
    /// `§ 25a`.
    Section(String),
    /// `Annex II`; without a number where the act has one annex.
    Annex(Option<String>),
}

/// One step from a unit to a provision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Paragraph(String),
    /// Counted from 1.
    Subparagraph(usize),
    /// A letter, a number or a roman numeral, without brackets.
    Point(String),
    /// The first and the last sentence, counted from 1.
    Sentences(usize, usize),
    /// `Part I`, `Class II`.
    Part(String),
    /// A point with several numbers: `3.2.3`.
    Numbered(String),
    /// A template of the register of information (`B_05.02`) or its columns (`B_02.02.0100`).
    Template(Vec<String>),
}

const ORDINALS: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

impl Place {
    /// `None` if the text names no single place that a text can be cut at.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix("Art. ") {
            return Self::article(rest);
        }
        if let Some(rest) = text.strip_prefix("§ ") {
            return Self::section(rest);
        }
        Self::annex(text.strip_prefix("Annex")?)
    }

    /// The places of a citation of neighbouring provisions: `Art. 15(3) to (5)`, `§ 65 Abs. 1 bis 4`, `Art. 27(1), (5)`.
    pub(crate) fn parse_all(text: &str) -> Option<Vec<Self>> {
        if let Some(place) = Self::parse(text) {
            return Some(vec![place]);
        }
        let (stem, numbers, close) = if let Some((stem, numbers)) = text.split_once(" Abs. ") {
            (format!("{stem} Abs. "), numbers.to_owned(), "")
        } else {
            let (stem, numbers) = text.split_once('(')?;
            (format!("{stem}("), numbers.replace(['(', ')'], ""), ")")
        };
        let places =
            listed(&numbers)?.into_iter().map(|number| Self::parse(&format!("{stem}{number}{close}")));
        places.collect()
    }

    fn article(rest: &str) -> Option<Self> {
        let (number, rest) = digits(rest)?;
        let (mut steps, rest) = brackets(rest)?;
        steps.extend(tail(rest)?);
        Some(Self { unit: Unit::Article(number), steps })
    }

    fn section(rest: &str) -> Option<Self> {
        let mut words = rest.split(' ');
        let unit = Unit::Section(words.next()?.to_owned());
        let mut steps: Vec<Step> = Vec::new();
        while let Some(word) = words.next() {
            let value = words.next()?;
            match (word, steps.last_mut()) {
                ("Abs.", _) => steps.push(Step::Paragraph(value.to_owned())),
                ("Satz", _) => {
                    let first = value.parse().ok()?;
                    steps.push(Step::Sentences(first, first));
                }
                ("Nr." | "Buchst." | "Buchstabe", _) => steps.push(Step::Point(value.to_owned())),
                ("bis" | "und", Some(Step::Sentences(first, last))) => {
                    let until = value.parse().ok()?;
                    (*first < until && (word == "bis" || until == *last + 1)).then(|| *last = until)?;
                }
                _ => return None,
            }
        }
        Some(Self { unit, steps })
    }

    fn annex(rest: &str) -> Option<Self> {
        // Some citations leave out the commas, or the word point: `Annex VIII Part I point 2`, `Annex II(2)(a)`.
        let rest = rest.replace(" Part ", ", Part ").replace(" point ", ", point ").replace(",,", ",");
        let (number, mut rest) = match rest.strip_prefix(' ') {
            Some(rest) => {
                let end = rest.find([',', ' ', '(']).unwrap_or(rest.len());
                (Some(rest[..end].to_owned()), &rest[end..])
            }
            None => (None, rest.as_str()),
        };
        if number.as_ref().is_some_and(|number| !number.chars().all(|c| "IVX".contains(c))) {
            return None;
        }
        let mut steps = Vec::new();
        if let Some(codes) = rest.strip_prefix(" B_") {
            steps.push(Step::Template(templates(codes)?));
            return Some(Self { unit: Unit::Annex(number), steps });
        }
        if rest.starts_with('(') {
            steps.extend(annex_step(&format!("point {rest}"))?);
            rest = "";
        }
        while let Some(part) = rest.strip_prefix(", ") {
            let end = part.find(", ").unwrap_or(part.len());
            steps.extend(annex_step(&part[..end])?);
            rest = &part[end..];
        }
        rest.is_empty().then_some(Self { unit: Unit::Annex(number), steps })
    }
}

/// `Part I`, `point 8(a)`, `point (2)(a)`, `point 3.2.3(a)`.
fn annex_step(part: &str) -> Option<Vec<Step>> {
    if part.starts_with("Part ") || part.starts_with("Class ") || part.starts_with("PART ") {
        return Some(vec![Step::Part(part.to_owned())]);
    }
    let point = part.strip_prefix("point ")?;
    let end = point.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(point.len());
    let (number, rest) = point.split_at(end);
    let (inner, rest) = brackets(rest)?;
    let points = inner.into_iter().map(|step| match step {
        Step::Paragraph(number) => Step::Point(number),
        other => other,
    });
    let first = match number.trim_end_matches('.') {
        "" => None,
        number if number.contains('.') => Some(Step::Numbered(number.to_owned())),
        number => Some(Step::Point(number.to_owned())),
    };
    let steps: Vec<Step> = first.into_iter().chain(points).collect();
    (rest.is_empty() && !steps.is_empty()).then_some(steps)
}

/// The numbers of `3 to 5`, `1 bis 4`, `1, 5`, `3 und 4`, `1 and 2`.
fn listed(text: &str) -> Option<Vec<u32>> {
    for joint in [" to ", " bis "] {
        if let Some((first, last)) = text.split_once(joint) {
            let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
            return (first < last).then(|| (first..=last).collect());
        }
    }
    let text = text.replace(" and ", ", ").replace(" und ", ", ");
    text.split(", ").map(|number| number.parse().ok()).collect()
}

/// `02.02.0100 and 0110` names two columns of one template, `06.01.0050 to 0070` three: they are numbered in tens.
fn templates(codes: &str) -> Option<Vec<String>> {
    if let Some((first, last)) = codes.split_once(" to ") {
        let (template, first) = first.rsplit_once('.')?;
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        return (first < last).then(|| {
            let columns = (first..=last).step_by(10);
            columns.map(|column| format!("B_{template}.{column:04}")).collect()
        });
    }
    let mut parts = codes.split(" and ");
    let first = format!("B_{}", parts.next()?);
    let (template, _) = first.rsplit_once('.')?;
    let others: Vec<String> = parts.map(|column| format!("{template}.{column}")).collect();
    let is_code = |code: &String| {
        let mut groups = code["B_".len()..].split('.');
        groups.all(|group| !group.is_empty() && group.chars().all(|c| c.is_ascii_digit()))
    };
    let all: Vec<String> = std::iter::once(first.clone()).chain(others).collect();
    all.iter().all(is_code).then_some(all)
}

fn digits(text: &str) -> Option<(String, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| (text[..end].to_owned(), &text[end..]))
}

/// `(4)(c)(i)`: a number in the first pair is a paragraph, everything else a point.
fn brackets(mut text: &str) -> Option<(Vec<Step>, &str)> {
    let mut steps = Vec::new();
    while let Some(inner) = text.strip_prefix('(') {
        let (label, rest) = inner.split_once(')')?;
        if label.is_empty() || !label.chars().all(|c| c.is_ascii_alphanumeric()) {
            return None;
        }
        let is_number = label.starts_with(|c: char| c.is_ascii_digit());
        steps.push(if steps.is_empty() && is_number {
            Step::Paragraph(label.to_owned())
        } else {
            Step::Point(label.to_owned())
        });
        text = rest;
    }
    Some((steps, text))
}

/// `, second subparagraph`, `, second sentence`, `, point (a)`, in this or another order.
fn tail(mut text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    while let Some(part) = text.strip_prefix(", ") {
        let end = part.find(", ").unwrap_or(part.len());
        let (one, rest) = part.split_at(end);
        if let Some(points) = one.strip_prefix("point ") {
            let (points, left) = brackets(points)?;
            left.is_empty().then_some(())?;
            steps.extend(points.into_iter().map(|step| match step {
                Step::Paragraph(number) => Step::Point(number),
                other => other,
            }));
        } else {
            let (ordinal, noun) = one.split_once(' ')?;
            let count = ORDINALS.iter().position(|known| *known == ordinal)? + 1;
            steps.push(match noun {
                "subparagraph" => Step::Subparagraph(count),
                "sentence" => Step::Sentences(count, count),
                _ => return None,
            });
        }
        text = rest;
    }
    text.is_empty().then_some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<Step> {
        Place::parse(text).unwrap_or_else(|| panic!("{text}")).steps
    }

    fn paragraph(number: &str) -> Step {
        Step::Paragraph(number.to_owned())
    }

    fn point(label: &str) -> Step {
        Step::Point(label.to_owned())
    }

    #[test]
    fn places_of_articles_are_read_as_they_are_cited() {
        assert_eq!(steps("Art. 7"), []);
        assert_eq!(steps("Art. 9(4)(c)"), [paragraph("4"), point("c")]);
        assert_eq!(steps("Art. 30(3)(e)(i)"), [paragraph("3"), point("e"), point("i")]);
        assert_eq!(steps("Art. 6(a)"), [point("a")]);
        assert_eq!(steps("Art. 26(8), first subparagraph"), [paragraph("8"), Step::Subparagraph(1)]);
        assert_eq!(
            steps("Art. 12(3), second subparagraph, point (b)"),
            [paragraph("3"), Step::Subparagraph(2), point("b")]
        );
        assert_eq!(steps("Art. 33(1), second sentence"), [paragraph("1"), Step::Sentences(2, 2)]);
    }

    #[test]
    fn places_of_german_acts_are_read_as_they_are_cited() {
        let place = Place::parse("§ 25a Abs. 1 Satz 3 Nr. 1").unwrap();
        assert_eq!(place.unit, Unit::Section("25a".to_owned()));
        assert_eq!(place.steps, [paragraph("1"), Step::Sentences(3, 3), point("1")]);
        assert_eq!(steps("§ 31 Abs. 2 Satz 3 bis 5"), [paragraph("2"), Step::Sentences(3, 5)]);
        assert_eq!(steps("§ 5 Nr. 2 Buchst. b"), [point("2"), point("b")]);
        assert_eq!(Place::parse("§ 31 Abs. 2 Satz 3 und 5"), None);
    }

    #[test]
    fn places_of_annexes_are_read_as_they_are_cited() {
        let part = |part: &str| Step::Part(part.to_owned());
        assert_eq!(steps("Annex I, Part I, point (2)(a)"), [part("Part I"), point("2"), point("a")]);
        assert_eq!(steps("Annex II, point 8(a)"), [point("8"), point("a")]);
        assert_eq!(steps("Annex V"), []);
        let numbered = Step::Numbered("9.2".to_owned());
        assert_eq!(steps("Annex, point 9.2(c)(iv)"), [numbered, point("c"), point("iv")]);
        let columns = ["B_02.02.0100".to_owned(), "B_02.02.0110".to_owned()];
        assert_eq!(steps("Annex I B_02.02.0100 and 0110"), [Step::Template(columns.to_vec())]);
    }

    #[test]
    fn neighbouring_provisions_are_several_places() {
        let count = |text: &str| Place::parse_all(text).map(|places| places.len());
        for (text, places) in [
            ("Art. 15(3) to (5)", 3),
            ("Art. 27(1), (5)", 2),
            ("Art. 29(1) and (2)", 2),
            ("§ 65 Abs. 1 bis 4", 4),
            ("§ 34 Abs. 3, 4", 2),
            ("Art. 9(4)(c)", 1),
        ] {
            assert_eq!(count(text), Some(places), "{text}");
        }
        assert_eq!(count("Art. 5(1) to x"), None);
        assert_eq!(steps("Annex II(2)(a)"), [point("2"), point("a")]);
        assert_eq!(steps("Annex VIII Part I point 2"), [Step::Part("Part I".to_owned()), point("2")]);
        let Step::Template(columns) = &steps("Annex I B_06.01.0050 to 0070")[0] else { panic!("no columns") };
        assert_eq!(columns.len(), 3);
    }

    #[test]
    fn other_forms_are_not_guessed() {
        for text in
            ["Art. 5 to 7", "Art. x", "Art. 5(1) and (2)", "Annex one", "Clause 4.1", "Art. 5, tenth part"]
        {
            assert_eq!(Place::parse(text), None, "{text}");
        }
    }
}
