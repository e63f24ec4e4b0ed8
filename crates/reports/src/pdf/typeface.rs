//! The two typefaces of all reports, and their glyphs.
//!
//! The faces and their licences are in `assets/`.

use std::ops::Range;
use std::sync::LazyLock;

use harfrust::{FontRef, ShaperData};
use krilla::surface::Location;
use krilla::text::{Font, GlyphId};

use crate::ReportError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Face {
    Regular,
    Bold,
}

/// The parsed faces.
pub(super) struct Typeface {
    pub(super) regular: FaceData,
    pub(super) bold: FaceData,
}

pub(super) struct FaceData {
    pub(super) font: FontRef<'static>,
    pub(super) shaping: ShaperData,
    embedded: Font,
}

impl Typeface {
    /// The faces, which are parsed for the first report only.
    pub(super) fn get() -> Result<&'static Self, ReportError> {
        static TYPEFACE: LazyLock<Option<Typeface>> = LazyLock::new(|| Typeface::load().ok());
        TYPEFACE.as_ref().ok_or(ReportError::Typeface)
    }

    fn load() -> Result<Self, ReportError> {
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
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Glyph {
    pub(super) id: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) advance: f32,
    pub(super) x_offset: f32,
    pub(super) y_offset: f32,
    /// The face has no glyph for this text, so this is the replacement glyph.
    pub(super) replacement: bool,
    /// The text is nothing but space.
    pub(super) blank: bool,
}

impl Glyph {
    pub(super) fn text_range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The same glyph in a text that has its word from this byte on.
    pub(super) fn moved(&self, by: usize) -> Self {
        let by = offset(by);
        Self { start: self.start.saturating_add(by), end: self.end.saturating_add(by), ..self.clone() }
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

/// Clusters are counted in 32 bits; a text that long never reaches a page.
pub(super) fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
