//! Bar charts as vectors: label, bar and value in one row, the threshold as a dashed line across all of them.
//!
//! A chart is one figure with a spoken description. A chart taller than a page becomes one figure per page, each
//! describing its own bars.

use super::clean::clean_line;
use super::flow::{Flow, lines_height};
use super::labels::Labels;
use super::sheet::{Area, Mark, Shape};
use super::structure::{NodeId, Role};
use super::style::{
    BODY_BOTTOM, BODY_TOP, CAPTION, CHART_LABEL, CHART_THRESHOLD, CHART_VALUE, GROUND, LEFT, LINE_WIDTH,
    MUTED, RIGHT, TextStyle, tone_colour,
};
use super::text::Line;
use crate::document::{Align, Bar, BarChart, Tone};

const LABEL_WIDTH: f32 = 140.0;
const VALUE_WIDTH: f32 = 74.0;
const BAR_X: f32 = LEFT + LABEL_WIDTH + 10.0;
const BAR_WIDTH: f32 = RIGHT - VALUE_WIDTH - BAR_X;
const BAR_HEIGHT: f32 = 9.0;
const ROW_GAP: f32 = 7.0;
const LABEL_LINES: usize = 2;
const CAPTION_GAP: f32 = 6.0;

/// A chart with typeset texts.
pub(super) struct SetChart<'d> {
    chart: &'d BarChart,
    caption: Vec<Line>,
    rows: Vec<SetBar<'d>>,
    full_scale: f64,
}

struct SetBar<'d> {
    bar: &'d Bar,
    label: Vec<Line>,
    value: Line,
    height: f32,
}

impl<'d> SetChart<'d> {
    pub(super) fn new(flow: &mut Flow<'_, '_>, chart: &'d BarChart) -> Self {
        let rows = chart.bars.iter().map(|bar| set_bar(flow, bar)).collect();
        let caption = flow.typesetter.lines(&chart.title, &CAPTION, LINE_WIDTH);
        Self { chart, caption, rows, full_scale: full_scale(chart) }
    }

    /// The minimum height to keep together: the whole chart, unless it takes most of a page.
    pub(super) fn beginning(&self) -> f32 {
        let whole = self.height(self.rows.len());
        if whole <= (BODY_BOTTOM - BODY_TOP) * 0.7 { whole } else { self.height(3.min(self.rows.len())) }
    }

    pub(super) fn place(&self, flow: &mut Flow<'_, '_>, parent: NodeId) {
        if self.rows.is_empty() {
            return;
        }
        flow.need(self.beginning());
        let mut rest = &self.rows[..];
        while !rest.is_empty() {
            let fitting = self.fitting(rest, flow.remaining());
            let (here, later) = rest.split_at(fitting);
            self.place_part(flow, here, parent);
            rest = later;
            if !rest.is_empty() {
                flow.next_page();
            }
        }
    }

