//! Turns text into lines: cleaning, shaping, and line breaking.
//!
//! Breaks follow the Unicode rules. A word longer than its line is divided with a hyphen; other long text, such as an
//! address, is broken after punctuation where that leaves a good line and between characters otherwise. Nothing is
//! cut off silently: only the page headers are shortened, with an ellipsis.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use unicode_linebreak::linebreaks;

use super::clean::{clean, clean_line};
use super::flow::lines_height;
use super::hyphen;
use super::shape::Shapers;
use super::style::TextStyle;
use super::typeface::{Face, Glyph, Typeface};

/// A shaped paragraph that its lines share.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) glyphs: Vec<Glyph>,
    pub(super) face: Face,
    /// Whether any of the glyphs is a replacement.
    pub(super) replaced: bool,
}

/// One line of a run. Trailing spaces are part of it, so that words stay separate when the text is read out, but not
/// of its width.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) run: Rc<Run>,
    glyphs: Range<usize>,
    pub(super) width: f32,
}

impl Line {
    pub(super) fn glyphs(&self) -> &[Glyph] {
        &self.run.glyphs[self.glyphs.clone()]
    }

    pub(super) fn text(&self) -> &str {
        let glyphs = self.glyphs();
        match (glyphs.first(), glyphs.last()) {
            (Some(first), Some(last)) => &self.run.text[first.text_range().start..last.text_range().end],
            _ => "",
        }
    }
}

/// Typesets text with the faces of one report.
pub(super) struct Typesetter<'t> {
    shapers: Shapers<'t>,
    should_stop: &'t dyn Fn() -> bool,
    /// Where the paragraph at hand may be broken; kept to reuse its memory.
    breaks: Vec<usize>,
}

impl<'t> Typesetter<'t> {
    pub(super) fn new(typeface: &'t Typeface, should_stop: &'t dyn Fn() -> bool) -> Self {
        Self { shapers: Shapers::new(typeface), should_stop, breaks: Vec::new() }
    }

    /// Whether the report is no longer wanted: what is not placed yet need not be.
    pub(super) fn should_stop(&self) -> bool {
        (self.should_stop)()
    }

    /// All lines of a text that may contain line breaks. Empty text has no lines.
    pub(super) fn lines(&mut self, text: &str, style: &TextStyle, width: f32) -> Vec<Line> {
        let mut lines = Vec::new();
        for paragraph in clean(text).split('\n') {
            let paragraph = paragraph.trim_end();
            let mut breaks = std::mem::take(&mut self.breaks);
            find_breaks(paragraph, &mut breaks);
            let hyphenated = self.hyphenated(paragraph, &breaks, style, width);
            if let Cow::Owned(divided) = &hyphenated {
                find_breaks(divided, &mut breaks);
            }
            let run = self.run(hyphenated, style.face);
            if run.glyphs.is_empty() {
                // Several blank lines are collapsed to one.
                if lines.last().is_some_and(|line: &Line| !line.glyphs.is_empty()) {
                    lines.push(Line { run, glyphs: 0..0, width: 0.0 });
                }
            } else {
                break_run(&run, &breaks, style.size, width, &mut lines);
            }
            self.breaks = breaks;
        }
        while lines.last().is_some_and(|line| line.glyphs.is_empty()) {
            lines.pop();
        }
        lines
    }

    /// The text without its line breaks on a few lines, the last of them shortened with an ellipsis if the text needs
    /// more.
    pub(super) fn lines_at_most(
        &mut self,
        most: usize,
        text: &str,
        style: &TextStyle,
        width: f32,
    ) -> Vec<Line> {
        let text = clean_line(text);
        let mut lines = self.lines(&text, style, width);
        if lines.len() > most {
            lines.truncate(most.saturating_sub(1));
            let shown: String = lines.iter().map(Line::text).collect();
            lines.push(self.single(after(&text, &shown), style, width));
        }
        lines
    }

