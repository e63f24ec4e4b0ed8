//! The two typefaces of all reports, and shaping text with them.
//!
//! Noto Sans contains Latin, Greek and Cyrillic. All of them run from left to right, so this module needs no
//! bidirectional algorithm: text in another script has no glyphs here, and its characters keep their logical order
//! behind replacement glyphs. Shaping is requested for Latin, Greek or Cyrillic only, which keeps clusters in text
//! order.
//!
//! The faces and their licences are in `assets/`.

use std::ops::Range;

use harfrust::{
    BufferFlags, Direction, FontRef, GlyphBuffer, Script, ShapeOptions, ShapePlan, Shaper, ShaperData,
    UnicodeBuffer, script,
};
use krilla::surface::Location;
use krilla::text::{Font, GlyphId};

use crate::ReportError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Face {
    Regular,
    Bold,
}

/// The parsed faces. A [`Shapers`] borrows from it.
pub(super) struct Typeface {
    regular: FaceData,
    bold: FaceData,
}

struct FaceData {
    font: FontRef<'static>,
    shaping: ShaperData,
    embedded: Font,
}

impl Typeface {
    pub(super) fn load() -> Result<Self, ReportError> {
        Ok(Self {
            regular: FaceData::load(include_bytes!("../../assets/NotoSans-Regular.ttf"))?,
            bold: FaceData::load(include_bytes!("../../assets/NotoSans-Bold.ttf"))?,
        })
    }

    pub(super) fn embedded(&self, face: Face) -> &Font {
        match face {
            Face::Regular => &self.regular.embedded,
            Face::Bold => &self.bold.embedded,
        }
    }
}

impl FaceData {
    fn load(bytes: &'static [u8]) -> Result<Self, ReportError> {
        let font = FontRef::new(bytes).map_err(|_| ReportError::Typeface)?;
        let shaping = ShaperData::new(&font);
        let embedded = Font::new(bytes.into(), 0).ok_or(ReportError::Typeface)?;
        Ok(Self { font, shaping, embedded })
    }
}

/// A glyph and the text it represents; lengths in units of the font size.
#[derive(Debug, Clone)]
pub(super) struct Glyph {
    id: u32,
    start: u32,
    end: u32,
    pub(super) advance: f32,
    x_offset: f32,
    y_offset: f32,
    /// The face has no glyph for this text, so this is the replacement glyph.
    pub(super) replacement: bool,
}

impl Glyph {
    pub(super) fn text_range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The same glyph for another range of another text.
    pub(super) fn standing_for(&self, range: Range<usize>) -> Self {
        Self { start: offset(range.start), end: offset(range.end), ..self.clone() }
    }
}

impl krilla::text::Glyph for Glyph {
    fn glyph_id(&self) -> GlyphId {
        GlyphId::new(self.id)
    }

    fn text_range(&self) -> Range<usize> {
        Self::text_range(self)
    }

    fn x_advance(&self, size: f32) -> f32 {
        self.advance * size
    }

    fn x_offset(&self, size: f32) -> f32 {
        self.x_offset * size
    }

    fn y_offset(&self, size: f32) -> f32 {
        self.y_offset * size
    }

    fn y_advance(&self, _size: f32) -> f32 {
        0.0
    }

    fn location(&self) -> Option<Location> {
        None
    }
}

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
}

impl<'t> FaceShaper<'t> {
    fn new(data: &'t FaceData) -> Self {
        let shaper = data.shaping.shaper(&data.font).build();
        let units_per_em = units(shaper.units_per_em());
        let mut this = Self { shaper, units_per_em, plans: Vec::new(), buffer: None, replacement: None };
        this.replacement = this.shape("\u{fffd}").pop();
        this
    }

    fn shape(&mut self, text: &str) -> Vec<Glyph> {
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
            };
            push_glyph(&mut glyphs, glyph, self.replacement.as_ref());
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

/// Clusters are counted in 32 bits; a text that long never reaches a page.
fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
