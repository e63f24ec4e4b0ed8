//! Writes pages as PDF: drawing, tagging, links, bookmarks and metadata.
//!
//! The file conforms to PDF/UA-1. The writer checks the standard and refuses a file that lacks a title, a language, a
//! description of a figure or a character for a glyph, so a mistake here fails instead of shipping.

use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::color::rgb;
use krilla::configure::{Accessibility, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::geom::{Path, PathBuilder, Point, Transform};
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, Stroke, StrokeDash};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ContentTag, SpanTag};
use krilla::{Document as Pdf, SerializeSettings};

use super::sheet::{Area, Item, Mark, Shape, Sheet};
use super::structure::Structure;
use super::style::{Colour, PAGE_HEIGHT, PAGE_WIDTH};
use super::text::Line;
use super::typeface::{Glyph, Typeface};
use crate::ReportError;
use crate::document::Tone;
use crate::logo::Logo;

/// The target of a link or a bookmark, and its title.
pub(super) struct Destination {
    pub(super) label: String,
    pub(super) page: usize,
    pub(super) y: f32,
}

impl Destination {
    pub(super) fn point(&self) -> XyzDestination {
        XyzDestination::new(self.page, Point::from_xy(0.0, (self.y - 12.0).max(0.0)))
    }
}

/// An empty file that will be checked against PDF/UA-1.
pub(super) fn start() -> Result<Pdf, ReportError> {
    let configuration = ConfigurationBuilder::new()
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(ReportError::Standard)?;
    Ok(Pdf::new_with(SerializeSettings { configuration, ..SerializeSettings::default() }))
}

/// Draws the pages in order and attaches their content to the structure.
pub(super) fn paint_sheets(
    pdf: &mut Pdf,
    sheets: impl IntoIterator<Item = Sheet>,
    typeface: &Typeface,
    structure: &mut Structure,
    destinations: &[Destination],
) {
    for sheet in sheets {
        let settings = PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT).unwrap_or_default();
        let mut page = pdf.start_page_with(settings);
        let mut painter =
            Painter { surface: page.surface(), typeface, structure: &mut *structure, open: None };
        for item in &sheet.items {
            painter.paint(item);
        }
        painter.finish();
        for link in &sheet.links {
            let (Some(destination), Some(rect)) = (destinations.get(link.anchor), link.area.to_rect()) else {
                continue;
            };
            let target = Target::Destination(destination.point().into());
            let annotation =
                Annotation::new_link(LinkAnnotation::new(rect, target), Some(destination.label.clone()));
            let content = page.add_tagged_annotation(annotation);
            structure.attach(link.node, content);
        }
    }
}

struct Painter<'a, 'p> {
    surface: Surface<'p>,
    typeface: &'a Typeface,
    structure: &'a mut Structure,
    /// The open mark, for items that share one.
    open: Option<Mark>,
}

impl Painter<'_, '_> {
    fn paint(&mut self, item: &Item) {
        self.mark(item);
        match &item.shape {
            Shape::Text { line, x, baseline, size, colour } => {
                self.fill(*colour);
                self.text(line, Point::from_xy(*x, *baseline), *size);
            }
            Shape::Across { line, size, colour } => {
                self.fill(*colour);
                self.across(line, *size);
            }
            Shape::Fill { area, radius, colour } => {
                self.fill(*colour);
                self.draw(rectangle(*area, *radius));
            }
            Shape::Rule { from, to, thickness, dashed, colour } => {
                self.stroke(*colour, *thickness, *dashed);
                let mut path = PathBuilder::new();
                path.move_to(from.0, from.1);
                path.line_to(to.0, to.1);
                self.draw(path.finish());
            }
            Shape::Logo { area, logo } => self.logo(*area, logo),
            Shape::Sign { tone, x, y, colour } => {
                if matches!(tone, Tone::Neutral | Tone::Muted) {
                    self.stroke(*colour, 1.1, false);
                } else {
                    self.fill(*colour);
                }
                self.draw(sign(*tone, *x, *y));
            }
        }
    }