    /// The text on a single line, shortened with an ellipsis if it does not fit.
    pub(super) fn single(&mut self, text: &str, style: &TextStyle, width: f32) -> Line {
        let text = clean_line(text);
        let run = self.run(Cow::Borrowed(&text), style.face);
        let whole = whole_line(&run, style.size);
        if whole.width <= width {
            return whole;
        }
        let ellipsis =
            self.shapers.shape(style.face, "…").iter().map(|glyph| glyph.advance).sum::<f32>() * style.size;
        let mut kept = 0.0;
        let cut = run
            .glyphs
            .iter()
            .take_while(|glyph| {
                kept += glyph.advance * style.size;
                kept + ellipsis <= width
            })
            .last()
            .map_or(0, |glyph| glyph.text_range().end);
        let shortened = format!("{}…", text[..cut].trim_end());
        whole_line(&self.run(Cow::Owned(shortened), style.face), style.size)
    }

    /// The text with hyphens in the words that are wider than a line.
    fn hyphenated<'p>(
        &mut self,
        paragraph: &'p str,
        breaks: &[usize],
        style: &TextStyle,
        width: f32,
    ) -> Cow<'p, str> {
        let mut text = Cow::Borrowed(paragraph);
        let mut start = 0;
        let mut put = 0;
        for &end in breaks {
            let word = paragraph[start..end].trim_end();
            if may_be_wider(word, style, width) && hyphen::is_word(word) && self.width(word, style) > width {
                for at in self.cuts(word, style, width) {
                    text.to_mut().insert(start + at + put, '-');
                    put += 1;
                }
            }
            start = end;
        }
        text
    }

    /// Where a word must be divided; empty if even its shortest part is too wide.
    fn cuts(&mut self, word: &str, style: &TextStyle, width: f32) -> Vec<usize> {
        let divisions = hyphen::divisions(word);
        let mut cuts = Vec::new();
        let mut from = 0;
        while self.width(&word[from..], style) > width {
            let part = |at: usize| format!("{}-", &word[from..at]);
            let mut fitting = divisions.iter().rev().copied().filter(|at| *at > from);
            let Some(cut) = fitting.find(|at| self.width(&part(*at), style) <= width) else {
                break;
            };
            cuts.push(cut);
            from = cut;
        }
        cuts
    }

    fn width(&mut self, text: &str, style: &TextStyle) -> f32 {
        self.shapers.shape(style.face, text).iter().map(|glyph| glyph.advance * style.size).sum()
    }

    fn run(&mut self, text: Cow<'_, str>, face: Face) -> Rc<Run> {
        let glyphs = self.shapers.shape(face, &text);
        let replaced = glyphs.iter().any(|glyph| glyph.replacement);
        Rc::new(Run { text: text.into_owned(), glyphs, face, replaced })
    }
}

fn find_breaks(text: &str, breaks: &mut Vec<usize>) {
    breaks.clear();
    breaks.extend(linebreaks(text).map(|(at, _)| at));
}

/// What follows the beginning of a text that is already set, in which words may have been divided with hyphens.
fn after<'t>(text: &'t str, set: &str) -> &'t str {
    let mut rest = text.chars();
    for character in set.chars() {
        // A hyphen that divides a word stands between two letters, so the text has another character there.
        if rest.as_str().starts_with(character) {
            rest.next();
        }
    }
    rest.as_str()
}

/// Avoids measuring words that fit even if they consist of the widest letters.
fn may_be_wider(word: &str, style: &TextStyle, width: f32) -> bool {
    // A word has at most as many characters as bytes, and counting bytes takes no time.
    let wide = |letters: usize| lines_height(letters, style.size) > width;
    wide(word.len()) && wide(word.chars().count())
}

fn whole_line(run: &Rc<Run>, size: f32) -> Line {
    let width = run.glyphs.iter().map(|glyph| glyph.advance * size).sum();
    Line { run: Rc::clone(run), glyphs: 0..run.glyphs.len(), width }
}

