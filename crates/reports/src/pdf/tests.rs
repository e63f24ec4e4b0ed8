//! Random documents: each renders, and nothing exceeds the page.

use proptest::prelude::*;

use super::sheet::Shape;
use super::style::{FOOT_END, HEAD_BASELINE, LEFT, PAGE_HEIGHT, RIGHT};
use super::*;
use crate::document::{
    Align, Badge, Bar, Cell, Column, ColumnWidth, HeadingLevel, KeyValue, Language, ParagraphStyle, Section,
    Threshold, Tone,
};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zäöüß ]{0,60}",
        2 => proptest::collection::vec(any::<char>(), 0..30).prop_map(String::from_iter),
        1 => "[a-z]{0,300}",
        1 => "([A-Za-z]{1,12} ){0,200}",
        1 => "[\n\r\t ]{0,12}",
        1 => "[aé漢🚀ש\u{301}\u{200d}\u{fe0f}]{0,40}",
    ]
}

fn tone() -> impl Strategy<Value = Tone> {
    prop_oneof![
        Just(Tone::Neutral),
        Just(Tone::Notice),
        Just(Tone::Good),
        Just(Tone::Warning),
        Just(Tone::Critical)
    ]
}

fn badge() -> impl Strategy<Value = Badge> {
    (tone(), text()).prop_map(|(tone, text)| Badge { tone, text })
}

fn pair() -> impl Strategy<Value = KeyValue> {
    (text(), text()).prop_map(|(key, value)| KeyValue { key, value })
}

fn column() -> impl Strategy<Value = Column> {
    let width =
        prop_oneof![(0_u16..500).prop_map(ColumnWidth::Points), (0_u16..9).prop_map(ColumnWidth::Share)];
    let align = prop_oneof![Just(Align::Start), Just(Align::Centre), Just(Align::End)];
    (text(), width, align, any::<bool>()).prop_map(|(header, width, align, names_row)| Column {
        header,
        width,
        align,
        names_row,
    })
}

fn table() -> impl Strategy<Value = Table> {
    let cell = || prop_oneof![3 => text().prop_map(Cell::Text), 1 => badge().prop_map(Cell::Badge)];
    (proptest::collection::vec(column(), 0..7), text(), 0_usize..6).prop_flat_map(
        move |(columns, caption, rows)| {
            let row = proptest::collection::vec(cell(), columns.len());
            proptest::collection::vec(row, rows).prop_map(move |rows| Table {
                caption: caption.clone(),
                columns: columns.clone(),
                rows,
                empty_text: String::new(),
            })
        },
    )
}

fn chart() -> impl Strategy<Value = BarChart> {
    let bar = (text(), 0.0..1e9, text(), tone()).prop_map(|(label, value, display, tone)| Bar {
        label,
        value,
        display,
        tone,
    });
    let threshold = (text(), 0.0..1e9).prop_map(|(label, value)| Threshold { label, value });
    let bars = proptest::collection::vec(bar, 0..50);
    let full_scale = proptest::option::of(0.0..1e3);
    (text(), bars, proptest::option::of(threshold), full_scale).prop_map(
        |(title, bars, threshold, full_scale)| BarChart {
            title,
            bars,
            threshold,
            full_scale,
            description: String::new(),
        },
    )
}

fn block() -> impl Strategy<Value = Block> {
    let level = prop_oneof![Just(HeadingLevel::Two), Just(HeadingLevel::Three)];
    let style =
        prop_oneof![Just(ParagraphStyle::Body), Just(ParagraphStyle::Lead), Just(ParagraphStyle::Note)];
    prop_oneof![
        (level, text()).prop_map(|(level, text)| Block::Heading { level, text }),
        (style, text()).prop_map(|(style, text)| Block::Paragraph { style, text }),
        proptest::collection::vec(pair(), 0..5).prop_map(Block::KeyValues),
        proptest::collection::vec(badge(), 0..9).prop_map(Block::Badges),
        table().prop_map(Block::Table),
        chart().prop_map(Block::Chart),
        Just(Block::PageBreak),
    ]
}

