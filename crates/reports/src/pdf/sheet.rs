//! A page as a list of positioned items, before it is written as PDF operators.

use std::sync::Arc;

use krilla::geom::Rect;
use krilla::tagging::ArtifactType;

use super::structure::NodeId;
use super::style::{Colour, HAIRLINE, TextStyle};
use super::text::Line;
use crate::{
    document::{Align, Tone},
    logo::Logo,
};

/// How an item is announced by screen readers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mark {
    /// Text of a node, one line.
    Text(NodeId),
    /// Part of a drawing that is one whole.
    Drawing(NodeId),
    /// Not announced: rules, backgrounds, page headers, repeated header rows.
    Decoration(ArtifactType),
}

impl Mark {
    pub(super) const LAYOUT: Self = Self::Decoration(ArtifactType::Layout);
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Area {
    /// `None` for an area without extent.
    pub(super) fn to_rect(self) -> Option<Rect> {
        Rect::from_xywh(self.x, self.y, self.width, self.height)
    }
}

#[derive(Debug)]
pub(super) enum Shape {
    Text {
        line: Line,
        x: f32,
        baseline: f32,
        size: f32,
        colour: Colour,
    },
    Fill {
        area: Area,
        radius: f32,
        colour: Colour,
    },
    Rule {
        from: (f32, f32),
        to: (f32, f32),
        thickness: f32,
        dashed: bool,
        colour: Colour,
    },
    /// Large text across the whole page.
    Across {
        line: Line,
        size: f32,
        colour: Colour,
    },
    /// The image of the institution.
    Logo {
        area: Area,
        logo: Arc<Logo>,
    },
    /// The symbol of a tone, centred on a point.
    Sign {
        tone: Tone,
        x: f32,
        y: f32,
        colour: Colour,
    },
}

#[derive(Debug)]
pub(super) struct Item {
    pub(super) mark: Mark,
    pub(super) shape: Shape,
}

/// A link from an area of this page to a heading.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) area: Area,
    pub(super) anchor: usize,
    pub(super) node: NodeId,
}

#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) items: Vec<Item>,
    pub(super) links: Vec<Link>,
}

impl Sheet {
    pub(super) fn push(&mut self, mark: Mark, shape: Shape) {
        self.items.push(Item { mark, shape });
    }

    /// Puts an item behind all others.
    pub(super) fn push_behind(&mut self, mark: Mark, shape: Shape) {
        self.items.insert(0, Item { mark, shape });
    }

    /// A line of text whose box starts at `y`, aligned between `x` and `x + width`.
    pub(super) fn text(
        &mut self,
        mark: Mark,
        line: &Line,
        style: &TextStyle,
        place: (f32, f32),
        room: (f32, Align),
    ) {
        let ((x, y), (width, align)) = (place, room);
        let x = match align {
            Align::Start => x,
            Align::Centre => x + (width - line.width) / 2.0,
            Align::End => x + width - line.width,
        };
        if line.glyphs().is_empty() {
            return;
        }
        let shape = Shape::Text {
            line: line.clone(),
            x,
            baseline: style.baseline(y),
            size: style.size,
            colour: style.colour,
        };
        self.push(mark, shape);
    }

    pub(super) fn hairline(&mut self, x: f32, y: f32, width: f32) {
        self.rule((x, y), (x + width, y), 0.5, HAIRLINE);
    }

    pub(super) fn rule(&mut self, from: (f32, f32), to: (f32, f32), thickness: f32, colour: Colour) {
        self.push(Mark::LAYOUT, Shape::Rule { from, to, thickness, dashed: false, colour });
    }
}
