//! Tables over as many pages as they need, each page starting with the header row.

use krilla::tagging::ArtifactType;

use super::flow::{Flow, lines_height};
use super::rows::{RowStyle, SIGN_ROOM, SetCell, Track, beginning_of, place_row, row_height};
use super::sheet::{Area, Mark, Shape};
use super::structure::{NodeId, Role};
use super::style::{
    BODY_BOTTOM, BODY_TOP, CAPTION, Colour, GROUND, LEFT, LINE_WIDTH, MUTED, TABLE_CELL, TABLE_HEADER,
    TextStyle, tone_colour,
};
use super::text::Line;
use crate::document::{Align, Cell, Column, ColumnWidth, Table};

const CELL_PADDING: f32 = 4.5;
/// The space between the texts of neighbouring columns.
const GUTTER: f32 = 12.0;
/// A narrower column could not hold a symbol and a letter.
const LEAST_POINTS: u16 = 24;
/// The padding of the outer columns.
const EDGE: f32 = 6.0;
/// A taller header would leave no room for rows.
const HEADER_LINES: usize = 6;
/// The rule under the header row.
const HEADER_RULE: Colour = MUTED;
const CAPTION_GAP: f32 = 4.0;

/// A table with positioned columns and a typeset header.
pub(super) struct SetTable<'d> {
    table: &'d Table,
    tracks: Vec<Track>,
    header: Vec<SetCell>,
    header_height: f32,
    caption: Vec<Line>,
    /// How much of the first row stays with the header.
    first_row: f32,
}

impl<'d> SetTable<'d> {
    pub(super) fn new(flow: &mut Flow<'_, '_>, table: &'d Table) -> Self {
        let tracks = tracks(&table.columns);
        let header: Vec<SetCell> = table
            .columns
            .iter()
            .zip(&tracks)
            .map(|(column, track)| {
                let mut lines = flow.typesetter.lines(&column.header, &TABLE_HEADER, track.width);
                lines.truncate(HEADER_LINES);
                SetCell {
                    lines,
                    style: TABLE_HEADER,
                    tone: None,
                    mark: Mark::Decoration(ArtifactType::PaginationOther),
                }
            })
            .collect();
        let header_height = row_height(&header, CELL_PADDING);
        let caption = flow.typesetter.lines(&table.caption, &CAPTION, LINE_WIDTH);
        let first: Vec<SetCell> = table
            .rows
            .first()
            .into_iter()
            .flatten()
            .zip(&tracks)
            .map(|(cell, track)| set_cell(flow, cell, track, Mark::LAYOUT))
            .collect();
        let first_row = beginning_of(&first, CELL_PADDING).max(TABLE_CELL.leading + 2.0 * CELL_PADDING);
        Self { table, tracks, header, header_height, caption, first_row }
    }

    /// The minimum height to keep together: caption, header and the first row or its beginning.
    pub(super) fn beginning(&self) -> f32 {
        self.caption_height() + self.header_height + self.first_row
    }

    pub(super) fn place(&self, flow: &mut Flow<'_, '_>, parent: NodeId) {
        if self.table.columns.is_empty() {
            return;
        }
        let node = flow.structure.add(parent, Role::Table);
        flow.need(self.beginning());
        self.place_caption(flow, node);
        self.place_tagged_header(flow, node);
        let body = flow.structure.add(node, Role::TableBody);
        // The first row stays with its header, even if a new page could hold it whole.
        let mut fresh_room = flow.remaining();
        for row in &self.table.rows {
            if flow.typesetter.should_stop() {
                return;
            }
            let row_node = flow.structure.add(body, Role::Row);
            let cells = self.set_row(flow, row, row_node);
            self.place_row(flow, &self.tracks, &cells, fresh_room);
            fresh_room = BODY_BOTTOM - BODY_TOP - self.header_height;
        }
        if self.table.rows.is_empty() {
            self.place_empty_row(flow, body);
        }
    }

    fn place_row(&self, flow: &mut Flow<'_, '_>, tracks: &[Track], cells: &[SetCell], fresh_room: f32) {
        let style = RowStyle { padding: CELL_PADDING, fresh_room };
        place_row(flow, tracks, cells, style, |flow| self.place_header(flow, &self.header));
    }

    fn place_caption(&self, flow: &mut Flow<'_, '_>, table: NodeId) {
        if self.caption.is_empty() {
            return;
        }
        let node = flow.structure.add(table, Role::Caption);
        for line in &self.caption {
            let place = (LEFT, flow.y());
            flow.sheet().text(Mark::Text(node), line, &CAPTION, place, (LINE_WIDTH, Align::Start));
            flow.advance(CAPTION.leading);
        }
        flow.advance(CAPTION_GAP);
    }

    /// The header at the beginning of the table, which is the one that screen readers announce.
    fn place_tagged_header(&self, flow: &mut Flow<'_, '_>, table: NodeId) {
        let head = flow.structure.add(table, Role::TableHead);
        let row = flow.structure.add(head, Role::Row);
        let cells: Vec<SetCell> = self
            .header
            .iter()
            .map(|cell| SetCell {
                lines: cell.lines.clone(),
                style: cell.style,
                tone: None,
                mark: Mark::Text(flow.structure.add(row, Role::ColumnHeader)),
            })
            .collect();
        self.place_header(flow, &cells);
    }

