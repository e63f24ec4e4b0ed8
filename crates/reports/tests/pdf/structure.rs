//! What screen readers and viewers find: tags, contents, bookmarks, links, metadata.

use tidewall_reports::document::{BarChart, Document, Language, Section, Tone};

use crate::{read, samples, tags_of};

#[test]
fn the_tags_of_a_small_report_are_in_reading_order() {
    let tags = read(&samples::concentration(Language::German)).tags();
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
        let reader = read(&samples::findings(Language::German, count));
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
        read(&Document::new(Language::English, "T").section(section).section(Section::new("Next")))
            .bookmarks();
    let depths: Vec<(usize, &str)> =
        bookmarks.iter().map(|(depth, title, _)| (*depth, title.as_str())).collect();
    assert_eq!(
        depths,
        [(0, "Contents"), (0, "One"), (1, "Two"), (2, "Three"), (2, "Drei"), (1, "Zwei"), (0, "Next")]
    );
}

#[test]
fn the_file_states_title_language_and_owner() {
    for (language, tag) in [(Language::English, "en-GB"), (Language::German, "de-DE")] {
        let reader = read(&samples::concentration(language));
        assert_eq!(lopdf::decode_text_string(reader.catalog().get(b"Lang").unwrap()).unwrap(), tag);
        assert!(reader.info("Title").starts_with("Con") || reader.info("Title").starts_with("Kon"));
        assert_eq!(reader.info("Author"), "Hanse Bank AG");
        assert!(reader.catalog().get(b"MarkInfo").is_ok());
        let preferences = reader.catalog().get(b"ViewerPreferences").unwrap().as_dict().unwrap();
        assert!(preferences.get(b"DisplayDocTitle").unwrap().as_bool().unwrap());
    }
    assert_eq!(read(&Document::new(Language::German, " \n ")).info("Title"), "Bericht");
}

#[test]
fn nothing_is_drawn_outside_the_tags_and_artifacts() {
    for document in [
        samples::findings(Language::English, 5),
        samples::concentration(Language::German),
        samples::oddities(),
    ] {
        let reader = read(&document);
        for page in 1..=reader.page_count() {
            assert_eq!(reader.unmarked_drawing(page), 0, "page {page}");
        }
    }
}

#[test]
fn heading_levels_are_never_skipped() {
    let section = Section::new("One").subheading("Three without two").heading("Two").subheading("Three");
    let document = Document::new(Language::English, "T")
        .section(section)
        .section(Section::new(" ").subheading("Lonely"));
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
    let described = BarChart::new("Other").bar("a", 1.0, "1", Tone::Notice).description("One bar.");
    let section = Section::new("Charts").chart(chart).chart(described);
    let tags = read(&Document::new(Language::English, "T").section(section)).tags();
    let figures: Vec<&str> = tags_of(&tags, "Figure").iter().map(|tag| tag.alt.as_deref().unwrap()).collect();
    assert_eq!(figures, ["Bar chart: Shares; Nordwolke 43.2 %; Elbdaten 0 %; threshold 25 %", "One bar."]);
}
