//! Renders documents and reads them back with other software than wrote them.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

mod samples;
mod support;

use tidewall_reports::ReportError;
use tidewall_reports::document::{
    Align, Badge, BarChart, Block, Cell, Column, Document, Language, ParagraphStyle, Section, Table, Tone,
};
use tidewall_reports::pdf::render;

use self::support::{Reader, Tag};

fn read(document: &Document) -> Reader {
    Reader::open(&render(document).expect("the document can be rendered"))
}

fn tags_of<'t>(tags: &'t [Tag], role: &str) -> Vec<&'t Tag> {
    tags.iter().filter(|tag| tag.role == role).collect()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

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
    Document::new(Language::En, "Register").section(Section::new("Arrangements").table(table))
}

#[test]
fn a_small_report_reads_as_expected() {
    let reader = read(&samples::findings(Language::En, 2));
    let text: Vec<String> = (1..=reader.page_count())
        .map(|page| format!("=== {page} ===\n{}", reader.lines(page).join("\n")))
        .collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn the_tags_of_a_small_report_are_in_reading_order() {
    let tags = read(&samples::concentration(Language::De)).tags();
    let outline: Vec<String> = tags
        .iter()
        .map(|tag| {
            let alt = tag.alt.as_ref().map(|alt| format!(" alt={alt:?}")).unwrap_or_default();
            // What a figure draws is described by its alternative text.
            let text = if tag.text.is_empty() || tag.alt.is_some() {
                String::new()
            } else {
                format!(" {:?}", tag.text)
            };
            format!("{}{}{alt}{text}", "  ".repeat(tag.depth), tag.role)
        })
        .collect();
    insta::assert_snapshot!(outline.join("\n"));
}

#[test]
fn contents_bookmarks_and_links_name_the_page_a_heading_is_on() {
    for count in [1, 7, 40] {
        let reader = read(&samples::findings(Language::De, count));
        let tags = reader.tags();
        let headings: Vec<(&str, usize)> = tags
            .iter()
            .filter(|tag| (tag.role == "H1" || tag.role == "H2") && tag.text.trim() != "Inhalt")
            .map(|tag| (tag.text.trim(), tag.pages[0]))
            .collect();
        assert_eq!(headings.len(), count + 2);

        let entries: Vec<String> = tags_of(&tags, "Link").iter().map(|tag| tag.text.clone()).collect();
        let expected: Vec<String> = headings.iter().map(|(title, page)| format!("{title} {page}")).collect();
        assert_eq!(entries, expected, "the numbers in the contents");

        let links: Vec<(String, usize)> =
            (2..=reader.page_count()).flat_map(|page| reader.links(page)).collect();
        let expected: Vec<(String, usize)> =
            headings.iter().map(|(title, page)| (format!("{title}, Seite {page}"), *page)).collect();
        assert_eq!(links, expected, "the links of the contents");

        let bookmarks: Vec<(String, usize)> = reader
            .bookmarks()
            .into_iter()
            .filter(|(_, title, _)| {
                title.starts_with("F-") || title == "Überblick" || title == "Feststellungen"
            })
            .map(|(_, title, page)| (title, page))
            .collect();
        let expected: Vec<(String, usize)> =
            headings.iter().map(|(title, page)| ((*title).to_owned(), *page)).collect();
        assert_eq!(bookmarks, expected, "the bookmarks");
    }
}

#[test]
fn bookmarks_nest_like_the_headings() {
    let section = Section::new("One").heading("Two").subheading("Three").subheading("Drei").heading("Zwei");
    let bookmarks =
        read(&Document::new(Language::En, "T").section(section).section(Section::new("Next"))).bookmarks();
    let depths: Vec<(usize, &str)> =
        bookmarks.iter().map(|(depth, title, _)| (*depth, title.as_str())).collect();
    assert_eq!(
        depths,
        [(0, "Contents"), (0, "One"), (1, "Two"), (2, "Three"), (2, "Drei"), (1, "Zwei"), (0, "Next")]
    );
}

#[test]
fn every_page_but_the_cover_is_numbered_and_stamped() {
    for (language, page, stamp) in [
        (Language::En, "Page {} of {}", "Generated: 14 November 2026, 09:30 UTC"),
        (Language::De, "Seite {} von {}", "Erstellt: 14.11.2026, 09:30 UTC"),
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
fn the_file_states_title_language_and_owner() {
    for (language, tag) in [(Language::En, "en-GB"), (Language::De, "de-DE")] {
        let reader = read(&samples::concentration(language));
        assert_eq!(lopdf::decode_text_string(reader.catalog().get(b"Lang").unwrap()).unwrap(), tag);
        assert!(reader.info("Title").starts_with("Con") || reader.info("Title").starts_with("Kon"));
        assert_eq!(reader.info("Author"), "Hanse Bank AG");
        assert!(reader.catalog().get(b"MarkInfo").is_ok());
        let preferences = reader.catalog().get(b"ViewerPreferences").unwrap().as_dict().unwrap();
        assert!(preferences.get(b"DisplayDocTitle").unwrap().as_bool().unwrap());
    }
    assert_eq!(read(&Document::new(Language::De, " \n ")).info("Title"), "Bericht");
}

#[test]
fn nothing_is_drawn_outside_the_tags_and_artifacts() {
    for document in
        [samples::findings(Language::En, 5), samples::concentration(Language::De), samples::oddities()]
    {
        let reader = read(&document);
        for page in 1..=reader.page_count() {
            assert_eq!(reader.unmarked_drawing(page), 0, "page {page}");
        }
    }
}

#[test]
fn the_header_row_stands_on_every_page_and_is_read_out_once() {
    let reader = read(&numbered_rows(300));
    let total = reader.page_count();
    assert!(total > 8, "{total} pages");
    let mut next = 1;
    for page in 3..=total {
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
    let reader = read(&Document::new(Language::De, "Leer").section(section));
    let lines = reader.lines(3);
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
        let reader = read(&Document::new(Language::En, "Long").section(Section::new("Cells").table(table)));
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
fn text_beyond_the_typeface_is_kept_for_readers_and_shown_as_a_replacement() {
    let texts = [
        "漢字かな交じり文",
        "שלום עולם",
        "مرحبا بالعالم",
        "rocket 🚀 family 👩‍👩‍👧 flag 🇩🇪",
        "mixed Größe العدد 42",
    ];
    let section = texts.iter().fold(Section::new("Scripts"), |section, text| section.paragraph(*text));
    let table = Table::new([Column::share("שם", 1)]).row(["👍🏽 ok"]);
    let reader = read(&Document::new(Language::En, "Schrift 字").section(section.table(table)));
    let tags = reader.tags();
    for text in texts {
        assert!(
            tags.iter().any(|tag| tag.role == "P" && tag.text == text),
            "{text:?} is missing in {tags:#?}"
        );
    }
    assert!(tags.iter().any(|tag| tag.role == "TD" && tag.text == "👍🏽 ok"));
    assert!(reader.lines(3).contains(&"\u{fffd}".repeat(8)), "{:?}", reader.lines(3));
}

#[test]
fn letters_of_the_covered_scripts_are_drawn() {
    let text = "Ärger über Größe – „Zitat“ § 25 · 12,5 % ≥ 3 → Łódź Ελληνικά Кириллица e\u{301}";
    let reader = read(&Document::new(Language::De, "T").section(Section::new("S").paragraph(text)));
    assert_eq!(reader.lines(3)[1], text);
}

#[test]
fn control_characters_are_left_out() {
    let table = Table::new([Column::share("a\0b", 1)]).row(["line one\nline\u{7} two\u{202e}"]);
    let section = Section::new("He\u{1b}[31mad").paragraph("tab\there\u{feff}").table(table);
    let reader = read(&Document::new(Language::En, "Ti\ntle\r\u{0}").filter("x\u{9c}y").section(section));
    assert_eq!(reader.info("Title"), "Ti tle");
    let lines = reader.lines(3);
    for expected in ["He[31mad", "tab here", "ab", "line one", "line two"] {
        assert!(lines.contains(&expected.to_owned()), "{expected:?} is missing in {lines:?}");
    }
    assert!(lines.iter().any(|line| line == "Filter: xy"), "{lines:?}");
}

#[test]
fn what_introduces_a_block_stands_on_the_page_where_it_begins() {
    let tall = "tall\n".repeat(14);
    let columns = || [Column::share("Column", 1), Column::share("Other", 1)];
    let chart =
        (0..12).fold(BarChart::new("Chart"), |chart, bar| chart.bar("bar", f64::from(bar), "1", Tone::Info));
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
                .badges([Badge::new(Tone::Info, "badge")])
                .subheading("Below")
                .block(block.clone());
            let tags = read(&Document::new(Language::En, "T").section(section)).tags();
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
fn heading_levels_are_never_skipped() {
    let section = Section::new("One").subheading("Three without two").heading("Two").subheading("Three");
    let document =
        Document::new(Language::En, "T").section(section).section(Section::new(" ").subheading("Lonely"));
    let tags = read(&document).tags();
    let levels: Vec<&str> =
        tags.iter().map(|tag| tag.role.as_str()).filter(|role| role.starts_with('H')).collect();
    assert_eq!(levels, ["H1", "H1", "H2", "H2", "H3", "H1"]);
}

#[test]
fn a_chart_is_a_figure_with_its_figures_in_words() {
    let chart = BarChart::new("Shares")
        .full_scale(100.0)
        .threshold("threshold 25 %", 25.0)
        .bar("Nordwolke", 43.2, "43.2 %", Tone::Critical)
        .bar("Elbdaten", 0.0, "0 %", Tone::Neutral);
    let described = BarChart::new("Other").bar("a", 1.0, "1", Tone::Info).description("One bar.");
    let section = Section::new("Charts").chart(chart).chart(described);
    let tags = read(&Document::new(Language::En, "T").section(section)).tags();
    let figures: Vec<&str> = tags_of(&tags, "Figure").iter().map(|tag| tag.alt.as_deref().unwrap()).collect();
    assert_eq!(figures, ["Bar chart: Shares; Nordwolke 43.2 %; Elbdaten 0 %; threshold 25 %", "One bar."]);
}

#[test]
fn a_chart_taller_than_a_page_becomes_one_figure_a_page() {
    let chart = (0..120).fold(BarChart::new("Many"), |chart, bar| {
        chart.bar(format!("bar-{bar}"), f64::from(bar), bar.to_string(), Tone::Info)
    });
    let tags = read(&Document::new(Language::En, "T").section(Section::new("S").chart(chart))).tags();
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
    let reader = read(&Document::new(Language::En, "T").section(section));
    assert_eq!(reader.page_count(), 2 + 3, "cover, contents, the title alone, first, second");
    assert!(reader.lines(4).contains(&"first".to_owned()));
    assert!(reader.lines(5).contains(&"second".to_owned()));
}

#[test]
fn a_report_without_sections_is_a_cover() {
    let reader = read(&Document::new(Language::En, "Nothing to report"));
    assert_eq!(reader.page_count(), 1);
    assert_eq!(reader.bookmarks(), [(0, "Nothing to report".to_owned(), 1)]);
}

#[test]
fn badges_fill_as_many_lines_as_they_need() {
    let badges = (0..60).map(|index| Badge::new(Tone::Positive, format!("state {index}")));
    let reader = read(&Document::new(Language::En, "T").section(Section::new("S").badges(badges)));
    let lines = reader.lines(3);
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
    let document = Document::new(Language::De, &*long)
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
    let document = samples::findings(Language::De, 4);
    assert!(render(&document).unwrap() == render(&document).unwrap());
}

#[test]
fn what_cannot_be_drawn_is_refused_by_name() {
    let ragged = Table::new([Column::share("a", 1), Column::share("b", 1)])
        .caption("Ragged")
        .row(["1", "2"])
        .row(["3"]);
    let error =
        render(&Document::new(Language::En, "T").section(Section::new("S").table(ragged))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table \"Ragged\": row 2 has 1 cells for 2 columns; give every row one cell per column"
    );
    for value in [f64::NAN, f64::INFINITY, -1.0] {
        for chart in [
            BarChart::new("C").bar("b", value, "?", Tone::Info),
            BarChart::new("C").threshold("b", value),
            BarChart::new("C").full_scale(value),
        ] {
            let error = render(&Document::new(Language::En, "T").section(Section::new("S").chart(chart)))
                .unwrap_err();
            assert!(matches!(error, ReportError::ChartValue { .. }), "{error:?}");
        }
    }
}

#[test]
fn errors_can_cross_threads() {
    fn crosses<T: Send + Sync + 'static>() {}
    crosses::<ReportError>();
}
