//! A document as a tagged A4 PDF.
//!
//! Layout happens in passes: the body first, which gives the position of every heading; then the contents, whose
//! length shifts the body; then the numbers, headers and footers, which need the total. Only then are pages painted,
//! and each is dropped afterwards. The same document always gives the same bytes: no clock, no random identifier.

mod blocks;
mod chart;
mod clean;
mod contents;
mod cover;
mod flow;
mod hyphen;
mod labels;
mod lead;
mod paint;
mod rows;
mod shape;
mod sheet;
mod structure;
mod style;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod typeface;
mod words;

use krilla::metadata::{Metadata, TextDirection};
use krilla::outline::{Outline, OutlineNode};

use self::clean::clean_line;
use self::contents::{number_entries, place_contents};
use self::flow::{Anchor, Flow};
use self::labels::Labels;
use self::paint::Destination;
use self::sheet::Sheet;
use self::structure::{Role, Structure};
use self::text::Typesetter;
use self::typeface::Typeface;
use crate::ReportError;
use crate::document::{BarChart, Block, Cover, Document, Table};

/// Renders the file.
pub fn render(document: &Document) -> Result<Vec<u8>, ReportError> {
    render_unless(document, &|| false)
}

/// The same, unless `should_stop` says meanwhile that it is no longer wanted. It is asked for every block, row
/// and page; once it has said so, it must not change its mind.
pub fn render_unless(document: &Document, should_stop: &dyn Fn() -> bool) -> Result<Vec<u8>, ReportError> {
    check(document)?;
    let typeface = Typeface::get()?;
    let mut typesetter = Typesetter::new(typeface, should_stop);
    let labels = Labels(document.language);
    let title = match clean_line(&document.title) {
        title if title.is_empty() => labels.untitled().to_owned(),
        title => title,
    };
    let (layout, mut structure) = lay_out(document, &title, &mut typesetter);
    // The known words are of no use to painting.
    drop(typesetter);
    if should_stop() {
        return Err(ReportError::Stopped);
    }

    let mut pdf = paint::start()?;
    pdf.set_metadata(metadata(document, &title));
    pdf.set_outline(outline(&layout, labels, &title));
    let body_start = layout.body_start;
    let sheets = layout.sheets.into_iter().take_while(|_| !should_stop());
    paint::paint_sheets(&mut pdf, sheets, typeface, &mut structure, &layout.destinations);
    if should_stop() {
        return Err(ReportError::Stopped);
    }
    pdf.set_tag_tree(structure.into_tree(labels.tag(), body_start));
    Ok(pdf.finish()?)
}

/// All pages of the file, and the positions of its headings.
struct Layout {
    sheets: Vec<Sheet>,
    /// The page on which the contents begin, if there are any.
    contents_page: Option<usize>,
    body_start: usize,
    anchors: Vec<Anchor>,
    destinations: Vec<Destination>,
}

fn lay_out(document: &Document, title: &str, typesetter: &mut Typesetter<'_>) -> (Layout, Structure) {
    let (mut layout, structure) = lay_out_text(document, title, typesetter);
    for sheet in &mut layout.sheets {
        cover::place_mark(sheet, typesetter, document);
    }
    (layout, structure)
}

fn lay_out_text(document: &Document, title: &str, typesetter: &mut Typesetter<'_>) -> (Layout, Structure) {
    if document.cover == Cover::FromThreePages && may_be_short(document) {
        let mut structure = Structure::new();
        let layout = lay_out_short(document, title, typesetter, &mut structure);
        if layout.sheets.len() < SHORTEST_WITH_COVER {
            return (layout, structure);
        }
    }
    let mut structure = Structure::new();
    let layout = lay_out_long(document, title, typesetter, &mut structure);
    (layout, structure)
}

const SHORTEST_WITH_COVER: usize = 3;

/// Avoids laying out a long report twice: this many rows do not fit on two pages.
fn may_be_short(document: &Document) -> bool {
    const MOST_ROWS: usize = 120;
    let blocks = document.sections.iter().flat_map(|section| &section.blocks);
    let rows = blocks.map(|block| match block {
        Block::Table(table) => table.rows.len(),
        Block::KeyValues(pairs) => pairs.len(),
        _ => 1,
    });
    rows.sum::<usize>() <= MOST_ROWS
}

/// Title and text on the same page, without contents.
fn lay_out_short(
    document: &Document,
    title: &str,
    typesetter: &mut Typesetter<'_>,
    structure: &mut Structure,
) -> Layout {
    let labels = Labels(document.language);
    let front = structure.add(Structure::ROOT, Role::Section);
    let mut flow = Flow::new(typesetter, structure, labels);
    cover::place_title(&mut flow, document, title, front);
    blocks::place_sections(&mut flow, &document.sections);
    let (mut sheets, anchors) = flow.into_pages();
    let total = sheets.len();
    for (index, sheet) in sheets.iter_mut().enumerate() {
        cover::place_running(sheet, typesetter, document, title, (index + 1, total));
    }
    let destinations = destinations(&anchors, labels, 0);
    Layout { sheets, contents_page: None, body_start: 0, anchors, destinations }
}

