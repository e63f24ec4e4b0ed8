//! Introductory blocks: headings and rows of badges.
//!
//! They are held back until the next block is known and go to the page where that block begins, so that none is left
//! alone at the foot of a page.

use super::clean::clean_line;
use super::flow::{Anchor, Flow, lines_height};
use super::sheet::{Area, Mark, Shape};
use super::structure::{NodeId, Role};
use super::style::{self, LEFT, LINE_WIDTH, RIGHT, SECTION, TextStyle, tone_colour, tone_ground};
use super::text::Line;
use crate::document::{Align, Badge, HeadingLevel, Tone};

const BADGE_HEIGHT: f32 = 16.0;
const BADGE_GAP: f32 = 6.0;
const BADGES_BELOW: f32 = 2.0;
/// The width of the symbol and the padding of a badge.
const BADGE_TRIM: f32 = 24.0;

/// A typeset introductory block.
pub(super) enum Lead<'d> {
    Heading(Heading),
    Badges(Badges<'d>),
}

impl Lead<'_> {
    fn height(&self) -> f32 {
        match self {
            Self::Heading(heading) => {
                heading.above + lines_height(heading.lines.len(), heading.style.leading) + heading.below
            }
            Self::Badges(badges) => badges.height(),
        }
    }
}

/// Places the waiting blocks on the page where the beginning of the next block fits too.
pub(super) fn place_leads(
    flow: &mut Flow<'_, '_>,
    waiting: &mut Vec<Lead<'_>>,
    parent: NodeId,
    beginning: f32,
) {
    let height: f32 = waiting.iter().map(Lead::height).sum();
    if height > 0.0 {
        flow.need(height + beginning);
    }
    let mut follows_heading = false;
    for lead in waiting.drain(..) {
        match lead {
            Lead::Heading(mut heading) => {
                // The heading before it already has space below.
                heading.above *= if follows_heading { 0.3 } else { 1.0 };
                follows_heading = true;
                heading.place(flow, parent);
            }
            Lead::Badges(badges) => {
                follows_heading = false;
                badges.place(flow, parent);
            }
        }
    }
}

pub(super) struct Heading {
    level: u8,
    title: String,
    lines: Vec<Line>,
    style: TextStyle,
    above: f32,
    below: f32,
}

impl Heading {
    pub(super) fn section(flow: &mut Flow<'_, '_>, text: &str) -> Option<Self> {
        Self::set(flow, 1, text, SECTION, (30.0, 10.0))
    }

    /// A heading within a section. Levels are never skipped, because screen readers navigate by them: below `parent`
    /// the deepest possible level is `parent + 1`.
    pub(super) fn inner(
        flow: &mut Flow<'_, '_>,
        level: HeadingLevel,
        text: &str,
        parent: u8,
    ) -> Option<Self> {
        let (wanted, spacing) = match level {
            HeadingLevel::Two => (2, (20.0, 6.0)),
            HeadingLevel::Three => (3, (12.0, 3.0)),
        };
        Self::set(flow, wanted.min(parent + 1), text, style::heading(level), spacing)
    }

    pub(super) fn level(&self) -> u8 {
        self.level
    }

    /// A heading without text is left out.
    fn set(
        flow: &mut Flow<'_, '_>,
        level: u8,
        text: &str,
        style: TextStyle,
        spacing: (f32, f32),
    ) -> Option<Self> {
        let title = clean_line(text);
        if title.is_empty() {
            return None;
        }
        let lines = flow.typesetter.lines(&title, &style, LINE_WIDTH);
        Some(Self { level, title, lines, style, above: spacing.0, below: spacing.1 })
    }

    fn place(self, flow: &mut Flow<'_, '_>, parent: NodeId) {
        flow.gap(self.above);
        let role = Role::Heading { level: u16::from(self.level), title: self.title.clone() };
        let node = flow.structure.add(parent, role);
        let anchor = Anchor { level: self.level, title: self.title, page: flow.page(), y: flow.y() };
        flow.anchors.push(anchor);
        for line in &self.lines {
            flow.need(self.style.leading);
            let place = (LEFT, flow.y());
            flow.sheet().text(Mark::Text(node), line, &self.style, place, (LINE_WIDTH, Align::Start));
            flow.advance(self.style.leading);
        }
        flow.advance(self.below);
    }
}

/// Badges beside each other, as many to a row as fit.
pub(super) struct Badges<'d> {
    rows: Vec<Vec<SetBadge<'d>>>,
}

struct SetBadge<'d> {
    badge: &'d Badge,
    style: TextStyle,
    line: Line,
    x: f32,
}

impl SetBadge<'_> {
    fn width(&self) -> f32 {
        self.line.width + BADGE_TRIM
    }
}

impl<'d> Badges<'d> {
    pub(super) fn set(flow: &mut Flow<'_, '_>, badges: &'d [Badge]) -> Self {
        let mut rows: Vec<Vec<SetBadge<'d>>> = Vec::new();
        let mut x = LEFT;
        for badge in badges {
            let style = style::badge(badge.tone);
            let line = flow.typesetter.single(&badge.text, &style, LINE_WIDTH - BADGE_TRIM);
            let mut set = SetBadge { badge, style, line, x };
            match rows.last_mut() {
                Some(row) if x + set.width() <= RIGHT => {
                    x += set.width() + BADGE_GAP;
                    row.push(set);
                }
                _ => {
                    set.x = LEFT;
                    x = LEFT + set.width() + BADGE_GAP;
                    rows.push(vec![set]);
                }
            }
        }
        Self { rows }
    }

    fn height(&self) -> f32 {
        lines_height(self.rows.len(), BADGE_HEIGHT + BADGE_GAP) + BADGES_BELOW
    }

    fn place(&self, flow: &mut Flow<'_, '_>, parent: NodeId) {
        let node = flow.structure.add(parent, Role::Paragraph);
        for row in &self.rows {
            flow.need(BADGE_HEIGHT);
            for badge in row {
                place_badge(flow, badge, node);
            }
            flow.advance(BADGE_HEIGHT + BADGE_GAP);
        }
        if !self.rows.is_empty() {
            flow.gap(BADGES_BELOW);
        }
    }
}

fn place_badge(flow: &mut Flow<'_, '_>, set: &SetBadge<'_>, node: NodeId) {
    let (x, y, tone): (f32, f32, Tone) = (set.x, flow.y(), set.badge.tone);
    let area = Area { x, y, width: set.width(), height: BADGE_HEIGHT };
    let sign = Shape::Sign { tone, x: x + 9.0, y: y + BADGE_HEIGHT / 2.0, colour: tone_colour(tone) };
    let sheet = flow.sheet();
    sheet.push(Mark::LAYOUT, Shape::Fill { area, radius: 3.0, colour: tone_ground(tone) });
    sheet.push(Mark::LAYOUT, sign);
    sheet.text(Mark::Text(node), &set.line, &set.style, (x + 17.0, y), (set.line.width, Align::Start));
}