fn document() -> impl Strategy<Value = Document> {
    let section = (text(), proptest::collection::vec(block(), 0..8))
        .prop_map(|(title, blocks)| Section { title, blocks });
    let language = prop_oneof![Just(Language::English), Just(Language::German)];
    let texts = (text(), text(), text(), text(), text(), text(), proptest::collection::vec(pair(), 0..4));
    let cover = prop_oneof![Just(Cover::Always), Just(Cover::FromThreePages)];
    (language, texts, cover, 0_u8..5, proptest::collection::vec(section, 0..4)).prop_map(
        |(
            language,
            (title, subtitle, organisation, classification, generated_at, filter, facts),
            cover,
            contents_depth,
            sections,
        )| Document {
            title,
            logo: None,
            mark: subtitle.clone(),
            subtitle,
            organisation,
            classification,
            cover,
            language,
            generated_at,
            filter,
            facts,
            contents_depth,
            sections,
        },
    )
}

/// The extent of a shape: left, top, right, bottom.
fn extent(shape: &Shape) -> (f32, f32, f32, f32) {
    match shape {
        Shape::Text { line, x, baseline, .. } => (*x, *baseline, x + line.width, *baseline),
        Shape::Fill { area, .. } | Shape::Logo { area, .. } => {
            (area.x, area.y, area.x + area.width, area.y + area.height)
        }
        Shape::Rule { from, to, .. } => (from.0, from.1, to.0, to.1),
        Shape::Sign { x, y, .. } => (*x, *y, *x, *y),
        Shape::Across { .. } => (LEFT, PAGE_HEIGHT / 2.0, RIGHT, PAGE_HEIGHT / 2.0),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_document_renders_and_stays_on_the_paper(document in document()) {
        let typeface = Typeface::get().unwrap();
        let mut typesetter = Typesetter::new(typeface, &|| false);
        let layout = lay_out(&document, "Title", &mut typesetter).0;
        // A column narrower than its widest glyph lets that glyph exceed it a little.
        let glyph = 14.0;
        for (page, sheet) in layout.sheets.iter().enumerate() {
            for item in &sheet.items {
                let (left, top, right, bottom) = extent(&item.shape);
                prop_assert!(left >= LEFT - glyph && right <= RIGHT + glyph, "page {page}: {item:?}");
                prop_assert!(top >= HEAD_BASELINE - 1.0 && bottom <= FOOT_END + 1.0, "page {page}: {item:?}");
                prop_assert!(bottom < PAGE_HEIGHT && right >= left && bottom >= top, "page {page}: {item:?}");
            }
        }
        prop_assert!(render(&document).is_ok());
    }
}

/// The watermark is behind the text of every page, including the first.
#[test]
fn a_mark_stands_on_every_page() {
    let long = Section::new("One").paragraph("word ".repeat(3000));
    let marked = Document::new(Language::English, "Drill").mark("EXERCISE").section(long);
    let typeface = Typeface::get().unwrap();
    let layout = lay_out(&marked, "Drill", &mut Typesetter::new(typeface, &|| false)).0;
    assert!(layout.sheets.len() > 3);
    for sheet in &layout.sheets {
        let first = sheet.items.first().map(|item| &item.shape);
        assert!(matches!(first, Some(Shape::Across { line, .. }) if line.text() == "EXERCISE"), "{first:?}");
    }
    assert!(render(&marked).is_ok());
}

#[test]
fn a_report_that_is_no_longer_wanted_is_not_finished() {
    let paragraphs = (0..2_000).fold(Section::new("S"), |section, _| section.paragraph("words ".repeat(40)));
    let document = Document::new(Language::English, "T").section(paragraphs);
    let asked = std::cell::Cell::new(0);
    let after = |most: usize| {
        asked.set(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > most
        };
        matches!(render_unless(&document, &stop), Err(ReportError::Stopped))
    };
    assert!(after(10), "while the text is placed");
    assert!(asked.get() < 20, "{} times", asked.get());
    assert!(after(2_010), "while the pages are painted");
}
