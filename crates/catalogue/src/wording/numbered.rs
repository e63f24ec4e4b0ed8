//! The annex of Implementing Regulation (EU) 2024/2690, whose points have numbers such as 3.2.3. The file writes the
//! full path before each point (`3.2.3.a`) and `[cont.]` before a paragraph without a number of its own; the act
//! prints `(a)` and nothing.

use super::{
    cut::{LEFT_OUT, spaced},
    place::Step,
};

const UNNUMBERED: &str = "[cont.]";

struct Row<'t> {
    /// `3.2.3.a`, or empty for a paragraph without a number.
    path: &'t str,
    indent: usize,
    text: &'t str,
}

pub(crate) fn cut(lines: &[&str], number: &str, steps: &[Step]) -> Option<String> {
    let mut path = number.to_owned();
    for step in steps {
        let Step::Point(label) = step else { return None };
        path = format!("{path}.{label}");
    }
    let rows: Vec<Row<'_>> = lines.iter().filter_map(|line| row(line)).collect();
    let at = rows.iter().position(|row| row.path == path)?;
    let mut cut = openings(&rows, number, &path)?;
    let is_within = |row: &&Row<'_>| {
        row.path.strip_prefix(&*path).is_some_and(|rest| rest.starts_with('.'))
            || (row.path.is_empty() && steps.is_empty() && row.indent > 0)
    };
    let inner: Vec<&Row<'_>> = rows[at + 1..].iter().take_while(is_within).collect();
    cut.push(printed(&rows[at], number));
    cut.extend(inner.into_iter().map(|row| printed(row, number)));
    Some(cut.join("\n"))
}

/// The words before a point on every level above it.
fn openings(rows: &[Row<'_>], number: &str, path: &str) -> Option<Vec<String>> {
    let mut cut = Vec::new();
    let mut above = number.len();
    while above < path.len() {
        let outer = &path[..above];
        let at = rows.iter().position(|row| row.path == outer)?;
        cut.push(printed(&rows[at], number));
        // Where the number has a title only, the words stand in a paragraph without a number.
        if let Some(next) = rows.get(at + 1).filter(|next| next.path.is_empty()) {
            cut.push(printed(next, number));
        }
        let rest = &path[above + 1..];
        let end = rest.find('.').unwrap_or(rest.len());
        let first = ["a", "i", "1"];
        if !first.contains(&&rest[..end]) {
            cut.push(LEFT_OUT.to_owned());
        }
        above += 1 + end;
    }
    Some(cut)
}

/// The row as the act prints it: the point of the citation with its number, letters in brackets.
fn printed(row: &Row<'_>, number: &str) -> String {
    let text = spaced(row.text);
    match row.path.rsplit_once('.') {
        _ if row.path.is_empty() => text,
        Some((_, last)) if last.starts_with(|c: char| c.is_ascii_lowercase()) => format!("({last}) {text}"),
        _ if row.path.starts_with(number) => format!("{}. {text}", row.path),
        _ => text,
    }
}

fn row(line: &str) -> Option<Row<'_>> {
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    if let Some(text) = trimmed.strip_prefix(UNNUMBERED) {
        return Some(Row { path: "", indent, text: text.trim() });
    }
    let (path, text) = trimmed.split_once("  ")?;
    let is_path = path.starts_with(|c: char| c.is_ascii_digit())
        && path.contains('.')
        && !path.ends_with('.')
        && path.split('.').all(|part| part.chars().all(|c| c.is_ascii_alphanumeric()) && !part.is_empty());
    is_path.then(|| Row { path, indent, text: text.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 8] = [
        "9.2  The policy shall establish:",
        "  9.2.a  the type;",
        "  9.2.c  the approach:",
        "    9.2.c.i  one;",
        "    9.2.c.iv  four;",
        "5.2  Directory",
        "  [cont.]  They shall maintain:",
        "    5.2.b  a list.",
    ];

    fn point(label: &str) -> Step {
        Step::Point(label.to_owned())
    }

    #[test]
    fn points_are_printed_with_the_letters_of_the_act() {
        assert_eq!(
            cut(&LINES, "9.2", &[point("a")]).unwrap(),
            "9.2. The policy shall establish:\n(a) the type;"
        );
        assert_eq!(
            cut(&LINES, "9.2", &[point("c"), point("iv")]).unwrap(),
            "9.2. The policy shall establish:\n[…]\n(c) the approach:\n[…]\n(iv) four;"
        );
        assert_eq!(
            cut(&LINES, "9.2", &[]).unwrap(),
            "9.2. The policy shall establish:\n(a) the type;\n(c) the approach:\n(i) one;\n(iv) four;"
        );
    }

    #[test]
    fn words_without_a_number_introduce_the_points_too() {
        assert_eq!(
            cut(&LINES, "5.2", &[point("b")]).unwrap(),
            "5.2. Directory\nThey shall maintain:\n[…]\n(b) a list."
        );
        assert_eq!(cut(&LINES, "5.2", &[]).unwrap(), "5.2. Directory\nThey shall maintain:\n(b) a list.");
        assert_eq!(cut(&LINES, "5.3", &[]), None);
    }
}
