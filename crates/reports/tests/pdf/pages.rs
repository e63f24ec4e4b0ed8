//! Positions on pages: page breaks, repeated headers, page headers, limits.

use tidewall_reports::document::{
    Align, Badge, BarChart, Block, Cell, Column, Cover, Document, Language, ParagraphStyle, Section, Table,
    Tone,
};
use tidewall_reports::pdf::render;

use crate::{read, samples, squeezed, tags_of};

/// A section with nothing but a table of numbered rows.
fn numbered_rows(rows: usize) -> Document {
    let columns = [
        Column::points("Number", 60).align(Align::End).row_header(),
        Column::share("Provider", 2),
        Column::share("Service", 2),
        Column::points("Level", 70),
    ];
    let table = (1..=rows).fold(Table::new(columns), |table, number| {
        table.row([
            Cell::from(format!("#{number}")),
            Cell::from("Nordwolke Infrastruktur GmbH"),
            Cell::from("Object storage"),
            Cell::badge(Tone::Warning, "high"),
        ])
    });
    Document::new(Language::English, "Register").section(Section::new("Arrangements").table(table))
}

#[test]
fn every_page_but_the_cover_is_numbered_and_stamped() {
    for (language, page, stamp) in [
        (Language::English, "Page {} of {}", "Generated: 14 November 2026, 09:30 UTC"),
        (Language::German, "Seite {} von {}", "Erstellt: 14.11.2026, 09:30 UTC"),
    ] {
        let reader = read(&samples::findings(language, 12));
        let total = reader.page_count();
        assert!(total > 5, "only {total} pages");
        for number in 2..=total {
            let lines = reader.lines(number);
            let expected = page.replacen("{}", &number.to_string(), 1).replacen("{}", &total.to_string(), 1);
            assert!(lines.contains(&expected), "{expected:?} is missing in {lines:?}");
            assert!(lines.iter().any(|line| line.starts_with(stamp)), "{stamp:?} is missing in {lines:?}");
        }
        let cover = reader.lines(1);
        assert!(!cover.iter().any(|line| line.starts_with("Page") || line.starts_with("Seite")), "{cover:?}");
    }
}

#[test]
fn the_header_row_stands_on_every_page_and_is_read_out_once() {
    let reader = read(&numbered_rows(300));
    let total = reader.page_count();
    assert!(total > 8, "{total} pages");
    let mut next = 1;
    for page in 2..=total {
        let lines = reader.lines(page);
        for header in ["Number", "Provider", "Service", "Level"] {
            assert_eq!(lines.iter().filter(|line| *line == header).count(), 1, "{header} on page {page}");
        }
        for line in lines.iter().filter(|line| line.starts_with('#')) {
            assert_eq!(*line, format!("#{next}"), "on page {page}");
            next += 1;
        }
    }
    assert_eq!(next, 301, "every row once and in order");
    let tags = reader.tags();
    let headers: Vec<&str> = tags_of(&tags, "TH").iter().map(|tag| tag.text.as_str()).take(5).collect();
    assert_eq!(headers, ["Number", "Provider", "Service", "Level", "#1"]);
    assert_eq!(tags_of(&tags, "TH").len(), 4 + 300);
    assert_eq!(tags_of(&tags, "TD").len(), 3 * 300);
    assert_eq!(tags_of(&tags, "THead").len(), 1);
}

#[test]
fn a_table_of_ten_thousand_rows_is_complete() {
    let reader = read(&numbered_rows(10_000));
    let total = reader.page_count();
    assert!(total > 200, "{total} pages");
    assert_eq!(reader.count_tags("TR"), 10_000 + 1);
    assert_eq!(reader.count_tags("TD"), 10_000 * 3);
    let lines = reader.lines(total);
    for text in ["Number", "#10000", &format!("Page {total} of {total}")] {
        assert!(lines.iter().any(|line| line == text), "{text:?} is missing in {lines:?}");
    }
}

