//! Rows of cells, with text that wraps and continues on the next page.
//!
//! Tables and key/value lists are the same thing here. A row is kept together if a page can hold it; a taller one is
//! split between lines, and every cell continues where it stopped.

use super::flow::{Flow, lines_height, lines_that_fit};
use super::sheet::{Mark, Shape};
use super::style::{BODY_BOTTOM, BODY_TOP, LEFT, LINE_WIDTH, TextStyle, tone_colour};
use super::text::Line;
use crate::document::{Align, Tone};

/// The width of the symbol before the text of a cell.
pub(super) const SIGN_ROOM: f32 = 11.0;

/// The position of a column's cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Track {
    pub(super) x: f32,
    pub(super) width: f32,
    pub(super) align: Align,
}

/// The typeset text of a cell.
#[derive(Debug)]
pub(super) struct SetCell {
    pub(super) lines: Vec<Line>,
    pub(super) style: TextStyle,
    pub(super) tone: Option<Tone>,
    pub(super) mark: Mark,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RowStyle {
    pub(super) padding: f32,
    /// The height available to a row on a new page, below the repeated header. A row that fits there is moved whole.
    pub(super) fresh_room: f32,
}

/// The minimum number of lines to begin a row that has to be split anyway.
const WORTH_BEGINNING: usize = 3;

/// How much of a row must stay with its introduction: all of it, unless it takes most of a page.
pub(super) fn beginning_of(cells: &[SetCell], padding: f32) -> f32 {
    let whole = row_height(cells, padding);
    if whole <= (BODY_BOTTOM - BODY_TOP) / 2.0 {
        whole
    } else {
        lines_height(WORTH_BEGINNING, leading(cells)) + 2.0 * padding
    }
}

/// The height of a whole row.
pub(super) fn row_height(cells: &[SetCell], padding: f32) -> f32 {
    let tallest = cells
        .iter()
        .map(|cell| lines_height(cell.lines.len().max(1), cell.style.leading))
        .fold(0.0_f32, f32::max);
    tallest + 2.0 * padding
}

/// Places a row. `on_new_page` runs after every page break before and inside it, to repeat a header.
pub(super) fn place_row(
    flow: &mut Flow<'_, '_>,
    tracks: &[Track],
    cells: &[SetCell],
    style: RowStyle,
    mut on_new_page: impl FnMut(&mut Flow<'_, '_>),
) {
    let height = row_height(cells, style.padding);
    if height > flow.remaining() && !flow.at_top() {
        let worth_starting =
            lines_that_fit(flow.remaining() - 2.0 * style.padding, leading(cells)) >= WORTH_BEGINNING;
        if height <= style.fresh_room || !worth_starting {
            flow.next_page();
            on_new_page(flow);
        }
    }
    let mut placed = vec![0; cells.len()];
    loop {
        let room = flow.remaining() - 2.0 * style.padding;
        let part = place_part(flow, tracks, cells, &mut placed, (room, style.padding));
        flow.advance(part + 2.0 * style.padding);
        let y = flow.y();
        flow.sheet().hairline(LEFT, y, LINE_WIDTH);
        if cells.iter().zip(&placed).all(|(cell, &placed)| placed >= cell.lines.len()) {
            return;
        }
        flow.next_page();
        on_new_page(flow);
    }
}

/// Places as many lines of every cell as fit and returns the height they took.
fn place_part(
    flow: &mut Flow<'_, '_>,
    tracks: &[Track],
    cells: &[SetCell],
    placed: &mut [usize],
    (room, padding): (f32, f32),
) -> f32 {
    let top = flow.y() + padding;
    let mut tallest = 0.0_f32;
    for ((cell, track), placed) in cells.iter().zip(tracks).zip(placed) {
        let style = &cell.style;
        let fitting = lines_that_fit(room, style.leading).max(1);
        let end = cell.lines.len().min(*placed + fitting);
        let indent = place_sign(flow, cell, track, top, *placed);
        let mut y = top;
        for line in &cell.lines[*placed..end] {
            let place = (track.x + indent, y);
            flow.sheet().text(cell.mark, line, style, place, (track.width - indent, track.align));
            y += style.leading;
        }
        tallest = tallest.max(lines_height((end - *placed).max(1), style.leading));
        *placed = end;
    }
    tallest
}

/// Draws the symbol of a cell with a tone, on its first line, and returns how far its text moves.
fn place_sign(flow: &mut Flow<'_, '_>, cell: &SetCell, track: &Track, top: f32, placed: usize) -> f32 {
    let Some(tone) = cell.tone else { return 0.0 };
    if placed == 0 && !cell.lines.is_empty() {
        let shape = Shape::Sign {
            tone,
            x: track.x + 3.5,
            y: top + cell.style.leading / 2.0,
            colour: tone_colour(tone),
        };
        flow.sheet().push(Mark::LAYOUT, shape);
    }
    SIGN_ROOM
}

fn leading(cells: &[SetCell]) -> f32 {
    cells.iter().map(|cell| cell.style.leading).fold(1.0, f32::max)
}
