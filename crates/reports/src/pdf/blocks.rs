//! Sections and their blocks, poured into a flow.

use krilla::geom::Rect;

use super::chart::SetChart;
use super::flow::{Anchor, Flow, lines_height, lines_that_fit};
use super::rows::{RowStyle, SetCell, Track, place_row, row_height};
use super::sheet::{Area, Mark, Shape};
use super::structure::{NodeId, Role, Structure};
use super::style::{
    self, BODY_BOTTOM, BODY_TOP, KEY, LEFT, LINE_WIDTH, RIGHT, SECTION, TextStyle, VALUE, tone_colour,
    tone_ground,
};
use super::table::SetTable;
use super::text::{Line, clean_line};
use crate::document::{Align, Badge, Block, HeadingLevel, KeyValue, Section};

const KEY_WIDTH: f32 = 132.0;
const PAIR_PADDING: f32 = 3.5;
const BADGE_HEIGHT: f32 = 16.0;
const BADGE_GAP: f32 = 6.0;

/// Lays out all sections.
pub(super) fn place_sections(flow: &mut Flow<'_, '_>, sections: &[Section]) {
    for section in sections {
        let parent = flow.structure.add(Structure::ROOT, Role::Section);
        let title = Heading::set(flow, 1, &section.title, SECTION, (30.0, 10.0));
        let mut waiting: Vec<Heading> = title.into_iter().collect();
        let mut level = u8::from(!waiting.is_empty());
        for block in &section.blocks {
            if let Block::Heading { level: wanted, text } = block {
                let (wanted, spacing) = match wanted {
                    HeadingLevel::Two => (2, (20.0, 6.0)),
                    HeadingLevel::Three => (3, (12.0, 3.0)),
                };
                // Levels are never skipped: people jump from one to the next.
                let heading_level = wanted.min(level + 1);
                let style = style::heading(if wanted == 2 { HeadingLevel::Two } else { HeadingLevel::Three });
                if let Some(heading) = Heading::set(flow, heading_level, text, style, spacing) {
                    level = heading_level;
                    waiting.push(heading);
                }
            } else {
                place_block(flow, block, parent, &mut waiting);
            }
        }
        place_headings(flow, &mut waiting, parent, 0.0);
    }
}

fn place_block(flow: &mut Flow<'_, '_>, block: &Block, parent: NodeId, waiting: &mut Vec<Heading>) {
    match block {
        Block::Heading { .. } => {}
        Block::Paragraph { style, text } => {
            let style = style::paragraph(*style);
            let lines = flow.typesetter.lines(text, &style, LINE_WIDTH);
            place_headings(flow, waiting, parent, lines_height(lines.len().min(3), style.leading));
            place_paragraph(flow, &lines, &style, parent);
        }
        Block::KeyValues(pairs) => {
            place_headings(flow, waiting, parent, 3.0 * (VALUE.leading + 2.0 * PAIR_PADDING));
            place_pairs(flow, pairs, parent, Area { x: LEFT, y: 0.0, width: LINE_WIDTH, height: 0.0 });
            flow.gap(10.0);
        }
        Block::Badges(badges) => {
            // A row of badges introduces something, like a heading does.
            place_headings(flow, waiting, parent, BADGE_HEIGHT + 60.0);
            place_badges(flow, badges, parent);
        }
        Block::Table(table) => {
            let table = SetTable::new(flow, table);
            place_headings(flow, waiting, parent, table.lead_height());
            flow.gap(4.0);
            table.place(flow, parent);
            flow.gap(14.0);
        }
        Block::Chart(chart) => {
            let chart = SetChart::new(flow, chart);
            place_headings(flow, waiting, parent, chart.lead_height());
            flow.gap(4.0);
            chart.place(flow, parent);
            flow.gap(14.0);
        }
        Block::PageBreak => {
            place_headings(flow, waiting, parent, 0.0);
            if !flow.at_top() {
                flow.next_page();
            }
        }
    }
}

/// A heading that waits for what it stands above.
struct Heading {
    level: u8,
    title: String,
    lines: Vec<Line>,
    style: TextStyle,
    above: f32,
    below: f32,
}

impl Heading {
    /// A heading without words is none.
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

    fn height(&self) -> f32 {
        self.above + lines_height(self.lines.len(), self.style.leading) + self.below
    }
}

