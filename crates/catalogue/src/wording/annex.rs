//! Annexes: their lines, their parts, and the templates of the register of information in them.

use super::place::Step;

/// The lines of an annex below its heading, without footnotes.
pub(crate) fn lines<'t>(all: &[&'t str], number: &str) -> Option<Vec<&'t str>> {
    let heading = format!("ANNEX {number}");
    let at = all.iter().position(|line| line.trim_end() == heading)?;
    let body = all[at + 1..].iter().take_while(|line| !line.starts_with("ANNEX ")).copied();
    let kept = body.filter(|line| !is_footnote(line) && !is_imprint(line) && !line.trim().is_empty());
    Some(kept.collect())
}

/// `(1)  Directive …` with two spaces, and references to the Official Journal: notes at the foot of a page.
pub(crate) fn is_footnote(line: &str) -> bool {
    let inner = line.strip_prefix('(').and_then(|inner| inner.split_once(')'));
    inner.is_some_and(|(number, rest)| {
        let numbered = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        let noted = rest.starts_with("  ") || rest.starts_with(" \u{a0}") || rest.starts_with(" OJ ");
        numbered && (noted || rest.starts_with(" ABl. "))
    })
}

fn is_imprint(line: &str) -> bool {
    ["ELI: ", "ISSN ", "A statement has been made"].iter().any(|start| line.starts_with(start))
}

/// The lines of the part that the steps begin with, and the steps within it. Without a part, everything below the
/// title of the annex.
pub(crate) fn part<'t, 's>(lines: Vec<&'t str>, steps: &'s [Step]) -> Option<(Vec<&'t str>, &'s [Step])> {
    let Some(Step::Part(name)) = steps.first() else {
        let skipped = usize::from(!steps.is_empty());
        return Some((lines.into_iter().skip(skipped).collect(), steps));
    };
    let begins = |line: &str, name: &str| {
        line.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let kind = name.split(' ').next()?;
    let at = lines.iter().position(|line| begins(line, name))?;
    let is_next = |line: &&str| begins(line, kind) && line.len() < MOST_HEADING;
    let mut body: Vec<&str> = lines[at + 1..].iter().take_while(|line| !is_next(line)).copied().collect();
    if steps.len() == 1 {
        body.insert(0, lines[at]);
    }
    Some((body, &steps[1..]))
}

/// A longer line that begins like a heading is running text.
const MOST_HEADING: usize = 160;

/// The rows of columns (`B_02.02.0100`) or the instructions to a whole template (`B_05.02`).
pub(crate) fn templates<'t>(lines: &[&'t str], codes: &[String]) -> Option<Vec<&'t str>> {
    let mut cut = Vec::new();
    for code in codes {
        let is_column = code.matches('.').count() == 2;
        if is_column {
            let at = lines.iter().position(|line| line == code)?;
            cut.push(lines[at]);
            cut.extend(lines[at + 1..].iter().take_while(|line| !ends_column(line)));
        } else {
            let heading = format!("Instructions to complete template {code} ");
            let at = lines.iter().position(|line| line.starts_with(&heading))?;
            cut.extend(lines[at..].iter().take_while(|line| **line != "Column Code"));
        }
    }
    Some(cut)
}

/// A row ends at the code of the next column or at the instructions to the next template.
fn ends_column(line: &str) -> bool {
    let is_code = line.starts_with("B_") && line.len() <= "B_02.02.0100".len();
    is_code || line.starts_with("Instructions to complete template ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 12] = [
        "ANNEX I",
        "TITLE",
        "Part I First things",
        "(1) one",
        "Part II Second things",
        "(1) other",
        "(1)  Directive of the past",
        "ANNEX II",
        "TITLE OF THE SECOND",
        "Shall have:",
        "1. one",
        "ELI: http://example.org",
    ];

    #[test]
    fn an_annex_ends_where_the_next_begins_and_has_no_footnotes() {
        assert_eq!(lines(&LINES, "I").unwrap().len(), 5);
        assert_eq!(lines(&LINES, "II").unwrap(), ["TITLE OF THE SECOND", "Shall have:", "1. one"]);
        assert_eq!(lines(&LINES, "III"), None);
    }

    #[test]
    fn a_part_ends_where_the_next_begins() {
        let steps = [Step::Part("Part I".to_owned()), Step::Point("1".to_owned())];
        let (body, rest) = part(lines(&LINES, "I").unwrap(), &steps).unwrap();
        assert_eq!((body, rest.len()), (vec!["(1) one"], 1));
    }

    #[test]
    fn a_column_ends_where_the_next_begins() {
        let rows = ["B_01.02.0090", "Name", "Mandatory", "B_01.02.0100", "Other"];
        let codes = ["B_01.02.0090".to_owned()];
        assert_eq!(templates(&rows, &codes).unwrap(), ["B_01.02.0090", "Name", "Mandatory"]);
    }
}
