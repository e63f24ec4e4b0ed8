//! The cover page, and the headers and footers of all other pages.

use std::sync::Arc;

use krilla::tagging::ArtifactType;

use super::blocks::place_pairs;
use super::clean::clean_line;
use super::flow::{Flow, lines_height};
use super::labels::Labels;
use super::sheet::{Area, Mark, Shape, Sheet};
use super::structure::{NodeId, Role};
use super::style::{
    ACCENT, ACROSS, COVER_OWNER, COVER_SUBTITLE, COVER_TITLE, FOOT_BASELINE, FOOT_END, FOOT_RULE, HAIRLINE,
    HEAD_BASELINE, HEAD_RULE, LEFT, LINE_WIDTH, RIGHT, RUNNING, SECTION, TITLE_SUBTITLE, TextStyle,
};
use super::text::{Line, Typesetter};
use crate::document::{Align, Document, KeyValue};

const TITLE_TOP: f32 = 262.0;
const FACTS_TOP: f32 = 520.0;

/// Places the title, the subtitle and the facts.
pub(super) fn place_cover(flow: &mut Flow<'_, '_>, document: &Document, title: &str, parent: NodeId) {
    place_logo(flow, document);
    let owner = flow.structure.add(parent, Role::Paragraph);
    place_text(flow, &document.organisation, &COVER_OWNER, owner);
    flow.advance((TITLE_TOP - flow.y()).max(20.0));
    let accent = Area { x: LEFT, y: flow.y() - 22.0, width: 44.0, height: 3.5 };
    flow.sheet().push(Mark::LAYOUT, Shape::Fill { area: accent, radius: 0.0, colour: ACCENT });
    let title_node = flow.structure.add(parent, Role::Title);
    place_text(flow, title, &COVER_TITLE, title_node);
    flow.advance(10.0);
    let subtitle = flow.structure.add(parent, Role::Paragraph);
    place_text(flow, &document.subtitle, &COVER_SUBTITLE, subtitle);
    flow.advance((FACTS_TOP - flow.y()).max(40.0));
    let facts = cover_facts(document, flow.labels);
    if !facts.is_empty() {
        flow.need(40.0);
        let y = flow.y();
        flow.sheet().hairline(LEFT, y, LINE_WIDTH);
        place_pairs(flow, &facts, parent);
    }
}

/// Places the logo in the upper right corner. The name of the owner stands beside it, so it is not announced.
fn place_logo(flow: &mut Flow<'_, '_>, document: &Document) {
    const ROOM: (f32, f32) = (150.0, 50.0);
    let Some(logo) = &document.logo else { return };
    #[expect(clippy::cast_precision_loss, reason = "a logo has at most some hundred pixels on a side")]
    let (width, height) = (logo.width() as f32, logo.height() as f32);
    let scale = (ROOM.0 / width).min(ROOM.1 / height).min(1.0);
    let (width, height) = (width * scale, height * scale);
    let area = Area { x: RIGHT - width, y: flow.y(), width, height };
    flow.sheet().push(Mark::LAYOUT, Shape::Logo { area, logo: Arc::clone(logo) });
}

/// Places the same above the text of a short report.
pub(super) fn place_title(flow: &mut Flow<'_, '_>, document: &Document, title: &str, parent: NodeId) {
    let title_node = flow.structure.add(parent, Role::Title);
    place_text(flow, title, &SECTION, title_node);
    let subtitle = flow.structure.add(parent, Role::Paragraph);
    place_text(flow, &document.subtitle, &TITLE_SUBTITLE, subtitle);
    flow.advance(6.0);
    let facts = cover_facts(document, flow.labels);
    if !facts.is_empty() {
        let y = flow.y();
        flow.sheet().hairline(LEFT, y, LINE_WIDTH);
        place_pairs(flow, &facts, parent);
    }
}

fn place_text(flow: &mut Flow<'_, '_>, text: &str, style: &TextStyle, node: NodeId) {
    for line in flow.typesetter.lines(text, style, LINE_WIDTH) {
        if style.leading > flow.remaining() {
            flow.next_page();
        }
        let place = (LEFT, flow.y());
        flow.sheet().text(Mark::Text(node), &line, style, place, (LINE_WIDTH, Align::Start));
        flow.advance(style.leading);
    }
}