#[test]
fn a_table_without_rows_says_so() {
    let table = || Table::new([Column::share("Name", 1), Column::share("Due", 1)]);
    let section = Section::new("Empty").table(table()).table(table().empty_text("Nothing was found."));
    let reader = read(&Document::new(Language::German, "Leer").section(section));
    let lines = reader.lines(2);
    assert!(lines.contains(&"Keine Einträge".to_owned()), "{lines:?}");
    assert!(lines.contains(&"Nothing was found.".to_owned()), "{lines:?}");
    assert_eq!(tags_of(&reader.tags(), "TD").len(), 2);
}

#[test]
fn a_cell_of_ten_thousand_characters_goes_on_over_the_pages() {
    let words = (0..2_000).map(|word| format!("w{word:03}")).collect::<Vec<_>>().join(" ");
    let solid = "x".repeat(10_000);
    for text in [words.as_str(), solid.as_str()] {
        let table =
            Table::new([Column::points("Key", 60), Column::share("Text", 1), Column::points("End", 60)])
                .row([Cell::from("before"), Cell::from(text), Cell::from("after")])
                .row([Cell::from("last"), Cell::from("short"), Cell::from("row")]);
        let reader =
            read(&Document::new(Language::English, "Long").section(Section::new("Cells").table(table)));
        let tags = reader.tags();
        let cells = tags_of(&tags, "TD");
        assert_eq!(squeezed(&cells[1].text), squeezed(text), "no character is lost");
        assert!(cells[1].pages.len() > 1, "{:?}", cells[1].pages);
        assert_eq!(cells[3].text, "last");
        for page in &cells[1].pages {
            assert!(reader.lines(*page).contains(&"Text".to_owned()), "the header is on page {page}");
        }
    }
}

#[test]
fn what_introduces_a_block_stands_on_the_page_where_it_begins() {
    let tall = "tall\n".repeat(14);
    let columns = || [Column::share("Column", 1), Column::share("Other", 1)];
    let chart = (0..12)
        .fold(BarChart::new("Chart"), |chart, bar| chart.bar("bar", f64::from(bar), "1", Tone::Notice));
    let blocks = [
        Block::Paragraph { style: ParagraphStyle::Body, text: "one\ntwo\nthree".into() },
        Block::KeyValues(vec![("key", tall.as_str()).into()]),
        Block::KeyValues(vec![("key", tall.repeat(4)).into()]),
        Block::Table(Table::new(columns()).row(["a", tall.as_str()])),
        Block::Table(Table::new(columns()).caption("Caption").row(["a", &tall.repeat(4)])),
        Block::Table(Table::new(columns())),
        Block::Chart(chart),
    ];
    for block in &blocks {
        // One document per filling of the first page, so that the heading falls on every place of it.
        for fill in (1..54).step_by(3) {
            let section = Section::new("Top")
                .paragraph(vec!["line"; fill].join("\n"))
                .heading("Head")
                .badges([Badge::new(Tone::Notice, "badge")])
                .subheading("Below")
                .block(block.clone());
            let tags = read(&Document::new(Language::English, "T").section(section)).tags();
            let head = tags.iter().position(|tag| tag.role == "H2").unwrap();
            let pages: Vec<usize> =
                tags[head..].iter().filter_map(|tag| tag.pages.first().copied()).collect();
            // Heading, badges, subheading, and the first text of the block.
            let first_row = if matches!(block, Block::Table(_)) { 6 } else { 4 };
            assert!(
                pages[..first_row].iter().all(|page| *page == pages[0]),
                "{block:?} after {fill} lines: {pages:?}"
            );
        }
    }
}

#[test]
fn a_chart_taller_than_a_page_becomes_one_figure_a_page() {
    let chart = (0..120).fold(BarChart::new("Many"), |chart, bar| {
        chart.bar(format!("bar-{bar}"), f64::from(bar), bar.to_string(), Tone::Notice)
    });
    let tags = read(&Document::new(Language::English, "T").section(Section::new("S").chart(chart))).tags();
    let figures = tags_of(&tags, "Figure");
    assert!(figures.len() > 1);
    let spoken: String = figures.iter().map(|figure| figure.alt.clone().unwrap()).collect();
    assert!((0..120).all(|bar| spoken.contains(&format!("bar-{bar} "))), "{spoken}");
    assert!(figures.iter().all(|figure| figure.pages.len() == 1));
}

