//! Parses citations such as `Regulation (EU) 2022/2554 (DORA), Art. 9(4)(c), 28(5)`: which act, which articles. Other
//! forms (annexes, clauses, circulars) name an act and no article.

use std::collections::HashMap;

use crate::act::Act;

/// An article of an act that a citation names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cited {
    /// The position of the act among the acts.
    pub(crate) act: usize,
    pub(crate) article: u32,
    pub(crate) paragraph: Option<u32>,
}

/// The act a citation begins with: of those named in its first part, the one with the longest name, because an act is
/// more specific than its issuer.
pub(crate) fn act_of<'a>(cite: &str, acts: &'a [Act]) -> Option<&'a Act> {
    let first = cite.split(';').next().unwrap_or_default();
    let longest =
        |act: &Act| act.cited_as.iter().filter(|name| first.contains(&***name)).map(|name| name.len()).max();
    acts.iter()
        .filter_map(|act| Some((longest(act)?, act)))
        .max_by_key(|(length, _)| *length)
        .map(|(_, act)| act)
}

/// Finds the articles that citations name. Thousands of them name the same few acts, so lookups are cached.
pub(crate) struct Articles<'a> {
    acts: &'a [Act],
    /// The text before an article, with the act that it names last.
    heads: HashMap<Box<str>, Option<usize>>,
}

impl<'a> Articles<'a> {
    pub(crate) fn of(acts: &'a [Act]) -> Self {
        Self { acts, heads: HashMap::new() }
    }

    /// Every article the citation names of acts that are known.
    pub(crate) fn named(&mut self, cite: &str) -> Vec<Cited> {
        let mut cited = Vec::new();
        for part in cite.split(';') {
            for (start, article) in part.match_indices("Art. ") {
                let Some(act) = self.last_act(&part[..start]) else { continue };
                let list = &part[start + article.len()..];
                cited.extend(numbers(list).map(|(article, paragraph)| Cited { act, article, paragraph }));
            }
        }
        cited
    }

    fn last_act(&mut self, head: &str) -> Option<usize> {
        if let Some(known) = self.heads.get(head) {
            return *known;
        }
        let found = names(head, self.acts).into_iter().max().map(|(_, act)| act);
        self.heads.insert(head.into(), found);
        found
    }
}

/// The positions of the acts' names in the text.
fn names(text: &str, acts: &[Act]) -> Vec<(usize, usize)> {
    let at = |name: &str| text.find(name);
    let position = |act: &Act| act.cited_as.iter().filter_map(|name| at(name)).min();
    acts.iter().enumerate().filter_map(|(index, act)| Some((position(act)?, index))).collect()
}

/// The articles at the start of the text: `9(4)(c), 28(5) and 30`, `16, 28 to 30`. Points are ignored.
fn numbers(text: &str) -> impl Iterator<Item = (u32, Option<u32>)> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut article = None;
    loop {
        let (number, after) = leading_number(rest);
        if let Some(number) = number {
            article = Some(number);
            let (paragraphs, after) = parentheses(after);
            found.push((number, paragraphs));
            rest = after;
        } else if let (Some(article), true) = (article, rest.starts_with('(')) {
            // `26(1) to (3)`: another paragraph of the same article.
            let (paragraph, after) = parentheses(rest);
            if paragraph.is_some() {
                found.push((article, paragraph));
            }
            rest = after;
        } else {
            break;
        }
        let joined = [", ", " and ", " to ", " or "].iter().find_map(|joint| rest.strip_prefix(joint));
        let Some(next) = joined else { break };
        rest = next;
    }
    found.into_iter()
}

fn leading_number(text: &str) -> (Option<u32>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    // A number that continues otherwise (`2022/2554`, `24a`) is no article of this form.
    let (digits, rest) = text.split_at(end);
    let ends = rest.chars().next().is_none_or(|c| " (,.;:".contains(c));
    (if ends { digits.parse().ok() } else { None }, rest)
}

/// Takes `(4)(c)` off the start; the paragraph is the number in the first pair.
fn parentheses(mut text: &str) -> (Option<u32>, &str) {
    let mut paragraph = None;
    let mut first = true;
    while let Some((inner, rest)) = text.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        if first {
            paragraph = inner.parse().ok();
        }
        first = false;
        text = rest;
    }
    (paragraph, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str) -> Vec<(u32, Option<u32>)> {
        numbers(list).collect()
    }

    #[test]
    fn lists_of_articles_are_read_as_people_write_them() {
        assert_eq!(read("6(5)"), [(6, Some(5))]);
        assert_eq!(read("9(4)(c) and (d), 28(5)"), [(9, Some(4)), (28, Some(5))]);
        assert_eq!(read("24(1) to (3)"), [(24, Some(1)), (24, Some(3))]);
        assert_eq!(read("16, 28 to 30"), [(16, None), (28, None), (30, None)]);
        assert_eq!(read("21(g)"), [(21, None)]);
        assert_eq!(read("71, Annex I Part II"), [(71, None)]);
        assert_eq!(read("30(2), point (a)"), [(30, Some(2))]);
        assert_eq!(read("24a"), []);
    }
}