    /// One figure: caption, threshold, and the bars of this page.
    fn place_part(&self, flow: &mut Flow<'_, '_>, rows: &[SetBar<'_>], parent: NodeId) {
        let height = self.top_height() + rows.iter().map(|row| row.height).sum::<f32>();
        let area = Area { x: LEFT, y: flow.y(), width: LINE_WIDTH, height };
        let alt = spoken(flow.labels, self.chart, rows);
        let page = flow.page();
        let node = flow.structure.add(parent, Role::Figure { alt, page, area: area.to_rect() });
        let mark = Mark::Drawing(node);
        for line in &self.caption {
            let place = (LEFT, flow.y());
            flow.sheet().text(mark, line, &CAPTION, place, (LINE_WIDTH, Align::Start));
            flow.advance(CAPTION.leading);
        }
        if !self.caption.is_empty() {
            flow.advance(CAPTION_GAP);
        }
        self.place_threshold(flow, rows, mark);
        for row in rows {
            self.place_bar(flow, row, mark);
            flow.advance(row.height);
        }
        self.place_threshold_line(flow, rows, mark);
    }

    fn place_bar(&self, flow: &mut Flow<'_, '_>, row: &SetBar<'_>, mark: Mark) {
        let (top, middle) = (flow.y(), flow.y() + (row.height - ROW_GAP) / 2.0);
        let colour = tone_colour(if matches!(row.bar.tone, Tone::Neutral | Tone::Muted) {
            Tone::Notice
        } else {
            row.bar.tone
        });
        let warns = matches!(row.bar.tone, Tone::Warning | Tone::Critical);
        let value_style =
            TextStyle { colour: if warns { colour } else { CHART_VALUE.colour }, ..CHART_VALUE };
        let length = self.length(row.bar.value);
        let sheet = flow.sheet();
        let mut y = middle - lines_height(row.label.len(), CHART_LABEL.leading) / 2.0;
        for line in &row.label {
            sheet.text(mark, line, &CHART_LABEL, (LEFT, y), (LABEL_WIDTH, Align::Start));
            y += CHART_LABEL.leading;
        }
        let bar = |width| Area { x: BAR_X, y: middle - BAR_HEIGHT / 2.0, width, height: BAR_HEIGHT };
        sheet.push(mark, Shape::Fill { area: bar(BAR_WIDTH), radius: 1.5, colour: GROUND });
        if length > 0.0 {
            sheet.push(mark, Shape::Fill { area: bar(length), radius: 1.5, colour });
        }
        if warns {
            let x = RIGHT - row.value.width - 9.0;
            sheet.push(mark, Shape::Sign { tone: row.bar.tone, x, y: middle, colour });
        }
        let value_y = top + (row.height - ROW_GAP - CHART_VALUE.leading) / 2.0;
        sheet.text(mark, &row.value, &value_style, (BAR_X + BAR_WIDTH, value_y), (VALUE_WIDTH, Align::End));
    }

    /// The name of the threshold above the line, kept within the scale.
    fn place_threshold(&self, flow: &mut Flow<'_, '_>, rows: &[SetBar<'_>], mark: Mark) {
        let Some(threshold) = &self.chart.threshold else { return };
        if rows.is_empty() {
            return;
        }
        let line = flow.typesetter.single(&threshold.label, &CHART_THRESHOLD, BAR_WIDTH);
        let x = (BAR_X + self.length(threshold.value) - line.width / 2.0)
            .clamp(BAR_X, BAR_X + BAR_WIDTH - line.width);
        let place = (x, flow.y());
        flow.sheet().text(mark, &line, &CHART_THRESHOLD, place, (line.width, Align::Start));
        flow.advance(CHART_THRESHOLD.leading + 2.0);
    }

    fn place_threshold_line(&self, flow: &mut Flow<'_, '_>, rows: &[SetBar<'_>], mark: Mark) {
        let Some(threshold) = &self.chart.threshold else { return };
        let x = BAR_X + self.length(threshold.value);
        let bottom = flow.y() - ROW_GAP + 3.0;
        let top = flow.y() - rows.iter().map(|row| row.height).sum::<f32>() - 2.0;
        let shape =
            Shape::Rule { from: (x, top), to: (x, bottom), thickness: 0.9, dashed: true, colour: MUTED };
        flow.sheet().push(mark, shape);
    }

    fn fitting(&self, rows: &[SetBar<'_>], room: f32) -> usize {
        let mut used = self.top_height();
        let fitting = rows
            .iter()
            .take_while(|row| {
                used += row.height;
                used <= room
            })
            .count();
        fitting.max(1)
    }

    fn height(&self, rows: usize) -> f32 {
        self.top_height() + self.rows[..rows].iter().map(|row| row.height).sum::<f32>()
    }

    fn top_height(&self) -> f32 {
        let caption = match self.caption.len() {
            0 => 0.0,
            lines => lines_height(lines, CAPTION.leading) + CAPTION_GAP,
        };
        let threshold = if self.chart.threshold.is_some() { CHART_THRESHOLD.leading + 2.0 } else { 0.0 };
        caption + threshold
    }

    fn length(&self, value: f64) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "a ratio between 0 and 1 loses nothing visible")]
        let ratio = (value / self.full_scale).clamp(0.0, 1.0) as f32;
        BAR_WIDTH * ratio
    }
}

fn set_bar<'d>(flow: &mut Flow<'_, '_>, bar: &'d Bar) -> SetBar<'d> {
    let label = flow.typesetter.lines_at_most(LABEL_LINES, &bar.label, &CHART_LABEL, LABEL_WIDTH);
    let value = flow.typesetter.single(&bar.display, &CHART_VALUE, VALUE_WIDTH - 16.0);
    let height = lines_height(label.len(), CHART_LABEL.leading).max(BAR_HEIGHT + 2.0) + ROW_GAP;
    SetBar { bar, label, value, height }
}

/// The end of the scale: as given, or room for the longest bar and the threshold.
fn full_scale(chart: &BarChart) -> f64 {
    let threshold = chart.threshold.as_ref().map_or(0.0, |threshold| threshold.value);
    let longest = chart.bars.iter().map(|bar| bar.value).fold(threshold, f64::max);
    let scale = chart.full_scale.unwrap_or(longest * 1.05);
    // A scale of zero length would give no positions for bars.
    if scale > 0.0 { scale } else { 1.0 }
}

/// The description of the bars, for screen readers.
fn spoken(labels: Labels, chart: &BarChart, rows: &[SetBar<'_>]) -> String {
    let description = clean_line(&chart.description);
    if !description.is_empty() {
        return description;
    }
    let title = clean_line(&chart.title);
    let kind = labels.bar_chart();
    let mut parts = vec![if title.is_empty() { kind.to_owned() } else { format!("{kind}: {title}") }];
    parts.extend(rows.iter().map(|row| clean_line(&format!("{} {}", row.bar.label, row.bar.display))));
    parts.extend(chart.threshold.iter().map(|threshold| clean_line(&threshold.label)));
    parts.join("; ")
}
