//! The table of contents: every heading with the page it is on, as a link.
//!
//! The contents come before the body, so their own length changes every number in them. They are therefore laid out
//! without numbers first, which does not change how many pages they take, and get the numbers once that is known.

use super::flow::{Anchor, Flow, lines_height};
use super::sheet::{Area, Link, Mark, Shape, Sheet};
use super::structure::{NodeId, Role};
use super::style::{CONTENTS_ENTRY, CONTENTS_SECTION, HAIRLINE, LEFT, LINE_WIDTH, RIGHT, SECTION, TextStyle};
use super::text::Typesetter;
use crate::document::Align;

const NUMBER_WIDTH: f32 = 34.0;
const INDENT: f32 = 14.0;

/// A line of the contents that has no page number yet.
pub(super) struct Entry {
    page: usize,
    /// The position of the number among the items of its page: after its title, for screen readers.
    item: usize,
    y: f32,
    leader_x: f32,
    style: TextStyle,
    node: NodeId,
    pub(super) anchor: usize,
}

/// Places the heading and all entries down to a level.
pub(super) fn place_contents(
    flow: &mut Flow<'_, '_>,
    anchors: &[Anchor],
    depth: u8,
    parent: NodeId,
) -> Vec<Entry> {
    let title = flow.labels.contents();
    let heading = flow.structure.add(parent, Role::Heading { level: 1, title: title.to_owned() });
    let line = flow.typesetter.single(title, &SECTION, LINE_WIDTH);
    let place = (LEFT, flow.y());
    flow.sheet().text(Mark::Text(heading), &line, &SECTION, place, (LINE_WIDTH, Align::Start));
    flow.advance(SECTION.leading + 14.0);
    let contents = flow.structure.add(parent, Role::Contents);
    let listed = anchors.iter().enumerate().filter(|(_, anchor)| anchor.level <= depth);
    listed.map(|(index, anchor)| place_entry(flow, index, anchor, contents)).collect()
}

fn place_entry(flow: &mut Flow<'_, '_>, index: usize, anchor: &Anchor, contents: NodeId) -> Entry {
    let style = if anchor.level == 1 { CONTENTS_SECTION } else { CONTENTS_ENTRY };
    let x = LEFT + INDENT * f32::from(anchor.level.saturating_sub(1));
    let width = RIGHT - NUMBER_WIDTH - x;
    let lines = flow.typesetter.lines(&anchor.title, &style, width);
    let height = lines_height(lines.len(), style.leading);
    if anchor.level == 1 {
        flow.gap(7.0);
    }
    flow.need(height);
    let item = flow.structure.add(contents, Role::ContentsItem);
    let reference = flow.structure.add(item, Role::Reference);
    let node = flow.structure.add(reference, Role::Link);
    let mut end = x;
    let mut y = flow.y();
    for line in &lines {
        // Only a title that fills whole pages gets here more than once.
        if style.leading > flow.remaining() {
            flow.next_page();
        }
        y = flow.y();
        flow.sheet().text(Mark::Text(node), line, &style, (x, y), (width, Align::Start));
        end = x + line.width;
        flow.advance(style.leading);
    }
    let area = Area { x, y, width: RIGHT - x, height: style.leading };
    flow.sheet().links.push(Link { area, anchor: index, node });
    let item = flow.sheet().items.len();
    Entry { page: flow.page(), item, y, leader_x: end + 6.0, style, node, anchor: index }
}

/// Adds the page numbers, with a dotted line to each.
pub(super) fn number_entries(
    sheets: &mut [Sheet],
    typesetter: &mut Typesetter<'_>,
    entries: &[Entry],
    page_of: impl Fn(&Entry) -> usize,
) {
    // From last to first, so that insertions do not move the entries still to come.
    for entry in entries.iter().rev() {
        let Some(sheet) = sheets.get_mut(entry.page) else { continue };
        let style = &entry.style;
        let already = sheet.items.len();
        // The space separates the number from the title when both are read out.
        let mut number = typesetter.lines(&format!(" {}", page_of(entry)), style, NUMBER_WIDTH);
        let Some(number) = number.pop() else { continue };
        let baseline = style.baseline(entry.y);
        let leader_end = RIGHT - number.width - 6.0;
        if leader_end > entry.leader_x {
            let (from, to) = ((entry.leader_x, baseline), (leader_end, baseline));
            sheet
                .push(Mark::LAYOUT, Shape::Rule { from, to, thickness: 0.5, dashed: true, colour: HAIRLINE });
        }
        let place = (RIGHT - NUMBER_WIDTH, entry.y);
        sheet.text(Mark::Text(entry.node), &number, style, place, (NUMBER_WIDTH, Align::End));
        let added = sheet.items.len() - already;
        sheet.items[entry.item..].rotate_right(added);
    }
}