    /// Opens the mark of an item. Adjacent parts of the same drawing or decoration share it; lines of text never do,
    /// so that each can be referenced.
    fn mark(&mut self, item: &Item) {
        if self.open == Some(item.mark) && !matches!(item.mark, Mark::Text(_)) {
            return;
        }
        self.close();
        match item.mark {
            Mark::Text(node) => {
                let actual = match &item.shape {
                    Shape::Text { line, .. } if has_replacement(line) => Some(line.text()),
                    _ => None,
                };
                let span = ContentTag::Span(SpanTag::empty().with_actual_text(actual));
                let content = self.surface.start_tagged(span);
                self.structure.attach(node, content);
            }
            Mark::Drawing(node) => {
                let content = self.surface.start_tagged(ContentTag::Other);
                self.structure.attach(node, content);
            }
            Mark::Decoration(kind) => {
                self.surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(kind)));
            }
        }
        self.open = Some(item.mark);
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.surface.end_tagged();
        }
    }

    fn finish(mut self) {
        self.close();
        self.surface.finish();
    }

    fn text(&mut self, line: &Line, start: Point, size: f32) {
        let font = self.typeface.embedded(line.run.face).clone();
        if has_replacement(line) {
            let (text, glyphs) = as_drawn(line);
            self.surface.draw_glyphs(start, &glyphs, font, &text, size, false);
        } else {
            self.surface.draw_glyphs(start, line.glyphs(), font, &line.run.text, size, false);
        }
    }

    /// Rises from the lower left to the upper right through the middle of the page.
    fn across(&mut self, line: &Line, size: f32) {
        const RISE: f32 = -54.0;
        const HALF_CAP_HEIGHT: f32 = 0.357;
        let (x, y) = (PAGE_WIDTH / 2.0, PAGE_HEIGHT / 2.0);
        self.surface.push_transform(&Transform::from_rotate_at(RISE, x, y));
        self.text(line, Point::from_xy(x - line.width / 2.0, y + size * HALF_CAP_HEIGHT), size);
        self.surface.pop();
    }

    /// Each run reaches a little under the next one and the next line, so that no seam shows between them.
    fn logo(&mut self, area: Area, logo: &Logo) {
        const OVERLAP: f32 = 0.4;
        #[expect(clippy::cast_precision_loss, reason = "a logo has at most some hundred pixels on a side")]
        let pixels = |count: u32| count as f32;
        let (across, down) = (area.width / pixels(logo.width()), area.height / pixels(logo.height()));
        for run in logo.runs() {
            let [red, green, blue] = run.colour;
            self.fill(Colour(red, green, blue));
            let left = area.x + pixels(run.x) * across;
            let right = (left + (pixels(run.length) + OVERLAP) * across).min(area.x + area.width);
            let top = area.y + pixels(run.y) * down;
            let bottom = (top + (1.0 + OVERLAP) * down).min(area.y + area.height);
            self.draw(rectangle(Area { x: left, y: top, width: right - left, height: bottom - top }, 0.0));
        }
    }

    fn fill(&mut self, colour: Colour) {
        let fill =
            Fill { paint: paint(colour).into(), opacity: NormalizedF32::ONE, rule: FillRule::default() };
        self.surface.set_fill(Some(fill));
        self.surface.set_stroke(None);
    }

    fn stroke(&mut self, colour: Colour, width: f32, dashed: bool) {
        let dash = dashed.then(|| StrokeDash { array: vec![1.6, 2.4], offset: 0.0 });
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(Stroke {
            paint: paint(colour).into(),
            width,
            dash,
            ..Stroke::default()
        }));
    }

    fn draw(&mut self, path: Option<Path>) {
        if let Some(path) = path {
            self.surface.draw_path(&path);
        }
    }
}

fn has_replacement(line: &Line) -> bool {
    line.run.replaced && line.glyphs().iter().any(|glyph| glyph.replacement)
}

/// The line as displayed: U+FFFD where a glyph is missing. The glyph then represents itself, and the surrounding text
/// gives the original characters, which readers without that feature would otherwise mix up between lines.
fn as_drawn(line: &Line) -> (String, Vec<Glyph>) {
    let mut text = String::new();
    let mut glyphs: Vec<Glyph> = Vec::with_capacity(line.glyphs().len());
    let mut previous = None;
    for glyph in line.glyphs() {
        let original = glyph.text_range();
        let range = if previous == Some(original.clone()) {
            glyphs.last().map_or(0..0, Glyph::text_range)
        } else {
            let start = text.len();
            text.push_str(if glyph.replacement { "\u{fffd}" } else { &line.run.text[original.clone()] });
            start..text.len()
        };
        glyphs.push(glyph.standing_for(range));
        previous = Some(original);
    }
    (text, glyphs)
}

fn paint(Colour(red, green, blue): Colour) -> rgb::Color {
    rgb::Color::new(red, green, blue)
}

fn rectangle(area: Area, radius: f32) -> Option<Path> {
    let Area { x, y, width, height } = area;
    let radius = radius.min(width / 2.0).min(height / 2.0);
    let (right, bottom) = (x + width, y + height);
    let mut path = PathBuilder::new();
    if radius <= 0.0 {
        path.push_rect(area.to_rect()?);
        return path.finish();
    }
    path.move_to(x + radius, y);
    path.line_to(right - radius, y);
    path.quad_to(right, y, right, y + radius);
    path.line_to(right, bottom - radius);
    path.quad_to(right, bottom, right - radius, bottom);
    path.line_to(x + radius, bottom);
    path.quad_to(x, bottom, x, bottom - radius);
    path.line_to(x, y + radius);
    path.quad_to(x, y, x + radius, y);
    path.close();
    path.finish()
}

/// The shape of a tone: ring, square, disc, triangle, diamond.
fn sign(tone: Tone, x: f32, y: f32) -> Option<Path> {
    let polygon = |points: &[(f32, f32)]| {
        let mut path = PathBuilder::new();
        for (index, (dx, dy)) in points.iter().enumerate() {
            if index == 0 {
                path.move_to(x + dx, y + dy);
            } else {
                path.line_to(x + dx, y + dy);
            }
        }
        path.close();
        path.finish()
    };
    match tone {
        Tone::Neutral | Tone::Muted => circle(x, y, 2.3),
        Tone::Notice | Tone::Running => polygon(&[(-2.5, -2.5), (2.5, -2.5), (2.5, 2.5), (-2.5, 2.5)]),
        Tone::Good => circle(x, y, 2.9),
        Tone::Warning => polygon(&[(0.0, -3.1), (3.4, 2.7), (-3.4, 2.7)]),
        Tone::Critical => polygon(&[(0.0, -3.7), (3.7, 0.0), (0.0, 3.7), (-3.7, 0.0)]),
    }
}

fn circle(x: f32, y: f32, radius: f32) -> Option<Path> {
    /// The distance of the control points of a quarter circle.
    const KAPPA: f32 = 0.552_285;
    let control = radius * KAPPA;
    let mut path = PathBuilder::new();
    path.move_to(x + radius, y);
    path.cubic_to(x + radius, y + control, x + control, y + radius, x, y + radius);
    path.cubic_to(x - control, y + radius, x - radius, y + control, x - radius, y);
    path.cubic_to(x - radius, y - control, x - control, y - radius, x, y - radius);
    path.cubic_to(x + control, y - radius, x + radius, y - control, x + radius, y);
    path.close();
    path.finish()
}
