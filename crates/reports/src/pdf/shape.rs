//! Shaping: from text to glyphs.
//!
//! Noto Sans contains Latin, Greek and Cyrillic. All of them run from left to right, so this module needs no
//! bidirectional algorithm: text in another script has no glyphs here, and its characters keep their logical order
//! behind replacement glyphs. Shaping is requested for Latin, Greek or Cyrillic only, which keeps clusters in text
//! order.
//!
//! Shaping is slow, and the words of a report repeat. In plain Latin text no glyph depends on what stands beyond a
//! space, so such text is put together from words that are shaped once per report.

use harfrust::{
    BufferFlags, Direction, GlyphBuffer, Script, ShapeOptions, ShapePlan, Shaper, UnicodeBuffer, script,
};

use super::clean::is_printable_ascii;
use super::typeface::{Face, FaceData, Glyph, Typeface, offset};
use super::words::Words;

/// Both faces ready to shape.
pub(super) struct Shapers<'t> {
    regular: FaceShaper<'t>,
    bold: FaceShaper<'t>,
}

impl<'t> Shapers<'t> {
    pub(super) fn new(typeface: &'t Typeface) -> Self {
        Self { regular: FaceShaper::new(&typeface.regular), bold: FaceShaper::new(&typeface.bold) }
    }

    /// The glyphs of a text, in text order, one cluster after the other without a gap.
    pub(super) fn shape(&mut self, face: Face, text: &str) -> Vec<Glyph> {
        match face {
            Face::Regular => self.regular.shape(text),
            Face::Bold => self.bold.shape(text),
        }
    }
}

struct FaceShaper<'t> {
    shaper: Shaper<'t>,
    units_per_em: f32,
    plans: Vec<(Script, ShapePlan)>,
    /// Kept between calls to reuse its memory.
    buffer: Option<UnicodeBuffer>,
    replacement: Option<Glyph>,
    words: Words,
}

impl<'t> FaceShaper<'t> {
    fn new(data: &'t FaceData) -> Self {
        let shaper = data.shaping.shaper(&data.font).build();
        let units_per_em = units(shaper.units_per_em());
        let (plans, words) = (Vec::new(), Words::default());
        let mut this = Self { shaper, units_per_em, plans, buffer: None, replacement: None, words };
        this.replacement = this.shape_whole("\u{fffd}").pop();
        this
    }

    fn shape(&mut self, text: &str) -> Vec<Glyph> {
        let plain = is_printable_ascii(text) || text.chars().all(is_plain);
        if plain { self.shape_words(text) } else { self.shape_whole(text) }
    }

    /// Word by word; the space after a word is part of it.
    fn shape_words(&mut self, text: &str) -> Vec<Glyph> {
        let mut glyphs = Vec::with_capacity(text.len());
        let mut start = 0;
        for word in text.split_inclusive(' ') {
            if !self.words.append(word, start, &mut glyphs) {
                let shaped = self.shape_whole(word);
                glyphs.extend(shaped.iter().map(|glyph| glyph.moved(start)));
                self.words.insert(word, shaped);
            }
            start += word.len();
        }
        glyphs
    }

    fn shape_whole(&mut self, text: &str) -> Vec<Glyph> {
        let shaped = self.run(text);
        let mut glyphs: Vec<Glyph> = Vec::with_capacity(shaped.len());
        for (info, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
            let glyph = Glyph {
                id: info.glyph_id,
                start: info.cluster,
                end: offset(text.len()),
                advance: units(position.x_advance) / self.units_per_em,
                x_offset: units(position.x_offset) / self.units_per_em,
                y_offset: units(position.y_offset) / self.units_per_em,
                replacement: false,
                blank: false,
            };
            push_glyph(&mut glyphs, glyph, self.replacement.as_ref());
        }
        for glyph in &mut glyphs {
            glyph.blank = text[glyph.text_range()].trim().is_empty();
        }
        self.buffer = Some(shaped.clear());
        glyphs
    }

    fn run(&mut self, text: &str) -> GlyphBuffer {
        let script = script_of(text);
        if !self.plans.iter().any(|(planned, _)| *planned == script) {
            let plan = ShapePlan::new(&self.shaper, Direction::LeftToRight, Some(script), None, &[]);
            self.plans.push((script, plan));
        }
        let plan = self.plans.iter().find(|(planned, _)| *planned == script).map(|(_, plan)| plan);
        let mut buffer = self.buffer.take().unwrap_or_default();
        buffer.push_str(text);
        buffer.set_direction(Direction::LeftToRight);
        buffer.set_script(script);
        buffer.set_flags(BufferFlags::DO_NOT_INSERT_DOTTED_CIRCLE);
        self.shaper.shape(buffer, ShapeOptions::new().plan(plan))
    }
}

/// Appends a glyph, closing the cluster before it. A cluster the face cannot draw in full becomes one replacement glyph.
fn push_glyph(glyphs: &mut Vec<Glyph>, mut glyph: Glyph, replacement: Option<&Glyph>) {
    const NOT_DEFINED: u32 = 0;
    let cluster = glyph.start;
    for previous in glyphs.iter_mut().rev().take_while(|previous| previous.end > cluster) {
        if previous.start < cluster {
            previous.end = cluster;
        }
    }
    let same_cluster = glyphs.iter().rev().take_while(|previous| previous.start == cluster).count();
    let first_of_cluster = glyphs.len() - same_cluster;
    if glyphs[first_of_cluster..].iter().any(|previous| previous.replacement) {
        return;
    }
    if glyph.id == NOT_DEFINED
        && let Some(replacement) = replacement
    {
        glyphs.truncate(first_of_cluster);
        glyph = Glyph { start: glyph.start, end: glyph.end, replacement: true, ..replacement.clone() };
    }
    glyphs.push(glyph);
}

/// Whether the text is Latin in which a space separates what is shaped: letters, digits and punctuation that stand
/// for themselves. Marks that combine with a letter are not among it.
fn is_plain(character: char) -> bool {
    matches!(character,
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{17f}'
        | '\u{2012}'..='\u{2015}' | '\u{2018}'..='\u{201e}' | '\u{2022}' | '\u{2026}' | '\u{20ac}')
}

/// The script whose kerning applies: that of the first letter with a script.
fn script_of(text: &str) -> Script {
    text.chars()
        .find_map(|character| match character {
            'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}' => Some(script::LATIN),
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some(script::GREEK),
            '\u{400}'..='\u{52f}' => Some(script::CYRILLIC),
            _ => None,
        })
        .unwrap_or(script::LATIN)
}

fn units(value: i32) -> f32 {
    i16::try_from(value).map_or(0.0, f32::from)
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod tests;