/// When and from which records the report was made, then the caller's facts. Facts without a value are left out.
fn cover_facts(document: &Document, labels: Labels) -> Vec<KeyValue> {
    let stamped = [(labels.generated(), &document.generated_at), (labels.filter(), &document.filter)];
    stamped
        .into_iter()
        .map(|(key, value)| KeyValue::from((key, value.as_str())))
        .chain(document.facts.iter().cloned())
        .filter(|fact| !fact.value.trim().is_empty())
        .collect()
}

/// Places the watermark on a page.
pub(super) fn place_mark(sheet: &mut Sheet, typesetter: &mut Typesetter<'_>, document: &Document) {
    /// The diagonal of an A4 page between its margins.
    const ROOM: f32 = 720.0;
    let text = clean_line(&document.mark);
    let line = typesetter.single(&text, &ACROSS, ROOM);
    if line.glyphs().is_empty() {
        return;
    }
    let shape = Shape::Across { line, size: ACROSS.size, colour: ACROSS.colour };
    sheet.push_behind(Mark::Decoration(ArtifactType::Watermark), shape);
}

/// Places the header and footer of a page.
pub(super) fn place_running(
    sheet: &mut Sheet,
    typesetter: &mut Typesetter<'_>,
    document: &Document,
    title: &str,
    (number, total): (usize, usize),
) {
    let labels = Labels(document.language);
    let head = Mark::Decoration(ArtifactType::Header);
    let foot = Mark::Decoration(ArtifactType::Footer);
    let top = line_top(HEAD_BASELINE);
    let bottom = line_top(FOOT_BASELINE);
    let stamped = stamp_lines(typesetter, &clean_line(&stamp(document, labels)));
    let mut write = |sheet: &mut Sheet, mark, text: &str, y, width, align| {
        let line = typesetter.single(text, &RUNNING, width);
        let x = if align == Align::End { RIGHT - width } else { LEFT };
        sheet.text(mark, &line, &RUNNING, (x, y), (width, align));
    };
    write(sheet, head, title, top, LINE_WIDTH * 0.54, Align::Start);
    write(sheet, head, &owner(document), top, LINE_WIDTH * 0.43, Align::End);
    for (index, line) in stamped.iter().enumerate() {
        let y = bottom + lines_height(index, RUNNING.leading);
        sheet.text(foot, line, &RUNNING, (LEFT, y), (STAMP_WIDTH, Align::Start));
    }
    write(sheet, foot, &labels.page(number, total), bottom, LINE_WIDTH * 0.2, Align::End);
    for (mark, y) in [(head, HEAD_RULE), (foot, FOOT_RULE)] {
        let (from, to) = ((LEFT, y), (RIGHT, y));
        sheet.push(mark, Shape::Rule { from, to, thickness: 0.5, dashed: false, colour: HAIRLINE });
    }
}

/// The owner and the confidentiality class.
fn owner(document: &Document) -> String {
    let parts = [document.organisation.trim(), document.classification.trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ·  ")
}

const STAMP_WIDTH: f32 = LINE_WIDTH * 0.78;
/// The number of lines between the first and the last line of the footer.
const STAMP_LINES: usize = 3;
const _: () = assert!(FOOT_END - FOOT_BASELINE >= RUNNING.leading * 2.0);

/// The stamp in as many lines as needed. Only one that is longer than the footer is shortened; it is in full at the
/// beginning of the report.
fn stamp_lines(typesetter: &mut Typesetter<'_>, stamp: &str) -> Vec<Line> {
    let mut lines = typesetter.lines(stamp, &RUNNING, STAMP_WIDTH);
    if lines.len() > STAMP_LINES {
        let rest: String = lines[STAMP_LINES - 1..].iter().map(Line::text).collect();
        lines.truncate(STAMP_LINES - 1);
        lines.push(typesetter.single(&rest, &RUNNING, STAMP_WIDTH));
    }
    lines
}

/// Time and filter, because a page may be read without its cover.
fn stamp(document: &Document, labels: Labels) -> String {
    let parts = [(labels.generated(), &document.generated_at), (labels.filter(), &document.filter)];
    let stamped = parts.iter().filter(|(_, value)| !value.trim().is_empty());
    stamped.map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>().join("  ·  ")
}

fn line_top(baseline: f32) -> f32 {
    baseline - RUNNING.baseline(0.0)
}