/// Places the headings that waited, on the page where the `lead` of the block after them fits too.
fn place_headings(flow: &mut Flow<'_, '_>, waiting: &mut Vec<Heading>, parent: NodeId, lead: f32) {
    let height: f32 = waiting.iter().map(Heading::height).sum();
    if !waiting.is_empty() {
        flow.need(height + lead);
    }
    for heading in waiting.drain(..) {
        flow.gap(heading.above);
        let role = Role::Heading { level: u16::from(heading.level), title: heading.title.clone() };
        let node = flow.structure.add(parent, role);
        let anchor = Anchor { level: heading.level, title: heading.title, page: flow.page(), y: flow.y() };
        flow.anchors.push(anchor);
        for line in &heading.lines {
            if heading.style.leading > flow.remaining() {
                flow.next_page();
            }
            let place = (LEFT, flow.y());
            flow.sheet().text(Mark::Text(node), line, &heading.style, place, (LINE_WIDTH, Align::Start));
            flow.advance(heading.style.leading);
        }
        flow.advance(heading.below);
    }
}

/// Places a paragraph, leaving at least two of its lines on either side of a page break.
fn place_paragraph(flow: &mut Flow<'_, '_>, lines: &[Line], style: &TextStyle, parent: NodeId) {
    if lines.is_empty() {
        return;
    }
    let node = flow.structure.add(parent, Role::Paragraph);
    let mut rest = lines;
    while !rest.is_empty() {
        let mut fitting = lines_that_fit(flow.remaining(), style.leading);
        if fitting < rest.len() {
            if rest.len() - fitting == 1 {
                fitting = fitting.saturating_sub(1);
            }
            if fitting < 2 && !flow.at_top() {
                flow.next_page();
                continue;
            }
        }
        let (here, later) = rest.split_at(rest.len().min(fitting.max(1)));
        for line in here {
            let place = (LEFT, flow.y());
            flow.sheet().text(Mark::Text(node), line, style, place, (LINE_WIDTH, Align::Start));
            flow.advance(style.leading);
        }
        rest = later;
        if !rest.is_empty() {
            flow.next_page();
        }
    }
    flow.gap(style.leading / 2.0);
}

/// Places facts as a list: names on the left, values on the right, a hairline under each. `area` gives the column.
pub(super) fn place_pairs(flow: &mut Flow<'_, '_>, pairs: &[KeyValue], parent: NodeId, area: Area) {
    let list = flow.structure.add(parent, Role::List);
    let value_x = area.x + KEY_WIDTH + 12.0;
    let tracks = [
        Track { x: area.x, width: KEY_WIDTH, align: Align::Start },
        Track { x: value_x, width: area.x + area.width - value_x, align: Align::Start },
    ];
    let style =
        RowStyle { padding: PAIR_PADDING, x: area.x, width: area.width, fresh_room: BODY_BOTTOM - BODY_TOP };
    for pair in pairs {
        let item = flow.structure.add(list, Role::ListItem);
        let key = Mark::Text(flow.structure.add(item, Role::Label));
        let value = Mark::Text(flow.structure.add(item, Role::ListBody));
        let cells = [
            set(flow, &pair.key, KEY, tracks[0].width, key),
            set(flow, &pair.value, VALUE, tracks[1].width, value),
        ];
        flow.need(row_height(&cells, PAIR_PADDING).min(style.fresh_room));
        place_row(flow, &tracks, &cells, style, |_| {});
    }
}

fn set(flow: &mut Flow<'_, '_>, text: &str, style: TextStyle, width: f32, mark: Mark) -> SetCell {
    SetCell { lines: flow.typesetter.lines(text, &style, width), style, tone: None, mark }
}

/// Places badges beside each other, as many to a line as fit.
fn place_badges(flow: &mut Flow<'_, '_>, badges: &[Badge], parent: NodeId) {
    let node = flow.structure.add(parent, Role::Paragraph);
    let mut x = LEFT;
    for badge in badges {
        let style = style::badge(badge.tone);
        let line = flow.typesetter.single(&badge.text, &style, LINE_WIDTH - 24.0);
        let width = line.width + 24.0;
        if x > LEFT && x + width > RIGHT {
            x = LEFT;
            flow.advance(BADGE_HEIGHT + BADGE_GAP);
        }
        if x <= LEFT {
            flow.need(BADGE_HEIGHT);
        }
        let y = flow.y();
        let area = Area { x, y, width, height: BADGE_HEIGHT };
        let sheet = flow.sheet();
        sheet.push(Mark::LAYOUT, Shape::Fill { area, radius: 3.0, colour: tone_ground(badge.tone) });
        let colour = tone_colour(badge.tone);
        sheet.push(
            Mark::LAYOUT,
            Shape::Sign { tone: badge.tone, x: x + 9.0, y: y + BADGE_HEIGHT / 2.0, colour },
        );
        sheet.text(Mark::Text(node), &line, &style, (x + 17.0, y), (line.width, Align::Start));
        x += width + BADGE_GAP;
    }
    if !badges.is_empty() {
        flow.advance(BADGE_HEIGHT);
        flow.gap(8.0);
    }
}

impl Area {
    pub(super) fn to_rect(self) -> Option<Rect> {
        Rect::from_xywh(self.x, self.y, self.width, self.height)
    }
}
