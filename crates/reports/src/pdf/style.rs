//! The layout constants of all reports: page, type scale and colours.
//!
//! One typeface in two weights, one accent colour, hairlines instead of boxes. All text colours have a contrast of at
//! least 4.5 to 1 on the ground they stand on.

use super::typeface::Face;
use crate::document::{HeadingLevel, ParagraphStyle, Tone};

/// A4 in points, and the lines that matter on it, measured from the top left corner.
pub(super) const PAGE_WIDTH: f32 = 595.28;
pub(super) const PAGE_HEIGHT: f32 = 841.89;
pub(super) const LEFT: f32 = 62.0;
pub(super) const RIGHT: f32 = PAGE_WIDTH - 62.0;
pub(super) const LINE_WIDTH: f32 = RIGHT - LEFT;
pub(super) const BODY_TOP: f32 = 84.0;
pub(super) const BODY_BOTTOM: f32 = PAGE_HEIGHT - 76.0;
pub(super) const HEAD_BASELINE: f32 = 46.0;
pub(super) const HEAD_RULE: f32 = 56.0;
pub(super) const FOOT_RULE: f32 = PAGE_HEIGHT - 62.0;
/// The first and the last line of the footer.
pub(super) const FOOT_BASELINE: f32 = PAGE_HEIGHT - 48.0;
pub(super) const FOOT_END: f32 = PAGE_HEIGHT - 28.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

pub(super) const INK: Colour = Colour(0x1b, 0x24, 0x30);
pub(super) const MUTED: Colour = Colour(0x55, 0x60, 0x6e);
pub(super) const HAIRLINE: Colour = Colour(0xd3, 0xd9, 0xe0);
pub(super) const GROUND: Colour = Colour(0xf3, 0xf6, 0xf8);
pub(super) const ACCENT: Colour = Colour(0x0b, 0x4f, 0x6c);

/// A face at a size: glyphs and line height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TextStyle {
    pub(super) face: Face,
    pub(super) size: f32,
    pub(super) leading: f32,
    pub(super) colour: Colour,
}

impl TextStyle {
    const fn new(face: Face, size: f32, leading: f32, colour: Colour) -> Self {
        Self { face, size, leading, colour }
    }

    /// The baseline of a line box that starts at `top`: capitals are vertically centred.
    pub(super) fn baseline(&self, top: f32) -> f32 {
        const HALF_CAP_HEIGHT: f32 = 0.357;
        top + self.leading / 2.0 + self.size * HALF_CAP_HEIGHT
    }
}

pub(super) const COVER_OWNER: TextStyle = TextStyle::new(Face::Bold, 10.0, 14.0, ACCENT);
pub(super) const COVER_TITLE: TextStyle = TextStyle::new(Face::Bold, 30.0, 38.0, INK);
pub(super) const COVER_SUBTITLE: TextStyle = TextStyle::new(Face::Regular, 14.0, 21.0, MUTED);
pub(super) const TITLE_SUBTITLE: TextStyle = TextStyle::new(Face::Regular, 11.0, 16.0, MUTED);
pub(super) const SECTION: TextStyle = TextStyle::new(Face::Bold, 18.0, 24.0, INK);
pub(super) const KEY: TextStyle = TextStyle::new(Face::Regular, 9.0, 13.5, MUTED);
pub(super) const VALUE: TextStyle = TextStyle::new(Face::Regular, 9.0, 13.5, INK);
pub(super) const CAPTION: TextStyle = TextStyle::new(Face::Bold, 9.0, 13.0, INK);
pub(super) const TABLE_HEADER: TextStyle = TextStyle::new(Face::Bold, 8.0, 11.0, MUTED);
pub(super) const TABLE_CELL: TextStyle = TextStyle::new(Face::Regular, 8.5, 12.0, INK);
pub(super) const CHART_LABEL: TextStyle = TextStyle::new(Face::Regular, 8.5, 11.0, INK);
pub(super) const CHART_VALUE: TextStyle = TextStyle::new(Face::Bold, 8.5, 11.0, INK);
pub(super) const CHART_THRESHOLD: TextStyle = TextStyle::new(Face::Regular, 7.5, 10.0, MUTED);
pub(super) const RUNNING: TextStyle = TextStyle::new(Face::Regular, 7.5, 10.0, MUTED);
/// Across the page, light enough to read the text on it.
pub(super) const ACROSS: TextStyle = TextStyle::new(Face::Bold, 46.0, 56.0, HAIRLINE);
pub(super) const CONTENTS_SECTION: TextStyle = TextStyle::new(Face::Bold, 10.0, 15.0, INK);
pub(super) const CONTENTS_ENTRY: TextStyle = TextStyle::new(Face::Regular, 9.5, 14.0, INK);

pub(super) fn heading(level: HeadingLevel) -> TextStyle {
    match level {
        HeadingLevel::Two => TextStyle::new(Face::Bold, 12.5, 17.0, INK),
        HeadingLevel::Three => TextStyle::new(Face::Bold, 10.0, 14.0, MUTED),
    }
}

pub(super) fn paragraph(style: ParagraphStyle) -> TextStyle {
    match style {
        ParagraphStyle::Body => TextStyle::new(Face::Regular, 9.5, 14.0, INK),
        ParagraphStyle::Lead => TextStyle::new(Face::Regular, 11.5, 17.0, INK),
        ParagraphStyle::Note => TextStyle::new(Face::Regular, 8.0, 11.5, MUTED),
    }
}

pub(super) fn badge(tone: Tone) -> TextStyle {
    TextStyle::new(Face::Bold, 8.0, 16.0, tone_colour(tone))
}

pub(super) fn tone_colour(tone: Tone) -> Colour {
    match tone {
        Tone::Neutral | Tone::Muted => MUTED,
        Tone::Notice | Tone::Running => ACCENT,
        Tone::Good => Colour(0x1c, 0x66, 0x39),
        Tone::Warning => Colour(0x85, 0x52, 0x00),
        Tone::Critical => Colour(0xa1, 0x1f, 0x1f),
    }
}

pub(super) fn tone_ground(tone: Tone) -> Colour {
    match tone {
        Tone::Neutral | Tone::Muted => GROUND,
        Tone::Notice | Tone::Running => Colour(0xe6, 0xf0, 0xf5),
        Tone::Good => Colour(0xe6, 0xf3, 0xea),
        Tone::Warning => Colour(0xfb, 0xf0, 0xdc),
        Tone::Critical => Colour(0xfb, 0xe9, 0xe9),
    }
}