fn break_run(run: &Rc<Run>, breaks: &[usize], size: f32, width: f32, lines: &mut Vec<Line>) {
    let mut breaker = Breaker { run, size, width, lines, start: 0, end: 0, used: 0.0, trailing: 0.0 };
    let mut glyph = 0;
    for &byte in breaks {
        let from = glyph;
        while run.glyphs.get(glyph).is_some_and(|next| next.text_range().start < byte) {
            glyph += 1;
        }
        breaker.word(from..glyph);
    }
    breaker.finish_line();
}

/// Fills lines greedily, word by word.
struct Breaker<'a> {
    run: &'a Rc<Run>,
    size: f32,
    width: f32,
    lines: &'a mut Vec<Line>,
    start: usize,
    end: usize,
    /// The width of the line so far without the spaces at its end, and those spaces.
    used: f32,
    trailing: f32,
}

impl Breaker<'_> {
    fn word(&mut self, glyphs: Range<usize>) {
        let (ink, space) = self.measure(glyphs.clone());
        if self.used + self.trailing + ink > self.width && self.end > self.start {
            self.finish_line();
        }
        if ink > self.width {
            self.long_word(glyphs);
        } else {
            self.extend(glyphs.end, ink, space);
        }
    }

    /// A word that is wider than a line, in as many lines as needed.
    fn long_word(&mut self, glyphs: Range<usize>) {
        let mut rest = glyphs;
        while !rest.is_empty() {
            let (ink, space) = self.measure(rest.clone());
            if ink <= self.width {
                self.extend(rest.end, ink, space);
                return;
            }
            let cut = self.cut(rest.clone());
            let (ink, space) = self.measure(rest.start..cut);
            self.extend(cut, ink, space);
            self.finish_line();
            rest.start = cut;
        }
    }

    /// Where to cut the front off: after punctuation in the second half of the line, or at its very end. A cluster
    /// stays whole and every line has at least one, however narrow.
    fn cut(&self, glyphs: Range<usize>) -> usize {
        let mut used = 0.0;
        let mut cut = glyphs.end;
        let mut after_punctuation = None;
        for index in glyphs.clone() {
            used += self.run.glyphs[index].advance * self.size;
            if used > self.width && index > glyphs.start {
                cut = index;
                break;
            }
            let text = &self.run.text[self.run.glyphs[index].text_range()];
            if used > self.width / 2.0
                && text.ends_with(['/', '.', '-', '_', ',', ';', ':', '@', '&', '=', '?', '\\'])
            {
                after_punctuation = Some(index + 1);
            }
        }
        let wanted = after_punctuation.unwrap_or(cut);
        let cluster = |index: usize| self.run.glyphs.get(index).map(|glyph| glyph.text_range().start);
        let back = (glyphs.start + 1..=wanted).rev().find(|&index| cluster(index) != cluster(index - 1));
        let forward = || (wanted..glyphs.end).find(|&index| cluster(index) != cluster(glyphs.start));
        back.or_else(forward).unwrap_or(glyphs.end)
    }

    fn extend(&mut self, end: usize, ink: f32, space: f32) {
        if ink > 0.0 {
            self.used += self.trailing + ink;
            self.trailing = space;
        } else {
            self.trailing += space;
        }
        self.end = end;
    }

    fn finish_line(&mut self) {
        if self.end > self.start {
            self.lines.push(Line {
                run: Rc::clone(self.run),
                glyphs: self.start..self.end,
                width: self.used,
            });
        }
        self.start = self.end;
        self.used = 0.0;
        self.trailing = 0.0;
    }

    /// The width of a word and of the spaces after it.
    fn measure(&self, glyphs: Range<usize>) -> (f32, f32) {
        let mut ink = 0.0;
        let mut space = 0.0;
        for glyph in &self.run.glyphs[glyphs] {
            if glyph.blank {
                space += glyph.advance * self.size;
            } else {
                ink += space + glyph.advance * self.size;
                space = 0.0;
            }
        }
        (ink, space)
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