fn lay_out_long(
    document: &Document,
    title: &str,
    typesetter: &mut Typesetter<'_>,
    structure: &mut Structure,
) -> Layout {
    let labels = Labels(document.language);
    let front = structure.add(Structure::ROOT, Role::Section);
    let contents_node = structure.add(Structure::ROOT, Role::Section);

    let mut flow = Flow::new(typesetter, structure, labels);
    cover::place_cover(&mut flow, document, title, front);
    let (mut sheets, _) = flow.into_pages();

    let mut flow = Flow::new(typesetter, structure, labels);
    blocks::place_sections(&mut flow, &document.sections);
    let (body, anchors) = flow.into_pages();

    let mut contents_page = None;
    // A table of contents with one line says nothing.
    let listed = anchors.iter().filter(|anchor| anchor.level <= document.contents_depth).count();
    if listed > 1 {
        contents_page = Some(sheets.len());
        let mut flow = Flow::new(typesetter, structure, labels);
        let entries = place_contents(&mut flow, &anchors, document.contents_depth, contents_node);
        let (mut contents, _) = flow.into_pages();
        let body_start = sheets.len() + contents.len();
        number_entries(&mut contents, typesetter, &entries, |entry| {
            body_start + anchors[entry.anchor].page + 1
        });
        sheets.append(&mut contents);
    }

    let body_start = sheets.len();
    sheets.extend(body);
    let total = sheets.len();
    for (index, sheet) in sheets.iter_mut().enumerate().skip(1) {
        cover::place_running(sheet, typesetter, document, title, (index + 1, total));
    }
    let destinations = destinations(&anchors, labels, body_start);
    Layout { sheets, contents_page, body_start, anchors, destinations }
}

fn destinations(anchors: &[Anchor], labels: Labels, body_start: usize) -> Vec<Destination> {
    let destination = |anchor: &Anchor| Destination {
        label: labels.link(&anchor.title, body_start + anchor.page + 1),
        page: body_start + anchor.page,
        y: anchor.y,
    };
    anchors.iter().map(destination).collect()
}

fn metadata(document: &Document, title: &str) -> Metadata {
    let mut metadata = Metadata::new()
        .title(title.to_owned())
        .language(Labels(document.language).tag().to_owned())
        .creator("Tidewall".to_owned())
        .text_direction(TextDirection::LeftToRight);
    let subtitle = clean_line(&document.subtitle);
    if !subtitle.is_empty() {
        metadata = metadata.description(subtitle);
    }
    let organisation = clean_line(&document.organisation);
    if !organisation.is_empty() {
        metadata = metadata.authors(vec![organisation]);
    }
    metadata
}

/// The bookmarks: contents, then the headings nested by level. A file must have at least one.
fn outline(layout: &Layout, labels: Labels, title: &str) -> Outline {
    let mut outline = Outline::new();
    let page_top = |page| Destination { label: String::new(), page, y: 0.0 }.point();
    match layout.contents_page {
        Some(page) => outline.push_child(OutlineNode::new(labels.contents().to_owned(), page_top(page))),
        None => outline.push_child(OutlineNode::new(title.to_owned(), page_top(0))),
    }
    let mut headings = layout.anchors.iter().zip(&layout.destinations).peekable();
    while let Some(heading) = headings.next() {
        outline.push_child(bookmark(heading, &mut headings));
    }
    outline
}

fn bookmark<'l, I>(
    (anchor, destination): (&'l Anchor, &'l Destination),
    rest: &mut std::iter::Peekable<I>,
) -> OutlineNode
where
    I: Iterator<Item = (&'l Anchor, &'l Destination)>,
{
    let mut node = OutlineNode::new(anchor.title.clone(), destination.point());
    while let Some(child) = rest.next_if(|(next, _)| next.level > anchor.level) {
        node.push_child(bookmark(child, rest));
    }
    node
}

/// Refuses values that could only be drawn wrongly.
fn check(document: &Document) -> Result<(), ReportError> {
    for block in document.sections.iter().flat_map(|section| &section.blocks) {
        match block {
            Block::Table(table) => check_table(table)?,
            Block::Chart(chart) => check_chart(chart)?,
            _ => {}
        }
    }
    Ok(())
}

fn check_table(table: &Table) -> Result<(), ReportError> {
    let columns = table.columns.len();
    match table.rows.iter().position(|row| row.len() != columns) {
        None => Ok(()),
        Some(index) => Err(ReportError::TableRow {
            table: table.caption.clone(),
            row: index + 1,
            cells: table.rows[index].len(),
            columns,
        }),
    }
}

fn check_chart(chart: &BarChart) -> Result<(), ReportError> {
    let bars = chart.bars.iter().map(|bar| (bar.label.as_str(), bar.value));
    let threshold = chart.threshold.iter().map(|threshold| (threshold.label.as_str(), threshold.value));
    let scale = chart.full_scale.map(|value| ("full scale", value));
    match bars.chain(threshold).chain(scale).find(|(_, value)| !value.is_finite() || *value < 0.0) {
        None => Ok(()),
        Some((label, _)) => {
            Err(ReportError::ChartValue { chart: chart.title.clone(), label: label.to_owned() })
        }
    }
}
