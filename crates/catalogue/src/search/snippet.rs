//! The passage of a record that shows why it was found, with the matching words marked.

use std::ops::Range;

use domain::words::each_word;

/// The maximum length of a passage in bytes, without the words at its ends.
const LENGTH: usize = 180;

/// The length of the passage before the first match.
const BEFORE: usize = 50;

/// A passage and the positions of the matches in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    pub text: String,
    /// Byte ranges in `text`, ascending.
    pub marks: Vec<Range<usize>>,
}

/// Decides which words of a text match.
pub(super) trait Wants {
    fn wants(&self, folded: &str) -> bool;

    /// A text with this many matches is good enough.
    fn enough(&self) -> usize;
}

impl Snippet {
    /// The passage of the first text with the most matches; without a match, the start of the first text.
    pub(super) fn best(texts: &[&str], wanted: &impl Wants) -> Self {
        let mut best: (&str, Vec<Range<usize>>) = (texts.first().copied().unwrap_or_default(), Vec::new());
        for text in texts {
            let hits = hits(text, wanted);
            if hits.len() > best.1.len() {
                best = (text, hits);
            }
            if best.1.len() >= wanted.enough() {
                break;
            }
        }
        Self::cut(best.0, &best.1)
    }

    fn cut(text: &str, hits: &[Range<usize>]) -> Self {
        let first = hits.first().map_or(0, |hit| hit.start);
        let start = if text.len() <= LENGTH { 0 } else { word_start(text, first.saturating_sub(BEFORE)) };
        let end = word_end(text, start + LENGTH);
        let mut snippet = Self::default();
        if start > 0 {
            snippet.text.push('…');
        }
        let shift = snippet.text.len();
        snippet.text.push_str(text[start..end].trim_end());
        if end < text.len() {
            snippet.text.push('…');
        }
        let inside = hits.iter().filter(|hit| hit.start >= start && hit.end <= end);
        snippet.marks = inside.map(|hit| hit.start - start + shift..hit.end - start + shift).collect();
        snippet
    }

    /// The passage as HTML: everything escaped, matches in `<mark>`.
    pub fn to_html(&self) -> String {
        let mut html = String::with_capacity(self.text.len() + 16 * self.marks.len());
        let mut done = 0;
        for mark in &self.marks {
            escape(&self.text[done..mark.start], &mut html);
            html.push_str("<mark>");
            escape(&self.text[mark.clone()], &mut html);
            html.push_str("</mark>");
            done = mark.end;
        }
        escape(&self.text[done..], &mut html);
        html
    }
}

/// The positions of the matches in a text. Words that share a character are one match.
fn hits(text: &str, wanted: &impl Wants) -> Vec<Range<usize>> {
    let mut hits: Vec<Range<usize>> = Vec::new();
    each_word(text, |place, folded| {
        if !wanted.wants(folded) {
            return;
        }
        match hits.last_mut() {
            Some(last) if place.start < last.end => last.end = last.end.max(place.end),
            _ => hits.push(place),
        }
    });
    hits
}

fn escape(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
}

/// The start of the word at or after a position.
fn word_start(text: &str, position: usize) -> usize {
    if position == 0 {
        return 0;
    }
    let position = text.ceil_char_boundary(position);
    text[position..].find(' ').map_or(position, |space| position + space + 1)
}

/// The end of the word at or after a position.
fn word_end(text: &str, position: usize) -> usize {
    let position = text.ceil_char_boundary(position.min(text.len()));
    text[position..].find(' ').map_or(text.len(), |space| position + space)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Words(&'static [&'static str]);

    impl Wants for Words {
        fn wants(&self, folded: &str) -> bool {
            self.0.contains(&folded)
        }

        fn enough(&self) -> usize {
            self.0.len()
        }
    }

    #[test]
    fn shows_the_words_around_the_hit() {
        let long = "Wort ".repeat(60) + "Prüfung der Auslagerung " + &"und mehr ".repeat(40);
        let snippet = Snippet::best(&[&long], &Words(&["prufung", "auslagerung"]));
        assert!(snippet.text.starts_with("…Wort ") && snippet.text.ends_with('…'), "{}", snippet.text);
        let marked: Vec<_> = snippet.marks.iter().map(|mark| &snippet.text[mark.clone()]).collect();
        assert_eq!(marked, ["Prüfung", "Auslagerung"]);
        assert!(snippet.text.len() < LENGTH + 40);
    }

    #[test]
    fn prefers_the_text_with_more_hits_and_falls_back_to_the_first() {
        let texts = ["one risk", "one risk and one test"];
        assert_eq!(Snippet::best(&texts, &Words(&["risk", "test"])).text, texts[1]);
        let none = Snippet::best(&texts, &Words(&["gap"]));
        assert_eq!((none.text.as_str(), none.marks.len()), ("one risk", 0));
        assert_eq!(Snippet::best(&[], &Words(&["risk"])), Snippet::default());
    }

    #[test]
    fn words_of_one_character_are_marked_together() {
        let snippet = Snippet::best(&["x a\u{fdfa}b y"], &Words(&["عليه", "الله", "x"]));
        assert_eq!(snippet.to_html(), "<mark>x</mark> a<mark>\u{fdfa}</mark>b y");
    }

    #[test]
    fn html_is_escaped_and_marked() {
        let snippet = Snippet::best(&["<b>A & \"B\"</b>"], &Words(&["a"]));
        assert_eq!(snippet.to_html(), "&lt;b&gt;<mark>A</mark> &amp; &quot;B&quot;&lt;/b&gt;");
    }
}