#[test]
fn a_page_break_starts_a_page_and_leaves_none_empty() {
    let section = Section::new("S")
        .page_break()
        .paragraph("first")
        .page_break()
        .page_break()
        .paragraph("second")
        .page_break();
    let reader = read(&Document::new(Language::English, "T").section(section));
    assert_eq!(reader.page_count(), 1 + 3, "cover, the title alone, first, second");
    assert!(reader.lines(3).contains(&"first".to_owned()));
    assert!(reader.lines(4).contains(&"second".to_owned()));
}

#[test]
fn a_report_without_sections_is_a_cover() {
    let reader = read(&Document::new(Language::English, "Nothing to report"));
    assert_eq!(reader.page_count(), 1);
    assert_eq!(reader.bookmarks(), [(0, "Nothing to report".to_owned(), 1)]);
}

#[test]
fn badges_fill_as_many_lines_as_they_need() {
    let badges = (0..60).map(|index| Badge::new(Tone::Good, format!("state {index}")));
    let reader = read(&Document::new(Language::English, "T").section(Section::new("S").badges(badges)));
    let lines = reader.lines(2);
    assert!((0..60).all(|index| lines.contains(&format!("state {index}"))), "{lines:?}");
}

#[test]
fn overlong_titles_and_names_still_fit() {
    let long = "Überlange Bezeichnung einer Sache ".repeat(60);
    let chart = BarChart::new(&*long).bar(&*long, 1.0, &*long, Tone::Critical).threshold(&*long, 0.5);
    let section = Section::new(&*long)
        .heading(&*long)
        .badges([Badge::new(Tone::Critical, &*long)])
        .key_values([(&*long, &*long)])
        .chart(chart)
        .table(
            Table::new([Column::points(&*long, 20), Column::share("x", 1)]).caption(&*long).row(["a", "b"]),
        );
    let document = Document::new(Language::German, &*long)
        .subtitle(&*long)
        .organisation(&*long)
        .filter(&*long)
        .generated_at(&*long)
        .fact(&*long, &*long)
        .section(section);
    let reader = read(&document);
    let total = reader.page_count();
    assert!(reader.lines(total).contains(&format!("Seite {total} von {total}")));
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let document = samples::findings(Language::German, 4);
    assert!(render(&document).unwrap() == render(&document).unwrap());
}

#[test]
fn a_short_report_has_neither_cover_nor_contents() {
    let short = |rows: usize| {
        numbered_rows(rows)
            .cover(Cover::FromThreePages)
            .organisation("North Bank")
            .classification("Internal")
            .filter("Status: Open")
    };
    let report = read(&short(20));
    assert_eq!(report.page_count(), 1);
    let lines = report.lines(1).join("\n");
    for text in ["North Bank · Internal", "Page 1 of 1", "Status: Open"] {
        assert!(lines.contains(text), "{text} in {lines}");
    }
    assert!(!lines.contains("Contents"), "{lines}");
    assert!(report.bookmarks().len() > 1);
    assert_eq!(report.count_tags("Title"), 1);
    let long = read(&short(200));
    assert!(
        long.page_count() > 3 && !long.lines(2).join("\n").contains("Contents"),
        "one section needs no contents"
    );
}

#[test]
fn a_long_filter_wraps_in_the_foot() {
    let filter = "Status: Open; Severity: Critical; Programme: Resilience testing 2026 of all critical or important \
                  functions; Test case: Restore of the core banking system; Search: backup";
    let report = read(&numbered_rows(5).cover(Cover::FromThreePages).filter(filter));
    let lines = report.lines(1);
    assert!(lines.iter().all(|line| !line.contains('…')), "{lines:?}");
    assert!(
        lines.iter().filter(|line| line.contains("Search: backup")).count() >= 2,
        "title and foot: {lines:?}"
    );
}