    fn place_header(&self, flow: &mut Flow<'_, '_>, cells: &[SetCell]) {
        let (top, bottom) = (flow.y(), flow.y() + self.header_height);
        let area = Area { x: LEFT, y: top, width: LINE_WIDTH, height: self.header_height };
        flow.sheet().push(Mark::LAYOUT, Shape::Fill { area, radius: 0.0, colour: GROUND });
        for (cell, track) in cells.iter().zip(&self.tracks) {
            // Short headers are aligned to the bottom of a tall row, next to their column.
            let mut y = bottom - CELL_PADDING - lines_height(cell.lines.len(), cell.style.leading);
            for line in &cell.lines {
                flow.sheet().text(cell.mark, line, &cell.style, (track.x, y), (track.width, track.align));
                y += cell.style.leading;
            }
        }
        flow.sheet().rule((LEFT, bottom), (LEFT + LINE_WIDTH, bottom), 0.75, HEADER_RULE);
        flow.advance(self.header_height);
    }

    fn set_row(&self, flow: &mut Flow<'_, '_>, row: &[Cell], row_node: NodeId) -> Vec<SetCell> {
        let columns = self.table.columns.iter().zip(&self.tracks);
        row.iter()
            .zip(columns)
            .map(|(cell, (column, track))| {
                let role = if column.names_row { Role::RowHeader } else { Role::Cell { span: 1 } };
                let mark = Mark::Text(flow.structure.add(row_node, role));
                set_cell(flow, cell, track, mark)
            })
            .collect()
    }

    fn place_empty_row(&self, flow: &mut Flow<'_, '_>, body: NodeId) {
        let text = match self.table.empty_text.trim() {
            "" => flow.labels.no_entries(),
            text => text,
        };
        let row = flow.structure.add(body, Role::Row);
        let span = u32::try_from(self.table.columns.len()).unwrap_or(1);
        let track = Track { x: LEFT + EDGE, width: LINE_WIDTH - 2.0 * EDGE, align: Align::Start };
        let style = TextStyle { colour: MUTED, ..TABLE_CELL };
        let cell = SetCell {
            lines: flow.typesetter.lines(text, &style, track.width),
            style,
            tone: None,
            mark: Mark::Text(flow.structure.add(row, Role::Cell { span })),
        };
        let room = flow.remaining();
        self.place_row(flow, &[track], &[cell], room);
    }

    fn caption_height(&self) -> f32 {
        match self.caption.len() {
            0 => 0.0,
            lines => lines_height(lines, CAPTION.leading) + CAPTION_GAP,
        }
    }
}

fn set_cell(flow: &mut Flow<'_, '_>, cell: &Cell, track: &Track, mark: Mark) -> SetCell {
    let (style, tone) = match cell {
        Cell::Text(_) => (TABLE_CELL, None),
        Cell::Badge(badge) => (TextStyle { colour: tone_colour(badge.tone), ..TABLE_CELL }, Some(badge.tone)),
    };
    let indent = if tone.is_some() { SIGN_ROOM } else { 0.0 };
    let lines = flow.typesetter.lines(cell.text(), &style, track.width - indent);
    SetCell { lines, style, tone, mark }
}

/// The positions of the columns: fixed widths first, the rest by share, all of it scaled down if it is too wide.
fn tracks(columns: &[Column]) -> Vec<Track> {
    let gutters = lines_height(columns.len().saturating_sub(1), GUTTER);
    let room = LINE_WIDTH - 2.0 * EDGE - gutters;
    let sum = |pick: fn(&Column) -> u16| columns.iter().map(|column| f32::from(pick(column))).sum::<f32>();
    let fixed =
        sum(
            |column| {
                if let ColumnWidth::Points(points) = column.width { points.max(LEAST_POINTS) } else { 0 }
            },
        );
    let shares = sum(|column| if let ColumnWidth::Share(share) = column.width { share.max(1) } else { 0 });
    // Columns by share get at least a fifth of the line, whatever the fixed ones need.
    let fixed_room = if shares > 0.0 { room * 0.8 } else { room };
    let scale = if fixed > fixed_room { fixed_room / fixed } else { 1.0 };
    let left_over = (room - fixed * scale).max(0.0);
    let mut x = LEFT + EDGE;
    columns
        .iter()
        .map(|column| {
            let width = match column.width {
                ColumnWidth::Points(points) => f32::from(points.max(LEAST_POINTS)) * scale,
                ColumnWidth::Share(share) => left_over * f32::from(share.max(1)) / shares,
            };
            let track = Track { x, width, align: column.align };
            x += width + GUTTER;
            track
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stay_within_the_line() {
        for columns in [
            vec![Column::share("a", 1)],
            vec![Column::points("a", 60), Column::share("b", 3), Column::share("c", 1)],
            vec![Column::points("a", 400), Column::points("b", 400)],
            vec![Column::points("a", 900), Column::share("b", 0)],
            (0..20).map(|_| Column::share("narrow", 1)).collect(),
        ] {
            let tracks = tracks(&columns);
            let last = tracks.last().unwrap();
            assert!(last.x + last.width <= LEFT + LINE_WIDTH, "{columns:?}: {last:?}");
            assert!(tracks.iter().all(|track| track.width > 0.0), "{columns:?}: {tracks:?}");
        }
    }

    #[test]
    fn shares_divide_what_fixed_columns_leave() {
        let tracks = tracks(&[Column::points("a", 100), Column::share("b", 3), Column::share("c", 1)]);
        assert!((tracks[0].width - 100.0).abs() < 0.01);
        assert!((tracks[1].width - 3.0 * tracks[2].width).abs() < 0.01);
    }
}
