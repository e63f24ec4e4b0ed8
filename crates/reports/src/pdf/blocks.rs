//! Lays out sections and their blocks.

use super::chart::SetChart;
use super::flow::{Flow, lines_height, lines_that_fit};
use super::lead::{Badges, Heading, Lead, place_leads};
use super::rows::{RowStyle, SetCell, Track, beginning_of, place_row};
use super::sheet::Mark;
use super::structure::{NodeId, Role, Structure};
use super::style::{self, BODY_BOTTOM, BODY_TOP, KEY, LEFT, LINE_WIDTH, RIGHT, TextStyle, VALUE};
use super::table::SetTable;
use super::text::Line;
use crate::document::{Align, Block, KeyValue, Section};

const KEY_WIDTH: f32 = 132.0;
const KEY_GUTTER: f32 = 12.0;
const PAIR_PADDING: f32 = 3.5;
const BLOCK_GAP: f32 = 14.0;

/// Lays out all sections.
pub(super) fn place_sections(flow: &mut Flow<'_, '_>, sections: &[Section]) {
    for section in sections {
        let parent = flow.structure.add(Structure::ROOT, Role::Section);
        let title = Heading::section(flow, &section.title);
        let mut level = title.as_ref().map_or(0, Heading::level);
        let mut waiting: Vec<Lead<'_>> = title.into_iter().map(Lead::Heading).collect();
        for block in &section.blocks {
            if flow.typesetter.should_stop() {
                return;
            }
            match block {
                Block::Heading { level: wanted, text } => {
                    if let Some(heading) = Heading::inner(flow, *wanted, text, level) {
                        level = heading.level();
                        waiting.push(Lead::Heading(heading));
                    }
                }
                Block::Badges(badges) => waiting.push(Lead::Badges(Badges::set(flow, badges))),
                _ => place_block(flow, block, parent, &mut waiting),
            }
        }
        place_leads(flow, &mut waiting, parent, 0.0);
    }
}

fn place_block(flow: &mut Flow<'_, '_>, block: &Block, parent: NodeId, waiting: &mut Vec<Lead<'_>>) {
    match block {
        Block::Heading { .. } | Block::Badges(_) => {}
        Block::Paragraph { style, text } => {
            let style = style::paragraph(*style);
            let lines = flow.typesetter.lines(text, &style, LINE_WIDTH);
            place_leads(flow, waiting, parent, lines_height(lines.len().min(3), style.leading));
            place_paragraph(flow, &lines, &style, parent);
        }
        Block::KeyValues(pairs) => {
            let beginning = pairs
                .first()
                .map_or(0.0, |pair| beginning_of(&set_pair(flow, pair, [Mark::LAYOUT; 2]), PAIR_PADDING));
            place_leads(flow, waiting, parent, beginning);
            place_pairs(flow, pairs, parent);
            flow.gap(BLOCK_GAP);
        }
        Block::Table(table) => {
            let table = SetTable::new(flow, table);
            place_leads(flow, waiting, parent, table.beginning() + BLOCK_GAP);
            flow.gap(4.0);
            table.place(flow, parent);
            flow.gap(BLOCK_GAP);
        }
        Block::Chart(chart) => {
            let chart = SetChart::new(flow, chart);
            place_leads(flow, waiting, parent, chart.beginning() + BLOCK_GAP);
            flow.gap(4.0);
            chart.place(flow, parent);
            flow.gap(BLOCK_GAP);
        }
        Block::PageBreak => {
            place_leads(flow, waiting, parent, 0.0);
            if !flow.at_top() {
                flow.next_page();
            }
        }
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

/// Places facts as a list: names on the left, values on the right, a hairline under each.
pub(super) fn place_pairs(flow: &mut Flow<'_, '_>, pairs: &[KeyValue], parent: NodeId) {
    let list = flow.structure.add(parent, Role::List);
    // A first pair that a heading waits for stays with it, even if a new page could hold it whole.
    let mut fresh_room = flow.remaining();
    for pair in pairs {
        let item = flow.structure.add(list, Role::ListItem);
        let key = Mark::Text(flow.structure.add(item, Role::Label));
        let value = Mark::Text(flow.structure.add(item, Role::ListBody));
        let cells = set_pair(flow, pair, [key, value]);
        let style = RowStyle { padding: PAIR_PADDING, fresh_room };
        place_row(flow, &PAIR_TRACKS, &cells, style, |_| {});
        fresh_room = BODY_BOTTOM - BODY_TOP;
    }
}

const PAIR_TRACKS: [Track; 2] = {
    let value_x = LEFT + KEY_WIDTH + KEY_GUTTER;
    [
        Track { x: LEFT, width: KEY_WIDTH, align: Align::Start },
        Track { x: value_x, width: RIGHT - value_x, align: Align::Start },
    ]
};

fn set_pair(flow: &mut Flow<'_, '_>, pair: &KeyValue, marks: [Mark; 2]) -> [SetCell; 2] {
    let mut set = |text: &str, style: TextStyle, track: usize| SetCell {
        lines: flow.typesetter.lines(text, &style, PAIR_TRACKS[track].width),
        style,
        tone: None,
        mark: marks[track],
    };
    [set(&pair.key, KEY, 0), set(&pair.value, VALUE, 1)]
}
