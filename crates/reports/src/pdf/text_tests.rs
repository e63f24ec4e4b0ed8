use super::super::style::TABLE_CELL;
use super::*;

fn broken(text: &str, width: f32) -> Vec<String> {
    let typeface = Typeface::get().unwrap();
    let lines = Typesetter::new(typeface, &|| false).lines(text, &TABLE_CELL, width);
    for line in &lines {
        let clusters = line
            .glyphs()
            .iter()
            .map(|glyph| glyph.text_range().start)
            .collect::<std::collections::BTreeSet<_>>();
        assert!(line.width <= width || clusters.len() == 1, "{:?} is {} wide", line.text(), line.width);
    }
    lines.iter().map(|line| line.text().to_owned()).collect()
}

#[test]
fn words_go_to_the_next_line_whole() {
    assert_eq!(
        broken("Die Sicherung wurde nie zurückgespielt.", 70.0),
        ["Die Sicherung ", "wurde nie ", "zurückgespielt."]
    );
}

#[test]
fn line_breaks_of_the_text_are_kept_and_blank_lines_counted_once() {
    assert_eq!(broken("one\r\ntwo\n\n\n\nthree\n\n", 200.0), ["one", "two", "", "three"]);
    assert!(broken(" \n\n", 200.0).is_empty());
}

#[test]
fn a_long_word_breaks_after_punctuation_or_anywhere() {
    assert_eq!(
        broken("https://example.test/a/rather/long/path", 100.0),
        ["https://example.test/a/", "rather/long/path"]
    );
    assert_eq!(broken(&"M".repeat(20), 60.0).concat(), "M".repeat(20));
    // Narrower than any glyph: one glyph per line, and it terminates.
    assert_eq!(broken("abc", 0.5), ["a", "b", "c"]);
    assert_eq!(broken("abc", -9.0), ["a", "b", "c"]);
}

#[test]
fn a_long_word_is_divided_with_a_hyphen() {
    assert_eq!(
        broken("Schwachstellenbewertung oder -scan", 95.0),
        ["Schwachstellenbewer-", "tung oder -scan"]
    );
    assert_eq!(broken("Die Schwachstellenbewertung", 60.0), ["Die ", "Schwachstel-", "lenbewertung"]);
}

#[test]
fn every_character_reaches_a_line() {
    let text = "Ä漢字 👩‍👩‍👧 שלום e\u{301}x مرحبا 🇩🇪 fin";
    for width in [5.0, 20.0, 40.0, 400.0] {
        assert_eq!(broken(text, width).concat(), text, "at {width}");
    }
}

#[test]
fn what_has_no_place_in_print_is_removed() {
    assert_eq!(clean("a\0b\u{7}c\u{202e}d\u{feff}e\u{ad}f\u{fffe}g\u{10ffff}h"), "abcdefgh");
    assert_eq!(clean("a\tb\u{2028}c"), "a b\nc");
    assert_eq!(clean_line("  one\n two\u{a0}three "), "one two three");
}

#[test]
fn the_last_of_a_few_lines_goes_on_where_the_line_before_was_divided() {
    let typeface = Typeface::get().unwrap();
    let mut typesetter = Typesetter::new(typeface, &|| false);
    let mut few = |text: &str| -> Vec<String> {
        let lines = typesetter.lines_at_most(2, text, &TABLE_CELL, 60.0);
        lines.iter().map(|line| line.text().to_owned()).collect()
    };
    assert_eq!(few("zwei\nWörter"), ["zwei Wörter"]);
    assert_eq!(few("Überprüfungsnachweis der Geschäftsführung"), ["Überprüfungs-", "nachweis der…"]);
    assert_eq!(few("Cloud-Dienstleistungsverträge im Überblick"), ["Cloud-", "Dienstleistun…"]);
}

#[test]
fn a_line_that_is_too_long_ends_in_an_ellipsis() {
    let typeface = Typeface::get().unwrap();
    let mut typesetter = Typesetter::new(typeface, &|| false);
    assert_eq!(typesetter.single("short", &TABLE_CELL, 100.0).text(), "short");
    let line = typesetter.single("far too long for the space it is given", &TABLE_CELL, 60.0);
    assert!(line.width <= 60.0 && line.text().ends_with('…'), "{:?}", line.text());
    assert_eq!(typesetter.single("none", &TABLE_CELL, 1.0).text(), "…");
}
